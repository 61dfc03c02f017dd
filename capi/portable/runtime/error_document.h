#ifndef READPREF_ERROR_DOCUMENT_H
#define READPREF_ERROR_DOCUMENT_H

#include <stddef.h>
#include <stdint.h>

/*
 * readpref_error_document answers a call with {"error":{"code":"internal",…}} by rp_call's rules: it writes where the
 * document fits into cap bytes at out, and returns minus its length. The message is "a fault inside readpref: what (detail)";
 * detail, which has a length, is the module's own words and need not be text. Its first line is used, or nothing.
 */
int32_t readpref_error_document(const char *what, const char *detail, size_t detail_len, uint8_t *out, size_t cap);

/* The same where the engine could not start, and where the system gave no memory. */
int32_t readpref_no_start_document(const char *why, uint8_t *out, size_t cap);
int32_t readpref_no_memory_document(uint8_t *out, size_t cap);

/* readpref_too_many_document is what the engine says of one handle too many (core/abi/handles.go). */
int32_t readpref_too_many_document(uint8_t *out, size_t cap);

#endif
