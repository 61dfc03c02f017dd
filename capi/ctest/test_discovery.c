/*
 * The functions of discovered topologies: what a reply or an error changes, the events and effects that wait, and that what
 * is refused changes nothing. Both libraries give the same numbers and bytes, so these are written out.
 */
#include "handle_calls.h"

#define SEEDS "{\"seeds\":[\"a.example\",\"B.example:27017\"],\"replicaSet\":\"rs\",\"seed\":42}"
#define MEMBER(role) "\"hello\":{\"ok\":1," role ",\"setName\":\"rs\",\"hosts\":[\"a.example:27017\",\"b.example:27017\"],\"maxWireVersion\":25}"
#define PRIMARY_REPLY "{\"address\":\"A.EXAMPLE\"," MEMBER("\"isWritablePrimary\":true") ",\"roundTripTimeMS\":2,\"nowMS\":1000}"
#define SECONDARY_REPLY "{\"address\":\"b.example\"," MEMBER("\"secondary\":true") ",\"roundTripTimeMS\":3,\"nowMS\":1001}"
#define OPENING                                                                                                              \
  "{\"events\":[{\"sequence\":1,\"event\":\"topologyOpening\"},"                                                             \
  "{\"sequence\":2,\"event\":\"topologyDescriptionChanged\",\"previousDescription\":{\"type\":\"Unknown\",\"servers\":[],\"compatible\":true}," \
  "\"newDescription\":{\"type\":\"ReplicaSetNoPrimary\",\"setName\":\"rs\",\"servers\":[{\"address\":\"a.example:27017\",\"type\":\"Unknown\"}," \
  "{\"address\":\"b.example:27017\",\"type\":\"Unknown\"}],\"compatible\":true}},"                                          \
  "{\"sequence\":3,\"event\":\"serverOpening\",\"address\":\"a.example:27017\"},"                                           \
  "{\"sequence\":4,\"event\":\"serverOpening\",\"address\":\"b.example:27017\"},"                                           \
  "{\"sequence\":5,\"effect\":\"startMonitor\",\"address\":\"a.example:27017\"},"                                           \
  "{\"sequence\":6,\"effect\":\"startMonitor\",\"address\":\"b.example:27017\"}],\"last\":6,\"dropped\":0,\"more\":false}"
#define NOTHING "{\"events\":[],\"last\":0,\"dropped\":0,\"more\":false}"

/* open_set opens the two seeds and takes the opening events. */
static uint32_t open_set(void) {
  uint32_t t = must_open_topology(SEEDS);
  CHECK(rp_topology_events_ack(t, 6) == 0, "the opening events");
  return t;
}

static void opening(void) {
  uint32_t t = must_open_topology(SEEDS), nearest = must_open_readpref(NEAREST);
  const int32_t n = (int32_t)strlen(OPENING);
  uint8_t out[sizeof OPENING];
  CHECK(rp_select(t, nearest, RP_READ) == RP_E_NO_SERVER && rp_generation(t) == 1, "a server before any answered");
  CHECK(rp_topology_events(t, NULL, 0) == n, "the length");
  memset(out, 'x', sizeof out);
  CHECK(rp_topology_events(t, out, (size_t)n - 1) == n && out[0] == 'x', "a buffer that is too small by one byte");
  CHECK(rp_topology_events(t, out, (size_t)n) == n && memcmp(out, OPENING, (size_t)n) == 0 && out[n] == 'x', "a buffer that is large enough");
  CHECK(is_text(topology_events(t), OPENING), "nothing is forgotten by asking");
  CHECK(rp_topology_events_ack(t, 7) == RP_E_OUT_OF_RANGE && rp_topology_events_ack(t, 0xffffffff) == RP_E_OUT_OF_RANGE, "a number that was not given");
  CHECK(is_text(topology_events(t), OPENING), "and that changed nothing");
  CHECK(rp_topology_events_ack(t, 0) == 0 && is_text(topology_events(t), OPENING), "none");
  CHECK(rp_topology_events_ack(t, 6) == 0 && is_text(topology_events(t), NOTHING), "all");
  CHECK(rp_topology_events_ack(t, 6) == 0 && rp_topology_events_ack(t, 1) == 0, "twice");
  CHECK(rp_topology_events(t, NULL, 5) < 0, "NULL with a length");
  must_close(t), must_close(nearest);
}

