import type { Topology } from './case.js';
import type { Explanation } from './explanation.js';
import { limited } from './limited.js';
import { lagSeconds, shortAddress } from './member-text.js';
import { Others } from './others.js';

/** The formula by which staleness is estimated, with the numbers of each secondary and the maximum. */
export function StalenessFigure({ explanation, topology, onSetMaximum }: { explanation: Explanation; topology: Topology; onSetMaximum: (() => void) | undefined }) {
  const { staleness, servers } = explanation;
  if (staleness === undefined) {
    return (
      <>
        <p class="hint">{onSetMaximum === undefined ? 'Staleness has no part in this selection.' : 'There is no maxStalenessSeconds: a secondary that is an hour behind is as good as any.'}</p>
        {onSetMaximum !== undefined && (
          <button type="button" onClick={onSetMaximum}>
            Allow 120 s
          </button>
        )}
      </>
    );
  }
  const { formula, reference, heartbeatFrequencyMS, maxStalenessSeconds } = staleness;
  const heartbeat = heartbeatFrequencyMS / 1000;
  const described = topology.servers.find((server) => server.address === reference);
  const measured = servers.filter((server) => server.stalenessMS !== undefined);
  const unknown = servers.filter((server) => server.type === 'RSSecondary' && server.stalenessMS === undefined);
  const { drawn, others } = limited([...measured, ...unknown]);
  const most = measured.reduce((max, server) => Math.max(max, (server.stalenessMS! / 1000) * 1.05), maxStalenessSeconds * 1.25);
  const percent = (seconds: number) => `${Math.max(0, Math.min(100, (100 * seconds) / most))}%`;
  return (
    <>
      <p class="formula">
        {formula === 'withPrimary' ? (
          <>
            staleness = (<i>S</i> checked − <i>S</i> wrote) − (<i>P</i> checked − <i>P</i> wrote) + heartbeat
          </>
        ) : (
          <>
            staleness = <i>S</i>max wrote − <i>S</i> wrote + heartbeat
          </>
        )}
      </p>
      <p class="hint">
        {formula === 'withPrimary' ? <>P is the primary, {reference && shortAddress(reference)}.</> : <>There is no primary to go by: Smax is the freshest secondary, {reference ? shortAddress(reference) : 'and none says when it wrote'}.</>} The maximum is {maxStalenessSeconds} s.
      </p>
      <ul class="bars">
        {drawn.map((server) => {
          const isOver = server.stage === 'maxStaleness';
          if (server.stalenessMS === undefined) {
            return (
              <li key={server.index} class={isOver ? 'over' : ''}>
                <span class="bar-name">{shortAddress(server.address)}</span>
                <span class="bar-sum">unknown, since a last write is not known</span>
              </li>
            );
          }
          const seconds = server.stalenessMS / 1000;
          const own = topology.servers[server.index];
          return (
            <li key={server.index} class={isOver ? 'over' : ''}>
              <span class="bar-name">{shortAddress(server.address)}</span>
              <span class="bar-track">
                <span class="bar" style={{ width: percent(seconds) }} />
                <span class="bar-limit" style={{ left: percent(maxStalenessSeconds) }} />
              </span>
              <span class="bar-sum">
                {own && described && operands(formula, own, described)} + {heartbeat} = <strong>{seconds} s</strong>
                {server.overMS !== undefined && <>, {server.overMS / 1000} s over</>}
              </span>
            </li>
          );
        })}
      </ul>
      <Others count={others} />
    </>
  );
}

function operands(formula: string, own: Topology['servers'][number], reference: Topology['servers'][number]): string {
  if (formula === 'withPrimary') return `${lagSeconds(own)} − ${lagSeconds(reference)}`;
  if (typeof own.lastWriteDate !== 'number' || typeof reference.lastWriteDate !== 'number') return '…';
  return `${(reference.lastWriteDate - own.lastWriteDate) / 1000}`;
}
