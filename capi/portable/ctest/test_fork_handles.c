/*
 * Handles in children of fork: the parent's live on there, separately, whatever the parent's threads were doing with them,
 * and pick differently in each process.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

#include "calls.h"
#include "check.h"
#include "child.h"
#include "handle_calls.h"

enum { CHILDREN = 200, AT_ONCE = 4, THREADS = 3, TOPOLOGIES = 4, PICKS = 64 };
static const double LIMIT = 60; /* seconds that a child may take; it needs some milliseconds */

#define M(address) "{\"address\":\"" address "\",\"type\":\"Mongos\",\"roundTripTimeMS\":1}"
#define THREE "{\"topology\":{\"type\":\"Sharded\",\"servers\":[" M("a") "," M("b") "," M("c") "]}"
#define TWO "{\"topology\":{\"type\":\"Sharded\",\"servers\":[" M("a") "," M("b") "]}}"

#define SEEDS "{\"seeds\":[\"a\",\"b\"],\"pick\":\"random\",\"seed\":42}"
#define MONGOS(address) "{\"address\":\"" address "\",\"hello\":{\"ok\":1,\"msg\":\"isdbgrid\",\"maxWireVersion\":25},\"roundTripTimeMS\":1}"

static uint32_t topologies[TOPOLOGIES]; /* the parent's threads use them all but the first */
static uint32_t discovered[2];          /* the parent's threads use the second */
static uint32_t preference;

static volatile int stop;

/* Picks, updates that make garbage, topologies that come and go. */
static void *load(void *arg) {
  unsigned *errors = arg, i;
  uint8_t out[RP_MIN_BUFFER];
  while (!stop) {
    int32_t t = rp_topology_open(BYTES(TWO), out, sizeof out);
    *errors += t <= 0 || rp_select((uint32_t)t, preference, RP_READ) < 0 || rp_close((uint32_t)t) != 0;
    for (i = 1; i < TOPOLOGIES; i++) {
      int32_t id = rp_select(topologies[i], preference, RP_READ);
      *errors += id < 0 || id > 2;
      *errors += rp_topology_update(topologies[i], BYTES(TWO), out, sizeof out) != 0;
    }
    *errors += rp_topology_hello(discovered[1], BYTES(MONGOS("a")), out, sizeof out) != 0;
    *errors += rp_topology_error(discovered[1], BYTES("{\"address\":\"a\",\"kind\":\"network\"}"), out, sizeof out) != 0;
    *errors += rp_topology_events(discovered[1], NULL, 0) <= 0;
    *errors += rp_topology_events_ack(discovered[1], 0) != 0;
  }
  return NULL;
}

static void open_all(void) {
  unsigned i;
  for (i = 0; i < TOPOLOGIES; i++) topologies[i] = must_open_topology(THREE ",\"pick\":\"random\",\"seed\":42}");
  for (i = 0; i < 2; i++) discovered[i] = must_open_topology(SEEDS);
  preference = must_open_readpref(NEAREST);
}

static void close_all(void) {
  unsigned i;
  for (i = 0; i < TOPOLOGIES; i++) must_close(topologies[i]);
  for (i = 0; i < 2; i++) must_close(discovered[i]);
  must_close(preference);
}

static void with_load(void (*test)(void)) {
  pthread_t threads[THREADS];
  unsigned i, errors[THREADS] = {0};
  open_all();
  stop = 0;
  for (i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, load, &errors[i]) != 0) abort();
  }
  test();
  stop = 1;
  for (i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    CHECK(errors[i] == 0, "%u errors in a thread of the parent", errors[i]);
  }
  close_all();
}

