#include "fork.h"

#include "handles.h"
#include "service.h"

unsigned readpref_forks;

#if !defined(_WIN32)
static void before(void) {
  readpref_lock_take(&readpref_opening);
  readpref_service_before_fork();
  readpref_handles_before_fork();
}

static void in_parent(void) {
  readpref_handles_after_fork_in_parent();
  readpref_service_after_fork_in_parent();
  readpref_lock_give(&readpref_opening);
}

static void in_child(void) {
  static const readpref_lock fresh = READPREF_LOCK_INIT;
  readpref_forks++;
  readpref_handles_after_fork_in_child();
  readpref_service_after_fork_in_child();
  readpref_opening = fresh;
}

#if defined(__GLIBC__)
/* glibc's pthread_atfork names the library that dlclose then forgets the handlers of, but only where gcc's start files come
   along, and release builds have none. So this library has a name of its own, and says when it goes. */
int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);
void __cxa_finalize(void *);
static char library;

static int register_handlers(void) {
  return __register_atfork(before, in_parent, in_child, &library);
}

__attribute__((destructor)) static void forget_handlers(void) {
  __cxa_finalize(&library);
}
#else
static int register_handlers(void) {
  return pthread_atfork(before, in_parent, in_child);
}
#endif

bool readpref_fork_watch(void) {
  static bool watched;
  if (!watched) watched = register_handlers() == 0;
  return watched;
}

/* When the library is loaded, so that no lock is taken before; without memory the first call tries again. */
__attribute__((constructor)) static void watch_from_the_start(void) {
  readpref_fork_watch();
}
#else
bool readpref_fork_watch(void) {
  return true;
}
#endif
