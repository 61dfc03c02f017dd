/*
 * A fault in the engine is an answer: RP_E_INTERNAL, and the next call works. Seen from outside, by a limit on the memory of
 * the process, and from inside, by instances that are spoiled in each way there is: of the test's own, and of topologies,
 * whose handle is closed by it.
 */
#define _GNU_SOURCE 1
#if !defined(_WIN32)
#include <sys/resource.h>
#endif

#include "calls.h"
#include "check.h"
#if !defined(_WIN32)
#include "child.h"
#endif
#include "error_document.h"
#include "instance.h"
#include "handles.h"
#include "snapshot.h"
#include "topologies.h"
#include "trap.h"

static const char INTERNAL[] = "{\"error\":{\"code\":\"internal\",\"status\":-6,\"message\":\"a fault inside readpref: ";

/* is_internal: an error document of ours, whole */
static int is_internal(const uint8_t *out, int32_t n, size_t cap, const char *about) {
  static const char end[] = "\",\"path\":\"\"}}";
  char text[2048];
  size_t len = (size_t)-(int64_t)n;
  if (n >= 0 || len > cap || len >= sizeof text) {
    fprintf(stderr, "answered %d\n", (int)n);
    return 0;
  }
  memcpy(text, out, len);
  text[len] = 0;
  if (strncmp(text, INTERNAL, strlen(INTERNAL)) == 0 && strcmp(text + len - strlen(end), end) == 0 && strstr(text, about) != NULL) return 1;
  fprintf(stderr, "%s\n", text);
  return 0;
}

#if !defined(_WIN32) /* which has no such limits */
static void limit_data(rlim_t bytes) {
  struct rlimit limit;
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = bytes;
  if (setrlimit(RLIMIT_DATA, &limit) != 0) abort();
}

/* In a child, since valgrind and sanitizers live badly under the limit. The document is so large that what it took is given
   back, and has to be found again each time. */
static int no_memory_work(void) {
  uint8_t out[4096];
  size_t len, i;
  int wrong = 0;
  char *large = many_servers(60000, &len);
  wrong += !select_is_right();
  for (i = 0; i < 3; i++) {
    int32_t n;
    limit_data(24 << 20);
    n = call_text("select", large, len, out, sizeof out);
    wrong += !is_internal(out, n, sizeof out, "out of memory");
    wrong += mixed_calls(20) != 0; /* the limit still holds: a new instance of the usual size fits below it */
    n = call_text("select", large, len, NULL, 0);
    wrong += n >= 0; /* nothing is written where nothing fits */
    limit_data(RLIM_INFINITY);
    wrong += !large_is_right(large, len);
    wrong += mixed_calls(20) != 0;
  }
  free(large);
  return wrong;
}

static void no_memory(void) {
  CHECK(child_wait(child_start(no_memory_work), 120) == CHILD_RIGHT, "see above");
}

/* Without memory from the start. */
static int no_start_work(void) {
  uint8_t out[4096];
  int32_t n;
  limit_data(1 << 20);
  n = call_text("select", SECONDARY, strlen(SECONDARY), out, sizeof out);
  if (!is_internal(out, n, sizeof out, "the engine could not start (out of memory)")) return 1;
  limit_data(RLIM_INFINITY);
  return (int)mixed_calls(20);
}

static void no_start(void) {
  CHECK(child_wait(child_start(no_start_work), 120) == CHILD_RIGHT, "see above");
}

/* A limit of address space below what an instance would reserve. */
static int little_space_work(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = 400 << 20;
  if (setrlimit(RLIMIT_AS, &limit) != 0) return 1;
  return (int)mixed_calls(20);
}

static void little_space(void) {
  CHECK(child_wait(child_start(little_space_work), 120) == CHILD_RIGHT, "calls under a limit of address space");
}

#endif

static readpref_snapshot snapshot;

static int call_instance(readpref_instance *i, const char *in, size_t in_len, uint8_t *out, size_t cap, int32_t *n) {
  const readpref_job job = {.function = READPREF_CALL, .method = (const uint8_t *)"select", .method_len = 6, .in = (const uint8_t *)in, .in_len = in_len, .out = out, .cap = cap};
  return readpref_instance_run(i, &job, n);
}

