// One kind of call very often, on the Node.js package; prints resident memory
// as it goes. See soak.py.
import { readFileSync } from 'node:fs';
import * as readpref from '../bindings/node/dist/node.js';

const [kind, callsText, samplesText, topology, preference, select, seeds, ...hellos] = process.argv.slice(2);
const calls = Number(callsText);
const samples = Number(samplesText);
const open = (text) => {
  const { topology: description, ...options } = JSON.parse(text);
  return new readpref.Topology(description, options);
};
const opened = open(topology);
const asked = readpref.ReadPreference.fromDocument(JSON.parse(preference).readPreference);
const discovered = readpref.Topology.fromDocument ? readpref.Topology.fromDocument(JSON.parse(seeds)) : open(seeds);
discovered.listen?.(() => {}); // as a host does: what happened is fetched, and acknowledged
const replies = hellos.map((text) => JSON.parse(text));
const data = new TextEncoder().encode(select);
const residentKiB = () => Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[1]) * 4;
for (let k = 0; k <= samples; k++) {
  console.log(`${Math.floor(calls / samples) * k} ${residentKiB()}`);
  if (k === samples) break;
  for (let i = 0; i < Math.floor(calls / samples); i++) {
    if (kind === 'select') {
      opened.selectSync(asked);
    } else if (kind === 'json') {
      readpref.callRaw('select', data);
    } else {
      const { address, hello, roundTripTimeMS, nowMS } = replies[i % 2];
      discovered.onHello(address, hello, { roundTripTimeMS, nowMS });
    }
  }
}
opened.close();
discovered.close();
