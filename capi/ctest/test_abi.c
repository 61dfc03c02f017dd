/*
 * The contract of readpref.h: answers byte for byte, lengths, buffers that are too short, pointers and lengths that are
 * wrong, and every error a call can give. Memory that ends at a forbidden page shows that nothing is read or written
 * beyond what the caller offered.
 */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#define _DARWIN_C_SOURCE 1
#include "readpref.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "check.h"
#include "guard.h"
#include "request.h"

#define CANARY 0xa5

static int32_t call_bytes(const char *method, const void *in, size_t in_len, void *out, size_t cap) {
  return rp_call((const uint8_t *)method, strlen(method), in, in_len, out, cap);
}

static size_t magnitude(int32_t n) {
  return (size_t)(n < 0 ? -(int64_t)n : n);
}

/* document calls as a careful host does, from a request to an answer both of which end at a forbidden page. The text is
   the caller's to free. */
static char *document(const char *method, const void *in, size_t in_len, int32_t *n) {
  guarded request = guard_copy(in, in_len);
  guarded answer;
  int32_t again;
  char *text;
  *n = call_bytes(method, request.p, in_len, NULL, 0);
  answer = guard(magnitude(*n));
  again = call_bytes(method, request.p, in_len, answer.p, answer.len);
  CHECK(*n != 0, "%s: a length of 0", method);
  CHECK(again == *n, "%s: asked for %d, got %d", method, (int)*n, (int)again);
  CHECK(in_len == 0 || memcmp(request.p, in, in_len) == 0, "%s: the request was written to", method);
  text = check_alloc(answer.len + 1);
  memcpy(text, answer.p, answer.len);
  text[answer.len] = 0;
  CHECK(strlen(text) == answer.len, "%s: a NUL in %s", method, text);
  guard_free(request);
  guard_free(answer);
  return text;
}

static void expect_answer(const char *request, const char *answer) {
  int32_t n;
  char *text = document("select", request, strlen(request), &n);
  CHECK(n > 0, "%s", text);
  CHECK(strcmp(text, answer) == 0, "\n got %s\nwant %s", text, answer);
  free(text);
}

