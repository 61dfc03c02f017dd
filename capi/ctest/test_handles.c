/*
 * The functions on handles: what they return, what they leave as it was, and that a handle which is not open, or not of the
 * kind, is an answer. Both libraries give the same numbers and bytes, so these are written out.
 */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#define _DARWIN_C_SOURCE 1
#include "handle_calls.h"

#include "guard.h"
#include "request.h"

/* A primary and two secondaries, all in the window of nearest. Their ids are 0, 1, 2. */
#define NEAR(address, type) "{\"address\":\"" address "\",\"type\":\"" type "\",\"roundTripTimeMS\":5}"
#define SET(servers) "{\"topology\":{\"type\":\"ReplicaSetWithPrimary\",\"setName\":\"rs\",\"servers\":[" servers "]}"
#define P NEAR("P.example", "RSPrimary")
#define S1 NEAR("s1.example:27018", "RSSecondary")
#define S2 NEAR("s2.example:27019", "RSSecondary")
#define THREE SET(P "," S1 "," S2) ",\"seed\":42}"
#define NO_HANDLE "no open handle of this kind has this number"

/* The first handles of a process. A closed slot is used again with its next generation, the last one closed first. */
static void numbers(void) {
  int32_t t = topology_open(THREE), p = readpref_open(NEAREST), again;
  CHECK(t == 1 << 29, "the first topology is %ld", (long)t);
  CHECK(p == (2 << 29 | 1) || (uint32_t)p == (2u << 29 | 1), "the first preference is %ld", (long)p);
  CHECK(readpref_open("{}") < 0 && topology_open("{}") < 0, "opened without a document");
  must_close((uint32_t)t);
  must_close((uint32_t)p);
  again = topology_open(THREE);
  CHECK(again == (1 << 29 | 1 << 16 | 1), "the slot that was closed last: %ld", (long)again);
  p = readpref_open(NEAREST);
  CHECK((uint32_t)p == (2u << 29 | 1 << 16), "the slot that was closed first: %ld", (long)p);
  t = topology_open(THREE);
  CHECK(t == (1 << 29 | 2), "a new slot: %ld", (long)t);
  must_close((uint32_t)t);
  must_close((uint32_t)again);
  must_close((uint32_t)p);
}

static void picks(void) {
  uint32_t t = must_open_topology(THREE), nearest = must_open_readpref(NEAREST), secondary = must_open_readpref(SECONDARY_ONLY);
  uint32_t nobody = must_open_readpref("{\"readPreference\":{\"mode\":\"secondary\",\"tags\":[{\"dc\":\"la\"}]}}");
  unsigned seen[3] = {0, 0, 0}, i;
  for (i = 0; i < 300; i++) {
    int32_t id = rp_select(t, nearest, RP_READ);
    if (id < 0 || id > 2) {
      CHECK(0, "picked %ld", (long)id);
      return;
    }
    seen[id]++;
    id = rp_select(t, secondary, RP_READ);
    CHECK(id == 1 || id == 2, "a secondary is %ld", (long)id);
    CHECK(rp_select(t, secondary, RP_WRITE) == 0, "a write");
    CHECK(rp_select(t, secondary, RP_AGGREGATE_WITH_WRITE_STAGE) >= 1, "an aggregate that writes, to secondaries whose version is not known");
  }
  CHECK(seen[0] > 50 && seen[1] > 50 && seen[2] > 50, "%u, %u and %u of 300", seen[0], seen[1], seen[2]);
  CHECK(rp_select(t, nobody, RP_READ) == RP_E_NO_SERVER, "a tag that nobody has");
  CHECK(rp_select(t, nobody, RP_WRITE) == 0, "a write has no tags");
  for (i = 0; i < 64; i++) {
    int known = i <= 2 || (i >= 4 && i <= 6);
    CHECK((rp_select(t, nearest, i) == RP_E_ARGUMENT) == !known, "flags %u", i);
  }
  CHECK(rp_select(t, nearest, 0x80000000u) == RP_E_ARGUMENT, "high flags");
  must_close(t), must_close(nearest), must_close(secondary), must_close(nobody);
}

