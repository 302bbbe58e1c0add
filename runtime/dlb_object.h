/* SPDX-License-Identifier: MIT-0 */
/* Objects of generated classes, for a generated NAME_module.c and for other C or C++ code: the behaviour of each class, given its dlb_type.
 * All functions but the allocator need the GIL (an attached thread state). They report failure as CPython does: NULL or -1 with an
 * exception set. */
#ifndef DLB_OBJECT_H_
#define DLB_OBJECT_H_

#include <Python.h>
#if defined(PYPY_VERSION)
#error "the runtime needs CPython: the headers are those of PyPy, whose objects have another layout"
#include "CPython.h" /* does not exist, and so ends the compilation here: gcc and clang continue after an #error */
#elif defined(GRAALVM_PYTHON)
#error "the runtime needs CPython: the headers are those of GraalPy, whose objects have another layout"
#include "CPython.h"
#elif PY_VERSION_HEX < 0x030A0000
#error "the runtime needs CPython 3.10 or newer"
#include "CPython.h"
#endif

#include "dlb_core.h"

/* Convert a function pointer for a slot, and for a method table. ISO C has no direct conversion to an object pointer, and compilers warn of
 * a direct cast to another function type. */
#define DLB_PY_SLOT(function) ((void *)(uintptr_t)(function))
#define DLB_PY_METHOD(function) ((PyCFunction)(void (*)(void))(function))

/* The module slots that declare what the runtime supports, as far as this CPython knows them, and the end of the slots. With the
 * limited API, dlb_py_start_module() removes slots that the running CPython does not know. */
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
/* The slots of a module with functions that invalidate objects. Such a call first checks that no export of the memory is alive. Only
 * the GIL keeps other threads from exporting it between the check and the call. */
#define DLB_PY_LAST_MODULE_SLOTS_WITH_GIL DLB_PY_MODULE_SLOTS_(0) /* Py_MOD_GIL_USED */

/* The instances of every class. An instance owns a share of its owner, and nothing else. */
typedef struct dlb_py_object {
    PyObject_HEAD
    dlb_owner *owner; /* NULL: closed */
    const dlb_type *type;
    struct dlb_py_state *state;
    PyObject *weakrefs;
    void *object; /* the T *, if functions can use it without the owner; NULL otherwise, and once closed */
    /* `describe_fast` of the type, if borrowing needs nothing else; NULL otherwise, and once closed */
    dlb_describe_once *describe_temporary;
    int writable; /* functions may write to `object` */
    int shares; /* each call takes a share of the owner */
    int closes; /* Python owns the C object, which `close` of the type releases */
} dlb_py_object;

/* ---- Methods that classes may have ---- */

/* Implements the method `name`, which makes an object of `type` of the C object behind `self`. Its arguments are the params of `type`,
 * by position or by name, without the params that `self` has too. The new object keeps the C owner of `self` alive, not `self`. Strings
 * among the params are copied. `parts`: the first param is an index of one of these parts; NULL: it is not. */
