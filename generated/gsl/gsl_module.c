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
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_matrix_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_matrix_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='float64')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_matrix_slots[] = {
    {Py_tp_doc, "A gsl_matrix, stored by rows."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_matrix_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_matrix_spec = {
    .name = "gsl.Matrix",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_matrix_slots,
};

static int dlgsl_matrix_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                     void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_matrix_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_matrix_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_matrix_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_matrix_api =
    DLB_PY_EXCHANGE_API(dlgsl_matrix_api_allocate, dlgsl_matrix_api_to_object, dlb_py_api_view);

PyObject *dlgsl_matrix_wrap(gsl_matrix *self)
{
    return dlb_py_wrap(&dlgsl_matrix_type, self);
}

gsl_matrix *dlgsl_matrix_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_matrix_type, object);
}

/* ---- MatrixF32 ---- */

static PyObject *dlgsl_matrix_f32_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_matrix_f32_type, x);
}

static PyObject *dlgsl_matrix_f32_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_matrix_f32_type, args, kwargs);
}

static PyMethodDef dlgsl_matrix_f32_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_matrix_f32_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_matrix_f32_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='float32')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_matrix_f32_slots[] = {
    {Py_tp_doc, "A gsl_matrix_float, stored by rows."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_matrix_f32_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_matrix_f32_spec = {
    .name = "gsl.MatrixF32",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_matrix_f32_slots,
};

static int dlgsl_matrix_f32_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                         void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_matrix_f32_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_matrix_f32_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_matrix_f32_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_matrix_f32_api = DLB_PY_EXCHANGE_API(
    dlgsl_matrix_f32_api_allocate, dlgsl_matrix_f32_api_to_object, dlb_py_api_view);

PyObject *dlgsl_matrix_f32_wrap(gsl_matrix_float *self)
{
    return dlb_py_wrap(&dlgsl_matrix_f32_type, self);
}

gsl_matrix_float *dlgsl_matrix_f32_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_matrix_f32_type, object);
}

/* ---- MatrixI32 ---- */

static PyObject *dlgsl_matrix_i32_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_matrix_i32_type, x);
}

static PyObject *dlgsl_matrix_i32_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_matrix_i32_type, args, kwargs);
}

static PyMethodDef dlgsl_matrix_i32_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_matrix_i32_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_matrix_i32_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='int32')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_matrix_i32_slots[] = {
    {Py_tp_doc, "A gsl_matrix_int, stored by rows."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_matrix_i32_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_matrix_i32_spec = {
    .name = "gsl.MatrixI32",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_matrix_i32_slots,
};

static int dlgsl_matrix_i32_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                         void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_matrix_i32_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_matrix_i32_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_matrix_i32_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_matrix_i32_api = DLB_PY_EXCHANGE_API(
    dlgsl_matrix_i32_api_allocate, dlgsl_matrix_i32_api_to_object, dlb_py_api_view);

PyObject *dlgsl_matrix_i32_wrap(gsl_matrix_int *self)
{
    return dlb_py_wrap(&dlgsl_matrix_i32_type, self);
}

gsl_matrix_int *dlgsl_matrix_i32_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_matrix_i32_type, object);
}

/* ---- MatrixU16 ---- */

static PyObject *dlgsl_matrix_u16_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_matrix_u16_type, x);
}

static PyObject *dlgsl_matrix_u16_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_matrix_u16_type, args, kwargs);
}

static PyMethodDef dlgsl_matrix_u16_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_matrix_u16_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_matrix_u16_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint16')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_matrix_u16_slots[] = {
    {Py_tp_doc, "A gsl_matrix_ushort, stored by rows."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_matrix_u16_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_matrix_u16_spec = {
    .name = "gsl.MatrixU16",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_matrix_u16_slots,
};

static int dlgsl_matrix_u16_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                         void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_matrix_u16_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_matrix_u16_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_matrix_u16_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_matrix_u16_api = DLB_PY_EXCHANGE_API(
    dlgsl_matrix_u16_api_allocate, dlgsl_matrix_u16_api_to_object, dlb_py_api_view);

PyObject *dlgsl_matrix_u16_wrap(gsl_matrix_ushort *self)
{
    return dlb_py_wrap(&dlgsl_matrix_u16_type, self);
}

gsl_matrix_ushort *dlgsl_matrix_u16_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_matrix_u16_type, object);
}

