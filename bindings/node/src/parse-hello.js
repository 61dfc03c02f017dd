import { ask } from './engine.js';
import { encode } from './encode.js';
import { deepFreeze } from './freeze.js';

/**
 * The server description that a reply to `hello` makes.
 *
 * @param {import('./index.js').HelloRequest} request
 * @returns {import('./index.js').ServerDescription}
 * @throws {import('./errors.js').ReadPrefError}
 */
export function parseHello(request) {
  return deepFreeze(ask('server.parse_hello', encode(request ?? {})).server);
}