/* use_handles uses the parent's handles, and some of its own. */
static int use_handles(void) {
  unsigned i, wrong = 0;
  uint32_t t, p;
  for (i = 0; i < TOPOLOGIES; i++) {
    int32_t id = rp_select(topologies[i], preference, RP_READ | RP_CHECKOUT);
    wrong += id < 0;
    wrong += rp_release(topologies[i], (uint32_t)id) != 0;
    wrong += rp_generation(topologies[i]) == 0;
    wrong += topology_update(topologies[i], TWO) != 0;
    wrong += topology_describe(topologies[i]) <= 0;
  }
  for (i = 0; i < 2; i++) {
    wrong += topology_hello(discovered[i], MONGOS("b")) != 0 || rp_select(discovered[i], preference, RP_READ) < 0;
    wrong += topology_events(discovered[i]) <= 0 || rp_topology_events_ack(discovered[i], 1) != 0;
  }
  wrong += rp_generation(discovered[0]) != 2;
  wrong += topology_shutdown(discovered[0], "") != 0 || rp_select(discovered[0], preference, RP_READ) != RP_E_NO_SERVER;
  t = (uint32_t)topology_open(TWO), p = (uint32_t)readpref_open(SECONDARY_ONLY);
  wrong += rp_select(t, p, RP_READ) < 0 || rp_select(topologies[0], p, RP_READ) < 0;
  wrong += rp_close(t) != 0 || rp_close(p) != 0 || rp_close(topologies[0]) != 0;
  wrong += rp_select(topologies[0], preference, RP_READ) != RP_E_HANDLE;
  return (int)(wrong + mixed_calls(4));
}

static void many_children(void) {
  pid_t running[AT_ONCE];
  unsigned i, ends[3] = {0, 0, 0};
  for (i = 0; i < CHILDREN + AT_ONCE; i++) {
    if (i >= AT_ONCE) ends[child_wait(running[i % AT_ONCE], LIMIT)]++;
    if (i < CHILDREN) running[i % AT_ONCE] = child_start(use_handles);
  }
  CHECK(ends[CHILD_RIGHT] == CHILDREN, "of %d children %u were wrong and %u hung", CHILDREN, ends[CHILD_WRONG], ends[CHILD_HUNG]);
  CHECK(rp_generation(topologies[0]) == 1, "a child's update reached the parent");
  CHECK(rp_generation(discovered[0]) == 1, "a child's reply reached the parent");
}

static void children_under_load(void) {
  with_load(many_children);
}

/* What a process picks, and who tells the parent. */
static int pick_pipe[2];

static int pick_and_tell(void) {
  int32_t ids[PICKS];
  unsigned i;
  for (i = 0; i < PICKS; i++) ids[i] = rp_select(topologies[0], preference, RP_READ);
  return write(pick_pipe[1], ids, sizeof ids) != (ssize_t)sizeof ids;
}

static int grandchild(void) {
  return child_wait(child_start(pick_and_tell), LIMIT / 3) != CHILD_RIGHT || pick_and_tell() != 0;
}

static int great_grandchild(void) {
  return child_wait(child_start(grandchild), LIMIT / 2) != CHILD_RIGHT;
}

/* Every process draws for itself: 64 picks of three servers are the same in no two of them. */
static void picks_differ(void) {
  enum { FAMILIES = 10, ROWS = CHILDREN + 2 * FAMILIES + 1 };
  static int32_t picks[ROWS][PICKS];
  unsigned i, k, same = 0, outside = 0;
  open_all();
  rp_select(topologies[0], preference, RP_READ);
  if (pipe(pick_pipe) != 0) abort();
  for (i = 0; i < ROWS;) {
    unsigned told = i < CHILDREN ? 1 : i + 1 < ROWS ? 2 : 0;
    if (told == 0) {
      CHECK(pick_and_tell() == 0, "the parent");
      told = 1;
    } else {
      CHECK(child_wait(child_start(told == 1 ? pick_and_tell : great_grandchild), LIMIT) == CHILD_RIGHT, "child %u", i);
    }
    for (; told > 0; told--, i++) {
      if (read(pick_pipe[0], picks[i], sizeof picks[i]) != (ssize_t)sizeof picks[i]) abort();
    }
  }
  close(pick_pipe[0]), close(pick_pipe[1]);
  for (i = 0; i < ROWS; i++) {
    for (k = 0; k < PICKS; k++) outside += picks[i][k] < 0 || picks[i][k] > 2;
    for (k = 0; k < i; k++) same += memcmp(picks[i], picks[k], sizeof picks[i]) == 0;
  }
  CHECK(outside == 0, "%u picks of no server", outside);
  CHECK(same == 0, "%u pairs of processes pick the same", same);
  close_all();
}

