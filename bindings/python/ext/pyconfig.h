/*
 * In place of the pyconfig.h of one machine's Python, for the extension on every Linux of 64 bits: what the headers ask for
 * before they declare the stable ABI, which is the same on all of these. build.sh copies the other headers beside it.
 */
#ifndef READPREF_PYCONFIG_H
#define READPREF_PYCONFIG_H

#if !defined(__linux__) || !defined(__LP64__)
#error "this pyconfig.h is for Linux of 64 bits"
#endif

#define ALIGNOF_MAX_ALIGN_T 16
#define HAVE_LONG_LONG 1
#define HAVE_SSIZE_T 1
#define HAVE_STDARG_PROTOTYPES 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UINTPTR_T 1
#define HAVE_WCHAR_H 1
#define SIZEOF_INT 4
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_SHORT 2
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_UINTPTR_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_WCHAR_T 4

#endif
