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

/* READPREF_GUARD(trap, statement) runs the statement. trap, an int, is WASM_RT_TRAP_NONE or why it did not come to its
   end. The statement must not leave by itself, and what it assigns counts only where it came to its end. */
#define READPREF_GUARD(trap, statement)           \
  do {                                            \
    jmp_buf guard_here_;                          \
    (trap) = READPREF_SETJMP(guard_here_);        \
    if ((trap) == WASM_RT_TRAP_NONE) {            \
      readpref_trap_target = &guard_here_;        \
      statement;                                  \
    }                                             \
    readpref_trap_target = NULL;                  \
  } while (0)

/* readpref_trap_text says what a trap is, in a few words of ASCII. */
const char *readpref_trap_text(int trap);

#endif
