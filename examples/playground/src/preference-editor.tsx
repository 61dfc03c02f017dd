import { MODES, OPERATIONS, type Case, type Tags } from './case.js';
import { changePreference, changeSettings } from './changes.js';
import { NumberField } from './number-field.js';
import { TagsField } from './tags-field.js';

const ABOUT: Record<string, string> = {
  primary: 'The primary, or nobody.',
  primaryPreferred: 'The primary; without one, a secondary.',
  secondary: 'A secondary, or nobody.',
  secondaryPreferred: 'A secondary; without one, the primary.',
  nearest: 'Primary or secondary, whoever is near.',
};

interface Props {
  shown: Case;
  update: (change: (before: Case) => Case) => void;
  problemPath: string;
}

/** Builds a read preference, and the operation that uses it. */
export function PreferenceEditor({ shown, update, problemPath }: Props) {
  const { readPreference: preference = {}, operation = 'read' } = shown.settings;
  const mode = preference.mode ?? 'primary';
  const tags = preference.tags ?? [];
  const wrong = (key: string) => problemPath.startsWith(`readPreference.${key}`);
  const setTags = (next: (Tags | string)[]) => update((before) => changePreference(before, { tags: next.length > 0 ? next : undefined }));
  return (
    <section class="panel" aria-labelledby="preference-title">
      <div class="panel-head">
        <h2 id="preference-title">Read preference</h2>
        <label class="field inline">
          <span class="label">for a</span>
          <select value={operation} onChange={(event) => update((before) => changeSettings(before, { operation: event.currentTarget.value === 'read' ? undefined : event.currentTarget.value }))}>
            {OPERATIONS.map((each) => (
              <option key={each} value={each}>
                {each === 'aggregateWithWriteStage' ? 'aggregate with $out or $merge' : each}
              </option>
            ))}
            {!(OPERATIONS as readonly string[]).includes(operation) && <option value={operation}>{operation}</option>}
          </select>
        </label>
      </div>
      <fieldset class="modes">
        <legend class="hidden">Mode</legend>
        {[...MODES, ...((MODES as readonly string[]).includes(mode) ? [] : [mode])].map((each) => (
          <label key={each} class={each === mode ? 'mode chosen' : 'mode'}>
            <input type="radio" name="mode" value={each} checked={each === mode} onChange={() => update((before) => changePreference(before, { mode: each }))} />
            <span class="mode-name">{each}</span>
            <span class="mode-about">{ABOUT[each] ?? 'No mode of MongoDB.'}</span>
          </label>
        ))}
      </fieldset>
      <fieldset class="tag-sets">
        <legend class="label">Tag sets, the first that matches somebody counts</legend>
        {tags.map((set, i) => (
          <div class="row" key={i}>
            <span class="ordinal" aria-hidden="true">
              {i}
            </span>
            <TagsField
              label={`Tag set ${i}`}
              quiet
              value={set}
              placeholder="{} matches everybody"
              invalid={wrong(`tags[${i}]`)}
              onChange={(next) => setTags(tags.map((each, j) => (i === j ? next : each)))}
            />
            <button type="button" class="quiet icon" aria-label={`Tag set ${i}: earlier`} disabled={i === 0} onClick={() => setTags([...tags.slice(0, i - 1), set, tags[i - 1]!, ...tags.slice(i + 1)])}>
              <span aria-hidden="true">↑</span>
            </button>
            <button type="button" class="quiet icon" aria-label={`Remove tag set ${i}`} onClick={() => setTags(tags.filter((_, j) => j !== i))}>
              <span aria-hidden="true">✕</span>
            </button>
          </div>
        ))}
        <div class="row">
          <button type="button" class="quiet" onClick={() => setTags([...tags, { dc: 'ny' }])}>
            Add a tag set
          </button>
          <button type="button" class="quiet" onClick={() => setTags([...tags, {}])}>
            Add <code>{'{}'}</code>, everybody
          </button>
        </div>
      </fieldset>
      <div class="row">
        <NumberField
          label="maxStalenessSeconds"
          value={preference.maxStalenessSeconds}
          placeholder="no maximum"
          invalid={wrong('maxStalenessSeconds')}
          onChange={(maxStalenessSeconds) => update((before) => changePreference(before, { maxStalenessSeconds }))}
        />
        {preference.hedge !== undefined && preference.hedge !== null && (
          <button type="button" class="quiet" onClick={() => update((before) => changePreference(before, { hedge: undefined }))}>
            Drop hedge
          </button>
        )}
      </div>
    </section>
  );
}
