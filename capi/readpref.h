/*
 * readpref.h: MongoDB server selection, for C and every language that can call C.
 *
 * The host says what its servers said and what the operation wants, as one JSON document; the library answers which
 * member serves it, and why. It never connects anywhere, opens no file and reads no clock. The documents are described in
 * docs/json.md, how to bind the library in docs/integrating.md, and a first program is examples/c/select.c.
 *
 * This header is the whole interface: C99, C11 and C++, without the Go types of the header that cgo generates (which is
 * not needed and not shipped). Every function here holds to these rules:
 *
 * Ownership. Inputs are borrowed for the call and never kept. Answers are written into the caller's buffer. Nothing
 *   crosses this interface that anyone must free. The answer buffer must not overlap an input.
 *
 * Text. Documents and names are UTF-8 with a length; no NUL is needed at the end and none is written. A pointer that
 *   comes with length 0 may have any value.
 *
 * Errors. An error is a document like an answer, with a code, a message and a path into the caller's document; nothing is
 *   global: no errno, no last error. A fault inside the library becomes RP_E_INTERNAL, not the end of the process. What a
 *   C library cannot check stays the caller's duty: a pointer must be good for the length that comes with it.
 *
 * Threads. Every function may be called from any thread at any time, with no initialisation and no lock, also with one
 *   handle, and also while another thread closes it.
 *
 * Two libraries have this interface; docs/integrating.md helps to choose.
 *
 *   libreadpref has the Go runtime inside, and scales over cores. After fork() its threads do not exist in the child: there
 *   every function but rp_abi_version and rp_generation answers RP_E_FORKED at once. A host that forks workers loads it in
 *   each worker, after the fork. Load it once and leave it: dlclose() cannot unload a Go runtime and does nothing. The
 *   runtime starts a few threads of its own and handles signals, passing on those that are not its own: a host's signal
 *   handlers must be installed with SA_ONSTACK. Two libraries that each have a Go runtime inside are not supported in one
 *   process. musl cannot load it.
 *
 *   libreadpref_portable has none: no threads, no signal handlers, works after fork() (handles of the parent live on in
 *   the child, separately), loads on musl. Calls on one topology take turns; different topologies run in parallel; rp_close
 *   of a topology waits for the call under way. Each topology has memory of its own, three mappings: Linux's usual limit
 *   ends them near 21,800, with RP_E_INTERNAL. dlclose() frees everything once all handles are closed.
 */
#ifndef READPREF_H
#define READPREF_H

#include <stddef.h>
#include <stdint.h>

/* RP_API marks what the library exports. Windows programs that link the static library define RP_STATIC first. */
#if defined(RP_STATIC)
#define RP_API
#elif defined(_WIN32)
#if defined(RP_BUILDING_LIBRARY)
#define RP_API __declspec(dllexport)
#else
#define RP_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define RP_API __attribute__((visibility("default")))
#else
#define RP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The version of the interface this header describes. A new minor adds functions, methods, keys of answers and codes; a
 * new major may change anything. It is not the version of the library: the method build_info tells that.
 */
#define RP_ABI_MAJOR 1
#define RP_ABI_MINOR 0
#define RP_ABI_VERSION ((RP_ABI_MAJOR << 16) | RP_ABI_MINOR)

/* The largest document and the longest method name a call takes, in bytes. More is an error document, and is not read. */
#define RP_MAX_DOCUMENT 16777216
#define RP_MAX_METHOD 64

/*
 * The stable status codes: an error document's "status" is one of these numbers and its "code" the name that follows it
 * here. A number is never reused and never renumbered; a later minor may add some, so a host keeps a default case.
 */
