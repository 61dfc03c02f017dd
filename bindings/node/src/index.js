// MongoDB server selection: which member serves this read, and why.
export { buildInfo, methods } from './about.js';
export { Checkout } from './checkout.js';
export { statusByCode } from './codes.js';
export { ReadPrefError } from './errors.js';
export { Explanation } from './explanation.js';
export { parseHello } from './parse-hello.js';
export { call, callRaw } from './raw.js';
export { ReadPreference } from './read-preference.js';
export { explain, select } from './select.js';
export { Selection } from './selection.js';
export { explainShards, selectShards } from './shards.js';
export { Topology } from './topology.js';
export { validate, Validation } from './validate.js';
