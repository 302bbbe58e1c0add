/* SPDX-License-Identifier: MIT-0 */
/* What a generated NAME_module.c is a table of: the behaviour of every class, given its dlb_type. All functions but the
 * allocator need the GIL (an attached thread state), and report failure as CPython does: NULL or -1 with an exception set. */
#ifndef DLB_PYTHON_H_
#define DLB_PYTHON_H_

#include <Python.h>
#if PY_VERSION_HEX < 0x030A0000
#error "the runtime needs CPython 3.10 or newer"
#endif

#include "dlb_runtime.h"

/* ISO C converts no function pointer to an object pointer, nor to another kind of function without a step between. */
#define DLB_PY_SLOT(function) ((void *)(uintptr_t)(function))
#define DLB_PY_METHOD(function) ((PyCFunction)(void (*)(void))(function))

/* The module slots that say what the runtime supports, where this CPython knows them, and the end of the slots. With the limited
 * API dlb_py_start_module() leaves out what the CPython does not know that loads the module. */
#define DLB_PY_MOD_MULTIPLE_INTERPRETERS 3
#define DLB_PY_MOD_GIL 4
#define DLB_PY_CREATE_SLOT {Py_mod_create, DLB_PY_SLOT(dlb_py_create_module)}
#if defined(Py_LIMITED_API)
#define DLB_PY_MODULE_SLOTS_(gil)                                                                                      \
    DLB_PY_CREATE_SLOT, {DLB_PY_MOD_MULTIPLE_INTERPRETERS, (void *)2}, /* Py_MOD_PER_INTERPRETER_GIL_SUPPORTED */      \
        {DLB_PY_MOD_GIL, (void *)(gil)}, {0, NULL}
#elif PY_VERSION_HEX >= 0x030D0000
#define DLB_PY_MODULE_SLOTS_(gil)                                                                                      \
    DLB_PY_CREATE_SLOT, {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},                          \
        {Py_mod_gil, (void *)(gil)}, {0, NULL}
#elif PY_VERSION_HEX >= 0x030C0000
#define DLB_PY_MODULE_SLOTS_(gil)                                                                                      \
    DLB_PY_CREATE_SLOT, {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED}, {0, NULL}
#else
#define DLB_PY_MODULE_SLOTS_(gil) DLB_PY_CREATE_SLOT, {0, NULL}
#endif
#define DLB_PY_LAST_MODULE_SLOTS DLB_PY_MODULE_SLOTS_(1) /* Py_MOD_GIL_NOT_USED */
/* Of a module with functions that invalidate: between the check that nobody else uses the memory and the call, only the GIL keeps
 * other threads from exporting it. */
#define DLB_PY_LAST_MODULE_SLOTS_WITH_GIL DLB_PY_MODULE_SLOTS_(0) /* Py_MOD_GIL_USED */

#define DLB_PY_CALLABLE_TYPE_FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE)
#define DLB_PY_TYPE_FLAGS (DLB_PY_CALLABLE_TYPE_FLAGS | Py_TPFLAGS_DISALLOW_INSTANTIATION)

