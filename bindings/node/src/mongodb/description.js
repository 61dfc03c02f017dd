// The driver's descriptions as readpref's. The driver measures in whole milliseconds, and averages them; it keeps what a
// server did not say as null, 0, -1 or an empty list.

/** What has no hello reply says nothing of these. */
const WITHOUT_HELLO = ['Unknown', 'PossiblePrimary', 'LoadBalancer'];

/**
 * What heartbeats said since the description was made.
 *
 * @typedef {Pick<import('mongodb').ServerDescription, 'lastUpdateTime'> & {
 *   roundTripTime: number | undefined,
 *   minRoundTripTime: number | undefined,
 *   lastWriteDate: unknown,
 * }} News
 */

/**
 * @param {import('mongodb').TopologyDescription} topology
 * @param {{get(address: string): News | undefined}} [news] by address
 * @returns {import('../index.js').TopologyDescription} frozen
 */
export function convert(topology, news) {
  return deepFreeze(
    known({
      type: topology.type,
      setName: topology.setName,
      servers: [...topology.servers.values()].map((server) => serverOf(server, news?.get(server.address))),
      maxElectionId: objectId(topology.maxElectionId),
      maxSetVersion: topology.maxSetVersion,
      logicalSessionTimeoutMinutes: topology.logicalSessionTimeoutMinutes,
    }),
  );
}

/**
 * A description with the operations in progress, which the driver's lack.
 *
 * @param {import('../index.js').TopologyDescription} description
 * @param {{get(address: string): number | undefined}} [operationCounts] by address
 */
export function counted(description, operationCounts) {
  if (operationCounts === undefined) return description;
  const servers = description.servers?.map((server) => {
    const operationCount = operationCounts.get(server.address) ?? 0;
    return operationCount === 0 ? server : { ...server, operationCount };
  });
  return deepFreeze({ ...description, servers });
}

/**
 * @param {import('mongodb').ServerDescription} server
 * @param {News} [news]
 * @returns {import('../index.js').ServerDescriptionInput}
 */
function serverOf(server, news) {
  const { address, type, error } = server;
  /** @type {Record<string, unknown>} */
  const described = {
    address,
    type,
    topologyVersion: topologyVersion(server.topologyVersion),
    error: error ? String(error.message || error.name) : undefined,
  };
  if (!WITHOUT_HELLO.includes(type)) {
    const { roundTripTime = -1, minRoundTripTime = 0, lastWriteDate, lastUpdateTime } = news ?? server;
    Object.assign(described, {
      roundTripTimeMS: roundTripTime >= 0 ? roundTripTime : undefined,
      // 0 stands for too few samples.
      minRoundTripTimeMS: minRoundTripTime > 0 ? minRoundTripTime : undefined,
      tags: Object.keys(server.tags ?? {}).length > 0 ? { ...server.tags } : undefined,
      lastWriteDate: milliseconds(lastWriteDate),
      lastUpdateTimeMS: lastUpdateTime,
      minWireVersion: server.minWireVersion,
      maxWireVersion: server.maxWireVersion,
      setName: server.setName,
      setVersion: server.setVersion,
      electionId: objectId(server.electionId),
      primary: server.primary,
      me: server.me,
      hosts: listed(server.hosts),
      passives: listed(server.passives),
      arbiters: listed(server.arbiters),
      logicalSessionTimeoutMinutes: server.logicalSessionTimeoutMinutes,
      iscryptd: server.iscryptd ? true : undefined,
    });
  }
  return /** @type {any} */ (known(described));
}

/**
 * @template {object} T
 * @param {T} described
 * @returns {any}
 */
function known(described) {
  return Object.fromEntries(Object.entries(described).filter(([, value]) => value !== null && value !== undefined));
}

/** @param {string[] | undefined} addresses */
function listed(addresses) {
  return addresses?.length ? [...addresses] : undefined;
}

/**
 * A date as milliseconds; the driver declares a number, holds a Date, and has 0 for none.
 *
 * @param {any} date
 */
function milliseconds(date) {
  const time = Number(date ?? 0);
  return time > 0 ? time : undefined;
}

/** @param {any} value */
function objectId(value) {
  return typeof value?.toHexString === 'function' ? { $oid: value.toHexString() } : undefined;
}

/** @param {any} version its counter is a number, a BigInt or a Long */
function topologyVersion(version) {
  const processId = objectId(version?.processId);
  const counter = String(version?.counter);
  return processId === undefined || !/^-?\d+$/.test(counter) ? undefined : { processId, counter: { $numberLong: counter } };
}

/**
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function deepFreeze(value) {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
