// README.md runs: each program as it stands, and what it says it prints.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Topology, explain } from 'readpref';
import { savedReplies } from './fixtures.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
// Programs, each with the text that is shown after it as its output.
const programs = [...readme.matchAll(/```js\n(.*?)```(?:[^`]*?```text\n(.*?)```)?/gs)].map(([, program, text = '']) => ({ program, text }));

const folder = mkdtempSync(join(tmpdir(), 'readpref-readme-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
writeFileSync(join(folder, 'a.json'), JSON.stringify(savedReplies[0].hello));
const [, saved] = /<!-- the file here: (\S+) -->/.exec(readme) ?? assert.fail('no saved request');
copyFileSync(join(root, '../..', saved), join(folder, 'request.json'));
execFileSync(process.execPath, ['-e', 'fs.mkdirSync("node_modules")'], { cwd: folder });
symlinkSync(root, join(folder, 'node_modules', 'readpref'), 'junction');

/** @param {string} program */
function run(program) {
  writeFileSync(join(folder, 'program.js'), program);
  return execFileSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8' });
}

for (const { program, text } of programs) {
  const [last] = program.trimEnd().split('\n').slice(-1);
  test(`it prints what it says: ${last}`, () => {
    const comments = [...program.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, line]) => line);
    const printed = run(program).split('\n').filter((line) => line !== '');
    const shown = text.split('\n').filter((line) => line !== '');
    assert.deepEqual(printed, [...comments, ...shown]);
  });
}

test('the programs are found, and some print something', () => {
  assert.equal(programs.length, 12);
  assert.equal(programs.filter(({ text }) => text !== '').length, 6);
});

test('a saved request is explained by the typed function, too', () => {
  const { topology, readPreference, seed } = JSON.parse(readFileSync(join(folder, 'request.json'), 'utf8'));
  const { text } = explain(new Topology(topology), readPreference, { seed });
  assert.ok(readme.includes(`\`\`\`text\n${text}\`\`\``));
});
