#include "error_document.h"

#include <stdio.h>
#include <string.h>

#include "readpref.h"

/* add_text adds printable ASCII up to the end of its line, escaped for JSON, and a ? for any other byte. */
static size_t add_text(char *to, const char *text, size_t n) {
  size_t i, len = 0;
  for (i = 0; i < n && text[i] != '\n'; i++) {
    char c = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    if (c == '"' || c == '\\') to[len++] = '\\';
    to[len++] = c;
  }
  return len;
}

static int32_t deliver(const char *text, size_t n, uint8_t *out, size_t cap) {
  if (out != NULL && n <= cap) memcpy(out, text, n);
  return -(int32_t)n;
}

int32_t readpref_error_document(const char *what, const char *detail, size_t detail_len, uint8_t *out, size_t cap) {
  enum { MOST = 256 }; /* of each text */
  char text[4 * MOST + 256];
  size_t what_len = strlen(what), n;
  if (what_len > MOST) what_len = MOST;
  if (detail_len > MOST) detail_len = MOST;
  n = (size_t)sprintf(text, "{\"error\":{\"code\":\"internal\",\"status\":%d,\"message\":\"a fault inside readpref: ", RP_E_INTERNAL);
  n += add_text(text + n, what, what_len);
  if (detail_len > 0 && detail[0] != '\n') {
    text[n++] = ' ';
    text[n++] = '(';
    n += add_text(text + n, detail, detail_len);
    text[n++] = ')';
  }
  n += (size_t)sprintf(text + n, "\",\"path\":\"\"}}");
  return deliver(text, n, out, cap);
}

int32_t readpref_no_start_document(const char *why, uint8_t *out, size_t cap) {
  return readpref_error_document("the engine could not start", why, strlen(why), out, cap);
}

int32_t readpref_no_memory_document(uint8_t *out, size_t cap) {
  return readpref_error_document("out of memory", "", 0, out, cap);
}

int32_t readpref_too_many_document(uint8_t *out, size_t cap) {
  static const char text[] = "{\"error\":{\"code\":\"limitExceeded\",\"status\":-15,\"message\":\"more than 65536 handles\",\"path\":\"\"}}";
  return deliver(text, sizeof text - 1, out, cap);
}