static void errors_of_selection(void) {
  uint32_t slow = must_open_topology(SET(P) ",\"heartbeatFrequencyMS\":100000}");
  uint32_t old = must_open_topology("{\"topology\":{\"servers\":[{\"address\":\"a\",\"type\":\"Standalone\",\"minWireVersion\":0,\"maxWireVersion\":1}]}}");
  uint32_t empty = must_open_topology("{\"topology\":{\"servers\":[]}}");
  uint32_t stale = must_open_readpref("{\"readPreference\":{\"mode\":\"secondary\",\"maxStalenessSeconds\":95}}"), any = must_open_readpref(NEAREST);
  int32_t ids[2] = {-7, -7};
  CHECK(rp_select(slow, stale, RP_READ) == RP_E_MAX_STALENESS_TOO_SMALL, "maxStalenessSeconds");
  CHECK(rp_select(old, any, RP_READ) == RP_E_INCOMPATIBLE_WIRE_VERSION, "wire versions");
  CHECK(rp_select(empty, any, RP_READ | RP_CHECKOUT) == RP_E_NO_SERVER, "no server");
  CHECK(rp_select_batch(slow, stale, RP_READ, ids, 2) == RP_E_MAX_STALENESS_TOO_SMALL, "batch: maxStalenessSeconds");
  CHECK(rp_select_ex(old, any, RP_READ, NULL, 0) == RP_E_INCOMPATIBLE_WIRE_VERSION, "select_ex: wire versions");
  CHECK(ids[0] == -7 && ids[1] == -7, "the ids of a batch that failed");
  must_close(slow), must_close(old), must_close(empty), must_close(stale), must_close(any);
}

/* count is a server's operation count, as describe tells it; -1 where it has none. */
static long count(uint32_t topology, const char *address) {
  char key[64];
  const char *server, *number, *next;
  CHECK(topology_describe(topology) > 0, "%s", handles_text);
  sprintf(key, "\"address\":\"%s\"", address);
  server = strstr(handles_text, key);
  if (server == NULL) return -1;
  number = strstr(server, "\"operationCount\":");
  next = strstr(server + 1, "\"address\":");
  if (number == NULL || (next != NULL && next < number)) return 0;
  return atol(number + strlen("\"operationCount\":"));
}

static void checkout_and_release(void) {
  uint32_t t = must_open_topology(THREE), p = must_open_readpref(NEAREST);
  unsigned i;
  for (i = 0; i < 30; i++) CHECK(rp_select(t, p, RP_READ | RP_CHECKOUT) >= 0, "checkout %u", i);
  CHECK(count(t, "P.example") + count(t, "s1.example:27018") + count(t, "s2.example:27019") == 30, "%s", handles_text);
  CHECK(count(t, "P.example") >= 8 && count(t, "s1.example:27018") >= 8, "the less busy of two: %s", handles_text);
  rp_select(t, p, RP_READ);
  CHECK(count(t, "P.example") + count(t, "s1.example:27018") + count(t, "s2.example:27019") == 30, "no checkout: %s", handles_text);
  for (i = 0; i < 60; i++) CHECK(rp_release(t, i % 3) == 0, "release %u", i);
  CHECK(count(t, "P.example") == 0 && count(t, "s1.example:27018") == 0 && count(t, "s2.example:27019") == 0, "%s", handles_text);
  CHECK(rp_release(t, 3) == RP_E_ARGUMENT && rp_release(t, 0x7fffffff) == RP_E_ARGUMENT && rp_release(t, 0xffffffff) == RP_E_ARGUMENT, "an unknown id");
  must_close(t), must_close(p);
}

static void address_is(uint32_t topology, uint32_t id, const char *want) {
  size_t len = strlen(want);
  guarded exact = guard(len), small = guard(len - 1);
  memset(small.p, 'x', small.len);
  CHECK(rp_address(topology, id, NULL, 0) == (int32_t)len, "the length of %s", want);
  CHECK(rp_address(topology, id, exact.p, len) == (int32_t)len && memcmp(exact.p, want, len) == 0, "%s", want);
  CHECK(rp_address(topology, id, small.p, len - 1) == (int32_t)len && small.p[0] == 'x' && small.p[len - 2] == 'x', "%s in too small a buffer", want);
  CHECK(rp_address(topology, id, NULL, len) == RP_E_ARGUMENT, "NULL with a length");
  guard_free(exact), guard_free(small);
}

