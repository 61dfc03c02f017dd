/* The public symbols: readpref.h, by the translated module. */
#define RP_BUILDING_LIBRARY
#include "readpref.h"

#include "handles.h"
#include "preferences.h"
#include "service.h"
#include "topologies.h"
#include "twins.h"

uint32_t rp_abi_version(void) {
  return RP_ABI_VERSION;
}

/* A pointer that comes with length 0 is never followed, and need not be one: Rust's empty slices are at address 1. */
static const uint8_t *or_null(const uint8_t *p, size_t len) {
  return len == 0 ? NULL : p;
}

#undef IN /* windows.h marks arguments with these */
#undef OUT
#define IN .in = or_null(in, in_len), .in_len = in_len
#define OUT .out = cap == 0 ? NULL : out, .cap = cap
#define JOB(...) (&(const readpref_job){__VA_ARGS__})

int32_t rp_call(const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  return readpref_call(JOB(.function = READPREF_CALL, .method = or_null(method, method_len), .method_len = method_len, IN, OUT));
}

int32_t rp_topology_open(const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  uint32_t handle;
  int32_t n = readpref_topology_open(JOB(.function = READPREF_OPEN_AS, IN, OUT), &handle);
  return n == 0 ? (int32_t)handle : n;
}

int32_t rp_topology_update(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  return readpref_topology_run(JOB(.function = READPREF_UPDATE, .handle = topology, IN, OUT));
}

int32_t rp_topology_describe(uint32_t topology, uint8_t *out, size_t cap) {
  return readpref_topology_run(JOB(.function = READPREF_DESCRIBE, .handle = topology, OUT));
}

int32_t rp_topology_hello(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  return readpref_topology_run(JOB(.function = READPREF_HELLO, .handle = topology, IN, OUT));
}

int32_t rp_topology_error(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  return readpref_topology_run(JOB(.function = READPREF_ERROR, .handle = topology, IN, OUT));
}

int32_t rp_topology_srv(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  return readpref_topology_run(JOB(.function = READPREF_SRV, .handle = topology, IN, OUT));
}

int32_t rp_topology_shutdown(uint32_t topology, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  return readpref_topology_run(JOB(.function = READPREF_SHUTDOWN, .handle = topology, IN, OUT));
}

int32_t rp_topology_events(uint32_t topology, uint8_t *out, size_t cap) {
  return readpref_topology_run(JOB(.function = READPREF_EVENTS, .handle = topology, OUT));
}

int32_t rp_topology_events_ack(uint32_t topology, uint32_t upto) {
  return readpref_topology_run(JOB(.function = READPREF_EVENTS_ACK, .handle = topology, .number = upto));
}

int32_t rp_readpref_open(const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  uint32_t handle;
  int32_t n = readpref_preference_open(JOB(.function = READPREF_OPEN_AS, IN, OUT), &handle);
  return n == 0 ? (int32_t)handle : n;
}

int32_t rp_select(uint32_t topology, uint32_t preference, uint32_t flags) {
  return readpref_topology_select(topology, preference, flags);
}

int32_t rp_select_ex(uint32_t topology, uint32_t preference, uint32_t flags, const uint8_t *in, size_t in_len) {
  return readpref_topology_run(JOB(.function = READPREF_SELECT_EX, .handle = topology, .preference = preference, .number = flags, IN));
}

int32_t rp_select_batch(uint32_t topology, uint32_t preference, uint32_t flags, int32_t *ids, uint32_t n) {
  return readpref_topology_run(JOB(.function = READPREF_SELECT_BATCH, .handle = topology, .preference = preference, .number = flags,
                                   .out = n == 0 ? NULL : (uint8_t *)ids, .cap = (size_t)n * sizeof *ids));
}

int32_t rp_explain(uint32_t topology, uint32_t preference, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  return readpref_topology_run(JOB(.function = READPREF_EXPLAIN, .handle = topology, .preference = preference, IN, OUT));
}

int32_t rp_command(uint32_t topology, uint32_t preference, uint32_t id, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  return readpref_topology_run(JOB(.function = READPREF_COMMAND, .handle = topology, .preference = preference, .number = id, IN, OUT));
}

int32_t rp_address(uint32_t topology, uint32_t id, uint8_t *out, size_t cap) {
  return readpref_topology_run(JOB(.function = READPREF_ADDRESS, .handle = topology, .number = id, OUT));
}

int32_t rp_release(uint32_t topology, uint32_t id) {
  return readpref_topology_run(JOB(.function = READPREF_RELEASE, .handle = topology, .number = id));
}

uint32_t rp_generation(uint32_t topology) {
  return (uint32_t)readpref_topology_run(JOB(.function = READPREF_GENERATION, .handle = topology));
}

int32_t rp_close(uint32_t handle) {
  return readpref_close(handle);
}

#if defined(__GNUC__)
/* dlclose takes everything along that was closed. At the end of the process other threads may still be calling: then what
   they use stays. */
__attribute__((destructor)) static void unload(void) {
  if (readpref_handles_unload()) readpref_service_unload();
}
#endif
