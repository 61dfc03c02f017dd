/* Children of fork, each with a time limit: a child that hangs is ended and counted, and never waited for. */
#ifndef CHILD_H
#define CHILD_H

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef enum { CHILD_RIGHT, CHILD_WRONG, CHILD_HUNG } child_end;

static double child_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* child_start forks; the child ends with status 0 where work returns 0. */
static pid_t child_start(int (*work)(void)) {
  pid_t pid = fork();
  if (pid == 0) _exit(work() == 0 ? 0 : 1);
  if (pid < 0) {
    perror("fork");
    abort();
  }
  return pid;
}

/* child_wait waits for its end, at most so many seconds. */
static child_end child_wait(pid_t pid, double seconds) {
  double until = child_clock() + seconds;
  for (;;) {
    struct timespec pause = {0, 2000000};
    int status;
    pid_t got = waitpid(pid, &status, WNOHANG);
    if (got == pid) return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CHILD_RIGHT : CHILD_WRONG;
    if (got < 0 && errno != EINTR) return CHILD_WRONG;
    if (child_clock() > until) {
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
      return CHILD_HUNG;
    }
    nanosleep(&pause, NULL);
  }
}

#endif
