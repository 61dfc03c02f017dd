/*
 * The public symbols of libreadpref. They are C, and not Go's exports
 * themselves, so that readpref.h alone declares them, with const and without
 * Go's types, and so that a call can be looked at before Go sees it.
 */
#define RP_BUILDING_LIBRARY
#include "readpref.h"

#include <string.h>

#include "_cgo_export.h"

#if !defined(_WIN32)
#include <pthread.h>
#endif

/*
 * The Go runtime's threads do not exist in a forked child, where most calls
 * would wait for them for ever. The child learns here that it is one; a store
 * in the handler is all that may happen there.
 */
static volatile int forked;

#if !defined(_WIN32)
static void in_child(void) {
  forked = 1;
}

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(NULL, NULL, in_child);
}
#endif

static const char forked_document[] =
    "{\"error\":{\"code\":\"forked\",\"status\":-5,\"message\":\"this process was forked after readpref was loaded; "
    "load it in the child, after the fork, or use libreadpref_portable\",\"path\":\"\"}}";

static int32_t refuse_forked(uint8_t *out, size_t cap) {
  const size_t n = sizeof forked_document - 1;
  if (out != NULL && n <= cap)
    memcpy(out, forked_document, n);
  return -(int32_t)n;
}

uint32_t rp_abi_version(void) {
  return RP_ABI_VERSION;
}

/*
 * A pointer that comes with length 0 is never followed, and need not be one:
 * Rust's empty slices are at address 1. Go must not see such a value, since its
 * stack copier ends the process at a pointer it finds impossible.
 */
static void *or_null(const void *p, size_t len) {
  return len == 0 ? NULL : (void *)p;
}

int32_t rp_call(const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpCall(or_null(method, method_len), method_len, or_null(in, in_len), in_len, or_null(out, cap), cap);
}

int32_t rp_topology_open(const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpTopologyOpen(or_null(in, in_len), in_len, or_null(out, cap), cap);
}

int32_t rp_topology_update(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpTopologyUpdate(topology, or_null(in, in_len), in_len, or_null(out, cap), cap);
}

int32_t rp_topology_describe(uint32_t topology, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpTopologyDescribe(topology, or_null(out, cap), cap);
}

int32_t rp_topology_hello(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpTopologyHello(topology, or_null(in, in_len), in_len, or_null(out, cap), cap);
}

int32_t rp_topology_error(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpTopologyError(topology, or_null(in, in_len), in_len, or_null(out, cap), cap);
}

int32_t rp_topology_srv(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpTopologySRV(topology, or_null(in, in_len), in_len, or_null(out, cap), cap);
}

int32_t rp_topology_shutdown(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpTopologyShutdown(topology, or_null(in, in_len), in_len, or_null(out, cap), cap);
}

int32_t rp_topology_events(uint32_t topology, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpTopologyEvents(topology, or_null(out, cap), cap);
}

int32_t rp_topology_events_ack(uint32_t topology, uint32_t upto) {
  return forked ? RP_E_FORKED : goRpTopologyEventsAck(topology, upto);
}

int32_t rp_readpref_open(const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpReadprefOpen(or_null(in, in_len), in_len, or_null(out, cap), cap);
}

int32_t rp_select(uint32_t topology, uint32_t preference, uint32_t flags) {
  return forked ? RP_E_FORKED : goRpSelect(topology, preference, flags);
}

int32_t rp_select_ex(uint32_t topology, uint32_t preference, uint32_t flags, const uint8_t *in, size_t in_len) {
  return forked ? RP_E_FORKED : goRpSelectEx(topology, preference, flags, or_null(in, in_len), in_len);
}

int32_t rp_select_batch(uint32_t topology, uint32_t preference, uint32_t flags, int32_t *ids, uint32_t n) {
  return forked ? RP_E_FORKED : goRpSelectBatch(topology, preference, flags, or_null(ids, n), n);
}

int32_t rp_explain(uint32_t topology, uint32_t preference, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpExplain(topology, preference, or_null(in, in_len), in_len, or_null(out, cap), cap);
}

int32_t rp_command(uint32_t topology, uint32_t preference, uint32_t id, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  if (forked)
    return refuse_forked(out, cap);
  return goRpCommand(topology, preference, id, or_null(in, in_len), in_len, or_null(out, cap), cap);
}

int32_t rp_address(uint32_t topology, uint32_t id, uint8_t *out, size_t cap) {
  return forked ? RP_E_FORKED : goRpAddress(topology, id, or_null(out, cap), cap);
}

int32_t rp_release(uint32_t topology, uint32_t id) {
  return forked ? RP_E_FORKED : goRpRelease(topology, id);
}

uint32_t rp_generation(uint32_t topology) {
  return forked ? 0 : goRpGeneration(topology);
}

int32_t rp_close(uint32_t handle) {
  return forked ? RP_E_FORKED : goRpClose(handle);
}
