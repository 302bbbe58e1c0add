/* SPDX-License-Identifier: MIT */
#include "naive.h"

#include <stdlib.h>

/* ---- The table of Modern ---- */

static void free_allocated(DLManagedTensorVersioned *tensor)
{
    free(tensor->dl_tensor.shape);
    free(tensor->dl_tensor.data);
    free(tensor);
}

static int table_allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *error_ctx,
                          void (*set_error)(void *error_ctx, const char *kind, const char *message))
{
    DLManagedTensorVersioned *tensor;
    size_t count = 1;

    if (prototype->dtype.bits % 8 != 0) {
        set_error(error_ctx, "BufferError", "unsupported dtype");
        return -1;
    }
    tensor = calloc(1, sizeof *tensor);
    tensor->dl_tensor = *prototype;
    tensor->dl_tensor.shape = calloc(2 * (size_t)prototype->ndim, sizeof(int64_t));
    tensor->dl_tensor.strides = tensor->dl_tensor.shape + prototype->ndim;
    for (int i = prototype->ndim - 1; i >= 0; i--) {
        tensor->dl_tensor.shape[i] = prototype->shape[i];
        tensor->dl_tensor.strides[i] = (int64_t)count;
        count *= (size_t)prototype->shape[i];
    }
    tensor->dl_tensor.data = malloc(count * prototype->dtype.bits / 8);
    tensor->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
    tensor->deleter = free_allocated;
    *out = tensor;
    return 0;
}

static int table_from(void *object, DLManagedTensorVersioned **out)
{
    *out = modern_export(object, 0);
    return *out != NULL ? 0 : -1;
}

static int table_to(DLManagedTensorVersioned *tensor, void **out)
{
    *out = modern_import(tensor);
    return *out != NULL ? 0 : -1;
}

static int table_view(void *object, DLTensor *out)
{
    return naive_describe(((naive *)object)->probe, out);
}

static int table_stream(DLDeviceType device, int32_t id, void **out)
{
    (void)device;
    (void)id;
    (void)out;
    return 0; /* the CPU has no streams */
}

static DLPackExchangeAPI table = {
    .header = {{DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}, NULL},
    .managed_tensor_allocator = table_allocate,
    .managed_tensor_from_py_object_no_sync = table_from,
    .managed_tensor_to_py_object_no_sync = table_to,
    .dltensor_from_py_object_no_sync = table_view,
    .current_work_stream = table_stream,
};

#define ATTRIBUTE "__dlpack_c_exchange_api__"
#define CAPSULE "dlpack_exchange_api"

int modern_add_table(void)
{
    PyObject *const capsule = PyCapsule_New(&table, CAPSULE, NULL);
    const int result = PyDict_SetItemString(naive_modern_type.tp_dict, ATTRIBUTE, capsule);

    Py_DECREF(capsule);
    PyType_Modified(&naive_modern_type);
    return result;
}

/* ---- Foreign tables: a look-up in a type is slow, so its result is cached ---- */

enum { CACHED = 8 };

static struct {
    PyTypeObject *type;
    const DLPackExchangeAPI *table;
} cache[CACHED];

const DLPackExchangeAPI *modern_table_of(PyTypeObject *type)
{
    static int next;
    PyObject *capsule;

    for (int i = 0; i < CACHED; i++) {
        if (cache[i].type == type) {
            return cache[i].table;
        }
    }
    cache[next].type = type;
    capsule = PyObject_GetAttrString((PyObject *)type, ATTRIBUTE);
    cache[next].table = capsule != NULL ? PyCapsule_GetPointer(capsule, CAPSULE) : NULL;
    Py_XDECREF(capsule);
    PyErr_Clear();
    next = (next + 1) % CACHED;
    return cache[(next + CACHED - 1) % CACHED].table;
}
