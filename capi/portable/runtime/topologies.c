#include "topologies.h"

#include "entropy.h"
#include "error_document.h"
#include "fork.h"
#include "preferences.h"
#include "service.h"
#include "trap.h"

enum { PAGES = READPREF_MAX_SLOTS / READPREF_SLOT_PAGE, FIRST_SWEEP = 64 };

struct readpref_topology {
  readpref_instance instance;
  uint32_t handle;
  unsigned forks;               /* how many this process had seen when the random state was last its own */
  uint32_t *opened[PAGES];      /* the preferences that are open in the instance, by slot; 0 is none */
  uint32_t opened_count, sweep; /* closed ones are looked for when there are so many */
  readpref_preference *borrowed;
};

void readpref_topology_free(readpref_topology *t) {
  size_t i;
  if (t == NULL) return;
  if (t->borrowed != NULL) readpref_preference_return(t->borrowed);
  for (i = 0; i < PAGES; i++) free(t->opened[i]);
  readpref_instance_free(&t->instance);
  free(t);
}

readpref_instance *readpref_topology_instance(readpref_topology *t) {
  return &t->instance;
}

/* open_in makes an instance and opens the topology in it. It takes the instance's own words for what is wrong. */
static readpref_topology *open_in(const readpref_job *job, uint32_t handle, int32_t *n) {
  readpref_job open = *job;
  readpref_topology *t = calloc(1, sizeof *t);
  int trap = t == NULL ? READPREF_TRAP_NO_MEMORY : readpref_service_instance(&t->instance);
  if (trap != WASM_RT_TRAP_NONE) {
    free(t);
    *n = readpref_no_start_document(readpref_trap_text(trap), job->out, job->cap);
    return NULL;
  }
  open.handle = t->handle = handle;
  t->sweep = FIRST_SWEEP;
  t->forks = readpref_forks;
  trap = readpref_instance_run(&t->instance, &open, n);
  if (trap != WASM_RT_TRAP_NONE) *n = readpref_job_failed(&open, trap, &t->instance);
  if (*n == 0) return t;
  readpref_topology_free(t);
  return NULL;
}

/* open_next opens with the slot that is next, under readpref_opening. */
static int32_t open_next(const readpref_job *job, uint32_t *handle) {
  readpref_topology *t;
  int32_t n = 0;
  if (!readpref_handle_take(READPREF_TOPOLOGY, handle)) return readpref_no_memory_document(job->out, job->cap);
  t = open_in(job, *handle != 0 ? *handle : (uint32_t)READPREF_TOPOLOGY << READPREF_KIND_SHIFT, &n);
  if (t == NULL) {
    if (*handle != 0) readpref_handle_give_back(*handle);
    return n;
  }
  if (*handle == 0) {
    readpref_topology_free(t);
    return readpref_too_many_document(job->out, job->cap);
  }
  readpref_handle_publish(*handle, t);
  return 0;
}

int32_t readpref_topology_open(const readpref_job *job, uint32_t *handle) {
  int32_t n;
  readpref_lock_take(&readpref_opening);
  n = open_next(job, handle);
  readpref_lock_give(&readpref_opening);
  return n;
}

int32_t readpref_topology_close(uint32_t handle) {
  readpref_slot *slot = readpref_handle_lock(handle, READPREF_TOPOLOGY);
  readpref_topology *t;
  if (slot == NULL) return RP_E_HANDLE;
  t = readpref_handle_close(handle);
  readpref_lock_give(&slot->lock);
  readpref_topology_free(t);
  return 0;
}

/* opened_at is where the instance's preference of a handle's slot is noted. */
static inline uint32_t *opened_at(const readpref_topology *t, uint32_t preference) {
  uint32_t i = readpref_slot_of(preference), *page = t->opened[i / READPREF_SLOT_PAGE];
  return page == NULL ? NULL : &page[i % READPREF_SLOT_PAGE];
}

static void close_in(readpref_topology *t, uint32_t *noted) {
  w2c_readpref_rp_close_as(&t->instance.module, *noted);
  *noted = 0;
  t->opened_count--;
}

/* sweep closes in the instance what the host has closed. */
static void sweep(readpref_topology *t) {
  size_t page, i;
  for (page = 0; page < PAGES; page++) {
    for (i = 0; t->opened[page] != NULL && i < READPREF_SLOT_PAGE; i++) {
      uint32_t *noted = &t->opened[page][i];
      if (*noted != 0 && !readpref_preference_is_open(*noted)) close_in(t, noted);
    }
  }
  t->sweep = t->opened_count < FIRST_SWEEP / 2 ? FIRST_SWEEP : 2 * t->opened_count;
}

