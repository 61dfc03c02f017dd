/* Runs the demo's selections with libreadpref. */
#define _POSIX_C_SOURCE 199309L
#include "readpref.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CALLS 1000

static double microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_json(const uint8_t *s, size_t n) {
  putchar('"');
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '"' || s[i] == '\\')
      putchar('\\');
    if (s[i] < 0x20)
      printf("\\u%04x", s[i]);
    else
      putchar(s[i]);
  }
  putchar('"');
}

static int run(const char *method, const char *file) {
  static uint8_t request[1 << 20], answer[1 << 20];
  static double times[CALLS];
  FILE *f = fopen(file, "rb");
  if (f == NULL) {
    perror(file);
    return 1;
  }
  const size_t n = fread(request, 1, sizeof request, f);
  fclose(f);
  int32_t length = 0;
  for (int i = 0; i < CALLS; i++) {
    const double start = microseconds();
    length = rp_call((const uint8_t *)method, strlen(method), request, n, answer, sizeof answer);
    times[i] = microseconds() - start;
  }
  qsort(times, CALLS, sizeof times[0], ascending);
  printf("{\"file\":");
  print_json((const uint8_t *)file, strlen(file));
  printf(",\"answer\":");
  print_json(answer, (size_t)(length < 0 ? -length : length));
  printf(",\"microseconds\":%.3f}\n", times[CALLS / 2]);
  return 0;
}

int main(int argc, char **argv) {
  int failed = 0;
  if (rp_abi_version() >> 16 != 1) {
    fputs("demo: this program wants ABI 1\n", stderr);
    return 1;
  }
  for (int i = 2; i < argc; i++)
    failed |= run(argv[1], argv[i]);
  return failed;
}