static void replies(void) {
  uint32_t t = open_set(), nearest = must_open_readpref(NEAREST), secondary = must_open_readpref(SECONDARY_ONLY);
  CHECK(topology_hello(t, PRIMARY_REPLY) == 0 && rp_generation(t) == 2, "%s", handles_text);
  CHECK(rp_select(t, nearest, RP_WRITE) == 0 && rp_select(t, secondary, RP_READ) == RP_E_NO_SERVER, "a is the primary, b has not answered");
  CHECK(topology_hello(t, SECONDARY_REPLY) == 0 && rp_select(t, secondary, RP_READ) == 1, "b is a secondary");
  CHECK(topology_hello(t, "{\"address\":\"c.example\",\"hello\":{}}") == 0 && rp_generation(t) == 3, "a server that is not there");
  CHECK(topology_hello(t, "{\"address\":\"a.example\",\"roundTripTimeMS\":7}") == 0 && rp_generation(t) == 4, "a probe");
  CHECK(topology_describe(t) > 0 && strstr(handles_text, "\"roundTripTimeMS\":3,\"minRoundTripTimeMS\":2,") != NULL, "(7 + 4 * 2) / 5: %s", handles_text);
  CHECK(topology_hello(t, "{\"address\":\"a.example\",\"error\":\"timed out\",\"errorKind\":\"networkTimeout\"}") == 0, "%s", handles_text);
  CHECK(rp_select(t, nearest, RP_WRITE) == RP_E_NO_SERVER && rp_select(t, nearest, RP_READ) == 1, "the primary failed");
  CHECK(topology_events(t) > 0 && strstr(handles_text, "\"effect\":\"poolClear\",\"address\":\"a.example:27017\",\"interruptInUse\":true,\"generation\":1}") != NULL, "%s", handles_text);
  CHECK(strstr(handles_text, "\"effect\":\"requestCheck\",\"address\":\"a.example:27017\"}") != NULL, "%s", handles_text);
  must_close(t), must_close(nearest), must_close(secondary);
}

static void errors(void) {
  uint32_t t = open_set(), nearest = must_open_readpref(NEAREST);
  CHECK(topology_hello(t, PRIMARY_REPLY) == 0, "%s", handles_text);
  CHECK(topology_error(t, "{\"address\":\"a.example\",\"kind\":\"networkTimeout\"}") == 0 && rp_generation(t) == 2, "a slow operation");
  CHECK(topology_error(t, "{\"address\":\"a.example\",\"kind\":\"network\",\"stage\":\"connectAndHello\",\"labels\":[\"SystemOverloadedError\"]}") == 0 && rp_generation(t) == 2, "overloaded");
  CHECK(topology_error(t, "{\"address\":\"a.example\",\"kind\":\"command\",\"generation\":0,\"reply\":{\"ok\":0,\"code\":10107,\"errmsg\":\"not primary\",\"x\":1}}") == 0 && rp_generation(t) == 3, "not primary: %s", handles_text);
  CHECK(rp_select(t, nearest, RP_WRITE) == RP_E_NO_SERVER, "the primary stepped down");
  CHECK(topology_hello(t, PRIMARY_REPLY) == 0 && topology_error(t, "{\"address\":\"a.example\",\"kind\":\"network\",\"generation\":0}") == 0 && rp_generation(t) == 5, "a connection broke");
  CHECK(topology_hello(t, PRIMARY_REPLY) == 0 && topology_error(t, "{\"address\":\"a.example\",\"kind\":\"network\",\"generation\":0}") == 0 && rp_generation(t) == 6, "another one of the same pool");
  must_close(t), must_close(nearest);
}

