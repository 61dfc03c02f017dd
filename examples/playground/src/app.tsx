import { useMemo } from 'preact/hooks';
import { requestOf, type Case } from './case.js';
import { shownTopology } from './changes.js';
import { ask, type Problem } from './engine.js';
import type { Explanation } from './explanation.js';
import { MembersEditor } from './members-editor.js';
import { Passes } from './passes.js';
import { Pipeline } from './pipeline.js';
import { PreferenceEditor } from './preference-editor.js';
import { PRESETS, presetById } from './presets.js';
import { ProblemBox } from './problem-box.js';
import { SettingsEditor } from './settings-editor.js';
import { useCase } from './use-case.js';
import { Verdict } from './verdict.js';

export function App() {
  const state = useCase();
  if (state === undefined) return null;
  const { shown, preset, brokenLink, update, replace } = state;
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
        </div>
      </header>
      <main>
        {brokenLink !== undefined && (
          <ProblemBox alert title="The link cannot be read; this is the first preset instead" problem={{ code: 'brokenLink', path: '#', message: brokenLink }} />
        )}
        {preset !== undefined && <p class="about">{presetById(preset)?.about}</p>}
        <Bench shown={shown} update={update} />
      </main>
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
        {shown.topologies.length > 1 && <Tabs shown={shown} update={update} />}
        <PreferenceEditor shown={shown} update={update} problemPath={problemPath} />
        <MembersEditor shown={shown} update={update} problemPath={problemPath} />
        <SettingsEditor shown={shown} update={update} problemPath={problemPath} />
      </div>
      <div class="right">{answer === undefined ? <Refused problem={problem} /> : <Answered explanation={answer} shown={shown} />}</div>
    </div>
  );
}

function Tabs({ shown, update }: { shown: Case; update: (change: (before: Case) => Case) => void }) {
  return (
    <div class="tabs" role="group" aria-label="Part of the cluster">
      {shown.topologies.map(({ name }, i) => (
        <button type="button" key={i} aria-pressed={i === shown.shown} onClick={() => update((before) => ({ ...before, shown: i }))}>
          {name}
        </button>
      ))}
    </div>
  );
}

function Refused({ problem }: { problem: Problem }) {
  return <ProblemBox alert title="This cannot be selected" problem={problem} />;
}

function Answered({ explanation, shown }: { explanation: Explanation; shown: Case }) {
  return (
    <>
      <section class="panel wide" aria-labelledby="answer-title">
        <h2 id="answer-title" class="hidden">
          Answer
        </h2>
        <div aria-live="polite">
          <Verdict explanation={explanation} operation={shown.settings.operation ?? 'read'} />
        </div>
        <Passes explanation={explanation} />
        <Pipeline explanation={explanation} settings={shown.settings} />
      </section>
    </>
  );
}
