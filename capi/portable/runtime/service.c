#include "service.h"

#include "error_document.h"
#include "fork.h"
#include "lock.h"
#include "snapshot.h"
#include "trap.h"

/* What the instance may keep, in bytes, of the memory that a huge document made it take. */
enum { KEPT = 64 << 20 };

static struct {
  readpref_lock lock; /* over all the rest */
  bool started;       /* there is a snapshot */
  bool ready;         /* there is an instance */
  readpref_snapshot snapshot;
  readpref_instance instance;
} service = {.lock = READPREF_LOCK_INIT};

/* start makes the snapshot: a first instance is started from the module, and others begin where it is then. */
static int start(readpref_instance *first) {
  int trap;
  if (!readpref_fork_watch()) return READPREF_TRAP_NO_MEMORY;
  trap = readpref_instance_start(first);
  if (trap == WASM_RT_TRAP_NONE && !readpref_snapshot_take(&service.snapshot, first)) trap = READPREF_TRAP_NO_MEMORY;
  if (trap != WASM_RT_TRAP_NONE) wasm_rt_free_funcref_table(&first->module.w2c_T0);
  readpref_instance_free(first);
  service.started = trap == WASM_RT_TRAP_NONE;
  return trap;
}

/* make_instance restores one; first is where the very first may be started. */
static int make_instance(readpref_instance *instance) {
  int trap = service.started ? WASM_RT_TRAP_NONE : start(instance);
  if (trap != WASM_RT_TRAP_NONE) return trap;
  return readpref_snapshot_restore(&service.snapshot, instance) ? WASM_RT_TRAP_NONE : READPREF_TRAP_NO_MEMORY;
}

int readpref_service_instance(readpref_instance *instance) {
  int trap;
  readpref_lock_take(&service.lock);
  trap = make_instance(instance);
  readpref_lock_give(&service.lock);
  return trap;
}

static void drop_instance(void) {
  readpref_instance_free(&service.instance);
  service.ready = false;
}

/* begin takes the lock and makes the instance ready; end gives the lock back, and another instance from the snapshot to
   the next call where this one trapped or grew. */
static int begin(void) {
  int trap = WASM_RT_TRAP_NONE;
  readpref_lock_take(&service.lock);
  if (!service.ready) {
    trap = make_instance(&service.instance);
    service.ready = trap == WASM_RT_TRAP_NONE;
  }
  return trap;
}

static void end(int trap) {
  if (service.ready && (trap != WASM_RT_TRAP_NONE || service.instance.module.w2c_memory.size > KEPT)) drop_instance();
  readpref_lock_give(&service.lock);
}

/* no_start answers a job for which there is no instance. */
static int32_t no_start(const readpref_job *job, int trap) {
  if (job->function == READPREF_GENERATION) return 0;
  if (job->function >= READPREF_SELECT) return RP_E_INTERNAL;
  return readpref_no_start_document(readpref_trap_text(trap), job->out, job->cap);
}

int32_t readpref_service_run(const readpref_job *job) {
  int32_t n = 0;
  int trap = begin();
  if (trap != WASM_RT_TRAP_NONE) {
    n = no_start(job, trap);
  } else {
    trap = readpref_instance_run(&service.instance, job, &n);
    if (trap != WASM_RT_TRAP_NONE) n = readpref_job_failed(job, trap, &service.instance);
  }
  end(trap);
  return n;
}

static int32_t try_open(const readpref_job *open, const readpref_job *then) {
  int32_t n = readpref_instance_do(&service.instance, open);
  if (n != 0 && then != NULL) wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE); /* who has a second job opens what is known to be right */
  if (n != 0) return n;
  if (then != NULL) n = readpref_instance_do(&service.instance, then);
  w2c_readpref_rp_close_as(&service.instance.module, open->handle);
  return n;
}

static int try_guarded(const readpref_job *open, const readpref_job *then, int32_t *n) {
  int trap;
  READPREF_GUARD(trap, *n = try_open(open, then));
  return trap;
}

int32_t readpref_service_try(const readpref_job *open, const readpref_job *then) {
  const readpref_job *last = then != NULL ? then : open;
  int32_t n = 0;
  int trap = begin();
  if (trap != WASM_RT_TRAP_NONE) {
    n = no_start(last, trap);
  } else {
    trap = try_guarded(open, then, &n);
    if (trap != WASM_RT_TRAP_NONE) n = readpref_job_failed(last, trap, &service.instance);
  }
  end(trap);
  return n;
}

static int handles_of_guarded(const readpref_job *call, uint64_t *handles) {
  int trap;
  READPREF_GUARD(trap, *handles = readpref_instance_handles_of(&service.instance, call));
  return trap;
}

uint64_t readpref_service_handles_of(const readpref_job *call) {
  uint64_t handles = 0;
  int trap = begin();
  if (trap == WASM_RT_TRAP_NONE) trap = handles_of_guarded(call, &handles);
  end(trap);
  return handles;
}

void readpref_service_before_fork(void) {
  readpref_lock_take(&service.lock);
}

void readpref_service_after_fork_in_parent(void) {
  readpref_lock_give(&service.lock);
}

void readpref_service_after_fork_in_child(void) {
  static const readpref_lock fresh = READPREF_LOCK_INIT;
  service.lock = fresh;
}

void readpref_service_unload(void) {
  if (!readpref_lock_try(&service.lock)) return;
  if (service.ready) drop_instance();
  if (service.started) {
    wasm_rt_free_funcref_table(&service.snapshot.instance.module.w2c_T0);
    readpref_snapshot_free(&service.snapshot);
    service.started = false;
  }
  readpref_lock_give(&service.lock);
}