/* ---- MatrixU8 ---- */

static PyObject *dlgsl_matrix_u8_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_matrix_u8_type, x);
}

static PyObject *dlgsl_matrix_u8_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_matrix_u8_type, args, kwargs);
}

static PyMethodDef dlgsl_matrix_u8_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_matrix_u8_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_matrix_u8_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint8')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_matrix_u8_slots[] = {
    {Py_tp_doc, "A gsl_matrix_uchar, stored by rows."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_matrix_u8_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_matrix_u8_spec = {
    .name = "gsl.MatrixU8",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_matrix_u8_slots,
};

static int dlgsl_matrix_u8_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                        void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_matrix_u8_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_matrix_u8_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_matrix_u8_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_matrix_u8_api = DLB_PY_EXCHANGE_API(
    dlgsl_matrix_u8_api_allocate, dlgsl_matrix_u8_api_to_object, dlb_py_api_view);

PyObject *dlgsl_matrix_u8_wrap(gsl_matrix_uchar *self)
{
    return dlb_py_wrap(&dlgsl_matrix_u8_type, self);
}

gsl_matrix_uchar *dlgsl_matrix_u8_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_matrix_u8_type, object);
}

/* ---- MatrixLong ---- */

static PyObject *dlgsl_matrix_long_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_matrix_long_type, x);
}

static PyObject *dlgsl_matrix_long_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_matrix_long_type, args, kwargs);
}

static PyMethodDef dlgsl_matrix_long_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_matrix_long_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_matrix_long_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype=...)\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_matrix_long_slots[] = {
    {Py_tp_doc, "A gsl_matrix_long, stored by rows."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_matrix_long_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_matrix_long_spec = {
    .name = "gsl.MatrixLong",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_matrix_long_slots,
};

static int dlgsl_matrix_long_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                          void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_matrix_long_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_matrix_long_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_matrix_long_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_matrix_long_api = DLB_PY_EXCHANGE_API(
    dlgsl_matrix_long_api_allocate, dlgsl_matrix_long_api_to_object, dlb_py_api_view);

PyObject *dlgsl_matrix_long_wrap(gsl_matrix_long *self)
{
    return dlb_py_wrap(&dlgsl_matrix_long_type, self);
}

gsl_matrix_long *dlgsl_matrix_long_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_matrix_long_type, object);
}

/* ---- MatrixC128 ---- */

static PyObject *dlgsl_matrix_c128_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_matrix_c128_type, x);
}

static PyObject *dlgsl_matrix_c128_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_matrix_c128_type, args, kwargs);
}

static PyMethodDef dlgsl_matrix_c128_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_matrix_c128_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_matrix_c128_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='complex128')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_matrix_c128_slots[] = {
    {Py_tp_doc, "A gsl_matrix_complex, stored by rows."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_matrix_c128_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_matrix_c128_spec = {
    .name = "gsl.MatrixC128",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_matrix_c128_slots,
};

static int dlgsl_matrix_c128_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                          void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_matrix_c128_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_matrix_c128_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_matrix_c128_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_matrix_c128_api = DLB_PY_EXCHANGE_API(
    dlgsl_matrix_c128_api_allocate, dlgsl_matrix_c128_api_to_object, dlb_py_api_view);

PyObject *dlgsl_matrix_c128_wrap(gsl_matrix_complex *self)
{
    return dlb_py_wrap(&dlgsl_matrix_c128_type, self);
}

gsl_matrix_complex *dlgsl_matrix_c128_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_matrix_c128_type, object);
}

/* ---- Vector ---- */

static PyObject *dlgsl_vector_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_vector_type, x);
}

static PyObject *dlgsl_vector_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_vector_type, args, kwargs);
}