static int starts(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* expect_error_document checks {"error":{"code":C,"status":S,"message":"...","path":P and its end. */
static void expect_error_document(const char *what, const char *text, int32_t n, const char *code, int status, const char *path) {
  char start[128], place[256];
  const char *end;
  snprintf(start, sizeof start, "{\"error\":{\"code\":\"%s\",\"status\":%d,\"message\":\"", code, status);
  snprintf(place, sizeof place, "\",\"path\":\"%s\"", path);
  CHECK(n < 0, "%s: no error: %s", what, text);
  CHECK(starts(text, start), "%s: want %s..., got %s", what, start, text);
  CHECK(starts(text, start) && text[strlen(start)] != '"', "%s: no message in %s", what, text);
  end = strstr(text, place);
  CHECK(end != NULL, "%s: want the path \"%s\", got %s", what, path, text);
  if (end == NULL) return;
  end += strlen(place);
  if (status == RP_E_MAX_STALENESS_TOO_SMALL) {
    CHECK(starts(end, ",\"minimumSeconds\":90"), "%s: no minimumSeconds in %s", what, text);
    end += strlen(",\"minimumSeconds\":90");
  }
  CHECK(strcmp(end, "}}") == 0, "%s: unexpected end of %s", what, text);
}

static void expect_error(const char *what, const char *method, const void *in, size_t in_len, const char *code, int status, const char *path) {
  int32_t n;
  char *text = document(method, in, in_len, &n);
  expect_error_document(what, text, n, code, status, path);
  free(text);
}

static void version(void) {
  uint32_t v = rp_abi_version();
  CHECK(v == RP_ABI_VERSION, "%x", (unsigned)v);
  CHECK(v >> 16 == 1, "%x", (unsigned)v);
}

static void select_answers(void) {
  int32_t n;
  char *text;
  expect_answer(SECONDARY, SECONDARY_ANSWER);
  expect_answer(PRIMARY, PRIMARY_ANSWER);
  expect_answer(NEAREST_SF, NEAREST_SF_ANSWER);
  text = document("select", NOBODY, strlen(NOBODY), &n);
  CHECK(n > 0, "%s", text);
  CHECK(starts(text, NOBODY_ANSWER_START), "\n got %s\nwant %s...", text, NOBODY_ANSWER_START);
  free(text);
}

/* The methods that ask for nothing take {}, and an empty buffer whatever its pointer says. */
static void empty_requests(void) {
  static const char *const methods[] = {"build_info", "methods"};
  static const char *const starts_with[] = {"{\"name\":\"readpref\",\"version\":\"", "{\"methods\":[{\"name\":\""};
  size_t i;
  for (i = 0; i < 2; i++) {
    int32_t n, m;
    char *text = document(methods[i], "{}", 2, &n);
    char *same = document(methods[i], NULL, 0, &m);
    uint8_t buffer[1];
    CHECK(n > 0 && starts(text, starts_with[i]), "%s: %s", methods[i], text);
    CHECK(n == m && strcmp(text, same) == 0, "%s: %s\n%s", methods[i], text, same);
    CHECK(call_bytes(methods[i], NULL, 0, buffer, 1) == n, "%s: NULL with 0", methods[i]);
    CHECK(call_bytes(methods[i], (const void *)(uintptr_t)1, 0, buffer, 1) == n, "%s: address 1 with 0", methods[i]);
    free(text);
    free(same);
  }
  expect_error("empty select", "select", NULL, 0, "invalidJSON", RP_E_INVALID_JSON, "");
}

/* Rust's empty slices are at address 1. A pointer with length 0 is not looked at, whatever it says. */
static void pointers_of_length_0(void) {
  uint8_t *one = (uint8_t *)(uintptr_t)1;
  int32_t n = rp_call((const uint8_t *)"select", 6, (const uint8_t *)SECONDARY, strlen(SECONDARY), one, 0);
  CHECK(n == (int32_t)strlen(SECONDARY_ANSWER), "select: %d", (int)n);
  n = rp_call((const uint8_t *)"methods", 7, one, 0, one, 0);
  CHECK(n > 0, "methods: %d", (int)n);
  n = rp_call(one, 0, one, 0, one, 0);
  CHECK(n < 0, "nothing at all: %d", (int)n);
}

static void length_question(void) {
  int32_t want = (int32_t)strlen(SECONDARY_ANSWER);
  CHECK(call_bytes("select", SECONDARY, strlen(SECONDARY), NULL, 0) == want, "NULL, 0");
  CHECK(call_bytes("select", SECONDARY, strlen(SECONDARY), (void *)"x", 0) == want, "a pointer, 0");
}

/* For every capacity: below the length nothing is written, from the length on exactly the answer. */
static void short_buffers(void) {
  static const char *const requests[] = {SECONDARY, "{", PRIMARY};
  size_t r, cap, i;
  for (r = 0; r < 3; r++) {
    int32_t n;
    char *text = document("select", requests[r], strlen(requests[r]), &n);
    size_t len = magnitude(n);
    uint8_t *out = check_alloc(len + 40);
    for (cap = 0; cap <= len + 20; cap++) {
      int32_t got;
      size_t written = cap < len ? 0 : len, wrong = 0;
      memset(out, CANARY, len + 40);
      got = call_bytes("select", requests[r], strlen(requests[r]), out, cap);
      CHECK(got == n, "capacity %lu: %d, not %d", (unsigned long)cap, (int)got, (int)n);
      CHECK(memcmp(out, text, written) == 0, "capacity %lu: another answer", (unsigned long)cap);
      for (i = written; i < len + 40; i++) wrong += out[i] != CANARY;
      CHECK(wrong == 0, "capacity %lu of %lu: %lu bytes written too many", (unsigned long)cap, (unsigned long)len, (unsigned long)wrong);
    }
    free(out);
    free(text);
  }
}

/* SIZE_MAX is what a host makes of -1: more capacity than any buffer has, but no more than the answer is written. */
static void absurd_capacity(void) {
  size_t len = strlen(SECONDARY_ANSWER);
  guarded out = guard(len);
  int32_t n = call_bytes("select", SECONDARY, strlen(SECONDARY), out.p, SIZE_MAX);
  CHECK(n == (int32_t)len, "%d", (int)n);
  CHECK(memcmp(out.p, SECONDARY_ANSWER, len) == 0, "another answer");
  guard_free(out);
}

static void null_pointers(void) {
  uint8_t out[4096];
  char text[4097];
  static const struct {
    const char *what;
    const uint8_t *method;
    size_t method_len;
    const uint8_t *in;
    size_t in_len;
    const char *path;
  } cases[] = {
      {"method", NULL, 6, (const uint8_t *)"{}", 2, "method"},
      {"method, absurd length", NULL, SIZE_MAX, (const uint8_t *)"{}", 2, "method"},
      {"in", (const uint8_t *)"select", 6, NULL, 2, "in"},
      {"in, absurd length", (const uint8_t *)"select", 6, NULL, SIZE_MAX, "in"},
      {"both", NULL, 6, NULL, 2, "method"},
  };
  size_t i;
  int32_t n;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    n = rp_call(cases[i].method, cases[i].method_len, cases[i].in, cases[i].in_len, out, sizeof out);
    CHECK(n < 0 && magnitude(n) <= sizeof out, "%s: %d", cases[i].what, (int)n);
    if (n >= 0 || magnitude(n) > sizeof out) continue;
    memcpy(text, out, magnitude(n));
    text[magnitude(n)] = 0;
    expect_error_document(cases[i].what, text, n, "argument", RP_E_ARGUMENT, cases[i].path);
  }
  /* There is no buffer to write to: the sign alone tells, and a request that is fine does not hide it. */
  n = call_bytes("select", SECONDARY, strlen(SECONDARY), NULL, 4096);
  CHECK(n < 0, "out NULL with 4096: %d", (int)n);
  n = call_bytes("select", SECONDARY, strlen(SECONDARY), NULL, SIZE_MAX);
  CHECK(n < 0, "out NULL with SIZE_MAX: %d", (int)n);
  n = rp_call(NULL, 1, NULL, 1, NULL, 1);
  CHECK(n < 0, "all NULL: %d", (int)n);
  n = rp_call(NULL, 0, NULL, 0, NULL, 0);
  CHECK(n < 0, "nothing at all: %d", (int)n);
}

/* A length over the limit is refused before a byte is read: the page after the pointer's three bytes is forbidden. */
static void absurd_lengths(void) {
  static const size_t lengths[] = {(size_t)RP_MAX_DOCUMENT + 1, (size_t)INT32_MAX, (size_t)INT32_MAX + 1, SIZE_MAX / 2, SIZE_MAX};
  guarded in = guard_copy("{ }", 3);
  guarded method = guard_copy("select", 6);
  uint8_t out[4096];
  char text[4097];
  size_t i;
  for (i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    int32_t n = rp_call(method.p, 6, in.p, lengths[i], out, sizeof out);
    CHECK(n < 0 && magnitude(n) <= sizeof out, "in %lu: %d", (unsigned long)lengths[i], (int)n);
    if (n < 0 && magnitude(n) <= sizeof out) {
      memcpy(text, out, magnitude(n));
      text[magnitude(n)] = 0;
      expect_error_document("in", text, n, "documentTooLarge", RP_E_DOCUMENT_TOO_LARGE, "");
    }
    n = rp_call(method.p, lengths[i], in.p, 3, out, sizeof out);
    CHECK(n < 0 && magnitude(n) <= sizeof out, "method %lu: %d", (unsigned long)lengths[i], (int)n);
    if (n < 0 && magnitude(n) <= sizeof out) {
      memcpy(text, out, magnitude(n));
      text[magnitude(n)] = 0;
      expect_error_document("method", text, n, "unknownMethod", RP_E_UNKNOWN_METHOD, "");
    }
  }
  guard_free(in);
  guard_free(method);
}

/* A document of exactly the limit is read to its end, one byte more is not. */
static void largest_document(void) {
  size_t len = strlen(SECONDARY);
  guarded in = guard((size_t)RP_MAX_DOCUMENT + 1);
  char *text;
  int32_t n;
  memset(in.p, ' ', in.len);
  memcpy(in.p + in.len - len, SECONDARY, len); /* the braces close at the very last byte */
  text = document("select", in.p + 1, RP_MAX_DOCUMENT, &n);
  CHECK(n > 0 && strcmp(text, SECONDARY_ANSWER) == 0, "%s", text);
  free(text);
  expect_error("one byte more", "select", in.p, in.len, "documentTooLarge", RP_E_DOCUMENT_TOO_LARGE, "");
  guard_free(in);
}

static void unknown_methods(void) {
  static const struct {
    const char *name;
    size_t len;
  } methods[] = {{"", 0}, {"Select", 6}, {"selec", 5}, {"select ", 7}, {"select\0", 7}, {"\xff\xfe", 2}};
  char longest[RP_MAX_METHOD + 1], text[4097];
  uint8_t out[4096];
  size_t i;
  for (i = 0; i < sizeof methods / sizeof methods[0]; i++) {
    int32_t n = rp_call((const uint8_t *)methods[i].name, methods[i].len, (const uint8_t *)"{}", 2, out, sizeof out);
    CHECK(n < 0 && magnitude(n) <= sizeof out, "%s: %d", methods[i].name, (int)n);
    if (n >= 0 || magnitude(n) > sizeof out) continue;
    memcpy(text, out, magnitude(n));
    text[magnitude(n)] = 0;
    expect_error_document(methods[i].name, text, n, "unknownMethod", RP_E_UNKNOWN_METHOD, "");
  }
  memset(longest, 'x', sizeof longest);
  longest[RP_MAX_METHOD] = 0;
  expect_error("64 bytes", longest, "{}", 2, "unknownMethod", RP_E_UNKNOWN_METHOD, "");
}

/* What is wrong with a preference is no error of the call that asks: validate lists it. */
static void problems(void) {
  static const char in[] = "{\"uriOptions\":\"readPreference=nearest&maxStalenessSeconds\"}";
  char want[128];
  int32_t n;
  char *text = document("validate", in, strlen(in), &n);
  sprintf(want, "{\"valid\":false,\"readPreference\":null,\"problems\":[{\"code\":\"invalidURIOption\",\"status\":%d,", RP_E_INVALID_URI_OPTION);
  CHECK(n > 0 && starts(text, want), "\n got %s\nwant %s...", text, want);
  free(text);
}

#define PREFERENCE(p) "{" TOPOLOGY ",\"readPreference\":" p "}"

/*
 * Every code a call of this interface gives as an error document, except RP_E_ARGUMENT, RP_E_UNKNOWN_METHOD and
 * RP_E_DOCUMENT_TOO_LARGE, which have their tests above, and:
 *   RP_E_BUFFER, RP_E_HANDLE  are about handles and what changes something (test_handles.c);
 *   RP_E_NO_SERVER            is about handles, too; to a call with documents it is an answer (select_answers);
 *   those of connection strings and of transactions, which have tests of their own below;
 *   RP_E_FORKED, RP_E_INTERNAL  no request can ask for.
 */
static void errors(void) {
  static const struct {
    const char *in, *code;
    int status;
    const char *path;
  } cases[] = {
      {"", "invalidJSON", RP_E_INVALID_JSON, ""},
      {"{\"topology\":", "invalidJSON", RP_E_INVALID_JSON, "topology"},
      {PRIMARY "x", "invalidJSON", RP_E_INVALID_JSON, ""},
      {"{" TOPOLOGY ",\"seed\":01}", "invalidJSON", RP_E_INVALID_JSON, "seed"},
      {"{" TOPOLOGY ",\"localThresholdMS\":NaN}", "invalidJSON", RP_E_INVALID_JSON, "localThresholdMS"},
      {PREFERENCE("{\"mode\":\"\xff\"}"), "invalidUTF8", RP_E_INVALID_UTF8, "readPreference.mode"},
      {PREFERENCE("{\"mode\":\"\\ud800\"}"), "invalidUTF8", RP_E_INVALID_UTF8, "readPreference.mode"},
      {PREFERENCE("{\"mode\":\"nearest\",\"m\\u006fde\":\"nearest\"}"), "duplicateKey", RP_E_DUPLICATE_KEY, "readPreference.mode"},
      {PREFERENCE("{\"moed\":\"nearest\"}"), "unknownKey", RP_E_UNKNOWN_KEY, "readPreference.moed"},
      {"{}", "missingKey", RP_E_MISSING_KEY, "topology"},
      {"{\"topology\":1}", "wrongType", RP_E_WRONG_TYPE, "topology"},
      {PREFERENCE("{\"mode\":\"nearest\",\"tags\":[{},{\"dc\":1}]}"), "wrongType", RP_E_WRONG_TYPE, "readPreference.tags[1].dc"},
      {"{" TOPOLOGY ",\"heartbeatFrequencyMS\":499}", "outOfRange", RP_E_OUT_OF_RANGE, "heartbeatFrequencyMS"},
      {PREFERENCE("{\"mode\":\"Secondary\"}"), "unknownMode", RP_E_UNKNOWN_MODE, "readPreference.mode"},
      {PREFERENCE("{\"mode\":\"nearest\",\"maxStalenessSeconds\":89}"), "maxStalenessTooSmall", RP_E_MAX_STALENESS_TOO_SMALL,
       "readPreference.maxStalenessSeconds"},
      {PREFERENCE("{\"mode\":\"primary\",\"maxStalenessSeconds\":120}"), "maxStalenessWithPrimary", RP_E_MAX_STALENESS_WITH_PRIMARY,
       "readPreference.maxStalenessSeconds"},
      {PREFERENCE("{\"tags\":[{\"dc\":\"ny\"}]}"), "tagsWithPrimary", RP_E_TAGS_WITH_PRIMARY, "readPreference.tags"},
      {PREFERENCE("{\"hedge\":{}}"), "hedgeWithPrimary", RP_E_HEDGE_WITH_PRIMARY, "readPreference.hedge"},
      {PREFERENCE("{\"mode\":\"nearest\",\"maxStalenessSeconds\":-2}"), "invalidMaxStaleness", RP_E_INVALID_MAX_STALENESS,
       "readPreference.maxStalenessSeconds"},
      {"{" TOPOLOGY ",\"operation\":\"reed\"}", "unknownValue", RP_E_UNKNOWN_VALUE, "operation"},
      {"{\"topology\":{\"servers\":[" SERVER_A "," SERVER_B "," SERVER_A "]}}", "duplicateAddress", RP_E_DUPLICATE_ADDRESS,
       "topology.servers[2].address"},
      {"{\"topology\":{\"servers\":[{\"address\":\"a:1\",\"type\":\"RSPrimary\",\"minWireVersion\":30,\"maxWireVersion\":31}]}}",
       "incompatibleWireVersion", RP_E_INCOMPATIBLE_WIRE_VERSION, "topology.servers[0].minWireVersion"},
  };
  size_t i;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    expect_error(cases[i].in, "select", cases[i].in, strlen(cases[i].in), cases[i].code, cases[i].status, cases[i].path);
  }
}

#define URI(u) "{\"uri\":\"mongodb:/" u "\"}"

static void transaction(void) {
  static const char in[] = "{\"command\":\"find\",\"transaction\":{\"readPreference\":{\"mode\":\"nearest\"}}}";
  expect_error("a read in a transaction", "effective_preference", in, strlen(in), "transactionReadPreferenceNotPrimary",
               RP_E_TRANSACTION_READ_PREFERENCE_NOT_PRIMARY, "transaction.readPreference");
}

#define SRV(records) "{\"uri\":\"mongodb+srv://c.b.com\",\"srv\":[" records "]}"

/* The codes of what a connection string and DNS say. RP_E_INVALID_URI_OPTION is also a problem that `validate` lists. */
static void connection_strings(void) {
  static const struct {
    const char *in, *code;
    int status;
    const char *path;
  } cases[] = {
      {URI(""), "invalidURI", RP_E_INVALID_URI, "uri"},
      {URI("/u:p:q@a"), "invalidURI", RP_E_INVALID_URI, "userInfo"},
      {URI("/a,:0"), "invalidHost", RP_E_INVALID_HOST, "hosts[1]"},
      {URI("/a/?tls"), "invalidURIOption", RP_E_INVALID_URI_OPTION, "options.tls"},
      {URI("/a/?readPreferenceTags=dc:ny"), "tagsWithPrimary", RP_E_TAGS_WITH_PRIMARY, "options.readPreferenceTags"},
      {URI("/a/?srvMaxHosts=1"), "conflictingOptions", RP_E_CONFLICTING_OPTIONS, "options.srvMaxHosts"},
      {URI("/a,b/?directConnection=true"), "directConnectionWithMultipleHosts", RP_E_DIRECT_CONNECTION_WITH_MULTIPLE_HOSTS,
       "options.directConnection"},
      {URI("/a/?loadBalanced=true&replicaSet=r"), "loadBalancedWithReplicaSet", RP_E_LOAD_BALANCED_WITH_REPLICA_SET, "options.loadBalanced"},
      {URI("/a,b/?loadBalanced=true"), "loadBalancedWithMultipleHosts", RP_E_LOAD_BALANCED_WITH_MULTIPLE_HOSTS, "options.loadBalanced"},
      {URI("/a/?loadBalanced=true&directConnection=true"), "loadBalancedWithDirectConnection", RP_E_LOAD_BALANCED_WITH_DIRECT_CONNECTION,
       "options.loadBalanced"},
  };
  static const char none[] = SRV(""), outside[] = SRV("{\"target\":\"a.x.org\",\"port\":1}"),
                    txt[] = SRV("{\"target\":\"a.b.com\",\"port\":1}],\"txt\":[[\"tls=false\"]");
  size_t i;
  expect_error("no records", "srv", none, strlen(none), "noSRVRecords", RP_E_NO_SRV_RECORDS, "srv");
  expect_error("another domain", "srv", outside, strlen(outside), "invalidSRVRecord", RP_E_INVALID_SRV_RECORD, "srv[0]");
  expect_error("a TXT record", "srv", txt, strlen(txt), "invalidTXTRecord", RP_E_INVALID_TXT_RECORD, "txt.tls");
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    expect_error(cases[i].in, "parse_uri", cases[i].in, strlen(cases[i].in), cases[i].code, cases[i].status, cases[i].path);
  }
}

