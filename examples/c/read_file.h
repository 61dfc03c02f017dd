/* read_file: the whole file, and its length. readpref takes bytes with a length: no NUL is needed at the end. */
#ifndef EXAMPLES_READ_FILE_H
#define EXAMPLES_READ_FILE_H

#include <stdio.h>
#include <stdlib.h>

#include "readpref.h"

static uint8_t *read_file(const char *name, size_t *len) {
  FILE *f = fopen(name, "rb");
  uint8_t *bytes = malloc(RP_MAX_DOCUMENT + 1); /* one byte over the limit: the library then says that it is too large */
  if (f == NULL || bytes == NULL) {
    perror(name);
    exit(2);
  }
  *len = fread(bytes, 1, RP_MAX_DOCUMENT + 1, f);
  if (ferror(f)) {
    perror(name);
    exit(2);
  }
  fclose(f);
  return bytes;
}

#endif
