// Requests about handles through the public typed API: the numbers are the
// testee's own, and stand for objects.
import { ReadPreference, Topology, call } from 'readpref';

/** @type {Map<number, Topology>} */
const topologies = new Map();
/** @type {Map<number, ReadPreference>} */
const preferences = new Map();
let last = 0;

/**
 * @template T
 * @param {Map<number, T>} map
 * @param {T} object
 */
function keep(map, object) {
  map.set(++last, object);
  return last;
}

/** @type {(topology: Topology, readPreference: any, request: any) => unknown} */
function selected(topology, readPreference, { checkout, ...options }) {
  return { server: checkout === true ? topology.checkout(readPreference, options) : topology.selectSync(readPreference, options) };
}

// What one method of an object does with the rest of its request.
/** @type {Record<string, (topology: Topology, request: any) => unknown>} */
const ofTopology = {
  'topology.hello': (topology, { address, hello, ...options }) => topology.onHello(address, hello, { ...options, nowMS: options.nowMS ?? 0 }),
  'topology.error': (topology, { address, ...error }) => topology.onError(address, { ...error, nowMS: error.nowMS ?? 0 }),
  'topology.srv': (topology, { srv }) => topology.onSRV(srv),
  'topology.shutdown': (topology) => ({ generation: topology.shutdown() }),
  'topology.describe': (topology) => topology.describe(),
  'topology.generation': (topology) => ({ generation: topology.generation }),
  'topology.events': (topology) => topology.pendingEvents(),
  'topology.events_ack': (topology, { upto }) => topology.acknowledgeEvents(upto) ?? {},
  'topology.address': (topology, { id }) => ({ address: topology.address(id) }),
  'topology.release': (topology, { id }) => ({ operationCount: topology.release(id) }),
};
/** @type {Record<string, (topology: Topology, preference: ReadPreference, request: any) => unknown>} */
const ofBoth = {
  'topology.select': selected,
  'topology.select_batch': (topology, preference, { count, ...options }) => ({ ids: topology.batch(preference, count, options).map((server) => server.id) }),
  'topology.explain': (topology, preference, options) => topology.explain(preference, options),
  'topology.command': (topology, preference, { id, ...options }) => topology.command(id, preference, options),
};

/**
 * @param {string} method
 * @param {any} request
 * @returns {unknown} undefined for a method that is not about handles
 */
export function handled(method, request) {
  const { topology: number, readPreference, ...others } = request;
  const topology = topologies.get(number);
  const preference = preferences.get(readPreference);
  // A number that stands for nothing is no handle of the engine either, which says so.
  switch (method) {
    case 'topology.open':
      // Raw calls without a seed have 0, the typed API draws one.
      return { topology: keep(topologies, Topology.open({ ...request, seed: request.seed ?? 0 })) };
    case 'readpref.open':
      return opened(request);
    case 'close':
      return close(request);
    case 'topology.update':
      return updated(request);
  }
  if (method in ofBoth) return topology && preference ? ofBoth[method](topology, preference, others) : call(method, request);
  if (method in ofTopology) return topology && readPreference === undefined ? ofTopology[method](topology, others) : call(method, request);
  return undefined;
}

/** @param {any} request */
function opened({ readPreference, uriOptions, mongosh, ...others }) {
  const given = [readPreference, uriOptions, mongosh].filter((form) => form != null);
  if (given.length !== 1 || Object.keys(others).length > 0) return call('readpref.open', { readPreference, uriOptions, mongosh, ...others });
  if (uriOptions != null) return { readPreference: keep(preferences, ReadPreference.fromUriOptions(uriOptions)) };
  if (readPreference != null) return { readPreference: keep(preferences, ReadPreference.fromDocument(readPreference)) };
  return { readPreference: keep(preferences, Array.isArray(mongosh) ? ReadPreference.fromMongosh(...mongosh) : /** @type {any} */ (call('readpref.open', { mongosh }))) };
}

/** @param {any} request */
function close(request) {
  const { handle, ...others } = request;
  const topology = topologies.get(handle);
  if (Object.keys(others).length > 0 || (topology === undefined && !preferences.has(handle))) return call('close', request);
  topology?.close();
  topologies.delete(handle);
  preferences.delete(handle);
  return {};
}

/** @param {any} request */
function updated(request) {
  const { handle, topology: description, ...others } = request;
  const topology = topologies.get(handle);
  if (topology === undefined || description == null || Object.keys(others).length > 0) return call('topology.update', request);
  return { generation: topology.update(description) };
}
