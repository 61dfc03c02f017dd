#define _GNU_SOURCE 1
#define _DARWIN_C_SOURCE 1
#include "entropy.h"

#if defined(_WIN32)
#include <windows.h>
/* SystemFunction036 is RtlGenRandom, which needs no library beyond advapi32. */
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

bool readpref_entropy(void *bytes, size_t n) {
  return SystemFunction036(bytes, (ULONG)n) != 0;
}
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
#include <stdlib.h>

bool readpref_entropy(void *bytes, size_t n) {
  arc4random_buf(bytes, n);
  return true;
}
#else
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* read_urandom is for kernels before 3.17, and for sandboxes that refuse the call. */
static bool read_urandom(uint8_t *bytes, size_t n) {
  int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  while (file >= 0 && n > 0) {
    ssize_t got = read(file, bytes, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    bytes += got;
    n -= (size_t)got;
  }
  if (file >= 0) close(file);
  return file >= 0 && n == 0;
}

bool readpref_entropy(void *bytes, size_t n) {
  uint8_t *p = bytes;
#if defined(SYS_getrandom) /* the function came with glibc 2.25 only */
  while (n > 0) {
    long got = syscall(SYS_getrandom, p, n, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    p += got;
    n -= (size_t)got;
  }
#endif
  return n == 0 || read_urandom(p, n);
}
#endif
