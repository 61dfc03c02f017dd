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

#endif
