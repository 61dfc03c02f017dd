/* A mutex that needs no start, on every system. */
#ifndef READPREF_LOCK_H
#define READPREF_LOCK_H

#if defined(_WIN32)
#include <windows.h>
typedef SRWLOCK readpref_lock;
#define READPREF_LOCK_INIT SRWLOCK_INIT
#define readpref_lock_take(l) AcquireSRWLockExclusive(l)
#define readpref_lock_try(l) (TryAcquireSRWLockExclusive(l) != 0)
#define readpref_lock_give(l) ReleaseSRWLockExclusive(l)
#else
#include <pthread.h>
typedef pthread_mutex_t readpref_lock;
#define READPREF_LOCK_INIT PTHREAD_MUTEX_INITIALIZER
#define readpref_lock_take(l) pthread_mutex_lock(l)
#define readpref_lock_try(l) (pthread_mutex_trylock(l) == 0)
#define readpref_lock_give(l) pthread_mutex_unlock(l)
#endif

#endif
