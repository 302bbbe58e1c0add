/* SPDX-License-Identifier: MIT-0
 * Generated from gsl.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_python.h"

#include "gsl_dlpack.h"

/* ---- Matrix ---- */

static PyObject *dlgsl_matrix_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_matrix_type, x);
}

static PyObject *dlgsl_matrix_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_matrix_type, args, kwargs);
}

static PyMethodDef dlgsl_matrix_methods[] = {
    {"__dlpack__", DLB_PY_METHOD(dlb_py_dlpack), METH_FASTCALL | METH_KEYWORDS, DLB_PY_DLPACK_DOC},
    {"__dlpack_device__", dlb_py_dlpack_device, METH_NOARGS, DLB_PY_DLPACK_DEVICE_DOC},
    {"__array__", DLB_PY_METHOD(dlb_py_array), METH_VARARGS | METH_KEYWORDS, DLB_PY_ARRAY_DOC},
    {"from_dlpack", dlgsl_matrix_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_matrix_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='float64')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_matrix_slots[] = {
    {Py_tp_doc, "A matrix of doubles, stored by rows."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_matrix_methods},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static PyType_Spec dlgsl_matrix_spec = {
    .name = "gsl.Matrix",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_matrix_slots,
};

PyObject *dlgsl_matrix_wrap(gsl_matrix *self)
{
    return dlb_py_wrap(&dlgsl_matrix_type, self);
}

gsl_matrix *dlgsl_matrix_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_matrix_type, object);
}

/* ---- The module ---- */

int dlgsl_add_types(PyObject *module)
{
    return dlb_py_add_type(module, &dlgsl_matrix_type, &dlgsl_matrix_spec);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(dlgsl_add_types)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "gsl",
    .m_doc = "Matrices of the GNU Scientific Library, shared through DLPack.",
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_gsl(void);
PyMODINIT_FUNC PyInit_gsl(void)
{
    return PyModuleDef_Init(&module_definition);
}
