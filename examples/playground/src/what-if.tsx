import { useMemo, useState } from 'preact/hooks';
import type { Case, Tags, Topology, WhatIfEvent } from './case.js';
import { ask } from './engine.js';
import { limited } from './limited.js';
import { shortAddress } from './member-text.js';
import { numberOf } from './number-field.js';
import { Others } from './others.js';
import { ProblemBox } from './problem-box.js';
import { TagsField, tagsText } from './tags-field.js';
import { Workloads } from './workloads.js';
import { operatorSettings, thisRead } from './workload.js';

interface Outcome {
  status: 'served' | 'degraded' | 'fails';
  servers: string[];
  why?: string[];
  reason?: { code: string; message: string };
}

interface WhatIfAnswer {
  before: { primary: string | null; outcomes: (Outcome & { name: string })[] };
  scenarios: { name: string; phase: string; primary: string | null; outcomes: Outcome[] }[];
}

interface Props {
  shown: Case;
  topology: Topology;
  update: (change: (before: Case) => Case) => void;
}

const PHASES: Record<string, string> = { noMajority: 'no majority', noPrimary: 'until an election', elected: 'elected' };
const WHY: Record<string, string> = { fallback: 'by the fallback', laterTagSet: 'by a later tag set', fewerServers: 'fewer in the window', slower: 'farther away' };
const SIGNS = { served: '✓', degraded: '≈', fails: '✕' };
const WORDS = { served: 'as before', degraded: 'less well', fails: 'fails' };

