/** Strings, which hide what looks like a number, and integers of 16 digits and more. */
const stringOrLongInteger = /"(?:[^"\\]|\\.)*"|-?\d{16,}/g;

/**
 * The value of an answer. An integer that a double does not hold comes as
 * Extended JSON, `{"$numberLong": "9223372036854775807"}`: nothing is lost, it can be
 * written as JSON again, and every document of readpref takes it.
 *
 * @param {string} text
 * @returns {any}
 */
export function decode(text) {
  return JSON.parse(/\d{16}/.test(text) ? text.replace(stringOrLongInteger, keepInteger) : text);
}

/** @param {string} token */
function keepInteger(token) {
  return token[0] === '"' || Number.isSafeInteger(Number(token)) ? token : `{"$numberLong":"${token}"}`;
}
