#if defined(_WIN32)
#include "pages.h"

#include <string.h>
#include <windows.h>

uint8_t *readpref_pages_reserve(size_t size) {
  return VirtualAlloc(NULL, size, MEM_RESERVE, PAGE_NOACCESS);
}

bool readpref_pages_commit(uint8_t *start, size_t size) {
  return size == 0 || VirtualAlloc(start, size, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

void readpref_pages_release(uint8_t *start, size_t size) {
  (void)size;
  if (start != NULL) VirtualFree(start, 0, MEM_RELEASE);
}

bool readpref_image_make(readpref_image *image, size_t size, void (*fill)(uint8_t *bytes, const void *from), const void *from) {
  uint8_t *bytes = readpref_pages_reserve(size);
  if (bytes == NULL) return false;
  if (!readpref_pages_commit(bytes, size)) {
    readpref_pages_release(bytes, size);
    return false;
  }
  fill(bytes, from);
  image->bytes = bytes;
  image->size = size;
  image->file = -1;
  return true;
}

void readpref_image_map(const readpref_image *image, uint8_t *start) {
  memcpy(start, image->bytes, image->size);
}

void readpref_image_free(readpref_image *image) {
  readpref_pages_release((uint8_t *)(uintptr_t)image->bytes, image->size);
  image->bytes = NULL;
}
#else
typedef int readpref_not_here; /* pages_unix.c */
#endif
