/* In place of cgo's header, for test_shim.c: the function of Go that shim.c calls. */
#include <stddef.h>
#include <stdint.h>

int32_t goRpCall(void *method, size_t method_len, void *in, size_t in_len, void *out, size_t cap);
