// The versions of the driver that readpref/mongodb is tried with: the newest, and the newest of the major before.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** @param {string} name of the package in node_modules */
function driver(name) {
  const { TopologyDescription } = require(`${name}/lib/sdam/topology_description.js`);
  const { ServerDescription } = require(`${name}/lib/sdam/server_description.js`);
  const selection = require(`${name}/lib/sdam/server_selection.js`);
  return {
    /** @type {string} */
    version: require(`${name}/package.json`).version,
    /** @type {typeof import('mongodb')} */
    mongodb: require(name),
    /**
     * What the driver makes of replies.
     *
     * @param {string} type
     * @param {[address: string, hello: object | undefined, options?: {roundTripTime?: number, minRoundTripTime?: number, error?: Error, loadBalanced?: boolean}][]} replies
     * @param {string | null} [setName]
     * @returns {import('mongodb').TopologyDescription}
     */
    description(type, replies, setName = null) {
      const servers = new Map(replies.map(([address, hello, options]) => [address, new ServerDescription(address, hello, options)]));
      return new TopologyDescription(type, servers, setName, null, null, null, { heartbeatFrequencyMS: 10_000, localThresholdMS: 15 });
    },
    /**
     * The addresses of which the driver draws two.
     *
     * @param {import('mongodb').TopologyDescription} description
     * @param {import('mongodb').ReadPreference} preference
     * @returns {string[]}
     */
    inLatencyWindow(description, preference) {
      const none = selection.DeprioritizedServers === undefined ? [] : new selection.DeprioritizedServers();
      const select = selection.readPreferenceServerSelector(preference);
      return select(description, [...description.servers.values()], none).map((/** @type {{address: string}} */ server) => server.address);
    },
  };
}

export const newest = driver('mongodb');
export const drivers = [newest, driver('mongodb-6')];
