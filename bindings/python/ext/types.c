/* What Topology and ReadPreference derive from, so that the hot path finds handles and servers without asking Python. */
#include "engine.h"

enum { MOST_SERVERS = 1 << 20, SERVERS_START = 8 }; /* ids are below that: core/cluster */

static PyObject *get_topology_handle(PyObject *self, void *closure) {
  (void)closure;
  return PyLong_FromUnsignedLong(((engine_topology *)self)->handle);
}

static PyObject *get_preference_handle(PyObject *self, void *closure) {
  (void)closure;
  return PyLong_FromUnsignedLong(((engine_preference *)self)->handle);
}

static int set_handle(PyObject *value, uint32_t *handle) {
  if (value == NULL) {
    PyErr_SetString(PyExc_AttributeError, "a handle cannot be deleted");
    return -1;
  }
  return engine_u32(value, handle);
}

static int set_topology_handle(PyObject *self, PyObject *value, void *closure) {
  (void)closure;
  return set_handle(value, &((engine_topology *)self)->handle);
}

static int set_preference_handle(PyObject *self, PyObject *value, void *closure) {
  (void)closure;
  return set_handle(value, &((engine_preference *)self)->handle);
}

static int id_of(PyObject *value, uint32_t *id) {
  if (engine_u32(value, id) < 0) return -1;
  if (*id < MOST_SERVERS) return 0;
  PyErr_SetString(PyExc_OverflowError, "no server has such an id");
  return -1;
}

static void forget(engine_topology *t) {
  PyObject **servers = t->servers;
  uint32_t i, count = t->count;
  t->servers = NULL;
  t->count = 0;
  for (i = 0; i < count; i++) Py_XDECREF(servers[i]);
  PyMem_Free(servers);
}

static PyObject *begin(PyObject *self, PyObject *arg) {
  uint32_t handle;
  if (engine_u32(arg, &handle) < 0) return NULL;
  forget((engine_topology *)self);
  ((engine_topology *)self)->handle = handle;
  Py_RETURN_NONE;
}

static PyObject *known(PyObject *self, PyObject *arg) {
  engine_topology *t = (engine_topology *)self;
  uint32_t id;
  PyObject *server = Py_None;
  if (Py_TYPE(arg) == &PyLong_Type) {
    if (engine_u32(arg, &id) < 0)
      PyErr_Clear(); /* negative, or huge */
    else if (id < t->count && t->servers[id] != NULL)
      server = t->servers[id];
  }
  Py_INCREF(server);
  return server;
}

static int make_room(engine_topology *t, uint32_t id) {
  uint32_t size = t->count < SERVERS_START ? SERVERS_START : t->count;
  PyObject **more;
  if (id < t->count) return 0;
  while (size <= id) size *= 2;
  more = PyMem_Realloc(t->servers, size * sizeof *more);
  if (more == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  memset(more + t->count, 0, (size - t->count) * sizeof *more);
  t->servers = more;
  t->count = size;
  return 0;
}

static PyObject *remember(PyObject *self, PyObject *args) {
  engine_topology *t = (engine_topology *)self;
  uint32_t id;
  PyObject *number, *server;
  if (!PyArg_ParseTuple(args, "OO:_remember", &number, &server)) return NULL;
  if (id_of(number, &id) < 0 || make_room(t, id) < 0) return NULL;
  if (t->servers[id] == NULL) {
    Py_INCREF(server);
    t->servers[id] = server;
  }
  server = t->servers[id];
  Py_INCREF(server);
  return server;
}

static int topology_traverse(PyObject *self, visitproc visit, void *arg) {
  engine_topology *t = (engine_topology *)self;
  uint32_t i;
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(t->log_levels);
  for (i = 0; i < t->count; i++) Py_VISIT(t->servers[i]);
  return 0;
}

static int topology_clear(PyObject *self) {
  Py_CLEAR(((engine_topology *)self)->log_levels);
  forget((engine_topology *)self);
  return 0;
}

static void deallocate(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  freefunc release = (freefunc)(uintptr_t)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static void topology_deallocate(PyObject *self) {
  PyObject_GC_UnTrack(self);
  topology_clear(self);
  deallocate(self);
}

static PyMethodDef topology_methods[] = {
  {"_begin", begin, METH_O, "_begin($self, handle, /)\n--\n\nHave a handle that is new, and remember no server."},
  {"_known", known, METH_O, "_known($self, id, /)\n--\n\nGive the server that was remembered under an id, or None, also for what is no id."},
  {"_remember", remember, METH_VARARGS, "_remember($self, id, server, /)\n--\n\nKeep a server under its id, and give the one that was first."},
  {NULL, NULL, 0, NULL},
};

static PyGetSetDef topology_handle[] = {
  {"_handle", get_topology_handle, set_topology_handle, "the engine's handle; 0: closed", NULL},
  {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef preference_handle[] = {
  {"_handle", get_preference_handle, set_preference_handle, "the engine's handle; 0: not open", NULL},
  {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef topology_members[] = {
  {"_log_levels", T_OBJECT, offsetof(engine_topology, log_levels), 0, "what a logger has found out of its levels, or None"},
  {NULL, 0, 0, 0, NULL},
};

static PyType_Slot topology_slots[] = {
  {Py_tp_doc, (void *)(uintptr_t) "The part of a Topology that its hot path looks into."},
  {Py_tp_methods, topology_methods},
  {Py_tp_getset, topology_handle},
  {Py_tp_members, topology_members},
  {Py_tp_traverse, FUNCTION(topology_traverse)},
  {Py_tp_clear, FUNCTION(topology_clear)},
  {Py_tp_dealloc, FUNCTION(topology_deallocate)},
  {0, NULL},
};

PyType_Spec engine_topology_spec = {
  "readpref._engine.TopologyHandle", sizeof(engine_topology), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, topology_slots,
};

static PyType_Slot preference_slots[] = {
  {Py_tp_doc, (void *)(uintptr_t) "The part of a ReadPreference that the hot path looks into."},
  {Py_tp_getset, preference_handle},
  {Py_tp_dealloc, FUNCTION(deallocate)},
  {0, NULL},
};

PyType_Spec engine_preference_spec = {
  "readpref._engine.PreferenceHandle", sizeof(engine_preference), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, preference_slots,
};
