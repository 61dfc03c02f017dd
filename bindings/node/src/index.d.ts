/// <reference lib="esnext.disposable" />
/**
 * MongoDB server selection: which member serves this read, and why. The same
 * answer in every language.
 *
 * Every document here is described in docs/json.md of the repository.
 */
import type { Code } from './codes.js';

export { statusByCode } from './codes.js';
export type { Code } from './codes.js';

// ---- Numbers and dates -----------------------------------------------------

/** Extended JSON for a 64-bit integer, which a number may not hold. */
export interface NumberLong {
  readonly $numberLong: string;
}

/** An integer in an answer: NumberLong beyond Number.MAX_SAFE_INTEGER. */
export type Integer = number | NumberLong;

/** An integer in a request. */
export type IntegerInput = number | bigint | NumberLong | { readonly $numberInt: string };

/** A decimal in a request, such as milliseconds. */
export type DecimalInput = number | IntegerInput | { readonly $numberDouble: string };

/** A date in a request; a number is milliseconds since 1970. */
export type DateInput = number | bigint | Date | NumberLong | { readonly $date: string | NumberLong };

export interface ObjectId {
  /** 24 hexadecimal digits. */
  readonly $oid: string;
}

// ---- Starting --------------------------------------------------------------

/** A Response, of whatever library. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Where readpref.wasm comes from: a URL, a Response, bytes, or a WebAssembly.Module. */
export type ModuleSource = string | { readonly href: string } | ResponseLike | ArrayBuffer | ArrayBufferView | WebAssemblyModule;

/** A WebAssembly.Module, which has no members to tell it by. */
export type WebAssemblyModule = object;

/**
 * Starts the engine without holding up the thread. Browsers, and hosts that are not known, need it before all
 * else; elsewhere the first call starts it.
 *
 * @param source absent: readpref.wasm of the package. A function that gives one is called where the engine is not
 *   started yet.
 * @throws {ReadPrefError} `argument` for what is no source, and for one that is given to an engine that is started
 *   already; `internal` where the module cannot be loaded. It may be tried again then.
 */
export function init(source?: ModuleSource | PromiseLike<ModuleSource> | (() => ModuleSource | PromiseLike<ModuleSource>) | null): Promise<void>;

/**
 * As init, at once: of bytes or a WebAssembly.Module. Some browsers refuse that on the main thread.
 *
 * @throws {ReadPrefError} as init
 */
export function initSync(source?: Extract<ModuleSource, object> | (() => ModuleSource) | null): void;

// ---- Read preference -------------------------------------------------------

export type ReadPreferenceMode = 'primary' | 'primaryPreferred' | 'secondary' | 'secondaryPreferred' | 'nearest';

/** Tags a server must have, all of them. `{}` matches every server. */
export type TagSet = Readonly<Record<string, string>>;

export interface Hedge {
  readonly enabled?: boolean | null | undefined;
}

export interface ReadPreferenceOptions {
  /** Tag sets in order: the first that matches some server decides. */
  readonly tags?: readonly TagSet[] | null;
  /** The most seconds a secondary may lag; at least 90. -1: no maximum. */
  readonly maxStalenessSeconds?: IntegerInput | null;
  /** Deprecated since MongoDB 8.0. */
  readonly hedge?: Hedge | null;
}

/** The wire's `$readPreference` document. */
export interface ReadPreferenceDocument extends ReadPreferenceOptions {
  /** Absent: primary. */
  readonly mode?: ReadPreferenceMode | null;
}

/** A `$readPreference` document in normal form. */
export interface NormalReadPreference {
  readonly mode: ReadPreferenceMode;
  readonly tags?: readonly TagSet[];
  readonly maxStalenessSeconds?: Integer;
  readonly hedge?: Hedge;
}

/** A preference; a mode alone will do. */
export type AnyReadPreference = ReadPreference | ReadPreferenceDocument | ReadPreferenceMode;

/** Which members of a deployment a read may go to (Server Selection, "Read Preference"). Immutable. */
export class ReadPreference {
  /**
   * @param mode absent: primary
   * @throws {ReadPrefError} the first problem; its `problems` has all
   */
  constructor(mode?: ReadPreferenceMode, options?: ReadPreferenceOptions | null);

  /**
   * From the wire's `$readPreference` document.
   *
   * @throws {ReadPrefError} the first problem; its `problems` has all
   */
  static fromDocument(document: ReadPreferenceDocument): ReadPreference;
  /**
   * From a connection string's options: `readPreference=secondary&readPreferenceTags=dc:ny`. What the URI Options
   * specification has ignored is in `warnings`.
   *
   * @throws {ReadPrefError} the first problem; its `problems` has all
   */
  static fromUriOptions(options: string): ReadPreference;
  /**
   * From mongosh's arguments: `fromMongosh('secondary', [{ region: 'us-east' }, {}])`.
   *
   * @throws {ReadPrefError} the first problem; its `problems` has all
   */
  static fromMongosh(...args: unknown[]): ReadPreference;

  readonly mode: ReadPreferenceMode;
  /** Empty where there are none. */
  readonly tags: readonly TagSet[];
  readonly maxStalenessSeconds: Integer | undefined;
  readonly hedge: Hedge | undefined;
  /** What the caller should know although the preference is legal, such as URI options that were ignored. */
  readonly warnings: readonly Warning[];

  /** The `$readPreference` document to send, in normal form. */
  toDocument(): NormalReadPreference;
  toJSON(): NormalReadPreference;
  /** The document as JSON. */
  toString(): string;
  /** Whether another preference selects and sends the same. */
  equals(other: unknown): boolean;
}

// ---- Topology --------------------------------------------------------------

export type TopologyType = 'Unknown' | 'Single' | 'Sharded' | 'ReplicaSetNoPrimary' | 'ReplicaSetWithPrimary' | 'LoadBalanced';

export type ServerType =
  | 'Unknown'
  | 'PossiblePrimary'
  | 'Standalone'
  | 'Mongos'
  | 'RSPrimary'
  | 'RSSecondary'
  | 'RSArbiter'
  | 'RSOther'
  | 'RSGhost'
  | 'LoadBalancer';

export interface TopologyVersion<I = Integer> {
  readonly processId: ObjectId;
  readonly counter: I;
}

/** What the last check of a server found, as answers print it. */
export interface ServerDescription {
  readonly address: string;
  readonly type: ServerType;
  readonly roundTripTimeMS?: number;
  readonly minRoundTripTimeMS?: number;
  readonly tags?: TagSet;
  /** Milliseconds since 1970, by the server's clock. */
  readonly lastWriteDate?: Integer;
  /** Milliseconds since 1970, by the client's clock. */
  readonly lastUpdateTimeMS?: Integer;
  readonly minWireVersion?: number;
  readonly maxWireVersion?: number;
  readonly operationCount?: Integer;
  readonly setName?: string;
  readonly primary?: string;
  readonly me?: string;
  readonly error?: string;
  readonly hosts?: readonly string[];
  readonly passives?: readonly string[];
  readonly arbiters?: readonly string[];
  readonly setVersion?: Integer;
  readonly logicalSessionTimeoutMinutes?: Integer;
  readonly electionId?: ObjectId;
  readonly serviceId?: ObjectId;
  readonly topologyVersion?: TopologyVersion;
  readonly iscryptd?: boolean;
}

/** What the last check of a server found, as requests may write it. */
export interface ServerDescriptionInput {
  readonly address: string;
  readonly type: ServerType;
  /** Average round-trip time. Absent: not measured. */
  readonly roundTripTimeMS?: DecimalInput | null;
  readonly minRoundTripTimeMS?: DecimalInput | null;
  readonly tags?: TagSet | null;
  /** When the server last wrote, by its clock. Absent: it did not say. */
  readonly lastWriteDate?: DateInput | null;
  /** When this description was made, by the client's clock: milliseconds since 1970. */
  readonly lastUpdateTimeMS?: IntegerInput | null;
  readonly minWireVersion?: IntegerInput | null;
  readonly maxWireVersion?: IntegerInput | null;
  /** Operations in progress on this server. */
  readonly operationCount?: IntegerInput | null;
  readonly setName?: string | null;
  readonly primary?: string | null;
  readonly me?: string | null;
  readonly error?: string | null;
  readonly hosts?: readonly string[] | null;
  readonly passives?: readonly string[] | null;
  readonly arbiters?: readonly string[] | null;
  readonly setVersion?: IntegerInput | null;
  readonly logicalSessionTimeoutMinutes?: IntegerInput | null;
  readonly electionId?: ObjectId | null;
  readonly serviceId?: ObjectId | null;
  readonly topologyVersion?: TopologyVersion<IntegerInput> | null;
  readonly iscryptd?: boolean | null;
}

