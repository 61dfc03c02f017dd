/*
 * Topology.select with the usual arguments: one call of the engine, and the object that stands for the server it chose.
 * Whatever is unusual is left to the function in Python, which has the documentation and the signature, too.
 */
#include "engine.h"

/* The vectorcall protocol (PEP 590) entered the stable ABI with 3.12. 3.9, 3.10 and 3.11 have the same, and will not change. */
#ifndef Py_TPFLAGS_HAVE_VECTORCALL
#define Py_TPFLAGS_HAVE_VECTORCALL (1UL << 11)
#endif
typedef PyObject *(*vector_function)(PyObject *self, PyObject *const *args, size_t count, PyObject *names);
#define COUNT_MASK (~((size_t)1 << (8 * sizeof(size_t) - 1)))

enum { DEBUG = 10, CHECKOUT = RP_CHECKOUT };

/* The keywords of select. Those from TIMEOUT on say nothing where a server is found at once and nothing is logged. */
enum keyword { READ_PREFERENCE, OPERATION, CHECK_OUT, DEPRIORITIZED, CUSTOM_SELECTOR, TIMEOUT, OPERATION_TIMEOUT, OPERATION_NAME, OPERATION_ID, KEYWORDS };
static const char *const keyword_names[KEYWORDS] = {
  "read_preference", "operation", "checkout", "deprioritized", "custom_selector", "timeout", "operation_timeout", "operation_name", "operation_id",
};

typedef struct {
  PyObject_HEAD
  vector_function call;
  PyObject *attributes;                       /* its __dict__ */
  PyObject *function;                         /* the one in Python */
  PyObject *topology_type, *preference_type;  /* self is of the first or derives from it; the preference is of the second */
  PyObject *flags;                            /* {operation: flags} */
  PyObject *nobody;                           /* the default of deprioritized */
  PyObject *bound_type;                       /* types.MethodType */
  PyObject *debug;                            /* the level of the log that is looked up */
  PyObject *names[KEYWORDS];                  /* interned, as those that compiled code gives */
} method;

/* What a call asks for, borrowed. */
typedef struct {
  PyObject *preference;
  uint32_t flags;
} request;

/* in_python leaves a call to the function. */
static PyObject *in_python(method *m, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  PyObject *positional = PyTuple_New(count), *keywords = NULL, *result = NULL;
  Py_ssize_t i, n = names == NULL ? 0 : PyTuple_Size(names);
  if (positional == NULL) return NULL;
  for (i = 0; i < count; i++) {
    Py_INCREF(args[i]);
    if (PyTuple_SetItem(positional, i, args[i]) < 0) goto done;
  }
  if (n > 0) {
    keywords = PyDict_New();
    if (keywords == NULL) goto done;
    for (i = 0; i < n; i++)
      if (PyDict_SetItem(keywords, PyTuple_GetItem(names, i), args[count + i]) < 0) goto done;
  }
  result = PyObject_Call(m->function, positional, keywords);
done:
  Py_XDECREF(keywords);
  Py_DECREF(positional);
  return result;
}

static enum keyword keyword_of(method *m, PyObject *name) {
  int k = 0;
  while (k < KEYWORDS && m->names[k] != name) k++;
  return (enum keyword)k;
}

/* read_operation: 1 for a name that it knows, 0 for anything else, -1 for an exception */
static int read_operation(method *m, PyObject *operation, request *r) {
  PyObject *flags;
  uint32_t number;
  if (Py_TYPE(operation) != &PyUnicode_Type) return 0;
  flags = PyDict_GetItemWithError(m->flags, operation);
  if (flags == NULL) return PyErr_Occurred() == NULL ? 0 : -1;
  if (engine_u32(flags, &number) < 0) return -1;
  r->flags |= number;
  return 1;
}

