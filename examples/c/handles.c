/*
 * handles PREFERENCE.json TOPOLOGY.json [UPDATE.json...]: opens a topology and a preference, and routes operations. Every
 * further file is what monitoring found out later. The exit status is 0, 1 after an error document, 2 when there was
 * nothing to do.
 *
 * It is the hot path of a driver: once per operation rp_select, rp_address (or an array of your own, by id) and rp_release.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_file.h"
#include "readpref.h"

/* RP_MIN_BUFFER is enough for every error document, so what opens or changes something never has to ask twice. */
static uint8_t buffer[RP_MIN_BUFFER];

/* or_exit passes a handle or 0 on, and prints the error document that a negative n announces. */
static uint32_t or_exit(const char *what, int32_t n) {
  if (n < 0) {
    fprintf(stderr, "%s: %.*s\n", what, -n, (const char *)buffer);
    exit(1);
  }
  return (uint32_t)n;
}

/* explain says on stdout why there is no server. It may be longer than one buffer; there is no side effect, so ask again. */
static void explain(uint32_t topology, uint32_t preference) {
  size_t cap = sizeof buffer, len;
  uint8_t *out = malloc(cap);
  for (;;) {
    int32_t n;
    if (out == NULL) {
      fprintf(stderr, "out of memory\n");
      exit(2);
    }
    n = rp_explain(topology, preference, NULL, 0, out, cap);
    len = (size_t)(n < 0 ? -n : n);
    if (len <= cap) break;
    free(out);
    cap = len;
    out = malloc(cap);
  }
  printf("no server: %.*s\n", (int)len, (const char *)out);
  free(out);
}

/*
 * run_operations: six operations, of which the first of each two is still under way when the second starts: its server has
 * an operation count of one more, and the pick prefers the other server. 0 when there was no server.
 */
static int run_operations(uint32_t topology, uint32_t preference) {
  int32_t under_way = -1, id, n;
  int i;
  for (i = 0; i < 6; i++) {
    id = rp_select(topology, preference, RP_READ | RP_CHECKOUT);
    if (id == RP_E_NO_SERVER) return 0;
    if (id < 0) {
      fprintf(stderr, "rp_select: status %d\n", (int)id);
      exit(1);
    }
    /* An id stands for one address as long as the topology is open: a driver keeps its connection pools by id. */
    n = rp_address(topology, (uint32_t)id, buffer, sizeof buffer);
    printf("operation %d goes to server %d, %.*s\n", i + 1, (int)id, (int)n, (const char *)buffer);

    if (i % 2 == 0) {
      under_way = id;
    } else { /* Both have ended. Every RP_CHECKOUT has its rp_release, also when the operation failed. */
      rp_release(topology, (uint32_t)under_way);
      rp_release(topology, (uint32_t)id);
    }
  }
  return 1;
}

int main(int argc, char **argv) {
  uint32_t version = rp_abi_version(), topology, preference, generation;
  uint8_t *document;
  size_t len;
  int i;
  if (version >> 16 != RP_ABI_MAJOR || version < RP_ABI_VERSION) {
    fprintf(stderr, "libreadpref has ABI %u.%u, this program needs %d.%d\n", (unsigned)(version >> 16), (unsigned)(version & 0xffff),
            RP_ABI_MAJOR, RP_ABI_MINOR);
    return 2;
  }
  if (argc < 3) {
    fprintf(stderr, "usage: %s PREFERENCE.json TOPOLOGY.json [UPDATE.json...]\n", argv[0]);
    return 2;
  }

  document = read_file(argv[1], &len);
  preference = or_exit(argv[1], rp_readpref_open(document, len, buffer, sizeof buffer));
  free(document);
  document = read_file(argv[2], &len);
  topology = or_exit(argv[2], rp_topology_open(document, len, buffer, sizeof buffer));
  free(document);

  for (i = 3;; i++) {
    /* The generation is taken before selecting: a change that comes between the two is then not slept through. */
    generation = rp_generation(topology);
    if (!run_operations(topology, preference)) explain(topology, preference);
    if (i == argc) break;

    /* In a driver another thread does this, and the one above waits for it until its deadline. */
    document = read_file(argv[i], &len);
    or_exit(argv[i], rp_topology_update(topology, document, len, buffer, sizeof buffer));
    free(document);
    printf("updated: generation %s\n", rp_generation(topology) == generation ? "is the same" : "has changed");
  }

  if (rp_close(preference) != 0 || rp_close(topology) != 0) return 2;
  /* A closed handle is an error of its own, never a crash. */
  return rp_select(topology, preference, RP_READ) == RP_E_HANDLE ? 0 : 2;
}