/**
 * A server's reply to `hello` in place of a description. From the driver of
 * MongoDB, whose values are objects: `EJSON.serialize(reply)`.
 */
export interface SavedReply {
  readonly address: string;
  /** As `EJSON.stringify(db.hello())` printed it; `{}` is a failed check. */
  readonly hello: Readonly<Record<string, unknown>>;
  readonly roundTripTimeMS?: DecimalInput | null;
  /** When the reply came: milliseconds since 1970. */
  readonly nowMS?: IntegerInput | null;
  readonly operationCount?: IntegerInput | null;
}

export interface TopologyDescription {
  /** Absent: derived from the servers. */
  readonly type?: TopologyType | null;
  readonly setName?: string | null;
  readonly servers?: readonly (ServerDescriptionInput | SavedReply)[] | null;
  readonly maxElectionId?: ObjectId | null;
  readonly maxSetVersion?: IntegerInput | null;
  readonly logicalSessionTimeoutMinutes?: IntegerInput | null;
}

/** The settings of a topology. They hold for its life. */
export interface TopologySettings {
  /** Width of the latency window, ≥ 0. Absent: 15. */
  readonly localThresholdMS?: DecimalInput | null;
  /** At least 500. Absent: 10000. */
  readonly heartbeatFrequencyMS?: IntegerInput | null;
  /** What the client speaks. Absent: 8 to 29. */
  readonly wireVersions?: { readonly min: IntegerInput; readonly max: IntegerInput } | null;
  /** Absent: leastBusyOfTwo. */
  readonly pick?: 'leastBusyOfTwo' | 'random' | 'roundRobin' | null;
  /** Makes the picks repeatable, as in SelectOptions. Absent: drawn by the Web Crypto API. */
  readonly seed?: IntegerInput | string | null;
}

export interface TopologyOptions extends TopologySettings {
  /** How long `select` waits at most. 0: it does not wait. Absent: the connection string's, or 30000. */
  readonly serverSelectionTimeoutMS?: number | null;
  /** Gets the log messages of the Server Selection specification, as listeners of `log` do. `console` will do. */
  readonly logger?: Logger | ((message: string, entry: LogEntry) => void) | null;
  /** For discovered topologies: retries avoid servers that are overloaded. Absent: the connection string's, or false. */
  readonly enableOverloadRetargeting?: boolean | null;
}

/** Where discovery begins: a connection string, and for `mongodb+srv://` what DNS says about it. */
export interface URISource {
  readonly uri: string;
  readonly srv?: readonly SRVRecord[] | null;
  readonly txt?: readonly (readonly string[])[] | null;
}

/** Where discovery begins: addresses. */
export interface SeedsSource {
  /** At least one. */
  readonly seeds: readonly string[];
  readonly replicaSet?: string | null;
  readonly directConnection?: boolean | null;
  readonly loadBalanced?: boolean | null;
  /** With `pools`: discovery goes on from here, as describe() printed it. */
  readonly topology?: TopologyDescription | null;
  readonly pools?: readonly PoolGeneration[] | null;
}

export interface PoolGeneration {
  readonly address: string;
  readonly generation: IntegerInput;
  /** Of a service behind a load balancer. */
  readonly serviceId?: ObjectId;
}

/** What a topology is made of: a description, which its owner keeps up to date, or where discovery begins. */
export type TopologySource = TopologyDescription | string | URISource | SeedsSource;

/** The document of `topology.open`. */
export type TopologyOpenRequest = TopologySettings &
  Pick<TopologyOptions, 'enableOverloadRetargeting'> &
  ({ readonly topology: TopologyDescription | Topology } | URISource | SeedsSource);

/** A description that the engine prints. */
export interface DescribedTopology extends TopologyDescription {
  readonly type: TopologyType;
  readonly servers: readonly ServerDescription[];
  /** Of discovered topologies: whether the client speaks a wire version of every server, and if not, why. */
  readonly compatible?: boolean;
  readonly compatibilityError?: string;
}

/** What describe() gives: a document for Topology.open. */
export interface TopologyState {
  readonly topology: DescribedTopology;
  readonly localThresholdMS: number;
  readonly heartbeatFrequencyMS: Integer;
  readonly wireVersions: { readonly min: number; readonly max: number };
  readonly pick: 'leastBusyOfTwo' | 'random' | 'roundRobin';
  /** The present state of the random generator, or the next turn of `roundRobin`. */
  readonly seed: string;
  /** Of discovered topologies, as all that follows. */
  readonly seeds?: readonly string[];
  readonly replicaSet?: string;
  readonly directConnection?: boolean;
  readonly loadBalanced?: boolean;
  readonly enableOverloadRetargeting?: boolean;
  readonly pools?: readonly PoolGeneration[];
}

/**
 * A selected server. A topology gives the same frozen object for the same server each
 * time.
 */
export interface Server {
  /** Stable for the life of the topology: one address, one id. */
  readonly id: number;
  /** In lower case and with a port. */
  readonly address: string;
}

export interface PickOptions {
  /** `aggregateWithWriteStage` is an aggregate with `$out` or `$merge`. Absent: read. */
  readonly operation?: 'read' | 'write' | 'aggregateWithWriteStage' | null;
  /** Addresses avoided while anything else is suitable. */
  readonly deprioritized?: readonly string[] | null;
  /** Runs on the suitable servers, before the latency window. */
  readonly customSelector?: { readonly keepOnly: readonly string[] } | null;
}

export interface SelectServerOptions extends PickOptions {
  /** What is left of the operation's timeout. Absent, or 0: serverSelectionTimeoutMS alone counts. */
  readonly timeoutMS?: number | null;
  /** Ends the waiting: the promise is rejected with its reason. */
  readonly signal?: AbortSignalLike | null;
  /** Count an operation on the server, and give a Checkout. Absent: false. */
  readonly checkout?: boolean | null;
  /** For log messages: the command's name. Absent: the operation. */
  readonly operationName?: string | null;
  /** For log messages. */
  readonly operationId?: number | bigint | string | null;
}

/** An AbortSignal, of whatever library. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: any;
  addEventListener(type: 'abort', listener: (...args: any[]) => void, options?: any): void;
  removeEventListener(type: 'abort', listener: (...args: any[]) => void, options?: any): void;
}

export interface BatchOptions extends Pick<PickOptions, 'operation'> {
  /** Count an operation for each; `topology.release(server)` takes one back. Absent: false. */
  readonly checkout?: boolean | null;
}

/**
 * A server with an operation under way on it, counted until it is released.
 *
 * @example
 * using server = topology.checkout('nearest');
 */
export class Checkout implements Disposable {
  private constructor();
  /** The server, as selectSync gives it. */
  get server(): Server;
  get id(): number;
  get address(): string;
  get isReleased(): boolean;
  /** The operation has ended, in whatever way. It does nothing a second time. */
  release(): void;
  [Symbol.dispose](): void;
  toJSON(): Server;
}

/** What a check of a server gave besides the reply. */
export interface HelloOptions {
  /** One sample: how long this check took. Absent: it measured none, as with a streamed reply. */
  readonly roundTripTimeMS?: DecimalInput | null;
  /** The client's clock. Absent: Date.now(). */
  readonly nowMS?: IntegerInput | null;
  /** Why the check failed, for people. */
  readonly error?: string | null;
  /** Absent: network; command where there is a reply with `ok: 0`. */
  readonly errorKind?: 'network' | 'networkTimeout' | 'command' | null;
}

