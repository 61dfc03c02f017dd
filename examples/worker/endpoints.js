// Endpoints for the test: HTTP servers on loopback, each as far away, and as well, as it is told to be.
import { once } from 'node:events';
import { createServer } from 'node:http';

export class Endpoint {
  /** @type {import('node:http').Server} */
  #server;
  /** Requests that it served, without health checks. */
  served = [];
  /** What it says of itself in place of the truth, or of some of it. @type {string | object | undefined} */
  health;

  /** @param {{region: string, role: string, term?: number, delayMS?: number, lagSeconds?: number}} state may be changed */
  constructor(state) {
    this.state = { delayMS: 0, lagSeconds: 0, ...state };
  }

  async start(port = 0) {
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = this.#server.address().port;
    return this;
  }

  get address() {
    return `127.0.0.1:${this.port}`;
  }

  async kill() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request, response) {
    if (request.url === '/health') {
      const { region, role, term, delayMS, lagSeconds } = this.state;
      const health = { region, role, term, lastWriteDate: Date.now() - lagSeconds * 1000 };
      setTimeout(() => response.end(typeof this.health === 'string' ? this.health : JSON.stringify({ ...health, ...this.health })), delayMS);
      return;
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    this.served.push(`${request.method} ${request.url}${body === '' ? '' : ` ${body}`}`);
    response.setHeader('x-own', 'kept');
    response.end(`from ${this.state.region}`);
  }
}
