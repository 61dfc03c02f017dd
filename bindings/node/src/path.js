import { cut, errorText, plain } from './plain.js';

/** Of a key, in bytes: of one that is written bare, or before it is quoted and escaped. */
const MAX_KEY = 64;

/** Of a key in quotes and with escapes, in bytes. */
const MAX_QUOTED = 200;

/**
 * The place of a value in a document, as error documents write it:
 * `readPreference.tags[1].dc`. Long keys and long paths are cut.
 *
 * @param {string} root the path that keys go on from
 * @param {(string | number)[]} keys
 */
export function pathAt(root, keys) {
  let path = root;
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else path += step(key, path === '');
  }
  return errorText(path);
}

/**
 * @param {string} key
 * @param {boolean} first
 */
function step(key, first) {
  const short = cut(key, MAX_KEY);
  if (!/^[\w$-]+$/.test(key)) return `[${cut(plain(JSON.stringify(short)), MAX_QUOTED)}]`;
  return first ? short : `.${short}`;
}
