import { useState } from 'preact/hooks';
import type { Tags } from './case.js';

interface Props {
  label: string;
  value: Tags | string | undefined;
  onChange: (value: Tags | string) => void;
  quiet?: boolean;
  placeholder?: string;
  invalid?: boolean;
}

/** A set of tags in a field, as `dc=ny, rack=1`; where that cannot say it, as JSON. */
export function TagsField({ label, value, onChange, quiet, placeholder, invalid }: Props) {
  const [draft, setDraft] = useState<string>();
  return (
    <label class="field grow">
      <span class={quiet ? 'hidden' : 'label'}>{label}</span>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        aria-invalid={invalid || undefined}
        value={draft ?? (typeof value === 'string' ? value : tagsText(value ?? {}))}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setDraft(text);
          onChange(tagsOf(text));
        }}
        onBlur={() => setDraft(undefined)}
      />
    </label>
  );
}

/** The tags that a text names; the text itself where it names none, for the engine to say so. */
export function tagsOf(text: string): Tags | string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === '{}') return {};
  if (trimmed.startsWith('{')) {
    try {
      return JSON.parse(trimmed) as Tags;
    } catch {
      return text;
    }
  }
  const tags: [string, string][] = [];
  for (const part of trimmed.split(',')) {
    const at = part.search(/[=:]/);
    if (at < 0) return text;
    tags.push([part.slice(0, at).trim(), part.slice(at + 1).trim()]);
  }
  return Object.fromEntries(tags);
}

export function tagsText(tags: Tags): string {
  const entries = Object.entries(tags);
  const plain = entries.every(([name, value]) => typeof value === 'string' && !/[=:,{]|^\s|\s$/.test(name) && !/,|^\s|\s$/.test(value));
  return plain ? entries.map(([name, value]) => `${name}=${value}`).join(', ') : JSON.stringify(tags);
}
