/* SPDX-License-Identifier: MIT-0 */
/* What a generated NAME_module.c is a table of: the behaviour of every class, given its dlb_type. All functions need the
 * GIL (an attached thread state), and report failure as CPython does: NULL or -1 with an exception set. */
#ifndef DLB_PYTHON_H_
#define DLB_PYTHON_H_

#include <Python.h>

#include "dlb_runtime.h"

/* ISO C converts no function pointer to an object pointer, nor to another kind of function without a step between. */
#define DLB_PY_SLOT(function) ((void *)(uintptr_t)(function))
#define DLB_PY_METHOD(function) ((PyCFunction)(void (*)(void))(function))

/* The module slots that say what the runtime supports, where this CPython knows them, and the end of the slots. */
#if PY_VERSION_HEX >= 0x030D0000
#define DLB_PY_LAST_MODULE_SLOTS                                                                                       \
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED}, {Py_mod_gil, Py_MOD_GIL_NOT_USED}, {0, NULL}
#elif PY_VERSION_HEX >= 0x030C0000
#define DLB_PY_LAST_MODULE_SLOTS                                                                                       \
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED}, {0, NULL}
#else
#define DLB_PY_LAST_MODULE_SLOTS {0, NULL}
#endif

#define DLB_PY_TYPE_FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE)

/* The instances of every class: an owner and nothing else that belongs to them. */
typedef struct dlb_py_object {
    PyObject_HEAD
    dlb_owner *owner;
    struct dlb_py_state *state;
} dlb_py_object;

/* ---- Methods and slots of the classes ---- */

/* __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) (array API: __dlpack__) */
DLB_API PyObject *dlb_py_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
/* __dlpack_device__() (array API: __dlpack_device__) */
DLB_API PyObject *dlb_py_dlpack_device(PyObject *self, PyObject *unused);
/* __array__(dtype=None, copy=None): numpy.asarray() of the buffer, or the reason why there is none. */
DLB_API PyObject *dlb_py_array(PyObject *self, PyObject *args, PyObject *kwargs);
DLB_API int dlb_py_getbuffer(PyObject *self, Py_buffer *buffer, int flags);
DLB_API void dlb_py_releasebuffer(PyObject *self, Py_buffer *buffer);
DLB_API PyObject *dlb_py_repr(PyObject *self);
DLB_API void dlb_py_dealloc(PyObject *self);
/* <module.Name at 0x...>, for handles */
DLB_API PyObject *dlb_py_handle_repr(PyObject *self);

/* The attributes of tensors; DLB_PY_ATTRIBUTES are their entries, for classes that have more of them. */
DLB_API extern PyGetSetDef dlb_py_getset[];
DLB_API PyObject *dlb_py_get_shape(PyObject *self, void *closure);
DLB_API PyObject *dlb_py_get_strides(PyObject *self, void *closure);
DLB_API PyObject *dlb_py_get_dtype(PyObject *self, void *closure);
DLB_API PyObject *dlb_py_get_device(PyObject *self, void *closure);
DLB_API PyObject *dlb_py_get_readonly(PyObject *self, void *closure);
DLB_API PyObject *dlb_py_get_nbytes(PyObject *self, void *closure);
DLB_API PyObject *dlb_py_get_itemsize(PyObject *self, void *closure);
DLB_API PyObject *dlb_py_get_ndim(PyObject *self, void *closure);

#define DLB_PY_ATTRIBUTES                                                                                              \
    {"shape", dlb_py_get_shape, NULL, "Extent of each axis, in elements.", NULL},                                      \
    {"strides", dlb_py_get_strides, NULL, "Step of each axis, in elements.", NULL},                                    \
    {"dtype", dlb_py_get_dtype, NULL, "Name of the element type.", NULL},                                              \
    {"device", dlb_py_get_device, NULL, "DLPack device: its type and its number.", NULL},                              \
    {"readonly", dlb_py_get_readonly, NULL, "Whether the memory must not be written.", NULL},                          \
    {"nbytes", dlb_py_get_nbytes, NULL, "Bytes of all elements, without gaps.", NULL},                                 \
    {"itemsize", dlb_py_get_itemsize, NULL, "Bytes of one element.", NULL},                                            \
    {"ndim", dlb_py_get_ndim, NULL, "Number of axes.", NULL}

/* The method `name` that makes an object of `type` of the C object behind `self`: its arguments are the params of `type`,
 * positional or by name. The new object keeps the C owner of `self` alive, not `self`. Texts among the params are copied. */
DLB_API PyObject *dlb_py_child(PyObject *self, const char *name, const dlb_type *type, PyObject *const *args,
                               Py_ssize_t nargs, PyObject *kwnames);
/* A property: the tuple of all parts. Part i has i as its first param, and defaults for the others. */
DLB_API PyObject *dlb_py_parts(PyObject *self, const dlb_parts *parts);

/* from_dlpack(x, /): an object that shows the memory of `producer` (array API: from_dlpack) */
DLB_API PyObject *dlb_py_from_dlpack(const dlb_type *type, PyObject *producer);
/* from_dlpack(x, /, *, ...): the same with the params of the importer. Texts live as long as the call. */
DLB_API PyObject *dlb_py_from_dlpack_with(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames);
/* empty(shape, *, dtype) */
DLB_API PyObject *dlb_py_empty(const dlb_type *type, PyObject *args, PyObject *kwargs);

#define DLB_PY_DLPACK_DOC                                                                                              \
    "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"                        \
    "A DLPack capsule of the memory, versioned if max_version says 1.0 or later."
#define DLB_PY_DLPACK_DEVICE_DOC                                                                                       \
    "__dlpack_device__($self, /)\n--\n\nThe DLPack device: its type and its number."
#define DLB_PY_ARRAY_DOC                                                                                               \
    "__array__($self, /, dtype=None, copy=None)\n--\n\nA NumPy array of the memory, which must be a buffer."
#define DLB_PY_FROM_DLPACK_DOC                                                                                         \
    "from_dlpack($type, x, /)\n--\n\nAn object that shows the memory of x, without a copy."

/* ---- Modules and C code beside them ---- */

/* Makes the class and adds it to `module`; from then on `type` can be wrapped in this interpreter. 0 or -1. */
DLB_API int dlb_py_add_type(PyObject *module, const dlb_type *type, PyType_Spec *spec);

/* A new Python object for `object`, which moves in, or is retained or cloned where the spec says so. For types with a
 * state, `object` points to one with the object and the params filled in; it is copied, but not the texts that its params
 * point to, which must live as long. On failure the object is still the caller's. */
DLB_API PyObject *dlb_py_wrap(const dlb_type *type, void *object);

/* The same for a borrowed object, which lives as long as `parent`. NULL: the caller's promise that it lives longer than
 * the Python object and everything exported from it. */
DLB_API PyObject *dlb_py_wrap_borrowed(const dlb_type *type, void *object, PyObject *parent);

/* The C object behind `object`, which must be of the class of `type`; it lives as long as `object`. Or TypeError. */
DLB_API void *dlb_py_unwrap(const dlb_type *type, PyObject *object);

#endif
