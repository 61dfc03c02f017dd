// The replica set of examples/replicaset, which runs as a program of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../../examples/replicaset', import.meta.url));

/** @param {string} [config] a file; absent: three data centres */
export async function startReplicaSet(config) {
  const child = spawn(process.env.PYTHON ?? 'python3', [program, ...(config === undefined ? [] : [config])], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => JSON.parse((await lines.next()).value);
  const { uri } = await line();
  return {
    /** @type {string} */
    uri,
    /**
     * One control request.
     *
     * @param {object} request
     * @returns {Promise<Record<string, {address: string, state: string}>>} the members by name
     */
    async control(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const answer = await line();
      assert.equal(answer.error, undefined);
      return answer.members;
    },
    async stop() {
      child.stdin.end();
      const [status] = await once(child, 'exit');
      assert.equal(status, 0);
    },
  };
}
