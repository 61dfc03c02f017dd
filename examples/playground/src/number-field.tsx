import { useState } from 'preact/hooks';

interface Props {
  label: string;
  value: number | string | undefined;
  onChange: (value: number | string | undefined) => void;
  unit?: string;
  placeholder?: string;
  /** Hides the label from sight, not from readers. */
  quiet?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/** A number in a field. What is no number is handed on as it was typed, for the engine to say what is wrong. */
export function NumberField({ label, value, onChange, unit, placeholder, quiet, invalid, describedBy }: Props) {
  // While it is edited, the field shows what was typed ("2."), and not what it means (2).
  const [draft, setDraft] = useState<string>();
  return (
    <label class="field">
      <span class={quiet ? 'hidden' : 'label'}>
        {label}
        {unit && <span class={quiet ? '' : 'unit'}> {unit}</span>}
      </span>
      <input
        type="text"
        inputMode="decimal"
        autocomplete="off"
        spellcheck={false}
        class="number"
        placeholder={placeholder}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        value={draft ?? (value === undefined ? '' : String(value))}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setDraft(text);
          onChange(numberOf(text));
        }}
        onBlur={() => setDraft(undefined)}
      />
    </label>
  );
}

export function numberOf(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^-?\d+(\.\d*)?$/.test(trimmed) && trimmed.length < 16 ? Number(trimmed) : trimmed;
}
