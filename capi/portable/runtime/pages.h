/* Memory from the operating system, in whole pages: reserved as address space first, there only where committed. */
#ifndef READPREF_PAGES_H
#define READPREF_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* readpref_pages_reserve takes address space of size bytes, which costs no memory. NULL where there is none. */
uint8_t *readpref_pages_reserve(size_t size);

/* readpref_pages_commit makes reserved pages usable, filled with zeros. False where the system has no memory to promise. */
bool readpref_pages_commit(uint8_t *start, size_t size);

/* readpref_pages_release gives a whole reservation back. */
void readpref_pages_release(uint8_t *start, size_t size);

/*
 * An image is bytes that many instances start from. Where the system can, mapping it costs neither memory nor time until
 * a page is written to.
 */
typedef struct {
  const uint8_t *bytes;
  size_t size;
  int file;                 /* -1: the bytes are a plain copy */
  uint64_t device, inode; /* of the file, since a host that closes all files may give the number to another */
} readpref_image;

/* readpref_image_make makes an image of size bytes, a multiple of 64 KiB, which fill writes. False: no memory. */
bool readpref_image_make(readpref_image *image, size_t size, void (*fill)(uint8_t *bytes, const void *from), const void *from);

/* readpref_image_map lets committed pages begin as the image, of which they have the size. */
void readpref_image_map(const readpref_image *image, uint8_t *start);

void readpref_image_free(readpref_image *image);

#endif
