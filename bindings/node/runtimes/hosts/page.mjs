// The testee in a browser: the bridge calls answer().
import { init } from 'readpref';
import { Instance } from './node_modules/readpref/src/instance.js';
import { answerLine } from './testee/answer.mjs';

const module = await WebAssembly.compileStreaming(fetch(new URL('./readpref.wasm', import.meta.url)));
await init(module);
globalThis.answer = (line) => answerLine(line, () => new Instance(module));
