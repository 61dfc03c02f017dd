// Requests on the standard input, answers on the standard output: Node.js, Deno and Bun.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * Answers are given one at a time, and writeSync flushes each.
 *
 * @param {(line: string) => string | Promise<string>} answer
 */
export async function serve(answer) {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) print(await answer(line));
}

/** @param {string} text */
function print(text) {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      // The pipe is full: the reader has to catch up.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error;
    }
  }
}
