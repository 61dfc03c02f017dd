// What the members of a replica set answer: hand-made replies to hello.
export const a = 'a.example:27017';
export const b = 'b.example:27017';

const reply = { ok: 1, setName: 'rs0', hosts: [a, b], minWireVersion: 0, maxWireVersion: 25 };
export const primary = { ...reply, isWritablePrimary: true, setVersion: 1, electionId: { $oid: '7fffffff0000000000000001' } };
export const secondary = { ...reply, isWritablePrimary: false, secondary: true, primary: a };
export const seeds = { seeds: [a, b], replicaSet: 'rs0' };

/** Lets all that was put off, but no timer, run. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
