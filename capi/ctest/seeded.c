/*
 * Faults made on purpose. run.sh runs this under valgrind with our suppressions and expects each fault to be found, and
 * nothing to be found without one: it is the test of valgrind.supp, not of the library.
 *   seeded none      a call, everything freed
 *   seeded leak      a call whose answer is copied, and the copy lost
 *   seeded overread  a call that says one byte more than the request's block has
 *   seeded overwrite a call that says more room than the answer's block has
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "readpref.h"
#include "request.h"

int main(int argc, char **argv) {
  const char *fault = argc == 2 ? argv[1] : "";
  size_t len = strlen(SECONDARY), room = strlen(SECONDARY_ANSWER);
  int overwrite = strcmp(fault, "overwrite") == 0;
  uint8_t *in = check_alloc(len);
  uint8_t *out = check_alloc(overwrite ? room - 1 : room);
  int32_t n;
  memcpy(in, SECONDARY, len);
  n = rp_call((const uint8_t *)"select", 6, in, strcmp(fault, "overread") == 0 ? len + 1 : len, out, room);
  free(in);
  if (strcmp(fault, "leak") == 0) {
    /* Not the buffer itself: old stacks inside the library may still hold its address, which valgrind counts as found. */
    uint8_t *volatile copy = check_alloc(room);
    memcpy(copy, out, room);
    copy = NULL;
  }
  free(out);
  printf("%d\n", (int)n);
  return n == (int32_t)room || strcmp(fault, "overread") == 0 ? EXIT_SUCCESS : EXIT_FAILURE; /* a call that did nothing proves nothing */
}