export interface HelloOutcome {
  readonly generation: number;
  /** false for a server that the topology does not have, and for a reply that is older than what is known. */
  readonly accepted: boolean;
  /** The description of that server now; null where the topology does not have it. */
  readonly server: ServerDescription | null;
}

/** What an operation of the application met. */
export interface ApplicationError {
  /** Absent: afterHandshake. */
  readonly stage?: 'connectAndHello' | 'authentication' | 'afterHandshake' | null;
  readonly kind: 'network' | 'networkTimeout' | 'command';
  readonly labels?: readonly string[] | null;
  /** Of the connection that met it: one of an earlier generation than the pool's is passed over. */
  readonly generation?: IntegerInput | null;
  readonly serviceId?: ObjectId | null;
  /** The server's reply as it came. */
  readonly reply?: Readonly<Record<string, unknown>> | null;
  /** For people. */
  readonly error?: string | null;
  /** The client's clock. Absent: Date.now(). */
  readonly nowMS?: IntegerInput | null;
}

export interface ErrorOutcome {
  readonly generation: number;
  /** Whether it changed something. */
  readonly accepted: boolean;
  /** Whether a retry of the operation shall give this server among `deprioritized`. */
  readonly deprioritize: boolean;
}

export interface SRVRecord {
  readonly target: string;
  readonly port: IntegerInput;
  readonly ttlSeconds?: IntegerInput | null;
}

export interface SRVOutcome {
  readonly generation: number;
  readonly added: readonly string[] | null;
  readonly removed: readonly string[] | null;
  /** When to scan again, from now; null: never. */
  readonly nextMS: number | null;
  readonly warnings?: readonly Warning[];
}

/** What happened: the events of the SDAM specification. */
export type TopologyChange =
  | { readonly sequence: number; readonly event: 'topologyOpening' | 'topologyClosed' }
  | { readonly sequence: number; readonly event: 'serverOpening' | 'serverClosed'; readonly address: string }
  | {
      readonly sequence: number;
      readonly event: 'serverDescriptionChanged';
      readonly address: string;
      readonly previousDescription: ServerDescription;
      readonly newDescription: ServerDescription;
    }
  | {
      readonly sequence: number;
      readonly event: 'topologyDescriptionChanged';
      /** Both null where they would be huge. */
      readonly previousDescription: DescribedTopology | null;
      readonly newDescription: DescribedTopology | null;
    };

/** What the host has to do: docs/json.md, "topology.events". */
export type Effect =
  /** Without a sequence where a selection waits, and asks. */
  | { readonly sequence?: number; readonly effect: 'requestCheck'; readonly address: string }
  | { readonly sequence: number; readonly effect: 'startMonitor' | 'stopMonitor' | 'cancelCheck' | 'poolReady'; readonly address: string }
  | {
      readonly sequence: number;
      readonly effect: 'poolClear';
      readonly address: string;
      readonly serviceId?: ObjectId;
      readonly interruptInUse: boolean;
      readonly generation: number;
    }
  | { readonly sequence: number; readonly effect: 'scanSRV'; readonly afterMS: number };

/** So many events were lost, since nobody took them in time. */
export interface EventsDropped {
  readonly event: 'eventsDropped';
  readonly dropped: number;
}

export type Change = TopologyChange | Effect | EventsDropped;

export interface PendingEvents {
  readonly events: readonly (TopologyChange | Effect)[];
  /** For acknowledgeEvents; 0: nothing waits. */
  readonly last: number;
  /** How many events were lost since the last acknowledgement. */
  readonly dropped: number;
  /** Whether others wait: acknowledge these, and ask again. */
  readonly more: boolean;
}

/** A log message of the Server Selection specification. */
export interface LogEntry {
  readonly component: 'serverSelection';
  readonly level: 'debug' | 'info';
  readonly message: string;
  /** The read preference, or `write`. */
  readonly selector: string;
  readonly operation: string;
  readonly operationId?: number | bigint | string;
  readonly topologyDescription: TopologyDescription;
  /** Of the server that was selected. */
  readonly serverHost?: string;
  readonly serverPort?: number;
  /** Why it failed. */
  readonly failure?: string;
  /** How long it may still wait. */
  readonly remainingTimeMS?: number;
}

export interface Logger {
  debug(message: string, entry: LogEntry): void;
  info(message: string, entry: LogEntry): void;
}

/** What listeners of a Topology get: an Event with its particulars. */
export interface TopologyEvent<Detail = unknown> {
  readonly type: string;
  /** Frozen. */
  readonly detail: Detail;
}

/** The events of a Topology. */
export interface TopologyEventMap {
  /** What the host has to do. */
  effect: TopologyEvent<Effect>;
  topologyOpening: TopologyEvent<Extract<TopologyChange, { event: 'topologyOpening' | 'topologyClosed' }>>;
  topologyClosed: TopologyEvent<Extract<TopologyChange, { event: 'topologyOpening' | 'topologyClosed' }>>;
  topologyDescriptionChanged: TopologyEvent<Extract<TopologyChange, { event: 'topologyDescriptionChanged' }>>;
  serverOpening: TopologyEvent<Extract<TopologyChange, { event: 'serverOpening' | 'serverClosed' }>>;
  serverClosed: TopologyEvent<Extract<TopologyChange, { event: 'serverOpening' | 'serverClosed' }>>;
  serverDescriptionChanged: TopologyEvent<Extract<TopologyChange, { event: 'serverDescriptionChanged' }>>;
  eventsDropped: TopologyEvent<EventsDropped>;
  log: TopologyEvent<LogEntry>;
}

export interface CommandOptions extends Pick<PickOptions, 'operation'> {
  /** Absent: OP_MSG. */
  readonly opcode?: 'OP_MSG' | 'OP_QUERY' | null;
}

/** What a command carries. */
export interface Decoration {
  /** To attach to the command; null: attach none. */
  readonly $readPreference: NormalReadPreference | null;
  /** For OP_QUERY only: its flag. */
  readonly secondaryOk?: boolean;
  /** For `aggregateWithWriteStage` only: what the operation uses. */
  readonly effectiveReadPreference?: ReadPreference;
  readonly warnings?: readonly Warning[];
  /** A copy of a command, with `$readPreference` where there is one to attach. */
  attach<C extends object>(command: C): C & { readonly $readPreference?: NormalReadPreference };
}

/**
 * What is known about a deployment and its members, and selection among them.
 *
 * From a description alone it is encoded once for any number of calls of `select` and
 * `explain`; what is wrong with the description is told by the first call. Its own
 * methods open it in the engine, on first use: from then on until close() the engine
 * keeps its servers' ids and operation counts. With options it is opened, and checked,
 * at once.
 *
 * From a connection string or seeds it is discovered: the host does what `effect` events
 * say, and tells what servers answered and operations met, by onHello and onError. It is
 * an EventTarget, and an async iterable of what happens.
 *
 * A topology that nobody uses any more is closed after it was collected; close(), or
 * a `using` declaration, does it in time. An instance of the engine holds 65,536
 * handles.
 *
 * Should the engine fail (`internal`), its instance is replaced and the topologies in
 * it are lost: every use is then the error `handle`, whose `cause` is the failure. Make
 * them anew.
 */
export class Topology implements Disposable, AsyncIterable<Change> {
  /**
   * `new Topology('mongodb://…')` is `new Topology({ uri: 'mongodb://…' })`.
   *
   * @throws {ReadPrefError} for options, a connection string or seeds that are wrong; what is wrong with a bare description
   *   is told by its first use
   */
  constructor(source: TopologySource, options?: TopologyOptions | null);
  /**
   * From the document of `topology.open`, such as describe() gives: it goes on from there.
   *
   * @throws {ReadPrefError} for what is wrong with it, with the path
   */
  static open(request: TopologyOpenRequest, options?: TopologyOptions | null): Topology;
  /**
   * From one saved reply per member.
   *
   * @throws {ReadPrefError} `argument` for what cannot be iterated
   */
  static fromHellos(replies: Iterable<SavedReply>, options?: TopologyOptions | null): Topology;

