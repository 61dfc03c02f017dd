/* What shim.c hands to Go, seen by a goRpCall of our own. */
#include "../shim.c"

#include "check.h"

static void *got_method, *got_in, *got_out;
static size_t got_method_len, got_in_len, got_cap;

int32_t goRpCall(void *method, size_t method_len, void *in, size_t in_len, void *out, size_t cap) {
  got_method = method;
  got_method_len = method_len;
  got_in = in;
  got_in_len = in_len;
  got_out = out;
  got_cap = cap;
  return -42;
}

static void arguments_pass(void) {
  static const uint8_t method[] = "m", in[] = "in";
  uint8_t out[3];
  CHECK(rp_call(method, 1, in, 2, out, 3) == -42, "another result");
  CHECK(got_method == method && got_method_len == 1, "method");
  CHECK(got_in == in && got_in_len == 2, "in");
  CHECK(got_out == out && got_cap == 3, "out");
  CHECK(rp_call(NULL, 1, NULL, SIZE_MAX, NULL, 3) == -42, "another result");
  CHECK(got_method == NULL && got_method_len == 1, "null method");
  CHECK(got_in == NULL && got_in_len == SIZE_MAX, "null in");
  CHECK(got_out == NULL && got_cap == 3, "null out");
}

/* Go ends the process where its stack grows while it holds such a pointer, which it does by chance. */
static void length_0_is_null(void) {
  uint8_t *one = (uint8_t *)(uintptr_t)1; /* Rust's empty slice */
  rp_call(one, 0, one, 0, one, 0);
  CHECK(got_method == NULL && got_method_len == 0, "method");
  CHECK(got_in == NULL && got_in_len == 0, "in");
  CHECK(got_out == NULL && got_cap == 0, "out");
}

int main(void) {
  static const check_test tests[] = {
      {"arguments reach Go as they came", arguments_pass},
      {"pointers of length 0 reach Go as NULL", length_0_is_null},
  };
  return check_main(tests, sizeof tests / sizeof tests[0]);
}
