/// <reference lib="esnext.disposable" />
/**
 * The official driver's clients: why a read goes where it goes. It needs the package `mongodb`, connects to nothing and
 * changes nothing: a client's public events are listened to.
 */
import type { Collection, Db, MongoClient, ReadPreference as MongoDBReadPreference, TopologyDescription as MongoDBTopologyDescription } from 'mongodb';
import type { AnyReadPreference, Explanation, ReadPreference, SelectOptions, TopologyDescription } from './index.js';

/** A client that is listened to. */
export interface Watch {
  /** Listens no longer: the client's descriptions are no longer known. */
  close(): void;
  /** The same, where the runtime knows `using`. */
  [Symbol.dispose](): void;
}

/**
 * Listens to a client from now on. Before it connects: the driver's events do not repeat what came before.
 *
 * A client that is forgotten takes its listeners with it; there is no need to call close().
 *
 * @returns the same one for the same client, until it is closed
 * @throws {ReadPrefError} `wrongType`, path `client`
 */
export function watch(client: MongoClient): Watch;

/** Operations in progress, by address as the driver writes it: in lower case and with a port. */
export type Counts = OperationCounts | ReadonlyMap<string, number> | Readonly<Record<string, number>>;

export interface DescribeOptions {
  /** The driver's descriptions do not have them. Absent: none. */
  readonly operationCounts?: Counts | null;
}

/** As for `explain` of `readpref`; localThresholdMS and heartbeatFrequencyMS are the client's. */
export interface ExplainOptions extends Omit<SelectOptions, 'localThresholdMS' | 'heartbeatFrequencyMS'>, DescribeOptions {}

/**
 * What a client knows of its deployment at this moment, as its events said it; nothing is asked of the servers.
 *
 * Round-trip times are averages of whole milliseconds, `lastUpdateTimeMS` is of the process's monotonic clock. Until the
 * first event the servers are those of the connection string, Unknown, and their `error` says so.
 *
 * @param client a client that is watched; or a description of the driver's, such as an event's newDescription
 * @returns frozen; good for `new Topology(…)`, `select` and `explain` of `readpref`
 * @throws {ReadPrefError} `wrongType` for what is neither, `argument` for a client that is not watched, `handle` for
 *   one that is closed; path `client`
 */
export function topologyDescription(client: MongoClient | MongoDBTopologyDescription, options?: DescribeOptions | null): TopologyDescription;

/**
 * Where a client would read now, and why not from the other servers.
 *
 * @param source a client that is watched, or a database or collection of one
 * @param preference of readpref or of mongodb, a document, or a mode. Absent: that of the source
 * @throws {ReadPrefError} as topologyDescription and `explain` of `readpref`; `incompatibleWireVersion` where the driver
 *   says so
 */
export function explain(source: MongoClient | Db | Collection<any>, preference?: AnyReadPreference | MongoDBReadPreference | null, options?: ExplainOptions | null): Explanation;

/**
 * Waits until each server has answered the client, or failed to: a client that has just connected knows one at least.
 *
 * @param options timeoutMS: how long at most. Absent: 5000
 * @returns whether it is so; false after the timeout
 * @throws {ReadPrefError} as topologyDescription
 */
export function discovered(client: MongoClient, options?: { readonly timeoutMS?: number | null } | null): Promise<boolean>;

/**
 * The commands that a client has in progress, by address. It has to be made with `monitorCommands: true`, else there are
 * none. Give each client its own.
 */
export class OperationCounts implements Iterable<[address: string, count: number]> {
  /** @throws {ReadPrefError} `wrongType`, path `client` */
  constructor(client: MongoClient);
  /** 0 for an address that it does not know. */
  get(address: string): number;
  /** The addresses with some. */
  [Symbol.iterator](): IterableIterator<[address: string, count: number]>;
  /** Listens no longer. */
  close(): void;
  /** The same, where the runtime knows `using`. */
  [Symbol.dispose](): void;
}

/**
 * readpref's read preference for one of mongodb's, of whatever version of the package.
 *
 * @throws {ReadPrefError} `wrongType` for anything else, and for what the specification forbids
 */
export function fromMongoDB(preference: MongoDBReadPreference): ReadPreference;

/**
 * mongodb's read preference for one of readpref's.
 *
 * @throws {ReadPrefError} `outOfRange` for a maxStalenessSeconds beyond Number.MAX_SAFE_INTEGER; for a document or mode,
 *   what the specification forbids
 */
export function toMongoDB(preference: AnyReadPreference | MongoDBReadPreference): MongoDBReadPreference;
