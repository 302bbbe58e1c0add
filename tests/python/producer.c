/* SPDX-License-Identifier: MIT */
/* A producer that does what it is told: managed tensors whose every field the tests set, by address, and whose deleter
 * and capsules keep a record of how they were ended. Nothing here comes from the runtime. */
#include <Python.h>

#include <dlpack/dlpack.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SLOT(function) ((void *)(uintptr_t)(function))
#define METHOD(function) ((PyCFunction)(void (*)(void))(function))

enum { AXES = 72, DATA_BYTES = 1024, EXITS = 8 };

/* A managed tensor with room for what it points to. */
typedef struct block {
    union {
        DLManagedTensor legacy;
        DLManagedTensorVersioned versioned;
    } managed;
    int64_t axes[2 * AXES];
    unsigned char data[DATA_BYTES];
} block;

static atomic_int deleted;
static atomic_int with_exception; /* of those, with an exception pending */
static atomic_int without_gil;    /* of those, on a thread that did not hold the GIL */
static atomic_int leaving;        /* deleters leave an exception */

static void delete_block(block *ended)
{
    (void)atomic_fetch_add(&deleted, 1);
    if (!Py_IsInitialized() || !PyGILState_Check()) {
        (void)atomic_fetch_add(&without_gil, 1);
    } else if (PyErr_Occurred() != NULL) {
        (void)atomic_fetch_add(&with_exception, 1);
    }
    if (atomic_load(&leaving) && Py_IsInitialized() && PyGILState_Check()) {
        PyErr_SetString(PyExc_ZeroDivisionError, "left by a deleter");
    }
    memset(ended, 0xDD, sizeof *ended); /* whoever still looks shall see it */
    free(ended);
}

static void delete_legacy(DLManagedTensor *tensor)
{
    delete_block(tensor->manager_ctx);
}

static void delete_versioned(DLManagedTensorVersioned *tensor)
{
    delete_block(tensor->manager_ctx);
}

/* managed(versioned): the addresses of a zeroed managed tensor, of its axes and of its data */
static PyObject *producer_managed(PyObject *module, PyObject *versioned)
{
    block *const made = calloc(1, sizeof *made);

    (void)module;
    if (made == NULL) {
        return PyErr_NoMemory();
    }
    if (versioned == Py_True) {
        made->managed.versioned.manager_ctx = made;
        made->managed.versioned.deleter = delete_versioned;
    } else {
        made->managed.legacy.manager_ctx = made;
        made->managed.legacy.deleter = delete_legacy;
    }
    return Py_BuildValue("(NNN)", PyLong_FromVoidPtr(&made->managed), PyLong_FromVoidPtr(made->axes),
                         PyLong_FromVoidPtr(made->data));
}

/* free(address): ends one whose deleter was set to NULL */
static PyObject *producer_free(PyObject *module, PyObject *address)
{
    (void)module;
    free(PyLong_AsVoidPtr(address));
    Py_RETURN_NONE;
}

/* ---- Capsules ---- */

/* Deletes what is still in it, in whatever kind of capsule. */
static void end_capsule(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        DLManagedTensor *const tensor = PyCapsule_GetPointer(capsule, "dltensor");

        if (tensor->deleter != NULL) {
            tensor->deleter(tensor);
        }
    } else if (PyCapsule_IsValid(capsule, "dltensor_versioned") || PyCapsule_IsValid(capsule, "something_else")) {
        DLManagedTensorVersioned *const tensor = PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));

        if (tensor->deleter != NULL) {
            tensor->deleter(tensor);
        }
    }
}

static const char *const names[] = {"dltensor", "dltensor_versioned", "used_dltensor", "used_dltensor_versioned",
                                    "something_else"};

/* capsule(address, name): name None is NULL */
static PyObject *producer_capsule(PyObject *module, PyObject *args)
{
    PyObject *address;
    const char *wanted;
    const char *name = NULL;

    (void)module;
    if (!PyArg_ParseTuple(args, "Oz:capsule", &address, &wanted)) {
        return NULL;
    }
    for (size_t i = 0; wanted != NULL && i < sizeof names / sizeof names[0]; i++) {
        name = strcmp(names[i], wanted) == 0 ? names[i] : name;
    }
    return PyCapsule_New(PyLong_AsVoidPtr(address), name, end_capsule);
}

