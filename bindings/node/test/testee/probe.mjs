// What a careless host of the module might pass: not reachable through the
// package's exports, so these go to the instance below them.
const CAPACITY = 64 * 1024;
const NULL = 0;
const MAX_UINT32 = 0xffffffff;

/**
 * @param {string} name
 * @param {any} instance a new one
 * @returns {{status: number, out: string}}
 */
export function probe(name, instance) {
  const input = instance.rawBuffer(0, CAPACITY);
  const output = instance.rawBuffer(1, CAPACITY);

  /** @type {(offset: number, text: string) => number} */
  const put = (offset, text) => {
    instance.memory().set(new TextEncoder().encode(text), input + offset);
    return input + offset;
  };
  /** @type {(...call: [number, number, number, number]) => {status: number, out: string}} */
  const document = (...call) => {
    const n = instance.rawCall(...call, output, CAPACITY);
    const out = new TextDecoder().decode(instance.memory().slice(output, output + Math.abs(n)));
    return { status: n < 0 ? JSON.parse(out).error.status : 0, out };
  };
  /** @type {(kept: boolean) => {status: number, out: string}} */
  const verdict = (kept) => ({ status: 0, out: kept ? 'ok' : 'the contract was not kept' });
  /** @type {() => [number, number, number, number]} */
  const buildInfo = () => [put(0, 'build_info'), 10, put(10, '{}'), 2];

  switch (name) {
    case 'nullMethod':
      return document(NULL, 6, put(0, '{}'), 2);
    case 'nullIn':
      return document(put(0, 'select'), 6, NULL, 2);
    case 'absurdLength':
      return document(put(0, 'select'), 6, put(6, '{}'), MAX_UINT32);
    case 'emptyIn':
      return document(put(0, 'select'), 6, put(6, '{}'), 0);
    case 'nullOut':
      // An error that cannot be written anywhere: the sign is all there is.
      return verdict(instance.rawCall(...buildInfo(), NULL, CAPACITY) < 0);
    case 'shortOut': {
      const n = instance.rawCall(...buildInfo(), NULL, 0);
      let kept = n > 0;
      for (let short = 0; kept && short < n; short++) {
        instance.memory().fill(0xa5, output, output + CAPACITY);
        kept = instance.rawCall(...buildInfo(), output, short) === n;
        kept &&= instance.memory().subarray(output, output + CAPACITY).every((/** @type {number} */ byte) => byte === 0xa5);
      }
      return verdict(kept);
    }
    case 'askLength': {
      const n = instance.rawCall(...buildInfo(), NULL, 0);
      return verdict(n > 0 && instance.rawCall(...buildInfo(), output, n) === n);
    }
    default:
      throw new Error(`unknown probe ${name}`);
  }
}