static void ids_are_stable(void) {
  uint32_t t = must_open_topology(THREE), p = must_open_readpref(NEAREST);
  uint8_t out[8];
  address_is(t, 0, "p.example:27017");
  address_is(t, 2, "s2.example:27019");
  CHECK(rp_address(t, 3, out, sizeof out) == RP_E_ARGUMENT && rp_address(t, 0xffffffff, out, sizeof out) == RP_E_ARGUMENT, "an unknown id");
  while (rp_select(t, p, RP_READ | RP_CHECKOUT) != 1) {}
  CHECK(topology_update(t, SET(NEAR("new", "RSPrimary") "," S2) "}") == 0, "%s", handles_text);
  address_is(t, 3, "new:27017");
  address_is(t, 1, "s1.example:27018"); /* gone, and known all the same */
  CHECK(rp_select(t, p, RP_READ) != 1 && rp_select(t, p, RP_WRITE) == 3, "picked who is gone");
  CHECK(topology_update(t, SET(S1) "}") == 0, "%s", handles_text);
  CHECK(rp_select(t, p, RP_READ) == 1, "who returned has another id");
  CHECK(count(t, "s1.example:27018") == 1, "the count of who returned: %s", handles_text);
  CHECK(topology_update(t, "{\"topology\":{\"servers\":[{\"address\":\"S1.EXAMPLE:27018\",\"type\":\"RSSecondary\",\"operationCount\":9}]}}") == 0, "%s", handles_text);
  CHECK(count(t, "S1.EXAMPLE:27018") == 9, "a count that was given: %s", handles_text);
  must_close(t), must_close(p);
}

static void refused_update_changes_nothing(void) {
  static const char *const bad[] = {
      "", "[]", "{}", "{\"topology\":{\"servers\":[{\"address\":\"x\",\"type\":\"Mongos\"},{\"address\":\"X:27017\",\"type\":\"Mongos\"}]}}",
      "{\"topology\":{\"servers\":[]},\"seed\":1}", "{\"topology\":{\"servers\":[{\"address\":\"x\",\"type\":\"Mongo\"}]}}",
  };
  uint32_t t = must_open_topology(THREE), p = must_open_readpref(NEAREST);
  char before[4096], small[RP_MIN_BUFFER];
  size_t i;
  rp_select(t, p, RP_READ | RP_CHECKOUT);
  topology_describe(t);
  strcpy(before, handles_text);
  for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK(topology_update(t, bad[i]) < 0, "accepted %s", bad[i]);
    CHECK(rp_generation(t) == 1, "generation %lu after %s", (unsigned long)rp_generation(t), bad[i]);
  }
  memset(small, 'x', sizeof small);
  CHECK(rp_topology_update(t, BYTES(SET(S2) "}"), (uint8_t *)small, RP_MIN_BUFFER - 1) < 0, "a small buffer");
  CHECK(rp_topology_update(t, BYTES(SET(S2) "}"), NULL, 0) < 0, "no buffer");
  CHECK(rp_topology_update(t, BYTES(SET(S2) "}"), NULL, RP_MIN_BUFFER) < 0, "NULL with a length");
  CHECK(topology_describe(t) == (int32_t)strlen(before) && strcmp(before, handles_text) == 0, "\n got %s\nwant %s", handles_text, before);
  must_close(t), must_close(p);
}

static void generations(void) {
  uint32_t t = must_open_topology(THREE);
  CHECK(rp_generation(t) == 1, "%lu", (unsigned long)rp_generation(t));
  CHECK(topology_update(t, SET(P) "}") == 0 && rp_generation(t) == 2, "%lu", (unsigned long)rp_generation(t));
  CHECK(topology_update(t, SET(P) "}") == 0 && rp_generation(t) == 3, "the same once more: %lu", (unsigned long)rp_generation(t));
  must_close(t);
  CHECK(rp_generation(t) == 0 && rp_generation(0) == 0 && rp_generation(0xffffffff) == 0, "a bad handle");
}

static int32_t select_ex(uint32_t t, uint32_t p, const char *in) {
  return rp_select_ex(t, p, RP_READ, BYTES(in));
}

