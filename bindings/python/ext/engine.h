/*
 * readpref._engine: the engine inside of Python, libreadpref_portable and what calls it in one extension.
 *
 * It is written against the stable ABI of CPython 3.9, so one file serves all later ones. Nothing of Python's is kept in a
 * static variable: interpreters of one process do not meet here.
 */
#ifndef READPREF_ENGINE_H
#define READPREF_ENGINE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
/* Python.h has to come first. */
#include <structmember.h>

#include <stdint.h>

#include "readpref.h"

/*
 * References are counted by the running Python. The macros of older headers would count those of None and of other objects
 * that 3.12 and newer do not count.
 */
#undef Py_INCREF
#undef Py_DECREF
#undef Py_XDECREF
#define Py_INCREF(object) Py_IncRef((PyObject *)(object))
#define Py_DECREF(object) Py_DecRef((PyObject *)(object))
#define Py_XDECREF(object) Py_DecRef((PyObject *)(object)) /* takes NULL */

/* ISO C has no conversion of a function to void *, which is what a slot holds; POSIX does. */
#define FUNCTION(f) ((void *)(uintptr_t)(f))

/* The part of a Topology that is C's: Topology derives from it. */
typedef struct {
  PyObject_HEAD
  PyObject *log_levels; /* a logger's cache of enabled levels, or None where there is no looking into it */
  PyObject **servers;   /* the SelectedServer of each id, NULL where nobody asked yet */
  uint32_t count;       /* of servers */
  uint32_t handle;      /* 0: closed */
} engine_topology;

/* The part of a ReadPreference that is C's. */
typedef struct {
  PyObject_HEAD
  uint32_t handle; /* 0: not open */
} engine_preference;

/* What the module holds for each interpreter. */
typedef struct {
  PyObject *topology_type, *preference_type, *method_type;
} engine_state;

engine_state *engine_state_of(PyObject *module);
int engine_u32(PyObject *value, uint32_t *out);

PyObject *engine_call(PyObject *module, PyObject *args);
extern PyMethodDef engine_handle_functions[];
extern PyType_Spec engine_topology_spec, engine_preference_spec, engine_method_spec;
PyObject *engine_quick_select(PyObject *module, PyObject *args);

#endif
