/* SPDX-License-Identifier: MIT */
/* The extension module of probe.h: the emitted classes, added to a module written by hand, and functions that wrap and
 * unwrap probes, which Python knows by their addresses. */
#include <Python.h>

#include "dlb_object.h"

#include "probe_dlpack.h"

#include <string.h>

static PyObject *from_address(void *pointer)
{
    return PyLong_FromVoidPtr(pointer);
}

static PyObject *lab_new(PyObject *module, PyObject *nbytes)
{
    const size_t size = PyLong_AsSize_t(nbytes);

    (void)module;
    return size == (size_t)-1 && PyErr_Occurred() ? NULL : from_address(probe_new(size));
}

static PyObject *lab_unref(PyObject *module, PyObject *address)
{
    probe_t *const probe = PyLong_AsVoidPtr(address);

    (void)module;
    if (probe == NULL) {
        return NULL;
    }
    probe_unref(probe);
    Py_RETURN_NONE;
}

static PyObject *wrap_moved(probe_t *probe, PyObject *parent)
{
    (void)parent;
    return probe_moved_wrap(probe);
}

static PyObject *wrap_counted(probe_t *probe, PyObject *parent)
{
    (void)parent;
    return probe_counted_wrap(probe);
}

static PyObject *wrap_compact(probe_t *probe, PyObject *parent)
{
    (void)parent;
    return probe_compact_wrap(probe);
}

static PyObject *wrap_created(probe_t *probe, PyObject *parent)
{
    (void)parent;
    return probe_created_wrap(probe);
}

typedef struct kind {
    const char *name;
    PyObject *(*wrap)(probe_t *probe, PyObject *parent);
    probe_t *(*unwrap)(PyObject *object);
} kind;

static const kind kinds[] = {
    {"Moved", wrap_moved, probe_moved_unwrap},
    {"Counted", wrap_counted, probe_counted_unwrap},
    {"Borrowed", probe_borrowed_wrap, probe_borrowed_unwrap},
    {"Compact", wrap_compact, probe_compact_unwrap},
    {"Created", wrap_created, probe_created_unwrap},
    {"Rows", probe_rows_wrap, probe_rows_unwrap},
};

static const kind *find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    PyErr_Format(PyExc_KeyError, "no class %s", name);
    return NULL;
}

/* wrap(kind, address, parent=None): None is NULL */
static PyObject *lab_wrap(PyObject *module, PyObject *args)
{
    PyObject *address;
    PyObject *parent = NULL;
    const char *name;
    const kind *found;
    void *probe;

    (void)module;
    if (!PyArg_ParseTuple(args, "sO|O:wrap", &name, &address, &parent)) {
        return NULL;
    }
    found = find(name);
    probe = PyLong_AsVoidPtr(address);
    if (found == NULL || PyErr_Occurred()) {
        return NULL;
    }
    return found->wrap(probe, parent == Py_None ? NULL : parent);
}

static PyObject *lab_unwrap(PyObject *module, PyObject *args)
{
    const char *name;
    const kind *found;
    PyObject *object;
    probe_t *probe;

    (void)module;
    if (!PyArg_ParseTuple(args, "sO:unwrap", &name, &object)) {
        return NULL;
    }
    found = find(name);
    if (found == NULL) {
        return NULL;
    }
    probe = found->unwrap(object);
    return probe == NULL ? NULL : from_address(probe);
}

/* (how often something was retained, was released, how many live) */
static PyObject *lab_counts(PyObject *module, PyObject *unused)
{
    const probe_counts counts = probe_count();

    (void)module;
    (void)unused;
    return Py_BuildValue("(iii)", counts.retained, counts.released, counts.living);
}

static PyObject *lab_flushed(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyLong_FromLong(probe_flushed());
}

static PyObject *lab_set_mood(PyObject *module, PyObject *mood)
{
    const long value = PyLong_AsLong(mood);

    (void)module;
    if (value == -1 && PyErr_Occurred()) {
        return NULL;
    }
    probe_set_mood((probe_mood)value);
    Py_RETURN_NONE;
}

static PyMethodDef lab_methods[] = {
    {"new", lab_new, METH_O, NULL},
    {"unref", lab_unref, METH_O, NULL},
    {"wrap", lab_wrap, METH_VARARGS, NULL},
    {"unwrap", lab_unwrap, METH_VARARGS, NULL},
    {"counts", lab_counts, METH_NOARGS, NULL},
    {"flushed", lab_flushed, METH_NOARGS, NULL},
    {"set_mood", lab_set_mood, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot lab_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(probe_add_types)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef lab_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "lab",
    .m_methods = lab_methods,
    .m_slots = lab_slots,
};

PyMODINIT_FUNC PyInit_lab(void);
PyMODINIT_FUNC PyInit_lab(void)
{
    return dlb_py_start_module(&lab_module);
}

/* The same functions in a module that does not add the classes. */
static PyModuleDef_Slot bare_slots[] = {DLB_PY_LAST_MODULE_SLOTS};

static PyModuleDef bare_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "lab_bare",
    .m_methods = lab_methods,
    .m_slots = bare_slots,
};

PyMODINIT_FUNC PyInit_lab_bare(void);
PyMODINIT_FUNC PyInit_lab_bare(void)
{
    return dlb_py_start_module(&bare_module);
}
