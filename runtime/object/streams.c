/* SPDX-License-Identifier: MIT-0 */
/* Streams: the numbers that a device allows, and the stream on which the consumer of an array works. */

#include "object.h"

/* ---- Numbers ---- */

bool dlb_py_has_streams(DLDeviceType device)
{
    return device == kDLCUDAManaged || !dlb_host_readable(device);
}

/* Returns NULL if the device allows the stream (array API: __dlpack__), or else a description of the values that it allows. */
static const char *allowed_streams(DLDeviceType device, intptr_t stream)
{
    if (!dlb_py_has_streams(device)) {
        return stream == -1 ? NULL : "None or -1";
    }
    if (device == kDLCUDA || device == kDLCUDAManaged) {
        return stream == -1 || stream > 0 ? NULL : "None, -1, 1, 2 or a stream's address; 0 could mean two streams";
    }
    if (device == kDLROCM) {
        return stream == -1 || stream == 0 || stream > 2 ? NULL : "None, -1, 0 or a stream's address";
    }
    return NULL;
}

int dlb_py_check_stream(const char *name, DLDeviceType device, intptr_t stream)
{
    const char *const allowed = allowed_streams(device, stream);
    char buffer[DLB_NAME_SIZE];

    if (allowed != NULL) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s: stream=%zd: on %s it is %s", name, (Py_ssize_t)stream,
                                dlb_device_name(device, buffer), allowed);
        return -1;
    }
    return 0;
}

int dlb_py_read_stream(const char *function, PyObject *value, intptr_t *stream, bool *fits)
{
    PyObject *const integer = dlb_py_as_integer(value);

    if (integer == NULL) {
        if (PyErr_Occurred() && !dlb_py_switches_off(value, "__index__")) {
            return dlb_py_name_argument(function, "stream");
        }
        PyErr_Format(PyExc_TypeError, "%s() argument 'stream' must be None or an int, not %R", function, value);
        return -1;
    }
    *stream = PyLong_AsSsize_t(integer);
    *fits = *stream != -1 || !PyErr_Occurred();
    PyErr_Clear();
    Py_DECREF(integer);
    return 0;
}

int dlb_py_refuse_stream(const char *name, PyObject *value)
{
    PyErr_Format(PyExc_ValueError, "%s: stream=%R is not an address", name, value);
    return -1;
}

/* ---- Imports ---- */

bool dlb_py_takes_stream(const dlb_requirements *require, const char *name, intptr_t stream)
{
    const DLDeviceType *refusing = NULL;

    for (size_t i = 0; i < require->device_count; i++) {
        if (dlb_py_has_streams(require->devices[i])) {
            if (allowed_streams(require->devices[i], stream) == NULL) {
                return true;
            }
            refusing = refusing != NULL ? refusing : &require->devices[i];
        }
    }
    return refusing == NULL || dlb_py_check_stream(name, *refusing, stream) == 0;
}

int dlb_py_stream_of_import(const dlb_factory *importer, const void *params, dlb_py_stream *stream)
{
    dlb_py_values values;
    void *defaults;

    if (DLB_LIKELY(importer == NULL || importer->stream == NULL)) {
        return 0;
    }
    if (params != NULL || importer->params_size == 0) {
        *stream = (dlb_py_stream){importer->stream(params), true};
        return 1;
    }
    for (size_t i = 0; i < importer->param_count; i++) {
        if (importer->params[i].required) {
            return 0; /* the import fails */
        }
    }
    defaults = dlb_py_allocate_values(&values, importer->params_size, importer->defaults);
    if (defaults != NULL) {
        *stream = (dlb_py_stream){importer->stream(defaults), true};
    }
    dlb_py_free_values(&values);
    return defaults != NULL ? 1 : -1;
}

int dlb_py_stream_on(const char *name, DLDeviceType device, const dlb_py_stream *stream, intptr_t *value)
{
    if (stream == NULL || !dlb_py_has_streams(device) || (stream->is_handle && stream->value == 0)) {
        *value = dlb_py_default_stream(device);
        return 0;
    }
    *value = stream->value;
    return dlb_py_check_stream(name, device, stream->value);
}

int dlb_py_stream_for(const char *name, DLDeviceType device, const dlb_py_stream *stream, PyObject **number)
{
    intptr_t value;

    *number = NULL;
    if (!dlb_py_has_streams(device)) {
        return 0;
    }
    if (dlb_py_stream_on(name, device, stream, &value) != 0) {
        return -1;
    }
    *number = PyLong_FromSsize_t(value);
    return *number != NULL ? 0 : -1;
}

