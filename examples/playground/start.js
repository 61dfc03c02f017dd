// What `make playground` runs: the page that was built, on a port of this machine. PORT=0 takes any.
import { fileURLToPath } from 'node:url';
import { serve } from './serve.js';

const server = await serve(fileURLToPath(new URL('../../build/playground', import.meta.url)), Number(process.env.PORT || 8137));
console.log(`http://127.0.0.1:${server.address().port}/  (Ctrl-C ends it)`);
