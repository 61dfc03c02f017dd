/*
 * Eight threads at once, three rounds of them so that threads also come and go, and every answer is the one that a single
 * thread got. The requests differ in length and in outcome, so that calls which mixed up their scratch memory would show.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "readpref.h"
#include "request.h"

enum { THREADS = 8, ROUNDS = 3, CALLS = 600 };

static const struct {
  const char *in, *answer; /* the answer, or its start where start is set */
  int start;
} cases[] = {
    {SECONDARY, SECONDARY_ANSWER, 0},
    {PRIMARY, PRIMARY_ANSWER, 0},
    {NEAREST_SF, NEAREST_SF_ANSWER, 0},
    {NOBODY, NOBODY_ANSWER_START, 1},
    {"{" TOPOLOGY ",\"operation\":\"reed\"}", "{\"error\":{\"code\":\"unknownValue\",\"status\":-26,", 1},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* What one thread got, before any other called. */
static struct {
  int32_t n;
  uint8_t text[2048];
} alone[CASES];

typedef struct {
  size_t first; /* the case it starts with, so that the threads are out of step */
  size_t wrong;
} worker;

static int32_t call_case(size_t i, uint8_t *out, size_t cap) {
  return rp_call((const uint8_t *)"select", 6, (const uint8_t *)cases[i].in, strlen(cases[i].in), out, cap);
}

static void *work(void *arg) {
  worker *w = arg;
  uint8_t out[2048];
  size_t k;
  for (k = 0; k < CALLS; k++) {
    size_t i = (w->first + k) % CASES;
    int32_t n;
    memset(out, 0, sizeof out);
    n = call_case(i, out, sizeof out);
    if (n != alone[i].n || memcmp(out, alone[i].text, sizeof out) != 0) w->wrong++;
  }
  return NULL;
}

static void all_answers_equal(void) {
  size_t i, round, wrong = 0;
  for (i = 0; i < CASES; i++) {
    size_t len = strlen(cases[i].answer);
    memset(alone[i].text, 0, sizeof alone[i].text);
    alone[i].n = call_case(i, alone[i].text, sizeof alone[i].text);
    CHECK(memcmp(alone[i].text, cases[i].answer, cases[i].start ? len : len + 1) == 0, "\n got %s\nwant %s", (char *)alone[i].text, cases[i].answer);
  }
  for (round = 0; round < ROUNDS; round++) {
    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (i = 0; i < THREADS; i++) {
      workers[i].first = i;
      workers[i].wrong = 0;
      if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0) {
        perror("pthread_create");
        abort();
      }
    }
    for (i = 0; i < THREADS; i++) {
      pthread_join(threads[i], NULL);
      wrong += workers[i].wrong;
    }
  }
  CHECK(wrong == 0, "%lu of %d answers differ", (unsigned long)wrong, THREADS * ROUNDS * CALLS);
}

int main(void) {
  static const check_test tests[] = {{"8 threads get equal answers", all_answers_equal}};
  return check_main(tests, 1);
}
