// The answer of `explain`, as far as the page draws it: docs/json.md, "The answer of explain".

export interface Verdict {
  index: number;
  address: string;
  type: string;
  stage: StageName;
  why: string;
  roundTripTimeMS?: number;
  stalenessMS?: number;
  overMS?: number;
}

export interface Explanation {
  server: { index: number; address: string; type: string } | null;
  candidates: string[];
  fresh: string[];
  suitable: string[];
  inLatencyWindow: string[];
  reason?: { code: string; message: string };
  warnings?: { code: string; message: string; path: string }[];
  passes: { role: string; withoutDeprioritized: boolean; candidates: string[]; fresh: string[]; tagged: string[]; tagSet: number | null }[];
  staleness?: { formula: 'withPrimary' | 'withoutPrimary'; reference: string | null; heartbeatFrequencyMS: number; maxStalenessSeconds: number };
  latencyWindow?: { fastestMS: number; endMS: number };
  servers: Verdict[];
  notes: { code: string; message: string }[];
  text: string;
}

export type StageName = 'type' | 'deprioritized' | 'mode' | 'maxStaleness' | 'tagSets' | 'customSelector' | 'latencyWindow' | 'inLatencyWindow' | 'selected';

/** In the order in which they look at the members. The last two are no stages that drop, but how it ends. */
export const STAGES: readonly StageName[] = [
  'type',
  'deprioritized',
  'mode',
  'maxStaleness',
  'tagSets',
  'customSelector',
  'latencyWindow',
  'inLatencyWindow',
  'selected',
];

/** How far a member came. */
export function rank(stage: StageName): number {
  return STAGES.indexOf(stage);
}
