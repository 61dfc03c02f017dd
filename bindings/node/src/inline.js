// readpref with the module inside, for bundlers that lose the file.
import { init as initFrom, initSync as initSyncFrom } from '#api';
import { deflated, size } from '../dist/inline-bytes.js';
import { inflateSync } from '../dist/inflate.js';

export * from '#api';

/**
 * Starts the engine from the bytes inside.
 *
 * @returns {Promise<void>}
 */
export function init() {
  return initFrom(unpack);
}

/** Starts the engine from the bytes inside, at once. Some browsers refuse that on the main thread. */
export function initSync() {
  initSyncFrom(() => inflate(fromBase64(deflated)));
}

/** @param {Uint8Array} bytes */
function inflate(bytes) {
  return inflateSync(bytes, { out: new Uint8Array(size) });
}

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
function fromBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

async function unpack() {
  const bytes = fromBase64(deflated);
  // The host's is several times as fast, but nothing waits for it.
  if (typeof DecompressionStream !== 'function') return inflate(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}
