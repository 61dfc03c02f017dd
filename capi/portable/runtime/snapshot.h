/* What an instance is right after its start, from which others begin in microseconds. */
#ifndef READPREF_SNAPSHOT_H
#define READPREF_SNAPSHOT_H

#include "instance.h"
#include "pages.h"

/* Part of the memory that is not all zeros: so many bytes at address, kept in the image at offset. */
typedef struct {
  size_t address, offset, size;
} readpref_run;

typedef struct {
  readpref_instance instance; /* all but its memory */
  readpref_image image;
  readpref_run *runs;
  size_t run_count;
} readpref_snapshot;

/* readpref_snapshot_take keeps what the instance is now. False: no memory, and nothing is kept. */
bool readpref_snapshot_take(readpref_snapshot *snapshot, const readpref_instance *instance);

/* readpref_snapshot_restore makes an instance; readpref_instance_free frees it. False: no memory, and nothing is made. */
bool readpref_snapshot_restore(const readpref_snapshot *snapshot, readpref_instance *instance);

void readpref_snapshot_free(readpref_snapshot *snapshot);

#endif
