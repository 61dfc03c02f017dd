/* The replica set of examples/replicaset as a child process, and its control. POSIX. */
#ifndef EXAMPLES_REPLICASET_H
#define EXAMPLES_REPLICASET_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* One socket is its standard input and output. It ends when we do, since its input then ends. */
static FILE *replicaset_requests, *replicaset_answers;

static const char *replicaset_line(void) {
  static char line[4096];
  if (fgets(line, sizeof line, replicaset_answers) == NULL) {
    fprintf(stderr, "the replica set has ended\n");
    exit(1);
  }
  return line;
}

/* replicaset_start: its first line, which is what rp_topology_open takes: {"uri":"mongodb://..."}. */
static const char *replicaset_start(char **command) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
  switch (fork()) {
  case -1: abort();
  case 0:
    close(ends[0]);
    dup2(ends[1], 0);
    dup2(ends[1], 1);
    close(ends[1]);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  close(ends[1]);
  replicaset_answers = fdopen(ends[0], "r");
  replicaset_requests = fdopen(dup(ends[0]), "w");
  if (replicaset_answers == NULL || replicaset_requests == NULL) abort();
  return replicaset_line();
}

/* replicaset_do: has something happen to the set, {"do":"kill","member":"a"}. */
static void replicaset_do(const char *request) {
  const char *answer;
  fprintf(replicaset_requests, "%s\n", request);
  fflush(replicaset_requests);
  answer = replicaset_line();
  if (strstr(answer, "\"error\"") != NULL) {
    fprintf(stderr, "%s: %s", request, answer);
    exit(1);
  }
}

#endif
