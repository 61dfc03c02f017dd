import { jsKey, quoted, tagsLiteral, type NormalPreference } from './preference.js';

/** The `mongodb` package: `new ReadPreference(mode, tags, options)`. */
export function node({ mode, tags, maxStalenessSeconds, hedge }: NormalPreference): string {
  const options: string[] = [];
  if (maxStalenessSeconds !== undefined) options.push(`maxStalenessSeconds: ${maxStalenessSeconds}`);
  if (hedge !== undefined) options.push(`hedge: ${hedge.enabled === undefined ? '{}' : `{ enabled: ${hedge.enabled} }`}`);
  const args = [quoted(mode)];
  if (tags !== undefined || options.length > 0) args.push(tags === undefined ? 'undefined' : `[${tags.map((set) => tagsLiteral(set, jsKey)).join(', ')}]`);
  if (options.length > 0) args.push(`{ ${options.join(', ')} }`);
  return `import { ReadPreference } from 'mongodb';

const readPreference = new ReadPreference(${args.join(', ')});
const orders = client.db('shop').collection('orders', { readPreference });
`;
}