  /** As described; undefined where it is left to be derived from the servers. */
  get type(): TopologyType | undefined;
  get setName(): string | undefined;
  /** As described, in order. */
  get servers(): readonly (ServerDescriptionInput | SavedReply)[];
  /** Changes with every description that was accepted; compare it for inequality. */
  get generation(): number;
  /** The connection string's, else primary: what an absent preference stands for in its methods. */
  get readPreference(): ReadPreference;
  /** What is ignored, or hardly meant, in the connection string it was made of; empty where there is nothing. */
  get warnings(): readonly Warning[];
  /** The present description, settings, operation counts and random state. */
  describe(): TopologyState;
  /** The last description that its owner gave, or what was discovered. BigInt and Date come as Extended JSON. */
  toJSON(): TopologyDescription;
  /** The description as JSON, with integers that a number does not hold as Extended JSON. */
  toString(): string;

  /**
   * Selects a server among those that are known now (Server Selection, "Server Selection Algorithm").
   *
   * @param readPreference a mode alone will do; absent: that of the connection string, or primary
   * @throws {ReadPrefError} `noServer` where none is suitable; `maxStalenessTooSmall` and the other codes of
   *   preferences; `handle` for a topology that is closed
   */
  selectSync(readPreference?: AnyReadPreference | null, options?: PickOptions | null): Server;
  /**
   * Selects a server, and waits until one is suitable (Server Selection, "Multi-threaded or asynchronous server selection"), at most serverSelectionTimeoutMS, or
   * `timeoutMS` where that is less and not 0. Each change of the topology tries it again; while
   * it waits, `effect` events ask for a check of all servers, every 500 ms. A selection that
   * waits keeps its process alive.
   *
   * What waiting does not help against (an incompatible server, a maxStalenessSeconds that is too
   * small, a topology that is closed) fails at once.
   *
   * @throws {ServerSelectionTimeoutError} where none was suitable in time
   */
  select(readPreference: AnyReadPreference | null | undefined, options: SelectServerOptions & { readonly checkout: true }): Promise<Checkout>;
  select(readPreference?: AnyReadPreference | null, options?: (SelectServerOptions & { readonly checkout?: false | null }) | null): Promise<Server>;
  /**
   * Many selections at once, all of the same description, or none.
   *
   * @param count from 1 to 1,048,576
   * @throws {ReadPrefError} `noServer` where none is suitable
   */
  batch(readPreference: AnyReadPreference | null | undefined, count: IntegerInput, options?: BatchOptions | null): Server[];
  /**
   * Selects as selectSync does, and counts an operation on the server until it is released.
   *
   * @throws {ReadPrefError} as selectSync
   */
  checkout(readPreference?: AnyReadPreference | null, options?: PickOptions | null): Checkout;
  /**
   * An operation of a batch with `checkout` has ended.
   *
   * @param server the server, or its id
   * @returns how many are left on the server
   * @throws {ReadPrefError} `argument` for an id that this topology never gave
   */
  release(server: Server | number): Integer;
  /**
   * The address of a server by its id, also of one that is gone from the description.
   *
   * @throws {ReadPrefError} `argument` for an id that this topology never gave
   */
  address(id: number): string;
  /**
   * What the next selectSync with the same arguments does, and why. Finding none is an answer here.
   *
   * @throws {ReadPrefError} as selectSync, but for `noServer`
   */
  explain(readPreference?: AnyReadPreference | null, options?: PickOptions | null): Explanation;
  /**
   * What a command carries to the server that was selected for it: the server, or its id (Server Selection, "Passing read
   * preference to mongos and load balancers").
   *
   * @throws {ReadPrefError} `argument` for an id that this topology never gave
   */
  command(server: Server | number, readPreference?: AnyReadPreference | null, options?: CommandOptions | null): Decoration;

  /**
   * Replaces the description. Servers keep their ids, and their operation counts unless
   * the description gives them. A discovered topology takes none: `argument`.
   *
   * @returns the new generation
   * @throws {ReadPrefError} where it is refused; nothing has changed then
   */
  update(description: TopologyDescription): number;

  /**
   * What a check of a server gave, or the handshake of an application's connection. For
   * discovered topologies, as all that follows; others answer `argument`. (SDAM, "Parsing a hello or legacy hello response",
   * "Updating the TopologyDescription")
   *
   * @param reply to hello, with its values as EJSON has them; `{}`: none came. Without one, and
   *   without an `error`, the round-trip time is the sample of a probe that only measures
   * @throws {ReadPrefError} for a reply that cannot be read; nothing has changed then
   */
  onHello(address: string, reply?: Readonly<Record<string, unknown>> | null, options?: HelloOptions | null): HelloOutcome;
  /**
   * What an operation of the application met (SDAM, "Application errors"). Pools to clear come as `effect` events.
   *
   * @throws {ReadPrefError} for an error that cannot be read; nothing has changed then
   */
  onError(address: string, error: ApplicationError): ErrorOutcome;
  /**
   * What a scan of the SRV records gave, after a `scanSRV` effect (Polling SRV Records for mongos Discovery). `[]`: it failed.
   *
   * @throws {ReadPrefError} for records that cannot be read; nothing has changed then
   */
  onSRV(records: readonly SRVRecord[]): SRVOutcome;
  /**
   * Ends discovery: the closing events come, and selections that wait fail at once.
   *
   * @returns the generation
   */
  shutdown(): number;

  /**
   * What happens, and is to be done, from now on, and what waits since somebody listened last. It
   * ends when the topology is closed. A reader that is too slow loses the oldest of 10,000
   * events, and is told so; effects are never lost.
   */
  events(): AsyncIterableIterator<Change>;
  [Symbol.asyncIterator](): AsyncIterableIterator<Change>;
  /** What waits in the engine, for hosts that ask instead of listening. It forgets nothing. */
  pendingEvents(): PendingEvents;
  /**
   * Forgets what pendingEvents gave.
   *
   * @param upto its `last`
   * @throws {ReadPrefError} `outOfRange` for a number that was not given yet
   */
  acknowledgeEvents(upto: IntegerInput): void;

  /**
   * As every EventTarget. What waits is delivered to those who begin to listen in the same step,
   * after it.
   */
  addEventListener<T extends keyof TopologyEventMap>(
    type: T,
    listener: ((event: TopologyEventMap[T]) => void) | { handleEvent(event: TopologyEventMap[T]): void } | null,
    options?: boolean | { capture?: boolean; once?: boolean; passive?: boolean; signal?: any },
  ): void;
  addEventListener(type: string, listener: ((event: any) => void) | { handleEvent(event: any): void } | null, options?: any): void;
  removeEventListener(type: string, listener: ((event: any) => void) | { handleEvent(event: any): void } | null, options?: any): void;
  dispatchEvent(event: any): boolean;

  /**
   * Closes it. A discovered topology tells its listeners of its end before. Every use
   * afterwards is the error `handle`; closing again does nothing.
   */
  close(): void;
  get isClosed(): boolean;
  [Symbol.dispose](): void;
}

// ---- Selection -------------------------------------------------------------

export interface SelectOptions extends PickOptions, TopologySettings {
  /**
   * Makes the pick repeatable: 0 to 2^53-1, or up to 2^64-1 as a BigInt or a
   * decimal string. Absent: drawn by the Web Crypto API.
   */
  readonly seed?: IntegerInput | string | null;
}

/** Something the caller should know although the call succeeded. */
export interface Warning {
  /** A stable camelCase name, such as `hedgeDeprecated`. */
  readonly code: string;
  readonly message: string;
  readonly path: string;
}

/** Why no server was selected. */
export interface Reason {
  readonly code: string;
  readonly message: string;
}

export interface SelectedServer {
  /** In the topology's list of servers. */
  readonly index: number;
  readonly address: string;
  readonly type: ServerType;
}

/** The answer document of `select`. */
export interface SelectionDocument {
  readonly server: SelectedServer | null;
  readonly candidates: readonly string[];
  readonly fresh: readonly string[];
  readonly suitable: readonly string[];
  readonly inLatencyWindow: readonly string[];
  readonly effectiveReadPreference?: NormalReadPreference;
  readonly reason?: Reason;
  readonly warnings?: readonly Warning[];
}

