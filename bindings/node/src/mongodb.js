// The official driver's clients: why a read goes where it goes. Nothing here connects to anything: a client's events are
// listened to, and what they said is asked.
export { OperationCounts } from './mongodb/operation-counts.js';
export { discovered } from './mongodb/discovered.js';
export { explain, topologyDescription } from './mongodb/client.js';
export { fromMongoDB, toMongoDB } from './mongodb/read-preference.js';
export { watch } from './mongodb/watch.js';
