// The protocol between the bench and its contestants, for those written in
// JavaScript; README.md describes it.
import { readSync, writeSync } from 'node:fs';

/** Answers the lines of standard input; load gives the answer to a case, and its works by name. */
export function serve(load) {
  let works = {};
  const chunk = Buffer.alloc(1 << 16);
  let pending = [];
  for (;;) {
    // Waiting in readSync, not in the event loop: an idle contestant costs nothing.
    const n = readSync(0, chunk);
    if (n === 0) return;
    pending.push(Buffer.from(chunk.subarray(0, n)));
    if (chunk[n - 1] !== 10) continue;
    const words = Buffer.concat(pending).toString('utf8').trimEnd().split('\t');
    pending = [];
    let answer;
    try {
      if (words[0] === 'load') {
        [answer, works] = load(...words.slice(1));
      } else {
        works[words[1]](Number(words[2]));
        answer = { done: Number(words[2]) };
      }
    } catch (error) {
      answer = { error: String(error) };
    }
    writeSync(1, JSON.stringify(answer) + '\n');
  }
}