/* What is refused: the documents, and that all stays as it was. */
static void refusals(void) {
  static const struct {
    int32_t (*call)(uint32_t, const char *);
    const char *in, *code;
    int status;
    const char *path;
  } bad[] = {
      {topology_hello, "", "invalidJSON", RP_E_INVALID_JSON, ""},
      {topology_hello, "{}", "missingKey", RP_E_MISSING_KEY, "address"},
      {topology_hello, "{\"address\":\"a.example\"}", "missingKey", RP_E_MISSING_KEY, "hello"},
      {topology_hello, "{\"topology\":1,\"address\":\"a.example\",\"hello\":{}}", "unknownKey", RP_E_UNKNOWN_KEY, "topology"},
      {topology_hello, "{\"address\":\"a.example\",\"hello\":{\"ok\":1,\"setName\":[]}}", "wrongType", RP_E_WRONG_TYPE, "hello.setName"},
      {topology_hello, "{\"address\":\"a.example\",\"hello\":{},\"roundTripTimeMS\":-1}", "outOfRange", RP_E_OUT_OF_RANGE, "roundTripTimeMS"},
      {topology_hello, "{\"address\":\"a.example\",\"hello\":{},\"roundTripTimeMS\":NaN}", "invalidJSON", RP_E_INVALID_JSON, "roundTripTimeMS"},
      {topology_hello, "{\"address\":\"a.example\",\"hello\":{},\"errorKind\":\"slow\"}", "unknownValue", RP_E_UNKNOWN_VALUE, "errorKind"},
      {topology_hello, "{\"address\":\"a.example\"," MEMBER("\"secondary\":true") ",\"error\":\"x\"}", "unknownKey", RP_E_UNKNOWN_KEY, "error"},
      {topology_hello, "{\"address\":\"\",\"hello\":{}}", "outOfRange", RP_E_OUT_OF_RANGE, "address"},
      {topology_error, "{\"address\":\"a.example\"}", "missingKey", RP_E_MISSING_KEY, "kind"},
      {topology_error, "{\"address\":\"a.example\",\"kind\":\"network\",\"reply\":{}}", "unknownKey", RP_E_UNKNOWN_KEY, "reply"},
      {topology_error, "{\"address\":\"a.example\",\"kind\":\"network\",\"generation\":-1}", "outOfRange", RP_E_OUT_OF_RANGE, "generation"},
      {topology_error, "{\"address\":\"a.example\",\"kind\":\"network\",\"stage\":\"hello\"}", "unknownValue", RP_E_UNKNOWN_VALUE, "stage"},
      {topology_srv, "{\"srv\":[]}", "argument", RP_E_ARGUMENT, "topology"},
      {topology_srv, "{}", "missingKey", RP_E_MISSING_KEY, "srv"},
      {topology_update, "{\"topology\":{\"servers\":[]}}", "argument", RP_E_ARGUMENT, "topology"},
      {topology_shutdown, "{\"topology\":1}", "unknownKey", RP_E_UNKNOWN_KEY, "topology"},
  };
  uint32_t t = open_set();
  char before[2048];
  static uint8_t small[RP_MIN_BUFFER];
  size_t i, cap;
  CHECK(topology_describe(t) > 0, "%s", handles_text);
  strcpy(before, handles_text);
  for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK(is_error(bad[i].call(t, bad[i].in), bad[i].code, bad[i].status, bad[i].path), "%s", bad[i].in);
  }
  for (cap = 0; cap < RP_MIN_BUFFER; cap += 1365) {
    CHECK(rp_topology_hello(t, BYTES(PRIMARY_REPLY), small, cap) < 0, "a buffer of %lu bytes", (unsigned long)cap);
    CHECK(rp_topology_error(t, BYTES("{\"address\":\"a.example\",\"kind\":\"network\"}"), small, cap) < 0, "a buffer of %lu bytes", (unsigned long)cap);
    CHECK(rp_topology_shutdown(t, NULL, 0, small, cap) < 0, "a buffer of %lu bytes", (unsigned long)cap);
    CHECK(rp_topology_srv(t, BYTES("{\"srv\":[]}"), small, cap) < 0, "a buffer of %lu bytes", (unsigned long)cap);
  }
  CHECK(rp_topology_hello(t, NULL, 9, ROOM) < 0 && rp_topology_hello(t, BYTES(PRIMARY_REPLY), NULL, RP_MIN_BUFFER) < 0, "NULL with a length");
  CHECK(is_error(handles_keep(rp_topology_hello(t, (const uint8_t *)"{", (size_t)RP_MAX_DOCUMENT + 1, ROOM), 1), "documentTooLarge", RP_E_DOCUMENT_TOO_LARGE, ""), "a length over the limit is not read");
  CHECK(rp_generation(t) == 1 && is_text(topology_describe(t), before) && is_text(topology_events(t), NOTHING), "something was done");
  must_close(t);
}

