// The columns of the pipeline's drawing: the stages that have a part in this selection, what each asks for, and how
// many members pass it.
import type { Preference, Settings } from './case.js';
import { rank, type Explanation, type StageName } from './explanation.js';
import { tagsText } from './tags-field.js';

export interface Column {
  stage: StageName;
  name: string;
  /** What it asks for here; "": nothing, and everybody passes. */
  asks: string;
  /** How many members come to it, and how many pass. */
  before: number;
  after: number;
}

export function columnsOf(explanation: Explanation, settings: Settings): Column[] {
  const { servers } = explanation;
  const reaching = (stage: StageName) => servers.filter((server) => rank(server.stage) >= rank(stage)).length;
  const passing = (stage: StageName) => servers.filter((server) => rank(server.stage) > rank(stage)).length;
  const used = (stage: StageName) => servers.some((server) => server.stage === stage);
  const column = (stage: StageName, name: string, asks: string): Column => ({ stage, name, asks, before: reaching(stage), after: passing(stage) });
  const columns = [column('type', 'Type', 'answers, and serves')];
  if ((settings.deprioritized?.length ?? 0) > 0 || used('deprioritized')) columns.push(column('deprioritized', 'Deprioritized', 'not tried before'));
  columns.push(column('mode', 'Mode', modeAsks(explanation, settings)));
  columns.push(column('maxStaleness', 'Staleness', explanation.staleness === undefined ? '' : `at most ${explanation.staleness.maxStalenessSeconds} s`));
  columns.push(column('tagSets', 'Tags', tagsAsk(explanation, settings.readPreference)));
  if (settings.customSelector !== undefined || used('customSelector')) columns.push(column('customSelector', 'Selector', 'the application’s'));
  columns.push(column('latencyWindow', 'Window', explanation.latencyWindow === undefined ? '' : `up to ${explanation.latencyWindow.endMS} ms`));
  return columns;
}

function modeAsks({ passes }: Explanation, { operation = 'read', readPreference }: Settings): string {
  const role = passes.at(-1)?.role;
  if (role === 'any' || role === 'available' || role === 'mongos') return role === 'mongos' ? 'any mongos' : 'anybody';
  return operation === 'write' ? 'the primary' : (readPreference?.mode ?? 'primary');
}

function tagsAsk({ passes }: Explanation, preference: Preference | undefined): string {
  const set = passes.at(-1)?.tagSet;
  const sets = preference?.tags ?? [];
  if (set === null || set === undefined) {
    // Where no set matched, all of them were asked for.
    const only = sets.length === 1 ? sets[0] : undefined;
    const filtered = passes.some((pass) => pass.fresh.length > 0 && pass.tagged.length === 0);
    return filtered ? (only === undefined ? `one of ${sets.length} sets` : textOf(only)) : '';
  }
  return textOf(sets[set] ?? {});
}

function textOf(set: Record<string, string> | string): string {
  if (typeof set === 'string') return set;
  return Object.keys(set).length === 0 ? '{}, anybody' : tagsText(set);
}
