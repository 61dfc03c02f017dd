// The conformance testee of this package: docs/testee.md describes what it
// speaks on its standard streams.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ReadPrefError, callRaw } from '../src/index.js';
import { probe } from './testee/probe.mjs';
import { typed } from './testee/typed.mjs';

/** @param {{id: unknown, method: string, in?: string, in_b64?: string, via?: string, probe?: string}} request */
function answer(request) {
  if (request.probe !== undefined) return probe(request.probe);
  const input = request.in_b64 === undefined ? request.in ?? '' : new Uint8Array(Buffer.from(request.in_b64, 'base64'));
  switch (request.via) {
    case undefined:
    case 'raw': {
      const { status, bytes } = callRaw(request.method, input);
      return { status, out: Buffer.from(bytes).toString() };
    }
    case 'typed':
      try {
        return { status: 0, out: typed(request.method, Buffer.from(input).toString()) };
      } catch (error) {
        if (!(error instanceof ReadPrefError)) throw error;
        return { status: error.status, out: JSON.stringify(error) };
      }
    default:
      throw new Error(`unknown via ${request.via}`);
  }
}

// Requests are answered one at a time, and writeSync flushes each.
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  print(JSON.stringify({ id: request.id, ...answer(request) }) + '\n');
}

/** @param {string} text */
function print(text) {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      // The pipe is full: the reader has to catch up.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error;
    }
  }
}
