// Reads from the deployment of MONGODB_URI, and says why each slow read went where it went: MONGODB_URI=… THRESHOLD_MS=100 node main.js
import { MongoClient } from 'mongodb';
import { discovered, toMongoDB } from 'readpref/mongodb';
import { explainSlowReads } from './slow-reads.js';

const { MONGODB_URI, THRESHOLD_MS = '100' } = process.env;
if (MONGODB_URI === undefined) {
  console.error('MONGODB_URI is the connection string of the deployment to read from');
  process.exit(2);
}

const client = new MongoClient(MONGODB_URI, { monitorCommands: true });
explainSlowReads(client, { thresholdMS: Number(THRESHOLD_MS), report: ({ text }) => console.log(text) });

await client.connect();
await discovered(client);
const shop = client.db('shop');
for (const readPreference of ['primary', 'secondaryPreferred', { mode: 'nearest', tags: [{ dc: 'sf' }, {}] }]) {
  await shop.collection('orders', { readPreference: toMongoDB(readPreference) }).findOne();
}
await client.close();