static int read_keyword(method *m, PyObject *name, PyObject *value, request *r) {
  int truth;
  switch (keyword_of(m, name)) {
  case READ_PREFERENCE:
    if (r->preference != NULL) return 0;
    r->preference = value;
    return 1;
  case OPERATION:
    return read_operation(m, value, r);
  case CHECK_OUT:
    truth = value == Py_True ? 1 : value == Py_False ? 0 : -1;
    if (truth == 1) r->flags |= CHECKOUT;
    return truth >= 0;
  case DEPRIORITIZED:
    return value == m->nobody;
  case CUSTOM_SELECTOR:
    return value == Py_None;
  case TIMEOUT:
  case OPERATION_TIMEOUT:
  case OPERATION_NAME:
  case OPERATION_ID:
    return 1;
  default:
    return 0;
  }
}

/* read_request: 1 where the hot path serves it, 0 where Python does, -1 for an exception */
static int read_request(method *m, PyObject *const *args, Py_ssize_t count, PyObject *names, request *r) {
  Py_ssize_t i, n = names == NULL ? 0 : PyTuple_Size(names);
  int usual;
  if (count < 1 || count > 2 || !PyType_IsSubtype(Py_TYPE(args[0]), (PyTypeObject *)m->topology_type)) return 0;
  if (count == 2) r->preference = args[1];
  for (i = 0; i < n; i++) {
    usual = read_keyword(m, PyTuple_GetItem(names, i), args[count + i], r);
    if (usual <= 0) return usual;
  }
  return r->preference != NULL && Py_TYPE(r->preference) == (PyTypeObject *)m->preference_type;
}

/* unlogged: 1 where the logger has found out that nobody wants to read of selections */
static int unlogged(method *m, PyObject *levels) {
  PyObject *enabled;
  if (levels == NULL || Py_TYPE(levels) != &PyDict_Type) return 0;
  enabled = PyDict_GetItemWithError(levels, m->debug);
  if (enabled == NULL && PyErr_Occurred() != NULL) return -1;
  return enabled == Py_False;
}

static PyObject *method_call(PyObject *self, PyObject *const *args, size_t flagged_count, PyObject *names) {
  method *m = (method *)self;
  Py_ssize_t count = (Py_ssize_t)(flagged_count & COUNT_MASK);
  request r = {NULL, 0};
  engine_topology *t;
  uint32_t preference;
  int32_t server;
  int usual = read_request(m, args, count, names, &r);
  if (usual > 0) usual = unlogged(m, ((engine_topology *)args[0])->log_levels);
  if (usual < 0) return NULL;
  if (usual == 0) return in_python(m, args, count, names);
  t = (engine_topology *)args[0];
  preference = ((engine_preference *)r.preference)->handle;
  if (preference == 0) return in_python(m, args, count, names); /* which opens it */
  server = rp_select(t->handle, preference, r.flags);
  if (server < 0) return in_python(m, args, count, names); /* which waits, or tells why */
  if ((uint32_t)server < t->count && t->servers[server] != NULL) {
    Py_INCREF(t->servers[server]);
    return t->servers[server];
  }
  return PyObject_CallMethod(args[0], "server", "i", (int)server);
}

static PyObject *method_call_slowly(PyObject *self, PyObject *args, PyObject *keywords) {
  return PyObject_Call(((method *)self)->function, args, keywords);
}

static PyObject *method_get(PyObject *self, PyObject *object, PyObject *type) {
  (void)type;
  if (object == NULL || object == Py_None) {
    Py_INCREF(self);
    return self;
  }
  return PyObject_CallFunctionObjArgs(((method *)self)->bound_type, self, object, NULL);
}

static PyObject *method_repr(PyObject *self) {
  return PyObject_Repr(((method *)self)->function);
}

static PyObject *method_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  (void)type, (void)args, (void)keywords;
  PyErr_SetString(PyExc_TypeError, "quick_select makes these");
  return NULL;
}

static int method_traverse(PyObject *self, visitproc visit, void *arg) {
  method *m = (method *)self;
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(m->attributes);
  Py_VISIT(m->function);
  Py_VISIT(m->topology_type);
  Py_VISIT(m->preference_type);
  Py_VISIT(m->flags);
  Py_VISIT(m->nobody);
  Py_VISIT(m->bound_type);
  return 0;
}

