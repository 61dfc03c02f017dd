/*
 * The public symbols of libreadpref. They are C, and not Go's exports
 * themselves, so that readpref.h alone declares them, with const and without
 * Go's types, and so that a call can be looked at before Go sees it.
 */
#define RP_BUILDING_LIBRARY
#include "readpref.h"

#include "_cgo_export.h"

uint32_t rp_abi_version(void) {
  return RP_ABI_VERSION;
}

/*
 * A pointer that comes with length 0 is never followed, and need not be one:
 * Rust's empty slices are at address 1. Go must not see such a value, since its
 * stack copier ends the process at a pointer it finds impossible.
 */
static void *or_null(const void *p, size_t len) {
  return len == 0 ? NULL : (void *)p;
}

int32_t rp_call(const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap) {
  return goRpCall(or_null(method, method_len), method_len, or_null(in, in_len), in_len, or_null(out, cap), cap);
}