/* status codes: begin (generated from core/status/codes.json) */
#define RP_E_ARGUMENT (-1) /* argument: a null pointer with a length, or another argument that no document explains */
#define RP_E_BUFFER (-2) /* buffer: the answer buffer is smaller than this function needs before it may change anything */
#define RP_E_HANDLE (-3) /* handle: the handle is stale, closed, or of another kind */
#define RP_E_NO_SERVER (-4) /* noServer: no server is suitable */
#define RP_E_FORKED (-5) /* forked: this process was forked after the library was loaded */
#define RP_E_INTERNAL (-6) /* internal: a fault inside readpref; please report it */
#define RP_E_UNKNOWN_METHOD (-7) /* unknownMethod: no method has this name */
#define RP_E_INVALID_JSON (-10) /* invalidJSON: the document is not JSON (RFC 8259) */
#define RP_E_INVALID_UTF8 (-11) /* invalidUTF8: a string is not UTF-8, or holds a lone surrogate */
#define RP_E_DUPLICATE_KEY (-12) /* duplicateKey: an object names a key twice */
#define RP_E_NESTING_TOO_DEEP (-13) /* nestingTooDeep: more than 64 levels of nesting */
#define RP_E_DOCUMENT_TOO_LARGE (-14) /* documentTooLarge: more than 16 MiB */
#define RP_E_LIMIT_EXCEEDED (-15) /* limitExceeded: more elements than the documented limit */
#define RP_E_UNKNOWN_KEY (-16) /* unknownKey: a key this document does not have */
#define RP_E_MISSING_KEY (-17) /* missingKey: a required key is absent */
#define RP_E_WRONG_TYPE (-18) /* wrongType: a value of another type than the key takes */
#define RP_E_OUT_OF_RANGE (-19) /* outOfRange: a value outside the key's range */
#define RP_E_UNKNOWN_MODE (-20) /* unknownMode: no read preference mode has this name */
#define RP_E_MAX_STALENESS_TOO_SMALL (-21) /* maxStalenessTooSmall: maxStalenessSeconds is under 90, or under heartbeatFrequencyMS + 10 seconds, on a replica set */
#define RP_E_MAX_STALENESS_WITH_PRIMARY (-22) /* maxStalenessWithPrimary: maxStalenessSeconds cannot be combined with mode primary */
#define RP_E_TAGS_WITH_PRIMARY (-23) /* tagsWithPrimary: tag sets cannot be combined with mode primary */
#define RP_E_HEDGE_WITH_PRIMARY (-24) /* hedgeWithPrimary: hedge cannot be combined with mode primary */
#define RP_E_INVALID_MAX_STALENESS (-25) /* invalidMaxStaleness: maxStalenessSeconds is below -1 */
#define RP_E_UNKNOWN_VALUE (-26) /* unknownValue: a name outside the key's list of names */
#define RP_E_DUPLICATE_ADDRESS (-27) /* duplicateAddress: a topology names an address twice */
#define RP_E_INCOMPATIBLE_WIRE_VERSION (-28) /* incompatibleWireVersion: a server and this client share no wire version */
#define RP_E_INVALID_URI_OPTION (-29) /* invalidURIOption: a connection string option cannot be read */
#define RP_E_INVALID_URI (-30) /* invalidURI: the connection string cannot be read */
#define RP_E_INVALID_HOST (-31) /* invalidHost: a host of the connection string is no address */
#define RP_E_CONFLICTING_OPTIONS (-32) /* conflictingOptions: connection string options that exclude or need each other */
#define RP_E_DIRECT_CONNECTION_WITH_MULTIPLE_HOSTS (-33) /* directConnectionWithMultipleHosts: directConnection=true takes one host, not several and not those of DNS */
#define RP_E_LOAD_BALANCED_WITH_REPLICA_SET (-34) /* loadBalancedWithReplicaSet: loadBalanced=true cannot be combined with replicaSet */
#define RP_E_LOAD_BALANCED_WITH_MULTIPLE_HOSTS (-35) /* loadBalancedWithMultipleHosts: loadBalanced=true takes one host */
#define RP_E_LOAD_BALANCED_WITH_DIRECT_CONNECTION (-36) /* loadBalancedWithDirectConnection: loadBalanced=true cannot be combined with directConnection=true */
#define RP_E_NO_SRV_RECORDS (-37) /* noSRVRecords: DNS has no SRV records for the connection string's host */
#define RP_E_INVALID_SRV_RECORD (-38) /* invalidSRVRecord: an SRV record names a host outside the connection string's domain, or none */
#define RP_E_INVALID_TXT_RECORD (-39) /* invalidTXTRecord: the TXT record is not one of the options it may set */
#define RP_E_TRANSACTION_READ_PREFERENCE_NOT_PRIMARY (-40) /* transactionReadPreferenceNotPrimary: a read in a transaction with a read preference other than primary */
/* status codes: end */