/* ---- Managed memory for the CPU ---- */

bool dlb_py_shares_with_gpu(const dlb_requirements *require, DLDeviceType device)
{
    return device == kDLCUDAManaged && dlb_py_lists_device(require, kDLCPU) && !dlb_py_lists_device(require, kDLCUDAManaged);
}

enum { CUDA_ERROR_NOT_INITIALIZED = 3 };

int dlb_py_wait_for_gpu(const char *name, intptr_t stream)
{
    dlb_py_cuda cuda;
    int result;

    if (stream == -1) { /* no synchronisation */
        return 0;
    }
    result = dlb_py_open_cuda(&cuda);
    if (result != 0) {
        if (PyErr_ExceptionMatches(PyExc_OSError)) { /* ctypes cannot load the driver: there is none */
            PyErr_Clear();
            result = 0;
        }
    } else {
        const long error = dlb_py_wait_for_cuda(&cuda, stream);

        result = error == 0 || error == CUDA_ERROR_NOT_INITIALIZED ? 0 : -1;
        if (result != 0 && !PyErr_Occurred()) {
            (void)dlb_py_raise_message(PyExc_BufferError,
                                    "%s: the data is on cuda_managed, its library does not wait for the GPU (dl_device=(1, 0)), and CUDA "
                                    "cannot wait either (error %ld)", name, error);
        }
    }
    dlb_py_close_cuda(&cuda);
    return result;
}

/* ---- Exchange tables ---- */

/* Finds the stream of the library of an exchange table. Returns 0, or -1 with an exception. */
static int find_stream_of_table(const DLPackExchangeAPI *api, const char *name, DLDevice device, intptr_t *stream)
{
    void *current = NULL;

    if (api->current_work_stream == NULL || api->current_work_stream(device.device_type, device.device_id, &current) != 0) {
        if (!PyErr_Occurred()) {
            (void)dlb_py_raise_message(PyExc_BufferError, "%s: the library of the array does not report its stream", name);
        }
        return -1;
    }
    *stream = current != NULL ? (intptr_t)current : dlb_py_default_stream(device.device_type);
    return 0;
}

int dlb_py_check_table_stream(const DLPackExchangeAPI *api, const char *name, DLDevice device, const dlb_requirements *require,
                              const dlb_py_stream *stream)
{
    intptr_t wanted;
    intptr_t current;

    if (dlb_py_shares_with_gpu(require, device.device_type)) {
        return find_stream_of_table(api, name, device, &current) == 0 ? dlb_py_wait_for_gpu(name, current) : -1;
    }
    if (stream == NULL || !dlb_py_has_streams(device.device_type)) {
        return 0;
    }
    if (dlb_py_stream_on(name, device.device_type, stream, &wanted) != 0) {
        return -1;
    }
    if (wanted == -1) { /* no synchronisation */
        return 0;
    }
    if (find_stream_of_table(api, name, device, &current) != 0) {
        return -1;
    }
    if (current != wanted) {
        (void)dlb_py_raise_message(PyExc_BufferError,
                                "%s: the array is on stream %zd, and its library has no __dlpack__() that makes stream %zd wait for it",
                                name, (Py_ssize_t)current, (Py_ssize_t)wanted);
        return -1;
    }
    return 0;
}

int dlb_py_stream_for_producer(const dlb_py_state *state, const char *name, PyObject *producer, const dlb_py_stream *stream,
                               PyObject **number)
{
    PyObject *const method = dlb_py_check_stack() == 0 ? PyObject_GetAttr(producer, state->names[DLB_PY_DLPACK_DEVICE]) : NULL;
    PyObject *const pair = method != NULL ? PyObject_Call(method, state->no_arguments, NULL) : NULL;
    DLDevice device;
    int result = -1;

    *number = NULL;
    if (pair != NULL && dlb_py_read_device_pair(pair, &device)) {
        result = dlb_py_stream_for(name, device.device_type, stream, number);
    } else if (pair != NULL && (!PyErr_Occurred() || dlb_py_may_try_another())) {
        PyErr_Format(PyExc_TypeError, "%s: __dlpack_device__() returned %R, not a tuple of two ints", name, pair);
    }
    dlb_py_discard(pair);
    dlb_py_discard(method);
    return result;
}
