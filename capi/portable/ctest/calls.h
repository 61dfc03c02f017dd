/*
 * Calls with known answers, for tests that make many: a select, an error that makes garbage for the collector, and a
 * document so large that the engine's memory grows.
 */
#ifndef CALLS_H
#define CALLS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "readpref.h"
#include "request.h"

static inline int32_t call_text(const char *method, const char *in, size_t in_len, uint8_t *out, size_t cap) {
  return rp_call((const uint8_t *)method, strlen(method), (const uint8_t *)in, in_len, out, cap);
}

/* select_is_right makes one select and compares its answer. */
static inline int select_is_right(void) {
  uint8_t out[1024];
  int32_t n = call_text("select", SECONDARY, strlen(SECONDARY), out, sizeof out);
  return n == (int32_t)strlen(SECONDARY_ANSWER) && memcmp(out, SECONDARY_ANSWER, (size_t)n) == 0;
}

/* error_is_right makes an error document, whose parts the engine allocates. */
static inline int error_is_right(void) {
  static const char in[] = "{" TOPOLOGY ",\"operation\":\"reed\"}";
  static const char want[] = "{\"error\":{\"code\":\"unknownValue\",\"status\":-26,";
  uint8_t out[1024];
  int32_t n = call_text("select", in, strlen(in), out, sizeof out);
  return n < 0 && -n <= (int32_t)sizeof out && memcmp(out, want, strlen(want)) == 0;
}

/* mixed_calls makes so many calls of both kinds, and says how many were wrong. */
static inline unsigned mixed_calls(unsigned calls) {
  unsigned i, wrong = 0;
  for (i = 0; i < calls; i++) wrong += i % 2 == 0 ? !select_is_right() : !error_is_right();
  return wrong;
}

/* many_servers is a select request with n servers, all secondaries near enough; the caller frees it. */
static inline char *many_servers(size_t n, size_t *len) {
  char *text = check_alloc(n * 96 + 64);
  size_t i, at = (size_t)sprintf(text, "{\"topology\":{\"servers\":[");
  for (i = 0; i < n; i++) {
    at += (size_t)sprintf(text + at, "%s{\"address\":\"host-%lu.example:27017\",\"type\":\"Mongos\",\"roundTripTimeMS\":1}", i == 0 ? "" : ",", (unsigned long)i);
  }
  at += (size_t)sprintf(text + at, "]}}");
  *len = at;
  return text;
}

/* large_is_right selects from a request of many_servers(n), of which all are in the answer's window. */
static inline int large_is_right(const char *in, size_t len) {
  static const char want[] = "{\"server\":{\"index\":";
  int32_t n = call_text("select", in, len, NULL, 0), again;
  uint8_t *out;
  int right;
  if (n <= 0) return 0;
  out = check_alloc((size_t)n);
  again = call_text("select", in, len, out, (size_t)n);
  right = again == n && memcmp(out, want, strlen(want)) == 0 && out[n - 1] == '}';
  free(out);
  return right;
}

#endif
