/*
 * The C testee of the conformance runner (docs/testee.md): requests as JSON lines on stdin, their answers on stdout, each
 * by a call of libreadpref. A line that is not of the protocol ends it with a message on stderr and exit status 2; a call
 * that breaks the contract of readpref.h, with status 3.
 */
#include "readpref.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

#include "bytes.h"
#include "json_line.h"

enum { PROTOCOL = 2, CONTRACT = 3 };

static void die(int status, const char *why) {
  fprintf(stderr, "testee-c: %s\n", why);
  exit(status);
}

static int bytes_equal(const bytes *b, const char *text) {
  return b->len == strlen(text) && memcmp(b->p, text, b->len) == 0;
}

/* A line of the protocol. has_* tell an absent string from an empty one. */
typedef struct {
  bytes id, method, in, in_b64, via, probe; /* id as it was written */
  int has_id, has_method, has_in, has_in_b64, has_via, has_probe;
} request;

static void parse_id(json_reader *r, bytes *id) {
  const uint8_t *start;
  json_space(r);
  start = r->p;
  id->len = 0;
  if (r->p < r->end && *r->p == '"' ? !json_string(r, id) : !json_number(r)) die(PROTOCOL, "id is neither a string nor a number");
  id->len = 0;
  bytes_add(id, start, (size_t)(r->p - start));
}

static void parse_request(const bytes *line, request *q) {
  struct {
    const char *key;
    bytes *value;
    int *has;
  } const keys[] = {
      {"id", &q->id, &q->has_id},
      {"method", &q->method, &q->has_method},
      {"in", &q->in, &q->has_in},
      {"in_b64", &q->in_b64, &q->has_in_b64},
      {"via", &q->via, &q->has_via},
      {"probe", &q->probe, &q->has_probe},
  };
  enum { KEYS = sizeof keys / sizeof keys[0] };
  static bytes key;
  json_reader r;
  size_t i;
  r.p = line->p;
  r.end = line->p + line->len;
  for (i = 0; i < KEYS; i++) {
    keys[i].value->len = 0;
    *keys[i].has = 0;
  }
  if (!json_take(&r, '{')) die(PROTOCOL, "the line is not an object");
  if (!json_take(&r, '}')) {
    do {
      if (!json_string(&r, &key) || !json_take(&r, ':')) die(PROTOCOL, "the line is not JSON: no key");
      for (i = 0; i < KEYS && !bytes_equal(&key, keys[i].key); i++) {
      }
      if (i == KEYS) die(PROTOCOL, "the line has an unknown key");
      if (*keys[i].has) die(PROTOCOL, "the line has a key twice");
      *keys[i].has = 1;
      if (keys[i].value == &q->id) {
        parse_id(&r, &q->id);
      } else if (!json_string(&r, keys[i].value)) {
        die(PROTOCOL, "the line is not JSON: no string, or one that is not Unicode");
      }
    } while (json_take(&r, ','));
    if (!json_take(&r, '}')) die(PROTOCOL, "the line is not JSON: the object does not end");
  }
  json_space(&r);
  if (r.p != r.end) die(PROTOCOL, "the line goes on after its object");

  if (!q->has_id) die(PROTOCOL, "the line has no id");
  if (q->has_method == q->has_probe) die(PROTOCOL, "the line needs one of method and probe");
  if (q->has_in && q->has_in_b64) die(PROTOCOL, "the line has both in and in_b64");
  if (q->has_via && !bytes_equal(&q->via, "raw")) die(PROTOCOL, "C has no typed API: via must be raw");
  if (q->has_in_b64) {
    if (!base64_decode(&q->in_b64)) die(PROTOCOL, "in_b64 is not base64");
    q->in.len = 0;
    bytes_add(&q->in, q->in_b64.p, q->in_b64.len);
  }
}

/* A call as a host with a null pointer, a wrong length or a good one makes it. */
typedef struct {
  const uint8_t *method;
  size_t method_len;
  const uint8_t *in;
  size_t in_len;
} call;

static int32_t run(const call *c, uint8_t *out, size_t cap) {
  return rp_call(c->method, c->method_len, c->in, c->in_len, out, cap);
}

static size_t magnitude(int32_t n) {
  return (size_t)(n < 0 ? -(int64_t)n : n);
}

/* document calls until the answer fits into out, and returns its status. */
static int document(const call *c, bytes *out) {
  static const char start[] = "{\"error\":{\"code\":\"", then[] = "\",\"status\":-";
  int32_t n, before = 0;
  const char *p;
  int status = 0;
  out->len = 0;
  bytes_room(out, 1 << 16);
  for (;;) {
    n = run(c, out->p, out->cap);
    if (n == 0) die(CONTRACT, "rp_call returned 0");
    if (before != 0 && n != before) die(CONTRACT, "rp_call returned another length when it was asked again");
    if (magnitude(n) <= out->cap) break;
    before = n;
    bytes_room(out, magnitude(n));
  }
  out->len = magnitude(n);
  if (n > 0) return 0;

  bytes_add(out, "", 1); /* ends the text for the string functions below */
  out->len--;
  p = (const char *)out->p;
  if (strncmp(p, start, sizeof start - 1) != 0) die(CONTRACT, "an error document does not start with its code");
  p = strchr(p + sizeof start - 1, '"');
  if (p == NULL || strncmp(p, then, sizeof then - 1) != 0) die(CONTRACT, "an error document has no status after its code");
  for (p += sizeof then - 1; *p >= '0' && *p <= '9' && status < 1000000; p++) status = status * 10 + (*p - '0');
  if (*p != ',' || status == 0) die(CONTRACT, "the status of an error document is not a number");
  return -status;
}

