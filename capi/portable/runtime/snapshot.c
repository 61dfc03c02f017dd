#include "snapshot.h"

#include "memory.h"

static bool is_zero(const uint8_t *page) {
  return page[0] == 0 && memcmp(page, page + 1, READPREF_PAGE - 1) == 0;
}

/* A page of zeros is not written: where the image is a file, it takes no memory there. */
static void fill_image(uint8_t *bytes, const void *from) {
  const wasm_rt_memory_t *memory = from;
  size_t at;
  for (at = 0; at < memory->size; at += READPREF_PAGE) {
    if (!is_zero(memory->data + at)) memcpy(bytes + at, memory->data + at, READPREF_PAGE);
  }
}

bool readpref_snapshot_take(readpref_snapshot *snapshot, const readpref_instance *instance) {
  const wasm_rt_memory_t *memory = &instance->module.w2c_memory;
  if (!readpref_image_make(&snapshot->image, (size_t)memory->size, fill_image, memory)) return false;
  snapshot->instance = *instance;
  snapshot->instance.module.w2c_memory.data = NULL; /* that memory is the instance's */
  return true;
}

bool readpref_snapshot_restore(const readpref_snapshot *snapshot, readpref_instance *instance) {
  const wasm_rt_memory_t *then = &snapshot->instance.module.w2c_memory;
  wasm_rt_memory_t *memory = &instance->module.w2c_memory;
  *instance = snapshot->instance;
  instance->module.w2c_wasi__snapshot__preview1_instance = &instance->host;
  instance->host.module = &instance->module;
  if (!readpref_memory_reserve(memory, then->pages, then->max_pages)) return false;
  readpref_image_map(&snapshot->image, memory->data);
  return true;
}

void readpref_snapshot_free(readpref_snapshot *snapshot) {
  readpref_image_free(&snapshot->image);
}
