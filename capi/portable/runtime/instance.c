#include "instance.h"

#include "trap.h"

enum { FIRST_BUFFER = 65536, IN = 0, OUT = 1 };

/* make_room lets a buffer hold n bytes. It runs under a guard, and traps where the module refuses. */
static void make_room(readpref_instance *i, uint32_t which, uint32_t n) {
  readpref_buffer *b = which == IN ? &i->in : &i->out;
  if (n <= b->size) return;
  b->size = 0;
  b->address = w2c_readpref_rp_buffer(&i->module, which, n);
  if (b->address == 0) wasm_rt_trap(READPREF_TRAP_NO_MEMORY);
  if ((uint64_t)b->address + n > i->module.w2c_memory.size) wasm_rt_trap(WASM_RT_TRAP_OOB);
  b->size = n;
}

static void start(readpref_instance *i) {
  wasm2c_readpref_instantiate(&i->module, &i->host);
  w2c_readpref_0x5Finitialize(&i->module);
  make_room(i, IN, FIRST_BUFFER);
  make_room(i, OUT, FIRST_BUFFER);
}

int readpref_instance_start(readpref_instance *instance) {
  int trap;
  memset(instance, 0, sizeof *instance);
  instance->host.module = &instance->module;
  READPREF_GUARD(trap, start(instance));
  return trap;
}

void readpref_instance_free(readpref_instance *instance) {
  wasm_rt_free_memory(&instance->module.w2c_memory);
}

/* The module's lengths have 32 bits. Longer ones are over every limit, and this one is, too. */
static uint32_t length32(size_t n) {
  return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static uint32_t magnitude(int32_t n) {
  return n < 0 ? 0u - (uint32_t)n : (uint32_t)n;
}

typedef struct {
  uint32_t method, method_len, in, in_len; /* as the module sees them */
} request;

/* copy_in puts method and input, one after the other, where the module reads them. What is longer than the module would
   read is not read here either, and NULL stays NULL: the module says what is wrong. */
static request copy_in(readpref_instance *i, const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len) {
  size_t method_copied = method == NULL || method_len > RP_MAX_METHOD ? 0 : method_len;
  size_t in_copied = in == NULL || in_len > RP_MAX_DOCUMENT ? 0 : in_len;
  request r;
  uint8_t *memory;
  make_room(i, IN, (uint32_t)(method_copied + in_copied));
  memory = i->module.w2c_memory.data;
  r.method = method == NULL ? 0 : i->in.address;
  r.method_len = length32(method_len);
  r.in = in == NULL ? 0 : i->in.address + (uint32_t)method_copied;
  r.in_len = length32(in_len);
  if (method_copied > 0) memcpy(memory + i->in.address, method, method_copied);
  if (in_copied > 0) memcpy(memory + i->in.address + method_copied, in, in_copied);
  return r;
}

static int32_t call(readpref_instance *i, const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len, uint8_t *out,
                    size_t cap) {
  request r = copy_in(i, method, method_len, in, in_len);
  int32_t n;
  for (;;) {
    uint32_t room = cap < i->out.size ? (uint32_t)cap : i->out.size;
    n = (int32_t)w2c_readpref_rp_call(&i->module, r.method, r.method_len, r.in, r.in_len, out == NULL ? 0 : i->out.address,
                                      out == NULL ? length32(cap) : room);
    if (out == NULL || magnitude(n) > cap) return n;
    if (magnitude(n) <= room) break;
    make_room(i, OUT, magnitude(n)); /* the host has room for it: have it too, and ask again */
  }
  memcpy(out, i->module.w2c_memory.data + i->out.address, magnitude(n));
  return n;
}

int readpref_instance_call(readpref_instance *instance, const uint8_t *method, size_t method_len, const uint8_t *in, size_t in_len,
                           uint8_t *out, size_t cap, int32_t *n) {
  int trap;
  READPREF_GUARD(trap, *n = call(instance, method, method_len, in, in_len, out, cap));
  return trap;
}
