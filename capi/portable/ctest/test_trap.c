/*
 * A fault in the engine is an answer: RP_E_INTERNAL, and the next call works. Seen from outside, by a limit on the memory of
 * the process, and from inside, by instances of the test's own that are spoiled in each way there is.
 */
#define _GNU_SOURCE 1
#include <sys/resource.h>

#include "calls.h"
#include "check.h"
#include "child.h"
#include "error_document.h"
#include "instance.h"
#include "snapshot.h"
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

static readpref_snapshot snapshot;

static int call_instance(readpref_instance *i, const char *in, size_t in_len, uint8_t *out, size_t cap, int32_t *n) {
  return readpref_instance_call(i, (const uint8_t *)"select", 6, (const uint8_t *)in, in_len, out, cap, n);
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

int main(void) {
  static const check_test tests[] = {
      {"out of memory at the start", no_start},
      {"out of memory", no_memory},
      {"little address space", little_space},
      {"traps", traps},
      {"error documents", error_documents},
  };
  return check_main(tests, sizeof tests / sizeof tests[0]);
}
