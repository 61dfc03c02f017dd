/* What shim.c hands to Go, seen by functions of our own in Go's place; and that it hands nothing over in a forked child. */
#define _POSIX_C_SOURCE 200809L
#include "../shim.c"

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* The last call: its numbers, then its pointers with lengths, in the order of the parameters. */
static uint64_t number[3];
static void *pointer[3];
static size_t length[3];
static int calls;

static int32_t note(uint64_t a, uint64_t b, uint64_t c, void *p, size_t p_len, void *q, size_t q_len, void *r, size_t r_len) {
  number[0] = a;
  number[1] = b;
  number[2] = c;
  pointer[0] = p;
  length[0] = p_len;
  pointer[1] = q;
  length[1] = q_len;
  pointer[2] = r;
  length[2] = r_len;
  return -42 - calls++;
}

int32_t goRpCall(void *method, size_t method_len, void *in, size_t in_len, void *out, size_t cap) {
  return note(0, 0, 0, method, method_len, in, in_len, out, cap);
}
int32_t goRpTopologyOpen(void *in, size_t in_len, void *out, size_t cap) {
  return note(0, 0, 0, in, in_len, out, cap, NULL, 0);
}
int32_t goRpTopologyUpdate(uint32_t topology, void *in, size_t in_len, void *out, size_t cap) {
  return note(topology, 0, 0, in, in_len, out, cap, NULL, 0);
}
int32_t goRpTopologyDescribe(uint32_t topology, void *out, size_t cap) {
  return note(topology, 0, 0, out, cap, NULL, 0, NULL, 0);
}
int32_t goRpTopologyHello(uint32_t topology, void *in, size_t in_len, void *out, size_t cap) {
  return note(topology, 0, 0, in, in_len, out, cap, NULL, 0);
}
int32_t goRpTopologyError(uint32_t topology, void *in, size_t in_len, void *out, size_t cap) {
  return note(topology, 0, 0, in, in_len, out, cap, NULL, 0);
}
int32_t goRpTopologySRV(uint32_t topology, void *in, size_t in_len, void *out, size_t cap) {
  return note(topology, 0, 0, in, in_len, out, cap, NULL, 0);
}
int32_t goRpTopologyShutdown(uint32_t topology, void *in, size_t in_len, void *out, size_t cap) {
  return note(topology, 0, 0, in, in_len, out, cap, NULL, 0);
}
int32_t goRpTopologyEvents(uint32_t topology, void *out, size_t cap) {
  return note(topology, 0, 0, out, cap, NULL, 0, NULL, 0);
}
int32_t goRpTopologyEventsAck(uint32_t topology, uint32_t upto) {
  return note(topology, upto, 0, NULL, 0, NULL, 0, NULL, 0);
}
int32_t goRpReadprefOpen(void *in, size_t in_len, void *out, size_t cap) {
  return note(0, 0, 0, in, in_len, out, cap, NULL, 0);
}
int32_t goRpSelect(uint32_t topology, uint32_t preference, uint32_t flags) {
  return note(topology, preference, flags, NULL, 0, NULL, 0, NULL, 0);
}
int32_t goRpSelectEx(uint32_t topology, uint32_t preference, uint32_t flags, void *in, size_t in_len) {
  return note(topology, preference, flags, in, in_len, NULL, 0, NULL, 0);
}
int32_t goRpSelectBatch(uint32_t topology, uint32_t preference, uint32_t flags, void *ids, uint32_t n) {
  return note(topology, preference, flags, ids, n, NULL, 0, NULL, 0);
}
int32_t goRpExplain(uint32_t topology, uint32_t preference, void *in, size_t in_len, void *out, size_t cap) {
  return note(topology, preference, 0, in, in_len, out, cap, NULL, 0);
}
int32_t goRpCommand(uint32_t topology, uint32_t preference, uint32_t id, void *in, size_t in_len, void *out, size_t cap) {
  return note(topology, preference, id, in, in_len, out, cap, NULL, 0);
}
int32_t goRpAddress(uint32_t topology, uint32_t id, void *out, size_t cap) {
  return note(topology, id, 0, out, cap, NULL, 0, NULL, 0);
}
int32_t goRpRelease(uint32_t topology, uint32_t id) {
  return note(topology, id, 0, NULL, 0, NULL, 0, NULL, 0);
}
uint32_t goRpGeneration(uint32_t topology) {
  return (uint32_t)note(topology, 0, 0, NULL, 0, NULL, 0, NULL, 0);
}
int32_t goRpClose(uint32_t handle) {
  return note(handle, 0, 0, NULL, 0, NULL, 0, NULL, 0);
}

enum { FUNCTIONS = 20 };

