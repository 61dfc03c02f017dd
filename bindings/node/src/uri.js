import { ask } from './engine.js';
import { encode } from './encode.js';
import { ReadPrefError } from './errors.js';
import { deepFreeze } from './freeze.js';
import { inspectCustom } from './inspect.js';
import { preferenceText } from './preference-handle.js';
import { preferenceFromNormalForm } from './read-preference.js';
import { seedOf } from './seed.js';
import { withoutArguments } from './topology-arguments.js';

/**
 * Takes a connection string apart.
 *
 * @param {string} uri `mongodb://…` or `mongodb+srv://…`
 * @returns {import('./index.js').ConnectionString}
 * @throws {ReadPrefError} where it is invalid; no message shows its user name or password
 */
export function parseURI(uri) {
  return connectionString(ask('parse_uri', encode({ uri: uri ?? null })));
}

/**
 * What a `mongodb+srv://` connection string and its DNS answers give together.
 *
 * @param {string} uri
 * @param {import('./index.js').DNSAnswers} answers
 * @param {{seed?: import('./index.js').IntegerInput | string | null} | null} [options]
 * @returns {import('./index.js').ResolvedConnectionString}
 * @throws {ReadPrefError}
 */
export function resolveSRV(uri, answers, options) {
  const { srv, ...others } = withoutArguments(answers, ['uri', 'seed', 'current'], 'DNS answers are an object, {srv: [{target: "…", port: 27017}], txt: []}');
  const { seed, ...none } = withoutArguments(options, ['uri', 'srv', 'current'], 'options are an object, {seed: 42}');
  return connectionString(ask('srv', encode({ uri: uri ?? null, srv: srv ?? null, ...others, ...none, seed: seedOf(seed) })));
}

/**
 * What a later scan of the SRV records changes in a topology that the host keeps itself.
 *
 * @param {string} uri
 * @param {readonly import('./index.js').SRVRecord[]} srv `[]` for a scan that failed
 * @param {import('./index.js').PollSRVOptions} options
 * @returns {import('./index.js').SRVChanges}
 * @throws {ReadPrefError}
 */
export function pollSRV(uri, srv, options) {
  const { current, seed, ...others } = withoutArguments(options, ['uri', 'srv'], 'options are an object, {current: ["…"]}');
  // Without it this would be the first discovery.
  if (current === undefined || current === null) throw new ReadPrefError('missingKey', 'the key "current" is required', { path: 'current' });
  return deepFreeze(ask('srv', encode({ uri: uri ?? null, srv: srv ?? null, current, ...others, seed: seedOf(seed) })));
}

/**
 * The options of a connection string that say a read preference, ready to stand behind
 * the question mark.
 *
 * @param {import('./topology.js').AnyReadPreference} readPreference
 * @returns {string} such as `readPreference=secondary&readPreferenceTags=dc:ny`
 * @throws {ReadPrefError} `invalidURIOption` for what no connection string can say
 */
export function toURI(readPreference) {
  return ask('to_uri', `{"readPreference":${preferenceText(readPreference)}}`).query;
}

/** The options that hold secrets. */
const SECRETS = ['tlsCertificateKeyFilePassword', 'proxyPassword', 'authMechanismProperties'];

/** @param {any} document */
function connectionString(document) {
  const read = { ...document, readPreference: preferenceFromNormalForm(document.readPreference) };
  // console.log ends in log files, where a password has no business.
  Object.defineProperty(read, inspectCustom, { value: withoutSecrets });
  return deepFreeze(read);
}

/** @this {any} */
function withoutSecrets() {
  const options = { ...this.options };
  for (const name of SECRETS) if (name in options) options[name] = '<hidden>';
  return { ...this, password: this.password === null ? null : '<hidden>', options };
}
