/** Proxies and clients refuse long headers. */
const MAX_LENGTH = 4000;

/**
 * What became of each endpoint.
 *
 * @param {import('readpref').Explanation} explanation
 */
export function texts({ servers }) {
  return servers.map(({ address, stage, why }) => `${address} ${stage}: ${why}`);
}

/**
 * As the value of a header: printable ASCII, and not too long. What endpoints said of themselves is in it.
 *
 * @param {string[]} reasons
 */
export function headerOf(reasons) {
  const text = reasons.join('; ').replace(/[^\x20-\x7e]/g, '?');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}
