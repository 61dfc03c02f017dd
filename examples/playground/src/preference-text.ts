import type { Preference } from './case.js';
import { tagsText } from './tags-field.js';

/** A read preference in a line. */
export function preferenceText({ mode = 'primary', tags = [], maxStalenessSeconds }: Preference = {}): string {
  const parts = [mode];
  if (tags.length > 0) parts.push(tags.map((set) => (typeof set === 'string' ? set : tagsText(set) || '{}')).join(' | '));
  if (maxStalenessSeconds !== undefined) parts.push(`≤ ${maxStalenessSeconds} s`);
  return parts.join(', ');
}
