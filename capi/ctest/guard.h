/*
 * Memory whose end is the end of the readable world: a page that may not be touched follows its last byte, so that one
 * byte too many is a crash, with and without valgrind.
 */
#ifndef GUARD_H
#define GUARD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <windows.h>
#undef NEAR /* of pointers, once */
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

typedef struct {
  uint8_t *p; /* len bytes */
  size_t len;
  void *map;
  size_t map_len;
} guarded;

#if defined(_WIN32)
static guarded guard(size_t len) {
  guarded g;
  size_t page = 4096, body = (len + page - 1) / page * page;
  DWORD before;
  g.len = len;
  g.map_len = body + page;
  g.map = VirtualAlloc(NULL, g.map_len, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (g.map == NULL || !VirtualProtect((uint8_t *)g.map + body, page, PAGE_NOACCESS, &before)) {
    fprintf(stderr, "guard: no memory\n");
    abort();
  }
  g.p = (uint8_t *)g.map + body - len;
  return g;
}
#else
static guarded guard(size_t len) {
  guarded g;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t body = (len + page - 1) / page * page;
  g.len = len;
  g.map_len = body + page;
  g.map = mmap(NULL, g.map_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (g.map == MAP_FAILED || mprotect((uint8_t *)g.map + body, page, PROT_NONE) != 0) {
    perror("guard");
    abort();
  }
  g.p = (uint8_t *)g.map + body - len;
  return g;
}
#endif

static guarded guard_copy(const void *bytes, size_t len) {
  guarded g = guard(len);
  if (len > 0) memcpy(g.p, bytes, len);
  return g;
}

static void guard_free(guarded g) {
#if defined(_WIN32)
  VirtualFree(g.map, 0, MEM_RELEASE);
#else
  munmap(g.map, g.map_len);
#endif
}

#endif