/* spoiled makes an instance, lets spoil have it, and expects a call to trap so; then that another one is right. */
static void spoiled(const char *what, void (*spoil)(readpref_instance *), const char *in, size_t in_len, int want, const char *text) {
  static readpref_instance i; /* too large for the stack's taste */
  uint8_t out[4096];
  int32_t n = 0;
  int trap;
  CHECK(readpref_snapshot_restore(&snapshot, &i), "%s: restore", what);
  spoil(&i);
  trap = call_instance(&i, in, in_len, out, sizeof out, &n);
  CHECK(trap == want, "%s: trap %d (%s), answer %d", what, trap, readpref_trap_text(trap), (int)n);
  n = readpref_error_document(readpref_trap_text(trap), i.host.text, i.host.text_len, out, sizeof out);
  CHECK(is_internal(out, n, sizeof out, text), "%s", what);
  readpref_instance_free(&i);
  CHECK(readpref_snapshot_restore(&snapshot, &i), "%s: restore again", what);
  trap = call_instance(&i, SECONDARY, strlen(SECONDARY), out, sizeof out, &n);
  CHECK(trap == WASM_RT_TRAP_NONE && n == (int32_t)strlen(SECONDARY_ANSWER) && memcmp(out, SECONDARY_ANSWER, (size_t)n) == 0, "%s: the next instance", what);
  readpref_instance_free(&i);
}

static void exhaust_depth(readpref_instance *i) {
  i->module.w2c_memory.depth = WASM_RT_MAX_CALL_STACK_DEPTH - 3;
}
static void cap_memory(readpref_instance *i) {
  i->module.w2c_memory.max_pages = i->module.w2c_memory.pages;
}
static void leave_memory(readpref_instance *i) {
  i->module.w2c_g0 = 0xfffffff0u; /* the stack pointer of the module */
}
static void wild_call(readpref_instance *i) {
  static wasm_rt_funcref_t none[1];
  i->module.w2c_T0.data = none;
  i->module.w2c_T0.size = 1;
}

static void traps(void) {
  static readpref_instance first;
  size_t len;
  char *large = many_servers(30000, &len);
  CHECK(readpref_instance_start(&first) == WASM_RT_TRAP_NONE, "start");
  CHECK(readpref_snapshot_take(&snapshot, &first), "snapshot");
  readpref_instance_free(&first);
  spoiled("call depth", exhaust_depth, SECONDARY, strlen(SECONDARY), WASM_RT_TRAP_EXHAUSTION, "calls nest too deep");
  spoiled("memory", cap_memory, large, len, WASM_RT_TRAP_UNREACHABLE, "out of memory");
  spoiled("out of bounds", leave_memory, SECONDARY, strlen(SECONDARY), WASM_RT_TRAP_OOB, "out of bounds memory access");
  spoiled("indirect call", wild_call, SECONDARY, strlen(SECONDARY), WASM_RT_TRAP_CALL_INDIRECT, "invalid indirect call");
  wasm_rt_free_funcref_table(&snapshot.instance.module.w2c_T0);
  readpref_snapshot_free(&snapshot);
  free(large);
}

#define TOPOLOGY_DOCUMENT "{" TOPOLOGY ",\"localThresholdMS\":1000}"
#define NEAREST "{\"readPreference\":{\"mode\":\"nearest\"}}"

static uint32_t opened(int32_t (*open)(const uint8_t *, size_t, uint8_t *, size_t), const char *in) {
  uint8_t out[RP_MIN_BUFFER];
  int32_t h = open((const uint8_t *)in, strlen(in), out, sizeof out);
  CHECK(h > 0, "open %s: %d", in, (int)h);
  return (uint32_t)h;
}

static void spoil_topology(uint32_t handle, void (*spoil)(readpref_instance *)) {
  readpref_slot *slot = readpref_handle_lock(handle, READPREF_TOPOLOGY);
  if (slot == NULL) abort();
  spoil(readpref_topology_instance(slot->opened));
  readpref_lock_give(&slot->lock);
}