DLB_API PyObject *dlb_py_child(PyObject *self, const char *name, const dlb_type *type, const dlb_parts *parts,
                               PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
/* Implements a property: returns the tuple of all parts. Part i has i as its first param. Its other params are those of `self`, or have
 * their defaults. */
DLB_API PyObject *dlb_py_parts(PyObject *self, const dlb_parts *parts);

/* Makes an object that shows the memory of `producer` (array API: from_dlpack). */
DLB_API PyObject *dlb_py_from_dlpack(const dlb_type *type, PyObject *producer);
/* Implements from_dlpack(x) of a class without keywords. The interpreter has imported the module of the class. */
DLB_API PyObject *dlb_py_class_from_dlpack(const dlb_type *type, PyObject *producer);
/* Implements from_dlpack(x, /, *, device=None, copy=None, ...), with the params of the importer; its params named `device` and `copy` hide
 * those of the array API. A class whose objects can be on a device with streams has the keyword `stream`, too. Strings must live as long
 * as the call. */
DLB_API PyObject *dlb_py_from_dlpack_with(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames);
/* Implements from_dlpack(x, /, *, device=None, copy=None) of a class without params. */
static inline PyObject *dlb_py_from_dlpack_call(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return nargs == 1 && kwnames == NULL ? dlb_py_class_from_dlpack(type, args[0])
                                         : dlb_py_from_dlpack_with(type, args, nargs, kwnames);
}
/* Implements empty(shape, *, dtype). */
DLB_API PyObject *dlb_py_empty(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
/* Implements empty() of an allocator with params, which are further keywords. */
DLB_API PyObject *dlb_py_empty_with(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* ---- Exchange tables (DLPack: DLPackExchangeAPI) ---- */

/* Initialises an exchange table, given the two functions that depend on the type. `view` is dlb_py_api_view, or NULL if the data exists
 * only during exports. Without a GIL it is always NULL, because the axes of the view belong to the object. */
#define DLB_PY_EXCHANGE_API(allocate, to_object, view)                                                                 \
    {                                                                                                                  \
        {{1, 3}, NULL}, (allocate), dlb_py_api_from_object, (to_object), DLB_PY_WITH_GIL(view), dlb_py_api_stream      \
    }
#if defined(Py_GIL_DISABLED)
#define DLB_PY_WITH_GIL(function) NULL
#else
#define DLB_PY_WITH_GIL(function) (function)
#endif

/* Receives errors of an allocator. `kind` is the name of an exception. */
typedef void dlb_py_set_error(void *error_ctx, const char *kind, const char *message);

/* Allocates a new tensor with `allocate` of the spec. Needs no thread state. Errors are passed to `set_error` unless it is NULL. */
DLB_API int dlb_py_api_allocate(const dlb_type *type, const DLTensor *prototype, DLManagedTensorVersioned **out,
                                void *error_ctx, dlb_py_set_error *set_error);
/* Makes a new object that shows the memory of `tensor`. On failure the tensor still belongs to the caller. */
DLB_API int dlb_py_api_to_object(const dlb_type *type, DLManagedTensorVersioned *tensor, void **out);
/* Exports an object as a managed tensor, for other libraries. */
DLB_API int dlb_py_api_from_object(void *object, DLManagedTensorVersioned **out);
/* Borrows the data of an object: see dlb_borrow(). */
DLB_API int dlb_py_api_view(void *object, DLTensor *out);
/* Returns the current stream of a device: always NULL, the default stream. */
DLB_API int dlb_py_api_stream(DLDeviceType device_type, int32_t device_id, void **out);

/* ---- Modules, and other C code that uses them ---- */

/* Calls PyModuleDef_Init() for the running CPython, which may be newer than the one that the module was compiled for. */
DLB_API PyObject *dlb_py_start_module(PyModuleDef *definition);

/* Creates the module as CPython would, after the interpreter has its state: functions of the module rely on it. */
DLB_API PyObject *dlb_py_create_module(PyObject *spec, PyModuleDef *definition);

/* A vectorcall function. `nargsf` is the number of positional arguments, with a flag. */
typedef PyObject *dlb_py_vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *kwnames);

/* Describes a class, beyond the methods and attributes that all classes have (for tensors, those of the array API). */
typedef struct dlb_py_class {
    const dlb_type *type;
    const char *doc;
    PyMethodDef *methods; /* NULL: none */
    PyGetSetDef *attributes; /* NULL: none */
    const DLPackExchangeAPI *api; /* NULL: the type is a handle, not a tensor */
    newfunc make; /* implements calls of the class; NULL: calls are refused */
    dlb_py_vectorcall *call; /* implements calls of the class without a tuple and a dict (not in the limited API) */
    const PyType_Slot *slots; /* special methods, terminated by a slot 0; NULL: none */
    const char *c_type; /* which other modules compare with their own */
} dlb_py_class;

/* Makes the class and adds it to `module`. From then on, objects of its type can be wrapped in this interpreter. Everything that the
 * dlb_py_class points to must be static. Returns 0 or -1. */
DLB_API int dlb_py_add_class(PyObject *module, const dlb_py_class *cls);

/* Declares that functions of `module` use the external class of `type`. The other module is imported at the first use. Returns 0 or -1. */
DLB_API int dlb_py_add_external(PyObject *module, const dlb_type *type);
/* Finds the external class of `type` before a call that returns an object of it. `owned`: the class must be able to release the object.
 * Returns 0, or -1 with an ImportError or a TypeError. */
DLB_API int dlb_py_find_external(const dlb_type *type, int owned);

/* Adds `_C_API`, a capsule with a static struct of functions for other extensions. `name`, also static, identifies the struct, in
 * whatever package the module is. Returns 0 or -1. */
DLB_API int dlb_py_add_c_api(PyObject *module, const char *name, const void *functions);

/* Makes a new Python object of `object`, which it takes over, or retains or clones if the spec says so. For types with a state,
 * `object` points to a state with the object and the params, which is copied. Strings that its params point to are not copied, and must
 * live as long. On failure the object still belongs to the caller. */
DLB_API PyObject *dlb_py_wrap(const dlb_type *type, void *object);

/* Makes a new Python object of a borrowed object, which lives as long as `parent`. If `parent` is NULL, the caller guarantees that it
 * outlives the Python object and everything exported from it. */
DLB_API PyObject *dlb_py_wrap_borrowed(const dlb_type *type, void *object, PyObject *parent);

/* Returns the C object behind `object`. It is valid until `object` is closed or destroyed. TypeError unless `object` is of the class of
 * `type`; ValueError if it is closed. */
DLB_API void *dlb_py_unwrap(const dlb_type *type, PyObject *object);

/* ---- The functions of a class that only call the runtime ---- */

/* Defines a class method, which `call` implements for `type`: dlb_py_empty and so on. */
#define DLB_PY_DEFINE_CLASS_METHOD(function, call, type)                                                               \
    static PyObject *function(PyObject *dlb_cls_, PyObject *const *dlb_args_, Py_ssize_t dlb_nargs_, PyObject *dlb_kwnames_)\
    {                                                                                                                  \
        (void)dlb_cls_;                                                                                                \
        return call(&type, dlb_args_, dlb_nargs_, dlb_kwnames_);                                                       \
    }

/* Defines the exchange table of a class, and the two functions in it that depend on the type. See DLB_PY_EXCHANGE_API. */
#define DLB_PY_DEFINE_EXCHANGE_API(table, type, view)                                                                  \
    static int table##_allocate(DLTensor *dlb_prototype_, DLManagedTensorVersioned **dlb_out_, void *dlb_context_,     \
                                dlb_py_set_error *dlb_set_error_)                                                      \
    {                                                                                                                  \
        return dlb_py_api_allocate(&type, dlb_prototype_, dlb_out_, dlb_context_, dlb_set_error_);                     \
    }                                                                                                                  \
                                                                                                                       \
    static int table##_to_object(DLManagedTensorVersioned *dlb_managed_, void **dlb_out_)                              \
    {                                                                                                                  \
        return dlb_py_api_to_object(&type, dlb_managed_, dlb_out_);                                                    \
    }                                                                                                                  \
                                                                                                                       \
    static const DLPackExchangeAPI table = DLB_PY_EXCHANGE_API(table##_allocate, table##_to_object, view);

/* Define NAME_wrap() of a class without a state: for objects that the Python object takes over or retains, and for borrowed objects.
 * `name` is the C name of the class, whose type is NAME_type. */
#define DLB_PY_DEFINE_WRAP(name, pointer)                                                                              \
    PyObject *name##_wrap(pointer dlb_self_)                                                                           \
    {                                                                                                                  \
        return dlb_py_wrap(&name##_type, dlb_self_);                                                                   \
    }
#define DLB_PY_DEFINE_WRAP_BORROWED(name, pointer)                                                                     \
    PyObject *name##_wrap(pointer dlb_self_, PyObject *dlb_parent_)                                                    \
    {                                                                                                                  \
        return dlb_py_wrap_borrowed(&name##_type, dlb_self_, dlb_parent_);                                             \
    }

/* Defines NAME_unwrap(), which returns a `pointer`. */
#define DLB_PY_DEFINE_UNWRAP(name, pointer)                                                                            \
    pointer name##_unwrap(PyObject *dlb_object_)                                                                       \
    {                                                                                                                  \
        return dlb_py_unwrap(&name##_type, dlb_object_);                                                               \
    }

#endif