/* consume(capsule): the address of its managed tensor, which is the caller's from then on, and whether it is versioned */
static PyObject *producer_consume(PyObject *module, PyObject *capsule)
{
    const int versioned = PyCapsule_IsValid(capsule, "dltensor_versioned");
    void *const tensor = PyCapsule_GetPointer(capsule, names[versioned]);

    (void)module;
    if (tensor == NULL || PyCapsule_SetName(capsule, names[2 + versioned]) != 0) {
        return NULL;
    }
    return Py_BuildValue("(NN)", PyLong_FromVoidPtr(tensor), PyBool_FromLong(versioned));
}

/* ---- Deletion of foreign tensors, in every place ---- */

typedef struct victim {
    void *tensor;
    int versioned;
    int elsewhere; /* on a thread of its own, after the interpreter */
} victim;

static void call_deleter(const victim *ended)
{
    if (ended->versioned) {
        ((DLManagedTensorVersioned *)ended->tensor)->deleter(ended->tensor);
    } else {
        ((DLManagedTensor *)ended->tensor)->deleter(ended->tensor);
    }
}

static void *delete_on_thread(void *ended)
{
    call_deleter(ended);
    return NULL;
}

static PyObject *delete_elsewhere(const victim *ended, int own_thread)
{
    int failed = 0;

    Py_BEGIN_ALLOW_THREADS
    if (own_thread) {
        call_deleter(ended);
    } else {
        pthread_t thread;

        failed = pthread_create(&thread, NULL, delete_on_thread, (void *)(uintptr_t)ended) != 0 ||
                 pthread_join(thread, NULL) != 0;
    }
    Py_END_ALLOW_THREADS
    if (failed) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    Py_RETURN_NONE;
}

static PyObject *delete_with_exception(const victim *ended)
{
    PyErr_SetString(PyExc_KeyError, "pending");
    call_deleter(ended);
    if (!PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyErr_Clear();
        PyErr_SetString(PyExc_AssertionError, "the deleter lost the pending exception");
        return NULL;
    }
    PyErr_Clear();
    Py_RETURN_NONE;
}

static victim exits[EXITS];
static int exit_count;

static void delete_at_exit(void)
{
    for (int i = 0; i < exit_count; i++) {
        pthread_t thread;

        if (exits[i].elsewhere && pthread_create(&thread, NULL, delete_on_thread, &exits[i]) == 0) {
            (void)pthread_join(thread, NULL);
        } else {
            call_deleter(&exits[i]);
        }
    }
    exit_count = 0;
}

/* delete(address, versioned, where) */
static PyObject *producer_delete(PyObject *module, PyObject *args)
{
    PyObject *address;
    const char *where;
    victim ended;

    (void)module;
    if (!PyArg_ParseTuple(args, "Ops:delete", &address, &ended.versioned, &where)) {
        return NULL;
    }
    ended.tensor = PyLong_AsVoidPtr(address);
    if (strcmp(where, "without the GIL") == 0) {
        return delete_elsewhere(&ended, 1);
    }
    if (strcmp(where, "on a foreign thread") == 0) {
        return delete_elsewhere(&ended, 0);
    }
    if (strcmp(where, "with an exception pending") == 0) {
        return delete_with_exception(&ended);
    }
    ended.elsewhere = strcmp(where, "on a foreign thread after the interpreter") == 0;
    if (ended.elsewhere || strcmp(where, "after the interpreter") == 0) {
        if (exit_count == EXITS || (exit_count == 0 && atexit(delete_at_exit) != 0)) {
            return PyErr_NoMemory();
        }
        exits[exit_count++] = ended;
    } else {
        call_deleter(&ended);
    }
    Py_RETURN_NONE;
}

/* ---- The record ---- */

