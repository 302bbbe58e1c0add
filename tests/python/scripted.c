/* SPDX-License-Identifier: MIT */
/* Exchange tables whose functions do what Python code says, and a caller of allocators that has no GIL. Nothing here
 * comes from the runtime.
 *
 * What the code answers: an address or an object is handed over; None hands over NULL as if all were well;
 * NotImplemented fails without an exception; an exception is one. */
#include <Python.h>

#include <dlpack/dlpack.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static PyObject *script; /* with make(address) and stream(device, number) */

/* Takes over the reference to `answer`. */
static int hand_over(PyObject *answer, void **out, int as_object)
{
    if (answer == NULL) {
        return -1;
    }
    if (answer == Py_NotImplemented) {
        Py_DECREF(answer);
        return -1;
    }
    *out = NULL;
    if (answer == Py_None) {
        Py_DECREF(answer);
    } else if (as_object) {
        *out = answer;
    } else {
        *out = PyLong_AsVoidPtr(answer);
        Py_DECREF(answer);
    }
    return PyErr_Occurred() ? -1 : 0;
}

/* x.give() */
static int from_object(void *object, DLManagedTensorVersioned **out)
{
    void *tensor = NULL;
    const int result = hand_over(PyObject_CallMethod(object, "give", NULL), &tensor, 0);

    *out = tensor;
    return result;
}

/* x.lend(): the address of a tensor */
static int view(void *object, DLTensor *out)
{
    void *tensor = NULL;
    const int result = hand_over(PyObject_CallMethod(object, "lend", NULL), &tensor, 0);

    if (tensor != NULL) {
        memcpy(out, tensor, sizeof *out);
    }
    return result;
}

static int to_object(DLManagedTensorVersioned *tensor, void **out)
{
    PyObject *const address = PyLong_FromVoidPtr(tensor);
    PyObject *const answer = address != NULL ? PyObject_CallMethod(script, "make", "O", address) : NULL;

    Py_XDECREF(address);
    return hand_over(answer, out, 1);
}

static int current_stream(DLDeviceType device, int32_t number, void **out)
{
    return hand_over(PyObject_CallMethod(script, "stream", "ii", (int)device, (int)number), out, 0);
}

/* follow(script) */
static PyObject *scripted_follow(PyObject *module, PyObject *wanted)
{
    (void)module;
    Py_INCREF(wanted);
    Py_XSETREF(script, wanted);
    Py_RETURN_NONE;
}

/* ---- Tables ---- */

typedef struct kept {
    struct kept *next;
    DLPackExchangeAPIHeader *table;
} kept;

static kept *tables; /* they are static, says DLPack: nobody frees one */

static const char capsule_name[] = "dlpack_exchange_api";

/* A table of another major is nothing but its header, so that whoever reads on is caught. */
static DLPackExchangeAPIHeader *new_table(unsigned major, const char *without)
{
    DLPackExchangeAPI *const api = calloc(1, major == 1 ? sizeof *api : sizeof api->header);
    kept *const keep = malloc(sizeof *keep);

    if (api == NULL || keep == NULL) {
        free(api);
        free(keep);
        PyErr_NoMemory();
        return NULL;
    }
    *keep = (kept){tables, &api->header};
    tables = keep;
    api->header.version = (DLPackVersion){major, 3};
    if (major == 1) {
        api->managed_tensor_from_py_object_no_sync = strcmp(without, "from") == 0 ? NULL : from_object;
        api->managed_tensor_to_py_object_no_sync = strcmp(without, "to") == 0 ? NULL : to_object;
        api->dltensor_from_py_object_no_sync = strcmp(without, "view") == 0 ? NULL : view;
        api->current_work_stream = strcmp(without, "stream") == 0 ? NULL : current_stream;
    }
    return &api->header;
}

/* table(without, *majors): a capsule of the first of a chain of tables */
static PyObject *scripted_table(PyObject *module, PyObject *args)
{
    const Py_ssize_t count = PyTuple_Size(args) - 1;
    const char *const without = PyUnicode_AsUTF8(PyTuple_GetItem(args, 0));
    DLPackExchangeAPIHeader *head = NULL;

    (void)module;
    for (Py_ssize_t i = count; without != NULL && i > 0; i--) {
        const unsigned long major = PyLong_AsUnsignedLong(PyTuple_GetItem(args, i));
        DLPackExchangeAPIHeader *const table = PyErr_Occurred() ? NULL : new_table((unsigned)major, without);

        if (table == NULL) {
            return NULL;
        }
        table->prev_api = head;
        head = table;
    }
    return head == NULL ? NULL : PyCapsule_New(head, capsule_name, NULL);
}

/* loop(): a capsule of a table of major 2 whose prev_api is itself */
static PyObject *scripted_loop(PyObject *module, PyObject *unused)
{
    DLPackExchangeAPIHeader *const table = new_table(2, "");

    (void)module;
    (void)unused;
    if (table == NULL) {
        return NULL;
    }
    table->prev_api = table;
    return PyCapsule_New(table, capsule_name, NULL);
}

/* ---- Allocators ---- */

typedef struct order {
    const DLPackExchangeAPI *api;
    DLTensor *prototype;
    DLManagedTensorVersioned *made;
    int listens; /* to errors */
    int errors;
    int result;
    char kind[64];
    char message[512];
} order;

static void set_error(void *error_ctx, const char *kind, const char *message)
{
    order *const of = error_ctx;

    of->errors++;
    strncpy(of->kind, kind, sizeof of->kind - 1);
    strncpy(of->message, message, sizeof of->message - 1);
}

static void *place(void *argument)
{
    order *const of = argument;

    of->result = of->api->managed_tensor_allocator(of->prototype, &of->made, of, of->listens ? set_error : NULL);
    return NULL;
}

/* allocate(capsule, prototype, where, listens): (result, address, how many errors, kind, message) */
static PyObject *scripted_allocate(PyObject *module, PyObject *args)
{
    order of = {.result = 0};
    PyObject *capsule;
    PyObject *prototype;
    const char *where;
    pthread_t thread;
    int failed = 0;

    (void)module;
    if (!PyArg_ParseTuple(args, "OOsp:allocate", &capsule, &prototype, &where, &of.listens)) {
        return NULL;
    }
    of.api = PyCapsule_GetPointer(capsule, capsule_name);
    of.prototype = PyLong_AsVoidPtr(prototype);
    if (of.api == NULL) {
        return NULL;
    }
    if (strcmp(where, "here") == 0) {
        (void)place(&of);
    } else {
        Py_BEGIN_ALLOW_THREADS
        if (strcmp(where, "without the GIL") == 0) {
            (void)place(&of);
        } else {
            failed = pthread_create(&thread, NULL, place, &of) != 0 || pthread_join(thread, NULL) != 0;
        }
        Py_END_ALLOW_THREADS
    }
    if (failed) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return Py_BuildValue("(iNiss)", of.result, PyLong_FromVoidPtr(of.made), of.errors, of.kind, of.message);
}

static PyMethodDef scripted_methods[] = {
    {"follow", scripted_follow, METH_O, NULL},
    {"table", scripted_table, METH_VARARGS, NULL},
    {"loop", scripted_loop, METH_NOARGS, NULL},
    {"allocate", scripted_allocate, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot scripted_slots[] = {{0, NULL}};

static PyModuleDef scripted_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "scripted",
    .m_methods = scripted_methods,
    .m_slots = scripted_slots,
};

PyMODINIT_FUNC PyInit_scripted(void);
PyMODINIT_FUNC PyInit_scripted(void)
{
    return PyModuleDef_Init(&scripted_module);
}
