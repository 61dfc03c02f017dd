import { useMemo } from 'preact/hooks';
import type { Case, Topology } from './case.js';
import { ask } from './engine.js';
import { ProblemBox } from './problem-box.js';
import { operatorSettings, thisRead } from './workload.js';
import { Workloads } from './workloads.js';

interface Advised {
  findings: { code: string; severity: 'error' | 'warning' | 'info'; workload: number | null; path: string; message: string; fix: string; see: string }[];
}

const SIGNS = { error: '✕', warning: '!', info: 'i' };

const QUESTIONS: [keyof Case['advice'], string][] = [
  ['writesBack', 'it writes back what it made of what it read'],
  ['transaction', 'it is part of transactions'],
  ['directConnection', 'the client connects to one member directly'],
  ['flowControl', 'flow control is off'],
];

/** What is unwise about the setting, and what to do. */
export function Advice({ shown, topology, update }: { shown: Case; topology: Topology; update: (change: (before: Case) => Case) => void }) {
  const { advice, workloads, settings } = shown;
  const names = [thisRead(shown), ...workloads].map(({ name }) => name);
  const { answer, problem } = useMemo(() => {
    const { writesBack, transaction, directConnection, flowControl } = advice;
    return ask<Advised>('advise', { topology, workloads: [{ ...thisRead(shown), writesBack, transaction }, ...workloads], ...operatorSettings(settings), directConnection, flowControl });
  }, [topology, workloads, settings, advice]);
  return (
    <>
      <div class="options" role="group" aria-label="What no topology says">
        {QUESTIONS.map(([key, text]) => {
          // Flow control is on unless somebody turned it off.
          const told = key === 'flowControl' ? false : true;
          return (
            <label class="check" key={key}>
              <input type="checkbox" checked={advice[key] === told} onChange={(event) => update((before) => ({ ...before, advice: withAnswer(before.advice, key, event.currentTarget.checked ? told : undefined) }))} />
              {text}
            </label>
          );
        })}
      </div>
      <Workloads shown={shown} update={update} />
      {answer === undefined ? (
        <ProblemBox title="This cannot be judged" problem={problem} />
      ) : answer.findings.length === 0 ? (
        <p class="nothing-found">Nothing to advise.</p>
      ) : (
        <ul class="findings">
          {answer.findings.map((finding, i) => (
            <li key={i} class={finding.severity}>
              <span class="severity">
                <span class="sign" aria-hidden="true">
                  {SIGNS[finding.severity]}
                </span>{' '}
                {finding.severity}
              </span>
              <div>
                <p>
                  <strong>{finding.workload === null ? 'the deployment' : names[finding.workload]}</strong>: {finding.message}
                </p>
                <p>{finding.fix}</p>
                <p class="hint">
                  <code>{finding.code}</code> · {finding.see}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function withAnswer(advice: Case['advice'], key: keyof Case['advice'], value: boolean | undefined): Case['advice'] {
  const { [key]: _, ...others } = advice;
  return value === undefined ? others : { ...others, [key]: value };
}
