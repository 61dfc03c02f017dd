#include "engine.h"

engine_state *engine_state_of(PyObject *module) {
  return (engine_state *)PyModule_GetState(module);
}

/* engine_u32 reads an integer; what is none, or does not fit, is an exception and -1. */
int engine_u32(PyObject *value, uint32_t *out) {
  unsigned long number;
  if (!PyLong_Check(value)) {
    PyErr_SetString(PyExc_TypeError, "an integer is required");
    return -1;
  }
  number = PyLong_AsUnsignedLong(value);
  if (number == (unsigned long)-1 && PyErr_Occurred() != NULL) return -1;
  if (number > UINT32_MAX) {
    PyErr_SetString(PyExc_OverflowError, "an integer from 0 to 2**32-1 is required");
    return -1;
  }
  *out = (uint32_t)number;
  return 0;
}

static int add(PyObject *module, const char *name, PyType_Spec *spec, PyObject **kept) {
  *kept = PyType_FromSpec(spec);
  if (*kept == NULL) return -1;
  if (name == NULL) return 0;
  Py_INCREF(*kept);
  if (PyModule_AddObject(module, name, *kept) == 0) return 0;
  Py_DECREF(*kept);
  return -1;
}

static int start(PyObject *module) {
  engine_state *state = engine_state_of(module);
  if (rp_abi_version() != RP_ABI_VERSION) {
    PyErr_SetString(PyExc_ImportError, "readpref._engine was linked with a library of another version");
    return -1;
  }
  if (add(module, "TopologyHandle", &engine_topology_spec, &state->topology_type) < 0) return -1;
  if (add(module, "PreferenceHandle", &engine_preference_spec, &state->preference_type) < 0) return -1;
  if (add(module, NULL, &engine_method_spec, &state->method_type) < 0) return -1;
  return PyModule_AddFunctions(module, engine_handle_functions);
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
  engine_state *state = engine_state_of(module);
  Py_VISIT(state->topology_type);
  Py_VISIT(state->preference_type);
  Py_VISIT(state->method_type);
  return 0;
}

static int clear(PyObject *module) {
  engine_state *state = engine_state_of(module);
  Py_CLEAR(state->topology_type);
  Py_CLEAR(state->preference_type);
  Py_CLEAR(state->method_type);
  return 0;
}

static PyMethodDef functions[] = {
  {"call", engine_call, METH_VARARGS, "call(method, data, /)\n--\n\nRun a method on a document; give whether it succeeded, and the answer or the error document."},
  {"quick_select", engine_quick_select, METH_VARARGS,
   "quick_select(function, preference_type, flags, nobody, method_type, /)\n--\n\nGive a method that selects as the function does, and leaves to it what is unusual."},
  {NULL, NULL, 0, NULL},
};

/* Room for what newer versions of Python want to be told: see PyInit__engine. */
static PyModuleDef_Slot slots[] = {{Py_mod_exec, FUNCTION(start)}, {0, NULL}, {0, NULL}};

static struct PyModuleDef definition = {
  PyModuleDef_HEAD_INIT, "_engine", "The engine of readpref, and the hot path to it.", sizeof(engine_state), functions, slots, traverse, clear, NULL,
};

/* at_least tells whether the running Python is 3.minor or a newer one. */
static int at_least(int minor) {
  int major = 0, found = 0;
  const char *version = Py_GetVersion();
  while (*version >= '0' && *version <= '9') major = 10 * major + (*version++ - '0');
  if (*version == '.') version++;
  while (*version >= '0' && *version <= '9') found = 10 * found + (*version++ - '0');
  return major > 3 || (major == 3 && found >= minor);
}

PyMODINIT_FUNC PyInit__engine(void) {
  if (at_least(12)) {
    /* Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED: the library has locks of its own. Older versions
       refuse a slot that they do not know, and have but one lock. */
    slots[1].slot = 3;
    slots[1].value = (void *)2;
  }
  return PyModuleDef_Init(&definition);
}
