import { PICKS, type Case } from './case.js';
import { changeSettings } from './changes.js';
import { NumberField } from './number-field.js';

/** The client's settings that have a part in selection. */
export function SettingsEditor({ shown, update, problemPath }: { shown: Case; update: (change: (before: Case) => Case) => void; problemPath: string }) {
  const { settings } = shown;
  return (
    <section class="panel" aria-labelledby="client-title">
      <h2 id="client-title">Client</h2>
      <div class="row">
        <NumberField label="localThresholdMS" value={settings.localThresholdMS} placeholder="15" invalid={problemPath === 'localThresholdMS'} onChange={(localThresholdMS) => update((before) => changeSettings(before, { localThresholdMS }))} />
        <NumberField label="heartbeatFrequencyMS" value={settings.heartbeatFrequencyMS} placeholder="10000" invalid={problemPath === 'heartbeatFrequencyMS'} onChange={(heartbeatFrequencyMS) => update((before) => changeSettings(before, { heartbeatFrequencyMS }))} />
      </div>
      <div class="row">
        <label class="field">
          <span class="label">Pick</span>
          <select value={settings.pick ?? 'leastBusyOfTwo'} onChange={(event) => update((before) => changeSettings(before, { pick: event.currentTarget.value === 'leastBusyOfTwo' ? undefined : event.currentTarget.value }))}>
            {PICKS.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <NumberField label="Seed" value={settings.seed} placeholder="0" invalid={problemPath === 'seed'} onChange={(seed) => update((before) => changeSettings(before, { seed }))} />
      </div>
    </section>
  );
}