/* 65 levels of arrays inside a key, and 101 tag sets: too long to write out. */
static void limits(void) {
  char in[4096];
  size_t n, i;
  n = (size_t)sprintf(in, "{\"topology\":{\"servers\":");
  for (i = 0; i < 63; i++) in[n++] = '[';
  for (i = 0; i < 63; i++) in[n++] = ']';
  n += (size_t)sprintf(in + n, "}}");
  {
    int32_t len;
    char *text = document("select", in, n, &len);
    char start[64];
    sprintf(start, "{\"error\":{\"code\":\"nestingTooDeep\",\"status\":%d,", RP_E_NESTING_TOO_DEEP);
    CHECK(len < 0 && starts(text, start), "%s", text);
    free(text);
  }
  n = (size_t)sprintf(in, "{%s,\"readPreference\":{\"mode\":\"nearest\",\"tags\":[{}", TOPOLOGY);
  for (i = 0; i < 100; i++) n += (size_t)sprintf(in + n, ",{}");
  n += (size_t)sprintf(in + n, "]}}");
  expect_error("101 tag sets", "select", in, n, "limitExceeded", RP_E_LIMIT_EXCEEDED, "readPreference.tags[100]");
}

int main(void) {
  static const check_test tests[] = {
      {"version", version},
      {"select answers", select_answers},
      {"empty requests", empty_requests},
      {"pointers of length 0", pointers_of_length_0},
      {"length question", length_question},
      {"short buffers write nothing", short_buffers},
      {"absurd capacity", absurd_capacity},
      {"null pointers", null_pointers},
      {"absurd lengths", absurd_lengths},
      {"largest document", largest_document},
      {"unknown methods", unknown_methods},
      {"problems", problems},
      {"errors", errors},
      {"connection strings", connection_strings},
      {"transaction", transaction},
      {"limits", limits},
  };
  return check_main(tests, sizeof tests / sizeof tests[0]);
}
