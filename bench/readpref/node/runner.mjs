// readpref's Node package behind the bench's line protocol (bench/README.md).
// setup.sh puts it beside a copy of the package.
import * as readpref from './readpref/src/index.js';
import { serve } from './lines.mjs';

function load(text) {
  const request = JSON.parse(text);
  const topology = new readpref.Topology(request.topology);
  const preference = readpref.ReadPreference.fromDocument(request.readPreference);
  const settings = { localThresholdMS: request.localThresholdMS, heartbeatFrequencyMS: request.heartbeatFrequencyMS };
  const bytes = new TextEncoder().encode(text);
  const raw = readpref.callRaw('select', bytes);
  const { inLatencyWindow } = JSON.parse(new TextDecoder().decode(raw.bytes));
  const typed = readpref.select(topology, preference, settings).inLatencyWindow;
  if (typed.join() !== inLatencyWindow.join()) throw new Error('the two doors differ');
  let sink;
  const works = {
    cold(n) {
      for (let i = 0; i < n; i++) sink = readpref.select(topology, preference, settings);
      return sink;
    },
    json(n) {
      for (let i = 0; i < n; i++) sink = readpref.callRaw('select', bytes);
      return sink;
    },
  };
  return [{ window: inLatencyWindow }, works];
}

serve(load);
