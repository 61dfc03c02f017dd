/*
 * The harness of the C tests: a test program is a table of named functions. Each prints "ok NAME" or "FAIL NAME" on its
 * own line of stdout, which run.sh counts, and what was wrong on stderr.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

static int check_failures; /* of the test that runs */

/* CHECK(condition, format, ...) reports a false condition and goes on. */
#define CHECK(cond, ...)                                          \
  do {                                                            \
    if (!(cond)) {                                                \
      check_failures++;                                           \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #cond);  \
      fprintf(stderr, __VA_ARGS__);                               \
      fputc('\n', stderr);                                        \
    }                                                             \
  } while (0)

typedef struct {
  const char *name;
  void (*run)(void);
} check_test;

/* check_main runs the tests and returns the exit status. */
static int check_main(const check_test *tests, size_t n) {
  int failed = 0;
  size_t i;
  for (i = 0; i < n; i++) {
    check_failures = 0;
    tests[i].run();
    printf("%s %s\n", check_failures == 0 ? "ok" : "FAIL", tests[i].name);
    fflush(stdout); /* a crash of the next test must not take this line with it */
    failed += check_failures != 0;
  }
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
