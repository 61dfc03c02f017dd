const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function decodeUTF8(bytes) {
  return decoder.decode(bytes);
}

/**
 * The UTF-8 bytes of a string. A lone surrogate becomes the three bytes that
 * UTF-8 forbids, and not U+FFFD as TextEncoder has it: the engine shall see and
 * refuse it, rather than select by a tag nobody wrote.
 *
 * @param {string} text
 * @returns {Uint8Array}
 */
export function encodeUTF8(text) {
  if (text.isWellFormed()) return encoder.encode(text);
  const parts = text.split(/(\p{Surrogate})/u).map((part, i) => (i % 2 === 0 ? encoder.encode(part) : surrogateBytes(part.charCodeAt(0))));
  const bytes = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @type {(unit: number) => Uint8Array} */
function surrogateBytes(unit) {
  return Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
}
