/* The public symbols: readpref.h, by the translated module. */
#define RP_BUILDING_LIBRARY
#include "readpref.h"

#include "service.h"

uint32_t rp_abi_version(void) {
  return RP_ABI_VERSION;
}

/* A pointer that comes with length 0 is never followed, and need not be one: Rust's empty slices are at address 1. */
static const uint8_t *or_null(const uint8_t *p, size_t len) {
  return len == 0 ? NULL : p;
}

int32_t rp_call(const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  return readpref_service_call(or_null(method, method_len), method_len, or_null(in, in_len), in_len, cap == 0 ? NULL : out, cap);
}