/* Every function once, with pointers p and these lengths; the results of those with a document first, of rp_generation last but one. */
static void call_all(uint8_t *p, size_t n, int32_t result[FUNCTIONS]) {
  int i = 0;
  result[i++] = rp_call(p, n, p, n, p, n);
  result[i++] = rp_topology_open(p, n, p, n);
  result[i++] = rp_topology_update(1, p, n, p, n);
  result[i++] = rp_topology_describe(1, p, n);
  result[i++] = rp_topology_hello(1, p, n, p, n);
  result[i++] = rp_topology_error(1, p, n, p, n);
  result[i++] = rp_topology_srv(1, p, n, p, n);
  result[i++] = rp_topology_shutdown(1, p, n, p, n);
  result[i++] = rp_topology_events(1, p, n);
  result[i++] = rp_readpref_open(p, n, p, n);
  result[i++] = rp_explain(1, 2, p, n, p, n);
  result[i++] = rp_command(1, 2, 3, p, n, p, n); /* the last with a document */
  result[i++] = rp_topology_events_ack(1, 2);
  result[i++] = rp_select(1, 2, 3);
  result[i++] = rp_select_ex(1, 2, 3, p, n);
  result[i++] = rp_select_batch(1, 2, 3, (int32_t *)(void *)p, (uint32_t)n);
  result[i++] = rp_address(1, 2, p, n);
  result[i++] = rp_release(1, 2);
  result[i++] = (int32_t)rp_generation(1);
  result[i++] = rp_close(1);
}

static void arguments_pass(void) {
  static const uint8_t method[] = "m", in[] = "in";
  static int32_t ids[4];
  uint8_t out[3];
#define IS(i, p, n) CHECK(pointer[i] == (void *)(uintptr_t)(p) && length[i] == (n), "pointer " #i)
#define ARE(a, b, c) CHECK(number[0] == (a) && number[1] == (b) && number[2] == (c), "numbers")
  calls = 0;
  CHECK(rp_call(method, 1, in, 2, out, 3) == -42, "another result");
  IS(0, method, 1);
  IS(1, in, 2);
  IS(2, out, 3);
  CHECK(rp_call(NULL, 1, NULL, SIZE_MAX, NULL, 3) == -43, "another result");
  IS(0, NULL, 1);
  IS(1, NULL, SIZE_MAX);
  IS(2, NULL, 3);
  CHECK(rp_topology_open(in, 2, out, 3) == -44, "another result");
  IS(0, in, 2);
  IS(1, out, 3);
  CHECK(rp_topology_update(7, in, 2, out, 3) == -45, "another result");
  ARE(7, 0, 0);
  IS(0, in, 2);
  IS(1, out, 3);
  CHECK(rp_topology_describe(8, out, 3) == -46, "another result");
  ARE(8, 0, 0);
  IS(0, out, 3);
  CHECK(rp_readpref_open(in, 2, out, 3) == -47, "another result");
  IS(0, in, 2);
  IS(1, out, 3);
  CHECK(rp_select(1, 2, 4) == -48, "another result");
  ARE(1, 2, 4);
  CHECK(rp_select_ex(2, 3, 5, in, 2) == -49, "another result");
  ARE(2, 3, 5);
  IS(0, in, 2);
  CHECK(rp_select_batch(3, 4, 6, ids, 4) == -50, "another result");
  ARE(3, 4, 6);
  IS(0, ids, 4);
  CHECK(rp_explain(4, 5, in, 2, out, 3) == -51, "another result");
  ARE(4, 5, 0);
  IS(0, in, 2);
  IS(1, out, 3);
  CHECK(rp_address(5, 6, out, 3) == -52, "another result");
  ARE(5, 6, 0);
  IS(0, out, 3);
  CHECK(rp_release(6, 7) == -53, "another result");
  ARE(6, 7, 0);
  CHECK((int32_t)rp_generation(8) == -54, "another result");
  ARE(8, 0, 0);
  CHECK(rp_close(9) == -55, "another result");
  ARE(9, 0, 0);
  CHECK(rp_topology_hello(10, in, 2, out, 3) == -56, "another result");
  ARE(10, 0, 0);
  IS(0, in, 2);
  IS(1, out, 3);
  CHECK(rp_topology_error(11, in, 2, out, 3) == -57, "another result");
  ARE(11, 0, 0);
  IS(0, in, 2);
  IS(1, out, 3);
  CHECK(rp_topology_srv(12, in, 2, out, 3) == -58, "another result");
  ARE(12, 0, 0);
  IS(0, in, 2);
  IS(1, out, 3);
  CHECK(rp_topology_shutdown(13, in, 2, out, 3) == -59, "another result");
  ARE(13, 0, 0);
  IS(0, in, 2);
  IS(1, out, 3);
  CHECK(rp_topology_events(14, out, 3) == -60, "another result");
  ARE(14, 0, 0);
  IS(0, out, 3);
  CHECK(rp_topology_events_ack(15, 16) == -61, "another result");
  ARE(15, 16, 0);
  CHECK(rp_command(17, 18, 19, in, 2, out, 3) == -62, "another result");
  ARE(17, 18, 19);
  IS(0, in, 2);
  IS(1, out, 3);
}