/* Each function's last call of a topology: the fault is its answer, and the handle is closed. */
static void traps_of_topologies(void) {
  enum { SELECT, SELECT_EX, BATCH, DESCRIBE, EXPLAIN, UPDATE, ADDRESS, RELEASE, GENERATION, CALL, FUNCTIONS };
  uint32_t p = opened(rp_readpref_open, NEAREST), unused = opened(rp_readpref_open, NEAREST), other = opened(rp_topology_open, TOPOLOGY_DOCUMENT), t, next;
  int f, used;
  for (used = 0; used < 2; used++) {
    for (f = 0; f < FUNCTIONS; f++) {
      uint8_t out[RP_MIN_BUFFER];
      char in[512];
      int32_t ids[3] = {-7, -7, -7}, n = 0;
      bool document = f == DESCRIBE || f == EXPLAIN || f == UPDATE || f == CALL;
      t = opened(rp_topology_open, TOPOLOGY_DOCUMENT);
      CHECK(!used || rp_select(t, p, RP_READ) >= 0, "a pick before the fault");
      spoil_topology(t, leave_memory);
      sprintf(in, f == CALL ? "{\"topology\":%lu,\"readPreference\":%lu}" : f == UPDATE ? "{" TOPOLOGY "}" : "{}", (unsigned long)t, (unsigned long)p);
      switch (f) {
      case SELECT: n = rp_select(t, p, RP_READ); break;
      case SELECT_EX: n = rp_select_ex(t, p, RP_READ, (const uint8_t *)in, strlen(in)); break;
      case BATCH: n = rp_select_batch(t, p, RP_READ, ids, 3); break;
      case DESCRIBE: n = rp_topology_describe(t, out, sizeof out); break;
      case EXPLAIN: n = rp_explain(t, unused, (const uint8_t *)in, strlen(in), out, sizeof out); break;
      case UPDATE: n = rp_topology_update(t, (const uint8_t *)in, strlen(in), out, sizeof out); break;
      case ADDRESS: n = rp_address(t, 0, out, sizeof out); break;
      case RELEASE: n = rp_release(t, 0); break;
      case GENERATION: n = (int32_t)rp_generation(t); break;
      case CALL: n = call_text("topology.select", in, strlen(in), out, sizeof out); break;
      }
      if (document) {
        CHECK(is_internal(out, n, sizeof out, "out of bounds memory access"), "function %d", f);
      } else {
        CHECK(n == (f == GENERATION ? 0 : RP_E_INTERNAL), "function %d: %d", f, (int)n);
      }
      CHECK(ids[0] == -7 && ids[2] == -7, "ids were written");
      CHECK(rp_select(t, p, RP_READ) == RP_E_HANDLE && rp_close(t) == RP_E_HANDLE && rp_generation(t) == 0, "function %d: the handle is open", f);
      CHECK(rp_select(other, p, RP_READ) >= 0 && rp_select(other, unused, RP_READ) >= 0, "function %d: another topology", f);
    }
  }
  next = opened(rp_topology_open, TOPOLOGY_DOCUMENT);
  CHECK(next == t + (1 << 16) && rp_select(next, p, RP_READ) >= 0, "the slot's next handle: %lx, %lx", (unsigned long)next, (unsigned long)t);
  CHECK(rp_close(next) == 0 && rp_close(other) == 0 && rp_close(p) == 0 && rp_close(unused) == 0, "close");
}

static void wild(uint32_t t, uint32_t p, void (*spoil)(readpref_instance *), const char *what) {
  spoil_topology(t, spoil);
  CHECK(rp_select(t, p, RP_READ) == RP_E_INTERNAL && rp_close(t) == RP_E_HANDLE, "%s", what);
}

