// The Node.js driver's selection behind the bench's line protocol
// (bench/README.md). setup.sh puts it beside the driver.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { serve } from './lines.mjs';

// The driver's own files, by path: what is measured is not exported.
const load_ = createRequire(import.meta.url);
const lib = (name) => load_(join(import.meta.dirname, 'node_modules/mongodb/lib', name));
const { readPreferenceServerSelector, DeprioritizedServers } = lib('sdam/server_selection.js');
const { ServerDescription } = lib('sdam/server_description.js');
const { TopologyDescription } = lib('sdam/topology_description.js');
const { ReadPreference } = lib('read_preference.js');
const { shuffle } = lib('utils.js');

const hellos = {
  RSPrimary: { setName: 'rs0', isWritablePrimary: true },
  RSSecondary: { setName: 'rs0', secondary: true },
  Mongos: { msg: 'isdbgrid' },
};

function describe(server) {
  const { minWireVersion, maxWireVersion, tags } = server;
  const hello = { ok: 1, minWireVersion, maxWireVersion, ...hellos[server.type] };
  if (tags) hello.tags = tags;
  if (server.lastWriteDate !== undefined) hello.lastWrite = { lastWriteDate: new Date(server.lastWriteDate) };
  const described = new ServerDescription(server.address, hello, { roundTripTime: server.roundTripTimeMS });
  described.lastUpdateTime = server.lastUpdateTimeMS;
  if (described.type !== server.type) throw new Error(`${server.address} became ${described.type}`);
  return described;
}

function load(text) {
  const { topology, readPreference, heartbeatFrequencyMS, localThresholdMS } = JSON.parse(text);
  const described = new Map(topology.servers.map((s) => [s.address, describe(s)]));
  const description = new TopologyDescription(topology.type, described, topology.setName, null, null, null, {
    heartbeatFrequencyMS,
    localThresholdMS,
  });
  if (description.compatibilityError) throw new Error(description.compatibilityError);
  const { mode, tags, ...options } = readPreference;
  const preference = new ReadPreference(mode, tags, options);
  const servers = new Map([...described.keys()].map((address) => [address, { s: { operationCount: 0 } }]));
  const none = new DeprioritizedServers();
  const select = () => readPreferenceServerSelector(preference)(description, Array.from(description.servers.values()), none);
  let sink;
  const works = {
    // The steps of the driver's processWaitQueue for one waiting operation.
    cold(n) {
      for (let i = 0; i < n; i++) {
        const found = select();
        if (found.length === 1) {
          sink = servers.get(found[0].address);
        } else {
          const [one, two] = shuffle(found, 2);
          const a = servers.get(one.address);
          const b = servers.get(two.address);
          sink = a && b && a.s.operationCount < b.s.operationCount ? a : b;
        }
      }
      return sink;
    },
  };
  return [{ window: select().map((d) => d.address) }, works];
}

serve(load);
