import { jsKey, quoted, tagsLiteral, type NormalPreference } from './preference.js';

/**
 * mongosh's `Mongo.setReadPref(mode, tagSet, hedgeOptions)`, which has no place for maxStalenessSeconds: then it is the
 * connection string that mongosh is started with.
 */
export function mongosh({ mode, tags = [], maxStalenessSeconds, hedge }: NormalPreference, uri: string | undefined): string {
  const args = [quoted(mode)];
  if (tags.length > 0 || hedge !== undefined) args.push(`[${tags.map((set) => tagsLiteral(set, jsKey)).join(', ')}]`);
  if (hedge !== undefined) args.push(hedge.enabled === undefined ? '{}' : `{ enabled: ${hedge.enabled} }`);
  const call = `db.getMongo().setReadPref(${args.join(', ')})`;
  if (maxStalenessSeconds === undefined) return `${call}\n`;
  const start = uri === undefined ? '' : `// Start it so:\n// mongosh ${shellQuoted(uri)}\n`;
  return `// setReadPref takes no maxStalenessSeconds; a connection string does.\n${start}// Without the ${maxStalenessSeconds} seconds:\n${call}\n`;
}

/** A word of a POSIX shell. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
