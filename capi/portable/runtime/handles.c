#include "handles.h"

#include "pages.h"

enum { PAGES = READPREF_MAX_SLOTS / READPREF_SLOT_PAGE, PAGE_BYTES = READPREF_SLOT_PAGE * (int)sizeof(readpref_slot), GENERATIONS = 1 << 13 };

_Atomic(readpref_slot *) readpref_slot_pages[PAGES];
readpref_lock readpref_opening = READPREF_LOCK_INIT;

static struct {
  readpref_lock lock;                 /* over all the rest */
  uint32_t next;                      /* slots that were never used begin here */
  uint32_t free_count;
  uint16_t free[READPREF_MAX_SLOTS]; /* closed slots, to use again, the last one first */
} table = {.lock = READPREF_LOCK_INIT};

void readpref_handles_lock(void) {
  readpref_lock_take(&table.lock);
}

void readpref_handles_unlock(void) {
  readpref_lock_give(&table.lock);
}

static readpref_slot *slot_at(uint32_t i) {
  return &atomic_load_explicit(&readpref_slot_pages[i / READPREF_SLOT_PAGE], memory_order_relaxed)[i % READPREF_SLOT_PAGE];
}

/* make_page is called by who opens, one at a time. */
static bool make_page(uint32_t number) {
  static const readpref_lock fresh = READPREF_LOCK_INIT;
  readpref_slot *page = (readpref_slot *)(void *)readpref_pages_reserve(PAGE_BYTES);
  uint32_t i;
  if (page == NULL) return false;
  if (!readpref_pages_commit((uint8_t *)page, PAGE_BYTES)) {
    readpref_pages_release((uint8_t *)page, PAGE_BYTES);
    return false;
  }
  for (i = 0; i < READPREF_SLOT_PAGE; i++) page[i].lock = fresh;
  atomic_store_explicit(&readpref_slot_pages[number], page, memory_order_release);
  return true;
}

bool readpref_handle_take(uint32_t kind, uint32_t *handle) {
  uint32_t i;
  bool ok = true;
  *handle = 0;
  readpref_lock_take(&table.lock);
  if (table.free_count > 0) {
    i = table.free[--table.free_count];
  } else if (table.next < READPREF_MAX_SLOTS) {
    i = table.next;
    ok = i % READPREF_SLOT_PAGE != 0 || readpref_slot_pages[i / READPREF_SLOT_PAGE] != NULL || make_page(i / READPREF_SLOT_PAGE);
    table.next += ok;
  } else {
    i = READPREF_MAX_SLOTS;
  }
  if (ok && i < READPREF_MAX_SLOTS) *handle = kind << READPREF_KIND_SHIFT | (uint32_t)slot_at(i)->generation << READPREF_SLOT_BITS | i;
  readpref_lock_give(&table.lock);
  return ok;
}

void readpref_handle_give_back(uint32_t handle) {
  readpref_lock_take(&table.lock);
  table.free[table.free_count++] = (uint16_t)readpref_slot_of(handle);
  readpref_lock_give(&table.lock);
}

void readpref_handle_publish(uint32_t handle, void *opened) {
  readpref_slot *slot = slot_at(readpref_slot_of(handle));
  readpref_lock_take(&table.lock);
  slot->opened = opened;
  atomic_store_explicit(&slot->handle, handle, memory_order_release);
  readpref_lock_give(&table.lock);
}

void *readpref_handle_close(uint32_t handle) {
  uint32_t kind = handle >> READPREF_KIND_SHIFT;
  readpref_slot *slot;
  void *opened = NULL;
  readpref_lock_take(&table.lock);
  slot = kind != 0 ? readpref_handle_find(handle, kind) : NULL;
  if (slot != NULL) {
    opened = slot->opened;
    slot->opened = NULL;
    atomic_store_explicit(&slot->handle, 0, memory_order_release);
    if (++slot->generation < GENERATIONS) table.free[table.free_count++] = (uint16_t)readpref_slot_of(handle);
  }
  readpref_lock_give(&table.lock);
  return opened;
}

/* No slot becomes one in between, since who forks holds readpref_opening. */
void readpref_handles_before_fork(void) {
  uint32_t i;
  for (i = 0; i < table.next; i++) readpref_lock_take(&slot_at(i)->lock);
  readpref_lock_take(&table.lock);
}

void readpref_handles_after_fork_in_parent(void) {
  uint32_t i;
  readpref_lock_give(&table.lock);
  for (i = 0; i < table.next; i++) readpref_lock_give(&slot_at(i)->lock);
}

void readpref_handles_after_fork_in_child(void) {
  static const readpref_lock fresh = READPREF_LOCK_INIT;
  uint32_t i;
  table.lock = fresh;
  for (i = 0; i < table.next; i++) slot_at(i)->lock = fresh;
}

static bool nothing_open(void) {
  uint32_t i;
  for (i = 0; i < table.next; i++) {
    if (atomic_load(&slot_at(i)->handle) != 0) return false;
  }
  return true;
}

bool readpref_handles_unload(void) {
  bool all;
  uint32_t i;
  if (!readpref_lock_try(&readpref_opening)) return false;
  all = nothing_open();
  for (i = 0; all && i < PAGES; i++) {
    readpref_slot *page = atomic_exchange(&readpref_slot_pages[i], NULL);
    if (page != NULL) readpref_pages_release((uint8_t *)page, PAGE_BYTES);
  }
  if (all) table.next = table.free_count = 0;
  readpref_lock_give(&readpref_opening);
  return all;
}