/* open_preference opens one in the instance; a trap leaves it borrowed, for readpref_topology_free. */
static void open_preference(readpref_topology *t, uint32_t handle) {
  uint32_t **page = &t->opened[readpref_slot_of(handle) / READPREF_SLOT_PAGE], *noted;
  uint8_t out[RP_MIN_BUFFER];
  readpref_job job = {.function = READPREF_OPEN_AS, .handle = handle, .in = t->borrowed->document, .in_len = t->borrowed->len, .out = out, .cap = sizeof out};
  if (t->opened_count >= t->sweep) sweep(t);
  if (*page == NULL) *page = calloc(READPREF_SLOT_PAGE, sizeof **page);
  if (*page == NULL) wasm_rt_trap(READPREF_TRAP_NO_MEMORY);
  if (readpref_instance_do(&t->instance, &job) != 0) wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE); /* it was right once */
  noted = opened_at(t, handle);
  t->opened_count += *noted == 0; /* else it took the place of one that was closed */
  *noted = handle;
}

/* settle lets the instance have the preference exactly where it is open. */
static READPREF_COLD void settle(readpref_topology *t, uint32_t handle) {
  uint32_t *noted = opened_at(t, handle);
  t->borrowed = readpref_preference_borrow(handle);
  if (t->borrowed != NULL) {
    open_preference(t, handle);
    readpref_preference_return(t->borrowed);
    t->borrowed = NULL;
  } else if (noted != NULL && *noted == handle) {
    close_in(t, noted);
  }
}

/* reseed: a child that went on with its parent's random state would pick what the parent picks. */
static READPREF_COLD void reseed(readpref_topology *t) {
  uint64_t entropy;
  if (!readpref_entropy(&entropy, sizeof entropy)) wasm_rt_trap(READPREF_TRAP_NO_ENTROPY);
  w2c_readpref_rp_reseed(&t->instance.module, t->handle, (uint32_t)entropy, (uint32_t)(entropy >> 32));
  t->forks = readpref_forks;
}

/* ready makes the instance fit for a call with this preference, 0 being none. It runs under a guard. */
static inline void ready(readpref_topology *t, uint32_t preference) {
  const uint32_t *noted;
  if (UNLIKELY(t->forks != readpref_forks)) reseed(t);
  if (preference == 0) return;
  noted = opened_at(t, preference);
  if (UNLIKELY(noted == NULL || *noted != preference || !readpref_preference_is_open(preference))) settle(t, preference);
}

/* died ends a topology whose instance trapped: the handle is closed. */
static int32_t died(readpref_slot *slot, const readpref_job *job, int trap) {
  readpref_topology *t = slot->opened;
  int32_t n = readpref_job_failed(job, trap, &t->instance);
  readpref_handle_close(t->handle);
  readpref_topology_free(t);
  return n;
}

static int32_t run(readpref_topology *t, const readpref_job *job) {
  ready(t, job->preference);
  return readpref_instance_do(&t->instance, job);
}

/* run_guarded stands alone so that no value is alive over the guard. */
static int run_guarded(readpref_topology *t, const readpref_job *job, int32_t *n) {
  int trap;
  READPREF_GUARD(trap, *n = run(t, job));
  return trap;
}

int32_t readpref_topology_run(const readpref_job *job) {
  readpref_slot *slot = readpref_handle_lock(job->handle, READPREF_TOPOLOGY);
  int32_t n = 0;
  int trap;
  if (slot == NULL) return readpref_service_run(job);
  trap = run_guarded(slot->opened, job, &n);
  if (trap != WASM_RT_TRAP_NONE) n = died(slot, job, trap);
  readpref_lock_give(&slot->lock);
  return n;
}

static int select_guarded(readpref_topology *t, uint32_t preference, uint32_t flags, int32_t *id) {
  int trap;
  READPREF_GUARD(trap, ready(t, preference); *id = (int32_t)w2c_readpref_rp_pick(&t->instance.module, preference, flags));
  return trap;
}

/* no_selection answers where the handle is not open (slot NULL), or the instance trapped. */
static READPREF_COLD int32_t no_selection(readpref_slot *slot, uint32_t topology, uint32_t preference, uint32_t flags, int trap) {
  const readpref_job job = {.function = READPREF_SELECT, .handle = topology, .preference = preference, .number = flags};
  return slot == NULL ? readpref_service_run(&job) : died(slot, &job, trap);
}

int32_t readpref_topology_select(uint32_t topology, uint32_t preference, uint32_t flags) {
  readpref_slot *slot = readpref_handle_lock(topology, READPREF_TOPOLOGY);
  int32_t id = 0;
  int trap;
  if (UNLIKELY(slot == NULL)) return no_selection(NULL, topology, preference, flags, WASM_RT_TRAP_NONE);
  trap = select_guarded(slot->opened, preference, flags, &id);
  if (UNLIKELY(trap != WASM_RT_TRAP_NONE)) id = no_selection(slot, topology, preference, flags, trap);
  readpref_lock_give(&slot->lock);
  return id;
}
