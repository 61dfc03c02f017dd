/*
 * Read preferences: each is the document it was opened with, which every topology's instance opens for itself when it
 * needs it first.
 */
#ifndef READPREF_PREFERENCES_H
#define READPREF_PREFERENCES_H

#include "handles.h"
#include "instance.h"

typedef struct {
  uint32_t references; /* under the table's lock: of the handle, and of who reads it */
  size_t len;
  uint8_t document[];
} readpref_preference;

/* readpref_preference_open is rp_readpref_open; job is a READPREF_OPEN_AS without a handle. Returns 0 and the handle, or
   -n, and the error document is written by the job's rules. */
int32_t readpref_preference_open(const readpref_job *job, uint32_t *handle);

/* readpref_preference_close returns 0 or RP_E_HANDLE. */
int32_t readpref_preference_close(uint32_t handle);

/* readpref_preference_borrow returns an open preference, or NULL; it lives at least until readpref_preference_return. */
readpref_preference *readpref_preference_borrow(uint32_t handle);
void readpref_preference_return(readpref_preference *preference);

static inline bool readpref_preference_is_open(uint32_t handle) {
  return readpref_handle_find(handle, READPREF_PREFERENCE) != NULL;
}

#endif
