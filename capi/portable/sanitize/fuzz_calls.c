/*
 * fuzz_calls: libFuzzer over the portable library. An input is a program of calls, as in core/abi/fuzz_handles_test.go: the function, two
 * handles, flags, and the length and bytes of a document. A handle below 16 is the n-th that was opened, any other a number
 * that nobody gave. Buffers are exactly as long as the library is told, so that a byte too far is found.
 *
 * What must hold: every result is one that readpref.h allows, and what a function says it wrote is an answer or an error document.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readpref.h"

enum { FUNCTIONS = 20, CALLS = 64, OPEN = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void broken(const char *what, int32_t n) {
  fprintf(stderr, "%s: %d\n", what, (int)n);
  abort();
}

/* document: n is the length of an answer, negative of an error document, which out holds where it fits. */
static void document(const char *what, int32_t n, const uint8_t *out, size_t cap) {
  static const char error[] = "{\"error\":{\"code\":\"";
  size_t length = n < 0 ? (size_t)-(int64_t)n : (size_t)n;
  if (n == 0 || length > cap) return;
  if (out[0] != '{' || out[length - 1] != '}') broken(what, n);
  if (n < 0 && (length < sizeof error || memcmp(out, error, sizeof error - 1) != 0)) broken(what, n);
  if (n < 0 && length > 4096) broken(what, n);
}

static void status(const char *what, int32_t n) {
  if (n < 0 && (n == RP_E_INTERNAL || n < -200)) broken(what, n);
}

/* Methods without handles: rp_call. */
static const char *const methods[] = {"select",  "explain", "validate", "server.parse_hello",   "parse_uri", "srv",     "to_uri",
                                      "rtt",     "command", "readable", "effective_preference", "writable",  "methods", "build_info",
                                      "nothing", ""};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t open[OPEN] = {0};
  unsigned next = 0, calls;
  for (calls = 0; size >= 6 && calls < CALLS; calls++) {
    unsigned function = data[0] % FUNCTIONS, flags = data[3];
    uint32_t h = data[1] < OPEN ? open[data[1]] : data[1] * 0x01010101u;
    uint32_t g = data[2] < OPEN ? open[data[2]] : data[2] * 0x01010101u;
    size_t length = (size_t)(data[4] | data[5] << 8), cap = (size_t)4096 + flags * 64;
    const char *method = methods[flags % (sizeof methods / sizeof *methods)];
    uint8_t *in, *out = malloc(cap);
    int32_t ids[4] = {-1, -1, -1, -1}, n = 0;
    data += 6, size -= 6;
    if (length > size) length = size;
    in = malloc(length + !length);
    if (!in || !out) abort();
    if (length) memcpy(in, data, length);
    data += length, size -= length;
    switch (function) {
    case 0:
    case 1:
      n = function == 0 ? rp_topology_open(in, length, out, cap) : rp_readpref_open(in, length, out, cap);
      if (n > 0) {
        if (open[next % OPEN]) status("rp_close", rp_close(open[next % OPEN]));
        open[next++ % OPEN] = (uint32_t)n;
        n = 0;
      }
      break;
    case 2: n = rp_topology_update(h, in, length, out, cap); break;
    case 3: n = rp_topology_hello(h, in, length, out, cap); break;
    case 4: n = rp_topology_error(h, in, length, out, cap); break;
    case 5: n = rp_topology_srv(h, in, length, out, cap); break;
    case 6: n = rp_topology_shutdown(h, in, length, out, cap); break;
    case 7: n = rp_topology_describe(h, out, cap); break;
    case 8: n = rp_topology_events(h, out, cap); break;
    case 10: n = rp_explain(h, g, in, length, out, cap); break;
    case 11: n = rp_command(h, g, flags, in, length, out, cap); break;
    case 19: n = rp_call((const uint8_t *)method, strlen(method), in, length, out, cap); break;
    case 9: status("rp_topology_events_ack", rp_topology_events_ack(h, flags)); break;
    case 12: status("rp_select", rp_select(h, g, flags)); break;
    case 13: status("rp_select_ex", rp_select_ex(h, g, flags, in, length)); break;
    case 14: {
      int32_t count = rp_select_batch(h, g, flags, ids, 4);
      status("rp_select_batch", count);
      if (count > 0 && (count != 4 || ids[3] < 0)) broken("rp_select_batch", count);
      break;
    }
    case 15: status("rp_address", rp_address(h, flags, out, cap)); break;
    case 16: status("rp_release", rp_release(h, flags)); break;
    case 17: (void)rp_generation(h); break;
    case 18: status("rp_close", rp_close(h)); break;
    }
    document("a document", n, out, cap);
    free(in);
    free(out);
  }
  for (calls = 0; calls < OPEN; calls++) {
    if (open[calls]) status("rp_close", rp_close(open[calls]));
  }
  return 0;
}
