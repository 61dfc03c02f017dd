/*
 * Handles in large numbers: how many can be open, how long a slot is used again, and that what is closed is forgotten.
 * Memory is measured in the process itself.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#if defined(_WIN32)
#include <windows.h>
#include <psapi.h>
#else
#include <unistd.h>
#endif

#include "handle_calls.h"

enum { LIMIT = 65536, GENERATIONS = 8192 };

static const char TOO_MANY[] = "{\"error\":{\"code\":\"limitExceeded\",\"status\":-15,\"message\":\"more than 65536 handles\",\"path\":\"\"}}";
static uint32_t handles[LIMIT];

#define ONE "{\"topology\":{\"servers\":[{\"address\":\"a\",\"type\":\"Standalone\"}]}}"

/* A slot has 8192 handles; then it is used no more, and the next handle is another slot's first. */
static void used_up(void) {
  uint32_t i, wrong = 0, first = must_open_readpref(NEAREST), other;
  must_close(first);
  for (i = first >> 16 & (GENERATIONS - 1); ++i < GENERATIONS;) {
    uint32_t h = (uint32_t)readpref_open(NEAREST);
    wrong += h != (2u << 29 | i << 16 | (first & 0xffff));
    wrong += rp_close(h) != 0;
  }
  CHECK(wrong == 0, "%lu wrong", (unsigned long)wrong);
  other = must_open_readpref(NEAREST);
  CHECK((other & 0xffff) != (first & 0xffff), "used again: %lx", (unsigned long)other);
  must_close(other);
}

/* The slot that is used up counts as one of the 65,536. */
static void limit(void) {
  uint32_t i, n = 0, t = must_open_topology(ONE), last;
  int32_t h;
  while (n < LIMIT && (uint32_t)(h = readpref_open(NEAREST)) >> 29 == 2) handles[n++] = (uint32_t)h;
  CHECK(n == LIMIT - 2, "%lu preferences", (unsigned long)n);
  CHECK(is_text(-readpref_open(NEAREST), TOO_MANY), "one more preference");
  CHECK(is_text(-topology_open(ONE), TOO_MANY), "one more topology");
  CHECK(is_text(-call("readpref.open", NEAREST), TOO_MANY), "one more by rp_call");
  CHECK(is_text(-call("topology.open", ONE), TOO_MANY), "one more by rp_call");
  CHECK(is_error(topology_open("{}"), "missingKey", RP_E_MISSING_KEY, "topology"), "what is wrong with a request comes first");
  for (i = 0; i < n; i += 1021) CHECK(rp_select(t, handles[i], RP_READ) == 0, "preference %lu", (unsigned long)i);
  last = handles[--n];
  must_close(last);
  h = topology_open(ONE);
  CHECK((uint32_t)h == (1u << 29 | ((last & 0x1fffffff) + 0x10000)), "in its place: %lx after %lx", (unsigned long)h, (unsigned long)last);
  CHECK(rp_select((uint32_t)h, handles[0], RP_READ) == 0, "a pick");
  must_close((uint32_t)h);
  for (i = 0; i < n; i++) must_close(handles[i]);
  must_close(t);
}

#define TAGGED(n) "{\"address\":\"s" n "\",\"type\":\"RSSecondary\",\"roundTripTimeMS\":1,\"tags\":{\"n\":\"" n "\"}}"

/* Preferences that differ, of which some are closed and their slots used again: each finds its own server, in each of two
   topologies. */
