import { capitalized, quoted, type NormalPreference } from './preference.js';

/** The Go driver, version 2: `readpref` and its options. */
export function go({ mode, tags, maxStalenessSeconds, hedge }: NormalPreference): string {
  const imports = ['go.mongodb.org/mongo-driver/v2/mongo/options', 'go.mongodb.org/mongo-driver/v2/mongo/readpref'];
  const args: string[] = [];
  if (tags !== undefined) {
    imports.push('go.mongodb.org/mongo-driver/v2/tag');
    args.push(`readpref.WithTagSets(${tags.map(tagSet).join(', ')})`);
  }
  if (maxStalenessSeconds !== undefined) {
    imports.unshift('time');
    args.push(`readpref.WithMaxStaleness(${maxStalenessSeconds}*time.Second)`);
  }
  // An absent "enabled" means true to the server, and the option has to be told one.
  if (hedge !== undefined) args.push(`readpref.WithHedgeEnabled(${hedge.enabled ?? true})`);
  const list = args.length < 2 ? args.join('') : `\n${args.map((arg) => `\t${arg},\n`).join('')}`;
  return `import (
${imports.map((name, i) => `\t"${name}"\n${name === 'time' && i === 0 ? '\n' : ''}`).join('')})

preference := readpref.${capitalized(mode)}(${list})
orders := client.Database("shop").Collection("orders", options.Collection().SetReadPreference(preference))
`;
}

function tagSet(tags: Record<string, string>): string {
  return `tag.Set{${Object.entries(tags)
    .map(([name, value]) => `{Name: ${quoted(name)}, Value: ${quoted(value)}}`)
    .join(', ')}}`;
}
