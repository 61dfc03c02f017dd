import type { Explanation } from './explanation.js';

const LOOKED_FOR: Record<string, string> = {
  primary: 'the primary',
  secondary: 'secondaries',
  member: 'primary and secondaries',
  mongos: 'a mongos',
  available: 'the server',
  any: 'the load balancer',
  none: 'nobody: no member may serve here',
};

/** The looks that were taken at the members: modes with a fallback take two, and all is done again for deprioritized ones. */
export function Passes({ explanation: { passes } }: { explanation: Explanation }) {
  if (passes.length < 2) return null;
  return (
    <ol class="passes" aria-label="Looks at the members">
      {passes.map((pass, i) => (
        <li key={i} class={i === passes.length - 1 ? 'last' : ''}>
          <span class="ordinal" aria-hidden="true">
            {i + 1}
          </span>
          looks for {LOOKED_FOR[pass.role] ?? pass.role}
          {pass.withoutDeprioritized && ', without the deprioritized'}:{' '}
          {pass.candidates.length === 0 ? 'there is none' : pass.fresh.length === 0 ? 'all are too stale' : pass.tagged.length === 0 ? 'none has the tags' : `${pass.tagged.length} suitable`}
        </li>
      ))}
    </ol>
  );
}
