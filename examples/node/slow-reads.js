// Says of every slow read of a client why it went to its server: from what the client knew when it sent the command, and
// not from what it knows when the answer is there.
import { explain } from 'readpref';
import { topologyDescription, watch } from 'readpref/mongodb';

/** The commands that select a server by read preference. A getMore goes where its cursor is. */
const READS = new Set(['find', 'aggregate', 'count', 'distinct', 'listCollections', 'listIndexes', 'listDatabases', 'dbStats', 'collStats']);

/**
 * @typedef {object} SlowRead
 * @property {string} command `find`
 * @property {string} namespace `shop.orders`
 * @property {string} address of the server that served it
 * @property {number} durationMS from the command's start to its answer, or its failure
 * @property {string | undefined} failure
 * @property {import('readpref').Explanation | undefined} explanation of the topology when the command was sent; undefined where readpref
 *   refuses what the driver took, and `why` says so
 * @property {string} why the server: a sentence
 * @property {string} text all of it, for a log
 */

/**
 * Watches a client. It has to be made with `monitorCommands: true`, and not be connected yet.
 *
 * @param {import('mongodb').MongoClient} client
 * @param {{thresholdMS?: number, report?: (read: SlowRead) => void}} [options] absent: 100 ms; the text goes to standard error
 * @returns {() => void} stops it
 */
export function explainSlowReads(client, { thresholdMS = 100, report = ({ text }) => console.error(text) } = {}) {
  if (!client.options.monitorCommands) throw new Error('slow reads are seen in command events: make the client with monitorCommands: true');
  watch(client);
  /** @type {Map<number, {namespace: string, readPreference: object, topology: import('readpref').TopologyDescription}>} */
  const reads = new Map();

  const started = ({ requestId, commandName, command, databaseName }) => {
    if (!READS.has(commandName)) return;
    const of = command[commandName];
    let topology;
    try {
      // Frozen, and the same object until the client hears something new: it costs next to nothing.
      topology = topologyDescription(client);
    } catch {
      // Somebody has ended the watch. What is thrown here would reach the driver, and end the read.
      return;
    }
    reads.set(requestId, {
      namespace: typeof of === 'string' ? `${databaseName}.${of}` : databaseName,
      // What the driver sends: nothing for the primary of a replica set.
      readPreference: command.$readPreference ?? { mode: 'primary' },
      topology,
    });
  };
  const ended = ({ requestId, commandName, duration, address, failure }) => {
    const read = reads.get(requestId);
    reads.delete(requestId);
    if (read === undefined || duration < thresholdMS) return;
    const { localThresholdMS, heartbeatFrequencyMS } = client.options;
    let explanation;
    let why;
    try {
      explanation = explain(read.topology, read.readPreference, { localThresholdMS, heartbeatFrequencyMS });
      why = whyHere(explanation, address);
    } catch (error) {
      // What is thrown here would reach the driver.
      why = error.message;
    }
    const slow = { command: commandName, namespace: read.namespace, address, durationMS: duration, failure: failure?.message, explanation, why };
    report({ ...slow, text: textOf(slow, read.readPreference) });
  };

  client.on('commandStarted', started).on('commandSucceeded', ended).on('commandFailed', ended);
  return () => void client.off('commandStarted', started).off('commandSucceeded', ended).off('commandFailed', ended);
}

/** Why a read was there. The draw among the servers in the latency window is the driver's. */
function whyHere({ inLatencyWindow, servers }, address) {
  const server = servers.find((one) => one.address === address);
  if (server === undefined) return 'the client did not know this server when the command began';
  if (!inLatencyWindow.includes(address)) return `it would not be selected (${server.why}): a transaction, a cursor or a retry may keep an operation there`;
  const others = inLatencyWindow.filter((other) => other !== address);
  return others.length === 0 ? 'the only server in the latency window' : `drawn from the latency window, which also has ${others.join(', ')}`;
}

function textOf({ command, namespace, address, durationMS, failure, why, explanation }, readPreference) {
  const others = (explanation?.servers ?? []).filter((server) => server.address !== address && !explanation.inLatencyWindow.includes(server.address));
  return [
    `slow ${command} on ${namespace}: ${durationMS} ms at ${address}${failure === undefined ? '' : `, failed: ${failure}`}`,
    `  read preference  ${JSON.stringify(readPreference)}`,
    `  why there        ${why}`,
    ...others.map((server, i) => `  ${i === 0 ? 'why not' : '       '}          ${server.address} ${server.type}: ${server.why}`),
  ].join('\n');
}
