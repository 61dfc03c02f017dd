/*
 * runner.c: libreadpref, or libreadpref_portable, behind the bench's line protocol (bench/README.md).
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readpref.h"

enum { ROOM = 4 << 20, MAX_THREADS = 64 };

static char *open_request, *select_request, *update_request;
static uint32_t topologies[MAX_THREADS], preference;
static int opened;
static uint8_t *out;

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

static char *copy(const char *text, size_t n) {
  char *c = malloc(n + 1);
  if (!c) abort();
  memcpy(c, text, n);
  c[n] = 0;
  return c;
}

/* failed: answers with what the library says, or with a status. */
static void failed(const char *what, int32_t n) {
  printf("{\"error\":\"%s: %d\"}\n", what, (int)n);
  if (n < -64 && n > -ROOM) fprintf(stderr, "%.*s\n", (int)-n, (char *)out);
}

/* open_topologies: makes sure that there are so many. */
static int32_t open_topologies(int n) {
  for (; opened < n; opened++) {
    int32_t h = rp_topology_open(bytes(open_request), strlen(open_request), out, ROOM);
    if (h <= 0) return h;
    topologies[opened] = (uint32_t)h;
  }
  return 1;
}

/* end_of_object: the end of the object that begins at text; our documents have no brace in a string. */
static const char *end_of_object(const char *text) {
  int depth = 0;
  for (; *text; text++) {
    if (*text == '{') depth++;
    if (*text == '}' && --depth == 0) return text + 1;
  }
  return text;
}

/* update_of: the request of an update, from that of an opening, which begins with "topology". */
static char *update_of(const char *request) {
  const char *topology = strchr(request + 1, '{');
  size_t n = (size_t)(end_of_object(topology) - request);
  char *update = copy(request, n + 1);
  update[n] = '}';
  return update;
}

/* print_picked: the addresses that come when every server of the window must have come. */
static int32_t print_picked(int picks) {
  int32_t *ids = malloc(sizeof *ids * (size_t)picks);
  const char *comma = "";
  if (!ids) abort();
  for (int i = 0; i < picks; i++) {
    ids[i] = rp_select(topologies[0], preference, RP_READ | RP_CHECKOUT);
    if (ids[i] < 0) {
      int32_t status = ids[i];
      free(ids);
      return status;
    }
  }
  printf(",\"picked\":[");
  for (int i = 0; i < picks; i++) {
    int first = 1;
    rp_release(topologies[0], (uint32_t)ids[i]);
    for (int j = 0; j < i && first; j++) first = ids[j] != ids[i];
    if (first) {
      int32_t n = rp_address(topologies[0], (uint32_t)ids[i], out, ROOM);
      printf("%s\"%.*s\"", comma, (int)n, (char *)out);
      comma = ",";
    }
  }
  printf("]}\n");
  free(ids);
  return 0;
}

static void load(const char *select, const char *open, const char *readpref) {
  int32_t n;
  for (int i = 0; i < opened; i++) rp_close(topologies[i]);
  if (preference) rp_close(preference);
  opened = 0;
  free(open_request), free(select_request), free(update_request);
  open_request = copy(open, strlen(open));
  select_request = copy(select, strlen(select));
  update_request = update_of(open);
  if ((n = open_topologies(1)) <= 0) {
    failed("rp_topology_open", n);
    return;
  }
  if ((n = rp_readpref_open(bytes(readpref), strlen(readpref), out, ROOM)) <= 0) {
    failed("rp_readpref_open", n);
    return;
  }
  preference = (uint32_t)n;
  if ((n = rp_call(bytes("select"), 6, bytes(select), strlen(select), out, ROOM)) <= 0) {
    failed("select", n);
    return;
  }
  int quotes = 0;
  out[n] = 0;
  const char *window = strstr((char *)out, "\"inLatencyWindow\":[");
  for (const char *c = window; c && *c && *c != ']'; c++) quotes += *c == '"';
  printf("{\"select\":%s", (char *)out);
  if ((n = print_picked(64 * quotes / 2)) < 0) failed("rp_select", n);
}

/* The works: each returns 0, or the status that ended it. */

struct picks {
  uint32_t topology;
  long n;
  int32_t status;
};

static void *pick(void *argument) {
  struct picks *p = argument;
  int32_t id = 0;
  for (long i = 0; i < p->n && id >= 0; i++) id = rp_select(p->topology, preference, RP_READ);
  p->status = id < 0 ? id : 0;
  return NULL;
}

static int32_t pick_on(long n, int threads, int own) {
  struct picks picks[MAX_THREADS];
  pthread_t running[MAX_THREADS];
  int32_t status = 0;
  if (threads < 1 || threads > MAX_THREADS) return RP_E_ARGUMENT;
  if (own && (status = open_topologies(threads)) <= 0) return status;
  status = 0;
  for (int i = 0; i < threads; i++) {
    picks[i].topology = topologies[own ? i : 0];
    picks[i].n = n;
    if (threads == 1)
      pick(&picks[i]);
    else if (pthread_create(&running[i], NULL, pick, &picks[i]) != 0)
      abort();
  }
  for (int i = 0; i < threads; i++) {
    if (threads > 1) pthread_join(running[i], NULL);
    if (picks[i].status < 0) status = picks[i].status;
  }
  return status;
}

static int32_t cold(long n) {
  int32_t id = 0;
  for (long i = 0; i < n && id >= 0; i++) id = rp_select_ex(topologies[0], preference, RP_READ, NULL, 0);
  return id < 0 ? id : 0;
}

static int32_t update(long n) {
  size_t length = strlen(update_request);
  for (long i = 0; i < n; i++) {
    int32_t r = rp_topology_update(topologies[0], bytes(update_request), length, out, ROOM);
    if (r == 0) r = rp_select(topologies[0], preference, RP_READ);
    if (r < 0) return r;
  }
  return 0;
}

static int32_t json(long n) {
  size_t length = strlen(select_request);
  int32_t r = 0;
  for (long i = 0; i < n && r >= 0; i++) r = rp_call(bytes("select"), 6, bytes(select_request), length, out, ROOM);
  return r < 0 ? r : 0;
}

static void run(const char *what, long n, int threads, int own) {
  int32_t status;
  if (strcmp(what, "pick") == 0)
    status = pick_on(n, threads, own);
  else if (strcmp(what, "cold") == 0)
    status = cold(n);
  else if (strcmp(what, "update") == 0)
    status = update(n);
  else if (strcmp(what, "json") == 0)
    status = json(n);
  else
    status = RP_E_UNKNOWN_METHOD;
  if (status < 0)
    failed(what, status);
  else
    printf("{\"done\":%ld}\n", n);
}

int main(void) {
  char *line = NULL;
  size_t size = 0;
  out = malloc(ROOM + 1);
  if (!out) return 1;
  while (getline(&line, &size, stdin) > 0) {
    char *words[5] = {NULL};
    int n = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *w = strtok(line, "\t"); w && n < 5; w = strtok(NULL, "\t")) words[n++] = w;
    if (n == 4 && strcmp(words[0], "load") == 0)
      load(words[1], words[2], words[3]);
    else if (n == 5 && strcmp(words[0], "run") == 0 && opened)
      run(words[1], atol(words[2]), atoi(words[3]), strcmp(words[4], "own") == 0);
    else
      printf("{\"error\":\"a line that is no request\"}\n");
    fflush(stdout);
  }
  free(line);
  return 0;
}