/* On a topology whose description the host gives, and on handles that are not open. */
static void other_handles(void) {
  uint32_t given = must_open_topology("{\"topology\":{\"servers\":[]}}"), p = must_open_readpref(NEAREST), stale = open_set(), bad[4];
  size_t i;
  CHECK(is_error(topology_hello(given, PRIMARY_REPLY), "argument", RP_E_ARGUMENT, "topology"), "hello");
  CHECK(is_error(topology_error(given, "{"), "argument", RP_E_ARGUMENT, "topology"), "error");
  CHECK(is_error(topology_srv(given, "{\"srv\":[]}"), "argument", RP_E_ARGUMENT, "topology"), "srv");
  CHECK(is_error(topology_shutdown(given, ""), "argument", RP_E_ARGUMENT, "topology"), "shutdown");
  CHECK(is_error(topology_events(given), "argument", RP_E_ARGUMENT, "topology"), "events");
  CHECK(rp_topology_events_ack(given, 0) == RP_E_ARGUMENT, "events_ack");
  must_close(stale);
  bad[0] = 0, bad[1] = p, bad[2] = stale, bad[3] = 0xffffffff;
  for (i = 0; i < 4; i++) {
    CHECK(is_error(topology_hello(bad[i], PRIMARY_REPLY), "handle", RP_E_HANDLE, "topology"), "hello %lu", (unsigned long)i);
    CHECK(is_error(topology_error(bad[i], "{"), "handle", RP_E_HANDLE, "topology"), "error %lu", (unsigned long)i);
    CHECK(is_error(topology_srv(bad[i], "{}"), "handle", RP_E_HANDLE, "topology"), "srv %lu", (unsigned long)i);
    CHECK(is_error(topology_shutdown(bad[i], "{}"), "handle", RP_E_HANDLE, "topology"), "shutdown %lu", (unsigned long)i);
    CHECK(is_error(topology_events(bad[i]), "handle", RP_E_HANDLE, "topology"), "events %lu", (unsigned long)i);
    CHECK(rp_topology_events_ack(bad[i], 0) == RP_E_HANDLE, "events_ack %lu", (unsigned long)i);
    CHECK(is_error(command(bad[i], p, 0, ""), "handle", RP_E_HANDLE, "topology"), "command %lu", (unsigned long)i);
  }
  must_close(given), must_close(p);
}

static void shutdown_and_close(void) {
  uint32_t t = open_set(), nearest = must_open_readpref(NEAREST);
  CHECK(topology_hello(t, PRIMARY_REPLY) == 0 && topology_shutdown(t, "{}") == 0 && rp_generation(t) == 3, "%s", handles_text);
  CHECK(topology_shutdown(t, "") == 0 && rp_generation(t) == 3, "twice");
  CHECK(topology_hello(t, PRIMARY_REPLY) == 0 && topology_error(t, "{\"address\":\"a.example\",\"kind\":\"network\"}") == 0 && rp_generation(t) == 3, "accepted");
  CHECK(rp_select(t, nearest, RP_READ) == RP_E_NO_SERVER, "a server");
  CHECK(topology_events(t) > 0 && strstr(handles_text, "\"event\":\"topologyClosed\"}") != NULL && strstr(handles_text, "\"effect\":\"stopMonitor\",\"address\":\"b.example:27017\"}") != NULL, "%s", handles_text);
  must_close(t), must_close(nearest);
}

