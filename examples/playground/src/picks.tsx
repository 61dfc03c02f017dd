import { useMemo } from 'preact/hooks';
import type { Case, Topology } from './case.js';
import { ask } from './engine.js';
import { limited } from './limited.js';
import { NumberField } from './number-field.js';
import { shortAddress } from './member-text.js';
import { Others } from './others.js';
import { ProblemBox } from './problem-box.js';
import { operatorSettings, thisRead } from './workload.js';

const PICKS = 1000;

interface Simulation {
  workloads: { servers: { index: number; address: string; picks?: number; sharePPM: number }[]; failed?: number; failedPPM: number; roundTripTimeMS: number | null }[];
}

/** How a thousand picks fall, as the engine simulates them, beside the exact shares of one client. */
export function Picks({ shown, topology, onClients }: { shown: Case; topology: Topology; onClients: (clients: number | string | undefined) => void }) {
  const { settings, clients } = shown;
  const { exact, drawn } = useMemo(() => {
    const request = { topology, workloads: [thisRead(shown)], ...operatorSettings(settings), pick: settings.pick };
    return {
      exact: ask<Simulation>('simulate', request),
      drawn: ask<Simulation>('simulate', { ...request, picks: PICKS, seed: settings.seed, clients }),
    };
  }, [topology, settings, clients]);
  const ignored = [settings.deprioritized && 'deprioritized members', settings.customSelector && 'the custom selector'].filter(Boolean);
  return (
    <>
      {drawn.answer === undefined || exact.answer === undefined ? <ProblemBox title="This cannot be simulated" problem={drawn.problem ?? exact.problem!} /> : <Bars drawn={drawn.answer} exact={exact.answer} topology={topology} />}
      {ignored.length > 0 && <p class="hint">Simulations know nothing of {ignored.join(' and ')}.</p>}
      <div class="row short">
        <NumberField label="Operations at once" value={clients} placeholder="counts stay" onChange={onClients} invalid={drawn.problem?.path === 'clients'} />
      </div>
    </>
  );
}

function Bars({ drawn, exact, topology }: { drawn: Simulation; exact: Simulation; topology: Topology }) {
  const { servers, failed = 0, roundTripTimeMS } = drawn.workloads[0]!;
  const shares = exact.workloads[0]!.servers;
  const { drawn: bars, others } = limited(shares);
  const picks = new Map(servers.map((server) => [server.index, server.picks ?? 0]));
  const served = new Set(shares.map((server) => server.index));
  const without = topology.servers.filter((_, index) => !served.has(index)).map(({ address }) => shortAddress(address));
  return (
    <>
      <ul class="bars">
        {bars.map(({ index, address, sharePPM }) => {
          const count = picks.get(index) ?? 0;
          return (
            <li key={index}>
              <span class="bar-name">{shortAddress(address)}</span>
              <span class="bar-track">
                <span class="bar" style={{ width: `${(100 * count) / PICKS}%` }} />
              </span>
              <span class="bar-sum">
                <strong>{count}</strong>, exactly {percentOf(sharePPM)}
              </span>
            </li>
          );
        })}
        {failed > 0 && (
          <li class="over">
            <span class="bar-name">no server</span>
            <span class="bar-track">
              <span class="bar" style={{ width: `${(100 * failed) / PICKS}%` }} />
            </span>
            <span class="bar-sum">
              <strong>{failed}</strong>
            </span>
          </li>
        )}
      </ul>
      <Others count={others} />
      <p class="hint">
        {without.length > 0 && shares.length > 0 && <>None for {without.length > 10 ? `${without.length} others` : without.join(', ')}. </>}
        {roundTripTimeMS !== null && <>On average {roundTripTimeMS} ms away. The exact share is that of one client, at the operation counts as they are.</>}
      </p>
    </>
  );
}

/** Parts per million as per cent, as they are. */
export function percentOf(ppm: number): string {
  return `${(ppm / 10_000).toFixed(ppm % 10_000 === 0 ? 0 : ppm % 1000 === 0 ? 1 : 2)} %`;
}
