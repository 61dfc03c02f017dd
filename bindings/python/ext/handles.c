/* The functions that take handles. They keep the interpreter's lock: each is over sooner than it could be given away. */
#include "engine.h"

enum { MOST_PICKS = 1 << 20 };

/* numbers reads so many arguments as integers. */
static int numbers(PyObject *args, const char *name, Py_ssize_t count, uint32_t *out) {
  Py_ssize_t i;
  if (PyTuple_Size(args) != count) {
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments", name, count);
    return -1;
  }
  for (i = 0; i < count; i++)
    if (engine_u32(PyTuple_GetItem(args, i), &out[i]) < 0) return -1;
  return 0;
}

static PyObject *handle_select(PyObject *module, PyObject *args) {
  uint32_t n[3];
  (void)module;
  if (numbers(args, "select", 3, n) < 0) return NULL;
  return PyLong_FromLong(rp_select(n[0], n[1], n[2]));
}

static PyObject *handle_select_ex(PyObject *module, PyObject *args) {
  uint32_t n[3];
  PyObject *first, *data_bytes;
  char *data;
  Py_ssize_t size;
  int bad;
  (void)module;
  if (PyTuple_Size(args) != 4) {
    PyErr_SetString(PyExc_TypeError, "select_ex takes 4 arguments");
    return NULL;
  }
  first = PyTuple_GetSlice(args, 0, 3);
  if (first == NULL) return NULL;
  bad = numbers(first, "select_ex", 3, n);
  Py_DECREF(first);
  if (bad < 0) return NULL;
  data_bytes = PyTuple_GetItem(args, 3);
  if (PyBytes_AsStringAndSize(data_bytes, &data, &size) < 0) return NULL;
  return PyLong_FromLong(rp_select_ex(n[0], n[1], n[2], (const uint8_t *)data, (size_t)size));
}

/* ids_of makes a list of ids. */
static PyObject *ids_of(const int32_t *ids, uint32_t count) {
  uint32_t i;
  PyObject *list = PyList_New((Py_ssize_t)count), *id;
  if (list == NULL) return NULL;
  for (i = 0; i < count; i++) {
    id = PyLong_FromLong(ids[i]);
    if (id == NULL || PyList_SetItem(list, (Py_ssize_t)i, id) < 0) {
      Py_DECREF(list);
      return NULL;
    }
  }
  return list;
}

static PyObject *handle_select_batch(PyObject *module, PyObject *args) {
  uint32_t n[4];
  int32_t *ids, status;
  PyObject *list;
  (void)module;
  if (numbers(args, "select_batch", 4, n) < 0) return NULL;
  if (n[3] > MOST_PICKS) {
    PyErr_SetString(PyExc_OverflowError, "at most 1048576 picks at once");
    return NULL;
  }
  ids = PyMem_Malloc((n[3] + 1) * sizeof *ids);
  if (ids == NULL) return PyErr_NoMemory();
  status = rp_select_batch(n[0], n[1], n[2], ids, n[3]);
  list = ids_of(ids, status < 0 ? 0 : n[3]);
  PyMem_Free(ids);
  if (list == NULL) return NULL;
  return Py_BuildValue("(lN)", (long)status, list);
}

static PyObject *handle_release(PyObject *module, PyObject *args) {
  uint32_t n[2];
  (void)module;
  if (numbers(args, "release", 2, n) < 0) return NULL;
  return PyLong_FromLong(rp_release(n[0], n[1]));
}

static PyObject *handle_generation(PyObject *module, PyObject *handle) {
  uint32_t n;
  (void)module;
  if (engine_u32(handle, &n) < 0) return NULL;
  return PyLong_FromUnsignedLong(rp_generation(n));
}

static PyObject *handle_close(PyObject *module, PyObject *handle) {
  uint32_t n;
  (void)module;
  if (engine_u32(handle, &n) < 0) return NULL;
  return PyLong_FromLong(rp_close(n));
}

PyMethodDef engine_handle_functions[] = {
  {"select", handle_select, METH_VARARGS, "select(topology, preference, flags, /)\n--\n\nDo rp_select: give an id, or a negative status."},
  {"select_ex", handle_select_ex, METH_VARARGS, "select_ex(topology, preference, flags, data, /)\n--\n\nDo rp_select_ex: give an id, or a negative status."},
  {"select_batch", handle_select_batch, METH_VARARGS,
   "select_batch(topology, preference, flags, count, /)\n--\n\nDo rp_select_batch: give the count and that many ids, or a negative status and none."},
  {"release", handle_release, METH_VARARGS, "release(topology, server, /)\n--\n\nDo rp_release: give 0 or a negative status."},
  {"generation", handle_generation, METH_O, "generation(topology, /)\n--\n\nDo rp_generation: give a number, 0 for a bad handle."},
  {"close", handle_close, METH_O, "close(handle, /)\n--\n\nDo rp_close: give 0 or a negative status."},
  {NULL, NULL, 0, NULL},
};
