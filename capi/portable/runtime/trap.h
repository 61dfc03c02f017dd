/* A trap in the module leaves it at once and ends the guarded call that this thread is in. */
#ifndef READPREF_TRAP_H
#define READPREF_TRAP_H

#include <setjmp.h>

#include "wasm-rt.h"

/* Where a trap of this thread lands. Calls of different threads run at the same time, each in an instance of its own. */
extern _Thread_local jmp_buf *readpref_trap_target;

/* The signal mask is the host's and stays as it is, which also makes this cheap. */
#if defined(_WIN32)
/* Without a frame longjmp restores the registers and unwinds nothing, as it does elsewhere. */
#define READPREF_SETJMP(buffer) _setjmp(buffer, NULL)
#define READPREF_LONGJMP(buffer, value) longjmp(buffer, value)
#else
#define READPREF_SETJMP(buffer) _setjmp(buffer)
#define READPREF_LONGJMP(buffer, value) _longjmp(buffer, value)
#endif

/* The address of a thread's variable is a call where a library is loaded later than its host. This keeps the compiler from
   making it anew for each use. */
#define READPREF_ONCE(pointer) __asm__("" : "+r"(pointer))

/* READPREF_GUARD(trap, statement) runs the statement. trap, an int, is WASM_RT_TRAP_NONE or why it did not come to its
   end. The statement must not leave by itself, and what it assigns counts only where it came to its end. */
#define READPREF_GUARD(trap, statement)                    \
  do {                                                     \
    jmp_buf guard_here_, **target_ = &readpref_trap_target;\
    READPREF_ONCE(target_);                                \
    (trap) = READPREF_SETJMP(guard_here_);                 \
    if ((trap) == WASM_RT_TRAP_NONE) {                     \
      *target_ = &guard_here_;                             \
      statement;                                           \
    }                                                      \
    *target_ = NULL;                                       \
  } while (0)

/* readpref_trap_text says what a trap is, in a few words of ASCII. */
const char *readpref_trap_text(int trap);

#endif
