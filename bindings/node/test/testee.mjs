// The conformance testee of this package: docs/testee.md describes what it
// speaks on its standard streams.
import { Instance } from '../src/instance.js';
import { loadModule } from '../src/load-module-node.js';
import { answerLine } from './testee/answer.mjs';
import { serve } from './testee/lines.mjs';

await serve((line) => answerLine(line, () => new Instance(loadModule())));
