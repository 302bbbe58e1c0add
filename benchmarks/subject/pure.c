/* SPDX-License-Identifier: MIT-0 */
/* The generated C without the generated Python: what the driver's make_delete() needs, as (function, argument). */
#include <Python.h>

#include "subject_dlpack.h"

static PyObject *pair(uintptr_t function, const void *argument)
{
    return Py_BuildValue("(KK)", (unsigned long long)function, (unsigned long long)(uintptr_t)argument);
}

/* picture(height, width, channels): a first export of an object that is shared with C, and another one of an owner.
 * Object and owner live for good. */
static PyObject *picture(PyObject *module, PyObject *args)
{
    int extents[3];
    picture_t *made;
    dlb_owner *owner;

    (void)module;
    if (!PyArg_ParseTuple(args, "iii", &extents[0], &extents[1], &extents[2])) {
        return NULL;
    }
    made = picture_new(extents[0], extents[1], extents[2]);
    if (made == NULL || subject_picture_own(made, &owner, NULL) != 0) {
        return PyErr_NoMemory();
    }
    return Py_BuildValue("{sNsN}", "first", pair((uintptr_t)subject_picture_to_dlpack, made), "again",
                         pair((uintptr_t)dlb_export, owner));
}

static PyObject *volume(PyObject *module, PyObject *unused)
{
    volume_t *const made = volume_new();
    dlb_owner *owner;

    (void)module;
    (void)unused;
    if (made == NULL || subject_volume_own(made, &owner, NULL) != 0) {
        return PyErr_NoMemory();
    }
    return Py_BuildValue("{sNsN}", "first", pair((uintptr_t)subject_volume_to_dlpack, made), "again",
                         pair((uintptr_t)dlb_export, owner));
}

static PyMethodDef functions[] = {
    {"picture", picture, METH_VARARGS, NULL},
    {"volume", volume, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "pure", .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC PyInit_pure(void);
PyMODINIT_FUNC PyInit_pure(void)
{
    return PyModule_Create(&definition);
}
