// The Node.js driver's own selection and its reducer of hello replies, behind
// the lines that ../../peer.go writes. The argument is the driver's folder.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folder = process.argv[2];
const load = createRequire(join(folder, 'package.json'));
// The driver's own files, by path: what is compared is not exported.
const lib = (name) => load(join(folder, 'lib', name));
const { readPreferenceServerSelector, secondaryWritableServerSelector, DeprioritizedServers } = lib('sdam/server_selection.js');
const { ServerDescription } = lib('sdam/server_description.js');
const { TopologyDescription } = lib('sdam/topology_description.js');
const { ReadPreference } = lib('read_preference.js');
const { MongoCompatibilityError, MongoNetworkError } = lib('error.js');
const { EJSON } = lib('bson.js').EJSON ? lib('bson.js') : load('bson');

const roles = {
  RSPrimary: { setName: 'rs0', isWritablePrimary: true },
  RSSecondary: { setName: 'rs0', secondary: true },
  RSArbiter: { setName: 'rs0', arbiterOnly: true },
  RSOther: { setName: 'rs0', hidden: true },
  RSGhost: { isreplicaset: true },
  Mongos: { msg: 'isdbgrid' },
  Standalone: {},
  LoadBalancer: {},
};

/** A case that this adapter cannot put to the driver. */
class HarnessError extends Error {}

function describe(server) {
  if (server.type === 'Unknown' || server.type === 'PossiblePrimary') return new ServerDescription(server.address);
  const { minWireVersion = 0, maxWireVersion = 0, tags, lastWriteDate } = server;
  const hello = { ok: 1, minWireVersion, maxWireVersion, ...roles[server.type] };
  if (tags) hello.tags = tags;
  if (lastWriteDate !== undefined) hello.lastWrite = { lastWriteDate: new Date(lastWriteDate) };
  const options = { loadBalanced: server.type === 'LoadBalancer' };
  if (server.roundTripTimeMS !== undefined) options.roundTripTime = server.roundTripTimeMS;
  const described = new ServerDescription(server.address, hello, options);
  if (described.type !== server.type) throw new HarnessError(`${server.address} became ${described.type}`);
  if (server.lastUpdateTimeMS !== undefined) described.lastUpdateTime = server.lastUpdateTimeMS;
  return described;
}

/** The selector that executeOperation makes for an operation of that kind. */
function selectorOf(operation, asked, commonWireVersion) {
  if (operation === 'write') return readPreferenceServerSelector(ReadPreference.primary);
  const { mode, tags, ...options } = asked;
  const preference = new ReadPreference(mode, tags, options);
  if (operation === 'aggregateWithWriteStage') return secondaryWritableServerSelector(commonWireVersion, preference);
  return readPreferenceServerSelector(preference);
}

function select({ topology, readPreference, operation, deprioritized = [], heartbeatFrequencyMS, localThresholdMS }) {
  const described = new Map(topology.servers.map((s) => [s.address, describe(s)]));
  // The driver keeps the least maxWireVersion that it has heard while it applies replies.
  const versions = [...described.values()].map((d) => d.maxWireVersion).filter((v) => v !== 0);
  const common = versions.length > 0 ? Math.min(...versions) : 0;
  const description = new TopologyDescription(topology.type, described, topology.setName, null, null, common, {
    heartbeatFrequencyMS,
    localThresholdMS,
  });
  const selector = selectorOf(operation, readPreference, description.commonWireVersion);
  if (description.compatibilityError) throw new MongoCompatibilityError(description.compatibilityError);
  const avoided = new DeprioritizedServers(deprioritized.map((address) => ({ address })));
  const found = selector(description, Array.from(description.servers.values()), avoided);
  return { window: found.map((d) => d.address) };
}

function state(topology) {
  const servers = {};
  for (const [address, d] of topology.servers) servers[address] = d.type;
  return {
    type: topology.type,
    setName: topology.setName,
    maxSetVersion: topology.maxSetVersion,
    maxElectionId: topology.maxElectionId ? topology.maxElectionId.toHexString() : null,
    servers,
  };
}

function reduce({ seeds, replicaSet, directConnection, replies }) {
  // As in the constructor of the driver's Topology.
  const type = directConnection ? 'Single' : replicaSet ? 'ReplicaSetNoPrimary' : 'Unknown';
  const servers = new Map(seeds.map((s) => [s, new ServerDescription(s)]));
  let topology = new TopologyDescription(type, servers, replicaSet, null, null, null, {});
  const steps = [];
  for (const { address, hello } of replies) {
    // Topology.serverUpdateHandler drops what comes from a server that it no longer has.
    if (topology.hasServer(address)) {
      const description =
        hello.ok === 1
          ? new ServerDescription(address, hello, { roundTripTime: 1 })
          : new ServerDescription(address, undefined, { error: new MongoNetworkError('refused') });
      topology = topology.update(description);
    }
    steps.push(state(topology));
  }
  return { steps };
}

process.stdout.write(JSON.stringify({ version: load(join(folder, 'package.json')).version }) + '\n');
const works = { select, sdam: reduce };
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const [kind, document] = line.split('\t');
  let answer;
  try {
    answer = works[kind](kind === 'select' ? JSON.parse(document) : EJSON.parse(document));
  } catch (error) {
    answer = error instanceof HarnessError ? { harness: error.message } : { error: `${error.name}: ${error.message}` };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
