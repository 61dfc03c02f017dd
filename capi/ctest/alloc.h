#ifndef ALLOC_H
#define ALLOC_H

#include <stdio.h>
#include <stdlib.h>

/* check_alloc is malloc for tests, which have nothing to do without memory. */
static void *check_alloc(size_t n) {
  void *p = malloc(n == 0 ? 1 : n);
  if (p == NULL) {
    fprintf(stderr, "out of memory\n");
    abort();
  }
  return p;
}

#endif
