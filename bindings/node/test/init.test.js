// The start of the engine: each case in a thread of its own, as an engine is started once.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const wasm = readFileSync(new URL('../dist/readpref.wasm', import.meta.url));
/** @type {Record<string, [status: number, type: string, body: Uint8Array | string]>} */
const served = {
  '/right': [200, 'application/wasm', wasm],
  '/wrong-type': [200, 'text/plain', wasm],
  '/page': [200, 'text/html', '<!doctype html><title>Not here</title>'],
  '/gone': [404, 'text/html', 'gone'],
  '/broken': [200, 'application/wasm', wasm.subarray(0, 1000)],
};
const server = createServer((request, response) => {
  const [status, type, body] = served[request.url ?? ''] ?? [404, 'text/plain', ''];
  response.writeHead(status, { 'content-type': type }).end(body);
});
let base = '';
before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  base = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
});
after(() => server.close());

/**
 * Runs a program in a thread and gives what it posts: its last expression's value, or an error.
 *
 * @param {string} body of an async function
 * @param {string} [name] of what it imports
 * @param {string[]} [execArgv]
 * @returns {Promise<any>}
 */
function run(body, name = 'readpref/load', execArgv = []) {
  const program = `
    const { parentPort } = await import('node:worker_threads');
    const r = await import(${JSON.stringify(name)});
    const wasm = (await import('node:fs')).readFileSync(${JSON.stringify(fileURLToPath(new URL('../dist/readpref.wasm', import.meta.url)))});
    try { parentPort.postMessage({ value: await (async () => { ${body.replaceAll('BASE', base)} })() }); }
    catch (e) { parentPort.postMessage({ error: { isOurs: e instanceof r.ReadPrefError, code: e.code, path: e.path, message: e.message } }); }`;
  return new Promise((resolve, reject) => {
    const url = new URL(`data:text/javascript,${encodeURIComponent(program.replace(JSON.stringify(name), JSON.stringify(import.meta.resolve(name))))}`);
    const worker = new Worker(url, { execArgv });
    worker.once('message', resolve).once('error', reject);
  });
}

const name = 'return r.buildInfo().name;';
for (const [what, body] of Object.entries({
  'a URL': "await r.init('BASE/right');",
  'a URL object': "await r.init(new URL('BASE/right'));",
  'a URL with a wrong MIME type': "await r.init('BASE/wrong-type');",
  'a Response': "await r.init(await fetch('BASE/right'));",
  'a promise of a Response': "await r.init(fetch('BASE/right'));",
  bytes: 'await r.init(wasm);',
  'an ArrayBuffer': 'await r.init(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length));',
  'a module': 'await r.init(new WebAssembly.Module(wasm));',
  'a function': 'await r.init(() => wasm);',
  'bytes at once': 'r.initSync(wasm);',
  'a module at once': 'r.initSync(new WebAssembly.Module(wasm));',
  'nothing, twice': 'await Promise.all([r.init(), r.init()]); await r.init(); r.initSync();',
  'a function, twice': 'await r.init(() => wasm); await r.init(() => { throw new Error("called"); });',
  'a second try': "await r.init('BASE/gone').catch(() => {}); await r.init('BASE/right');",
})) {
  test(`it starts from ${what}`, async () => assert.deepEqual(await run(body + name), { value: 'readpref' }));
}

/** @type {Record<string, [body: string, code: string, message: RegExp]>} */
const refused = {
  'a 404': ["await r.init('BASE/gone');", 'internal', /\/gone is answered with the status 404$/],
  'a page': ["await r.init('BASE/page');", 'internal', /\/page \(text\/html\) is no WebAssembly module: it begins with "<!doctype html>/],
  'a page as bytes': ["await r.init(new TextEncoder().encode('<html>'));", 'internal', /is no WebAssembly module: it begins with "<html>"$/],
  'a module that is cut off': ["await r.init('BASE/broken');", 'internal', /^readpref\.wasm failed/],
  'another module': ['await r.init(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));', 'internal', /^readpref\.wasm failed/],
  'no address': ["await r.init('http://');", 'internal', /^readpref\.wasm failed/],
  'a number': ['await r.init(5);', 'argument', /^source: init takes a URL/],
  'a URL at once': ["r.initSync('BASE/right');", 'argument', /^source: init takes a URL/],
  'a source for an engine that runs': ['r.buildInfo(); await r.init(wasm);', 'argument', /^source: readpref is started already/],
  'a second source': ['await r.init(wasm); r.initSync(wasm);', 'argument', /^source: readpref is started already/],
};
for (const [what, [body, code, message]] of Object.entries(refused)) {
  test(`it refuses ${what}`, async () => {
    const { error } = await run(body);
    assert.equal(error?.isOurs, true);
    assert.equal(error.code, code);
    assert.match(error.message, message);
  });
}

test('what has to be fetched is not there before init()', async () => {
  const { error } = await run(`try { new r.ReadPreference('nearest'); } catch (e) { throw e; }`, 'readpref');
  assert.equal(error, undefined); // Node.js finds it by itself
  const { loadModule } = await import('../src/load-module-none.js');
  assert.throws(loadModule, { code: 'argument', message: 'readpref is not started: `await init()` first' });
});

test('readpref/inline starts at once, and without waiting', async () => {
  for (const start of ['await r.init(); await r.init();', 'r.initSync(); r.initSync();', 'r.buildInfo(); await r.init();']) {
    assert.deepEqual(await run(start + name, 'readpref/inline'), { value: 'readpref' });
  }
});

test('readpref/inline starts where there is no DecompressionStream', async () => {
  const without = 'delete globalThis.DecompressionStream; await r.init();';
  assert.deepEqual(await run(without + name, 'readpref/inline'), { value: 'readpref' });
});
