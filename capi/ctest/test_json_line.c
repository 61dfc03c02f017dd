/* The testee's own JSON: what it reads wrongly, no conformance case would show as its fault. */
#include <string.h>

#include "check.h"
#include "json_line.h"

static json_reader reader(const char *text, size_t len) {
  json_reader r;
  r.p = (const uint8_t *)text;
  r.end = r.p + len;
  return r;
}

static void strings(void) {
  static const struct {
    const char *text, *want;
    size_t want_len;
  } good[] = {
      {"\"\"", "", 0},
      {" \t\r\n\"a\"", "a", 1},
      {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8},
      {"\"a\\u0000b\"", "a\0b", 3},
      {"\"\\u007f\\u0080\\u07ff\\u0800\\uFFFF\"", "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf", 11},
      {"\"\\ud83d\\ude00\\uD800\\uDC00\\udbff\\udfff\"", "\xf0\x9f\x98\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 12},
      {"\"\xc3\xa9\xff\"", "\xc3\xa9\xff", 3},
  };
  static const char *const bad[] = {
      "", "a", "\"", "\"a", "\"\\\"", "\"\\", "\"\\x\"", "\"\\'\"", "\"\n\"", "\"\x1f\"", "\"\\u\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\u123",
      "\"\\ud800\"", "\"\\ud800x\"", "\"\\ud800\\n\"", "\"\\ud800\\u0041\"", "\"\\ud800\\ud800\"", "\"\\udc00\"", "\"\\U0041\"", "\"\\u+123\"",
  };
  bytes b = {NULL, 0, 0};
  size_t i;
  for (i = 0; i < sizeof good / sizeof good[0]; i++) {
    json_reader r = reader(good[i].text, strlen(good[i].text));
    CHECK(json_string(&r, &b), "%s", good[i].text);
    CHECK(r.p == r.end, "%s: not read to its end", good[i].text);
    CHECK(b.len == good[i].want_len && memcmp(b.p, good[i].want, b.len) == 0, "%s: %lu bytes", good[i].text, (unsigned long)b.len);
  }
  for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    json_reader r = reader(bad[i], strlen(bad[i]));
    CHECK(!json_string(&r, &b), "%s was taken", bad[i]);
  }
  {
    json_reader r = reader("\"a\0b\"", 5);
    CHECK(!json_string(&r, &b), "a NUL was taken");
    r = reader("\"\\\0\"", 4);
    CHECK(!json_string(&r, &b), "an escaped NUL was taken");
  }
  free(b.p);
}

static void numbers(void) {
  static const char *const good[] = {"0", "-0", "1", "10", "-12.50", "1e9", "1E+09", "0.1e-2", "123456789012345678901234567890"};
  static const char *const bad[] = {"", "-", "01", "1.", ".5", "1e", "1e+", "+1", "0x1", "NaN", "--1", "1.e1"};
  size_t i;
  for (i = 0; i < sizeof good / sizeof good[0]; i++) {
    json_reader r = reader(good[i], strlen(good[i]));
    CHECK(json_number(&r) && r.p == r.end, "%s", good[i]);
  }
  for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    json_reader r = reader(bad[i], strlen(bad[i]));
    CHECK(!json_number(&r) || r.p != r.end, "%s was taken", bad[i]);
  }
}

/* Every byte comes back as it was, and no control character stays on the line. */
static void written_strings(void) {
  static const char plain[] = "{\"a\":\"\\n\"}\x01\x1f\x7f";
  uint8_t all[256];
  bytes written = {NULL, 0, 0}, back = {NULL, 0, 0};
  json_reader r;
  size_t i;
  json_add_string(&written, (const uint8_t *)plain, sizeof plain - 1);
  bytes_add(&written, "", 1);
  CHECK(strcmp((char *)written.p, "\"{\\\"a\\\":\\\"\\\\n\\\"}\\u0001\\u001f\x7f\"") == 0, "%s", (char *)written.p);
  for (i = 0; i < 256; i++) all[i] = (uint8_t)i;
  written.len = 0;
  json_add_string(&written, all, sizeof all);
  for (i = 0; i < written.len; i++) CHECK(written.p[i] >= 0x20, "byte %lu", (unsigned long)i);
  r = reader((const char *)written.p, written.len);
  CHECK(json_string(&r, &back) && r.p == r.end, "its own string is not read");
  CHECK(back.len == sizeof all && memcmp(back.p, all, sizeof all) == 0, "%lu bytes", (unsigned long)back.len);
  free(written.p);
  free(back.p);
}

static void base64(void) {
  static const struct {
    const char *text, *want;
    size_t len;
  } good[] = {{"", "", 0}, {"AA==", "\0", 1}, {"/w==", "\xff", 1}, {"+/8=", "\xfb\xff", 2}, {"aGVs", "hel", 3}, {"aGVsbG8=", "hello", 5}};
  static const char *const bad[] = {"A", "AA", "AAA", "A===", "====", "AA=A", "AB==", "AAB=", "AA==AAAA", "AA AA", "AAA_", "AAA-", "\xffGAA"};
  bytes b = {NULL, 0, 0};
  size_t i;
  for (i = 0; i < sizeof good / sizeof good[0]; i++) {
    b.len = 0;
    bytes_add_text(&b, good[i].text);
    CHECK(base64_decode(&b), "%s", good[i].text);
    CHECK(b.len == good[i].len && memcmp(b.p, good[i].want, b.len) == 0, "%s: %lu bytes", good[i].text, (unsigned long)b.len);
  }
  for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    b.len = 0;
    bytes_add_text(&b, bad[i]);
    CHECK(!base64_decode(&b), "%s was taken", bad[i]);
  }
  free(b.p);
}

int main(void) {
  static const check_test tests[] = {
      {"testee reads strings", strings},
      {"testee reads numbers", numbers},
      {"testee writes strings", written_strings},
      {"testee reads base64", base64},
  };
  return check_main(tests, sizeof tests / sizeof tests[0]);
}