/* Go ends the process where its stack grows while it holds such a pointer, which it does by chance. */
static void length_0_is_null(void) {
  uint8_t *one = (uint8_t *)(uintptr_t)1; /* Rust's empty slice */
  int32_t result[FUNCTIONS];
  rp_call(one, 0, one, 0, one, 0);
  CHECK(pointer[0] == NULL && pointer[1] == NULL && pointer[2] == NULL, "rp_call");
  rp_topology_open(one, 0, one, 0);
  CHECK(pointer[0] == NULL && pointer[1] == NULL, "rp_topology_open");
  rp_topology_update(1, one, 0, one, 0);
  CHECK(pointer[0] == NULL && pointer[1] == NULL, "rp_topology_update");
  rp_topology_describe(1, one, 0);
  CHECK(pointer[0] == NULL, "rp_topology_describe");
  rp_topology_hello(1, one, 0, one, 0);
  CHECK(pointer[0] == NULL && pointer[1] == NULL, "rp_topology_hello");
  rp_topology_error(1, one, 0, one, 0);
  CHECK(pointer[0] == NULL && pointer[1] == NULL, "rp_topology_error");
  rp_topology_srv(1, one, 0, one, 0);
  CHECK(pointer[0] == NULL && pointer[1] == NULL, "rp_topology_srv");
  rp_topology_shutdown(1, one, 0, one, 0);
  CHECK(pointer[0] == NULL && pointer[1] == NULL, "rp_topology_shutdown");
  rp_topology_events(1, one, 0);
  CHECK(pointer[0] == NULL, "rp_topology_events");
  rp_command(1, 2, 3, one, 0, one, 0);
  CHECK(pointer[0] == NULL && pointer[1] == NULL, "rp_command");
  rp_readpref_open(one, 0, one, 0);
  CHECK(pointer[0] == NULL && pointer[1] == NULL, "rp_readpref_open");
  rp_select_ex(1, 2, 3, one, 0);
  CHECK(pointer[0] == NULL, "rp_select_ex");
  rp_select_batch(1, 2, 3, (int32_t *)(void *)one, 0);
  CHECK(pointer[0] == NULL, "rp_select_batch");
  rp_explain(1, 2, one, 0, one, 0);
  CHECK(pointer[0] == NULL && pointer[1] == NULL, "rp_explain");
  rp_address(1, 2, one, 0);
  CHECK(pointer[0] == NULL, "rp_address");
  call_all(one, 0, result);
}

/* In a child, and in its child: every function answers at once, and Go is not called. */
static int child_is_refused(int depth) {
  uint8_t out[512];
  int32_t result[FUNCTIONS];
  const int n = (int)sizeof forked_document - 1;
  int status, before = calls;
  pid_t child;
  memset(out, 'x', sizeof out);
  call_all(out, sizeof out, result);
  if (calls != before)
    return 1;
  for (int i = 0; i < FUNCTIONS; i++) {
    if (result[i] != (i <= 11 ? -n : i == FUNCTIONS - 2 ? 0 : RP_E_FORKED))
      return 2 + i;
  }
  if (memcmp(out, forked_document, (size_t)n) != 0 || out[n] != 'x')
    return 30;
  memset(out, 'x', sizeof out);
  if (rp_call(NULL, 0, NULL, 0, out, (size_t)n - 1) != -n || out[0] != 'x' || rp_call(NULL, 0, NULL, 0, NULL, 0) != -n)
    return 31;
  if (rp_abi_version() != RP_ABI_VERSION)
    return 32;
  if (depth == 0)
    return 0;
  child = fork();
  if (child == 0)
    _exit(child_is_refused(depth - 1));
  if (child < 0 || waitpid(child, &status, 0) != child)
    return 33;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 34;
}

static void children_are_refused(void) {
  uint8_t out[64];
  int status = -1, before;
  pid_t child = fork();
  if (child == 0)
    _exit(child_is_refused(1));
  CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status), "no child");
  CHECK(WEXITSTATUS(status) == 0, "a call in a child");
  before = calls;
  rp_call(out, 1, out, 1, out, sizeof out);
  CHECK(calls == before + 1, "the parent goes on");
}

int main(void) {
  static const check_test tests[] = {
      {"arguments reach Go as they came", arguments_pass},
      {"pointers of length 0 reach Go as NULL", length_0_is_null},
      {"in a forked child nothing reaches Go", children_are_refused},
  };
  return check_main(tests, sizeof tests / sizeof tests[0]);
}
