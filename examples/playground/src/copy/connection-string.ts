// A connection string of the members, and of the options that the engine's `to_uri` writes.
import type { Case } from '../case.js';
import { ask, type Answer } from '../engine.js';
import type { NormalPreference } from './preference.js';

export function connectionString({ topologies, settings }: Case, preference: NormalPreference): Answer<string> {
  const { answer, problem } = ask<{ query: string }>('to_uri', { readPreference: preference });
  if (answer === undefined) return { problem };
  // Of a sharded cluster clients know the mongos, which come first.
  const { topology } = topologies[0]!;
  // A path of a socket is the one kind of address that is escaped.
  const hosts = topology.servers.map(({ address }) => (address.includes('/') ? encodeURIComponent(address) : address)).join(',');
  const options = [];
  if (topology.setName !== undefined) options.push(`replicaSet=${encodeURIComponent(topology.setName)}`);
  if (preference.mode !== 'primary') options.push(answer.query);
  if (settings.localThresholdMS !== undefined) options.push(`localThresholdMS=${settings.localThresholdMS}`);
  if (settings.heartbeatFrequencyMS !== undefined) options.push(`heartbeatFrequencyMS=${settings.heartbeatFrequencyMS}`);
  return { answer: `mongodb://${hosts}/${options.length > 0 ? `?${options.join('&')}` : ''}` };
}
