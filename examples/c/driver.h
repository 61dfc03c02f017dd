/*
 * A small single-threaded MongoDB driver on readpref. readpref knows what the replies mean, where an operation goes and what
 * it carries; the driver opens sockets, keeps time and does what the effects say. POSIX, with libbson.
 *
 * driver_open, and for each operation choose and attempt. scan is the heartbeat.
 */
#ifndef EXAMPLES_DRIVER_H
#define EXAMPLES_DRIVER_H

#include <time.h>

#include "connection.h"
#include "documents.h"

enum { HEARTBEAT_MS = 60000, MIN_HEARTBEAT_MS = 500, SELECTION_TIMEOUT_MS = 3000, MAX_SERVERS = 64, MAX_ADDRESS = 300 };

static struct server {
  char address[MAX_ADDRESS]; /* empty: a free place */
  int socket;                /* -1: not connected */
  int due;                   /* to be checked as soon as possible */
} servers[MAX_SERVERS];

static uint32_t topology;
static double last_scan_ms = -1e9;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct server *server_of(const char *address) {
  int i;
  for (i = 0; i < MAX_SERVERS; i++)
    if (strcmp(servers[i].address, address) == 0) return &servers[i];
  return NULL;
}

static void disconnect(struct server *s) {
  if (s->socket >= 0) close(s->socket);
  s->socket = -1;
}

/* do_effect: something that readpref wants done. cancelCheck means nothing with one thread, nor does poolReady to this driver. */
static void do_effect(const char *effect, const char *address) {
  struct server *s = server_of(address);
  if (strcmp(effect, "startMonitor") == 0) {
    s = server_of("");
    if (s == NULL || strlen(address) >= sizeof s->address) abort();
    strcpy(s->address, address);
    s->socket = -1;
    s->due = 1;
  } else if (s != NULL) {
    if (strcmp(effect, "requestCheck") == 0) s->due = 1;
    if (strcmp(effect, "poolClear") == 0 || strcmp(effect, "stopMonitor") == 0) disconnect(s);
    if (strcmp(effect, "stopMonitor") == 0) s->address[0] = '\0';
  }
}

/* apply: all that readpref wants done. A driver with listeners also tells them the events. */
static void apply(void) {
  int more = 1;
  while (more) {
    bson_t *b = answered(rp_topology_events(topology, answer, sizeof answer)), change;
    bson_iter_t list, i;
    const uint8_t *data;
    uint32_t len;
    bson_iter_init_find(&list, b, "events");
    bson_iter_recurse(&list, &i);
    while (bson_iter_next(&i)) {
      bson_iter_document(&i, &len, &data);
      bson_init_static(&change, data, len);
      if (*text(&change, "effect") != '\0') do_effect(text(&change, "effect"), text(&change, "address"));
    }
    more = number(b, "more") != 0;
    if (rp_topology_events_ack(topology, (uint32_t)number(b, "last")) != 0) abort();
    bson_destroy(b);
  }
}

/* run: a command on a server, over the one connection that this driver has to it; NULL with an errno. */
static bson_t *run(struct server *s, const bson_t *command, int *error) {
  bson_t *reply = NULL;
  if (s->socket < 0) s->socket = connect_to(s->address);
  if (s->socket >= 0) reply = run_command(s->socket, command);
  *error = errno;
  if (reply == NULL) disconnect(s);
  return reply;
}

static const char *kind_of(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == ETIMEDOUT || error == EINPROGRESS ? "networkTimeout" : "network";
}

/* check: asks a server how it is, and tells readpref what it said. */
static void check(struct server *s) {
  bson_t *command = BCON_NEW("hello", BCON_INT32(1), "$db", BCON_UTF8("admin"));
  double begun = now_ms(), ended;
  bson_t *reply, *in = BCON_NEW("address", BCON_UTF8(s->address));
  const char *json;
  size_t len;
  int error;
  s->due = 0;
  reply = run(s, command, &error);
  ended = now_ms();
  BSON_APPEND_INT64(in, "nowMS", (int64_t)ended);
  if (reply != NULL) {
    BSON_APPEND_DOCUMENT(in, "hello", reply);
    BSON_APPEND_DOUBLE(in, "roundTripTimeMS", ended - begun);
    bson_destroy(reply);
  } else {
    BSON_APPEND_UTF8(in, "errorKind", kind_of(error));
    BSON_APPEND_UTF8(in, "error", strerror(error));
  }
  json = json_of(in, &len);
  opened(rp_topology_hello(topology, (const uint8_t *)json, len, answer, sizeof answer));
  bson_destroy(command);
  apply();
}

