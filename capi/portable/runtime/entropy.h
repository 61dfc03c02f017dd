#ifndef READPREF_ENTROPY_H
#define READPREF_ENTROPY_H

#include <stdbool.h>
#include <stddef.h>

/* readpref_entropy fills n bytes that nobody can foresee. False where the system has none to give. */
bool readpref_entropy(void *bytes, size_t n);

#endif
