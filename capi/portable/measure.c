/*
 * measure LIBRARY [ROUNDS]: what a libreadpref costs its host. Start is dlopen to the end of the first select; resident
 * memory is what that added; select is one JSON request of three members, in processor time of the process, the least and
 * the median of ROUNDS rounds (15) of 2,000 calls.
 *
 *   cc -O2 -Icapi -Icapi/ctest -o build/measure capi/portable/measure.c -ldl
 *   build/measure build/libreadpref_portable.so; build/measure build/libreadpref.so
 */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "request.h"

enum { CALLS = 2000, MOST = 1000 };

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
  return 0;
}
