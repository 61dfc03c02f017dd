/* The memory of an instance: reserved at its largest, so that it never moves, and committed as it grows. */
#ifndef READPREF_MEMORY_H
#define READPREF_MEMORY_H

#include "wasm-rt.h"

enum { READPREF_PAGE = 65536 };

/* The most an instance may grow to, in pages: 1 GiB. README.md says what of it the largest documents need. */
#ifndef READPREF_MAX_PAGES
#define READPREF_MAX_PAGES 16384
#endif

/* readpref_memory_reserve gives memory address space for max_pages, or for half of that, and so on, where the system has
   no more, but for pages at least; all of them are committed. False: not even that. */
bool readpref_memory_reserve(wasm_rt_memory_t *memory, uint64_t pages, uint64_t max_pages);

#endif
