import { encode } from './encode.js';
import { ReadPrefError } from './errors.js';
import { reading } from './reading.js';

/**
 * A description as JSON text. What holds a topology and is none is refused: the
 * whole request, as it is saved.
 *
 * @param {unknown} description
 * @param {string} path
 */
export function textOf(description, path) {
  const text = encode(description, path);
  reading(path, () => {
    const { toJSON } = /** @type {{toJSON?: unknown}} */ (description);
    if (text[0] !== '{' || typeof toJSON === 'function') return;
    const keys = Object.keys(/** @type {object} */ (description));
    if (keys.includes('topology') && !keys.includes('servers')) {
      throw new ReadPrefError('unknownKey', 'this is a whole request: give its request.topology, and its request.readPreference to select or explain', {
        path: `${path}.topology`,
      });
    }
  });
  return text;
}