static void select_except(void) {
  uint32_t t = must_open_topology(THREE), p = must_open_readpref(SECONDARY_ONLY);
  unsigned i;
  for (i = 0; i < 20; i++) {
    int32_t id = select_ex(t, p, "{}");
    CHECK(id == 1 || id == 2, "%ld", (long)id);
    id = select_ex(t, p, "");
    CHECK(id == 1 || id == 2, "%ld", (long)id);
    CHECK(select_ex(t, p, "{\"deprioritized\":[\"S1.example:27018\",\"other\"]}") == 2, "deprioritized");
    id = select_ex(t, p, "{\"deprioritized\":[\"s1.example:27018\",\"s2.example:27019\"]}");
    CHECK(id == 1 || id == 2, "all deprioritized: %ld", (long)id);
    CHECK(select_ex(t, p, "{\"customSelector\":{\"keepOnly\":[\"s1.example:27018\"]}}") == 1, "keepOnly");
    CHECK(select_ex(t, p, "{\"customSelector\":{\"keepOnly\":[]}}") == RP_E_NO_SERVER, "keepOnly nobody");
  }
  CHECK(rp_select_ex(t, p, RP_WRITE, BYTES("{\"deprioritized\":[\"p.example\"]}")) == 0, "the only primary");
  CHECK(rp_select_ex(t, p, 3, NULL, 0) == RP_E_ARGUMENT && rp_select_ex(t, p, 8, NULL, 0) == RP_E_ARGUMENT, "flags");
  CHECK(rp_select_ex(t, p, RP_READ, NULL, 1) == RP_E_ARGUMENT, "NULL with a length");
  CHECK(select_ex(t, p, "[]") == RP_E_WRONG_TYPE && select_ex(t, p, "{") == RP_E_INVALID_JSON, "no document");
  CHECK(select_ex(t, p, "{\"operation\":\"read\"}") == RP_E_UNKNOWN_KEY, "a key of another document");
  CHECK(rp_select_ex(t, p, RP_READ, (const uint8_t *)"{}", (size_t)RP_MAX_DOCUMENT + 1) == RP_E_DOCUMENT_TOO_LARGE, "a length over the limit is not read");
  CHECK(rp_select_ex(t, p, RP_READ | RP_CHECKOUT, BYTES("{\"deprioritized\":[\"s1.example:27018\"]}")) == 2 && count(t, "s2.example:27019") == 1, "%s", handles_text);
  must_close(t), must_close(p);
}

static void batches(void) {
  enum { N = 1000, LARGE = 1 << 20 };
  uint32_t t = must_open_topology(THREE), p = must_open_readpref(NEAREST), twin = must_open_topology(THREE);
  uint32_t nobody = must_open_readpref("{\"readPreference\":{\"mode\":\"secondary\",\"tags\":[{\"dc\":\"la\"}]}}");
  guarded g = guard(N * sizeof(int32_t));
  int32_t *ids = (int32_t *)(void *)g.p, *many = malloc((size_t)LARGE * sizeof *many);
  unsigned i, wrong = 0;
  CHECK(rp_select_batch(t, p, RP_READ | RP_CHECKOUT, ids, N) == N, "a batch");
  for (i = 0; i < N; i++) wrong += ids[i] != rp_select(twin, p, RP_READ | RP_CHECKOUT);
  CHECK(wrong == 0, "%u of %d picks differ from those one by one", wrong, N);
  CHECK(count(t, "P.example") + count(t, "s1.example:27018") + count(t, "s2.example:27019") == N, "%s", handles_text);
  for (i = 0; i < N; i++) ids[i] = -7;
  CHECK(rp_select_batch(t, nobody, RP_READ, ids, N) == RP_E_NO_SERVER, "nobody");
  CHECK(rp_select_batch(t, p, 3, ids, N) == RP_E_ARGUMENT && rp_select_batch(t, p, 8, ids, N) == RP_E_ARGUMENT, "flags");
  CHECK(rp_select_batch(t, p, RP_READ, ids, LARGE + 1) == RP_E_ARGUMENT, "a length over the limit is not written");
  CHECK(rp_select_batch(t, p, RP_READ, ids, 0xffffffff) == RP_E_ARGUMENT, "the largest length");
  CHECK(rp_select_batch(t, p, RP_READ, NULL, 1) == RP_E_ARGUMENT, "NULL with a length");
  CHECK(rp_select_batch(0, p, RP_READ, ids, N) == RP_E_HANDLE, "a bad handle");
  for (i = 0; i < N; i++) wrong += ids[i] != -7;
  CHECK(wrong == 0, "a batch that failed wrote");
  CHECK(rp_select_batch(t, p, RP_READ, NULL, 0) == 0 && rp_select_batch(t, p, RP_READ, ids, 0) == 0, "an empty batch");
  CHECK(many != NULL && rp_select_batch(t, p, RP_READ, many, LARGE) == LARGE, "the largest batch");
  for (i = 0; many != NULL && i < LARGE; i++) wrong += many[i] < 0 || many[i] > 2;
  CHECK(wrong == 0, "ids of the largest batch");
  CHECK(count(t, "P.example") + count(t, "s1.example:27018") + count(t, "s2.example:27019") == N, "counted what failed: %s", handles_text);
  free(many);
  guard_free(g);
  must_close(t), must_close(p), must_close(twin), must_close(nobody);
}

