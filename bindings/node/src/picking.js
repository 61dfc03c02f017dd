import { encode } from './encode.js';
import { ReadPrefError } from './errors.js';
import { isRecord, membersOf } from './reading.js';

/** The operations, by the flags of rp_select. @type {Map<unknown, number>} */
const flagsOf = new Map([
  [undefined, 0],
  [null, 0],
  ['read', 0],
  ['write', 1],
  ['aggregateWithWriteStage', 2],
]);

/** What a selection may be told. */
const keys = ['operation', 'deprioritized', 'customSelector'];

/** For flags: only a document can say what is asked for, and the engine what is wrong with it. */
export const IN_WORDS = -1;

/** What an argument or a method of its own stands for, and may not come in as an option. */
const arguments_ = ['topology', 'readPreference', 'count', 'checkout'];

/** What a selection is for, and what it shall avoid, as the engine takes it. */
export class Picking {
  #members;

  /** @param {Record<string, unknown>} members the keys of `topology.select` besides handles */
  constructor(members) {
    this.#members = members;
    const { operation, deprioritized, customSelector } = members;
    const known = flagsOf.get(operation);
    /** @readonly */
    this.flags = known !== undefined && Object.keys(members).every((key) => keys.includes(key)) ? known : IN_WORDS;
    const isPlain = (deprioritized === undefined || deprioritized === null) && (customSelector === undefined || customSelector === null);
    /** The document of rp_select_ex, where one is needed. @readonly */
    this.extras = isPlain ? undefined : encode({ deprioritized, customSelector });
  }

  /** Members of a document that says it all, each with a comma before it. */
  text() {
    const text = encode(this.#members).slice(1, -1);
    return text === '' ? '' : `,${text}`;
  }
}

const plain = new Picking({});

/**
 * @param {unknown} options
 * @returns {Picking}
 * @throws {ReadPrefError} what is no options at all; the engine refuses what is none of its keys
 */
export function pickingOf(options) {
  return options === undefined || options === null ? plain : new Picking(optionsOf(options));
}

/**
 * The caller's options of a selection, each read once.
 *
 * @param {unknown} options
 * @returns {Record<string, unknown>}
 */
export function optionsOf(options) {
  if (options === undefined || options === null) return {};
  if (!isRecord(options, '')) throw new ReadPrefError('argument', 'options are an object, {operation: "write"}');
  const members = membersOf(options, '');
  for (const key of arguments_) {
    if (key in members) throw new ReadPrefError('unknownKey', 'an argument, or a method, of its own, and no option here', { path: key });
  }
  return members;
}