/* The instances of every class. All that belongs to them is a share of the owner. */
typedef struct dlb_py_object {
    PyObject_HEAD
    dlb_owner *owner; /* NULL: closed */
    const dlb_type *type;
    struct dlb_py_state *state;
    PyObject *weakrefs;
    void *object; /* the T *, where a function can have it without asking the owner; else, and once closed, NULL */
    dlb_describe_once *describe_lent; /* the type's, where a borrowed view needs nothing else; else, and once closed, NULL */
    int writable; /* a function may write to `object` */
    int shares; /* each call holds a share of the owner */
    int closes; /* the object is its own, and goes by the type's `close` */
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
/* to(target, /): this object as one of another library: `target` is its type, or what has its from_dlpack(). */
DLB_API PyObject *dlb_py_to(PyObject *self, PyObject *target);
/* close(), __enter__(), __exit__(): gives Python's share of the object back; what was exported keeps its own. */
DLB_API PyObject *dlb_py_close(PyObject *self, PyObject *unused);
DLB_API PyObject *dlb_py_enter_context(PyObject *self, PyObject *unused);
DLB_API PyObject *dlb_py_exit_context(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
/* __reduce_ex__(protocol), and the class method _rebuild() that what was pickled comes back by. */
DLB_API PyObject *dlb_py_reduce_ex(PyObject *self, PyObject *protocol);
DLB_API PyObject *dlb_py_rebuild(PyObject *cls, PyObject *args);
DLB_API PyObject *dlb_py_repr(PyObject *self);
DLB_API void dlb_py_dealloc(PyObject *self);
/* <module.Name at 0x...>, for handles */
DLB_API PyObject *dlb_py_handle_repr(PyObject *self);

/* Weak references. (Its type would need <structmember.h>, which takes names that a library may have: READONLY, T_INT.) */
DLB_API extern struct dlb_py_member_table dlb_py_members;

/* The methods of all classes, and those of tensors beside them. */
#define DLB_PY_METHODS                                                                                                 \
    {"close", dlb_py_close, METH_NOARGS, DLB_PY_CLOSE_DOC}, {"__enter__", dlb_py_enter_context, METH_NOARGS, NULL},     \
    {"__exit__", DLB_PY_METHOD(dlb_py_exit_context), METH_FASTCALL, NULL},                                             \
    {"__reduce_ex__", dlb_py_reduce_ex, METH_O, NULL}, {"_rebuild", dlb_py_rebuild, METH_VARARGS | METH_CLASS, NULL}
#define DLB_PY_TENSOR_METHODS                                                                                          \
    {"__dlpack__", DLB_PY_METHOD(dlb_py_dlpack), METH_FASTCALL | METH_KEYWORDS, DLB_PY_DLPACK_DOC},                    \
    {"__dlpack_device__", dlb_py_dlpack_device, METH_NOARGS, DLB_PY_DLPACK_DEVICE_DOC},                                \
    {"__array__", DLB_PY_METHOD(dlb_py_array), METH_VARARGS | METH_KEYWORDS, DLB_PY_ARRAY_DOC},                        \
    {"to", dlb_py_to, METH_O, DLB_PY_TO_DOC}, DLB_PY_METHODS

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
 * positional or by name, but for those that `self` has too. The new object keeps the C owner of `self` alive, not `self`. Texts
 * among the params are copied. */
DLB_API PyObject *dlb_py_child(PyObject *self, const char *name, const dlb_type *type, PyObject *const *args,
                               Py_ssize_t nargs, PyObject *kwnames);
/* A property: the tuple of all parts. Part i has i as its first param; others are those of `self`, or have their defaults. */
DLB_API PyObject *dlb_py_parts(PyObject *self, const dlb_parts *parts);

/* An object that shows the memory of `producer` (array API: from_dlpack); */
DLB_API PyObject *dlb_py_from_dlpack(const dlb_type *type, PyObject *producer);
/* the same as from_dlpack(x, /) of the class: this interpreter has imported its module; */
DLB_API PyObject *dlb_py_class_from_dlpack(const dlb_type *type, PyObject *producer);
/* and from_dlpack(x, /, *, ...), with the params of the importer. Texts live as long as the call. */
DLB_API PyObject *dlb_py_from_dlpack_with(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames);
/* empty(shape, *, dtype) */
DLB_API PyObject *dlb_py_empty(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* ---- Exchange tables (DLPack: DLPackExchangeAPI) ---- */

/* A table of the two functions that must know their type, and the others. `view` is dlb_py_api_view, or NULL where the data is
 * there only while it is exported; without a GIL there is none, since the view's axes belong to the object. */
#define DLB_PY_EXCHANGE_API(allocate, to_object, view)                                                                 \
    {                                                                                                                  \
        {{1, 3}, NULL}, (allocate), dlb_py_api_from_object, (to_object), DLB_PY_WITH_GIL(view), dlb_py_api_stream      \
    }
#if defined(Py_GIL_DISABLED)
#define DLB_PY_WITH_GIL(function) NULL
#else
#define DLB_PY_WITH_GIL(function) (function)
#endif

/* How the caller of an allocator hears of its errors: `kind` is the name of an exception. */
typedef void dlb_py_set_error(void *error_ctx, const char *kind, const char *message);

/* A new tensor made by the spec's `allocate`. Needs no thread state; errors go to `set_error` unless that is NULL. */
DLB_API int dlb_py_api_allocate(const dlb_type *type, const DLTensor *prototype, DLManagedTensorVersioned **out,
                                void *error_ctx, dlb_py_set_error *set_error);
/* A new object that shows the memory of `tensor`, which is the caller's still if that fails. */
DLB_API int dlb_py_api_to_object(const dlb_type *type, DLManagedTensorVersioned *tensor, void **out);
DLB_API int dlb_py_api_from_object(void *object, DLManagedTensorVersioned **out);
/* See dlb_borrow(). */
DLB_API int dlb_py_api_view(void *object, DLTensor *out);
DLB_API int dlb_py_api_stream(DLDeviceType device_type, int32_t device_id, void **out);

#define DLB_PY_DLPACK_DOC                                                                                              \
    "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"                        \
    "A DLPack capsule of the memory, versioned if max_version says 1.0 or later."
#define DLB_PY_DLPACK_DEVICE_DOC                                                                                       \
    "__dlpack_device__($self, /)\n--\n\nThe DLPack device: its type and its number."
#define DLB_PY_ARRAY_DOC                                                                                               \
    "__array__($self, /, dtype=None, copy=None)\n--\n\nA NumPy array of the memory, which must be a buffer."
#define DLB_PY_TO_DOC                                                                                                  \
    "to($self, target, /)\n--\n\n"                                                                                     \
    "The memory as an object of another library: target is its type, or a module with from_dlpack()."
#define DLB_PY_CLOSE_DOC                                                                                               \
    "close($self, /)\n--\n\nLets go of the object; arrays that share its memory keep it alive."

/* ---- Modules and C code beside them ---- */

/* PyModuleDef_Init() for the CPython that runs, whichever the module was compiled for. */
DLB_API PyObject *dlb_py_start_module(PyModuleDef *definition);

/* The module as CPython would make it, in an interpreter that has a state before anything of the module can be called. */
DLB_API PyObject *dlb_py_create_module(PyObject *spec, PyModuleDef *definition);

/* Makes the class and adds it to `module`, after which it is named; from then on `type` can be wrapped in this interpreter.
 * `api`, its exchange table, is static; NULL for handles. 0 or -1. */
DLB_API int dlb_py_add_type(PyObject *module, const dlb_type *type, const PyType_Spec *spec,
                            const DLPackExchangeAPI *api);

/* How CPython calls what it has a vector of arguments for: `nargsf` are those by position, with a flag. */
typedef PyObject *dlb_py_vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *kwnames);

/* The same for a class that makes an object when it is called, as its tp_new does: `vectorcall`, where classes may have such a
 * function (the limited API has no word for it), needs neither a tuple nor a dict. */
DLB_API int dlb_py_add_callable_type(PyObject *module, const dlb_type *type, const PyType_Spec *spec,
                                     const DLPackExchangeAPI *api, dlb_py_vectorcall *vectorcall);

/* Adds `_C_API`, the capsule of a static struct of functions for other extensions; `name`, static too, tells whose they are, in
 * whatever package the module is. 0 or -1. */
DLB_API int dlb_py_add_c_api(PyObject *module, const char *name, const void *functions);

/* A new Python object for `object`, which moves in, or is retained or cloned where the spec says so. For types with a
 * state, `object` points to one with the object and the params filled in; it is copied, but not the texts that its params
 * point to, which must live as long. On failure the object is still the caller's. */
DLB_API PyObject *dlb_py_wrap(const dlb_type *type, void *object);

/* The same for a borrowed object, which lives as long as `parent`. NULL: the caller's promise that it lives longer than
 * the Python object and everything exported from it. */
DLB_API PyObject *dlb_py_wrap_borrowed(const dlb_type *type, void *object, PyObject *parent);

/* The C object behind `object`, which must be of the class of `type` (else TypeError) and open (else ValueError); it lives
 * until `object` is closed or ends. */
DLB_API void *dlb_py_unwrap(const dlb_type *type, PyObject *object);

#endif
