/* SPDX-License-Identifier: MIT-0
 * Generated from imaging.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_python.h"

#include "imaging_dlpack.h"

/* ---- Image ---- */

static PyObject *imaging_image_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&imaging_image_type, x);
}

static PyObject *imaging_image_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&imaging_image_type, args, kwargs);
}

static PyMethodDef imaging_image_methods[] = {
    {"__dlpack__", DLB_PY_METHOD(dlb_py_dlpack), METH_FASTCALL | METH_KEYWORDS, DLB_PY_DLPACK_DOC},
    {"__dlpack_device__", dlb_py_dlpack_device, METH_NOARGS, DLB_PY_DLPACK_DEVICE_DOC},
    {"__array__", DLB_PY_METHOD(dlb_py_array), METH_VARARGS | METH_KEYWORDS, DLB_PY_ARRAY_DOC},
    {"from_dlpack", imaging_image_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(imaging_image_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint8')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot imaging_image_slots[] = {
    {Py_tp_doc, "An 8-bit picture with padded rows, top row first."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, imaging_image_methods},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static PyType_Spec imaging_image_spec = {
    .name = "imaging.Image",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = imaging_image_slots,
};

PyObject *imaging_image_wrap(image_t *self)
{
    return dlb_py_wrap(&imaging_image_type, self);
}

image_t *imaging_image_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&imaging_image_type, object);
}

/* ---- The module ---- */

int imaging_add_types(PyObject *module)
{
    return dlb_py_add_type(module, &imaging_image_type, &imaging_image_spec);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(imaging_add_types)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "imaging",
    .m_doc = "Pictures of the imaging library, shared through DLPack.",
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_imaging(void);
PyMODINIT_FUNC PyInit_imaging(void)
{
    return PyModuleDef_Init(&module_definition);
}
