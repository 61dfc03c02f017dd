import { ask } from './engine.js';
import { encode } from './encode.js';
import { deepFreeze } from './freeze.js';
import { mapped } from './workloads.js';

/** The most documents that the engine takes. */
const MAX_DOCUMENTS = 4096;

/**
 * Topology descriptions of what was saved of a deployment.
 *
 * @param {Iterable<Readonly<Record<string, unknown>> | string>} documents
 * @returns {import('./index.js').ImportedTopology}
 * @throws {import('./errors.js').ReadPrefError}
 */
export function importTopology(documents) {
  const given = mapped(documents, 'documents', (document) => document, MAX_DOCUMENTS);
  return deepFreeze(ask('import', `{"documents":${encode(given ?? null, 'documents')}}`));
}