/* The parent itself goes on as if there had been no child. */
static void parent_goes_on(void) {
  uint32_t twin;
  unsigned i, wrong = 0;
  open_all();
  twin = must_open_topology(THREE ",\"pick\":\"random\",\"seed\":42}");
  for (i = 0; i < 20; i++) {
    CHECK(child_wait(child_start(use_handles), LIMIT) == CHILD_RIGHT, "child %u", i);
    wrong += rp_select(topologies[0], preference, RP_READ) != rp_select(twin, preference, RP_READ);
  }
  CHECK(wrong == 0, "%u of 20 picks", wrong);
  must_close(twin);
  close_all();
}

static int family(void) {
  return child_wait(child_start(use_handles), LIMIT / 2) != CHILD_RIGHT || use_handles() != 0;
}

static void many_families(void) {
  unsigned i;
  for (i = 0; i < 20; i++) {
    child_end end = child_wait(child_start(family), LIMIT);
    CHECK(end == CHILD_RIGHT, "family %u: %s", i, end == CHILD_HUNG ? "hung" : "wrong");
  }
}

static void children_of_children(void) {
  with_load(many_families);
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int calling;

/* One update that takes long. */
static void *long_update(void *arg) {
  size_t len;
  char *large = many_servers(20000, &len);
  uint8_t out[RP_MIN_BUFFER];
  pthread_mutex_lock(&turn);
  calling = 1;
  pthread_cond_signal(&turned);
  pthread_mutex_unlock(&turn);
  *(int32_t *)arg = rp_topology_update(topologies[1], (const uint8_t *)large, len, out, sizeof out);
  free(large);
  return NULL;
}

/* A child finds the topology that was being updated with the one description or the other. */
static int use_updated(void) {
  int32_t id = rp_select(topologies[1], preference, RP_READ);
  return id < 0 || rp_generation(topologies[1]) == 0 || use_handles() != 0;
}

static void lock_held_at_fork(void) {
  unsigned i, waited = 0;
  open_all();
  for (i = 0; i < 20; i++) {
    pthread_t thread;
    int32_t n = -1;
    struct timespec pause = {0, 3000000};
    double before;
    child_end end;
    pid_t pid;
    calling = 0;
    if (pthread_create(&thread, NULL, long_update, &n) != 0) abort();
    pthread_mutex_lock(&turn);
    while (!calling) pthread_cond_wait(&turned, &turn);
    pthread_mutex_unlock(&turn);
    nanosleep(&pause, NULL);
    before = child_clock();
    pid = child_start(use_updated);
    waited += child_clock() - before > 0.005;
    end = child_wait(pid, LIMIT);
    CHECK(end == CHILD_RIGHT, "child %u: %s", i, end == CHILD_HUNG ? "hung" : "wrong");
    pthread_join(thread, NULL);
    CHECK(n == 0, "the long update: %d", (int)n);
  }
  CHECK(waited > 0, "no fork of 20 met an update");
  close_all();
}

int main(void) {
  static const check_test tests[] = {
      {"200 children with their parent's handles", children_under_load},
      {"children of children", children_of_children},
      {"every process picks differently", picks_differ},
      {"the parent goes on", parent_goes_on},
      {"an update under way at the fork", lock_held_at_fork},
  };
  return check_main(tests, sizeof tests / sizeof tests[0]);
}
