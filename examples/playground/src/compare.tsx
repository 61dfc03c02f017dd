import { useMemo } from 'preact/hooks';
import type { Case, Settings, Topology } from './case.js';
import { ask } from './engine.js';
import { limited } from './limited.js';
import { shortAddress } from './member-text.js';
import { Others } from './others.js';
import { percentOf } from './picks.js';
import { preferenceText } from './preference-text.js';
import { ProblemBox } from './problem-box.js';
import { operatorSettings, thisRead } from './workload.js';

interface Side {
  sharePPM: number;
  stage: string | null;
  why: string;
}

interface Difference {
  changed: boolean;
  workloads: {
    before: { failedPPM: number; reason?: { message: string } };
    after: { failedPPM: number; reason?: { message: string } };
    failedChangePPM: number;
    servers: { address: string; before: Side; after: Side; changePPM: number }[];
  }[];
}

interface Props {
  shown: Case;
  topology: Topology;
  update: (change: (before: Case) => Case) => void;
}

/** Who gains and who loses reads between a case that was remembered and this one, and why. */
export function Compare({ shown, topology, update }: Props) {
  const { before, settings } = shown;
  const asked = useMemo(() => before && ask<Difference>('diff', requestOf(before, topology, settings)), [before, topology, settings]);
  const remember = () => update((now) => ({ ...now, before: { topology, settings: now.settings } }));
  return (
    <>
      <div class="options">
        <button type="button" onClick={remember}>
          Remember this as “before”
        </button>
        {before !== undefined && (
          <button type="button" class="quiet" onClick={() => update(({ before: _, ...now }) => now)}>
            Forget it
          </button>
        )}
      </div>
      {before === undefined ? (
        <p class="hint">Remember the case as it is, then change members, preference or settings: here is who gains and who loses reads by that, and why.</p>
      ) : asked?.answer === undefined ? (
        <ProblemBox title="These cannot be compared" problem={asked!.problem} />
      ) : (
        <Changes difference={asked.answer} before={preferenceText(before.settings.readPreference)} after={preferenceText(settings.readPreference)} />
      )}
    </>
  );
}

function requestOf(before: NonNullable<Case['before']>, topology: Topology, settings: Settings) {
  // What is absent after is as before, so each is said: with the engine's own default where there is none.
  const { localThresholdMS = 15, heartbeatFrequencyMS = 10_000, pick = 'leastBusyOfTwo', wireVersions } = settings;
  return {
    topology: before.topology,
    workloads: [thisRead(before)],
    ...operatorSettings(before.settings),
    pick: before.settings.pick,
    after: { topology, workloads: [thisRead({ settings })], localThresholdMS, heartbeatFrequencyMS, pick, wireVersions },
  };
}

function Changes({ difference, before, after }: { difference: Difference; before: string; after: string }) {
  const [workload] = difference.workloads;
  if (!difference.changed || workload === undefined) return <p class="nothing-found">No share changes.</p>;
  const { drawn, others } = limited(workload.servers);
  return (
    <>
      <p class="hint">
        {before} → {after}
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Compare: table">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">Change</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {drawn.map((server) => (
              <tr key={server.address}>
                <th scope="row">{shortAddress(server.address)}</th>
                <td class={`outcome ${server.changePPM > 0 ? 'served' : 'fails'}`}>
                  {server.changePPM > 0 ? '+' : '−'}
                  {percentOf(Math.abs(server.changePPM))}
                </td>
                <td>
                  {percentOf(server.before.sharePPM)}
                  <span class="outcome-why">{server.before.why}</span>
                </td>
                <td>
                  {percentOf(server.after.sharePPM)}
                  <span class="outcome-why">{server.after.why}</span>
                </td>
              </tr>
            ))}
            {workload.failedChangePPM !== 0 && (
              <tr>
                <th scope="row">no server</th>
                <td class={`outcome ${workload.failedChangePPM > 0 ? 'fails' : 'served'}`}>
                  {workload.failedChangePPM > 0 ? '+' : '−'}
                  {percentOf(Math.abs(workload.failedChangePPM))}
                </td>
                <td>
                  {percentOf(workload.before.failedPPM)}
                  <span class="outcome-why">{workload.before.reason?.message}</span>
                </td>
                <td>
                  {percentOf(workload.after.failedPPM)}
                  <span class="outcome-why">{workload.after.reason?.message}</span>
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      <Others count={others} />
    </>
  );
}
