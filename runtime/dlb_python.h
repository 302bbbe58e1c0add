/* SPDX-License-Identifier: MIT-0 */
/* What a generated NAME_module.c is a table of: the behaviour of every class, given its dlb_type. All functions but the
 * allocator need the GIL (an attached thread state), and report failure as CPython does: NULL or -1 with an exception set. */
#ifndef DLB_PYTHON_H_
#define DLB_PYTHON_H_

#include <Python.h>
#if defined(PYPY_VERSION)
#error "the runtime needs CPython: the headers are those of PyPy, whose objects have another layout"
#include "CPython.h" /* does not exist, and ends the compilation here: gcc and clang go on after an #error */
#elif defined(GRAALVM_PYTHON)
#error "the runtime needs CPython: the headers are those of GraalPy, whose objects have another layout"
#include "CPython.h"
#elif PY_VERSION_HEX < 0x030A0000
#error "the runtime needs CPython 3.10 or newer"
#include "CPython.h"
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

/* The instances of every class. All that belongs to them is a share of the owner. */
typedef struct dlb_py_object {
    PyObject_HEAD
    dlb_owner *owner; /* NULL: closed */
    const dlb_type *type;
    struct dlb_py_state *state;
    PyObject *weakrefs;
    void *object; /* the T *, where a function can have it without asking the owner; else, and once closed, NULL */
    dlb_describe_once *describe_temporary; /* the type's, where a borrowed view needs nothing else; else, and once closed, NULL */
    int writable; /* a function may write to `object` */
    int shares; /* each call holds a share of the owner */
    int closes; /* the object is its own, and goes by the type's `close` */
} dlb_py_object;

/* ---- Methods that classes may have ---- */

/* The method `name` that makes an object of `type` of the C object behind `self`: its arguments are the params of `type`,
 * positional or by name, but for those that `self` has too. The new object keeps the C owner of `self` alive, not `self`. Texts
 * among the params are copied. `parts`: the first of them is the index of one of these; else NULL. */
DLB_API PyObject *dlb_py_child(PyObject *self, const char *name, const dlb_type *type, const dlb_parts *parts,
                               PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
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

/* ---- Modules and C code beside them ---- */

/* PyModuleDef_Init() for the CPython that runs, whichever the module was compiled for. */
DLB_API PyObject *dlb_py_start_module(PyModuleDef *definition);

/* The module as CPython would make it, in an interpreter that has a state before anything of the module can be called. */
DLB_API PyObject *dlb_py_create_module(PyObject *spec, PyModuleDef *definition);

/* How CPython calls what it has a vector of arguments for: `nargsf` are those by position, with a flag. */
typedef PyObject *dlb_py_vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *kwnames);

/* What the class of a type has beside what all classes have: of tensors the array API's methods and attributes. */
typedef struct dlb_py_class {
    const dlb_type *type;
    const char *doc;
    PyMethodDef *methods; /* NULL: none */
    PyGetSetDef *attributes; /* NULL: none */
    const DLPackExchangeAPI *api; /* of tensors; NULL: a handle */
    newfunc make; /* what calling the class does; NULL: it refuses to be called */
    dlb_py_vectorcall *call; /* the same without a tuple and a dict (the limited API has no word for it) */
    const PyType_Slot *slots; /* of special methods, up to one that is 0; NULL: none */
} dlb_py_class;

/* Makes the class and adds it to `module`, after which it is named; from then on its type can be wrapped in this interpreter.
 * What the class points to is static. 0 or -1. */
DLB_API int dlb_py_add_class(PyObject *module, const dlb_py_class *cls);

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
