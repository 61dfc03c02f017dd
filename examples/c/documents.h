/* Documents on their way between BSON and the JSON of readpref, with libbson. */
#ifndef EXAMPLES_DOCUMENTS_H
#define EXAMPLES_DOCUMENTS_H

#include <bson/bson.h>
#include <stdio.h>
#include <stdlib.h>

#include "readpref.h"

/* The answers of readpref. The longest are of rp_topology_events, which leaves the rest for the next call after 4 MiB. */
static uint8_t answer[8 << 20];

/* answered: an answer of readpref as BSON, which the caller destroys; an error document ends the program. */
static bson_t *answered(int32_t n) {
  bson_error_t error;
  bson_t *b = n > 0 && (size_t)n <= sizeof answer ? bson_new_from_json(answer, n, &error) : NULL;
  if (b == NULL) {
    fprintf(stderr, "readpref: %.*s\n", n < 0 ? -n : 0, (const char *)answer);
    exit(1);
  }
  return b;
}

/* opened: a handle, or 0 for a change that was made; an error document ends the program. */
static uint32_t opened(int32_t n) {
  if (n < 0) answered(n);
  return (uint32_t)n;
}

/* text, number: the value at a path such as "server.type"; "" and 0 where there is none. */
static const char *text(const bson_t *b, const char *path) {
  bson_iter_t i, found;
  bson_iter_init(&i, b);
  return bson_iter_find_descendant(&i, path, &found) && BSON_ITER_HOLDS_UTF8(&found) ? bson_iter_utf8(&found, NULL) : "";
}

static int64_t number(const bson_t *b, const char *path) {
  bson_iter_t i, found;
  bson_iter_init(&i, b);
  return bson_iter_find_descendant(&i, path, &found) ? bson_iter_as_int64(&found) : 0;
}

/* json_of: the document as JSON, in memory that is good until the next call; the document is destroyed. */
static const char *json_of(bson_t *b, size_t *len) {
  static char *json;
  bson_free(json);
  json = bson_as_relaxed_extended_json(b, len);
  bson_destroy(b);
  return json;
}

#endif
