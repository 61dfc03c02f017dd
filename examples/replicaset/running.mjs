// A set in a process of its own, for programs and tests that are written in JavaScript. It ends with the program.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('.', import.meta.url));

/**
 * Python is the one that PYTHON names; it needs PyMongo.
 *
 * @param {string} [config] a file; absent: three-data-centres.json
 */
export async function startReplicaSet(config) {
  const child = spawn(process.env.PYTHON ?? 'python3', [program, ...(config === undefined ? [] : [config])], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} has ended`);
    return JSON.parse(value);
  };
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
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.members;
    },
    async stop() {
      child.stdin.end();
      const [status] = await once(child, 'exit');
      if (status !== 0) throw new Error(`${program} has ended with the status ${status}`);
    },
  };
}