static void kinds_of_traps_of_topologies(void) {
  uint32_t p = opened(rp_readpref_open, NEAREST);
  wild(opened(rp_topology_open, TOPOLOGY_DOCUMENT), p, exhaust_depth, "call depth");
  wild(opened(rp_topology_open, TOPOLOGY_DOCUMENT), p, wild_call, "indirect call");
  CHECK(rp_close(p) == 0, "close");
}

#if !defined(_WIN32)
/* An update for which there is no memory, from outside. */
static int no_memory_for_topology_work(void) {
  uint8_t out[RP_MIN_BUFFER];
  size_t len;
  char *large = many_servers(60000, &len);
  uint32_t t = opened(rp_topology_open, TOPOLOGY_DOCUMENT), other = opened(rp_topology_open, TOPOLOGY_DOCUMENT), p = opened(rp_readpref_open, NEAREST);
  int32_t n;
  int wrong = 0;
  limit_data(24 << 20);
  n = rp_topology_open((const uint8_t *)large, len, out, sizeof out);
  wrong += !is_internal(out, n, sizeof out, "out of memory");
  n = rp_topology_update(t, (const uint8_t *)large, len, out, sizeof out);
  wrong += !is_internal(out, n, sizeof out, "out of memory");
  wrong += rp_close(t) != RP_E_HANDLE;
  wrong += rp_select(other, p, RP_READ) < 0;
  limit_data(RLIM_INFINITY);
  n = rp_topology_update(other, (const uint8_t *)large, len, out, sizeof out);
  wrong += n != 0;
  wrong += rp_select(other, p, RP_READ) < 3;
  free(large);
  return wrong;
}

static void no_memory_for_topology(void) {
  CHECK(child_wait(child_start(no_memory_for_topology_work), 120) == CHILD_RIGHT, "see above");
}
#endif

/* The module's words go into a document, whatever they are. */
static void error_documents(void) {
  static const struct {
    const char *detail;
    size_t len;
    const char *want;
  } cases[] = {
      {"", 0, "a fault inside readpref: x\""},
      {"\nlater lines", 12, "a fault inside readpref: x\""},
      {"fatal error: out of memory\ngoroutine 1", 38, "a fault inside readpref: x (fatal error: out of memory)\""},
      {"a \"b\" \\ \t\xff\0c", 12, "x (a \\\"b\\\" \\\\ ???c)\""},
  };
  uint8_t out[1024];
  char text[1025];
  size_t i;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int32_t n = readpref_error_document("x", cases[i].detail, cases[i].len, out, sizeof out);
    CHECK(is_internal(out, n, sizeof out, ""), "case %lu", (unsigned long)i);
    memcpy(text, out, (size_t)-n);
    text[-n] = 0;
    CHECK(strstr(text, cases[i].want) != NULL, "\n got %s\nwant %s", text, cases[i].want);
    memset(out, 0xa5, sizeof out);
    CHECK(readpref_error_document("x", cases[i].detail, cases[i].len, out, (size_t)-n - 1) == n && out[0] == 0xa5, "a short buffer was written to");
    CHECK(readpref_error_document("x", cases[i].detail, cases[i].len, NULL, 0) == n, "the length alone");
  }
}

static const check_test of_limits[] = {
#if !defined(_WIN32)
    {"out of memory at the start", no_start},
    {"out of memory", no_memory},
    {"little address space", little_space},
    {"out of memory with handles", no_memory_for_topology},
#else
    {NULL, NULL},
#endif
};

static const check_test of_faults[] = {
    {"traps", traps},
    {"traps of topologies", traps_of_topologies},
    {"kinds of traps of topologies", kinds_of_traps_of_topologies},
    {"error documents", error_documents},
};

/* With the argument emulated the limits are left out: qemu imposes none. They come first, in processes that made no call. */
int main(int argc, char **argv) {
  int failed = EXIT_SUCCESS;
  if (of_limits[0].run != NULL && !(argc == 2 && strcmp(argv[1], "emulated") == 0)) failed = check_main(of_limits, sizeof of_limits / sizeof of_limits[0]);
  return check_main(of_faults, sizeof of_faults / sizeof of_faults[0]) == EXIT_SUCCESS ? failed : EXIT_FAILURE;
}