/*
 * rp_abi_version: the version of the interface the loaded library has.
 *
 * Returns major << 16 | minor. Bind this function first and check a range, not an equality: the major must be the one
 * the host was written for, the minor at least the one it needs.
 *
 *     uint32_t v = rp_abi_version();
 *     if (v >> 16 != RP_ABI_MAJOR || v < RP_ABI_VERSION) refuse to go on
 *
 * Errors: none. Threads: any. It may be called in a forked child of either library.
 */
RP_API uint32_t rp_abi_version(void);

/*
 * rp_call: runs one method: select, explain, validate, server.parse_hello, build_info, methods, and the methods that do with
 * documents what the functions below do with handles.
 *
 * method, method_len  the method's name, at most RP_MAX_METHOD bytes. Borrowed.
 * in, in_len          the request document, UTF-8 JSON, at most RP_MAX_DOCUMENT bytes. Borrowed. Length 0 is an empty
 *                     request, which only the methods that ask for nothing take.
 * out, cap            the caller's buffer for the answer or error document, and its size in bytes. NULL with 0 asks for
 *                     the length alone.
 *
 * Returns
 *    +n   the answer is n bytes long.
 *    -n   an error document, {"error":{"code","status","message","path",...}}, is n bytes long.
 *    n is never 0. Where n <= cap, exactly n bytes were written and the rest of the buffer is as it was. Where n > cap
 *    nothing was written: call again with n bytes or more. The methods without handles answer from their request alone,
 *    so asking twice is safe and gives the same bytes. Those that open or change something (topology.open, topology.update,
 *    topology.hello, topology.error, topology.srv, topology.shutdown, topology.events_ack, topology.select,
 *    topology.select_batch, topology.release, readpref.open, close) do nothing and answer RP_E_BUFFER where cap is under
 *    RP_MIN_BUFFER, or under 10 + 11 bytes a pick for a batch.
 *
 * Errors: the codes above; those that belong to no document of the caller's:
 *    RP_E_ARGUMENT           method, in or out is NULL although its length is not 0; the path is the parameter's name. (For
 *                            out there is no buffer to write to: only the -n says so.)
 *    RP_E_UNKNOWN_METHOD     no method has this name.
 *    RP_E_DOCUMENT_TOO_LARGE in_len is more than RP_MAX_DOCUMENT; the input was not read.
 *    RP_E_INTERNAL           a fault inside readpref.
 * That no server is suitable is an answer ({"server":null,...,"reason":...}) and not an error.
 *
 * Threads: any, in parallel. Forks: not in a forked child. Memory: a call allocates nothing once the library has warmed
 * up, and what it holds for calls is not returned to the caller to free.
 */