/* record(): how many were deleted; of those, with an exception pending; without the GIL. Begins a new record. */
static PyObject *producer_record(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return Py_BuildValue("(iii)", atomic_exchange(&deleted, 0), atomic_exchange(&with_exception, 0),
                         atomic_exchange(&without_gil, 0));
}

/* leave(whether): deleters leave an exception from now on, or no longer. */
static PyObject *producer_leave(PyObject *module, PyObject *whether)
{
    (void)module;
    atomic_store(&leaving, PyObject_IsTrue(whether));
    Py_RETURN_NONE;
}

/* ---- Signatures that only C has: Bare(f).__dlpack__() and Pedantic(f).__dlpack__(*, stream=None) are f() ---- */

typedef struct answering {
    PyObject_HEAD
    PyObject *answer;
} answering;

static PyObject *answering_new(PyTypeObject *cls, PyObject *args, PyObject *kwargs)
{
    PyObject *answer;
    answering *self;

    (void)kwargs;
    if (!PyArg_ParseTuple(args, "O", &answer)) {
        return NULL;
    }
    self = (answering *)cls->tp_alloc(cls, 0);
    if (self != NULL) {
        Py_INCREF(answer);
        self->answer = answer;
    }
    return (PyObject *)self;
}

static void answering_dealloc(PyObject *self)
{
    PyTypeObject *const cls = Py_TYPE(self);

    Py_DECREF(((answering *)self)->answer);
    cls->tp_free(self);
    Py_DECREF(cls);
}

static PyObject *bare_dlpack(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyObject_CallNoArgs(((answering *)self)->answer);
}

static PyObject *pedantic_dlpack(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"stream", NULL};
    PyObject *stream = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$O:__dlpack__", keywords, &stream)) {
        return NULL;
    }
    return PyObject_CallNoArgs(((answering *)self)->answer);
}

static PyMethodDef bare_methods[] = {
    {"__dlpack__", bare_dlpack, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef pedantic_methods[] = {
    {"__dlpack__", METHOD(pedantic_dlpack), METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot bare_slots[] = {
    {Py_tp_new, SLOT(answering_new)}, {Py_tp_dealloc, SLOT(answering_dealloc)}, {Py_tp_methods, bare_methods}, {0, NULL}};

static PyType_Slot pedantic_slots[] = {{Py_tp_new, SLOT(answering_new)},
                                       {Py_tp_dealloc, SLOT(answering_dealloc)},
                                       {Py_tp_methods, pedantic_methods},
                                       {0, NULL}};

static PyType_Spec bare_spec = {"producer.Bare", sizeof(answering), 0, Py_TPFLAGS_DEFAULT, bare_slots};
static PyType_Spec pedantic_spec = {"producer.Pedantic", sizeof(answering), 0, Py_TPFLAGS_DEFAULT, pedantic_slots};

/* ---- The module ---- */

static int add_class(PyObject *module, PyType_Spec *spec)
{
    PyObject *const cls = PyType_FromModuleAndSpec(module, spec, NULL);
    int result = -1;

    if (cls != NULL) {
        result = PyModule_AddType(module, (PyTypeObject *)cls);
        Py_DECREF(cls);
    }
    return result;
}

static int producer_exec(PyObject *module)
{
    return add_class(module, &bare_spec) != 0 || add_class(module, &pedantic_spec) != 0 ? -1 : 0;
}

static PyMethodDef producer_methods[] = {
    {"managed", producer_managed, METH_O, NULL},      {"free", producer_free, METH_O, NULL},
    {"capsule", producer_capsule, METH_VARARGS, NULL}, {"consume", producer_consume, METH_O, NULL},
    {"delete", producer_delete, METH_VARARGS, NULL},   {"record", producer_record, METH_NOARGS, NULL},
    {"leave", producer_leave, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot producer_slots[] = {
    {Py_mod_exec, SLOT(producer_exec)},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
    {0, NULL},
};

static PyModuleDef producer_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "producer",
    .m_methods = producer_methods,
    .m_slots = producer_slots,
};

PyMODINIT_FUNC PyInit_producer(void);
PyMODINIT_FUNC PyInit_producer(void)
{
    return PyModuleDef_Init(&producer_module);
}
