// Errors stay short and safe to print, whatever they repeat of what the caller
// gave: the rules of core/wire and core/internal/plain.

const encoder = new TextEncoder();

/** Of a message or a path, in bytes of UTF-8; what was cut ends in "..." besides. */
const MAX_TEXT = 1000;

const ELLIPSIS = '...';

/**
 * What a terminal or a renderer acts on instead of showing it: controls, marks of
 * direction and of zero width, line separators, tag characters; and what is no
 * character, half of a surrogate pair.
 */
const obeyed =
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  /[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Surrogate}]/gu;

/**
 * A string with all that a terminal obeys as \u escapes.
 *
 * @param {string} text
 */
export function plain(text) {
  return text.replace(obeyed, (character) => {
    const code = /** @type {number} */ (character.codePointAt(0));
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/**
 * A string cut to so many bytes of UTF-8, at a character's edge.
 *
 * @param {string} text
 * @param {number} bytes
 */
export function cut(text, bytes) {
  if (text.length * 3 <= bytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(bytes));
  return read < text.length ? text.slice(0, read) + ELLIPSIS : text;
}

/**
 * A message or a path as an error carries it. What went through here, or came
 * out of the engine, stays as it is.
 *
 * @param {string} text
 */
export function errorText(text) {
  return short(plain(short(text)));
}

/** @param {string} text */
function short(text) {
  const alreadyCut = MAX_TEXT + ELLIPSIS.length;
  return cut(text, alreadyCut) === text ? text : cut(text, MAX_TEXT);
}
