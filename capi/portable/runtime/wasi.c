#include "wasi.h"

#include <time.h>

#include "entropy.h"
#include "trap.h"
#if defined(_WIN32)
#include <windows.h>
#endif

typedef struct w2c_wasi__snapshot__preview1 wasi;

enum { SUCCESS = 0, EFAULT_ = 21, EINVAL_ = 28, EIO_ = 29 }; /* WASI's own numbers */

/* at is where n bytes of the module's memory are, or NULL where they are not all in it. */
static uint8_t *at(const wasi *w, uint32_t address, uint64_t n) {
  const wasm_rt_memory_t *m = &w->module->w2c_memory;
  return address + n <= m->size ? m->data + address : NULL;
}

static uint32_t put32(const wasi *w, uint32_t address, uint32_t value) {
  uint8_t *p = at(w, address, sizeof value);
  if (p == NULL) return EFAULT_;
  memcpy(p, &value, sizeof value);
  return SUCCESS;
}

/* There are no arguments and no environment: GOGC and GODEBUG of the host are not for this engine. */
u32 w2c_wasi__snapshot__preview1_args_sizes_get(wasi *w, u32 count, u32 size) {
  u32 error = put32(w, count, 0);
  return error != SUCCESS ? error : put32(w, size, 0);
}

u32 w2c_wasi__snapshot__preview1_args_get(wasi *w, u32 list, u32 text) {
  (void)w;
  (void)list;
  (void)text;
  return SUCCESS;
}

u32 w2c_wasi__snapshot__preview1_environ_sizes_get(wasi *w, u32 count, u32 size) {
  return w2c_wasi__snapshot__preview1_args_sizes_get(w, count, size);
}

u32 w2c_wasi__snapshot__preview1_environ_get(wasi *w, u32 list, u32 text) {
  return w2c_wasi__snapshot__preview1_args_get(w, list, text);
}

/* Nanoseconds of the wall clock (0) or of one that never goes back. The collector paces itself by it; no answer depends
   on it. */
static uint64_t nanoseconds(uint32_t clock) {
#if defined(_WIN32)
  if (clock == 0) {
    FILETIME f;
    GetSystemTimeAsFileTime(&f); /* 100 ns since 1601 */
    return ((((uint64_t)f.dwHighDateTime << 32) | f.dwLowDateTime) - 116444736000000000u) * 100;
  } else {
    LARGE_INTEGER now, second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&second);
    return (uint64_t)((double)now.QuadPart * 1e9 / (double)second.QuadPart);
  }
#else
  struct timespec t;
  clock_gettime(clock == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

u32 w2c_wasi__snapshot__preview1_clock_time_get(wasi *w, u32 clock, u64 precision, u32 result) {
  uint8_t *p = at(w, result, 8);
  uint64_t now;
  (void)precision;
  if (p == NULL) return EFAULT_;
  now = nanoseconds(clock);
  memcpy(p, &now, sizeof now);
  return SUCCESS;
}

u32 w2c_wasi__snapshot__preview1_fd_write(wasi *w, u32 file, u32 list, u32 count, u32 written) {
  uint32_t i, total = 0;
  const uint8_t *entries = at(w, list, 8 * (uint64_t)count);
  (void)file;
  if (entries == NULL) return EFAULT_;
  for (i = 0; i < count; i++) {
    uint32_t address, n, room = READPREF_TEXT - w->text_len;
    const uint8_t *bytes;
    memcpy(&address, entries + 8 * (size_t)i, 4);
    memcpy(&n, entries + 8 * (size_t)i + 4, 4);
    bytes = at(w, address, n);
    if (bytes == NULL) return EFAULT_;
    total += n;
    if (n > room) n = room;
    memcpy(w->text + w->text_len, bytes, n);
    w->text_len += n;
  }
  return put32(w, written, total);
}

/* Nothing here waits, and a call must not sleep while it holds its instance: what is waited for has always happened. */
u32 w2c_wasi__snapshot__preview1_poll_oneoff(wasi *w, u32 subscriptions, u32 events, u32 count, u32 happened) {
  uint32_t i;
  const uint8_t *in = at(w, subscriptions, 48 * (uint64_t)count);
  uint8_t *out = at(w, events, 32 * (uint64_t)count);
  if (in == NULL || out == NULL) return EFAULT_;
  if (count == 0) return EINVAL_;
  for (i = 0; i < count; i++, in += 48, out += 32) {
    uint8_t userdata[8], kind = in[8];
    memcpy(userdata, in, 8);
    memset(out, 0, 32);
    memcpy(out, userdata, 8);
    out[10] = kind; /* after a 16-bit error of 0 */
  }
  return put32(w, happened, count);
}

void w2c_wasi__snapshot__preview1_proc_exit(wasi *w, u32 status) {
  (void)w;
  (void)status;
  wasm_rt_trap(READPREF_TRAP_EXIT);
}

u32 w2c_wasi__snapshot__preview1_random_get(wasi *w, u32 address, u32 n) {
  uint8_t *p = at(w, address, n);
  if (p == NULL) return EFAULT_;
  return readpref_entropy(p, n) ? SUCCESS : EIO_;
}

u32 w2c_wasi__snapshot__preview1_sched_yield(wasi *w) {
  (void)w;
  return SUCCESS;
}
