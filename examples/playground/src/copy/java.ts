import { quoted, type NormalPreference } from './preference.js';

/** The Java driver: the factory methods of `com.mongodb.ReadPreference`. */
export function java({ mode, tags, maxStalenessSeconds, hedge }: NormalPreference): string {
  const imports = new Set(['com.mongodb.ReadPreference', 'com.mongodb.client.MongoCollection', 'org.bson.Document']);
  const args: string[] = [];
  if (tags !== undefined) {
    imports.add('com.mongodb.TagSet').add('java.util.List');
    if (tags.some((set) => Object.keys(set).length > 0)) imports.add('com.mongodb.Tag');
    args.push(`List.of(${tags.map(tagSet).join(', ')})`);
  }
  if (maxStalenessSeconds !== undefined) {
    imports.add('java.util.concurrent.TimeUnit');
    args.push(`${maxStalenessSeconds}L`, 'TimeUnit.SECONDS');
  }
  let call = `ReadPreference.${mode}(${args.join(', ')})`;
  if (hedge !== undefined) {
    imports.add('com.mongodb.ReadPreferenceHedgeOptions');
    // An absent "enabled" means true to the server, and the builder has to be told one.
    call += `\n        .withHedgeOptions(ReadPreferenceHedgeOptions.builder().enabled(${hedge.enabled ?? true}).build())`;
  }
  return `${[...imports].sort().map((name) => `import ${name};\n`).join('')}
ReadPreference readPreference = ${call};
MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders").withReadPreference(readPreference);
`;
}

function tagSet(tags: Record<string, string>): string {
  const all = Object.entries(tags).map(([name, value]) => `new Tag(${quoted(name)}, ${quoted(value)})`);
  return all.length === 0 ? 'new TagSet()' : `new TagSet(List.of(${all.join(', ')}))`;
}