/** The chosen member, and every step that led to it. Immutable. */
export class Selection {
  protected constructor();
  /** null where there is none, which is an answer and not an error. */
  readonly server: SelectedServer | null;
  /** Addresses after deprioritization and the mode. */
  readonly candidates: readonly string[];
  /** After maxStalenessSeconds. */
  readonly fresh: readonly string[];
  /** After tag sets and the custom selector. */
  readonly suitable: readonly string[];
  /** After the latency window: the server is picked among these. */
  readonly inLatencyWindow: readonly string[];
  /** For `aggregateWithWriteStage` only: what the operation must use and send. */
  readonly effectiveReadPreference: ReadPreference | undefined;
  /** Where `server` is null only. */
  readonly reason: Reason | undefined;
  readonly warnings: readonly Warning[];
  /** The answer document. */
  toJSON(): SelectionDocument;
  /** The answer document as JSON. */
  toString(): string;
}

/**
 * Selects the member that an operation goes to (Server Selection, "Server Selection Algorithm"). Finding none is an
 * answer: its `server` is null.
 *
 * @param readPreference a mode alone will do; absent: primary
 * @throws {ReadPrefError} for what is wrong with an argument, with the path; `incompatibleWireVersion`; `maxStalenessTooSmall`
 */
export function select(
  topology: Topology | TopologyDescription,
  readPreference?: AnyReadPreference | null,
  options?: SelectOptions | null,
): Selection;

/**
 * Selects in each shard on its own. A shard without an answer has its error in its place.
 *
 * @throws {ReadPrefError} `argument` for what holds no shards; what is wrong with the preference or the options
 */
export function selectShards(
  shards: Shards,
  readPreference?: AnyReadPreference | null,
  options?: SelectOptions | null,
): Map<string, Selection | ReadPrefError>;

/** Topologies by the name of their shard. A Map keeps the order of every name. */
export type Shards = Iterable<[string, Topology | TopologyDescription]> | Readonly<Record<string, Topology | TopologyDescription>>;

// ---- Explanation -----------------------------------------------------------

/**
 * One pass of a selection: the preferred modes may take two, and each is taken
 * again with the deprioritized servers where it found none without them.
 */
export interface Pass {
  /** Which servers it looked for, such as `secondary`. */
  readonly role: string;
  readonly withoutDeprioritized: boolean;
  readonly candidates: readonly string[];
  readonly fresh: readonly string[];
  /** After the tag sets, before the custom selector. */
  readonly tagged: readonly string[];
  /** The index of the tag set that decided; null where none did. */
  readonly tagSet: number | null;
}

/** How maxStalenessSeconds was applied. */
export interface Staleness {
  readonly formula: 'withPrimary' | 'withoutPrimary';
  /** The address of the server that the others are measured against. */
  readonly reference: string | null;
  readonly heartbeatFrequencyMS: Integer;
  readonly maxStalenessSeconds: Integer;
}

export interface LatencyWindow {
  readonly fastestMS: number;
  readonly endMS: number;
}

/** How far a server came: the stage that dropped it, or where it ended. */
export type Stage =
  | 'type'
  | 'deprioritized'
  | 'mode'
  | 'maxStaleness'
  | 'tagSets'
  | 'customSelector'
  | 'latencyWindow'
  | 'inLatencyWindow'
  | 'selected';

/** A tag that a server lacks. */
export interface TagMiss {
  /** The index of the tag set. */
  readonly set: number;
  readonly name: string;
  readonly needs: string;
  /** The server's value, null where it has none. */
  readonly has: string | null;
}

/** What became of one server, and the figures that decided. */
export interface ServerVerdict extends SelectedServer {
  readonly stage: Stage;
  /** The reason for a reader. */
  readonly why: string;
  readonly roundTripTimeMS?: number;
  readonly stalenessMS?: Integer;
  /** How much more that is than allowed. */
  readonly overMS?: Integer;
  /** For the stage `tagSets`: the first miss in each tag set. */
  readonly tagSets?: readonly TagMiss[];
}

/** Something that explains the answer and is easily overlooked. */
export interface Note {
  /** A stable camelCase name. */
  readonly code: string;
  readonly message: string;
}

/** The answer document of `explain`. */
export interface ExplanationDocument extends SelectionDocument {
  readonly passes: readonly Pass[];
  readonly staleness?: Staleness;
  readonly latencyWindow?: LatencyWindow;
  readonly servers: readonly ServerVerdict[];
  readonly notes: readonly Note[];
  readonly text: string;
}

/** A selection with what became of every member, and why. Immutable. */
export class Explanation extends Selection {
  private constructor();
  readonly passes: readonly Pass[];
  /** Where a maxStalenessSeconds was applied. */
  readonly staleness: Staleness | undefined;
  /** Where there was one: some suitable server has a round-trip time. */
  readonly latencyWindow: LatencyWindow | undefined;
  /** One per server, in the topology's order. */
  readonly servers: readonly ServerVerdict[];
  readonly notes: readonly Note[];
  /** All of it for a reader: several lines. */
  readonly text: string;
  toJSON(): ExplanationDocument;
  /** The text. */
  toString(): string;
}

/**
 * Selects, and says of every member which step dropped it, with the figures
 * that decided.
 *
 * @param readPreference a mode alone will do; absent: primary
 * @throws {ReadPrefError} as select
 */
export function explain(
  topology: Topology | TopologyDescription,
  readPreference?: AnyReadPreference | null,
  options?: SelectOptions | null,
): Explanation;

/**
 * Explains each shard on its own. A shard without an answer has its error in its place.
 *
 * @throws {ReadPrefError} as selectShards
 */
export function explainShards(
  shards: Shards,
  readPreference?: AnyReadPreference | null,
  options?: SelectOptions | null,
): Map<string, Explanation | ReadPrefError>;

// ---- What operators ask ----------------------------------------------------

/** An operation that an application does again and again. */
export interface Workload {
  /** What answers call it. Absent: `workload` and its number. */
  readonly name?: string | null;
  /** A mode alone will do. Absent: primary. */
  readonly readPreference?: AnyReadPreference | null;
  /** `aggregateWithWriteStage` is an aggregate with `$out` or `$merge`. Absent: read. */
  readonly operation?: 'read' | 'write' | 'aggregateWithWriteStage' | null;
  /** How often it is done for the others, 1 to 1,000,000: of weights 3 and 1, three of four operations are the first's. Absent: 1. */
  readonly weight?: IntegerInput | null;
  /** For `advise`: the application writes what it made of what it read. */
  readonly writesBack?: boolean | null;
  /** For `advise`: the operations are parts of transactions. */
  readonly transaction?: boolean | null;
}

/** What all questions of operators take. */
export interface OperatorsOptions extends Pick<TopologySettings, 'localThresholdMS' | 'heartbeatFrequencyMS' | 'wireVersions'> {
  /** How `text` is written: for a terminal, or as tables for a ticket. Absent: text. */
  readonly format?: 'text' | 'markdown' | null;
}

export interface SimulateOptions extends OperatorsOptions {
  /** Absent: leastBusyOfTwo. */
  readonly pick?: 'leastBusyOfTwo' | 'random' | 'roundRobin' | null;
  /** Absent: 0, so that the same question has the same answer. */
  readonly seed?: IntegerInput | string | null;
  /** How many operations are simulated, 1 to 10,000,000. Absent: the shares are counted out exactly. */
  readonly picks?: IntegerInput | null;
  /** Goes with `picks`: how many operations are in progress at any time, 1 to 1024. Absent: operation counts stay as they are. */
  readonly clients?: IntegerInput | null;
  /** Goes with `clients`: by address, how many milliseconds a server works on an operation, 0 to 60,000. Others take 0. */
  readonly serviceTimesMS?: Readonly<Record<string, DecimalInput>> | null;
  /** Goes with `picks`: the `state` of the answer to the same question, to go on from there. */
  readonly state?: string | null;
}