/*
 * The probes: what a careless host passes. Those that get a document print it. The others have none to print: "ok" where
 * the contract was kept, else what was wrong.
 */

static const char build_info[] = "build_info";

/* Below the answer's length nothing may be written, and the length is the same each time. */
static const char *probe_short_out(void) {
  const call c = {(const uint8_t *)build_info, sizeof build_info - 1, NULL, 0};
  uint8_t out[1024];
  int32_t n = run(&c, NULL, 0);
  size_t cap, i;
  if (n <= 0 || (size_t)n > sizeof out) return "build_info has no length, or an error";
  for (cap = 0; cap < (size_t)n; cap++) {
    memset(out, 0xa5, sizeof out);
    if (run(&c, out, cap) != n) return "another length came back";
    for (i = 0; i < sizeof out; i++) {
      if (out[i] != 0xa5) return "a buffer too short was written to";
    }
  }
  return "ok";
}

static const char *probe_ask_length(void) {
  const call c = {(const uint8_t *)build_info, sizeof build_info - 1, NULL, 0};
  uint8_t out[1024];
  int32_t n = run(&c, NULL, 0);
  if (n <= 0 || (size_t)n > sizeof out) return "build_info has no length, or an error";
  return run(&c, out, (size_t)n) == n ? "ok" : "the length asked for is not that of the answer";
}

/* A null buffer with a capacity is an error that cannot be written anywhere: the sign is all there is. */
static const char *probe_null_out(void) {
  const call c = {(const uint8_t *)build_info, sizeof build_info - 1, NULL, 0};
  return run(&c, NULL, 1024) < 0 ? "ok" : "no error came back";
}

static int probe(const bytes *name, bytes *out) {
  static const uint8_t select[] = "select", empty[] = "{}";
  const call null_method = {NULL, 6, empty, 2};
  const call null_in = {select, 6, NULL, 2};
  const call absurd_length = {select, 6, empty, SIZE_MAX};
  const call empty_in = {select, 6, empty, 0};
  const char *verdict;
  if (bytes_equal(name, "nullMethod")) return document(&null_method, out);
  if (bytes_equal(name, "nullIn")) return document(&null_in, out);
  if (bytes_equal(name, "absurdLength")) return document(&absurd_length, out);
  if (bytes_equal(name, "emptyIn")) return document(&empty_in, out);
  if (bytes_equal(name, "shortOut")) {
    verdict = probe_short_out();
  } else if (bytes_equal(name, "askLength")) {
    verdict = probe_ask_length();
  } else if (bytes_equal(name, "nullOut")) {
    verdict = probe_null_out();
  } else {
    die(PROTOCOL, "the line has an unknown probe");
    return 0;
  }
  out->len = 0;
  bytes_add_text(out, verdict);
  return 0;
}

/* read_line reads up to a newline, which it leaves out; 0 at the end of the input. */
static int read_line(bytes *line) {
  int c;
  line->len = 0;
  bytes_room(line, 1);
  while ((c = getchar()) != EOF && c != '\n') {
    if (line->len == line->cap) bytes_room(line, 1);
    line->p[line->len++] = (uint8_t)c;
  }
  if (ferror(stdin)) die(PROTOCOL, "stdin cannot be read");
  return c != EOF || line->len > 0;
}

int main(void) {
  static request q;
  static bytes line, out, answer;
#if defined(_WIN32)
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  if (rp_abi_version() >> 16 != RP_ABI_MAJOR) die(CONTRACT, "the library has another ABI major than this program");
  while (read_line(&line)) {
    char number[32];
    int status;
    parse_request(&line, &q);
    if (q.has_probe) {
      status = probe(&q.probe, &out);
    } else {
      call c;
      c.method = q.method.p;
      c.method_len = q.method.len;
      c.in = q.in.p;
      c.in_len = q.in.len;
      status = document(&c, &out);
    }
    answer.len = 0;
    bytes_add_text(&answer, "{\"id\":");
    bytes_add(&answer, q.id.p, q.id.len);
    sprintf(number, ",\"status\":%d,\"out\":", status);
    bytes_add_text(&answer, number);
    json_add_string(&answer, out.p, out.len);
    bytes_add_text(&answer, "}\n");
    if (fwrite(answer.p, 1, answer.len, stdout) != answer.len || fflush(stdout) != 0) die(PROTOCOL, "stdout cannot be written");
  }
  free(line.p);
  free(out.p);
  free(answer.p);
  return EXIT_SUCCESS;
}
