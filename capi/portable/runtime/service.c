#include "service.h"

#include "error_document.h"
#include "lock.h"
#include "snapshot.h"
#include "trap.h"

/* What the instance may keep, in bytes, of the memory that a huge document made it take. */
enum { KEPT = 64 << 20 };

static struct {
  readpref_lock lock;  /* over all the rest */
  bool hooked;         /* fork is looked after */
  bool started;        /* there is a snapshot */
  bool ready;          /* there is an instance */
  readpref_snapshot snapshot;
  readpref_instance instance;
} service = {.lock = READPREF_LOCK_INIT};

#if !defined(_WIN32)
/* A fork in the middle of another thread's call would leave the child with half a call done and a lock that nobody gives
   back. So fork waits for the call, and the child begins with an instance at rest and a fresh lock. */
static void before_fork(void) {
  readpref_lock_take(&service.lock);
}

static void after_fork_in_parent(void) {
  readpref_lock_give(&service.lock);
}

static void after_fork_in_child(void) {
  static const readpref_lock fresh = READPREF_LOCK_INIT;
  service.lock = fresh;
}

static bool hook_fork(void) {
  return pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
}
#else
static bool hook_fork(void) {
  return true;
}
#endif

/* start makes the snapshot: a first instance is started from the module, and others begin where it is then. */
static int start(readpref_instance *first) {
  int trap;
  if (!service.hooked) service.hooked = hook_fork();
  if (!service.hooked) return READPREF_TRAP_NO_MEMORY;
  trap = readpref_instance_start(first);
  if (trap == WASM_RT_TRAP_NONE && !readpref_snapshot_take(&service.snapshot, first)) trap = READPREF_TRAP_NO_MEMORY;
  if (trap != WASM_RT_TRAP_NONE) wasm_rt_free_funcref_table(&first->module.w2c_T0);
  readpref_instance_free(first);
  service.started = trap == WASM_RT_TRAP_NONE;
  return trap;
}

static int make_ready(void) {
  int trap = service.started ? WASM_RT_TRAP_NONE : start(&service.instance);
  if (trap != WASM_RT_TRAP_NONE) return trap;
  service.ready = readpref_snapshot_restore(&service.snapshot, &service.instance);
  return service.ready ? WASM_RT_TRAP_NONE : READPREF_TRAP_NO_MEMORY;
}

static void drop_instance(void) {
  readpref_instance_free(&service.instance);
  service.ready = false;
}

int32_t readpref_service_call(const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  int32_t n = 0;
  int trap;
  readpref_lock_take(&service.lock);
  trap = service.ready ? WASM_RT_TRAP_NONE : make_ready();
  if (trap == WASM_RT_TRAP_NONE) {
    trap = readpref_instance_call(&service.instance, method, method_len, in, in_len, out, cap, &n);
    if (trap != WASM_RT_TRAP_NONE) {
      n = readpref_error_document(readpref_trap_text(trap), service.instance.host.text, service.instance.host.text_len, out, cap);
    }
    /* The next call gets another instance from the snapshot. */
    if (trap != WASM_RT_TRAP_NONE || service.instance.module.w2c_memory.size > KEPT) drop_instance();
  } else {
    n = readpref_error_document("the engine could not start", readpref_trap_text(trap), strlen(readpref_trap_text(trap)), out, cap);
  }
  readpref_lock_give(&service.lock);
  return n;
}

#if defined(__GNUC__)
/* dlclose takes everything along. At the end of the process other threads may still be calling: then it stays. */
__attribute__((destructor)) static void unload(void) {
  if (!readpref_lock_try(&service.lock)) return;
  if (service.ready) drop_instance();
  if (service.started) {
    wasm_rt_free_funcref_table(&service.snapshot.instance.module.w2c_T0);
    readpref_snapshot_free(&service.snapshot);
    service.started = false;
  }
  readpref_lock_give(&service.lock);
}
#endif