/* scan: checks the servers that are due, or all; those that are found meanwhile, too. */
static void scan(int all) {
  int i, checked;
  for (i = 0; all && i < MAX_SERVERS; i++) servers[i].due = 1;
  do {
    for (i = checked = 0; i < MAX_SERVERS; i++) {
      if (servers[i].address[0] == '\0' || !servers[i].due) continue;
      check(&servers[i]);
      checked = 1;
    }
  } while (checked);
  if (all) last_scan_ms = now_ms();
}

/* choose: the id of the server for an operation, as soon as there is one, or a status. */
static int32_t choose(uint32_t preference, uint32_t operation) {
  double deadline = now_ms() + SELECTION_TIMEOUT_MS, wait;
  struct timespec pause = {0, 0};
  for (;;) {
    int32_t id;
    scan(now_ms() - last_scan_ms >= HEARTBEAT_MS);
    id = rp_select(topology, preference, operation | RP_CHECKOUT);
    if (id != RP_E_NO_SERVER || now_ms() >= deadline) return id;
    wait = last_scan_ms + MIN_HEARTBEAT_MS - now_ms();
    pause.tv_nsec = wait > 0 ? (long)(wait * 1e6) : 0;
    nanosleep(&pause, NULL);
    scan(1);
  }
}

/*
 * attempt: one try of an operation on the server that was chosen; address is set to its address. The reply, which the caller
 * destroys, or NULL where the server is lost. What a failure says of the server, readpref knows afterwards. The operation's
 * count is given back.
 */
static bson_t *attempt(uint32_t preference, int32_t id, uint32_t operation, const bson_t *command, char address[MAX_ADDRESS]) {
  const char *options = operation == RP_WRITE ? "{\"operation\":\"write\"}" : "{}", *json;
  bson_t *attached, *carrying = bson_copy(command), *reply, *in;
  struct server *s;
  bson_iter_t i;
  size_t len;
  int error, n = rp_address(topology, (uint32_t)id, (uint8_t *)address, MAX_ADDRESS - 1);
  if (n < 0 || n >= MAX_ADDRESS) abort();
  address[n] = '\0';
  s = server_of(address);
  if (s == NULL) abort(); /* a load balancer, which has no monitor: this driver is for the others */
  attached = answered(rp_command(topology, preference, (uint32_t)id, (const uint8_t *)options, strlen(options), answer, sizeof answer));
  if (bson_iter_init_find(&i, attached, "$readPreference") && BSON_ITER_HOLDS_DOCUMENT(&i)) bson_append_iter(carrying, NULL, 0, &i);
  reply = run(s, carrying, &error);
  rp_release(topology, (uint32_t)id);
  if (reply == NULL || number(reply, "ok") != 1) {
    in = BCON_NEW("address", address, "kind", reply != NULL ? "command" : kind_of(error));
    if (reply != NULL) BSON_APPEND_DOCUMENT(in, "reply", reply);
    json = json_of(in, &len);
    opened(rp_topology_error(topology, (const uint8_t *)json, len, answer, sizeof answer));
    apply();
  }
  bson_destroy(carrying);
  bson_destroy(attached);
  return reply;
}

/* retryable: whether the code is of a server that is not, or no longer, what it was. Retryable Reads specification, "Terms". */
static int retryable(int64_t code) {
  static const int64_t codes[] = {10107, 11600, 11602, 13435, 13436, 189, 91};
  size_t i;
  for (i = 0; i < sizeof codes / sizeof codes[0]; i++)
    if (codes[i] == code) return 1;
  return 0;
}

/* driver_open: begins to discover a deployment, from a document of rp_topology_open. */
static void driver_open(const char *document) {
  topology = opened(rp_topology_open((const uint8_t *)document, strlen(document), answer, sizeof answer));
  apply();
  scan(1);
}

static void driver_close(void) {
  opened(rp_topology_shutdown(topology, NULL, 0, answer, sizeof answer));
  apply();
  if (rp_close(topology) != 0) abort();
}

#endif
