/*
 * select REQUEST.json [METHOD]: reads a request (docs/json.md) from a file, asks libreadpref, prints the answer.
 * The exit status is 0 for an answer, 1 for an error document, 2 when there was nothing to ask.
 *
 * This is what a driver does, in the order it does it; take it as your start.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_file.h"
#include "readpref.h"

int main(int argc, char **argv) {
  const char *method = argc > 2 ? argv[2] : "select";
  uint32_t version = rp_abi_version();
  uint8_t *request, *answer;
  size_t request_len, cap = 4096, len;
  int32_t n;
  if (argc < 2) {
    fprintf(stderr, "usage: %s REQUEST.json [METHOD]\n", argv[0]);
    return 2;
  }

  /* 1. Is this the library we were written for? The major must be ours, the minor at least ours. */
  if (version >> 16 != RP_ABI_MAJOR || version < RP_ABI_VERSION) {
    fprintf(stderr, "libreadpref has ABI %u.%u, this program needs %d.%d\n", (unsigned)(version >> 16), (unsigned)(version & 0xffff),
            RP_ABI_MAJOR, RP_ABI_MINOR);
    return 2;
  }

  /* 2. Ask. A positive n is an answer of n bytes, a negative one an error document of -n bytes. A buffer that is too
        small is left alone and n says what is needed, so ask again; a driver keeps its buffer for the next call. */
  request = read_file(argv[1], &request_len);
  answer = malloc(cap);
  for (;;) {
    if (answer == NULL) {
      fprintf(stderr, "out of memory\n");
      return 2;
    }
    n = rp_call((const uint8_t *)method, strlen(method), request, request_len, answer, cap);
    len = (size_t)(n < 0 ? -n : n);
    if (len <= cap) break;
    free(answer);
    cap = len;
    answer = malloc(cap);
  }

  /* 3. The document is ours, in our own buffer: nothing of the library's has to be freed. An error goes to the user as
        it is: its "code" is stable, its "path" says where in the request. {"server":null} is an answer, not an error. */
  fwrite(answer, 1, len, stdout);
  putchar('\n');
  free(answer);
  free(request);
  return n < 0 ? 1 : 0;
}
