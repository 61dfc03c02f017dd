// README.md runs: each program as it stands, and what it says it prints.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { savedReplies } from './fixtures.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const block = (/** @type {string} */ language) => [...readme.matchAll(new RegExp('```' + language + '\\n(.*?)```', 'gs'))].map(([, code]) => code);
const programs = block('js');

const folder = mkdtempSync(join(tmpdir(), 'readpref-readme-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
writeFileSync(join(folder, 'a.json'), JSON.stringify(savedReplies[0].hello));
execFileSync(process.execPath, ['-e', 'fs.mkdirSync("node_modules")'], { cwd: folder });
symlinkSync(root, join(folder, 'node_modules', 'readpref'), 'junction');

/** @param {string} program */
function run(program) {
  writeFileSync(join(folder, 'program.js'), program);
  return execFileSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8' });
}

test('the quick start prints what it says', () => {
  const comments = [...programs[0].matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, text]) => `${text}\n`);
  assert.equal(comments.length, 2);
  const [text] = block('text');
  // console.log ends the text, which ends with a line feed already.
  assert.equal(run(programs[0]).trimEnd(), (comments.join('') + text).trimEnd());
});

test('the other programs run', () => {
  assert.equal(programs.length, 4);
  for (const program of programs.slice(1)) assert.equal(run(program), '');
});
