import { capitalized, quoted, type NormalPreference } from './preference.js';

/** The C# driver: `new ReadPreference(mode, tagSets, maxStaleness, hedge)`. */
export function csharp({ mode, tags, maxStalenessSeconds, hedge }: NormalPreference): string {
  const args = [`ReadPreferenceMode.${capitalized(mode)}`];
  if (tags !== undefined) args.push(`tagSets: new[] { ${tags.map(tagSet).join(', ')} }`);
  if (maxStalenessSeconds !== undefined) args.push(`maxStaleness: TimeSpan.FromSeconds(${maxStalenessSeconds})`);
  // An absent "enabled" means true to the server, and the class has to be told one.
  if (hedge !== undefined) args.push(`hedge: new ReadPreferenceHedge(isEnabled: ${hedge.enabled ?? true})`);
  const list = args.length < 2 ? args.join('') : `\n${args.map((arg) => `    ${arg}`).join(',\n')}`;
  return `using System;
using MongoDB.Bson;
using MongoDB.Driver;

var readPreference = new ReadPreference(${list});
var orders = client.GetDatabase("shop").GetCollection<BsonDocument>("orders").WithReadPreference(readPreference);
`;
}

function tagSet(tags: Record<string, string>): string {
  const all = Object.entries(tags).map(([name, value]) => `new Tag(${quoted(name)}, ${quoted(value)})`);
  return all.length === 0 ? 'new TagSet(new Tag[0])' : `new TagSet(new[] { ${all.join(', ')} })`;
}