static PyMethodDef dlgsl_vector_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_vector_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_vector_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='float64')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_vector_slots[] = {
    {Py_tp_doc, "A gsl_vector, whose elements may lie apart."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_vector_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_vector_spec = {
    .name = "gsl.Vector",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_vector_slots,
};

static int dlgsl_vector_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                     void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_vector_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_vector_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_vector_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_vector_api =
    DLB_PY_EXCHANGE_API(dlgsl_vector_api_allocate, dlgsl_vector_api_to_object, dlb_py_api_view);

PyObject *dlgsl_vector_wrap(gsl_vector *self)
{
    return dlb_py_wrap(&dlgsl_vector_type, self);
}

gsl_vector *dlgsl_vector_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_vector_type, object);
}

/* ---- VectorF32 ---- */

static PyObject *dlgsl_vector_f32_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_vector_f32_type, x);
}

static PyObject *dlgsl_vector_f32_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_vector_f32_type, args, kwargs);
}

static PyMethodDef dlgsl_vector_f32_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_vector_f32_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_vector_f32_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='float32')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_vector_f32_slots[] = {
    {Py_tp_doc, "A gsl_vector_float, whose elements may lie apart."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_vector_f32_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_vector_f32_spec = {
    .name = "gsl.VectorF32",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_vector_f32_slots,
};

static int dlgsl_vector_f32_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                         void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_vector_f32_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_vector_f32_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_vector_f32_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_vector_f32_api = DLB_PY_EXCHANGE_API(
    dlgsl_vector_f32_api_allocate, dlgsl_vector_f32_api_to_object, dlb_py_api_view);

PyObject *dlgsl_vector_f32_wrap(gsl_vector_float *self)
{
    return dlb_py_wrap(&dlgsl_vector_f32_type, self);
}

gsl_vector_float *dlgsl_vector_f32_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_vector_f32_type, object);
}

/* ---- VectorI32 ---- */

static PyObject *dlgsl_vector_i32_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_vector_i32_type, x);
}

static PyObject *dlgsl_vector_i32_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_vector_i32_type, args, kwargs);
}

static PyMethodDef dlgsl_vector_i32_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_vector_i32_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_vector_i32_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='int32')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_vector_i32_slots[] = {
    {Py_tp_doc, "A gsl_vector_int, whose elements may lie apart."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_vector_i32_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_vector_i32_spec = {
    .name = "gsl.VectorI32",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_vector_i32_slots,
};

static int dlgsl_vector_i32_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                         void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_vector_i32_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_vector_i32_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_vector_i32_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_vector_i32_api = DLB_PY_EXCHANGE_API(
    dlgsl_vector_i32_api_allocate, dlgsl_vector_i32_api_to_object, dlb_py_api_view);

PyObject *dlgsl_vector_i32_wrap(gsl_vector_int *self)
{
    return dlb_py_wrap(&dlgsl_vector_i32_type, self);
}

gsl_vector_int *dlgsl_vector_i32_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_vector_i32_type, object);
}

/* ---- VectorU16 ---- */

static PyObject *dlgsl_vector_u16_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_vector_u16_type, x);
}

static PyObject *dlgsl_vector_u16_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_vector_u16_type, args, kwargs);
}

static PyMethodDef dlgsl_vector_u16_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_vector_u16_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_vector_u16_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint16')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_vector_u16_slots[] = {
    {Py_tp_doc, "A gsl_vector_ushort, whose elements may lie apart."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_vector_u16_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_vector_u16_spec = {
    .name = "gsl.VectorU16",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_vector_u16_slots,
};

static int dlgsl_vector_u16_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                         void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_vector_u16_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_vector_u16_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_vector_u16_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_vector_u16_api = DLB_PY_EXCHANGE_API(
    dlgsl_vector_u16_api_allocate, dlgsl_vector_u16_api_to_object, dlb_py_api_view);

PyObject *dlgsl_vector_u16_wrap(gsl_vector_ushort *self)
{
    return dlb_py_wrap(&dlgsl_vector_u16_type, self);
}

gsl_vector_ushort *dlgsl_vector_u16_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_vector_u16_type, object);
}

