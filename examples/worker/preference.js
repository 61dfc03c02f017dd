import { ReadPrefError, ReadPreference } from 'readpref';

/**
 * The read preference of a request: `Read-Preference: readPreference=secondary&maxStalenessSeconds=120`, as in a connection
 * string; absent: nearest. Where it has no tag sets, endpoints of the request's region come first, and all others after them.
 *
 * @param {Request} request
 * @throws {ReadPrefError}
 */
export function preferenceOf(request) {
  const given = ReadPreference.fromUriOptions(request.headers.get('read-preference') ?? 'readPreference=nearest');
  // In a connection string a mistake is a warning, and ignored; here it would send requests elsewhere.
  const [warning] = given.warnings;
  if (warning !== undefined) throw new ReadPrefError('invalidURIOption', warning.message, { path: warning.path });
  const region = regionOf(request);
  if (given.mode === 'primary' || given.tags.length > 0 || region === undefined) return given;
  return new ReadPreference(given.mode, { tags: [{ region }, {}], maxStalenessSeconds: given.maxStalenessSeconds });
}

/** Where the request comes from: its header, or the continent that Cloudflare says. @param {Request} request */
function regionOf(request) {
  return (request.headers.get('x-region') ?? request.cf?.continent)?.toLowerCase();
}