export interface SimulateAsyncOptions extends SimulateOptions {
  /** How many operations are simulated, 1 to 2^40. */
  readonly picks: number | bigint;
  /** Called after each piece of 100,000 picks, and at the end. Where it returns false, the answer is that of the picks so far. */
  readonly onProgress?: ((done: number, picks: number) => boolean | void) | null;
  /** Ends it: the promise is rejected with its reason. */
  readonly signal?: AbortSignalLike | null;
}

/** A server that a workload reaches. */
export interface ServerShare {
  /** In the topology's list of servers. */
  readonly index: number;
  readonly address: string;
  /** Only with `picks`: how many operations went there. */
  readonly picks?: number;
  /** Of the workload's operations, in parts per million. */
  readonly sharePPM: number;
}

/** Where the operations of one workload go. */
export interface SimulatedWorkload {
  readonly name: string;
  readonly operation: 'read' | 'write' | 'aggregateWithWriteStage';
  readonly readPreference: NormalReadPreference;
  readonly weight: number;
  /** Those in the latency window. */
  readonly servers: readonly ServerShare[];
  /** Only with `picks`: how many operations found no server. */
  readonly failed?: number;
  readonly failedPPM: number;
  /** The average of those that find a server; null: it is not known. */
  readonly roundTripTimeMS: number | null;
  /** Only where they find none. */
  readonly reason?: Reason;
  /** Only where there are some. */
  readonly warnings?: readonly Warning[];
}

/** Shares in all reads, all writes and all operations, in parts per million. An aggregate with a write stage counts as a read. */
export interface Shares {
  readonly readsPPM: number;
  readonly writesPPM: number;
  readonly operationsPPM: number;
}

/** Where operations go. Frozen. */
export interface Simulation {
  /** How many were simulated, those before `state` included; null: shares are exact. */
  readonly picks: number | null;
  readonly workloads: readonly SimulatedWorkload[];
  /** Every server of the topology, in its order. */
  readonly servers: readonly (SelectedServer & Shares)[];
  /** The operations that find no server. */
  readonly failed: Shares;
  /** Only with `picks`: what goes on from here. */
  readonly state?: string;
  /** All of it for a reader. */
  readonly text: string;
}

/**
 * Where operations go: the share of each server, which reads fail, and why. docs/operators.md
 * of the repository says what the model has, and what it leaves out.
 *
 * @param topology 1 to 1024 servers
 * @param workloads 1 to 100
 * @throws {ReadPrefError} Operations that find no server are part of the answer
 */
export function simulate(topology: Topology | TopologyDescription, workloads: Iterable<Workload>, options?: SimulateOptions | null): Simulation;

/**
 * The same in pieces, between which other work goes on. The answer is that to one call for all
 * picks. What `onProgress` throws rejects the promise.
 *
 * @throws {ReadPrefError} as simulate; the promise is rejected with it
 */
export function simulateAsync(topology: Topology | TopologyDescription, workloads: Iterable<Workload>, options: SimulateAsyncOptions): Promise<Simulation>;

/** What may happen to a deployment: docs/json.md, "what_if". */
export type PossibleEvent =
  | { readonly type: 'memberDown'; readonly address: string }
  /** No server that has all these tags answers. */
  | { readonly type: 'zoneDown'; readonly tags: TagSet }
  /** Seen from the servers with these tags: all others do not answer. */
  | { readonly type: 'networkSplit'; readonly tags: TagSet }
  | { readonly type: 'primarySteppedDown' }
  | { readonly type: 'memberLags'; readonly address: string; readonly lagSeconds: IntegerInput }
  /** So much is added to the round-trip times of the servers with these tags. */
  | { readonly type: 'zoneSlower'; readonly tags: TagSet; readonly roundTripTimeMS: DecimalInput }
  | { readonly type: 'memberAdded'; readonly server: ServerDescriptionInput | SavedReply }
  | { readonly type: 'tagsChanged'; readonly address: string; readonly tags: TagSet };

export interface WhatIfOptions extends OperatorsOptions {
  /** How many of the events happen together at most. Absent: 1. */
  readonly atOnce?: 1 | 2 | 3 | null;
  /** Also the loss of each available server. */
  readonly everySingle?: boolean | null;
  /** Also the loss of each two available servers. */
  readonly everyPair?: boolean | null;
}

/** How a workload is served before anything happens. */
export interface ServedWorkload {
  readonly name: string;
  readonly operation: 'read' | 'write' | 'aggregateWithWriteStage';
  readonly readPreference: NormalReadPreference;
  readonly weight: number;
  readonly status: 'served' | 'fails';
  /** Those in the latency window. */
  readonly servers: readonly string[];
  /** Only where it fails. */
  readonly reason?: Reason;
}

/** How a workload is served after something happened. */
export interface WorkloadOutcome {
  /** `served`: as well as before. */
  readonly status: 'served' | 'degraded' | 'fails';
  /** Those in the latency window. */
  readonly servers: readonly string[];
  /** Only where it is degraded: by the mode's other role, by a tag set behind the one before, by fewer servers, by servers that are farther away. */
  readonly why?: readonly ('fallback' | 'laterTagSet' | 'fewerServers' | 'slower')[];
  /** Only where it fails. */
  readonly reason?: Reason;
}

export interface Scenario {
  /** What happened, in English. */
  readonly name: string;
  /** What became of the primary. Who is elected is not known: there is a scenario for each that may. */
  readonly phase: 'asBefore' | 'noPrimary' | 'noMajority' | 'elected';
  readonly primary: string | null;
  /** Of each workload, in order. */
  readonly outcomes: readonly WorkloadOutcome[];
}

/** What becomes of operations. Frozen. */
export interface WhatIf {
  readonly before: { readonly primary: string | null; readonly outcomes: readonly ServedWorkload[] };
  readonly scenarios: readonly Scenario[];
  /** All of it for a reader: a table of events and workloads. */
  readonly text: string;
}

/**
 * What becomes of operations when something is lost, or changes.
 *
 * @param topology 1 to 1024 servers
 * @param workloads 1 to 100
 * @param events at most 100; absent: none
 * @throws {ReadPrefError} for events that are impossible, or exclude each other, and for too many
 */
export function whatIf(
  topology: Topology | TopologyDescription,
  workloads: Iterable<Workload>,
  events?: Iterable<PossibleEvent> | null,
  options?: WhatIfOptions | null,
): WhatIf;

export interface AdviseOptions extends OperatorsOptions {
  /** Whether the client connects to one member directly. Absent: false. */
  readonly directConnection?: boolean | null;
  /** Whether the members slow writes down while secondaries lag (`enableFlowControl`). Absent: true. */
  readonly flowControl?: boolean | null;
}

/** Something unwise. */
export interface Finding {
  /** A stable camelCase name: docs/json.md, "advise". */
  readonly code: string;
  /** `error`: it fails or destroys something, now or always; `warning`: it is not as it is meant, or not always. */
  readonly severity: 'info' | 'warning' | 'error';
  /** Its index; null: the deployment. */
  readonly workload: number | null;
  /** What it is about in the request, also where it is the absence of a key. */
  readonly path: string;
  readonly message: string;
  /** What to do. */
  readonly fix: string;
  /** A section of a specification or of the MongoDB manual. */
  readonly see: string;
}

/** What is unwise. Frozen. */
export interface Advice {
  readonly findings: readonly Finding[];
  /** All of it for a reader. */
  readonly text: string;
}

/**
 * What is unwise about the read preferences of an application, for a deployment.
 *
 * @param topology 1 to 1024 servers
 * @param workloads 1 to 100
 * @throws {ReadPrefError} for what is wrong with an argument, with the path
 */
export function advise(topology: Topology | TopologyDescription, workloads: Iterable<Workload>, options?: AdviseOptions | null): Advice;

/** What is different after. What is absent is as before. */
export interface After extends Pick<TopologySettings, 'localThresholdMS' | 'heartbeatFrequencyMS' | 'wireVersions' | 'pick'> {
  readonly topology?: Topology | TopologyDescription | null;
  /** As many as before: each is compared with that at the same place. */
  readonly workloads?: Iterable<Workload> | null;
}

