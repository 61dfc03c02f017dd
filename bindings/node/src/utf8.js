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
  const bytes = new Uint8Array(text.length * 3);
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    // The halves of a pair come as one code point, and a lone surrogate as itself.
    const code = /** @type {number} */ (text.codePointAt(i));
    if (code < 0x80) {
      bytes[end++] = code;
      continue;
    }
    if (code < 0x800) {
      bytes[end++] = 0xc0 | (code >> 6);
    } else {
      if (code < 0x10000) {
        bytes[end++] = 0xe0 | (code >> 12);
      } else {
        bytes[end++] = 0xf0 | (code >> 18);
        bytes[end++] = 0x80 | ((code >> 12) & 0x3f);
        i++;
      }
      bytes[end++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[end++] = 0x80 | (code & 0x3f);
  }
  return bytes.subarray(0, end);
}