/* What describe tells opens a topology that goes on as this one would. */
static void described_and_opened(void) {
  static const char *const of[] = {"", ",\"pick\":\"random\"", ",\"pick\":\"roundRobin\""};
  size_t k;
  for (k = 0; k < sizeof of / sizeof of[0]; k++) {
    char in[2048];
    uint32_t t, again, p = must_open_readpref(NEAREST);
    unsigned i, wrong = 0;
    sprintf(in, SET(P "," S1 "," S2) ",\"localThresholdMS\":3,\"seed\":\"12345678901234567890\"%s}", of[k]);
    t = must_open_topology(in);
    for (i = 0; i < 50; i++) rp_select(t, p, RP_READ | RP_CHECKOUT);
    CHECK(topology_describe(t) > 0, "%s", handles_text);
    strcpy(in, handles_text);
    again = must_open_topology(in);
    CHECK(topology_describe(again) == (int32_t)strlen(in) && strcmp(in, handles_text) == 0, "\n got %s\nwant %s", handles_text, in);
    for (i = 0; i < 200; i++) wrong += rp_select(t, p, RP_READ | RP_CHECKOUT) != rp_select(again, p, RP_READ | RP_CHECKOUT);
    CHECK(wrong == 0, "%s: %u of 200 picks differ", of[k], wrong);
    must_close(t), must_close(again), must_close(p);
  }
}

/* explain is of what select would do, and changes nothing. */
static void explanations(void) {
  uint32_t t = must_open_topology(THREE), p = must_open_readpref(SECONDARY_ONLY);
  unsigned i;
  for (i = 0; i < 20; i++) {
    char want[64];
    int32_t n = explain(t, p, i % 2 == 0 ? "" : "{}");
    sprintf(want, "{\"server\":{\"index\":%d,", (int)rp_select(t, p, RP_READ));
    CHECK(n > 0 && strncmp(handles_text, want, strlen(want)) == 0, "want %s, got %.60s", want, handles_text);
  }
  CHECK(explain(t, p, "{\"operation\":\"write\"}") > 0 && strncmp(handles_text, "{\"server\":{\"index\":0,", 20) == 0, "%s", handles_text);
  CHECK(explain(t, p, "{\"deprioritized\":[\"s2.example:27019\"]}") > 0 && strncmp(handles_text, "{\"server\":{\"index\":1,", 20) == 0, "%s", handles_text);
  CHECK(is_error(explain(t, p, "{\"checkout\":true}"), "unknownKey", RP_E_UNKNOWN_KEY, "checkout"), "a key of another document");
  CHECK(is_error(handles_keep(rp_explain(t, p, NULL, 5, ROOM), 1), "argument", RP_E_ARGUMENT, "in"), "NULL with a length");
  CHECK(explain(t, p, "") == rp_explain(t, p, NULL, 0, NULL, 0), "the length alone");
  CHECK(rp_explain(t, p, NULL, 0, NULL, 10) < 0, "NULL with a length");
  must_close(t), must_close(p);
}

