/* soak: one kind of call, very often, on the C library; prints resident memory as it goes. See soak.py. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "readpref.h"

enum { CAP = 1 << 20 };
static uint8_t out[CAP];

static long resident_kib(void) {
  long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%*s %ld", &pages) != 1) exit(3);
  fclose(f);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int32_t must(int32_t n) {
  if (n < 0) {
    fprintf(stderr, "%.*s (%d)\n", n < -CAP || -n < 64 ? 0 : (int)-n, (const char *)out, (int)n);
    exit(1);
  }
  return n;
}

static void hello(uint32_t topology, const char *document) {
  must(rp_topology_hello(topology, (const uint8_t *)document, strlen(document), out, CAP));
}

/* soak KIND CALLS SAMPLES TOPOLOGY PREFERENCE SELECT SEEDS HELLO1 HELLO2: documents as arguments */
int main(int argc, char **argv) {
  long calls, samples, i, k;
  uint32_t topology, discovered, preference;
  const char *kind = argv[1], *select;
  if (argc != 10) return 2;
  calls = atol(argv[2]), samples = atol(argv[3]), select = argv[6];
  topology = (uint32_t)must(rp_topology_open((const uint8_t *)argv[4], strlen(argv[4]), out, CAP));
  preference = (uint32_t)must(rp_readpref_open((const uint8_t *)argv[5], strlen(argv[5]), out, CAP));
  discovered = (uint32_t)must(rp_topology_open((const uint8_t *)argv[7], strlen(argv[7]), out, CAP));
  for (k = 0; k <= samples; k++) {
    printf("%ld %ld\n", calls / samples * k, resident_kib());
    fflush(stdout);
    for (i = 0; k < samples && i < calls / samples; i++) {
      if (kind[0] == 's') {
        must(rp_select(topology, preference, RP_READ));
      } else if (kind[0] == 'j') {
        must(rp_call((const uint8_t *)"select", 6, (const uint8_t *)select, strlen(select), out, CAP));
      } else {
        hello(discovered, argv[i % 2 ? 9 : 8]);
        if (i % 64 == 63) { /* as a host does: what happened is fetched, and acknowledged */
          const char *last;
          int32_t n = must(rp_topology_events(discovered, out, CAP - 1));
          out[n] = 0;
          last = strstr((const char *)out, "\"last\":");
          if (!last) return 1;
          must(rp_topology_events_ack(discovered, (uint32_t)strtoul(last + 7, NULL, 10)));
        }
      }
    }
  }
  must(rp_close(topology)), must(rp_close(discovered)), must(rp_close(preference));
  return 0;
}
