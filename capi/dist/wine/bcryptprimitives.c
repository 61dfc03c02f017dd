/* The one function of Windows' bcryptprimitives.dll that Go's runtime needs, for a wine that is older than it (test.sh). */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T n) {
  return SystemFunction036(bytes, (ULONG)n);
}