/* ---- VectorU8 ---- */

static PyObject *dlgsl_vector_u8_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_vector_u8_type, x);
}

static PyObject *dlgsl_vector_u8_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_vector_u8_type, args, kwargs);
}

static PyMethodDef dlgsl_vector_u8_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_vector_u8_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_vector_u8_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint8')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_vector_u8_slots[] = {
    {Py_tp_doc, "A gsl_vector_uchar, whose elements may lie apart."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_vector_u8_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_vector_u8_spec = {
    .name = "gsl.VectorU8",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_vector_u8_slots,
};

static int dlgsl_vector_u8_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                        void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_vector_u8_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_vector_u8_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_vector_u8_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_vector_u8_api = DLB_PY_EXCHANGE_API(
    dlgsl_vector_u8_api_allocate, dlgsl_vector_u8_api_to_object, dlb_py_api_view);

PyObject *dlgsl_vector_u8_wrap(gsl_vector_uchar *self)
{
    return dlb_py_wrap(&dlgsl_vector_u8_type, self);
}

gsl_vector_uchar *dlgsl_vector_u8_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_vector_u8_type, object);
}

/* ---- VectorLong ---- */

static PyObject *dlgsl_vector_long_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_vector_long_type, x);
}

static PyObject *dlgsl_vector_long_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_vector_long_type, args, kwargs);
}

static PyMethodDef dlgsl_vector_long_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_vector_long_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_vector_long_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype=...)\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_vector_long_slots[] = {
    {Py_tp_doc, "A gsl_vector_long, whose elements may lie apart."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_vector_long_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_vector_long_spec = {
    .name = "gsl.VectorLong",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_vector_long_slots,
};

static int dlgsl_vector_long_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                          void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_vector_long_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_vector_long_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_vector_long_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_vector_long_api = DLB_PY_EXCHANGE_API(
    dlgsl_vector_long_api_allocate, dlgsl_vector_long_api_to_object, dlb_py_api_view);

PyObject *dlgsl_vector_long_wrap(gsl_vector_long *self)
{
    return dlb_py_wrap(&dlgsl_vector_long_type, self);
}

gsl_vector_long *dlgsl_vector_long_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_vector_long_type, object);
}

/* ---- VectorC128 ---- */

static PyObject *dlgsl_vector_c128_from_producer(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&dlgsl_vector_c128_type, x);
}

static PyObject *dlgsl_vector_c128_empty(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)cls;
    return dlb_py_empty(&dlgsl_vector_c128_type, args, kwargs);
}

static PyMethodDef dlgsl_vector_c128_methods[] = {
    DLB_PY_TENSOR_METHODS,
    {"from_dlpack", dlgsl_vector_c128_from_producer, METH_O | METH_CLASS, DLB_PY_FROM_DLPACK_DOC},
    {"empty", DLB_PY_METHOD(dlgsl_vector_c128_empty), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='complex128')\n--\n\nA new object of that shape, made by the library."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dlgsl_vector_c128_slots[] = {
    {Py_tp_doc, "A gsl_vector_complex, whose elements may lie apart."},
    {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
    {Py_tp_repr, DLB_PY_SLOT(dlb_py_repr)},
    {Py_tp_methods, dlgsl_vector_c128_methods},
    {Py_tp_members, &dlb_py_members},
    {Py_tp_getset, dlb_py_getset},
    {Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)},
    {Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)},
    {0, NULL},
};

static const PyType_Spec dlgsl_vector_c128_spec = {
    .name = "gsl.VectorC128",
    .basicsize = sizeof(dlb_py_object),
    .flags = DLB_PY_TYPE_FLAGS,
    .slots = dlgsl_vector_c128_slots,
};

static int dlgsl_vector_c128_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out,
                                          void *error_ctx, dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&dlgsl_vector_c128_type, prototype, out, error_ctx, set_error);
}

static int dlgsl_vector_c128_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&dlgsl_vector_c128_type, tensor, out);
}

