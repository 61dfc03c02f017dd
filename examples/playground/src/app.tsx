import { useMemo, useState } from 'preact/hooks';
import { requestOf, type Case } from './case.js';
import { changeMember, changePreference, shownTopology } from './changes.js';
import { CopyButton } from './copy-button.js';
import { ask } from './engine.js';
import type { Explanation } from './explanation.js';
import { toHash } from './hash.js';
import { LatencyWindow } from './latency-window.js';
import { MembersEditor } from './members-editor.js';
import { Operators } from './operators.js';
import { Parts } from './parts.js';
import { Passes } from './passes.js';
import { PasteDialog } from './paste-dialog.js';
import { Picks } from './picks.js';
import { Pipeline } from './pipeline.js';
import { PreferenceEditor } from './preference-editor.js';
import { PRESETS, presetById } from './presets.js';
import { ProblemBox } from './problem-box.js';
import { SettingsEditor } from './settings-editor.js';
import { StalenessFigure } from './staleness.js';
import { ThemeButton } from './theme-button.js';
import { useCase } from './use-case.js';
import { Verdict } from './verdict.js';

export function App() {
  const state = useCase();
  const [isPasting, setPasting] = useState(false);
  const [said, setSaid] = useState<{ what: string; remarks: string[] }>();
  if (state === undefined) return null;
  const { shown, preset, brokenLink, update, replace } = state;
  const link = async () => {
    const url = new URL(location.href);
    url.hash = preset === undefined ? await toHash(shown) : `preset=${preset}`;
    return url.href;
  };
  return (
    <>
      <header class="top">
        <div class="brand">
          <h1>readpref playground</h1>
          <p>Which member serves this read, and why not the others.</p>
        </div>
        <div class="tools">
          <label class="field inline">
            <span class="label">Preset</span>
            <select
              value={preset ?? ''}
              onChange={(event) => {
                const chosen = presetById(event.currentTarget.value);
                setSaid(undefined);
                if (chosen) replace(chosen.make(), chosen.id);
              }}
            >
              {preset === undefined && <option value="">your own</option>}
              {PRESETS.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => setPasting(true)}>
            Paste…
          </button>
          <CopyButton text={link} what="to this case" label="Copy a link" />
          <ThemeButton />
        </div>
      </header>
      <main>
        {brokenLink !== undefined && (
          <ProblemBox alert title="The link cannot be read; this is the first preset instead" problem={{ code: 'brokenLink', path: '#', message: brokenLink }} />
        )}
        <PasteDialog open={isPasting} onClose={() => setPasting(false)} update={update} onRead={(what, remarks) => setSaid({ what, remarks })} />
        {said !== undefined && (
          <div class="said" role="status">
            <p>
              Read as {said.what}.{' '}
              <button type="button" class="quiet" onClick={() => setSaid(undefined)}>
                Fine
              </button>
            </p>
            {said.remarks.length > 0 && (
              <ul>
                {said.remarks.map((remark, i) => (
                  <li key={i}>{remark}</li>
                ))}
              </ul>
            )}
          </div>
        )}
        {preset !== undefined && <p class="about">{presetById(preset)?.about}</p>}
        <Bench shown={shown} update={update} />
      </main>
      <footer class="foot">
        Answers by the engine of <a href="https://github.com/readpref/readpref">readpref</a>, in this page. It sends nothing. <a href="licences.txt">Licences</a>
      </footer>
    </>
  );
}

function Bench({ shown, update }: { shown: Case; update: (change: (before: Case) => Case) => void }) {
  const topology = shownTopology(shown);
  const { answer, problem } = useMemo(() => ask<Explanation>('explain', requestOf(topology, shown.settings)), [topology, shown.settings]);
  const problemPath = problem?.path ?? '';
  return (
    <div class="bench">
      <div class="left">
        {shown.topologies.length > 1 && <Parts shown={shown} update={update} />}
        <PreferenceEditor shown={shown} update={update} problemPath={problemPath} />
        <MembersEditor shown={shown} update={update} problemPath={problemPath} />
        <SettingsEditor shown={shown} update={update} problemPath={problemPath} />
      </div>
      <div class="right">
        {answer === undefined ? <ProblemBox alert title="This cannot be selected" problem={problem} /> : <Answered explanation={answer} shown={shown} update={update} />}
        <Operators shown={shown} topology={topology} text={answer?.text} update={update} />
      </div>
    </div>
  );
}

function Answered({ explanation, shown, update }: { explanation: Explanation; shown: Case; update: (change: (before: Case) => Case) => void }) {
  const topology = shownTopology(shown);
  const { operation = 'read', readPreference } = shown.settings;
  const canBeStale = operation !== 'write' && (readPreference?.mode ?? 'primary') !== 'primary' && explanation.servers.some((server) => server.type === 'RSSecondary');
  return (
    <>
      <section class="panel answer" aria-labelledby="answer-title">
        <h2 id="answer-title" class="hidden">
          Answer
        </h2>
        <div aria-live="polite">
          <Verdict explanation={explanation} operation={operation} />
        </div>
        <Passes explanation={explanation} />
        <Pipeline explanation={explanation} settings={shown.settings} />
      </section>
      <div class="figures">
        <section class="panel" aria-labelledby="window-title">
          <h2 id="window-title">Latency window</h2>
          <LatencyWindow explanation={explanation} onRTT={(index, roundTripTimeMS) => update((before) => changeMember(before, index, { roundTripTimeMS }))} />
        </section>
        <section class="panel" aria-labelledby="staleness-title">
          <h2 id="staleness-title">Staleness</h2>
          <StalenessFigure explanation={explanation} topology={topology} onSetMaximum={canBeStale ? () => update((before) => changePreference(before, { maxStalenessSeconds: 120 })) : undefined} />
        </section>
        <section class="panel across" aria-labelledby="picks-title">
          <h2 id="picks-title">1,000 picks</h2>
          <Picks shown={shown} topology={topology} onClients={(clients) => update(({ clients: _, ...before }) => ({ ...before, ...(clients !== undefined && { clients }) }))} />
        </section>
      </div>
    </>
  );
}
