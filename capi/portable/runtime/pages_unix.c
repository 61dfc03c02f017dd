#if !defined(_WIN32)
#define _GNU_SOURCE 1 /* syscall, MAP_ANONYMOUS, F_ADD_SEALS */
#define _DARWIN_C_SOURCE 1
#include "pages.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

uint8_t *readpref_pages_reserve(size_t size) {
  void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

bool readpref_pages_commit(uint8_t *start, size_t size) {
  return size == 0 || mprotect(start, size, PROT_READ | PROT_WRITE) == 0;
}

void readpref_pages_release(uint8_t *start, size_t size) {
  if (start != NULL) munmap(start, size);
}

/* image_file makes an empty file of size bytes that has no name, or returns -1. */
static int image_file(size_t size) {
#if defined(SYS_memfd_create) && defined(F_ADD_SEALS) /* the function came with glibc 2.27 only; 1 and 2 are MFD_CLOEXEC and MFD_ALLOW_SEALING */
  int file = (int)syscall(SYS_memfd_create, "readpref", 1u | 2u);
  if (file < 0) return -1;
  if (ftruncate(file, (off_t)size) == 0) return file;
  close(file);
#else
  (void)size;
#endif
  return -1;
}

bool readpref_image_make(readpref_image *image, size_t size, void (*fill)(uint8_t *bytes, const void *from), const void *from) {
  struct stat s;
  int file = image_file(size);
  int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, file, 0);
  if (bytes == MAP_FAILED) {
    if (file >= 0) close(file);
    return false;
  }
  fill(bytes, from);
#if defined(F_SEAL_WRITE)
  if (file >= 0) {
    /* A file that can be written to can not be sealed, so the writable mapping goes first. */
    void *sealed;
    munmap(bytes, size);
    sealed = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    if (sealed == MAP_FAILED || fstat(file, &s) != 0) {
      if (sealed != MAP_FAILED) munmap(sealed, size);
      close(file);
      return false;
    }
    fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    image->device = (uint64_t)s.st_dev;
    image->inode = (uint64_t)s.st_ino;
    bytes = sealed;
  }
#else
  (void)s;
#endif
  image->bytes = bytes;
  image->size = size;
  image->file = file;
  return true;
}

/* still_open: daemons close all files, and the next file they open gets our number. */
static bool still_open(const readpref_image *image) {
  struct stat s;
  return image->file >= 0 && fstat(image->file, &s) == 0 && (uint64_t)s.st_dev == image->device && (uint64_t)s.st_ino == image->inode;
}

void readpref_image_map(const readpref_image *image, uint8_t *start) {
  if (still_open(image)) {
    void *p = mmap(start, image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, image->file, 0);
    if (p != MAP_FAILED) return;
  }
  memcpy(start, image->bytes, image->size);
}

void readpref_image_free(readpref_image *image) {
  if (image->bytes == NULL) return;
  munmap((void *)(uintptr_t)image->bytes, image->size);
  if (still_open(image)) close(image->file);
  image->bytes = NULL;
}
#else
typedef int readpref_not_here; /* pages_windows.c */
#endif
