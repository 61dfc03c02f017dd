/* What an instance is right after its start, from which others begin in microseconds. */
#ifndef READPREF_SNAPSHOT_H
#define READPREF_SNAPSHOT_H

#include "instance.h"
#include "pages.h"

typedef struct {
  readpref_instance instance; /* all but its memory */
  readpref_image image;       /* its memory: one mapping for each instance, since a process has some 65,000 on Linux */
} readpref_snapshot;

/* readpref_snapshot_take keeps what the instance is now. False: no memory, and nothing is kept. */
bool readpref_snapshot_take(readpref_snapshot *snapshot, const readpref_instance *instance);

/* readpref_snapshot_restore makes an instance; readpref_instance_free frees it. False: no memory, and nothing is made. */
bool readpref_snapshot_restore(const readpref_snapshot *snapshot, readpref_instance *instance);

void readpref_snapshot_free(readpref_snapshot *snapshot);

#endif
