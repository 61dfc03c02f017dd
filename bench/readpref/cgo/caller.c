/* caller.c: the bare call from C into Go behind the bench's line protocol (bench/README.md). It has no cases. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t bare(uint32_t topology, uint32_t preference, uint32_t flags);

int main(void) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    char what[16];
    long n = 0;
    int32_t sum = 0;
    if (strncmp(line, "load\t", 5) == 0) {
      printf("{\"window\":[\"none\"]}\n");
    } else if (sscanf(line, "run\t%15s\t%ld", what, &n) == 2 && strcmp(what, "pick") == 0) {
      for (long i = 0; i < n; i++) sum += bare(1, 2, 0);
      printf("{\"done\":%ld}\n", n + sum);
    } else {
      printf("{\"error\":\"a line that is no request\"}\n");
    }
    fflush(stdout);
  }
  free(line);
  return 0;
}
