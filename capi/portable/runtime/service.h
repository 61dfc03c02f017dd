/* The instance that serves the stateless calls of every thread, one after the other. */
#ifndef READPREF_SERVICE_H
#define READPREF_SERVICE_H

#include "instance.h"

/* readpref_service_call is rp_call. The first call starts the engine. */
int32_t readpref_service_call(const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap);

#endif
