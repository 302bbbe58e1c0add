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
    DLB_PY_TENSOR_METHODS,
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
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec imaging_image_spec = {
    .name = "imaging.Image",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = imaging_image_slots,
};

static int imaging_image_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                      void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&imaging_image_type, prototype, out, error_ctx, set_error);
}

static int imaging_image_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&imaging_image_type, tensor, out);
}

static const DLPackExchangeAPI imaging_image_api =
    DLB_PY_EXCHANGE_API(imaging_image_api_allocate, imaging_image_api_to_object, dlb_py_api_view);

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
    return dlb_py_add_type(module, &imaging_image_type, &imaging_image_spec, &imaging_image_api);
}

static const imaging_c_api module_c_api = {
    sizeof(module_c_api),
    imaging_image_wrap,
    imaging_image_unwrap,
};

static int fill_module(PyObject *module)
{
    return imaging_add_types(module) == 0
               ? dlb_py_add_c_api(module, "imaging._C_API", &module_c_api)
               : -1;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(fill_module)},
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
    return dlb_py_start_module(&module_definition);
}
