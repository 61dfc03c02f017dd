// bridge.js PORT: a testee's lines, passed on to one that has no standard streams. What answers is at the port, see lives.js: a
// conformance run starts its testees hundreds of times, and a browser takes seconds to start.
import { connect } from 'node:net';

const socket = connect(Number(process.argv[2]), '127.0.0.1');
process.stdin.pipe(socket).pipe(process.stdout);
