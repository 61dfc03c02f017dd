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

/** Which members of a deployment a read may go to. Immutable. */
export class ReadPreference {
  /**
   * @param mode absent: primary
   * @throws {ReadPrefError} the first problem; its `problems` has all
   */
  constructor(mode?: ReadPreferenceMode, options?: ReadPreferenceOptions | null);

  /** From the wire's `$readPreference` document. */
  static fromDocument(document: ReadPreferenceDocument): ReadPreference;
  /** From a connection string's options: `readPreference=secondary&readPreferenceTags=dc:ny`. */
  static fromUriOptions(options: string): ReadPreference;
  /** From mongosh's arguments: `fromMongosh('secondary', [{ region: 'us-east' }, {}])`. */
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

export interface TopologyOptions extends TopologySettings {}

/** The document of `topology.open`. */
export interface TopologyOpenRequest extends TopologySettings {
  readonly topology: TopologyDescription | Topology;
}

/** What describe() gives: a document for Topology.open. */
export interface TopologyState {
  readonly topology: TopologyDescription & { readonly servers: readonly ServerDescription[] };
  readonly localThresholdMS: number;
  readonly heartbeatFrequencyMS: Integer;
  readonly wireVersions: { readonly min: number; readonly max: number };
  readonly pick: 'leastBusyOfTwo' | 'random' | 'roundRobin';
  /** The present state of the random generator, or the next turn of `roundRobin`. */
  readonly seed: string;
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

/**
 * What is known about a deployment and its members, and selection among them.
 *
 * From a description alone it is encoded once for any number of calls of `select` and
 * `explain`; what is wrong with the description is told by the first call. Its own
 * methods open it in the engine, on first use: from then on until close() the engine
 * keeps its servers' ids and operation counts. With options it is opened, and checked,
 * at once.
 *
 * A topology that nobody uses any more is closed after it was collected; close(), or
 * a `using` declaration, does it in time. An instance of the engine holds 65,536
 * handles.
 *
 * Should the engine fail (`internal`), its instance is replaced and the topologies in
 * it are lost: every use is then the error `handle`, whose `cause` is the failure. Make
 * them anew.
 */
export class Topology implements Disposable {
  constructor(description: TopologyDescription, options?: TopologyOptions | null);
  /** From the document of `topology.open`, such as describe() gives: it goes on from there. */
  static open(request: TopologyOpenRequest): Topology;
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
  /** The present description, settings, operation counts and random state. */
  describe(): TopologyState;
  /** The description. BigInt and Date come as Extended JSON. */
  toJSON(): TopologyDescription;
  /** The description as JSON, with integers that a number does not hold as Extended JSON. */
  toString(): string;

  /**
   * Selects a server among those that are known now.
   *
   * @param readPreference a mode alone will do; absent: primary
   * @throws {ReadPrefError} `noServer` where none is suitable
   */
  selectSync(readPreference?: AnyReadPreference | null, options?: PickOptions | null): Server;
  /**
   * Many selections at once, all of the same description, or none.
   *
   * @param count from 1 to 1,048,576
   * @throws {ReadPrefError} `noServer` where none is suitable
   */
  batch(readPreference: AnyReadPreference | null | undefined, count: IntegerInput, options?: BatchOptions | null): Server[];
  /** Selects, and counts an operation on the server until it is released. */
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
  /** What the next selectSync with the same arguments does, and why. Finding none is an answer here. */
  explain(readPreference?: AnyReadPreference | null, options?: PickOptions | null): Explanation;

  /**
   * Replaces the description. Servers keep their ids, and their operation counts unless
   * the description gives them.
   *
   * @returns the new generation
   * @throws {ReadPrefError} where it is refused; nothing has changed then
   */
  update(description: TopologyDescription): number;

  /** Every use afterwards is the error `handle`; closing again does nothing. */
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
 * Selects the member that an operation goes to.
 *
 * @param readPreference a mode alone will do; absent: primary
 */
export function select(
  topology: Topology | TopologyDescription,
  readPreference?: AnyReadPreference | null,
  options?: SelectOptions | null,
): Selection;

/** Selects in each shard on its own. A shard without an answer has its error in its place. */
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
 */
export function explain(
  topology: Topology | TopologyDescription,
  readPreference?: AnyReadPreference | null,
  options?: SelectOptions | null,
): Explanation;

/** Explains each shard on its own. A shard without an answer has its error in its place. */
export function explainShards(
  shards: Shards,
  readPreference?: AnyReadPreference | null,
  options?: SelectOptions | null,
): Map<string, Explanation | ReadPrefError>;

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

/** The server description that a reply to `hello` makes. */
export function parseHello(request: HelloRequest): ServerDescription;

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

/** The version of the engine and of its ABI. */
export function buildInfo(): BuildInfo;

/** What `call` and `callRaw` can be asked. */
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