/* Every function with a handle that is not open, or of the other kind. */
static void bad_handles(void) {
  uint32_t t = must_open_topology(THREE), p = must_open_readpref(NEAREST), closed_t = must_open_topology(THREE), closed_p = must_open_readpref(NEAREST);
  uint32_t bad_t[8], bad_p[8];
  int32_t ids[1] = {-7};
  uint8_t out[8];
  size_t i;
  CHECK(rp_select(t, closed_p, RP_READ) >= 0, "used before it is closed");
  must_close(closed_t), must_close(closed_p);
  CHECK(rp_close(closed_t) == RP_E_HANDLE && rp_close(closed_p) == RP_E_HANDLE && rp_close(0) == RP_E_HANDLE, "closed twice");
  CHECK(rp_close(0xffffffff) == RP_E_HANDLE && rp_close(t | 0x80000000u) == RP_E_HANDLE && rp_close(t ^ 3u << 29) == RP_E_HANDLE && rp_close(t + (1 << 16)) == RP_E_HANDLE, "never opened");
  bad_t[0] = bad_p[0] = 0, bad_t[1] = bad_p[1] = 0xffffffff, bad_t[2] = p, bad_p[2] = t;
  bad_t[3] = closed_t, bad_p[3] = closed_p, bad_t[4] = t + (1 << 16), bad_p[4] = p + (1 << 16);
  bad_t[5] = t | 3u << 29, bad_p[5] = p | 3u << 29, bad_t[6] = 1u << 29 | 0xffff, bad_p[6] = 2u << 29 | 0xffff, bad_t[7] = t | 0x80000000u, bad_p[7] = p | 0x80000000u;
  for (i = 0; i < 8; i++) {
    const uint32_t h = bad_t[i], q = bad_p[i];
    CHECK(rp_select(h, p, RP_READ) == RP_E_HANDLE && rp_select(t, q, RP_READ) == RP_E_HANDLE && rp_select(h, q, RP_READ) == RP_E_HANDLE, "select %lu", (unsigned long)i);
    CHECK(rp_select(h, q, 9) == RP_E_ARGUMENT && rp_select_ex(h, q, 9, NULL, 0) == RP_E_ARGUMENT && rp_select_batch(h, q, 9, ids, 1) == RP_E_ARGUMENT, "flags come first %lu", (unsigned long)i);
    CHECK(rp_select_ex(h, p, RP_READ, BYTES("{}")) == RP_E_HANDLE && rp_select_ex(t, q, RP_READ, BYTES("[")) == RP_E_HANDLE, "select_ex %lu", (unsigned long)i);
    CHECK(rp_select_batch(h, p, RP_READ, ids, 1) == RP_E_HANDLE && rp_select_batch(t, q, RP_READ, ids, 1) == RP_E_HANDLE && ids[0] == -7, "select_batch %lu", (unsigned long)i);
    CHECK(rp_address(h, 0, out, sizeof out) == RP_E_HANDLE && rp_address(h, 0, NULL, 0) == RP_E_HANDLE && rp_address(h, 99, out, sizeof out) == RP_E_HANDLE, "address %lu", (unsigned long)i);
    CHECK(rp_release(h, 0) == RP_E_HANDLE && rp_release(h, 99) == RP_E_HANDLE, "release %lu", (unsigned long)i);
    CHECK(rp_generation(h) == 0, "generation %lu", (unsigned long)i);
    CHECK(is_error(topology_update(h, SET(P) "}"), "handle", RP_E_HANDLE, "topology"), "update %lu", (unsigned long)i);
    CHECK(is_error(topology_describe(h), "handle", RP_E_HANDLE, "topology"), "describe %lu", (unsigned long)i);
    CHECK(is_error(explain(h, p, ""), "handle", RP_E_HANDLE, "topology"), "explain %lu", (unsigned long)i);
    CHECK(is_error(explain(t, q, ""), "handle", RP_E_HANDLE, "readPreference"), "explain %lu", (unsigned long)i);
    CHECK(is_error(explain(h, q, ""), "handle", RP_E_HANDLE, "topology"), "explain %lu", (unsigned long)i);
  }
  CHECK(rp_generation(t) == 1 && rp_select(t, p, RP_READ) >= 0, "what is open works");
  must_close(t), must_close(p);
}

/* Where the buffer might be too small for an error document, nothing is done. */
static void small_buffers(void) {
  static uint8_t out[RP_MIN_BUFFER];
  int32_t next = topology_open(THREE), n;
  size_t cap;
  must_close((uint32_t)next);
  next += 1 << 16; /* the slot's next handle */
  for (cap = 0; cap < RP_MIN_BUFFER; cap += cap < 300 ? 1 : 1265) {
    memset(out, 'x', sizeof out);
    n = rp_topology_open(BYTES(THREE), out, cap);
    CHECK(n < 0 && n > -300 && out[cap] == 'x', "a buffer of %lu bytes", (unsigned long)cap);
    if (n < 0 && n > -300 && (size_t)-n <= cap) {
      memcpy(handles_text, out, (size_t)-n);
      handles_keep(n, 1);
      CHECK(is_error(n, "buffer", RP_E_BUFFER, "out"), "a buffer of %lu bytes", (unsigned long)cap);
    } else {
      CHECK(out[0] == 'x', "wrote into a buffer of %lu bytes", (unsigned long)cap);
    }
    CHECK(rp_readpref_open(BYTES(NEAREST), out, cap) == n, "a preference with %lu bytes", (unsigned long)cap);
  }
  CHECK(is_error(handles_keep(rp_readpref_open(NULL, 3, ROOM), 1), "argument", RP_E_ARGUMENT, "in"), "NULL with a length");
  CHECK(is_error(handles_keep(rp_topology_open(NULL, 3, ROOM), 1), "argument", RP_E_ARGUMENT, "in"), "NULL with a length");
  CHECK(is_error(handles_keep(rp_topology_open(NULL, 0, ROOM), 1), "invalidJSON", RP_E_INVALID_JSON, ""), "an empty document");
  CHECK(rp_topology_open(BYTES(THREE), NULL, RP_MIN_BUFFER) < 0 && rp_readpref_open(BYTES(NEAREST), NULL, RP_MIN_BUFFER) < 0, "NULL with a length");
  CHECK(is_error(handles_keep(rp_topology_open((const uint8_t *)"{", (size_t)RP_MAX_DOCUMENT + 1, ROOM), 1), "documentTooLarge", RP_E_DOCUMENT_TOO_LARGE, ""), "a length over the limit is not read");
  n = rp_topology_open(BYTES(THREE), out, sizeof out);
  CHECK(n == next, "something was opened: %ld is not %ld", (long)n, (long)next);
  must_close((uint32_t)n);
}

