// Runs the demo's selections with the npm package.
import { readFileSync } from 'node:fs';
import { callRaw } from '../../bindings/node/src/index.js';

const [method, ...files] = process.argv.slice(2);
for (const file of files) {
  const request = readFileSync(file);
  const times = [];
  let answer;
  for (let i = 0; i < 1000; i++) {
    const start = performance.now();
    answer = callRaw(method, request);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({ file, answer: new TextDecoder().decode(answer.bytes), microseconds: times[500] * 1000 }));
}