/* What describe tells goes on where this one stopped. */
static void described_and_opened(void) {
  uint32_t t = open_set(), again;
  char first[2048];
  CHECK(topology_hello(t, PRIMARY_REPLY) == 0 && topology_hello(t, SECONDARY_REPLY) == 0, "%s", handles_text);
  CHECK(topology_error(t, "{\"address\":\"b.example\",\"kind\":\"network\"}") == 0 && topology_describe(t) > 0, "%s", handles_text);
  strcpy(first, handles_text);
  CHECK(strstr(first, "\"pools\":[{\"address\":\"a.example:27017\",\"generation\":0},{\"address\":\"b.example:27017\",\"generation\":1}]}") != NULL, "%s", first);
  again = must_open_topology(first);
  CHECK(is_text(topology_describe(again), first), "the same");
  CHECK(topology_error(again, "{\"address\":\"b.example\",\"kind\":\"network\",\"generation\":0}") == 0 && rp_generation(again) == 1, "a connection of before the restart");
  must_close(t), must_close(again);
}

static void uris(void) {
  uint32_t t = must_open_topology("{\"uri\":\"mongodb+srv://cluster.shop.example/\",\"srv\":[{\"target\":\"m1.shop.example\",\"port\":27017,\"ttlSeconds\":90}]}");
  CHECK(topology_events(t) > 0 && strstr(handles_text, "\"effect\":\"scanSRV\",\"afterMS\":90000}") != NULL, "%s", handles_text);
  CHECK(topology_srv(t, "{\"srv\":[{\"target\":\"m2.shop.example\",\"port\":27017}]}") == 0 && rp_generation(t) == 2, "%s", handles_text);
  CHECK(topology_describe(t) > 0 && strstr(handles_text, "\"servers\":[{\"address\":\"m2.shop.example:27017\",\"type\":\"Unknown\"}]") != NULL, "%s", handles_text);
  must_close(t);
  CHECK(is_error(topology_open("{\"uri\":\"mongodb://a:b@c\",\"seeds\":[\"a\"]}"), "unknownKey", RP_E_UNKNOWN_KEY, "seeds"), "two forms");
  CHECK(is_error(topology_open("{\"uri\":\"mongo://a\"}"), "invalidURI", RP_E_INVALID_URI, "uri"), "no connection string");
  CHECK(is_error(topology_open("{\"uri\":\"mongodb+srv://cluster.shop.example/\"}"), "missingKey", RP_E_MISSING_KEY, "srv"), "no answer of DNS");
}

static void commands(void) {
  uint32_t direct = must_open_topology("{\"seeds\":[\"b.example\"],\"directConnection\":true}"), primary = must_open_readpref(PRIMARY_ONLY), secondary = must_open_readpref(SECONDARY_ONLY);
  CHECK(topology_hello(direct, SECONDARY_REPLY) == 0 && rp_select(direct, primary, RP_READ) == 0, "%s", handles_text);
  CHECK(is_text(command(direct, primary, 0, ""), "{\"$readPreference\":{\"mode\":\"primaryPreferred\"}}"), "a direct connection");
  CHECK(is_text(command(direct, secondary, 0, "{\"operation\":\"write\"}"), "{\"$readPreference\":null}"), "a write");
  CHECK(is_text(command(direct, secondary, 0, "{\"opcode\":\"OP_QUERY\"}"), "{\"$readPreference\":null,\"secondaryOk\":true}"), "OP_QUERY");
  CHECK(is_error(command(direct, secondary, 1, ""), "argument", RP_E_ARGUMENT, "id") && is_error(command(direct, secondary, 0xffffffff, ""), "argument", RP_E_ARGUMENT, "id"), "an unknown id");
  CHECK(is_error(command(direct, direct, 0, ""), "handle", RP_E_HANDLE, "readPreference"), "no preference");
  CHECK(is_error(command(direct, secondary, 0, "{\"id\":0}"), "unknownKey", RP_E_UNKNOWN_KEY, "id"), "a key that is an argument");
  CHECK(rp_command(direct, secondary, 0, NULL, 0, NULL, 0) == (int32_t)strlen("{\"$readPreference\":{\"mode\":\"secondary\"}}"), "the length");
  must_close(direct), must_close(primary), must_close(secondary);
}

