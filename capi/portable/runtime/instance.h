/*
 * One instance of the module: its memory, its globals, its two buffers. It serves one call at a time and has no lock of
 * its own. An instance that trapped is good for nothing but readpref_instance_free.
 */
#ifndef READPREF_INSTANCE_H
#define READPREF_INSTANCE_H

#include <stddef.h>

#include "readpref.h"
#include "wasi.h"

/* A buffer of the module that the host may write to (in) or read from (out). */
typedef struct {
  uint32_t address, size;
} readpref_buffer;

typedef struct {
  w2c_readpref module;
  struct w2c_wasi__snapshot__preview1 host;
  readpref_buffer in, out;
} readpref_instance;

/* readpref_instance_start makes an instance from the module itself, a matter of milliseconds. Returns the trap, or
   WASM_RT_TRAP_NONE; in both cases it is freed by readpref_instance_free. */
int readpref_instance_start(readpref_instance *instance);

void readpref_instance_free(readpref_instance *instance);

/* readpref_instance_call is rp_call in this instance; what that would return is *n. Returns the trap. */
int readpref_instance_call(readpref_instance *instance, const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len,
                           uint8_t *out, size_t cap, int32_t *n);

#endif
