// a is the primary; b and c are 5 ms and 150 ms away. The latency window of 15 ms
// ends at 20 ms where secondaries are asked for, and holds b alone.
/** @type {import('readpref').ServerDescription[]} */
export const servers = [
  { address: 'a.example:27017', type: 'RSPrimary', roundTripTimeMS: 2.4, tags: { dc: 'ny' } },
  { address: 'b.example:27017', type: 'RSSecondary', roundTripTimeMS: 5, tags: { dc: 'ny' } },
  { address: 'c.example:27017', type: 'RSSecondary', roundTripTimeMS: 150, tags: { dc: 'sf' } },
];

/** @type {{type: 'ReplicaSetWithPrimary', setName: string, servers: import('readpref').ServerDescription[]}} */
export const replicaSet = { type: 'ReplicaSetWithPrimary', setName: 'rs0', servers };

/** The replies of the same members, as EJSON.stringify(db.hello()) printed them. */
const reply = {
  setName: 'rs0',
  setVersion: 1,
  primary: 'a.example:27017',
  hosts: servers.map((s) => s.address),
  minWireVersion: 0,
  maxWireVersion: 25,
  lastWrite: { lastWriteDate: { $date: '2026-10-26T01:46:40Z' } },
  ok: 1,
};

export const savedReplies = servers.map(({ address, type, roundTripTimeMS, tags }) => ({
  address,
  roundTripTimeMS,
  nowMS: 1793000000950,
  hello: { ...reply, me: address, tags, isWritablePrimary: type === 'RSPrimary', secondary: type === 'RSSecondary' },
}));
