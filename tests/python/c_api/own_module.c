/* SPDX-License-Identifier: MIT */
#include <Python.h>
#include "imaging_dlpack.h"
#include "stock_dlpack.h"

static int fill(PyObject *module)
{
    return imaging_add_types(module) != 0 || stock_add_types(module) != 0 ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)(uintptr_t)fill}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "own", .m_slots = slots};

PyMODINIT_FUNC PyInit_own(void);
PyMODINIT_FUNC PyInit_own(void)
{
    return PyModuleDef_Init(&definition);
}
