// The hand-written declarations say what the sources are: index.d.ts declares
// each thing that index.js exports, with a type that the source fits.
import type * as declared from '../../src/index.js';
import { buildInfo, methods } from '../../src/about.js';
import { advise } from '../../src/advise.js';
import { Checkout } from '../../src/checkout.js';
import { command } from '../../src/command.js';
import { diff } from '../../src/diff.js';
import { effectivePreference } from '../../src/effective-preference.js';
import { readable, writable } from '../../src/readable.js';
import { rtt } from '../../src/rtt.js';
import { ServerSelectionTimeoutError } from '../../src/timeout-error.js';
import { parseURI, pollSRV, resolveSRV, toURI } from '../../src/uri.js';
import { init, initSync } from '../../src/engine.js';
import { statusByCode } from '../../src/codes.js';
import { ReadPrefError } from '../../src/errors.js';
import { Explanation } from '../../src/explanation.js';
import { importTopology } from '../../src/import-topology.js';
import { parseHello } from '../../src/parse-hello.js';
import { call, callRaw } from '../../src/raw.js';
import { ReadPreference } from '../../src/read-preference.js';
import { explain, select } from '../../src/select.js';
import { Selection } from '../../src/selection.js';
import { explainShards, selectShards } from '../../src/shards.js';
import { simulate, simulateAsync } from '../../src/simulate.js';
import { Topology } from '../../src/topology.js';
import { Validation, validate } from '../../src/validate.js';
import { whatIf } from '../../src/what-if.js';

type Declared = typeof declared;

// What is made by the engine has a private constructor in the declarations; its
// instances are compared.
type Results = 'Checkout' | 'Explanation' | 'Selection' | 'ServerSelectionTimeoutError' | 'Validation';
export const instances: [declared.Checkout, declared.Explanation, declared.Selection, declared.ServerSelectionTimeoutError, declared.Validation] = [] as unknown as [
  Checkout,
  Explanation,
  Selection,
  ServerSelectionTimeoutError,
  Validation,
];

export const exports: Omit<Declared, Results> = {
  ReadPrefError,
  ReadPreference,
  Topology,
  advise,
  buildInfo,
  call,
  callRaw,
  command,
  diff,
  effectivePreference,
  explain,
  explainShards,
  importTopology,
  init,
  initSync,
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
  simulateAsync,
  statusByCode,
  toURI,
  validate,
  whatIf,
  writable,
};