/* The methods of rp_call, among handles that come from the functions. */
static void twins(void) {
  uint32_t t = open_set();
  char in[512];
  sprintf(in, "{\"topology\":%u,%s", t, &PRIMARY_REPLY[1]);
  CHECK(is_text(call("topology.hello", in),
                "{\"generation\":2,\"accepted\":true,\"server\":{\"address\":\"a.example:27017\",\"type\":\"RSPrimary\",\"roundTripTimeMS\":2,\"minRoundTripTimeMS\":0,"
                "\"lastUpdateTimeMS\":1000,\"minWireVersion\":0,\"maxWireVersion\":25,\"setName\":\"rs\",\"hosts\":[\"a.example:27017\",\"b.example:27017\"]}}"), "hello");
  CHECK(rp_call(BYTES("topology.hello"), BYTES(in), NULL, 0) < 0 && rp_generation(t) == 2, "hello without room for an error");
  sprintf(in, "{\"topology\":%u,\"address\":\"a.example\",\"kind\":\"network\"}", t);
  CHECK(is_text(call("topology.error", in), "{\"generation\":3,\"accepted\":true,\"deprioritize\":false}"), "error");
  sprintf(in, "{\"topology\":%u}", t);
  CHECK(is_text(call("topology.shutdown", in), "{\"generation\":4}"), "shutdown");
  CHECK(call("topology.events", in) == rp_topology_events(t, NULL, 0) && strncmp(handles_text, "{\"events\":[{\"sequence\":7,", 25) == 0, "%s", handles_text);
  sprintf(in, "{\"topology\":%u,\"upto\":{\"$numberLong\":\"7\"}}", t);
  CHECK(is_text(call("topology.events_ack", in), "{}"), "events_ack");
  CHECK(topology_events(t) > 0 && strncmp(handles_text, "{\"events\":[{\"sequence\":8,", 25) == 0, "%s", handles_text);
  sprintf(in, "{\"topology\":%u,\"srv\":[]}", t);
  CHECK(is_error(call("topology.srv", in), "argument", RP_E_ARGUMENT, "topology"), "srv");
  must_close(t);
}

/* 10,000 hosts in one reply: more changes than one answer holds, and none is lost but the oldest events. */
static void many_hosts(void) {
  enum { HOSTS = 10000 };
  char *in = malloc(HOSTS * 32 + 512), *at;
  uint32_t t = open_set(), last = 0, starts = 0, answers = 0;
  uint8_t *out = malloc(6 << 20);
  int32_t n;
  int i;
  CHECK(in != NULL && out != NULL, "no memory");
  at = in + sprintf(in, "{\"address\":\"a.example\",\"hello\":{\"ok\":1,\"setName\":\"rs\",\"isWritablePrimary\":true,\"maxWireVersion\":25,\"hosts\":[\"a.example:27017\"");
  for (i = 0; i < HOSTS; i++) at += sprintf(at, ",\"host-%d.example:27017\"", i);
  at += sprintf(at, "]}}");
  CHECK(rp_topology_hello(t, (const uint8_t *)in, (size_t)(at - in), ROOM) == 0 && rp_generation(t) == 2, "%.300s", handles_text);
  for (;;) {
    const char *found;
    n = rp_topology_events(t, out, 6 << 20);
    if (n <= 0 || n >= 6 << 20) break;
    out[n] = 0;
    for (found = (char *)out; (found = strstr(found, "\"effect\":\"startMonitor\"")) != NULL; found++) starts++;
    found = strstr((char *)out + (n < 100 ? 0 : n - 100), "\"last\":");
    last = found == NULL ? 0 : (uint32_t)strtoul(found + 7, NULL, 10);
    if (last == 0) break;
    answers++;
    CHECK(rp_topology_events_ack(t, last) == 0, "acknowledge %lu", (unsigned long)last);
  }
  CHECK(starts == HOSTS && answers > 0 && n > 0, "%lu monitors to start, %lu answers, %ld", (unsigned long)starts, (unsigned long)answers, (long)n);
  free(in), free(out);
  must_close(t);
}

int main(void) {
  static const check_test tests[] = {
      {"the opening events", opening},
      {"replies", replies},
      {"errors of operations", errors},
      {"what is refused changes nothing", refusals},
      {"other handles", other_handles},
      {"shutdown", shutdown_and_close},
      {"a description opens a topology that goes on", described_and_opened},
      {"connection strings", uris},
      {"what a command carries", commands},
      {"the methods of rp_call", twins},
      {"10,000 hosts in one reply", many_hosts},
  };
  return check_main(tests, sizeof tests / sizeof tests[0]);
}