static const DLPackExchangeAPI dlgsl_vector_c128_api = DLB_PY_EXCHANGE_API(
    dlgsl_vector_c128_api_allocate, dlgsl_vector_c128_api_to_object, dlb_py_api_view);

PyObject *dlgsl_vector_c128_wrap(gsl_vector_complex *self)
{
    return dlb_py_wrap(&dlgsl_vector_c128_type, self);
}

gsl_vector_complex *dlgsl_vector_c128_unwrap(PyObject *object)
{
    return dlb_py_unwrap(&dlgsl_vector_c128_type, object);
}

/* ---- The module ---- */

int dlgsl_add_types(PyObject *module)
{
    if (dlb_py_add_type(module, &dlgsl_matrix_type, &dlgsl_matrix_spec, &dlgsl_matrix_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_matrix_f32_type, &dlgsl_matrix_f32_spec,
                        &dlgsl_matrix_f32_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_matrix_i32_type, &dlgsl_matrix_i32_spec,
                        &dlgsl_matrix_i32_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_matrix_u16_type, &dlgsl_matrix_u16_spec,
                        &dlgsl_matrix_u16_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_matrix_u8_type, &dlgsl_matrix_u8_spec,
                        &dlgsl_matrix_u8_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_matrix_long_type, &dlgsl_matrix_long_spec,
                        &dlgsl_matrix_long_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_matrix_c128_type, &dlgsl_matrix_c128_spec,
                        &dlgsl_matrix_c128_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_vector_type, &dlgsl_vector_spec, &dlgsl_vector_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_vector_f32_type, &dlgsl_vector_f32_spec,
                        &dlgsl_vector_f32_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_vector_i32_type, &dlgsl_vector_i32_spec,
                        &dlgsl_vector_i32_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_vector_u16_type, &dlgsl_vector_u16_spec,
                        &dlgsl_vector_u16_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_vector_u8_type, &dlgsl_vector_u8_spec,
                        &dlgsl_vector_u8_api) != 0) {
        return -1;
    }
    if (dlb_py_add_type(module, &dlgsl_vector_long_type, &dlgsl_vector_long_spec,
                        &dlgsl_vector_long_api) != 0) {
        return -1;
    }
    return dlb_py_add_type(module, &dlgsl_vector_c128_type, &dlgsl_vector_c128_spec,
                           &dlgsl_vector_c128_api);
}

static const dlgsl_c_api module_c_api = {
    sizeof(module_c_api),     dlgsl_matrix_wrap,        dlgsl_matrix_unwrap,
    dlgsl_matrix_f32_wrap,    dlgsl_matrix_f32_unwrap,  dlgsl_matrix_i32_wrap,
    dlgsl_matrix_i32_unwrap,  dlgsl_matrix_u16_wrap,    dlgsl_matrix_u16_unwrap,
    dlgsl_matrix_u8_wrap,     dlgsl_matrix_u8_unwrap,   dlgsl_matrix_long_wrap,
    dlgsl_matrix_long_unwrap, dlgsl_matrix_c128_wrap,   dlgsl_matrix_c128_unwrap,
    dlgsl_vector_wrap,        dlgsl_vector_unwrap,      dlgsl_vector_f32_wrap,
    dlgsl_vector_f32_unwrap,  dlgsl_vector_i32_wrap,    dlgsl_vector_i32_unwrap,
    dlgsl_vector_u16_wrap,    dlgsl_vector_u16_unwrap,  dlgsl_vector_u8_wrap,
    dlgsl_vector_u8_unwrap,   dlgsl_vector_long_wrap,   dlgsl_vector_long_unwrap,
    dlgsl_vector_c128_wrap,   dlgsl_vector_c128_unwrap,
};

static int fill_module(PyObject *module)
{
    return dlgsl_add_types(module) == 0 ? dlb_py_add_c_api(module, "gsl._C_API", &module_c_api)
                                        : -1;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(fill_module)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "gsl",
    .m_doc = "Matrices and vectors of the GNU Scientific Library, shared through DLPack.",
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_gsl(void);
PyMODINIT_FUNC PyInit_gsl(void)
{
    return dlb_py_start_module(&module_definition);
}
