/*
 * measure LIBRARY [ROUNDS]: what a libreadpref costs its host. Start is dlopen to the end of the first select; resident
 * memory is what that added; select is one JSON request of three members, pick is rp_select on two handles, both in
 * processor time of the process, the least and the median of ROUNDS rounds (15) of 2,000 or 200,000 calls. Picks of four
 * threads are by the clock, on a topology each and on one together.
 *
 *   cc -O2 -Icapi -Icapi/ctest -o build/measure capi/portable/measure.c -ldl -pthread
 *   build/measure build/libreadpref_portable.so; build/measure build/libreadpref.so
 */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "readpref.h"
#include "request.h"

enum { CALLS = 2000, PICKS = 200000, MOST = 1000, THREADS = 4 };

typedef int32_t call_function(const uint8_t *, size_t, const uint8_t *, size_t, uint8_t *, size_t);

static double milliseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static long status_kb(const char *key) {
  char line[256];
  long kb = -1;
  FILE *f = fopen("/proc/self/status", "r");
  if (f == NULL) return -1;
  while (fgets(line, sizeof line, f) != NULL) {
    if (strncmp(line, key, strlen(key)) == 0) kb = atol(line + strlen(key) + 1);
  }
  fclose(f);
  return kb;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void select_once(call_function *call) {
  static uint8_t out[1024];
  int32_t n = call((const uint8_t *)"select", 6, (const uint8_t *)SECONDARY, strlen(SECONDARY), out, sizeof out);
  if (n != (int32_t)strlen(SECONDARY_ANSWER) || memcmp(out, SECONDARY_ANSWER, (size_t)n) != 0) abort();
}

typedef int32_t open_function(const uint8_t *, size_t, uint8_t *, size_t);
typedef int32_t select_function(uint32_t, uint32_t, uint32_t);

static select_function *pick;

static void *symbol_of(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (symbol == NULL) {
    fprintf(stderr, "no %s\n", name);
    exit(2);
  }
  return symbol;
}

static uint32_t open_handle(open_function *open, const char *in) {
  static uint8_t out[RP_MIN_BUFFER];
  int32_t h = open((const uint8_t *)in, strlen(in), out, sizeof out);
  if (h <= 0) abort();
  return (uint32_t)h;
}

static void pick_many(uint32_t topology, uint32_t preference) {
  int i;
  for (i = 0; i < PICKS; i++) {
    if (pick(topology, preference, RP_READ) < 0) abort();
  }
}

static void *pick_thread(void *arg) {
  const uint32_t *handles = arg;
  pick_many(handles[0], handles[1]);
  return NULL;
}

/* million_picks of four threads, in one second of the clock. */
static double million_picks(uint32_t handles[THREADS][2]) {
  pthread_t threads[THREADS];
  double before = milliseconds(CLOCK_MONOTONIC);
  int i;
  for (i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, pick_thread, handles[i]) != 0) abort();
  }
  for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return THREADS * PICKS * 1e-3 / (milliseconds(CLOCK_MONOTONIC) - before);
}

static void measure_picks(void *library, int rounds) {
  open_function *topology_open, *readpref_open;
  uint32_t each[THREADS][2], one[THREADS][2];
  double took[MOST];
  long resident;
  void *symbol;
  int r, i;
  symbol = symbol_of(library, "rp_topology_open"), memcpy(&topology_open, &symbol, sizeof symbol);
  symbol = symbol_of(library, "rp_readpref_open"), memcpy(&readpref_open, &symbol, sizeof symbol);
  symbol = symbol_of(library, "rp_select"), memcpy(&pick, &symbol, sizeof symbol);
  resident = status_kb("RssAnon");
  for (i = 0; i < THREADS; i++) {
    each[i][0] = open_handle(topology_open, "{" TOPOLOGY ",\"localThresholdMS\":1000}");
    each[i][1] = open_handle(readpref_open, "{\"readPreference\":{\"mode\":\"nearest\"}}");
    memcpy(one[i], each[0], sizeof one[i]);
    pick_many(each[i][0], each[i][1]);
  }
  printf("private memory  %ld KB for each topology\n", (status_kb("RssAnon") - resident) / THREADS);
  for (r = 0; r < rounds; r++) {
    double before = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    pick_many(each[0][0], each[0][1]);
    took[r] = (milliseconds(CLOCK_PROCESS_CPUTIME_ID) - before) * 1e6 / PICKS;
  }
  qsort(took, (size_t)rounds, sizeof took[0], compare);
  printf("pick            %.1f ns at least, %.1f ns in the median\n", took[0], took[rounds / 2]);
  for (r = 0; r < rounds; r++) took[r] = million_picks(each);
  qsort(took, (size_t)rounds, sizeof took[0], compare);
  printf("four threads    %.1f million picks a second at most, %.1f in the median, on a topology each\n", took[rounds - 1], took[rounds / 2]);
  for (r = 0; r < rounds; r++) took[r] = million_picks(one);
  qsort(took, (size_t)rounds, sizeof took[0], compare);
  printf("four threads    %.1f million picks a second at most, %.1f in the median, on one topology\n", took[rounds - 1], took[rounds / 2]);
}

int main(int argc, char **argv) {
  int rounds = argc > 2 ? atoi(argv[2]) : 15, r, i;
  double took[MOST];
  long resident = status_kb("VmRSS"), anonymous = status_kb("RssAnon");
  double wall = milliseconds(CLOCK_MONOTONIC), cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  void *symbol = library != NULL ? dlsym(library, "rp_call") : NULL;
  call_function *call;
  if (symbol == NULL || rounds < 1 || rounds > MOST) {
    fprintf(stderr, "usage: measure LIBRARY [ROUNDS]: %s\n", argc > 1 && library == NULL ? dlerror() : "no rp_call");
    return 2;
  }
  memcpy(&call, &symbol, sizeof call);
  select_once(call);
  printf("start           %.2f ms, %.2f ms of processor time\n", milliseconds(CLOCK_MONOTONIC) - wall, milliseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
  printf("resident memory %ld KB more, of which %ld KB private\n", status_kb("VmRSS") - resident, status_kb("RssAnon") - anonymous);
  for (r = 0; r < rounds; r++) {
    double before = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    for (i = 0; i < CALLS; i++) select_once(call);
    took[r] = (milliseconds(CLOCK_PROCESS_CPUTIME_ID) - before) * 1e3 / CALLS;
  }
  qsort(took, (size_t)rounds, sizeof took[0], compare);
  printf("select          %.2f us at least, %.2f us in the median\n", took[0], took[rounds / 2]);
  printf("resident memory %ld KB more after %ld calls\n", status_kb("VmRSS") - resident, (long)rounds * CALLS);
  measure_picks(library, rounds);
  return 0;
}
