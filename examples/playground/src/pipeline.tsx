import type { Settings } from './case.js';
import { rank, type Explanation, type Verdict } from './explanation.js';
import { limited } from './limited.js';
import { TYPE_NAMES, shortAddress } from './member-text.js';
import { Others } from './others.js';
import { columnsOf, type Column } from './stage-columns.js';

/**
 * The selection, stage by stage: a line for each member, which runs through the stages it passes and ends at the one
 * that drops it, with the reason. A table to those who do not see it.
 */
export function Pipeline({ explanation, settings }: { explanation: Explanation; settings: Settings }) {
  const columns = columnsOf(explanation, settings);
  const { drawn, others } = limited(explanation.servers, (server) => rank(server.stage) >= rank('inLatencyWindow'));
  // The roles are said once more, since CSS makes the table something else on narrow screens.
  return (
    <>
      <table class="pipeline" role="table" style={{ '--stages': String(columns.length) }}>
        <caption class="hidden">Which stage drops which member, and why</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader" class="who">
              <span class="stage-name">Member</span>
            </th>
            {columns.map((column) => (
              <th scope="col" role="columnheader" key={column.stage} class={column.after < column.before ? 'drops' : ''}>
                <span class="stage-name">{column.name}</span>
                <span class="stage-asks">{breakable(column.asks || 'not asked')}</span>
                <span class="stage-count">
                  {column.before === column.after ? `${column.after} pass` : `${column.before} → ${column.after}`}
                </span>
              </th>
            ))}
            <th scope="col" role="columnheader" class="end">
              <span class="stage-name">Pick</span>
              <span class="stage-asks">{settings.pick ?? 'leastBusyOfTwo'}</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {drawn.map((server) => (
            <Lane key={server.index} server={server} columns={columns} />
          ))}
        </tbody>
      </table>
      <Others count={others} />
    </>
  );
}

/** Tags and modes may be long; they break behind the sign, and between the words. */
function breakable(text: string) {
  return text.split(/(?<==)|(?=Preferred)/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]));
}

function Lane({ server, columns }: { server: Verdict; columns: Column[] }) {
  const at = columns.findIndex((column) => column.stage === server.stage);
  const passed = at < 0 ? columns : columns.slice(0, at);
  const dropped = at < 0 ? undefined : columns[at];
  const outcome = server.stage === 'selected' ? 'selected' : server.stage === 'inLatencyWindow' ? 'in-window' : 'dropped';
  return (
    <tr role="row" class={`lane ${outcome}`} data-address={server.address} data-stage={server.stage}>
      <th scope="row" role="rowheader" class="who">
        <span class="name">{shortAddress(server.address)}</span>
        <span class="type">{TYPE_NAMES[server.type] ?? server.type}</span>
      </th>
      {passed.map((column) => (
        <td role="cell" key={column.stage} class={column.asks === '' ? 'passed unasked' : 'passed'}>
          <span class="dot" aria-hidden="true" />
          <span class="hidden">{column.name}: passed</span>
        </td>
      ))}
      {dropped === undefined ? (
        <td role="cell" class="end">
          <span class="mark" aria-hidden="true">
            <span class="dot">{outcome === 'selected' ? '✓' : ''}</span>
          </span>
          <span class="why">{server.why}</span>
        </td>
      ) : (
        <td role="cell" class="stop" colSpan={columns.length - at + 1} style={{ '--span': String(columns.length - at + 1) }}>
          <span class="mark" aria-hidden="true">
            <span class="cross">✕</span>
          </span>
          <span class="why">
            <span class="by">{dropped.name}: </span>
            {server.why}
          </span>
        </td>
      )}
    </tr>
  );
}

/** Whether a member is out before the latency window: for drawings that leave it out, or pale. */
export function isSuitable(server: Verdict): boolean {
  return rank(server.stage) >= rank('latencyWindow');
}
