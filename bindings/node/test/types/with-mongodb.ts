// A program of a user's with the official driver, for the type checker: package.test.js compiles it against the installed
// tarball and each version of the driver, as a module and as CommonJS, and runs it.
import { MongoClient, ReadPreference as MongoDBReadPreference } from 'mongodb';
import type { Collection, Db, TopologyDescriptionChangedEvent } from 'mongodb';
import { Explanation, ReadPreference, Topology, select } from 'readpref';
import type { TopologyDescription } from 'readpref';
import { OperationCounts, discovered, explain, fromMongoDB, toMongoDB, topologyDescription, watch } from 'readpref/mongodb';
import type { Counts, ExplainOptions, Watch } from 'readpref/mongodb';

interface Order {
  total: number;
}

const client = new MongoClient('mongodb://a.example,b.example/?replicaSet=rs0', { monitorCommands: true });
const one: Watch = watch(client);
const database: Db = client.db('shop');
const orders: Collection<Order> = database.collection<Order>('orders');
const counts: Counts = new OperationCounts(client);
const options: ExplainOptions = { operationCounts: counts, deprioritized: ['a.example:27017'], seed: 1 };

const explanation: Explanation = explain(orders, 'secondary', options);
const theirs: MongoDBReadPreference = toMongoDB(new ReadPreference('secondary', { tags: [{ dc: 'ny' }] }));
const ours: ReadPreference = fromMongoDB(theirs);
const description: TopologyDescription = topologyDescription(client, { operationCounts: { 'a.example:27017': 1 } });
new Topology(description, { localThresholdMS: client.options.localThresholdMS }).close();
void [select(description, ours).server, explain(client), explain(database, theirs), explain(orders, { mode: 'nearest' }), explain(client, ours, null)];
client.on('topologyDescriptionChanged', (event: TopologyDescriptionChangedEvent) => void topologyDescription(event.newDescription).type);
const found: Promise<boolean> = discovered(client, { timeoutMS: 0 });
database.collection('orders', { readPreference: toMongoDB('nearest') });
for (const [address, count] of new OperationCounts(client)) void (address.length + count);

// @ts-expect-error no client
void (() => watch(database));
// @ts-expect-error nor here
void (() => explain('mongodb://a.example'));
// @ts-expect-error no such mode
void (() => toMongoDB('secondry'));
// @ts-expect-error the client's own
void (() => explain(client, 'nearest', { localThresholdMS: 15 }));
// @ts-expect-error a read preference of readpref
void (() => fromMongoDB(ours));
// @ts-expect-error of numbers
void (() => topologyDescription(client, { operationCounts: { 'a.example:27017': '1' } }));

void found.then(() => {
  console.log(explanation.reason?.code, ours.mode);
  one.close();
});