export interface DiffOptions extends OperatorsOptions {
  /** Absent: leastBusyOfTwo. */
  readonly pick?: 'leastBusyOfTwo' | 'random' | 'roundRobin' | null;
}

/** A workload on one side of a comparison. */
export type ComparedWorkload = Pick<SimulatedWorkload, 'name' | 'operation' | 'readPreference' | 'weight' | 'failedPPM' | 'roundTripTimeMS' | 'reason' | 'warnings'>;

/** A server's share of a workload on one side, and why. */
export interface ComparedShare {
  readonly sharePPM: number;
  /** What dropped the server, or `inLatencyWindow`; null: it is not there, or the selection is an error. */
  readonly stage: Exclude<Stage, 'selected'> | null;
  readonly why: string;
}

export interface WorkloadChange {
  readonly before: ComparedWorkload;
  readonly after: ComparedWorkload;
  /** How many more of its operations find no server. */
  readonly failedChangePPM: number;
  /** Those whose share is another after; a change below 0 is a loss. */
  readonly servers: readonly { readonly address: string; readonly before: ComparedShare; readonly after: ComparedShare; readonly changePPM: number }[];
}

/** A server of either topology. */
export interface ServerChange {
  readonly address: string;
  /** null: it was not there. */
  readonly before: ({ readonly index: number; readonly type: ServerType } & Shares) | null;
  /** null: it is not there. */
  readonly after: ({ readonly index: number; readonly type: ServerType } & Shares) | null;
  /** What it gains; below 0: loses. */
  readonly change: Shares;
}

/** Who gains and who loses operations. Shares are exact, changes are what is after less what was before. Frozen. */
export interface Diff {
  /** Whether the share of any server in any workload is another after. */
  readonly changed: boolean;
  readonly workloads: readonly WorkloadChange[];
  readonly servers: readonly ServerChange[];
  /** The operations that find no server. */
  readonly failed: { readonly before: Shares; readonly after: Shares; readonly change: Shares };
  /** All of it for a reader. */
  readonly text: string;
}

/**
 * Who gains and who loses operations between two preferences, two topologies or two sets of
 * options, and why.
 *
 * @param topology 1 to 1024 servers
 * @param workloads 1 to 100
 * @throws {ReadPrefError} where nothing is different after, too
 */
export function diff(topology: Topology | TopologyDescription, workloads: Iterable<Workload>, after: After, options?: DiffOptions | null): Diff;

/** Something to know of an imported description. */
export interface ImportNote {
  /** A stable camelCase name: docs/json.md, "import". */
  readonly code: string;
  /** The part of the answer that it is about. */
  readonly path: string;
  readonly message: string;
}

/** What was imported. Frozen. */
export interface ImportedTopology {
  readonly sources: readonly ('rsStatus' | 'rsConf' | 'hello' | 'shardMap' | 'driverLog' | 'atlasCluster')[];
  /** Absent where there are `shards`. */
  readonly topology?: TopologyDescription;
  /** By shard or replica set, where there are several or a list of shards. */
  readonly shards?: Readonly<Record<string, TopologyDescription>>;
  /** What was guessed. */
  readonly guessed: readonly ImportNote[];
  /** What the sources cannot tell, and what it is taken for. */
  readonly unknown: readonly ImportNote[];
  /** What else to know of the members. */
  readonly notes: readonly ImportNote[];
}

/**
 * Topology descriptions of what was saved of a deployment: `rs.status()`, `rs.conf()`, `db.hello()` of members,
 * `listShards` or `getShardMap`, a driver's log, a cluster of Atlas's Admin API, each as it came.
 *
 * @throws {ReadPrefError} where a document is none of these, or two do not go together
 */
export function importTopology(documents: Iterable<Readonly<Record<string, unknown>> | string>): ImportedTopology;

// ---- Validation ------------------------------------------------------------

export interface Problem {
  readonly code: Code;
  readonly status: number;
  readonly message: string;
  readonly path: string;
  readonly minimumSeconds?: number;
}

/** The forms of a preference, by their names. */
export interface ValidateForms {
  /** The wire's `$readPreference` document. */
  readonly readPreference: ReadPreference | ReadPreferenceDocument;
  /** The options of a connection string: `readPreference=secondary&readPreferenceTags=dc:ny`. */
  readonly uriOptions: string;
  /** The arguments of mongosh's `readPref`. */
  readonly mongosh: readonly unknown[];
}

/** One form under its name, or a bare preference. */
export type ValidateRequest =
  | ReadPreference
  | ReadPreferenceDocument
  | Pick<ValidateForms, 'readPreference'>
  | Pick<ValidateForms, 'uriOptions'>
  | Pick<ValidateForms, 'mongosh'>;

/** The answer document of `validate`. */
export interface ValidationDocument {
  readonly valid: boolean;
  readonly readPreference: NormalReadPreference | null;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
}

/** What is wrong with a read preference, all of it. Immutable. */
export class Validation {
  private constructor();
  readonly valid: boolean;
  /** null where it is not valid. */
  readonly readPreference: ReadPreference | null;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
  /** The answer document. */
  toJSON(): ValidationDocument;
}

/**
 * Checks a read preference and finds all its problems, where the constructors of
 * ReadPreference throw the first.
 *
 * @throws {ReadPrefError} where the request itself cannot be read
 */
export function validate(request: ValidateRequest): Validation;

// ---- Server replies --------------------------------------------------------

export type HelloRequest = SavedReply;

/**
 * The server description that a reply to `hello` makes (SDAM, "Parsing a hello or legacy hello response").
 *
 * @throws {ReadPrefError} for a reply that cannot be read, with the path
 */
export function parseHello(request: HelloRequest): ServerDescription;

// ---- Connection strings -----------------------------------------------------

/** A connection string, taken apart. It holds the password: take care what you print. */
export interface ConnectionString {
  /** Whether it is `mongodb+srv://`. */
  readonly srv: boolean;
  /** As written; none for `mongodb+srv://`. */
  readonly hosts: readonly {
    readonly type: 'hostname' | 'ipv4' | 'ip_literal' | 'unix';
    readonly host: string;
    readonly port: number | null;
  }[];
  /** The hosts as addresses in normal form, each once. */
  readonly seeds: readonly string[];
  /** For `mongodb+srv://` only: the names to ask DNS for. */
  readonly lookup?: { readonly srv: string; readonly txt: string };
  readonly username: string | null;
  readonly password: string | null;
  readonly database: string | null;
  /** Primary where no option sets one. */
  readonly readPreference: ReadPreference;
  /** Every other valid option, by the name that the URI Options specification gives it. */
  readonly options: Readonly<Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, string>>>>;
  /** What is ignored, or deprecated. */
  readonly warnings: readonly Warning[];
}

export interface ResolvedConnectionString extends ConnectionString {
  /** When to scan the SRV records the first time, from now; null: never. */
  readonly rescanMS: number | null;
}

export interface DNSAnswers {
  /** `[]` for a name without records, and for a lookup that failed. */
  readonly srv: readonly SRVRecord[];
  /** TXT records: each is a list of strings. */
  readonly txt?: readonly (readonly string[])[] | null;
}

export interface PollSRVOptions {
  /** The addresses that the topology has. */
  readonly current: readonly string[];
  /** Absent: the connection string's, or 10000. */
  readonly heartbeatFrequencyMS?: IntegerInput | null;
  /** Decides which hosts srvMaxHosts takes. Absent: drawn at random. */
  readonly seed?: IntegerInput | string | null;
}

export interface SRVChanges {
  /** Addresses to add as Unknown servers. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** When to scan again, from now. */
  readonly nextMS: number;
  readonly warnings: readonly Warning[];
}

/**
 * Takes a connection string apart, as the Connection String and URI Options specifications say. No error shows its user
 * name or password.
 *
 * @throws {ReadPrefError} `invalidURI`, `invalidURIOption`
 */
export function parseURI(uri: string): ConnectionString;

