/**
 * The place of a value in a document, as error documents write it:
 * `readPreference.tags[1].dc`.
 *
 * @param {string} root the path that keys go on from
 * @param {(string | number)[]} keys
 */
export function pathAt(root, keys) {
  let path = root;
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else if (!/^[\w$-]+$/.test(key)) path += `[${JSON.stringify(key)}]`;
    else path += path === '' ? key : `.${key}`;
  }
  return path;
}
