#include "memory.h"

#include "pages.h"

bool readpref_memory_reserve(wasm_rt_memory_t *memory, uint64_t pages, uint64_t max_pages) {
  if (max_pages > READPREF_MAX_PAGES) max_pages = READPREF_MAX_PAGES;
  memory->data = NULL;
  memory->depth = 0;
  for (; max_pages >= pages; max_pages /= 2) { /* a host may run under a limit of address space */
    memory->data = readpref_pages_reserve((size_t)max_pages * READPREF_PAGE);
    if (memory->data != NULL) break;
  }
  if (memory->data == NULL) return false;
  memory->max_pages = max_pages;
  memory->pages = pages;
  memory->size = pages * READPREF_PAGE;
  if (readpref_pages_commit(memory->data, (size_t)memory->size)) return true;
  wasm_rt_free_memory(memory);
  return false;
}

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint64_t pages, uint64_t max_pages, bool is64, uint32_t page_size) {
  (void)is64;
  (void)page_size;
  if (!readpref_memory_reserve(memory, pages, max_pages)) wasm_rt_trap(READPREF_TRAP_NO_MEMORY);
}

/* What a refusal returns is the module's to handle: Go's runtime then says that it is out of memory, and ends itself. */
uint64_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint64_t pages) {
  uint64_t before = memory->pages;
  if (pages > memory->max_pages - before) return UINT32_MAX;
  if (!readpref_pages_commit(memory->data + memory->size, (size_t)pages * READPREF_PAGE)) return UINT32_MAX;
  memory->pages += pages;
  memory->size += pages * READPREF_PAGE;
  return before;
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory) {
  readpref_pages_release(memory->data, (size_t)memory->max_pages * READPREF_PAGE);
  memory->data = NULL;
}