/**
 * What a `mongodb+srv://` connection string and its DNS answers give together (Initial DNS Seedlist Discovery).
 *
 * @param options `seed` decides which hosts srvMaxHosts takes; absent: drawn at random
 * @throws {ReadPrefError} for the connection string as parseURI; for records of another domain, and where none are left
 */
export function resolveSRV(uri: string, answers: DNSAnswers, options?: { readonly seed?: IntegerInput | string | null } | null): ResolvedConnectionString;

/**
 * What a later scan of the SRV records changes, for hosts that keep the topology themselves (Polling SRV Records for
 * mongos Discovery).
 *
 * @param srv `[]` for a scan that failed
 * @throws {ReadPrefError} for what is wrong with an argument, with the path
 */
export function pollSRV(uri: string, srv: readonly SRVRecord[], options: PollSRVOptions): SRVChanges;

/**
 * The options of a connection string that say a read preference:
 * `readPreference=secondary&readPreferenceTags=dc:ny`.
 *
 * @throws {ReadPrefError} `invalidURIOption` for what no connection string can say
 */
export function toURI(readPreference: AnyReadPreference): string;

// ---- Commands --------------------------------------------------------------

/**
 * What a command carries to the server (its address) that was selected for it (Server Selection, "Passing read
 * preference to mongos and load balancers").
 *
 * @throws {ReadPrefError} for what is wrong with an argument, with the path
 */
export function command(
  topology: Topology | TopologyDescription,
  server: string,
  readPreference?: AnyReadPreference | null,
  options?: CommandOptions | null,
): Decoration;

export interface EffectivePreferenceRequest {
  /** Its name, or the command document, whose first key is the name. */
  readonly command: string | Readonly<Record<string, unknown>>;
  /** Whether it is run by the generic runCommand helper. */
  readonly runCommand?: boolean | null;
  readonly clientReadPreference?: ReadPreference | ReadPreferenceDocument | null;
  readonly databaseReadPreference?: ReadPreference | ReadPreferenceDocument | null;
  readonly collectionReadPreference?: ReadPreference | ReadPreferenceDocument | null;
  /** The operation's own argument. */
  readonly readPreference?: ReadPreference | ReadPreferenceDocument | null;
  readonly sessionReadPreference?: ReadPreference | ReadPreferenceDocument | null;
  readonly transaction?: { readonly readPreference?: ReadPreference | ReadPreferenceDocument | null; readonly pinned?: boolean | null } | null;
}

export interface EffectivePreference {
  readonly readPreference: ReadPreference;
  readonly operation: 'read' | 'write' | 'aggregateWithWriteStage';
  readonly kind: 'write' | 'generic' | 'mustUsePrimary' | 'shouldUsePrimary' | 'mayUseSecondary';
  /** Where the preference came from. */
  readonly from: 'operation' | 'collection' | 'database' | 'client' | 'transaction' | 'session' | 'default' | 'helper';
  /** false: the operation goes to a server that is known already. */
  readonly selects: boolean;
}

/**
 * Which of the preferences that were given at several levels an operation uses, and how
 * it selects (Server Selection, "Use of read preferences with commands").
 *
 * @throws {ReadPrefError} `transactionReadPreferenceNotPrimary`
 */
export function effectivePreference(request: EffectivePreferenceRequest): EffectivePreference;

/**
 * Whether a server can be read from with this preference: what monitors of applications ask (SDAM, "hasReadableServer").
 *
 * @throws {ReadPrefError} as select
 */
export function readable(topology: Topology | TopologyDescription, readPreference?: AnyReadPreference | null): boolean;

/**
 * Whether a server can be written to (SDAM, "hasWritableServer").
 *
 * @throws {ReadPrefError} as select
 */
export function writable(topology: Topology | TopologyDescription): boolean;

// ---- Round-trip times ------------------------------------------------------

export interface RoundTripTimes {
  /** The average after the last sample; null: there is none. */
  readonly roundTripTimeMS: number | null;
  /** The least of the last ten samples; 0 until there are two. */
  readonly minRoundTripTimeMS: number | null;
  /** After each sample. */
  readonly averagesMS: readonly (number | null)[];
}

/**
 * The average of a server's round-trip times, in milliseconds (Server Selection, "Calculation of Average Round Trip Times").
 *
 * @param samplesMS in order; null where the server became Unknown in between, which forgets all
 * @param roundTripTimeMS the average before them
 * @throws {ReadPrefError} for a sample that is no number, or below 0
 */
export function rtt(samplesMS: readonly (DecimalInput | null)[], roundTripTimeMS?: DecimalInput | null): RoundTripTimes;

// ---- The engine itself -----------------------------------------------------

export interface BuildInfo {
  readonly name: string;
  readonly version: string;
  readonly abi: { readonly major: number; readonly minor: number };
}

export interface MethodInfo {
  readonly name: string;
  /** The ABI version that has it first. */
  readonly since: string;
  readonly summary: string;
  /** The JSON Schema of its request, in docs/schema. */
  readonly request: string;
  /** And of its answer. */
  readonly answer: string;
}

/**
 * The version of the engine and of its ABI.
 *
 * @throws {ReadPrefError} where the engine does not start, as every function: see init
 */
export function buildInfo(): BuildInfo;

/**
 * What `call` and `callRaw` can be asked.
 *
 * @throws {ReadPrefError} as buildInfo
 */
export function methods(): readonly MethodInfo[];

export interface RawAnswer {
  /** 0 for an answer, the negative number of its code for an error document. */
  readonly status: number;
  /** The UTF-8 JSON; it is the caller's. */
  readonly bytes: Uint8Array;
}

/**
 * The raw door: bytes in, bytes out, exactly as every other runtime answers
 * them. An error document is an answer here, told by its `status`, and not
 * thrown. There is no seed but the document's own (absent: 0).
 *
 * @param input a UTF-8 JSON document; absent: empty
 * @throws {ReadPrefError} `argument` for arguments of other types and for bytes that
 *   were transferred away, `internal` where the module cannot be loaded or trapped
 */
export function callRaw(method: string, input?: Uint8Array | string): RawAnswer;

/**
 * The raw door for values. There is no seed but the value's own (absent: 0).
 *
 * A value is encoded as JSON. BigInt and Date arrive as they are; what has no
 * JSON form (NaN, a Map, a value that contains itself, …) is an error with the
 * code `invalidJSON` and its path. Where code of the caller's throws while the
 * value is read (a getter, a toJSON, a proxy), the code is `wrongType` and `cause`
 * is what was thrown, here as in every other function. Integers in the answer that a number does not
 * hold come as NumberLong.
 *
 * @param value absent: an empty document
 * @throws {ReadPrefError} for an error document, and for a value without a JSON form
 */
export function call(method: string, value?: unknown): any;

// ---- Errors ----------------------------------------------------------------

export interface ErrorDocument {
  readonly error: Problem;
}

/**
 * What went wrong, in the words that every runtime of readpref uses. The `message`
 * begins with the path: `readPreference.tags[1].dc: expected a string, found a number`.
 * Whatever they repeat of the caller's, both are short (about 1000 bytes each) and
 * safe to print: what a terminal obeys is escaped.
 */
export class ReadPrefError extends Error {
  /** @param message without the path */
  constructor(code: Code, message: string, details?: { path?: string; minimumSeconds?: number; cause?: unknown });
  /** A stable camelCase name. */
  readonly code: Code;
  /** Its number. */
  readonly status: number;
  /** Where in the caller's document: `readPreference.tags[1].dc`; `""` is all of it. */
  readonly path: string;
  /** For `maxStalenessTooSmall`: the least this topology allows. */
  readonly minimumSeconds?: number;
  /** From the constructors of ReadPreference: all problems, this one included. */
  readonly problems?: readonly ReadPrefError[];
  /** The error document; its message is without the path. */
  toJSON(): ErrorDocument;
}

/**
 * No suitable server was found in time: `noServer`. The message says why, and ends with
 * the text of the explanation.
 */
export class ServerSelectionTimeoutError extends ReadPrefError {
  private constructor();
  /** How long it waited. */
  readonly timeoutMS: number;
  /** Why, for each server, when the time was over. */
  readonly explanation: Explanation;
}
