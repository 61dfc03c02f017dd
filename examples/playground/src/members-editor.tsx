import { useRef } from 'preact/hooks';
import type { Case } from './case.js';
import { addMember, changeMember, deprioritize, isKilled, killMember, moveMember, removeMember, reviveMember, shownTopology } from './changes.js';
import { followPointer } from './follow-pointer.js';
import { limited } from './limited.js';
import { MemberCard } from './member-card.js';
import { Others } from './others.js';

interface Props {
  shown: Case;
  update: (change: (before: Case) => Case) => void;
  problemPath: string;
}

/** The members of the topology that is shown: to change, add, drag, kill, revive and remove. */
export function MembersEditor({ shown, update, problemPath }: Props) {
  const { servers } = shownTopology(shown);
  const { drawn, others } = limited(servers);
  const list = useRef<HTMLUListElement>(null);

  /** Follows the pointer that grips a member, and puts the member where it is over another. */
  function drag(start: PointerEvent, from: number) {
    if (start.button !== 0) return;
    let at = from;
    const move = (event: PointerEvent) => {
      const cards = [...(list.current?.children ?? [])];
      const over = cards.findIndex((card) => {
        const { top, bottom } = card.getBoundingClientRect();
        return event.clientY >= top && event.clientY <= bottom;
      });
      if (over < 0 || over === at) return;
      const here = at;
      at = over;
      update((before) => moveMember(before, here, over));
    };
    followPointer(start, move);
  }

  return (
    <section class="panel" aria-labelledby="members-title">
      <div class="panel-head">
        <h2 id="members-title">Members</h2>
        <button type="button" onClick={() => update(addMember)}>
          Add a member
        </button>
      </div>
      {servers.length === 0 && <p class="hint">There are none. Add one, or paste what your cluster says.</p>}
      <ul class="members" ref={list}>
        {drawn.map((server, i) => (
          <MemberCard
            key={i}
            server={server}
            index={i}
            killed={isKilled(shown, i)}
            deprioritized={shown.settings.deprioritized?.includes(server.address) ?? false}
            problemPath={problemPath}
            onGrip={(event) => drag(event, i)}
            onMove={(by) => {
              const to = i + by;
              if (to < 0 || to >= drawn.length) return;
              update((before) => moveMember(before, i, to));
              requestAnimationFrame(() => list.current?.children[to]?.querySelector<HTMLElement>('.grip')?.focus());
            }}
            actions={{
              change: (change) => update((before) => changeMember(before, i, change)),
              remove: () => update((before) => removeMember(before, i)),
              kill: () => update((before) => killMember(before, i)),
              revive: () => update((before) => reviveMember(before, i)),
              deprioritize: (on) => update((before) => deprioritize(before, server.address, on)),
            }}
          />
        ))}
      </ul>
      <Others count={others} />
    </section>
  );
}