static void come_and_go(void) {
  enum { PREFERENCES = 500, ROUNDS = 6 };
  static const char topology[] = "{\"topology\":{\"type\":\"ReplicaSetNoPrimary\",\"setName\":\"rs\",\"servers\":[" TAGGED("0") "," TAGGED("1") "," TAGGED("2") "," TAGGED("3") "]}}";
  uint32_t t = must_open_topology(topology), u = must_open_topology(topology), closed[PREFERENCES], round, i, wrong = 0;
  char in[128];
  for (round = 0; round < ROUNDS; round++) {
    for (i = 0; i < PREFERENCES; i++) {
      if (round > 0 && (i + round) % 3 == 0) continue; /* it stays */
      closed[i] = round > 0 ? handles[i] : 0;
      if (round > 0) wrong += rp_close(handles[i]) != 0;
      sprintf(in, "{\"readPreference\":{\"mode\":\"secondary\",\"tags\":[{\"n\":\"%lu\"}]}}", (unsigned long)(i + round) % 4);
      if (round % 2 == 0) handles[i] = (uint32_t)readpref_open(in);
    }
    for (i = 0; round % 2 == 1 && i < PREFERENCES; i++) { /* all at once, in the slots of others */
      if ((i + round) % 3 == 0) continue;
      sprintf(in, "{\"readPreference\":{\"mode\":\"secondary\",\"tags\":[{\"n\":\"%lu\"}]}}", (unsigned long)(i + round) % 4);
      handles[i] = (uint32_t)readpref_open(in);
    }
    for (i = 0; i < PREFERENCES; i++) {
      int32_t id = rp_select(t, handles[i], RP_READ);
      uint32_t opened = round > 0 && (i + round) % 3 == 0 ? round - 1 : round;
      wrong += (uint32_t)id != (i + opened) % 4 || (i % 5 == 0 && rp_select(u, handles[i], RP_READ) != id);
      wrong += rp_select(t, closed[i], RP_READ) != RP_E_HANDLE;
    }
  }
  CHECK(wrong == 0, "%lu wrong", (unsigned long)wrong);
  for (i = 0; i < PREFERENCES; i++) must_close(handles[i]);
  must_close(t), must_close(u);
}

#if defined(_WIN32)
static long resident_kb(void) {
  PROCESS_MEMORY_COUNTERS memory;
  if (!GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory)) abort();
  return (long)(memory.PagefileUsage / 1024);
}
#else
static long resident_kb(void) {
  FILE *f = fopen("/proc/self/statm", "r");
  long size = 0, resident = 0;
  if (f == NULL) return 0; /* not Linux */
  if (fscanf(f, "%ld %ld", &size, &resident) != 2) abort();
  fclose(f);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}
#endif

/* Preferences and topologies that come and go, all used with one that stays. */
static void memory_is_flat(void) {
  enum { ROUNDS = 3000, WARM = 500 };
  uint32_t i, wrong = 0, t = must_open_topology(ONE), p = must_open_readpref(NEAREST);
  long before = 0, after;
  for (i = 0; i < ROUNDS; i++) {
    uint32_t q = (uint32_t)readpref_open(SECONDARY_ONLY), u = (uint32_t)topology_open(ONE);
    wrong += rp_select(t, q, RP_READ) != 0;
    wrong += rp_select(u, q, RP_READ) != 0;
    wrong += rp_select(u, p, RP_READ) != 0;
    wrong += topology_update(t, ONE) != 0;
    wrong += rp_close(q) != 0;
    wrong += rp_select(t, q, RP_READ) != RP_E_HANDLE;
    wrong += rp_close(u) != 0;
    if (i == WARM) before = resident_kb();
  }
  after = resident_kb();
  CHECK(wrong == 0, "%lu wrong", (unsigned long)wrong);
  CHECK(after - before < 8192, "%ld KB more after %d rounds", after - before, ROUNDS - WARM);
  must_close(t), must_close(p);
}

/* With the argument emulated the last is left out: the memory would be the emulator's. */
int main(int argc, char **argv) {
  static const check_test tests[] = {
      {"preferences come and go", come_and_go},
      {"a slot is used up", used_up},
      {"65,536 handles", limit},
      {"memory is flat while handles come and go", memory_is_flat},
  };
  return check_main(tests, sizeof tests / sizeof tests[0] - (argc == 2 && strcmp(argv[1], "emulated") == 0));
}
