import { ReadPrefError, explain as explainDescription } from '#api';
import { convert, counted } from './description.js';
import { isClient, isCollection, isDatabase, isReadPreference, isTopologyDescription, wrongType } from './kinds.js';
import { OperationCounts } from './operation-counts.js';
import { fromMongoDB } from './read-preference.js';
import { knowledgeOf } from './watch.js';

/** What a client has settled already. */
const CLIENTS_OWN = ['localThresholdMS', 'heartbeatFrequencyMS'];

/**
 * @param {unknown} client a client that is watched, or a description of the driver's
 * @param {import('../mongodb.js').DescribeOptions | null} [options]
 * @returns {import('../index.js').TopologyDescription}
 */
export function topologyDescription(client, options) {
  const counts = countsOf(recordOf(options).operationCounts);
  return counted(isTopologyDescription(client) ? convert(client) : knowledgeOf(/** @type {any} */ (client)).description, counts);
}

/**
 * @param {unknown} source
 * @param {unknown} [preference]
 * @param {import('../mongodb.js').ExplainOptions | null} [options]
 * @returns {import('../index.js').Explanation}
 */
export function explain(source, preference, options) {
  const { operationCounts, ...others } = recordOf(options);
  const own = CLIENTS_OWN.find((key) => key in others);
  if (own !== undefined) throw new ReadPrefError('unknownKey', "the client's own, and no option here", { path: own });
  const client = clientOf(source);
  const knowledge = knowledgeOf(client);
  const { latest } = knowledge;
  if (latest !== undefined && !latest.compatible) throw new ReadPrefError('incompatibleWireVersion', String(latest.compatibilityError), { path: 'client' });
  const wanted = preference ?? /** @type {any} */ (source).readPreference;
  const { localThresholdMS, heartbeatFrequencyMS } = client.options;
  return explainDescription(counted(knowledge.description, countsOf(operationCounts)), isReadPreference(wanted) ? fromMongoDB(wanted) : wanted, {
    ...others,
    localThresholdMS,
    heartbeatFrequencyMS,
  });
}

/**
 * @param {unknown} source
 * @returns {import('mongodb').MongoClient}
 */
function clientOf(source) {
  if (isClient(source)) return source;
  if (isCollection(source)) return source.db.client;
  if (isDatabase(source)) return source.client;
  throw wrongType('a MongoClient, Db or Collection', source, 'client');
}

/**
 * @param {unknown} options
 * @returns {Record<string, any>}
 */
function recordOf(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object' || Array.isArray(options)) throw new ReadPrefError('argument', 'options are an object, {operation: "write"}');
  return { ...options };
}

/**
 * @param {unknown} counts
 * @returns {{get(address: string): number | undefined} | undefined}
 */
function countsOf(counts) {
  if (counts === undefined || counts === null) return undefined;
  if (counts instanceof OperationCounts || counts instanceof Map) return counts;
  if (typeof counts !== 'object' || Array.isArray(counts)) throw wrongType('OperationCounts, a Map or an object of numbers', counts, 'operationCounts');
  return new Map(Object.entries(counts));
}
