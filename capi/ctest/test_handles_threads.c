/*
 * Sixteen threads at once on the same few handles: they open, close, update, select and ask, each without regard for what the
 * others do. Every result is one that the contract allows, and at the end nothing was lost: what is open works, and counts
 * are what was checked out.
 *
 * test_handles_threads [ROUNDS]: how much each thread does.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>

#include "handle_calls.h"

enum { THREADS = 16, SHARED = 6 };

#define MONGOS(address) "{\"address\":\"" address "\",\"type\":\"Mongos\",\"roundTripTimeMS\":1}"
#define A MONGOS("a")
#define B MONGOS("b")
#define C MONGOS("c")
#define OF(servers) "{\"topology\":{\"type\":\"Sharded\",\"servers\":[" servers "]}}"

static unsigned rounds = 1000;
static uint32_t steady, steady_preference; /* open from beginning to end */

/* Handles that all threads open, use and close; which is open is a matter of luck. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static uint32_t topologies[SHARED], preferences[SHARED];

static uint32_t exchange(uint32_t *place, uint32_t with, int replace) {
  uint32_t was;
  pthread_mutex_lock(&turn);
  was = *place;
  if (replace) *place = with;
  pthread_mutex_unlock(&turn);
  return was;
}

typedef struct {
  uint64_t random;
  unsigned wrong;
  unsigned long checked_out;
  unsigned seen[3]; /* results: a server, no server, a bad handle */
} worker;

static uint32_t draw(worker *w, uint32_t below) {
  w->random = w->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(w->random >> 33) % below;
}

static void count_result(worker *w, int32_t id) {
  if (id >= 0 && id <= 2) {
    w->seen[0]++;
  } else if (id == RP_E_NO_SERVER) {
    w->seen[1]++;
  } else if (id == RP_E_HANDLE) {
    w->seen[2]++;
  } else {
    w->wrong++;
  }
}

/* wrong_document: neither an answer nor an error about a handle. */
static int wrong_document(int32_t n, const uint8_t *out, size_t cap) {
  static const char handle[] = "{\"error\":{\"code\":\"handle\",";
  return n == 0 || (size_t)(n < 0 ? -n : n) > cap || (n < 0 && memcmp(out, handle, strlen(handle)) != 0);
}

static void one_step(worker *w) {
  static const char *const documents[] = {OF(A), OF(A "," B), OF(A "," B "," C), OF("")};
  static const char *const read_preferences[] = {NEAREST, SECONDARY_ONLY, PRIMARY_ONLY};
  uint8_t out[RP_MIN_BUFFER];
  uint32_t *t_place = &topologies[draw(w, SHARED)], *p_place = &preferences[draw(w, SHARED)];
  uint32_t t = exchange(t_place, 0, 0), p = exchange(p_place, 0, 0), old;
  const char *in;
  int32_t n, ids[4];
  switch (draw(w, 12)) {
  case 0: /* the last one is closed by who replaces it, and by a second thread that fails */
    in = documents[draw(w, 4)];
    n = rp_topology_open(BYTES(in), out, sizeof out);
    if (n <= 0) w->wrong++;
    old = exchange(t_place, (uint32_t)n, 1);
    if (old != 0 && rp_close(old) != 0) w->wrong++;
    if (old != 0 && rp_close(old) != RP_E_HANDLE) w->wrong++;
    break;
  case 1:
    in = read_preferences[draw(w, 3)];
    n = rp_readpref_open(BYTES(in), out, sizeof out);
    if (n <= 0 && (uint32_t)n >> 29 != 2) w->wrong++;
    old = exchange(p_place, (uint32_t)n, 1);
    if (old != 0 && rp_close(old) != 0) w->wrong++;
    break;
  case 2:
    in = documents[draw(w, 4)];
    n = rp_topology_update(t, BYTES(in), out, sizeof out);
    if (n != 0) w->wrong += (unsigned)wrong_document(n, out, sizeof out);
    break;
  case 3:
    n = rp_topology_describe(t, out, sizeof out);
    w->wrong += (unsigned)wrong_document(n, out, sizeof out);
    break;
  case 4:
    n = rp_explain(t, p, NULL, 0, out, sizeof out);
    w->wrong += (unsigned)wrong_document(n, out, sizeof out);
    break;
  case 5:
    n = rp_select_batch(t, p, RP_READ, ids, 4);
    count_result(w, n == 4 ? ids[3] : n);
    break;
  case 6: count_result(w, rp_select_ex(t, p, RP_READ, BYTES("{\"deprioritized\":[\"a\"]}"))); break;
  case 7:
    n = rp_address(t, 0, out, sizeof out);
    w->wrong += n != 7 && n != RP_E_HANDLE && n != RP_E_ARGUMENT;
    w->wrong += rp_release(t, 0) == RP_E_INTERNAL;
    break;
  case 8: /* the topology that stays, which others update */
    n = rp_select(steady, steady_preference, RP_READ | RP_CHECKOUT);
    w->checked_out += n >= 0;
    w->wrong += n < 0 || n > 2;
    in = documents[draw(w, 3)];
    if (rp_topology_update(steady, BYTES(in), out, sizeof out) != 0) w->wrong++;
    break;
  case 9:
    sprintf((char *)out, "{\"topology\":%lu,\"readPreference\":%lu}", (unsigned long)t, (unsigned long)p % 0x80000000u);
    n = rp_call(BYTES("topology.select"), BYTES((char *)out), out + 512, sizeof out - 512);
    w->wrong += n > 0 && memcmp(out + 512, "{\"server\":{\"id\":", 16) != 0;
    w->wrong += n == 0;
    break;
  default: count_result(w, rp_select(t, p, RP_READ)); break;
  }
}

