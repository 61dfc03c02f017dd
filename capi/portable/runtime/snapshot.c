#include "snapshot.h"

#include "memory.h"

static bool is_zero(const uint8_t *page) {
  return page[0] == 0 && memcmp(page, page + 1, READPREF_PAGE - 1) == 0;
}

/* find_runs lists the runs of pages that are not zero, into runs unless that is NULL, and returns how many there are. */
static size_t find_runs(const wasm_rt_memory_t *memory, readpref_run *runs, size_t *image_size) {
  size_t page, count = 0, offset = 0;
  bool in_run = false;
  for (page = 0; page < memory->pages; page++) {
    bool wanted = !is_zero(memory->data + page * READPREF_PAGE);
    if (wanted && !in_run) {
      count++;
      if (runs != NULL) {
        runs[count - 1].address = page * READPREF_PAGE;
        runs[count - 1].offset = offset;
        runs[count - 1].size = 0;
      }
    }
    if (wanted) {
      offset += READPREF_PAGE;
      if (runs != NULL) runs[count - 1].size += READPREF_PAGE;
    }
    in_run = wanted;
  }
  *image_size = offset;
  return count;
}

static void fill_image(uint8_t *bytes, const void *from) {
  const readpref_snapshot *s = from;
  size_t i;
  for (i = 0; i < s->run_count; i++) {
    memcpy(bytes + s->runs[i].offset, s->instance.module.w2c_memory.data + s->runs[i].address, s->runs[i].size);
  }
}

bool readpref_snapshot_take(readpref_snapshot *snapshot, const readpref_instance *instance) {
  size_t size;
  snapshot->instance = *instance;
  snapshot->run_count = find_runs(&instance->module.w2c_memory, NULL, &size);
  snapshot->runs = malloc(snapshot->run_count * sizeof *snapshot->runs);
  if (snapshot->runs == NULL) return false;
  find_runs(&instance->module.w2c_memory, snapshot->runs, &size);
  if (!readpref_image_make(&snapshot->image, size, fill_image, snapshot)) {
    free(snapshot->runs);
    snapshot->runs = NULL;
    return false;
  }
  snapshot->instance.module.w2c_memory.data = NULL; /* that memory is the instance's */
  return true;
}

bool readpref_snapshot_restore(const readpref_snapshot *snapshot, readpref_instance *instance) {
  wasm_rt_memory_t *memory = &instance->module.w2c_memory;
  size_t i;
  *instance = snapshot->instance;
  instance->module.w2c_wasi__snapshot__preview1_instance = &instance->host;
  instance->host.module = &instance->module;
  if (!readpref_memory_reserve(memory, snapshot->instance.module.w2c_memory.pages, snapshot->instance.module.w2c_memory.max_pages)) return false;
  for (i = 0; i < snapshot->run_count; i++) {
    const readpref_run *r = &snapshot->runs[i];
    readpref_image_map(&snapshot->image, r->offset, memory->data + r->address, r->size);
  }
  return true;
}

void readpref_snapshot_free(readpref_snapshot *snapshot) {
  readpref_image_free(&snapshot->image);
  free(snapshot->runs);
  snapshot->runs = NULL;
}