/** What becomes of the operations when something is lost, or changes. */
export function WhatIf({ shown, topology, update }: Props) {
  const { whatIf, workloads, settings } = shown;
  const set = (change: Partial<Case['whatIf']>) => update((before) => ({ ...before, whatIf: { ...before.whatIf, ...change } }));
  const { answer, problem } = useMemo(
    () => ask<WhatIfAnswer>('what_if', { topology, workloads: [thisRead(shown), ...workloads], ...operatorSettings(settings), ...whatIf, atOnce: 1 }),
    [topology, workloads, settings, whatIf],
  );
  return (
    <>
      <div class="options">
        <label class="check">
          <input type="checkbox" checked={whatIf.everySingle} onChange={(event) => set({ everySingle: event.currentTarget.checked })} />
          every member lost
        </label>
        <label class="check">
          <input type="checkbox" checked={whatIf.everyPair} onChange={(event) => set({ everyPair: event.currentTarget.checked })} />
          every pair lost
        </label>
      </div>
      <EventBuilder topology={topology} onAdd={(event) => set({ events: [...whatIf.events, event] })} />
      {whatIf.events.length > 0 && (
        <ul class="chips" aria-label="Events">
          {whatIf.events.map((event, i) => (
            <li key={i}>
              {eventText(event)}
              <button type="button" class="quiet icon" aria-label={`Remove the event ${eventText(event)}`} onClick={() => set({ events: whatIf.events.filter((_, j) => j !== i) })}>
                <span aria-hidden="true">✕</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Workloads shown={shown} update={update} />
      {answer === undefined ? (
        <ProblemBox title="This cannot happen" problem={problem}>
          {problem.path.startsWith('events[') && (
            <button type="button" onClick={() => set({ events: whatIf.events.filter((_, i) => !problem.path.startsWith(`events[${i}]`)) })}>
              Take the event out
            </button>
          )}
        </ProblemBox>
      ) : (
        <Matrix answer={answer} />
      )}
    </>
  );
}

function Matrix({ answer: { before, scenarios } }: { answer: WhatIfAnswer }) {
  const { drawn, others } = limited(scenarios, (scenario) => scenario.outcomes.some((outcome) => outcome.status === 'fails'));
  // Only replica sets have a primary to lose.
  const hasPrimary = before.primary !== null || scenarios.some((scenario) => scenario.primary !== null || scenario.phase !== 'asBefore');
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="What if: table">
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">Event</th>
            {hasPrimary && <th scope="col">Primary then</th>}
            {before.outcomes.map((outcome, i) => (
              <th scope="col" key={i}>
                {outcome.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">as it is</th>
            {hasPrimary && <td>{before.primary === null ? 'none' : shortAddress(before.primary)}</td>}
            {before.outcomes.map((outcome, i) => (
              <Cell key={i} outcome={outcome} />
            ))}
          </tr>
          {drawn.map((scenario, i) => (
            <tr key={i}>
              <th scope="row">{scenario.name.replaceAll(':27017', '')}</th>
              {hasPrimary && (
                <td>
                  {scenario.primary === null ? 'none' : shortAddress(scenario.primary)}
                  {scenario.phase !== 'asBefore' && <span class="hint">, {PHASES[scenario.phase] ?? scenario.phase}</span>}
                </td>
              )}
              {scenario.outcomes.map((outcome, j) => (
                <Cell key={j} outcome={outcome} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Others count={others} of="events" />
    </div>
  );
}

function Cell({ outcome: { status, servers, why = [], reason } }: { outcome: Outcome }) {
  return (
    <td class={`outcome ${status}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[status]}
      </span>{' '}
      <span class="hidden">{WORDS[status]}: </span>
      {status === 'fails' ? (
        <span title={reason?.message}>{reason?.code}</span>
      ) : (
        <>
          {servers.map(shortAddress).join(', ')}
          {why.length > 0 && <span class="outcome-why">{why.map((each) => WHY[each] ?? each).join(', ')}</span>}
        </>
      )}
    </td>
  );
}

const EVENTS: Record<string, string> = {
  memberDown: 'a member is down',
  zoneDown: 'all members with tags are down',
  networkSplit: 'a network split, seen from tags',
  primarySteppedDown: 'the primary steps down',
  memberLags: 'a secondary lags',
  zoneSlower: 'members with tags are slower',
  memberAdded: 'a secondary joins',
  tagsChanged: 'a member has other tags',
};

function EventBuilder({ topology, onAdd }: { topology: Topology; onAdd: (event: WhatIfEvent) => void }) {
  const [type, setType] = useState('zoneDown');
  const [address, setAddress] = useState('');
  const [tags, setTags] = useState<Tags | string>(() => firstTags(topology));
  const [amount, setAmount] = useState('60');
  const chosen = topology.servers.some((server) => server.address === address) ? address : (topology.servers[0]?.address ?? '');
  const needs = (...types: string[]) => types.includes(type);
  const add = () => {
    const event: WhatIfEvent = { type };
    if (needs('memberDown', 'memberLags', 'tagsChanged')) event.address = chosen;
    if (needs('zoneDown', 'networkSplit', 'zoneSlower', 'tagsChanged')) event.tags = tags;
    if (needs('memberLags')) event.lagSeconds = numberOf(amount);
    if (needs('zoneSlower')) event.roundTripTimeMS = numberOf(amount);
    if (needs('memberAdded')) event.server = { address: 'joined.example:27017', type: 'RSSecondary', roundTripTimeMS: numberOf(amount) ?? 5, tags: typeof tags === 'string' ? {} : tags };
    onAdd(event);
  };
  return (
    <div class="row" role="group" aria-label="Add an event">
      <label class="field grow">
        <span class="label">Event</span>
        <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
          {Object.entries(EVENTS).map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {needs('memberDown', 'memberLags', 'tagsChanged') && (
        <label class="field grow">
          <span class="label">Member</span>
          <select value={chosen} onChange={(event) => setAddress(event.currentTarget.value)}>
            {topology.servers.map((server) => (
              <option key={server.address} value={server.address}>
                {shortAddress(server.address)}
              </option>
            ))}
          </select>
        </label>
      )}
      {needs('zoneDown', 'networkSplit', 'zoneSlower', 'tagsChanged', 'memberAdded') && <TagsField label="Tags" value={tags} onChange={setTags} placeholder="dc=ny" />}
      {needs('memberLags', 'zoneSlower', 'memberAdded') && (
        <label class="field">
          <span class="label">{type === 'memberLags' ? 'Seconds' : type === 'memberAdded' ? 'RTT ms' : 'More ms'}</span>
          <input type="text" inputMode="decimal" value={amount} onInput={(event) => setAmount(event.currentTarget.value)} />
        </label>
      )}
      <button type="button" onClick={add}>
        Add the event
      </button>
    </div>
  );
}

function firstTags({ servers }: Topology): Tags {
  const { tags } = servers.find((server) => typeof server.tags === 'object') ?? {};
  const [first] = Object.entries((tags ?? {}) as Tags);
  return first === undefined ? {} : { [first[0]]: first[1] };
}

function eventText({ type, address, tags, lagSeconds, roundTripTimeMS, server }: WhatIfEvent): string {
  const parts = [EVENTS[type] ?? type];
  if (typeof address === 'string') parts.push(shortAddress(address));
  if (typeof tags === 'object' && tags !== null) parts.push(tagsText(tags as Tags) || '{}');
  if (typeof tags === 'string') parts.push(tags);
  if (lagSeconds !== undefined) parts.push(`${lagSeconds} s`);
  if (roundTripTimeMS !== undefined) parts.push(`+ ${roundTripTimeMS} ms`);
  if (typeof server === 'object' && server !== null) parts.push(shortAddress(String((server as { address?: unknown }).address)));
  return parts.join(' · ');
}
