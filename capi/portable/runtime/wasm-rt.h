/*
 * What the C that wasm2c 1.0.42 writes needs from its runtime, and no more: this file takes the place of WABT's own
 * wasm-rt.h, which the generated code includes under this name.
 *
 * It differs from WABT's in what a library inside somebody else's process needs. No signal handler: every access of the
 * module's memory is checked by comparison, so SIGSEGV stays the host's. The depth of calls is counted in the instance
 * and not in a global, so threads do not share it. And the table of functions is one for all instances, since it never
 * changes: build.sh makes an indirect call pass the calling instance in place of the one that WABT keeps in each entry.
 */
#ifndef WASM_RT_H_
#define WASM_RT_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "libreadpref_portable reads the module's memory as it is, which is little-endian"
#endif

/* Names of our own, so that a static library does not meet those of another translated module. */
#define wasm_rt_trap readpref_trap
#define wasm_rt_allocate_memory readpref_memory_allocate
#define wasm_rt_grow_memory readpref_memory_grow
#define wasm_rt_free_memory readpref_memory_free
#define wasm_rt_allocate_funcref_table readpref_table_allocate
#define wasm_rt_free_funcref_table readpref_table_free
#define w2c_wasi__snapshot__preview1_args_get readpref_wasi_args_get
#define w2c_wasi__snapshot__preview1_args_sizes_get readpref_wasi_args_sizes_get
#define w2c_wasi__snapshot__preview1_clock_time_get readpref_wasi_clock_time_get
#define w2c_wasi__snapshot__preview1_environ_get readpref_wasi_environ_get
#define w2c_wasi__snapshot__preview1_environ_sizes_get readpref_wasi_environ_sizes_get
#define w2c_wasi__snapshot__preview1_fd_write readpref_wasi_fd_write
#define w2c_wasi__snapshot__preview1_poll_oneoff readpref_wasi_poll_oneoff
#define w2c_wasi__snapshot__preview1_proc_exit readpref_wasi_proc_exit
#define w2c_wasi__snapshot__preview1_random_get readpref_wasi_random_get
#define w2c_wasi__snapshot__preview1_sched_yield readpref_wasi_sched_yield

#if defined(__GNUC__)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define wasm_rt_memcpy __builtin_memcpy
#define wasm_rt_unreachable __builtin_unreachable
#define WASM_RT_NO_RETURN __attribute__((noreturn, cold))
#define READPREF_COLD __attribute__((noinline, cold))
#else
#error "gcc or clang is needed"
#endif
#ifndef __has_builtin
#define __has_builtin(x) 0
#endif

/* The generated code asks for these. Memory is reserved at its largest and never moves (USE_MMAP), yet is checked by
   comparison. */
#ifndef WASM_RT_USE_MMAP
#define WASM_RT_USE_MMAP 1
#endif
#define WASM_RT_MEMCHECK_BOUNDS_CHECK 1
#define WASM_RT_MEMCHECK_GUARD_PAGES 0
#define WASM_RT_USE_SEGUE 0
#define WASM_RT_SEGUE_FREE_SEGMENT 0
#define WASM_RT_SANITY_CHECKS 0
#define WASM_RT_NONCONFORMING_ALLOW_OOB_READ_ELIMINATION 0
#define WASM_RT_STACK_DEPTH_COUNT 1

/* A call may nest this deep on the host's stack; README.md has the bytes that takes. */
#ifndef WASM_RT_MAX_CALL_STACK_DEPTH
#define WASM_RT_MAX_CALL_STACK_DEPTH 250
#endif
/* Only functions of an instance count, and there its pointer has this name. */
#define wasm_rt_call_stack_depth (instance->w2c_memory.depth)

typedef enum {
  WASM_RT_TRAP_NONE,
  WASM_RT_TRAP_OOB,
  WASM_RT_TRAP_INT_OVERFLOW,
  WASM_RT_TRAP_DIV_BY_ZERO,
  WASM_RT_TRAP_INVALID_CONVERSION,
  WASM_RT_TRAP_UNREACHABLE,
  WASM_RT_TRAP_CALL_INDIRECT,
  WASM_RT_TRAP_NULL_REF,
  WASM_RT_TRAP_UNCAUGHT_EXCEPTION,
  WASM_RT_TRAP_UNALIGNED,
  WASM_RT_TRAP_EXHAUSTION,
  /* Ours: the module ended itself, as Go's runtime does when it can not go on; the host has no memory; it has no entropy
     for a child of fork. */
  READPREF_TRAP_EXIT,
  READPREF_TRAP_NO_MEMORY,
  READPREF_TRAP_NO_ENTROPY
} wasm_rt_trap_t;

/* wasm_rt_trap ends the guarded call of this thread (trap.h). */
WASM_RT_NO_RETURN void wasm_rt_trap(wasm_rt_trap_t trap);

/* The same for each trap of the generated code, which calls them from so many places that the argument counts. */
WASM_RT_NO_RETURN void readpref_trap_OOB(void);
WASM_RT_NO_RETURN void readpref_trap_INT_OVERFLOW(void);
WASM_RT_NO_RETURN void readpref_trap_DIV_BY_ZERO(void);
WASM_RT_NO_RETURN void readpref_trap_INVALID_CONVERSION(void);
WASM_RT_NO_RETURN void readpref_trap_UNREACHABLE(void);
WASM_RT_NO_RETURN void readpref_trap_CALL_INDIRECT(void);
WASM_RT_NO_RETURN void readpref_trap_NULL_REF(void);
WASM_RT_NO_RETURN void readpref_trap_EXHAUSTION(void);

typedef enum { WASM_RT_I32, WASM_RT_I64, WASM_RT_F32, WASM_RT_F64, WASM_RT_V128, WASM_RT_FUNCREF, WASM_RT_EXTERNREF, WASM_RT_EXNREF } wasm_rt_type_t;

typedef void (*wasm_rt_function_ptr_t)(void);
typedef const char *wasm_rt_func_type_t; /* 32 bytes, equal where the types are */

typedef struct wasm_rt_tailcallee_t {
  void (*fn)(void **instance, void *stack, struct wasm_rt_tailcallee_t *next);
} wasm_rt_tailcallee_t;

typedef struct {
  wasm_rt_func_type_t func_type;
  wasm_rt_function_ptr_t func;
  wasm_rt_tailcallee_t func_tailcallee;
  void *module_instance; /* the one that filled the table; nobody calls with it */
} wasm_rt_funcref_t;

typedef void *wasm_rt_externref_t;

#define wasm_rt_funcref_null_value ((wasm_rt_funcref_t){NULL, NULL, {NULL}, NULL})
#define wasm_rt_externref_null_value ((wasm_rt_externref_t){NULL})

typedef struct {
  uint8_t *data;      /* the first of max_pages pages of address space; those below size are there */
  uint64_t size;      /* in bytes */
  uint64_t pages;     /* the same in pages of 64 KiB */
  uint64_t max_pages;
  uint32_t depth;     /* of the calls that run in this instance */
} wasm_rt_memory_t;

typedef struct {
  wasm_rt_funcref_t *data;
  uint32_t size, max_size;
} wasm_rt_funcref_table_t;

typedef struct {
  wasm_rt_externref_t *data;
  uint32_t size, max_size;
} wasm_rt_externref_table_t;

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint64_t pages, uint64_t max_pages, bool is64, uint32_t page_size);
uint64_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint64_t pages);
void wasm_rt_free_memory(wasm_rt_memory_t *memory);
void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table, uint32_t size, uint32_t max_size);
void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *table);

#endif /* WASM_RT_H_ */