static void *work(void *arg) {
  worker *w = arg;
  unsigned i;
  for (i = 0; i < rounds; i++) one_step(w);
  return NULL;
}

static void hammer(void) {
  pthread_t threads[THREADS];
  worker workers[THREADS];
  unsigned i, wrong = 0, seen[3] = {0, 0, 0};
  unsigned long checked_out = 0, counted = 0;
  const char *at;
  steady = must_open_topology(OF(A "," B "," C));
  steady_preference = must_open_readpref(NEAREST);
  memset(workers, 0, sizeof workers);
  for (i = 0; i < THREADS; i++) {
    workers[i].random = i + 1;
    if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0) abort();
  }
  for (i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    wrong += workers[i].wrong;
    checked_out += workers[i].checked_out;
    seen[0] += workers[i].seen[0], seen[1] += workers[i].seen[1], seen[2] += workers[i].seen[2];
  }
  CHECK(wrong == 0, "%u results that the contract does not allow", wrong);
  CHECK(seen[0] > 0 && seen[1] > 0 && seen[2] > 0, "of servers %u, none %u, bad handles %u", seen[0], seen[1], seen[2]);
  CHECK(topology_update(steady, OF(A "," B "," C)) == 0 && topology_describe(steady) > 0, "%s", handles_text);
  for (at = handles_text; (at = strstr(at, "\"operationCount\":")) != NULL; at++) counted += (unsigned long)atol(at + 17);
  CHECK(counted == checked_out && counted > 0, "%lu operations counted, %lu checked out: %s", counted, checked_out, handles_text);
  for (i = 0; i < SHARED; i++) {
    if (topologies[i] != 0) must_close(topologies[i]);
    if (preferences[i] != 0) must_close(preferences[i]);
  }
  must_close(steady);
  must_close(steady_preference);
}

/* Two threads close one handle, while others select: one of the two is told that it closed it. */
typedef struct {
  uint32_t topology, preference;
  int *stop; /* under turn */
  unsigned wrong;
  int32_t closed;
} racer;

/* stopped: what stop says; with set it says so from now on. */
static int stopped(int *stop, int set) {
  int was;
  pthread_mutex_lock(&turn);
  was = *stop;
  *stop = was || set;
  pthread_mutex_unlock(&turn);
  return was;
}

static void *select_until(void *arg) {
  racer *r = arg;
  while (!stopped(r->stop, 0)) {
    int32_t id = rp_select(r->topology, r->preference, RP_READ);
    r->wrong += id != 0 && id != RP_E_HANDLE;
  }
  return NULL;
}

static void *close_one(void *arg) {
  racer *r = arg;
  r->closed = rp_close(r->topology);
  return NULL;
}

static void closed_once(void) {
  unsigned i, k, wrong = 0;
  uint32_t p = must_open_readpref(NEAREST);
  for (i = 0; i < rounds / 20; i++) {
    int stop = 0;
    uint32_t t = must_open_topology(OF(A));
    pthread_t threads[4];
    racer racers[4];
    for (k = 0; k < 4; k++) {
      racers[k].topology = t, racers[k].preference = p, racers[k].stop = &stop, racers[k].wrong = 0, racers[k].closed = 0;
      if (pthread_create(&threads[k], NULL, k < 2 ? select_until : close_one, &racers[k]) != 0) abort();
    }
    pthread_join(threads[2], NULL), pthread_join(threads[3], NULL);
    stopped(&stop, 1);
    pthread_join(threads[0], NULL), pthread_join(threads[1], NULL);
    wrong += racers[0].wrong + racers[1].wrong;
    wrong += !((racers[2].closed == 0 && racers[3].closed == RP_E_HANDLE) || (racers[2].closed == RP_E_HANDLE && racers[3].closed == 0));
  }
  CHECK(wrong == 0, "%u wrong", wrong);
  must_close(p);
}

int main(int argc, char **argv) {
  static const check_test tests[] = {{"16 threads on a few handles", hammer}, {"closed once, by one of two threads", closed_once}};
  if (argc > 1) rounds = (unsigned)atoi(argv[1]);
  return check_main(tests, sizeof tests / sizeof tests[0]);
}
