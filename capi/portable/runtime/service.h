/* The instance that serves the stateless calls of every thread, one after the other. No handle is open in it. */
#ifndef READPREF_SERVICE_H
#define READPREF_SERVICE_H

#include "instance.h"

/* readpref_service_run does a job. The first call starts the engine. */
int32_t readpref_service_run(const readpref_job *job);

/*
 * readpref_service_try opens, by a READPREF_OPEN_AS with a handle, and closes again. Returns 0, or -n for an error document.
 * With a second job, done while the handle is open, it returns what that does.
 */
int32_t readpref_service_try(const readpref_job *open, const readpref_job *then);

/* readpref_service_handles_of is readpref_instance_handles_of, and 0 where that traps. */
uint64_t readpref_service_handles_of(const readpref_job *call);

/* readpref_service_instance makes another instance, as it is after its start. Returns the trap, and then nothing is made. */
int readpref_service_instance(readpref_instance *instance);

/* readpref_service_unload frees all, unless a call is under way. No instance may be in use. */
void readpref_service_unload(void);

void readpref_service_before_fork(void);
void readpref_service_after_fork_in_parent(void);
void readpref_service_after_fork_in_child(void);

#endif
