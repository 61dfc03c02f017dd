// DEFLATE (RFC 1951) of what the package's build packed, for hosts that may not wait for a
// DecompressionStream. It trusts its input: nothing else is given to it.

const MAX_BITS = 15;
const END_OF_BLOCK = 256;

// 3.2.5: what the codes of lengths and distances begin with, and how many bits follow.
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const LENGTHS = running(3, LENGTH_BITS);
LENGTHS[28] = 258;
const DISTANCES = running(1, DISTANCE_BITS);

/** 3.2.7: the order in which the code lengths of code lengths come. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** @type {(first: number, bits: number[]) => number[]} */
function running(first, bits) {
  let next = first;
  return bits.map((n) => (next += 2 ** n) - 2 ** n);
}

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/**
 * @param {Uint8Array} input
 * @param {number} size of the result
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function inflate(input, size) {
  const out = new Uint8Array(size);
  let at = 0; // in out
  let position = 0; // in input
  let held = 0; // bits that were read and not used, the next one lowest
  let count = 0;

  /** @param {number} n at most 16 */
  const bits = (n) => {
    while (count < n) {
      held |= input[position++] << count;
      count += 8;
    }
    const value = held & ((1 << n) - 1);
    held >>>= n;
    count -= n;
    return value;
  };
  /** @param {Uint16Array} table */
  const symbol = (table) => {
    while (count < MAX_BITS) {
      held |= (input[position++] ?? 0) << count;
      count += 8;
    }
    const entry = table[held & ((1 << MAX_BITS) - 1)];
    held >>>= entry & 15;
    count -= entry & 15;
    return entry >>> 4;
  };

  for (let isLast = 0; isLast === 0; ) {
    isLast = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      position -= count >>> 3; // whole bytes that were read ahead
      held = count = 0;
      const length = input[position] | (input[position + 1] << 8);
      position += 4;
      out.set(input.subarray(position, position + length), at);
      at += length;
      position += length;
      continue;
    }
    const [literals, distances] = kind === 1 ? fixedTables() : dynamicTables(bits, symbol);
    for (;;) {
      const code = symbol(literals);
      if (code < END_OF_BLOCK) {
        out[at++] = code;
        continue;
      }
      if (code === END_OF_BLOCK) break;
      const length = LENGTHS[code - 257] + bits(LENGTH_BITS[code - 257]);
      const far = symbol(distances);
      let from = at - DISTANCES[far] - bits(DISTANCE_BITS[far]);
      for (const end = at + length; at < end; ) out[at++] = out[from++];
    }
  }
  return out;
}

function fixedTables() {
  const lengths = Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
  return [tableOf(lengths), tableOf(new Array(30).fill(5))];
}

/** @type {(bits: (n: number) => number, symbol: (table: Uint16Array) => number) => Uint16Array[]} */
function dynamicTables(bits, symbol) {
  const literals = bits(5) + 257;
  const distances = bits(5) + 1;
  const of = new Array(19).fill(0);
  for (let n = bits(4) + 4, i = 0; i < n; i++) of[ORDER[i]] = bits(3);
  const table = tableOf(of);
  /** @type {number[]} */
  const lengths = [];
  while (lengths.length < literals + distances) {
    const code = symbol(table);
    if (code < 16) lengths.push(code);
    else if (code === 16) repeat(lengths, lengths[lengths.length - 1], bits(2) + 3);
    else repeat(lengths, 0, code === 17 ? bits(3) + 3 : bits(7) + 11);
  }
  return [tableOf(lengths.slice(0, literals)), tableOf(lengths.slice(literals))];
}

/** @type {(lengths: number[], length: number, times: number) => void} */
function repeat(lengths, length, times) {
  for (let i = 0; i < times; i++) lengths.push(length);
}

/**
 * Every run of 15 bits, to the symbol that it begins with (times 16) and that one's length.
 *
 * @param {number[]} lengths
 */
function tableOf(lengths) {
  const table = new Uint16Array(1 << MAX_BITS);
  let code = 0;
  for (let length = 1; length <= MAX_BITS; length++) {
    for (let value = 0; value < lengths.length; value++) {
      if (lengths[value] !== length) continue;
      let reversed = 0;
      for (let i = 0; i < length; i++) reversed |= ((code >>> i) & 1) << (length - 1 - i);
      for (let i = reversed; i < table.length; i += 1 << length) table[i] = (value << 4) | length;
      code++;
    }
    code <<= 1;
  }
  return table;
}
