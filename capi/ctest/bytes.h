/* A growing buffer of bytes. Being out of memory ends the program: the testee has nothing else to do then. */
#ifndef BYTES_H
#define BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint8_t *p;
  size_t len, cap;
} bytes;

/* bytes_room makes room for n more bytes and returns where they go. */
static uint8_t *bytes_room(bytes *b, size_t n) {
  if (b->cap - b->len < n || b->p == NULL) {
    size_t cap = b->cap < 4096 ? 4096 : b->cap;
    while (cap - b->len < n) {
      if (cap > SIZE_MAX / 2) {
        fprintf(stderr, "buffer too large\n");
        exit(EXIT_FAILURE);
      }
      cap *= 2;
    }
    b->p = realloc(b->p, cap);
    if (b->p == NULL) {
      fprintf(stderr, "out of memory\n");
      exit(EXIT_FAILURE);
    }
    b->cap = cap;
  }
  return b->p + b->len;
}

static void bytes_add(bytes *b, const void *p, size_t n) {
  uint8_t *to = bytes_room(b, n);
  if (n > 0) memcpy(to, p, n);
  b->len += n;
}

static void bytes_add_text(bytes *b, const char *text) {
  bytes_add(b, text, strlen(text));
}

#endif