RP_API int32_t rp_call(const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

/*
 * Handles
 * -------
 * A topology handle holds a deployment's description, its servers' operation counts, and what was computed from them; a
 * preference handle holds a read preference. Every preference works with every topology. rp_select on two handles is the
 * hot path: no JSON, no allocation, no lock.
 *
 * A handle is a number greater than 0 and less than 2^31, of this process and this library alone. One that is stale, closed
 * or of the other kind is RP_E_HANDLE, never a crash. There can be 65,536 at a time. The methods of rp_call with the same
 * names (topology.open, topology.select, ...) do the same with handles in documents.
 *
 * Functions that open or change something apply exactly once or change nothing, so they need room for their error document
 * before they begin: a cap under RP_MIN_BUFFER is refused with RP_E_BUFFER.
 */

/* The smallest answer buffer of the functions that open or change something and take a document. */
#define RP_MIN_BUFFER 4096

/* The flags of rp_select, rp_select_ex and rp_select_batch: one operation, and RP_CHECKOUT or not. */
#define RP_READ 0u
#define RP_WRITE 1u
#define RP_AGGREGATE_WITH_WRITE_STAGE 2u /* an aggregate with $out or $merge */
#define RP_CHECKOUT 4u                   /* the chosen server's operation count goes up by one: rp_release takes it back */

/*
 * rp_topology_open: opens a topology. Either the host keeps its description up to date, by rp_topology_update; or it is
 * discovered, and the host says what servers answer and which errors it meets: see Discovery below.
 *
 * in, in_len   {"topology": description, "localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "pick", "seed"}: all but
 *              the first optional. In place of "topology", for discovery: {"seeds": [addresses], "replicaSet",
 *              "directConnection", "loadBalanced", "enableOverloadRetargeting"}, where "topology" and "pools" may stand beside
 *              "seeds" to go on from what rp_topology_describe printed; or {"uri": connection string}, with "srv" and "txt",
 *              the answers of DNS, for mongodb+srv. Give entropy as seed in production, so that clients do not move in step.
 *              Borrowed.
 * out, cap     at least RP_MIN_BUFFER bytes for an error document.
 *
 * Returns a handle, or -n for an error document of n bytes. Close it with rp_close. Its generation is 1.
 */
RP_API int32_t rp_topology_open(const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

/*
 * rp_topology_update: replaces the description of an open topology.
 *
 * in, in_len   {"topology": description}. A server's operation count stays as it is, also over removal and return, unless
 *              the description has its operationCount. Borrowed.
 * out, cap     at least RP_MIN_BUFFER bytes for an error document.
 *
 * Returns 0, or -n for an error document of n bytes; then the topology is as it was. Selections that are under way end
 * with the old description or the new one, never with a mixture. A discovered topology refuses it: RP_E_ARGUMENT.
 */
RP_API int32_t rp_topology_update(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

/*
 * rp_topology_describe: what rp_topology_open needs to open this topology again, with live operation counts and the state of
 * the random generator as seed: the new one goes on as this one would. Of a discovered topology also its seeds and the
 * generations of its pools.
 *
 * Returns as rp_call does; it has no side effect, so asking twice is safe.
 */
RP_API int32_t rp_topology_describe(uint32_t topology, uint8_t *out, size_t cap);

/*
 * Discovery
 * ---------
 * A topology that was opened with seeds or a uri is discovered, by the rules of the SDAM specification. The host owns
 * sockets, threads and the clock; it tells this library what came of its checks (rp_topology_hello) and of its operations
 * (rp_topology_error), and does what rp_topology_events asks for: start and stop monitors, check a server now, clear a pool.
 * Selecting is as on any topology; a host that found no server waits until rp_generation changes.
 *
 *     int32_t t = rp_topology_open(seeds or uri);
 *     for (;;) {                                          the loop of whoever acts on effects
 *       n = rp_topology_events(t, out, cap);              {"events": [...], "last": 13, "dropped": 0, "more": false}
 *       do what they say; then rp_topology_events_ack(t, last);
 *       wait for a step below
 *     }
 *     rp_topology_hello(t, {"address", "hello", "roundTripTimeMS", "nowMS"});          a monitor, after each check
 *     rp_topology_error(t, {"address", "kind", "generation", "reply", ...});           an operation that failed
 *     rp_topology_shutdown(t); the last events; rp_close(t);
 *
 * The functions of this section are RP_E_ARGUMENT on a topology whose description the host gives. Each is one step:
 * selections see all of it or nothing, from whatever threads they come. In all, in is the document of the method of the same
 * name without its "topology", which is the first argument. A reply or error that is refused changes nothing. docs/json.md
 * describes every key, event and effect.
 */

/*
 * rp_topology_hello: what a check of a server gave, or the handshake of an application's connection.
 *
 * in, in_len   {"address", "hello", "roundTripTimeMS", "nowMS"}: the reply as it came, one sample in decimal milliseconds,
 *              the host's clock in integer milliseconds from any fixed point. A check that failed: {"address", "error",
 *              "errorKind": "network", "networkTimeout" or "command"}. A sample of a probe that only measures: {"address",
 *              "roundTripTimeMS"}. Borrowed.
 * out, cap     at least RP_MIN_BUFFER bytes for an error document.
 *
 * Returns 0, or -n for an error document of n bytes: a reply that cannot be read, RP_E_LIMIT_EXCEEDED for more than 65,536
 * servers in the topology or 1,048,576 addresses in its life. A reply from a server that the topology does not have, or
 * older than what it knows, changes nothing and is 0; the method topology.hello tells which.
 *
 * SDAM specification, "Parsing a hello or legacy hello response" and "TopologyType table"; Server Monitoring specification.
 */
RP_API int32_t rp_topology_hello(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

/*
 * rp_topology_error: an error that an operation met.
 *
 * in, in_len   {"address", "stage": "connectAndHello", "authentication" or "afterHandshake", "kind": "command", "network" or
 *              "networkTimeout", "labels", "generation", "serviceId", "reply", "error", "nowMS"}: all but address and kind
 *              optional. generation is that of the pool when the connection was made. Borrowed.
 * out, cap     at least RP_MIN_BUFFER bytes for an error document.
 *
 * Returns 0, or -n for an error document of n bytes. Whether it changed something, and whether a retry should avoid the
 * server, is the answer of the method topology.error.
 *
 * SDAM specification, "Application errors"; Load Balancer specification, "Post-Handshake Errors".
 */
RP_API int32_t rp_topology_error(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

/*
 * rp_topology_srv: what DNS answered to the scan that an effect scanSRV asked for.
 *
 * in, in_len   {"srv": [{"target", "port", "ttlSeconds"}]}; an empty list is a DNS error. Borrowed.
 * out, cap     at least RP_MIN_BUFFER bytes for an error document.
 *
 * Returns 0, or -n for an error document of n bytes; RP_E_ARGUMENT on a topology that was not opened from mongodb+srv. The
 * time to the next scan is in the effect scanSRV that waits then; where the topology is of no type that is scanned, nothing
 * changes and there is none.
 *
 * Polling SRV Records for mongos Discovery specification.
 */
RP_API int32_t rp_topology_srv(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

/*
 * rp_topology_shutdown: ends discovery. Its last events and effects wait to be fetched, further replies and errors change
 * nothing, and no server is found any more. A second call does nothing. rp_close frees the handle.
 *
 * in, in_len   empty, or {}.
 * out, cap     at least RP_MIN_BUFFER bytes for an error document.
 *
 * Returns 0, or -n for an error document of n bytes.
 *
 * SDAM logging and monitoring specification, "Closing".
 */
RP_API int32_t rp_topology_shutdown(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

/*
 * rp_topology_events: the events and effects that wait to be acknowledged, in order.
 *
 * Returns as rp_call does: the length of {"events", "last", "dropped", "more"}, or -n. It forgets nothing, so asking twice is
 * safe. An answer ends after 4 MiB, "more" says that others wait. At most 10,000 events wait; of more the oldest are lost,
 * and counted in "dropped". Effects coalesce and are never lost.
 */
RP_API int32_t rp_topology_events(uint32_t topology, uint8_t *out, size_t cap);

/*
 * rp_topology_events_ack: forgets the events and effects up to a sequence number, the "last" of an answer that was dealt
 * with.
 *
 * Returns 0, or RP_E_HANDLE, RP_E_ARGUMENT (see above), or RP_E_OUT_OF_RANGE for a number that was not given yet.
 */
RP_API int32_t rp_topology_events_ack(uint32_t topology, uint32_t upto);

/*
 * rp_readpref_open: opens a read preference.
 *
 * in, in_len   {"readPreference": document}, {"uriOptions": "..."} or {"mongosh": [...]}, as the method validate. Borrowed.
 * out, cap     at least RP_MIN_BUFFER bytes for an error document: the first problem of the preference.
 *
 * Returns a handle, or -n for an error document of n bytes. Close it with rp_close.
 */
RP_API int32_t rp_readpref_open(const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

/*
 * rp_select: picks a server for one operation.
 *
 * Returns its id (>= 0), or a status: RP_E_NO_SERVER (no server is suitable now: wait until rp_generation changes, and try
 * again until your deadline; rp_explain says why), RP_E_MAX_STALENESS_TOO_SMALL, RP_E_INCOMPATIBLE_WIRE_VERSION, RP_E_HANDLE, RP_E_ARGUMENT
 * for flags that do not exist. An id is stable for the life of the topology handle: one address, one id, never reused.
 *
 * Server Selection specification, "Server Selection Algorithm".
 */
RP_API int32_t rp_select(uint32_t topology, uint32_t preference, uint32_t flags);

/*
 * rp_select_ex: rp_select with servers to avoid and a custom selector.
 *
 * in, in_len   {"deprioritized": [addresses], "customSelector": {"keepOnly": [addresses]}}, both optional; empty is neither.
 *
 * Returns as rp_select; a document that cannot be read is the status of its error (rp_call with topology.select gives the
 * whole error). It looks at every server, and allocates nothing.
 */
RP_API int32_t rp_select_ex(uint32_t topology, uint32_t preference, uint32_t flags, const uint8_t *in, size_t in_len);

/*
 * rp_select_batch: picks n servers into ids, all or none. n is at most 1,048,576.
 *
 * Returns n, or a status as rp_select.
 */
RP_API int32_t rp_select_batch(uint32_t topology, uint32_t preference, uint32_t flags, int32_t *ids, uint32_t n);

/*
 * rp_explain: why rp_select would choose what it chooses now. Counts and the random state stay as they are.
 *
 * in, in_len   empty, or {"operation", "deprioritized", "customSelector"}, all optional.
 *
 * Returns as rp_call does, with the answer of the method explain.
 */
RP_API int32_t rp_explain(uint32_t topology, uint32_t preference, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

/*
 * rp_command: what a command carries to the server that was selected for it: $readPreference, or nothing.
 *
 * id           the server that rp_select gave with this topology and preference.
 * in, in_len   empty, or {"operation", "opcode": "OP_MSG" or "OP_QUERY"}, both optional.
 *
 * Returns as rp_call does, with the answer of the method command: {"$readPreference": document or null, ...}. Works with any
 * topology, discovered or not.
 *
 * Server Selection specification, "Passing read preference to mongos and load balancers", "Topology type: Single".
 */
RP_API int32_t rp_command(uint32_t topology, uint32_t preference, uint32_t id, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

/*
 * rp_address: the normalised address (lower case, with a port) of a server by its id, without a NUL.
 *
 * Returns its length in bytes, or RP_E_HANDLE, or RP_E_ARGUMENT for an id that this topology never gave. A length over cap
 * means that nothing was written: ask again with more room. It is valid for servers that are gone, too.
 */
RP_API int32_t rp_address(uint32_t topology, uint32_t id, uint8_t *out, size_t cap);

/*
 * rp_release: an operation that RP_CHECKOUT counted has ended, in whatever way. The count never goes below 0.
 *
 * Returns 0, or RP_E_HANDLE, or RP_E_ARGUMENT for an id that this topology never gave.
 */
RP_API int32_t rp_release(uint32_t topology, uint32_t id);

/*
 * rp_generation: a number that changes with every accepted description. Compare it for inequality; it wraps.
 *
 * Returns 0 for a bad handle.
 */
RP_API uint32_t rp_generation(uint32_t topology);

/*
 * rp_close: closes a handle of either kind. Calls that are using it end unharmed.
 *
 * Returns 0, or RP_E_HANDLE.
 */
RP_API int32_t rp_close(uint32_t handle);

#ifdef __cplusplus
}
#endif

#endif /* READPREF_H */
