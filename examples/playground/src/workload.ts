// The read that is shown, and those beside it, as simulate, what_if, advise and diff take them.
import type { Case, Settings, Workload } from './case.js';

export const THIS_READ = 'this operation';

export function thisRead({ settings }: Pick<Case, 'settings'>): Workload {
  return { name: THIS_READ, readPreference: settings.readPreference, operation: settings.operation };
}

/** Of a case's settings those that the operators' methods share. */
export function operatorSettings({ localThresholdMS, heartbeatFrequencyMS, wireVersions }: Settings) {
  return { localThresholdMS, heartbeatFrequencyMS, wireVersions };
}