/* Nothing is read beyond a document's end. */
static void documents_end(void) {
  guarded topology = guard_copy(THREE, strlen(THREE)), preference = guard_copy(NEAREST, strlen(NEAREST)), except = guard_copy("{\"deprioritized\":[\"p.example\"]}", 31);
  int32_t t = rp_topology_open(topology.p, topology.len, ROOM), p = rp_readpref_open(preference.p, preference.len, ROOM);
  CHECK(t > 0 && p > 0, "open");
  CHECK(rp_select_ex((uint32_t)t, (uint32_t)p, RP_READ, except.p, except.len) > 0, "select_ex");
  CHECK(rp_explain((uint32_t)t, (uint32_t)p, except.p, except.len, ROOM) > 0, "explain");
  CHECK(rp_topology_update((uint32_t)t, topology.p, topology.len, ROOM) < 0, "update, with a seed");
  CHECK(rp_topology_open(topology.p, topology.len - 1, ROOM) < 0 && rp_readpref_open(preference.p, preference.len - 1, ROOM) < 0, "a shorter length");
  guard_free(topology), guard_free(preference), guard_free(except);
  must_close((uint32_t)t), must_close((uint32_t)p);
}

/* The first problem of a preference is its error. */
static void preferences(void) {
  uint32_t t = must_open_topology(THREE), p;
  CHECK(is_error(readpref_open("{\"readPreference\":{\"mode\":\"primary\",\"maxStalenessSeconds\":120}}"), "maxStalenessWithPrimary", RP_E_MAX_STALENESS_WITH_PRIMARY, "readPreference.maxStalenessSeconds") , "a problem");
  CHECK(readpref_open("{\"readPreference\":{\"mode\":\"first\"}}") < 0, "a mode");
  p = must_open_readpref("{\"uriOptions\":\"readPreference=secondary&readPreferenceTags=\"}");
  CHECK(rp_select(t, p, RP_READ) >= 1, "from a connection string");
  must_close(p);
  p = must_open_readpref("{\"mongosh\":[\"secondary\"]}");
  CHECK(rp_select(t, p, RP_READ) >= 1, "from mongosh");
  must_close(p);
  must_close(t);
}

