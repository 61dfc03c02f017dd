/* Topologies: each has an instance of the module, whose calls take turns under the lock of the handle's slot. */
#ifndef READPREF_TOPOLOGIES_H
#define READPREF_TOPOLOGIES_H

#include "handles.h"
#include "instance.h"

typedef struct readpref_topology readpref_topology;

/* readpref_topology_open is rp_topology_open; job is a READPREF_OPEN_AS without a handle. Returns 0 and the handle, or -n,
   and the error document is written by the job's rules. */
int32_t readpref_topology_open(const readpref_job *job, uint32_t *handle);

/* readpref_topology_close returns 0 or RP_E_HANDLE. It waits for the call that is under way. */
int32_t readpref_topology_close(uint32_t handle);

/*
 * readpref_topology_run does a job about the topology job->handle and the preference job->preference in the topology's
 * instance; where there is no such topology, in the service's, which knows no handle and says so. After a trap the
 * topology is closed.
 */
int32_t readpref_topology_run(const readpref_job *job);

/* readpref_topology_select is rp_select: the same for READPREF_SELECT, without detours. */
int32_t readpref_topology_select(uint32_t topology, uint32_t preference, uint32_t flags);

/* readpref_topology_free frees what a topology's handle stood for. */
void readpref_topology_free(readpref_topology *topology);

/* readpref_topology_instance is for tests that spoil it. */
readpref_instance *readpref_topology_instance(readpref_topology *topology);

#endif
