/* Short forms of the functions on handles, for tests that make many calls. */
#ifndef HANDLE_CALLS_H
#define HANDLE_CALLS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "readpref.h"

#define NEAREST "{\"readPreference\":{\"mode\":\"nearest\"}}"
#define SECONDARY_ONLY "{\"readPreference\":{\"mode\":\"secondary\"}}"
#define PRIMARY_ONLY "{\"readPreference\":{\"mode\":\"primary\"}}"

/* What the last function wrote that answers with a document, as a string. */
static char handles_text[1 << 16];

static inline int32_t handles_keep(int32_t n, int document) {
  size_t len = (size_t)(n < 0 ? -(int64_t)n : n);
  handles_text[document && len < sizeof handles_text ? len : 0] = 0;
  return n;
}

/* Two arguments; text is evaluated twice. */
#define BYTES(text) (const uint8_t *)(text), strlen(text)
#define ROOM (uint8_t *)handles_text, sizeof handles_text - 1

static inline int32_t topology_open(const char *in) {
  int32_t n = rp_topology_open(BYTES(in), ROOM);
  return handles_keep(n, n < 0);
}
static inline int32_t readpref_open(const char *in) {
  int32_t n = rp_readpref_open(BYTES(in), ROOM);
  return handles_keep(n, n < 0);
}
static inline int32_t topology_update(uint32_t topology, const char *in) {
  return handles_keep(rp_topology_update(topology, BYTES(in), ROOM), 1);
}
static inline int32_t topology_describe(uint32_t topology) {
  return handles_keep(rp_topology_describe(topology, ROOM), 1);
}
static inline int32_t topology_hello(uint32_t topology, const char *in) {
  return handles_keep(rp_topology_hello(topology, BYTES(in), ROOM), 1);
}
static inline int32_t topology_error(uint32_t topology, const char *in) {
  return handles_keep(rp_topology_error(topology, BYTES(in), ROOM), 1);
}
static inline int32_t topology_srv(uint32_t topology, const char *in) {
  return handles_keep(rp_topology_srv(topology, BYTES(in), ROOM), 1);
}
static inline int32_t topology_shutdown(uint32_t topology, const char *in) {
  return handles_keep(rp_topology_shutdown(topology, BYTES(in), ROOM), 1);
}
static inline int32_t topology_events(uint32_t topology) {
  return handles_keep(rp_topology_events(topology, ROOM), 1);
}
static inline int32_t command(uint32_t topology, uint32_t preference, uint32_t id, const char *in) {
  return handles_keep(rp_command(topology, preference, id, BYTES(in), ROOM), 1);
}
static inline int32_t explain(uint32_t topology, uint32_t preference, const char *in) {
  return handles_keep(rp_explain(topology, preference, BYTES(in), ROOM), 1);
}
static inline int32_t call(const char *method, const char *in) {
  return handles_keep(rp_call(BYTES(method), BYTES(in), ROOM), 1);
}

/* must_open_* are for tests that have another subject. */
static inline uint32_t must_open_topology(const char *in) {
  int32_t h = topology_open(in);
  CHECK(h > 0, "%s: %s", in, handles_text);
  return (uint32_t)h;
}
static inline uint32_t must_open_readpref(const char *in) {
  int32_t h = readpref_open(in);
  CHECK(h > 0, "%s: %s", in, handles_text);
  return (uint32_t)h;
}
static inline void must_close(uint32_t handle) {
  CHECK(rp_close(handle) == 0, "close %lu", (unsigned long)handle);
}

/* is_error: the last document is an error of this code and path. */
static inline int is_error(int32_t n, const char *code, int status, const char *path) {
  char start[160], end[160];
  const char *found;
  sprintf(start, "{\"error\":{\"code\":\"%s\",\"status\":%d,\"message\":\"", code, status);
  sprintf(end, "\",\"path\":\"%s\"}}", path);
  found = strstr(handles_text, end);
  if (n < 0 && strlen(handles_text) == (size_t)-n && strncmp(handles_text, start, strlen(start)) == 0 && found != NULL && strlen(found) == strlen(end)) return 1;
  fprintf(stderr, "want %s at \"%s\", got %d %s\n", code, path, (int)n, handles_text);
  return 0;
}

/* is_text: the last document, byte for byte. */
static inline int is_text(int32_t n, const char *want) {
  if (n == (int32_t)strlen(want) && strcmp(handles_text, want) == 0) return 1;
  fprintf(stderr, " got %d %s\nwant %s\n", (int)n, handles_text, want);
  return 0;
}

#endif
