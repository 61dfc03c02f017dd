#include "instance.h"

#include "error_document.h"
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

static request copy_job(readpref_instance *i, const readpref_job *j) {
  return copy_in(i, j->method, j->method_len, j->in, j->in_len);
}

/* The most that a function which changes something answers: the address of a server, escaped, or 12 bytes a pick. */
enum { LARGEST_ANSWER = 6 * RP_MAX_DOCUMENT + 4096 };

/* A call that counts what it picks can not be made twice, and is refused where its answer might not fit: it has the host's
   room from the start. */
static bool changes(const readpref_job *j) {
  static const char select[] = "topology.select"; /* and select_batch */
  const size_t n = sizeof select - 1;
  return j->function == READPREF_CALL && j->method != NULL && j->method_len >= n && j->method_len <= RP_MAX_METHOD && memcmp(j->method, select, n) == 0;
}

static int32_t ask(readpref_instance *i, const readpref_job *j, const request *r, uint32_t out, uint32_t cap) {
  w2c_readpref *m = &i->module;
  switch (j->function) {
  case READPREF_CALL: return (int32_t)w2c_readpref_rp_call(m, r->method, r->method_len, r->in, r->in_len, out, cap);
  case READPREF_OPEN_AS: return (int32_t)w2c_readpref_rp_open_as(m, j->handle, r->in, r->in_len, out, cap);
  case READPREF_UPDATE: return (int32_t)w2c_readpref_rp_topology_update(m, j->handle, r->in, r->in_len, out, cap);
  case READPREF_DESCRIBE: return (int32_t)w2c_readpref_rp_topology_describe(m, j->handle, out, cap);
  case READPREF_HELLO: return (int32_t)w2c_readpref_rp_topology_hello(m, j->handle, r->in, r->in_len, out, cap);
  case READPREF_ERROR: return (int32_t)w2c_readpref_rp_topology_error(m, j->handle, r->in, r->in_len, out, cap);
  case READPREF_SRV: return (int32_t)w2c_readpref_rp_topology_srv(m, j->handle, r->in, r->in_len, out, cap);
  case READPREF_SHUTDOWN: return (int32_t)w2c_readpref_rp_topology_shutdown(m, j->handle, r->in, r->in_len, out, cap);
  case READPREF_EVENTS: return (int32_t)w2c_readpref_rp_topology_events(m, j->handle, out, cap);
  case READPREF_COMMAND: return (int32_t)w2c_readpref_rp_command(m, j->handle, j->preference, j->number, r->in, r->in_len, out, cap);
  case READPREF_EXPLAIN: return (int32_t)w2c_readpref_rp_explain(m, j->handle, j->preference, r->in, r->in_len, out, cap);
  default: return (int32_t)w2c_readpref_rp_address(m, j->handle, j->number, out, cap);
  }
}

/* answer does a job that writes bytes: into the module's buffer first, and where they fit, to the host. */
static int32_t answer(readpref_instance *i, const readpref_job *j) {
  request r = copy_job(i, j);
  uint32_t n;
  int32_t result;
  if (changes(j)) make_room(i, OUT, j->cap < LARGEST_ANSWER ? (uint32_t)j->cap : LARGEST_ANSWER);
  for (;;) {
    uint32_t room = j->cap < i->out.size ? (uint32_t)j->cap : i->out.size;
    result = ask(i, j, &r, j->out == NULL ? 0 : i->out.address, j->out == NULL ? length32(j->cap) : room);
    if (j->function == READPREF_ADDRESS && result < 0) return result; /* a status */
    n = magnitude(result);
    if (j->out == NULL || n > j->cap) return result;
    if (n <= room) break;
    make_room(i, OUT, n); /* the host has room for it: have it too, and ask again */
  }
  memcpy(j->out, i->module.w2c_memory.data + i->out.address, n);
  return result;
}

static int32_t select_ex(readpref_instance *i, const readpref_job *j) {
  request r = copy_job(i, j);
  return (int32_t)w2c_readpref_rp_select_ex(&i->module, j->handle, j->preference, j->number, r.in, r.in_len);
}

/* More ids than any call takes are refused by the module, and have no buffer. */
static int32_t select_batch(readpref_instance *i, const readpref_job *j) {
  enum { MOST = 1 << 20 };
  size_t count = j->cap / sizeof(int32_t);
  bool room = j->out != NULL && count <= MOST;
  int32_t n;
  if (room) make_room(i, OUT, (uint32_t)j->cap);
  n = (int32_t)w2c_readpref_rp_select_batch(&i->module, j->handle, j->preference, j->number, room ? i->out.address : 0, length32(count));
  if (n > 0) memcpy(j->out, i->module.w2c_memory.data + i->out.address, (size_t)n * sizeof(int32_t));
  return n;
}

int32_t readpref_instance_do(readpref_instance *i, const readpref_job *j) {
  switch (j->function) {
  case READPREF_SELECT: return (int32_t)w2c_readpref_rp_select(&i->module, j->handle, j->preference, j->number);
  case READPREF_SELECT_EX: return select_ex(i, j);
  case READPREF_SELECT_BATCH: return select_batch(i, j);
  case READPREF_RELEASE: return (int32_t)w2c_readpref_rp_release(&i->module, j->handle, j->number);
  case READPREF_EVENTS_ACK: return (int32_t)w2c_readpref_rp_topology_events_ack(&i->module, j->handle, j->number);
  case READPREF_GENERATION: return (int32_t)w2c_readpref_rp_generation(&i->module, j->handle);
  default: return answer(i, j);
  }
}

int readpref_instance_run(readpref_instance *instance, const readpref_job *job, int32_t *n) {
  int trap;
  READPREF_GUARD(trap, *n = readpref_instance_do(instance, job));
  return trap;
}

uint64_t readpref_instance_handles_of(readpref_instance *instance, const readpref_job *call) {
  request r = copy_job(instance, call);
  return w2c_readpref_rp_handles_of(&instance->module, r.method, r.method_len, r.in, r.in_len);
}

int32_t readpref_job_failed(const readpref_job *job, int trap, const readpref_instance *instance) {
  if (job->function == READPREF_GENERATION) return 0;
  if (job->function >= READPREF_SELECT) return RP_E_INTERNAL;
  return readpref_error_document(readpref_trap_text(trap), instance->host.text, instance->host.text_len, job->out, job->cap);
}
