// Requests through the public typed API.
import {
  ReadPreference,
  Topology,
  advise,
  buildInfo,
  call,
  command,
  diff,
  effectivePreference,
  explain,
  explainShards,
  importTopology,
  methods,
  parseHello,
  parseURI,
  pollSRV,
  readable,
  resolveSRV,
  rtt,
  select,
  selectShards,
  simulate,
  toURI,
  validate,
  whatIf,
  writable,
} from 'readpref';
import { handled } from './topologies.mjs';

/**
 * @param {string} method
 * @param {string} text of the request
 * @returns {string} of the answer that the typed objects carry
 */
export function typed(method, text) {
  return stringify(answer(method, JSON.parse(text)));
}

/** @type {(method: string, request: any) => unknown} */
function answer(method, request) {
  const isObject = typeof request === 'object' && request !== null && !Array.isArray(request);
  // What is no object cannot be taken apart into arguments.
  if (!isObject) return call(method, request);
  switch (method) {
    case 'select':
      return selection(request, select, selectShards);
    case 'explain':
      return selection(request, explain, explainShards);
    case 'validate':
      return validation(request);
    case 'server.parse_hello':
      return { server: parseHello(request) };
    case 'parse_uri':
      return only(request, ['uri']) ? parseURI(request.uri) : call(method, request);
    case 'srv':
      return dnsAnswers(request);
    case 'to_uri':
      return only(request, ['readPreference']) && request.readPreference != null ? { query: toURI(request.readPreference) } : call(method, request);
    case 'rtt':
      return only(request, ['samplesMS', 'roundTripTimeMS']) ? rtt(request.samplesMS, request.roundTripTimeMS) : call(method, request);
    case 'command': {
      const { topology, server, readPreference, ...options } = request;
      return command(topology, server, readPreference, options);
    }
    case 'effective_preference':
      return effectivePreference(request);
    case 'readable':
      return only(request, ['topology', 'readPreference']) ? { readable: readable(request.topology, request.readPreference) } : call(method, request);
    case 'writable':
      return only(request, ['topology']) ? { writable: writable(request.topology) } : call(method, request);
    case 'simulate':
    case 'what_if':
    case 'advise':
    case 'diff':
      return operators(method, request);
    case 'import':
      return only(request, ['documents']) ? importTopology(request.documents) : call(method, request);
    case 'build_info':
      return buildInfo();
    case 'methods':
      return { methods: methods() };
    default:
      return handled(method, request) ?? call(method, request);
  }
}

/**
 * Whether a request has no keys but these: those are what the typed function takes.
 *
 * @type {(request: object, keys: string[]) => boolean}
 */
function only(request, keys) {
  return Object.keys(request).every((key) => keys.includes(key));
}

/** @param {any} request */
function dnsAnswers(request) {
  const { uri, srv, txt, current, heartbeatFrequencyMS, ...options } = request;
  const seed = options.seed ?? 0;
  if (!only(options, ['seed'])) return call('srv', request);
  if (current == null) return heartbeatFrequencyMS == null ? resolveSRV(uri, { srv, txt }, { seed }) : call('srv', request);
  return txt == null ? pollSRV(uri, srv, { current, heartbeatFrequencyMS, seed }) : call('srv', request);
}

/** @type {(request: any, one: Function, many: Function) => unknown} */
function selection({ topology, shards, readPreference, ...options }, one, many) {
  // Neither null nor both at once is anything that the typed functions can be
  // given: they take one topology, or several.
  if (topology != null && shards != null) return call(one.name, { topology, shards, readPreference, ...options });
  // The typed functions' integers go further than a document's, and their errors say so.
  if (Number.isInteger(options.seed) && !(options.seed >= 0 && Number.isSafeInteger(options.seed))) {
    return call(one.name, { ...(topology == null ? { shards } : { topology }), readPreference, ...options });
  }
  // Raw calls without a seed have 0, the typed API draws one.
  options.seed ??= 0;
  const preference = readPreference == null ? undefined : ReadPreference.fromDocument(readPreference);
  if (shards == null) return one(topology == null ? undefined : new Topology(topology), preference, options);
  /** @type {Map<string, any>} */
  const answers = many(new Map(Object.entries(shards).map(([name, t]) => [name, new Topology(/** @type {any} */ (t))])), preference, options);
  return { shards: Object.fromEntries(answers) };
}

/** @type {(method: string, request: any) => unknown} */
function operators(method, { topology, workloads, ...options }) {
  // The typed functions take a mode alone, and integers up to 2^64-1 for a seed.
  const lists = [workloads, options.after?.workloads].filter(Array.isArray);
  const isModeAlone = lists.flat().some((workload) => typeof workload?.readPreference === 'string');
  const isOtherSeed = Number.isInteger(options.seed) && !(options.seed >= 0 && Number.isSafeInteger(options.seed));
  if (isModeAlone || isOtherSeed) return call(method, { topology, workloads, ...options });
  const described = topology == null ? undefined : new Topology(topology);
  if (method === 'simulate') return simulate(/** @type {any} */ (described), workloads, options);
  if (method === 'advise') return advise(/** @type {any} */ (described), workloads, options);
  if (method === 'diff') {
    const { after, ...others } = options;
    return diff(/** @type {any} */ (described), workloads, after, others);
  }
  const { events, ...others } = options;
  return whatIf(/** @type {any} */ (described), workloads, events, others);
}

/** @type {(request: any) => unknown} */
function validation(request) {
  // The typed function takes it for a bare preference.
  if (!['readPreference', 'uriOptions', 'mongosh'].some((form) => form in request)) return call('validate', request);
  const result = validate(request);
  // The objects themselves, where there is one: what they carry must be the same.
  return { ...result.toJSON(), readPreference: result.readPreference };
}

/**
 * JSON with integers as the raw answer prints them: the typed API gives those
 * that a number does not hold as Extended JSON.
 *
 * @param {unknown} value
 */
function stringify(value) {
  return JSON.stringify(value).replace(/\{"\$numberLong":"(-?\d{16,})"\}/g, '$1');
}
