// The testee in Node.js, Deno and Bun, beside an installed package.
import { readFileSync } from 'node:fs';
import { Instance } from './node_modules/readpref/src/instance.js';
import { answerLine } from './testee/answer.mjs';
import { serve } from './testee/lines.mjs';

const newInstance = () => new Instance(new WebAssembly.Module(readFileSync(new URL('node_modules/readpref/dist/readpref.wasm', import.meta.url))));

await serve((line) => answerLine(line, newInstance));
