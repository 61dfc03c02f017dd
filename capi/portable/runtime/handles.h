/*
 * The handles of the process. A handle is 0 | kind 2 bits | generation 13 | slot 16, as in core/abi/table.go, which gives
 * out the same numbers for the same sequence of opens and closes.
 *
 * Locks are taken in this order: readpref_opening, the service's, a slot's, the table's own. Slots are never freed, so a
 * handle is looked up without a lock.
 */
#ifndef READPREF_HANDLES_H
#define READPREF_HANDLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lock.h"

enum {
  READPREF_TOPOLOGY = 1,
  READPREF_PREFERENCE = 2,
  READPREF_SLOT_BITS = 16,
  READPREF_KIND_SHIFT = 29,
  READPREF_MAX_SLOTS = 1 << READPREF_SLOT_BITS,
  READPREF_SLOT_PAGE = 256 /* slots come so many at a time */
};

/* Each slot has a cache line of its own: threads that work with different topologies do not meet. */
typedef struct {
  _Alignas(64) readpref_lock lock; /* over what a topology's handle stands for */
  _Atomic uint32_t handle;         /* what is open here; 0 is nothing */
  uint16_t generation;             /* of the next handle; under the table's lock */
  void *opened;                    /* a preference's is under the table's lock */
} readpref_slot;

extern _Atomic(readpref_slot *) readpref_slot_pages[READPREF_MAX_SLOTS / READPREF_SLOT_PAGE];

/* Who opens takes this first: opens come one after the other, and none is half done when the process forks. */
extern readpref_lock readpref_opening;

static inline uint32_t readpref_slot_of(uint32_t handle) {
  return handle % READPREF_MAX_SLOTS;
}

/* readpref_handle_find returns the slot of an open handle of this kind, or NULL. Without a lock it may be closed at once. */
static inline readpref_slot *readpref_handle_find(uint32_t handle, uint32_t kind) {
  uint32_t i = readpref_slot_of(handle);
  readpref_slot *page = atomic_load_explicit(&readpref_slot_pages[i / READPREF_SLOT_PAGE], memory_order_acquire);
  readpref_slot *slot;
  if (handle >> READPREF_KIND_SHIFT != kind || page == NULL) return NULL;
  slot = &page[i % READPREF_SLOT_PAGE];
  return atomic_load_explicit(&slot->handle, memory_order_acquire) == handle ? slot : NULL;
}

/* readpref_handle_lock is readpref_handle_find with the slot locked: it stays open until the lock is given back. */
static inline readpref_slot *readpref_handle_lock(uint32_t handle, uint32_t kind) {
  readpref_slot *slot = readpref_handle_find(handle, kind);
  if (slot == NULL) return NULL;
  readpref_lock_take(&slot->lock);
  if (atomic_load_explicit(&slot->handle, memory_order_relaxed) == handle) return slot;
  readpref_lock_give(&slot->lock);
  return NULL;
}

/* readpref_handle_take takes a free slot for the caller, who holds readpref_opening, to publish or give back. *handle is
   0 where all are taken or used up. False: no memory. */
bool readpref_handle_take(uint32_t kind, uint32_t *handle);
void readpref_handle_give_back(uint32_t handle);
void readpref_handle_publish(uint32_t handle, void *opened);

/* readpref_handle_close ends a topology's handle whose slot the caller has locked, or a preference's, and returns what it
   stood for, or NULL where it is not open. */
void *readpref_handle_close(uint32_t handle);

/* The table's lock, for what is counted under it. */
void readpref_handles_lock(void);
void readpref_handles_unlock(void);

/* Around a fork: all slots and the table are locked before, and fresh in the child. */
void readpref_handles_before_fork(void);
void readpref_handles_after_fork_in_parent(void);
void readpref_handles_after_fork_in_child(void);

/* readpref_handles_unload frees the table where nothing is open in it, and says whether it did. */
bool readpref_handles_unload(void);

#endif
