/*
 * A library that works in children of fork: while other threads of the parent call, with a call under way at the moment of
 * the fork, in children of children, and in threads of a child.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

#include "calls.h"
#include "check.h"
#include "child.h"

enum { CHILDREN = 200, AT_ONCE = 4, THREADS = 4 };
static const double LIMIT = 60; /* seconds that a child may take; it needs some milliseconds */

static volatile int stop;
static unsigned thread_errors[THREADS];

/* Errors make garbage, and the large documents make the memory grow and the collector run. */
static void *load(void *arg) {
  unsigned *errors = arg;
  size_t len;
  char *large = many_servers(400, &len);
  while (!stop) {
    *errors += mixed_calls(20);
    *errors += !large_is_right(large, len);
  }
  free(large);
  return NULL;
}

static void with_load(void (*test)(void)) {
  pthread_t threads[THREADS];
  unsigned i, errors = 0;
  stop = 0;
  for (i = 0; i < THREADS; i++) {
    thread_errors[i] = 0;
    if (pthread_create(&threads[i], NULL, load, &thread_errors[i]) != 0) abort();
  }
  test();
  stop = 1;
  for (i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    errors += thread_errors[i];
  }
  CHECK(errors == 0, "%u wrong answers in the parent's threads", errors);
  CHECK(mixed_calls(20) == 0, "the parent after all forks");
}

static int child_work(void) {
  size_t len;
  char *large = many_servers(400, &len);
  unsigned wrong = mixed_calls(40) + (unsigned)!large_is_right(large, len);
  free(large);
  return (int)wrong;
}

static void many_children(void) {
  pid_t running[AT_ONCE];
  unsigned i, ends[3] = {0, 0, 0};
  for (i = 0; i < CHILDREN + AT_ONCE; i++) {
    if (i >= AT_ONCE) ends[child_wait(running[i % AT_ONCE], LIMIT)]++;
    if (i < CHILDREN) running[i % AT_ONCE] = child_start(child_work);
  }
  CHECK(ends[CHILD_RIGHT] == CHILDREN, "of %d children %u were wrong and %u hung", CHILDREN, ends[CHILD_WRONG], ends[CHILD_HUNG]);
}

static void children_under_load(void) {
  with_load(many_children);
}

static int great_grandchild_work(void) {
  return child_work();
}
static int grandchild_work(void) {
  return child_work() != 0 || child_wait(child_start(great_grandchild_work), LIMIT / 3) != CHILD_RIGHT || child_work() != 0;
}
static int parent_of_children_work(void) {
  return child_work() != 0 || child_wait(child_start(grandchild_work), LIMIT / 2) != CHILD_RIGHT || child_work() != 0;
}

static void generations(void) {
  unsigned i;
  for (i = 0; i < 20; i++) {
    child_end end = child_wait(child_start(parent_of_children_work), LIMIT);
    CHECK(end == CHILD_RIGHT, "family %u: %s", i, end == CHILD_HUNG ? "hung" : "wrong");
  }
}

static void children_of_children(void) {
  with_load(generations);
}

static void *child_thread(void *arg) {
  *(int *)arg = child_work();
  return NULL;
}

static int threaded_child_work(void) {
  pthread_t threads[THREADS];
  int wrong[THREADS], i, all = child_work();
  for (i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, child_thread, &wrong[i]) != 0) return 1;
  }
  for (i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    all += wrong[i];
  }
  return all;
}

static void threaded_children(void) {
  unsigned i;
  for (i = 0; i < 10; i++) {
    child_end end = child_wait(child_start(threaded_child_work), LIMIT);
    CHECK(end == CHILD_RIGHT, "child %u: %s", i, end == CHILD_HUNG ? "hung" : "wrong");
  }
}

static void threads_of_children(void) {
  with_load(threaded_children);
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int calling;

/* One call that takes long. */
static void *long_call(void *arg) {
  size_t len;
  char *large = many_servers(20000, &len);
  pthread_mutex_lock(&turn);
  calling = 1;
  pthread_cond_signal(&turned);
  pthread_mutex_unlock(&turn);
  *(int32_t *)arg = call_text("select", large, len, NULL, 0);
  free(large);
  return NULL;
}

/* The fork comes while a call is under way, which shows by the time that it takes: it waits for the call's end. */
static void lock_held_at_fork(void) {
  unsigned i, waited = 0;
  for (i = 0; i < 20; i++) {
    pthread_t thread;
    int32_t n = 0;
    struct timespec pause = {0, 3000000};
    double before, took;
    child_end end;
    pid_t pid;
    calling = 0;
    if (pthread_create(&thread, NULL, long_call, &n) != 0) abort();
    pthread_mutex_lock(&turn);
    while (!calling) pthread_cond_wait(&turned, &turn);
    pthread_mutex_unlock(&turn);
    nanosleep(&pause, NULL);
    before = child_clock();
    pid = child_start(child_work);
    took = child_clock() - before;
    waited += took > 0.005;
    end = child_wait(pid, LIMIT);
    CHECK(end == CHILD_RIGHT, "child %u: %s", i, end == CHILD_HUNG ? "hung" : "wrong");
    pthread_join(thread, NULL);
    CHECK(n > 0, "the long call: %d", (int)n);
  }
  CHECK(waited > 0, "no fork of 20 met a call");
}

/* With the argument emulated the last is left out: qemu itself cannot start threads in a forked child. */
int main(int argc, char **argv) {
  static const check_test tests[] = {
      {"200 children while threads call", children_under_load},
      {"children of children", children_of_children},
      {"a call under way at the fork", lock_held_at_fork},
      {"threads of children", threads_of_children},
  };
  return check_main(tests, sizeof tests / sizeof tests[0] - (argc == 2 && strcmp(argv[1], "emulated") == 0));
}
