/* The table of functions. The module fills it when it starts and never changes it, so all instances use the first one's. */
#include "wasm-rt.h"

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table, uint32_t size, uint32_t max_size) {
  table->data = calloc(size, sizeof *table->data);
  table->size = size;
  table->max_size = max_size;
  if (table->data == NULL) wasm_rt_trap(READPREF_TRAP_NO_MEMORY);
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *table) {
  free(table->data);
  table->data = NULL;
}
