import { capitalized, quoted, type NormalPreference } from './preference.js';

/** PyMongo: the classes of `pymongo.read_preferences`. */
export function pymongo({ mode, tags, maxStalenessSeconds, hedge }: NormalPreference): string {
  const args: string[] = [];
  if (tags !== undefined) args.push(`tag_sets=[${tags.map(dict).join(', ')}]`);
  if (maxStalenessSeconds !== undefined) args.push(`max_staleness=${maxStalenessSeconds}`);
  if (hedge !== undefined) args.push(`hedge=${hedge.enabled === undefined ? '{}' : `{"enabled": ${hedge.enabled ? 'True' : 'False'}}`}`);
  const name = capitalized(mode);
  return `from pymongo.read_preferences import ${name}

read_preference = ${name}(${args.join(', ')})
orders = client.shop.get_collection("orders", read_preference=read_preference)
`;
}

function dict(tags: Record<string, string>): string {
  return `{${Object.entries(tags)
    .map(([name, value]) => `${quoted(name)}: ${quoted(value)}`)
    .join(', ')}}`;
}
