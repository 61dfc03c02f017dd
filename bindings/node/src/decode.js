/**
 * The value of an answer. An integer that a double does not hold comes as
 * Extended JSON, `{"$numberLong": "9223372036854775807"}`: nothing is lost, it can be
 * written as JSON again, and every document of readpref takes it.
 *
 * @param {string} text
 * @returns {any}
 */
export function decode(text) {
  return JSON.parse(/\d{16}/.test(text) ? keepIntegers(text) : text);
}

/** @param {string} text */
function keepIntegers(text) {
  const pieces = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    pieces.push(text.slice(at, end).replace(/-?\d[\d.eE+-]*/g, keepInteger));
    at = quote < 0 ? end : stringEnd(text, quote);
    pieces.push(text.slice(end, at));
  }
  return pieces.join('');
}

/** @param {string} number */
function keepInteger(number) {
  return /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number)) ? `{"$numberLong":"${number}"}` : number;
}

/**
 * Where the string that begins at a quote ends.
 *
 * @param {string} text
 * @param {number} quote
 */
function stringEnd(text, quote) {
  for (let end = text.indexOf('"', quote + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text[escapes - 1] === '\\') escapes--;
    if ((end - escapes) % 2 === 0) return end + 1;
  }
}
