import { useState } from 'preact/hooks';
import { wholeRequest, type Case } from './case.js';
import { connectionString } from './copy/connection-string.js';
import { csharp } from './copy/csharp.js';
import { go } from './copy/go.js';
import { java } from './copy/java.js';
import { mongosh, shellQuoted } from './copy/mongosh.js';
import { node } from './copy/node.js';
import type { NormalPreference } from './copy/preference.js';
import { pymongo } from './copy/pymongo.js';
import { CopyButton } from './copy-button.js';
import { ask, type Answer } from './engine.js';
import { ProblemBox } from './problem-box.js';

const LANGUAGES = ['mongosh', 'PyMongo', 'Node.js', 'Java', 'Go', 'C#', 'connection string', 'request'] as const;
type Language = (typeof LANGUAGES)[number];

/** The read preference as code of each driver, as a connection string, and the whole case as a request. */
export function CopyPanel({ shown }: { shown: Case }) {
  const [language, setLanguage] = useState<Language>('mongosh');
  const { answer, problem } = codeFor(language, shown);
  return (
    <>
      <div class="tabs" role="group" aria-label="Language">
        {LANGUAGES.map((each) => (
          <button type="button" key={each} aria-pressed={each === language} onClick={() => setLanguage(each)}>
            {each}
          </button>
        ))}
      </div>
      {answer === undefined ? (
        <ProblemBox title={`This cannot be written as ${language}`} problem={problem} />
      ) : (
        <div class="code">
          <pre tabIndex={0} role="region" aria-label={`Code: ${language}`}>
            {answer}
          </pre>
          <CopyButton text={answer} what={language} />
        </div>
      )}
    </>
  );
}

export function codeFor(language: Language, shown: Case): Answer<string> {
  if (language === 'request') return { answer: `${JSON.stringify(wholeRequest(shown), null, 1)}\n` };
  const validated = ask<{ readPreference: NormalPreference | null; problems: { code: string; path: string; message: string }[] }>('validate', { readPreference: shown.settings.readPreference ?? {} });
  if (validated.answer === undefined) return validated;
  const { readPreference: preference, problems } = validated.answer;
  if (preference === null) return { problem: problems[0]! };
  switch (language) {
    case 'mongosh':
      return { answer: mongosh(preference, connectionString(shown, preference).answer) };
    case 'PyMongo':
      return { answer: pymongo(preference) };
    case 'Node.js':
      return { answer: node(preference) };
    case 'Java':
      return { answer: java(preference) };
    case 'Go':
      return { answer: go(preference) };
    case 'C#':
      return { answer: csharp(preference) };
    case 'connection string': {
      const uri = connectionString(shown, preference);
      return uri.answer === undefined ? uri : { answer: `${uri.answer}\n\n# in a shell\nmongosh ${shellQuoted(uri.answer)}\n` };
    }
  }
}
