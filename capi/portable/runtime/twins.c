#include "twins.h"

#include <stdio.h>

#include "handles.h"
#include "preferences.h"
#include "service.h"
#include "topologies.h"

static bool is(const readpref_job *call, const char *method) {
  size_t n = strlen(method);
  return call->method_len == n && memcmp(call->method, method, n) == 0;
}

static bool is_of_topologies(const readpref_job *call) {
  static const char start[] = "topology.";
  const size_t n = sizeof start - 1;
  return call->method_len >= n && memcmp(call->method, start, n) == 0;
}

/* readable: what no call takes is refused by the service. */
static bool readable(const readpref_job *call) {
  return call->method != NULL && call->method_len <= RP_MAX_METHOD && call->in != NULL && call->in_len <= RP_MAX_DOCUMENT &&
         (call->out != NULL || call->cap == 0);
}

/* has_room: so is a method that changes something, whatever its request, where its error document might not fit. */
static bool has_room(const readpref_job *call) {
  return call->cap >= RP_MIN_BUFFER;
}

/* open_twin opens, and answers {"key":handle} or with the error of opening. */
static int32_t open_twin(const readpref_job *call, const char *key, int32_t (*open)(const readpref_job *, uint32_t *)) {
  uint8_t text[RP_MIN_BUFFER];
  readpref_job job = {.function = READPREF_OPEN_AS, .in = call->in, .in_len = call->in_len, .out = text, .cap = sizeof text};
  uint32_t handle;
  int32_t n = open(&job, &handle);
  size_t len;
  if (n == 0) n = sprintf((char *)text, "{\"%s\":%lu}", key, (unsigned long)handle);
  len = n < 0 ? (size_t)-n : (size_t)n;
  if (len <= sizeof text) memcpy(call->out, text, len); /* and so into out, which has as much room at least */
  return n;
}

int32_t readpref_close(uint32_t handle) {
  return handle >> READPREF_KIND_SHIFT == READPREF_TOPOLOGY ? readpref_topology_close(handle) : readpref_preference_close(handle);
}

/* The engine judges the request with a stand-in for what the handle stands for; then the handle is closed. */
static int32_t close_twin(const readpref_job *call) {
  static const char topology[] = "{\"topology\":{\"servers\":[]}}", preference[] = "{\"readPreference\":{}}";
  uint8_t text[RP_MIN_BUFFER];
  uint32_t handle = (uint32_t)(readpref_service_handles_of(call) >> 32);
  uint32_t kind = handle >> READPREF_KIND_SHIFT;
  const char *in = kind == READPREF_TOPOLOGY ? topology : preference;
  readpref_job open = {.function = READPREF_OPEN_AS, .handle = handle, .in = (const uint8_t *)in, .in_len = strlen(in), .out = text, .cap = sizeof text};
  int32_t n;
  if (kind == 0 || readpref_handle_find(handle, kind) == NULL) return readpref_service_run(call);
  n = readpref_service_try(&open, call);
  if (n >= 0 && readpref_close(handle) != 0) return readpref_service_run(call); /* another thread was faster */
  return n;
}

int32_t readpref_call(const readpref_job *call) {
  if (readable(call)) {
    if (is(call, "topology.open") && has_room(call)) return open_twin(call, "topology", readpref_topology_open);
    if (is(call, "readpref.open") && has_room(call)) return open_twin(call, "readPreference", readpref_preference_open);
    if (is(call, "close") && has_room(call)) return close_twin(call);
    if (is_of_topologies(call) && !is(call, "topology.open")) {
      uint64_t handles = readpref_service_handles_of(call);
      readpref_job job = *call;
      job.handle = (uint32_t)(handles >> 32);
      job.preference = (uint32_t)handles;
      return readpref_topology_run(&job);
    }
  }
  return readpref_service_run(call);
}
