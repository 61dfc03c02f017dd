// What bridge.js connects to: each connection is a life of a testee, which begins with a new engine.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * @typedef {{answer(line: string): Promise<string>, end(): unknown}} Life
 */

/**
 * @param {() => Promise<Life>} begin
 * @returns {Promise<{port: number, close(): void}>}
 */
export async function serveLives(begin) {
  const server = createServer(async (socket) => {
    socket.on('error', () => socket.destroy()); // the run ended this testee
    /** @type {Life | undefined} */
    let life;
    try {
      const lines = createInterface({ input: socket, crlfDelay: Infinity })[Symbol.asyncIterator]();
      life = await begin();
      for (let line = await lines.next(); line.done !== true; line = await lines.next()) socket.write(await life.answer(line.value));
    } catch (error) {
      console.error(error);
    } finally {
      socket.end();
      await life?.end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return { port: /** @type {import('node:net').AddressInfo} */ (server.address()).port, close: () => void server.close() };
}
