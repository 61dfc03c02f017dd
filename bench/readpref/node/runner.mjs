// readpref's Node package behind the bench's line protocol (bench/README.md).
// setup.sh puts it beside a copy of the package.
import * as readpref from './readpref/src/index.js';
import { serve } from './lines.mjs';

function load(text, opening) {
  const request = JSON.parse(text);
  const description = new readpref.Topology(request.topology);
  const preference = readpref.ReadPreference.fromDocument(request.readPreference);
  const settings = { localThresholdMS: request.localThresholdMS, heartbeatFrequencyMS: request.heartbeatFrequencyMS };
  const bytes = new TextEncoder().encode(text);
  const opened = JSON.parse(opening);
  const { topology: document, ...options } = opened;
  const topology = new readpref.Topology(document, options);
  const raw = readpref.callRaw('select', bytes);
  const { inLatencyWindow } = JSON.parse(new TextDecoder().decode(raw.bytes));
  const typed = readpref.select(description, preference, settings).inLatencyWindow;
  if (typed.join() !== inLatencyWindow.join()) throw new Error('the two doors differ');
  // Counted, so that the less busy of two brings every server of the window in time.
  const servers = Array.from({ length: 64 * inLatencyWindow.length }, () => topology.checkout(preference));
  const picked = [...new Set(servers.map((server) => server.address))].sort();
  for (const server of servers) server.release();
  let sink;
  const works = {
    pick(n) {
      for (let i = 0; i < n; i++) sink = topology.selectSync(preference);
      return sink;
    },
    update(n) {
      for (let i = 0; i < n; i++) {
        topology.update(document);
        sink = topology.selectSync(preference);
      }
      return sink;
    },
    cold(n) {
      for (let i = 0; i < n; i++) sink = readpref.select(description, preference, settings);
      return sink;
    },
    json(n) {
      for (let i = 0; i < n; i++) sink = readpref.callRaw('select', bytes);
      return sink;
    },
  };
  return [{ window: inLatencyWindow, picked }, works];
}

serve(load);
