#include <stdatomic.h>
#include <stdlib.h>

#include "engine.h"

/*
 * Answers are written into a buffer of this size; one that had to grow is kept for the next call, up to the other size.
 * What changes something needs room for RP_MIN_BUFFER bytes, and so is never asked twice.
 */
enum { BUFFER_START = 16 * 1024, BUFFER_KEEP = 1024 * 1024 };

typedef struct {
  size_t size;
  uint8_t bytes[];
} buffer;

/* One buffer waits here. It is taken out while in use, so that threads, signal handlers and forks do not share it. */
static _Atomic(buffer *) spare;

static buffer *take_buffer(size_t at_least) {
  buffer *b = atomic_exchange(&spare, NULL);
  if (b != NULL && b->size >= at_least) return b;
  free(b);
  if (at_least < BUFFER_START) at_least = BUFFER_START;
  b = malloc(sizeof *b + at_least);
  if (b != NULL) b->size = at_least;
  return b;
}

static void give_buffer(buffer *b) {
  if (b->size <= BUFFER_KEEP) b = atomic_exchange(&spare, b);
  free(b);
}

PyObject *engine_call(PyObject *module, PyObject *args) {
  char *method, *data;
  Py_ssize_t method_size, data_size;
  PyObject *method_bytes, *data_bytes, *answer;
  buffer *out;
  size_t size = 0;
  int32_t n;
  (void)module;
  if (!PyArg_ParseTuple(args, "O!O!:call", &PyBytes_Type, &method_bytes, &PyBytes_Type, &data_bytes)) return NULL;
  if (PyBytes_AsStringAndSize(method_bytes, &method, &method_size) < 0 || PyBytes_AsStringAndSize(data_bytes, &data, &data_size) < 0) return NULL;
  for (;;) {
    out = take_buffer(size);
    if (out == NULL) return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS
    n = rp_call((const uint8_t *)method, (size_t)method_size, (const uint8_t *)data, (size_t)data_size, out->bytes, out->size);
    Py_END_ALLOW_THREADS
    size = n < 0 ? (size_t)-n : (size_t)n;
    if (size <= out->size) break;
    give_buffer(out);
  }
  answer = PyBytes_FromStringAndSize((const char *)out->bytes, (Py_ssize_t)size);
  give_buffer(out);
  if (answer == NULL) return NULL;
  return Py_BuildValue("(NN)", PyBool_FromLong(n >= 0), answer);
}
