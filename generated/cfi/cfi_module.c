/* SPDX-License-Identifier: MIT-0
 * Generated from cfi.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_python.h"

#include "cfi_dlpack.h"

/* ---- Array ---- */

static PyObject *dlcfi_array_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlcfi_array_type, x);
}

static PyMethodDef dlcfi_array_methods[] = {
    {"__dlpack__", DLB_PY_METHOD(dlb_py_dlpack), METH_FASTCALL | METH_KEYWORDS, DLB_PY_DLPACK_DOC},
    {"__dlpack_device__", dlb_py_dlpack_device, METH_NOARGS, DLB_PY_DLPACK_DEVICE_DOC},
    {"__array__", DLB_PY_METHOD(dlb_py_array), METH_VARARGS | METH_KEYWORDS, DLB_PY_ARRAY_DOC},
    {"from_dlpack", dlcfi_array_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlcfi_array_slots[] = {
    {Py_tp_doc,
     "An array as Fortran passes it. Its indices keep their order and start at 0, so that a[i, j] is x(i + 1, j + 1)."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlcfi_array_methods},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static PyType_Spec dlcfi_array_spec = {
    .name = "cfi.Array",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlcfi_array_slots,
};

PyObject *dlcfi_array_wrap(CFI_cdesc_t *self, PyObject *parent)
{
    return dlb_py_wrap_borrowed(&dlcfi_array_type, self, parent);
}

CFI_cdesc_t *dlcfi_array_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlcfi_array_type, object);
}

/* ---- The module ---- */

int dlcfi_add_types(PyObject *module)
{
    return dlb_py_add_type(module, &dlcfi_array_type, &dlcfi_array_spec);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(dlcfi_add_types)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "cfi",
    .m_doc = "Arrays of Fortran, shared through DLPack.",
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_cfi(void);
PyMODINIT_FUNC PyInit_cfi(void)
{
    return PyModuleDef_Init(&module_definition);
}
