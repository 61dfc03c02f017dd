// Serves a folder on this machine. Any web server will do as well.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** @returns {Promise<import('node:http').Server>} listening on a port of 127.0.0.1 */
export function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    let path;
    try {
      path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    } catch {
      path = '/..';
    }
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (path.includes('..') || !isFile(file)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('there is no such file\n');
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-cache' });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function isFile(file) {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
