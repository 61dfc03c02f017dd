// Sends each request to an endpoint of its region that is healthy, by read preference, and says why in a header.
import { ReadPrefError } from 'readpref';
import { preferenceOf } from './preference.js';
import { headerOf, texts } from './reasoning.js';
import { Replicas } from './replicas.js';

/** What is known stays with the isolate, from its first request on: at global scope there is no randomness and no I/O. */
let replicas;

export default {
  async fetch(request, env, ctx) {
    try {
      replicas ??= new Replicas(env);
    } catch (error) {
      return Response.json({ message: `the worker's configuration: ${error.message}` }, { status: 500 });
    }
    try {
      await replicas.checkWhereDue((promise) => ctx.waitUntil(promise));
      return await route(replicas, request);
    } catch (error) {
      if (!(error instanceof ReadPrefError)) throw error;
      // The engine's instance was replaced, and what was open in it is lost: the next request begins anew. All else is the request's.
      const isLost = error.code === 'handle' || error.code === 'internal';
      if (isLost) replicas = undefined;
      return Response.json(error, { status: isLost ? 500 : 400 });
    }
  },
};

async function route(known, request) {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const preference = preferenceOf(request);
  const options = { operation: isRead ? 'read' : 'write' };
  if (new URL(request.url).pathname === '/.readpref') return new Response(known.topology.explain(preference, options).text);

  /** Who failed, and with what. @type {string[]} */
  const failed = [];
  // A read that failed is tried once more, elsewhere if there is an elsewhere. What writes may have done so before it failed.
  for (let attempts = isRead ? 2 : 1; attempts > 0; attempts--) {
    // What the checkout below will do, and why.
    const explanation = known.topology.explain(preference, options);
    if (explanation.server === null) return Response.json(explanation.reason, { status: 503, headers: { 'readpref-why': headerOf([...failed, explanation.reason.message, ...texts(explanation)]) } });
    const checkout = known.topology.checkout(preference, options);
    try {
      const response = await known.send(checkout.address, request);
      const answer = new Response(response.body, response);
      answer.headers.set('readpref-server', checkout.address);
      answer.headers.set('readpref-why', headerOf([...failed, ...texts(explanation)]));
      return answer;
    } catch (error) {
      failed.push(`${checkout.address} failed: ${error.message}`);
      known.failed(checkout.address, error);
      options.deprioritized = [checkout.address];
    } finally {
      checkout.release();
    }
  }
  return Response.json({ message: failed.join('; ') }, { status: 502, headers: { 'readpref-why': headerOf(failed) } });
}
