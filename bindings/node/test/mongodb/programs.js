// The programs of a document, and what it says that they print, whatever the ports and figures of the run are.
import { readFileSync } from 'node:fs';

/**
 * @param {URL} document with programs as ```javascript, each with its output in comments or in the ```text behind it
 * @returns {{program: string, shown: string[]}[]}
 */
export function programsOf(document) {
  const text = readFileSync(document, 'utf8');
  return [...text.matchAll(/```javascript\n(.*?)```(?:[^`]*?```text\n(.*?)```)?/gs)].map(([, program = '', output = '']) => {
    const comments = [...program.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, line]) => line);
    return { program, shown: comparable([...comments, output].join('\n')) };
  });
}

/**
 * Lines without what differs from run to run: ports, by the members' names; figures; and how wide columns are.
 *
 * @param {string} text
 * @param {Record<string, {address: string}>} [members] by name
 */
export function comparable(text, members = {}) {
  const byAddress = new Map(Object.entries(members).map(([name, { address }]) => [address, `${name}.example:27017`]));
  return text
    .replace(/127\.0\.0\.1:\d+/g, (address) => byAddress.get(address) ?? address)
    .split('\n')
    .map((line) => line.replace(/\b\d+(\.\d+)?(?= |$)/g, '#').replace(/ +/g, ' ').trim())
    .filter((line) => line !== '');
}
