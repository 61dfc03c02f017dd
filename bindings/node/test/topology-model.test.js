// A Topology beside a model that is simple enough to be seen right: whatever is done,
// in whatever order, ids, counts and errors are those of the model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Topology } from 'readpref';

/** @typedef {{id: number, count: number}} Member what is known of an address for ever */
/** @typedef {{members: Map<string, Member>, present: Map<string, string>, checkouts: number, generations: number, isClosed: boolean}} Model */
/** @typedef {{topology: Topology, checkouts: {checkout: import('readpref').Checkout, address: string}[], generations: Set<number>}} Real */

const addresses = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example:27017`);

/** @param {[string, string][]} servers by address, their types */
const describe = (servers) => /** @type {any} */ ({ type: 'ReplicaSetNoPrimary', servers: servers.map(([address, type]) => ({ address: address.toUpperCase(), type })) });

/** Who may serve: without a primary, and with all as near, it is the secondaries, whatever the mode. @param {Model} model */
function suitable(model) {
  return [...model.present].filter(([, type]) => type === 'RSSecondary').map(([address]) => address);
}

/**
 * @param {Model} model
 * @param {string} address
 */
const memberOf = (model, address) => /** @type {Member} */ (model.members.get(address));

/** @param {Model} model @param {() => unknown} use */
function closedIsTold(model, use) {
  if (!model.isClosed) return false;
  assert.throws(use, { name: 'ReadPrefError', code: 'handle' });
  return true;
}

/** Which of several is taken: the least busy of two different ones, so never the only busiest. */
/** @param {Model} model @param {string[]} among @param {string} taken */
function isAllowed(model, among, taken) {
  assert.ok(among.includes(taken), `${taken} of ${among}`);
  const busier = among.filter((address) => memberOf(model, address).count >= memberOf(model, taken).count);
  if (among.length > 1) assert.ok(busier.length > 1, `${taken} is busier than all others`);
}

/** @implements {fc.Command<Model, Real>} */
class Select {
  /** @param {string} mode @param {boolean} counts @param {string[]} keepOnly */
  constructor(mode, counts, keepOnly) {
    this.mode = mode;
    this.counts = counts;
    this.keepOnly = keepOnly;
  }

  check() {
    return true;
  }

  /** @param {Model} model @param {Real} real */
  run(model, real) {
    const options = { customSelector: { keepOnly: this.keepOnly } };
    const act = () => (this.counts ? real.topology.checkout(/** @type {any} */ (this.mode), options) : real.topology.selectSync(/** @type {any} */ (this.mode), options));
    if (closedIsTold(model, act)) return;
    const among = suitable(model).filter((address) => this.keepOnly.includes(address));
    if (among.length === 0) {
      assert.throws(act, { code: 'noServer' });
      return;
    }
    const found = act();
    isAllowed(model, among, found.address);
    assert.equal(found.id, memberOf(model, found.address).id);
    if (!this.counts) return;
    memberOf(model, found.address).count++;
    real.checkouts.push({ checkout: /** @type {any} */ (found), address: found.address });
    model.checkouts++;
  }

  toString() {
    return `${this.counts ? 'checkout' : 'selectSync'}(${this.mode}, ${this.keepOnly})`;
  }
}

/** @implements {fc.Command<Model, Real>} */
class Release {
  /** @param {number} which @param {boolean} twice */
  constructor(which, twice) {
    this.which = which;
    this.twice = twice;
  }

  /** @param {Readonly<Model>} model */
  check(model) {
    return model.checkouts > 0;
  }

  /** @param {Model} model @param {Real} real */
  run(model, real) {
    const [{ checkout, address }] = real.checkouts.splice(this.which % real.checkouts.length, 1);
    model.checkouts--;
    checkout.release();
    if (this.twice) checkout.release();
    const member = memberOf(model, address);
    member.count = Math.max(0, member.count - 1);
  }

  toString() {
    return `release(${this.which})`;
  }
}

/** @implements {fc.Command<Model, Real>} */
class Update {
  /** @param {[string, string][]} servers */
  constructor(servers) {
    this.servers = servers;
  }

  check() {
    return true;
  }

  /** @param {Model} model @param {Real} real */
  run(model, real) {
    const act = () => real.topology.update(describe(this.servers));
    if (closedIsTold(model, act)) return;
    const generation = act();
    assert.ok(!real.generations.has(generation), 'every description has a generation of its own');
    real.generations.add(generation);
    assert.equal(real.topology.generation, generation);
    learn(model, this.servers);
  }

  toString() {
    return `update(${JSON.stringify(this.servers)})`;
  }
}

/** @param {Model} model @param {[string, string][]} servers */
function learn(model, servers) {
  model.present = new Map(servers);
  for (const [address] of servers) {
    if (!model.members.has(address)) model.members.set(address, { id: model.members.size, count: 0 });
  }
}

/** @implements {fc.Command<Model, Real>} */
class Refused {
  check() {
    return true;
  }

  /** @param {Model} model @param {Real} real */
  run(model, real) {
    const act = () => real.topology.update(/** @type {any} */ ({ servers: [{ address: 'new.example', type: 'RSSecondary' }, { address: 'x' }] }));
    if (!closedIsTold(model, act)) assert.throws(act, { code: 'missingKey' });
  }

  toString() {
    return 'update(bad)';
  }
}

/** @implements {fc.Command<Model, Real>} */
class Batch {
  /** @param {number} count */
  constructor(count) {
    this.count = count;
  }

  check() {
    return true;
  }

  /** @param {Model} model @param {Real} real */
  run(model, real) {
    const act = () => real.topology.batch('secondary', this.count, { checkout: true });
    if (closedIsTold(model, act)) return;
    const among = suitable(model);
    if (among.length === 0) {
      assert.throws(act, { code: 'noServer' });
      return;
    }
    const servers = act();
    assert.equal(servers.length, this.count);
    for (const { id, address } of servers) {
      isAllowed(model, among, address);
      const member = memberOf(model, address);
      assert.equal(id, member.id);
      member.count++;
    }
    for (const server of servers) assert.equal(real.topology.release(server), --memberOf(model, server.address).count);
  }

  toString() {
    return `batch(${this.count})`;
  }
}

/** @implements {fc.Command<Model, Real>} */
class Look {
  check() {
    return true;
  }

  /** @param {Model} model @param {Real} real */
  run(model, real) {
    if (closedIsTold(model, () => real.topology.describe())) return;
    const { servers } = real.topology.describe().topology;
    const expected = [...model.present].map(([address, type]) => [address, type, memberOf(model, address).count]);
    assert.deepEqual(servers.map((s) => [s.address.toLowerCase(), s.type, s.operationCount ?? 0]), expected); // prettier-ignore
    for (const [address, { id }] of model.members) assert.equal(real.topology.address(id), address);
    assert.throws(() => real.topology.address(model.members.size), { code: 'argument' });
  }

  toString() {
    return 'describe';
  }
}

/** @implements {fc.Command<Model, Real>} */
class Close {
  check() {
    return true;
  }

  /** @param {Model} model @param {Real} real */
  run(model, real) {
    real.topology.close();
    model.isClosed = true;
  }

  toString() {
    return 'close';
  }
}

const address = fc.constantFrom(...addresses);
const servers = fc.uniqueArray(fc.tuple(address, fc.constantFrom('RSSecondary', 'RSOther', 'Unknown')), { selector: ([a]) => a, maxLength: 5 });
const commands = fc.commands(
  [
    fc.tuple(fc.constantFrom('secondary', 'secondaryPreferred', 'nearest'), fc.boolean(), fc.subarray(addresses)).map(([mode, counts, only]) => new Select(mode, counts, only)),
    fc.tuple(fc.nat(), fc.boolean()).map(([which, twice]) => new Release(which, twice)),
    servers.map((list) => new Update(/** @type {[string, string][]} */ (list))),
    fc.integer({ min: 1, max: 20 }).map((count) => new Batch(count)),
    fc.constant(new Refused()),
    fc.constant(new Look()),
    fc.integer({ min: 0, max: 9 }).map((n) => (n === 0 ? new Close() : new Look())),
  ],
  { size: '+1' },
);

test('a topology does what its model does', () => {
  fc.assert(
    fc.property(servers, commands, (first, list) => {
      const start = /** @type {[string, string][]} */ (first);
      const topology = new Topology(describe(start));
      fc.modelRun(() => {
        /** @type {Model} */
        const model = { members: new Map(), present: new Map(), checkouts: 0, generations: 1, isClosed: false };
        learn(model, start);
        return { model, real: { topology, checkouts: [], generations: new Set([topology.generation]) } };
      }, list);
      topology.close();
    }),
    { numRuns: 300 },
  );
});
