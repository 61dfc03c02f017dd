#include "trap.h"

_Thread_local jmp_buf *readpref_trap_target;

void wasm_rt_trap(wasm_rt_trap_t trap) {
  if (readpref_trap_target == NULL) abort(); /* the module runs under a guard only, so this is a fault of this library */
  READPREF_LONGJMP(*readpref_trap_target, (int)trap);
}

#define TRAP_FUNCTION(name) \
  void readpref_trap_##name(void) { wasm_rt_trap(WASM_RT_TRAP_##name); }
TRAP_FUNCTION(OOB)
TRAP_FUNCTION(INT_OVERFLOW)
TRAP_FUNCTION(DIV_BY_ZERO)
TRAP_FUNCTION(INVALID_CONVERSION)
TRAP_FUNCTION(UNREACHABLE)
TRAP_FUNCTION(CALL_INDIRECT)
TRAP_FUNCTION(NULL_REF)
TRAP_FUNCTION(EXHAUSTION)

const char *readpref_trap_text(int trap) {
  switch (trap) {
  case WASM_RT_TRAP_OOB: return "out of bounds memory access";
  case WASM_RT_TRAP_INT_OVERFLOW: return "integer overflow";
  case WASM_RT_TRAP_DIV_BY_ZERO: return "integer divide by zero";
  case WASM_RT_TRAP_INVALID_CONVERSION: return "invalid conversion to integer";
  case WASM_RT_TRAP_UNREACHABLE: return "unreachable code reached";
  case WASM_RT_TRAP_CALL_INDIRECT: return "invalid indirect call";
  case WASM_RT_TRAP_EXHAUSTION: return "calls nest too deep";
  case READPREF_TRAP_EXIT: return "the engine ended itself";
  case READPREF_TRAP_NO_MEMORY: return "out of memory";
  case READPREF_TRAP_NO_ENTROPY: return "no entropy after a fork";
  default: return "an unexpected trap";
  }
}
