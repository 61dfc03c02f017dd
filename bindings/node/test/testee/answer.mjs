// The answer to one request of docs/testee.md, in whatever host: nothing here is Node.js's.
import { ReadPrefError, callRaw } from 'readpref';
import { probe } from './probe.mjs';
import { typed } from './typed.mjs';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * @param {string} line a request
 * @param {() => unknown} newInstance makes an Instance, of src/instance.js
 * @returns {string} the line of its answer
 */
export function answerLine(line, newInstance) {
  const request = JSON.parse(line);
  return JSON.stringify({ id: request.id, ...answer(request, newInstance) }) + '\n';
}

/**
 * @param {{id: unknown, method: string, in?: string, in_b64?: string, via?: string, probe?: string}} request
 * @param {() => unknown} newInstance
 */
function answer(request, newInstance) {
  if (request.probe !== undefined) return probe(request.probe, newInstance());
  const input = request.in_b64 === undefined ? request.in ?? '' : bytesOf(request.in_b64);
  switch (request.via) {
    case undefined:
    case 'raw': {
      const { status, bytes } = callRaw(request.method, input);
      return { status, out: decoder.decode(bytes) };
    }
    case 'typed':
      try {
        return { status: 0, out: typed(request.method, typeof input === 'string' ? input : decoder.decode(input)) };
      } catch (error) {
        if (!(error instanceof ReadPrefError)) throw error;
        return { status: error.status, out: JSON.stringify(error) };
      }
    default:
      throw new Error(`unknown via ${request.via}`);
  }
}

/** @param {string} base64 */
function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
