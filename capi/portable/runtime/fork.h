/*
 * A fork in the middle of another thread's call would leave the child with half a call done and a lock that nobody gives
 * back. So fork waits for the calls that are under way, and the child begins with instances at rest and fresh locks. They
 * are its own: memory of an instance is private to the process.
 */
#ifndef READPREF_FORK_H
#define READPREF_FORK_H

#include <stdbool.h>

/* How many forks lie between the process that loaded the library and this one. Where a topology knows another number, its
   random state is still the parent's. */
extern unsigned readpref_forks;

/* readpref_fork_watch looks after forks from now on. It is called before anything is locked, and again until it returns
   true. */
bool readpref_fork_watch(void);

#endif
