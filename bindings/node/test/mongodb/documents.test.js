// The programs of docs/mongodb-node.md run, and print what it says.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { comparable, programsOf } from './programs.js';
import { startReplicaSet } from '../../../../examples/replicaset/running.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** @type {Awaited<ReturnType<typeof startReplicaSet>>} */
let set;
// Inside of the package, for the package itself and the driver to be found.
const folder = mkdtempSync(join(root, 'test/mongodb/run-'));
before(async () => {
  set = await startReplicaSet(fileURLToPath(new URL('three-members.json', import.meta.url)));
});
after(async () => {
  rmSync(folder, { recursive: true });
  await set.stop();
});

const documents = { 'docs/mongodb-node.md': 2, 'bindings/node/README.md': 1 };
for (const [name, count] of Object.entries(documents)) {
  const programs = programsOf(new URL(`../../../../${name}`, import.meta.url)).filter(({ program }) => program.includes("'readpref/mongodb'"));

  test(`${name} has programs`, () => {
    assert.equal(programs.length, count);
    assert.ok(programs.every(({ shown }) => shown.length > 1));
  });

  programs.forEach(({ program, shown }, i) => {
    test(`${name}, program ${i + 1}, prints what it says`, async () => {
      const file = join(folder, `program${i}.mjs`);
      writeFileSync(file, program);
      const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { ...process.env, MONGODB_URI: set.uri }, timeout: 60_000 });
      assert.deepEqual(comparable(stdout, await set.control({ do: 'status' })), shown);
    });
  });
}
