/*
 * As much JSON as a line of the testee protocol needs, read strictly (RFC 8259): flat objects of strings and numbers.
 * Bytes above 0x7f are copied as they are, since whether a document is UTF-8 is for the library to say.
 */
#ifndef JSON_LINE_H
#define JSON_LINE_H

#include "bytes.h"

typedef struct {
  const uint8_t *p, *end;
} json_reader;

static void json_space(json_reader *r) {
  while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\r' || *r->p == '\n')) r->p++;
}

/* json_take skips white space and then c; 0 where something else stands there. */
static int json_take(json_reader *r, char c) {
  json_space(r);
  if (r->p == r->end || *r->p != (uint8_t)c) return 0;
  r->p++;
  return 1;
}

static int json_digits(json_reader *r) {
  const uint8_t *start = r->p;
  while (r->p < r->end && *r->p >= '0' && *r->p <= '9') r->p++;
  return r->p > start;
}

/* json_number moves behind a number; 0 where there is none. */
static int json_number(json_reader *r) {
  if (r->p < r->end && *r->p == '-') r->p++;
  if (r->p < r->end && *r->p == '0') {
    r->p++;
  } else if (!json_digits(r)) {
    return 0;
  }
  if (r->p < r->end && *r->p == '.') {
    r->p++;
    if (!json_digits(r)) return 0;
  }
  if (r->p < r->end && (*r->p == 'e' || *r->p == 'E')) {
    r->p++;
    if (r->p < r->end && (*r->p == '+' || *r->p == '-')) r->p++;
    if (!json_digits(r)) return 0;
  }
  return 1;
}

static int json_hex4(json_reader *r, uint32_t *unit) {
  int i;
  *unit = 0;
  if (r->end - r->p < 4) return 0;
  for (i = 0; i < 4; i++) {
    uint8_t c = *r->p++;
    if (c >= '0' && c <= '9') {
      *unit = *unit * 16 + (uint32_t)(c - '0');
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      *unit = *unit * 16 + (uint32_t)((c | 0x20) - 'a' + 10);
    } else {
      return 0;
    }
  }
  return 1;
}

/* json_escaped_unit reads what follows "\u", with the second half of a surrogate pair, and adds it as UTF-8. */
static int json_escaped_unit(json_reader *r, bytes *out) {
  uint32_t c, low;
  uint8_t utf8[4];
  if (!json_hex4(r, &c)) return 0;
  if (c >= 0xdc00 && c <= 0xdfff) return 0;
  if (c >= 0xd800 && c <= 0xdbff) {
    if (r->end - r->p < 2 || r->p[0] != '\\' || r->p[1] != 'u') return 0;
    r->p += 2;
    if (!json_hex4(r, &low) || low < 0xdc00 || low > 0xdfff) return 0;
    c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
  }
  if (c < 0x80) {
    utf8[0] = (uint8_t)c;
    bytes_add(out, utf8, 1);
  } else if (c < 0x800) {
    utf8[0] = (uint8_t)(0xc0 | c >> 6);
    utf8[1] = (uint8_t)(0x80 | (c & 0x3f));
    bytes_add(out, utf8, 2);
  } else if (c < 0x10000) {
    utf8[0] = (uint8_t)(0xe0 | c >> 12);
    utf8[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    utf8[2] = (uint8_t)(0x80 | (c & 0x3f));
    bytes_add(out, utf8, 3);
  } else {
    utf8[0] = (uint8_t)(0xf0 | c >> 18);
    utf8[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
    utf8[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    utf8[3] = (uint8_t)(0x80 | (c & 0x3f));
    bytes_add(out, utf8, 4);
  }
  return 1;
}

/* json_string skips white space and reads a string into out, in place of what was there; 0 where there is none. */
static int json_string(json_reader *r, bytes *out) {
  static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  out->len = 0;
  bytes_room(out, 0);
  if (!json_take(r, '"')) return 0;
  for (;;) {
    const uint8_t *plain = r->p;
    while (r->p < r->end && *r->p != '"' && *r->p != '\\' && *r->p >= 0x20) r->p++;
    bytes_add(out, plain, (size_t)(r->p - plain));
    if (r->p == r->end || *r->p < 0x20) return 0;
    if (*r->p++ == '"') return 1;
    if (r->p == r->end) return 0;
    if (*r->p == 'u') {
      r->p++;
      if (!json_escaped_unit(r, out)) return 0;
    } else {
      const char *e = *r->p == 0 ? NULL : strchr(escapes, *r->p);
      if (e == NULL) return 0;
      bytes_add(out, &meanings[e - escapes], 1);
      r->p++;
    }
  }
}

/* json_add_string writes a string, quoted and escaped, behind what is there. */
static void json_add_string(bytes *b, const uint8_t *p, size_t len) {
  const uint8_t *end = p + len;
  bytes_add_text(b, "\"");
  while (p < end) {
    const uint8_t *plain = p;
    char escaped[8];
    while (p < end && *p != '"' && *p != '\\' && *p >= 0x20) p++;
    bytes_add(b, plain, (size_t)(p - plain));
    if (p == end) break;
    if (*p < 0x20) {
      sprintf(escaped, "\\u%04x", *p);
    } else {
      sprintf(escaped, "\\%c", *p);
    }
    bytes_add_text(b, escaped);
    p++;
  }
  bytes_add_text(b, "\"");
}

/* base64_decode decodes the standard alphabet with its padding, in place; 0 for anything else. */
static int base64_decode(bytes *b) {
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint8_t values[256];
  size_t i, j, to = 0;
  memset(values, 0xff, sizeof values);
  for (i = 0; i < 64; i++) values[(uint8_t)alphabet[i]] = (uint8_t)i;
  if (b->len % 4 != 0) return 0;
  for (i = 0; i < b->len; i += 4) {
    uint32_t group = 0;
    size_t pad = 0;
    if (i + 4 == b->len) pad = b->p[i + 3] != '=' ? 0 : b->p[i + 2] != '=' ? 1 : 2;
    for (j = 0; j < 4; j++) {
      uint8_t v = j >= 4 - pad ? 0 : values[b->p[i + j]];
      if (v == 0xff) return 0;
      group = group << 6 | v;
    }
    /* The bits that padding leaves over are 0, or two texts would mean the same bytes. */
    if ((pad == 1 && (group & 0xff) != 0) || (pad == 2 && (group & 0xffff) != 0)) return 0;
    for (j = 0; j < 3 - pad; j++) b->p[to++] = (uint8_t)(group >> (16 - 8 * j));
  }
  b->len = to;
  return 1;
}

#endif