/* Only what cycles go through: the rest has to be there as long as it can be called. */
static int method_clear(PyObject *self) {
  Py_CLEAR(((method *)self)->attributes);
  return 0;
}

static void method_deallocate(PyObject *self) {
  method *m = (method *)self;
  PyTypeObject *type = Py_TYPE(self);
  int k;
  PyObject_GC_UnTrack(self);
  Py_XDECREF(m->attributes);
  Py_XDECREF(m->function);
  Py_XDECREF(m->topology_type);
  Py_XDECREF(m->preference_type);
  Py_XDECREF(m->flags);
  Py_XDECREF(m->nobody);
  Py_XDECREF(m->bound_type);
  Py_XDECREF(m->debug);
  for (k = 0; k < KEYWORDS; k++) Py_XDECREF(m->names[k]);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

/* PyObject_GenericGetDict entered the stable ABI with 3.10. */
static PyObject *method_attributes(PyObject *self, void *closure) {
  method *m = (method *)self;
  (void)closure;
  if (m->attributes == NULL) m->attributes = PyDict_New();
  Py_XINCREF(m->attributes);
  return m->attributes;
}

static PyGetSetDef method_dict[] = {{"__dict__", method_attributes, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};

static PyMemberDef method_members[] = {
  {"__dictoffset__", T_PYSSIZET, offsetof(method, attributes), READONLY, NULL},
  {"__vectorcalloffset__", T_PYSSIZET, offsetof(method, call), READONLY, NULL},
  {NULL, 0, 0, 0, NULL},
};

static PyType_Slot method_slots[] = {
  {Py_tp_new, FUNCTION(method_new)},
  {Py_tp_call, FUNCTION(method_call_slowly)},
  {Py_tp_descr_get, FUNCTION(method_get)},
  {Py_tp_repr, FUNCTION(method_repr)},
  {Py_tp_members, method_members},
  {Py_tp_getset, method_dict},
  {Py_tp_traverse, FUNCTION(method_traverse)},
  {Py_tp_clear, FUNCTION(method_clear)},
  {Py_tp_dealloc, FUNCTION(method_deallocate)},
  {0, NULL},
};

PyType_Spec engine_method_spec = {
  "readpref._engine.QuickSelect",
  sizeof(method),
  0,
  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
  method_slots,
};

static PyObject *kept(PyObject *object) {
  Py_INCREF(object);
  return object;
}

static int take_names(method *m) {
  int k;
  for (k = 0; k < KEYWORDS; k++) {
    m->names[k] = PyUnicode_InternFromString(keyword_names[k]);
    if (m->names[k] == NULL) return -1;
  }
  m->debug = PyLong_FromLong(DEBUG);
  return m->debug == NULL ? -1 : 0;
}

PyObject *engine_quick_select(PyObject *module, PyObject *args) {
  engine_state *state = engine_state_of(module);
  PyObject *function, *preference_type, *flags, *nobody, *bound_type;
  PyTypeObject *type = (PyTypeObject *)state->method_type;
  method *m;
  if (!PyArg_ParseTuple(args, "OO!O!OO!:quick_select", &function, &PyType_Type, &preference_type, &PyDict_Type, &flags, &nobody, &PyType_Type, &bound_type))
    return NULL;
  if (!PyType_IsSubtype((PyTypeObject *)preference_type, (PyTypeObject *)state->preference_type)) {
    PyErr_SetString(PyExc_TypeError, "quick_select takes a class that derives from PreferenceHandle");
    return NULL;
  }
  m = (method *)PyType_GenericAlloc(type, 0);
  if (m == NULL) return NULL;
  m->call = method_call;
  m->function = kept(function);
  m->topology_type = kept(state->topology_type);
  m->preference_type = kept(preference_type);
  m->flags = kept(flags);
  m->nobody = kept(nobody);
  m->bound_type = kept(bound_type);
  if (take_names(m) == 0) return (PyObject *)m;
  Py_DECREF(m);
  return NULL;
}
