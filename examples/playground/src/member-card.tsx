import type { Server } from './case.js';
import { NumberField } from './number-field.js';
import { TagsField } from './tags-field.js';
import { TYPE_NAMES, lagSeconds, lastWriteDateFor } from './member-text.js';

export interface MemberActions {
  change: (change: Partial<Server>) => void;
  remove: () => void;
  kill: () => void;
  revive: () => void;
  deprioritize: (on: boolean) => void;
}

interface Props {
  server: Server;
  index: number;
  killed: boolean;
  deprioritized: boolean;
  problemPath: string;
  actions: MemberActions;
  onGrip: (event: PointerEvent) => void;
  onMove: (by: number) => void;
}

export function MemberCard({ server, index, killed, deprioritized, problemPath, actions, onGrip, onMove }: Props) {
  const wrong = (key: string) => problemPath.startsWith(`topology.servers[${index}].${key}`);
  const name = server.address || `member ${index + 1}`;
  const isReplicaSet = server.type.startsWith('RS');
  return (
    <li class={killed ? 'member killed' : 'member'} data-address={server.address}>
      <div class="row">
        <button
          type="button"
          class="grip"
          aria-label={`Move ${name}: arrow keys up and down`}
          onPointerDown={onGrip}
          onKeyDown={(event) => {
            const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
            if (by === 0) return;
            event.preventDefault();
            onMove(by);
          }}
        >
          <span aria-hidden="true">⠿</span>
        </button>
        <label class="field grow">
          <span class="hidden">Address of member {index + 1}</span>
          <input
            type="text"
            class="address"
            autocomplete="off"
            spellcheck={false}
            value={server.address}
            aria-invalid={wrong('address') || undefined}
            onInput={(event) => actions.change({ address: event.currentTarget.value })}
          />
        </label>
        {killed ? (
          <button type="button" class="quiet" onClick={actions.revive} aria-label={`Revive ${name}`}>
            Revive
          </button>
        ) : (
          <button type="button" class="quiet" onClick={actions.kill} aria-label={`Kill ${name}`}>
            Kill
          </button>
        )}
        <button type="button" class="quiet icon" onClick={actions.remove} aria-label={`Remove ${name}`}>
          <span aria-hidden="true">✕</span>
        </button>
      </div>
      {killed ? (
        <p class="hint">does not answer: {server.error}</p>
      ) : (
        <>
          <div class="row">
            <label class="field">
              <span class="label">Type</span>
              <select value={server.type} aria-invalid={wrong('type') || undefined} onChange={(event) => actions.change({ type: event.currentTarget.value })}>
                {Object.keys(TYPE_NAMES).map((type) => (
                  <option key={type} value={type}>
                    {type}
                  </option>
                ))}
                {!(server.type in TYPE_NAMES) && <option value={server.type}>{server.type}</option>}
              </select>
            </label>
            <NumberField label="RTT" unit="ms" value={server.roundTripTimeMS} placeholder="none" invalid={wrong('roundTripTimeMS')} onChange={(roundTripTimeMS) => actions.change({ roundTripTimeMS })} />
            {isReplicaSet && (
              <NumberField
                label="Lag"
                unit="s"
                value={lagSeconds(server)}
                placeholder="unknown"
                invalid={wrong('lastWriteDate')}
                onChange={(seconds) => actions.change(lastWriteDateFor(server, seconds))}
              />
            )}
          </div>
          <div class="row">
            <TagsField label={`Tags of ${name}`} quiet value={server.tags} placeholder="tags, as dc=ny, rack=1" invalid={wrong('tags')} onChange={(tags) => actions.change({ tags: typeof tags === 'object' && Object.keys(tags).length === 0 ? undefined : tags })} />
          </div>
          <details>
            <summary>
              More<span class="hidden"> of {name}</span>
            </summary>
            <div class="row">
              <NumberField label="Busy" unit="ops" value={server.operationCount} placeholder="0" invalid={wrong('operationCount')} onChange={(operationCount) => actions.change({ operationCount })} />
              <NumberField label="Min wire" value={server.minWireVersion} placeholder="any" invalid={wrong('minWireVersion')} onChange={(minWireVersion) => actions.change({ minWireVersion })} />
              <NumberField label="Max wire" value={server.maxWireVersion} placeholder="any" invalid={wrong('maxWireVersion')} onChange={(maxWireVersion) => actions.change({ maxWireVersion })} />
            </div>
            <label class="check">
              <input type="checkbox" checked={deprioritized} onChange={(event) => actions.deprioritize(event.currentTarget.checked)} />
              Deprioritized: an operation has failed here, and is tried again
            </label>
          </details>
        </>
      )}
    </li>
  );
}
