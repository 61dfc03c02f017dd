// The testee as a Worker: one request per POST. What it does at global scope is a test as well.
import module from 'readpref/readpref.wasm';
import { ReadPreference, Topology } from 'readpref';
import { Instance } from './node_modules/readpref/src/instance.js';
import { answerLine } from './testee/answer.mjs';

// workerd has no randomness yet: the engine starts without, and a seed cannot be drawn.
const nearest = new ReadPreference('nearest');
let refusal;
try {
  new Topology({ servers: [] }, {});
} catch (error) {
  refusal = error;
}

export default {
  async fetch(request) {
    if (request.method === 'GET') return Response.json({ mode: nearest.mode, code: refusal?.code, path: refusal?.path });
    return new Response(answerLine(await request.text(), () => new Instance(module)));
  },
};
