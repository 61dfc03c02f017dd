import { ReadPrefError } from '#api';
import { knowledgeOf } from './watch.js';

/** How often is looked, in milliseconds. */
const POLL_MS = 10;

const TIMEOUT_MS = 5000;

/**
 * @param {import('mongodb').MongoClient} client that is watched
 * @param {{timeoutMS?: number | null} | null} [options]
 * @returns {Promise<boolean>}
 */
export async function discovered(client, options) {
  const timeoutMS = options?.timeoutMS ?? TIMEOUT_MS;
  if (typeof timeoutMS !== 'number' || !(timeoutMS >= 0)) throw new ReadPrefError('wrongType', 'expected milliseconds, 0 or more', { path: 'timeoutMS' });
  const end = performance.now() + timeoutMS;
  while (!isDiscovered(client)) {
    const left = end - performance.now();
    if (left <= 0) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, POLL_MS)));
  }
  return true;
}

/** @param {import('mongodb').MongoClient} client */
function isDiscovered(client) {
  const { latest } = knowledgeOf(client);
  return latest !== undefined && [...latest.servers.values()].every((server) => server.type !== 'Unknown' || server.error !== null);
}
