import type { Explanation } from './explanation.js';
import { TYPE_NAMES, shortAddress } from './member-text.js';

const VERB: Record<string, string> = { read: 'This read goes to', write: 'This write goes to', aggregateWithWriteStage: 'This aggregate goes to' };
const NONE: Record<string, string> = { read: 'This read', write: 'This write', aggregateWithWriteStage: 'This aggregate' };

/** The answer in one line, and what the engine remarks about it. */
export function Verdict({ explanation, operation }: { explanation: Explanation; operation: string }) {
  const { server, inLatencyWindow, reason, notes, warnings = [] } = explanation;
  return (
    <div class={server === null ? 'verdict none' : 'verdict'}>
      {server === null ? (
        <>
          <p class="verdict-line">{NONE[operation] ?? 'It'} finds no server</p>
          <p class="verdict-more">{reason?.message}</p>
        </>
      ) : (
        <>
          <p class="verdict-line">
            {VERB[operation] ?? 'It goes to'} <strong>{shortAddress(server.address)}</strong>
          </p>
          <p class="verdict-more">
            {article(TYPE_NAMES[server.type] ?? server.type)}
            {inLatencyWindow.length === 1 ? ', the only one in the latency window' : `, one of ${inLatencyWindow.length} in the latency window`}
          </p>
        </>
      )}
      {(notes.length > 0 || warnings.length > 0) && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note.code}>{note.message}</li>
          ))}
          {warnings.map((warning) => (
            <li key={warning.code}>
              {warning.message} (<code>{warning.path}</code>)
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