/* The methods of rp_call, byte for byte, among handles that come from the functions. */
static void twins(void) {
  static const char handle_error[] = "{\"error\":{\"code\":\"handle\",\"status\":-3,\"message\":\"" NO_HANDLE "\",\"path\":\"%s\"}}";
  char in[512], want[512];
  uint32_t t = 0, p = 0;
  static uint8_t large[10 + 11 * 9000], small[RP_MIN_BUFFER];
  CHECK(call("topology.open", THREE) > 0 && sscanf(handles_text, "{\"topology\":%u}", &t) == 1, "%s", handles_text);
  CHECK(call("readpref.open", SECONDARY_ONLY) > 0 && sscanf(handles_text, "{\"readPreference\":%u}", &p) == 1, "%s", handles_text);
  CHECK(rp_select(t, p, RP_READ) > 0 && rp_generation(t) == 1, "by the functions");
  sprintf(in, "{\"topology\":%u,\"readPreference\":%u,\"operation\":\"write\",\"checkout\":true}", t, p);
  CHECK(is_text(call("topology.select", in), "{\"server\":{\"id\":0,\"address\":\"p.example:27017\"}}"), "select");
  sprintf(in, "{\"topology\":%u,\"readPreference\":%u,\"count\":3,\"operation\":\"write\",\"checkout\":true}", t, p);
  CHECK(is_text(call("topology.select_batch", in), "{\"ids\":[0,0,0]}"), "select_batch");
  sprintf(in, "{\"topology\":%u,\"readPreference\":%u,\"count\":9000,\"operation\":\"write\",\"checkout\":true}", t, p);
  CHECK(is_error(handles_keep(rp_call(BYTES("topology.select_batch"), BYTES(in), (uint8_t *)handles_text, RP_MIN_BUFFER), 1), "buffer", RP_E_BUFFER, "out"), "a batch that might not fit");
  CHECK(count(t, "P.example") == 4, "%s", handles_text);
  CHECK(rp_call(BYTES("topology.select_batch"), BYTES(in), large, sizeof large) == 8 + 2 * 9000 + 1 && count(t, "P.example") == 9004, "a batch that fits");
  sprintf(in, "{\"topology\":%u,\"id\":0}", t);
  CHECK(is_text(call("topology.release", in), "{\"operationCount\":9003}"), "release");
  CHECK(is_text(call("topology.address", in), "{\"address\":\"p.example:27017\"}"), "address");
  sprintf(in, "{\"handle\":%u,\"topology\":{\"servers\":[" S2 "]}}", t);
  CHECK(is_text(call("topology.update", in), "{\"generation\":2}"), "update");
  sprintf(in, "{\"topology\":%u}", t);
  CHECK(is_text(call("topology.generation", in), "{\"generation\":2}") && rp_generation(t) == 2, "generation");
  CHECK(call("topology.describe", in) > 0, "%s", handles_text);
  strcpy(want, handles_text);
  CHECK(topology_describe(t) == (int32_t)strlen(want) && strcmp(handles_text, want) == 0, "\n got %s\nwant %s", handles_text, want);
  sprintf(in, "{\"topology\":%u,\"readPreference\":%u}", t, p);
  CHECK(call("topology.explain", in) > 0, "%s", handles_text);

  sprintf(in, "{\"handle\":%u,\"topology\":%u}", t, t);
  CHECK(is_error(call("close", in), "unknownKey", RP_E_UNKNOWN_KEY, "topology") && rp_generation(t) == 2, "a wrong request closed");
  sprintf(in, "{\"handle\":%u}", p);
  CHECK(is_text(call("close", in), "{}"), "close");
  sprintf(want, handle_error, "handle");
  CHECK(call("close", in) == -(int32_t)strlen(want) && strcmp(handles_text, want) == 0, "%s", handles_text);
  sprintf(in, "{\"topology\":%u,\"readPreference\":%u}", t, p);
  sprintf(want, handle_error, "readPreference");
  CHECK(call("topology.select", in) == -(int32_t)strlen(want) && strcmp(handles_text, want) == 0, "%s", handles_text);
  CHECK(rp_close(p) == RP_E_HANDLE, "it is closed");
  sprintf(in, "{\"handle\":%u}", t);
  CHECK(rp_call(BYTES("close"), BYTES(in), NULL, 0) < 0 && rp_call(BYTES("close"), BYTES(in), small, sizeof small - 1) < 0 && rp_generation(t) == 2, "closed without room for an error");
  CHECK(is_text(call("close", in), "{}") && rp_generation(t) == 0 && rp_close(t) == RP_E_HANDLE, "close");
  sprintf(in, "{\"topology\":%u,\"id\":0}", t);
  sprintf(want, handle_error, "topology");
  CHECK(call("topology.address", in) == -(int32_t)strlen(want) && strcmp(handles_text, want) == 0, "%s", handles_text);
  CHECK(rp_call(BYTES("topology.open"), BYTES(THREE), NULL, 5) < 0 && rp_call(BYTES("topology.open"), NULL, 5, NULL, 0) < 0, "NULL with a length");
  CHECK(is_error(handles_keep(rp_call(BYTES("topology.open"), BYTES(THREE), (uint8_t *)handles_text, RP_MIN_BUFFER - 1), 1), "buffer", RP_E_BUFFER, "out"), "a small buffer");
  CHECK(rp_call(BYTES("topology.open"), BYTES(THREE), NULL, 0) < 0 && rp_call(BYTES("readpref.open"), BYTES(NEAREST), NULL, 0) < 0, "no buffer");
  sprintf(want, "{\"topology\":%u}", t + (1 << 16));
  CHECK(is_text(call("topology.open", THREE), want), "something was opened in between");
  must_close(t + (1 << 16));
}

int main(void) {
  static const check_test tests[] = {
      {"the numbers of handles", numbers},
      {"picks", picks},
      {"selections that fail", errors_of_selection},
      {"checkout and release", checkout_and_release},
      {"ids and counts over removal and return", ids_are_stable},
      {"an update that is refused changes nothing", refused_update_changes_nothing},
      {"generations", generations},
      {"deprioritized servers and custom selectors", select_except},
      {"batches, all or none", batches},
      {"a description opens a topology that goes on", described_and_opened},
      {"explanations", explanations},
      {"handles that are not open", bad_handles},
      {"buffers that are too small", small_buffers},
      {"documents end where they end", documents_end},
      {"preferences", preferences},
      {"the methods of rp_call", twins},
  };
  return check_main(tests, sizeof tests / sizeof tests[0]);
}
