import { useMemo } from 'preact/hooks';
import { wholeRequest, type Case } from './case.js';
import { ask } from './engine.js';
import { shortAddress } from './member-text.js';

interface Selected {
  server?: { address: string } | null;
  error?: { code: string };
}

/** The parts of a sharded cluster, with where the operation goes in each, to choose which is shown. */
export function Parts({ shown, update }: { shown: Case; update: (change: (before: Case) => Case) => void }) {
  const { answer } = useMemo(() => ask<{ shards: Record<string, Selected> }>('select', wholeRequest(shown)), [shown.topologies, shown.settings]);
  return (
    <div class="tabs parts" role="group" aria-label="Part of the cluster">
      {shown.topologies.map(({ name }, i) => {
        const { server, error } = answer?.shards[name] ?? {};
        return (
          <button type="button" key={i} aria-pressed={i === shown.shown} onClick={() => update((before) => ({ ...before, shown: i }))}>
            <span class="part-name">{name}</span>
            <span class="part-server">{server ? shortAddress(server.address) : (error?.code ?? (answer && 'no server'))}</span>
          </button>
        );
      })}
    </div>
  );
}
