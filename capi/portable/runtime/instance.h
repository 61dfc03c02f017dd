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

/* What an instance can be asked to do: the functions of readpref.h, and open_as, which opens under a given handle. */
typedef enum {
  READPREF_CALL, /* answers with documents, as all up to READPREF_EXPLAIN */
  READPREF_OPEN_AS,
  READPREF_UPDATE,
  READPREF_DESCRIBE,
  READPREF_HELLO,
  READPREF_ERROR,
  READPREF_SRV,
  READPREF_SHUTDOWN,
  READPREF_EVENTS,
  READPREF_COMMAND,
  READPREF_EXPLAIN,
  READPREF_SELECT, /* answers with a number, as all from here on */
  READPREF_SELECT_EX,
  READPREF_SELECT_BATCH,
  READPREF_ADDRESS,
  READPREF_RELEASE,
  READPREF_EVENTS_ACK,
  READPREF_GENERATION
} readpref_function;

/* One call. A pointer that comes with length 0 is NULL. */
typedef struct {
  readpref_function function;
  uint32_t handle, preference; /* what it is about; for READPREF_CALL, what its document names */
  uint32_t number;             /* flags, the id of a server, or a sequence number */
  const uint8_t *method;       /* of READPREF_CALL alone */
  size_t method_len;
  const uint8_t *in;
  size_t in_len;
  uint8_t *out; /* for READPREF_SELECT_BATCH the ids: cap / 4 of them */
  size_t cap;
} readpref_job;

/* readpref_instance_do does it, and returns what the function of readpref.h returns; READPREF_OPEN_AS 0 or -n. It runs
   under a guard (trap.h). */
int32_t readpref_instance_do(readpref_instance *instance, const readpref_job *job);

/* readpref_instance_run is the same with a guard around it; the result is *n. Returns the trap. */
int readpref_instance_run(readpref_instance *instance, const readpref_job *job, int32_t *n);

/* readpref_instance_handles_of is the handle of the topology that a request names (close: of either kind) in the high
   half, that of the preference in the low half, 0 for none. It runs under a guard. */
uint64_t readpref_instance_handles_of(readpref_instance *instance, const readpref_job *call);

/* readpref_job_failed answers a job in which the instance trapped: a document, or RP_E_INTERNAL. */
int32_t readpref_job_failed(const readpref_job *job, int trap, const readpref_instance *instance);

#endif
