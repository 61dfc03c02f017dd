/* The ten functions of WASI preview 1 that Go's runtime imports, as far as an engine needs them that does no I/O. */
#ifndef READPREF_WASI_H
#define READPREF_WASI_H

#include "readpref_module.h"

enum { READPREF_TEXT = 256 };

struct w2c_wasi__snapshot__preview1 {
  w2c_readpref *module;
  uint32_t text_len;
  char text[READPREF_TEXT]; /* the start of what the module wrote to stderr, which Go does only before it ends itself */
};

#endif
