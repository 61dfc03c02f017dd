/** A read preference in the engine's normal form, as `validate` answers it. */
export interface NormalPreference {
  mode: 'primary' | 'primaryPreferred' | 'secondary' | 'secondaryPreferred' | 'nearest';
  tags?: Record<string, string>[];
  maxStalenessSeconds?: number;
  hedge?: { enabled?: boolean };
}

/**
 * A string as a literal that JavaScript, Python, Java, Go and C# read alike. What is not seen, or turns the direction
 * of what is seen, is written as an escape.
 */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u00a0\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => {
    if (char.length > 1) return char;
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** With its first letter in upper case, as names of constants and classes have it. */
export function capitalized(mode: string): string {
  return mode.charAt(0).toUpperCase() + mode.slice(1);
}

/** A set of tags as an object or dict literal. */
export function tagsLiteral(tags: Record<string, string>, key: (name: string) => string): string {
  const entries = Object.entries(tags).map(([name, value]) => `${key(name)}: ${quoted(value)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** A property's name, bare where it may be. */
export function jsKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : name === '__proto__' ? '["__proto__"]' : quoted(name);
}
