/* SPDX-License-Identifier: MIT-0 */
/* The driver of CUDA: the devices of addresses, and waiting for streams. The runtime is not linked with CUDA, so it calls the driver by
 * ctypes, which releases the GIL meanwhile. */

#include "object.h"

enum { CU_DEVICE_ORDINAL = 9 }; /* CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL */

int dlb_py_open_cuda(dlb_py_cuda *cuda)
{
    cuda->ctypes = PyImport_ImportModule("ctypes");
    cuda->driver = cuda->ctypes != NULL ? PyObject_CallMethod(cuda->ctypes, "CDLL", "s", DLB_PY_CUDA_DRIVER) : NULL;
    return cuda->driver != NULL ? 0 : -1;
}

void dlb_py_close_cuda(const dlb_py_cuda *cuda)
{
    Py_XDECREF(cuda->driver);
    Py_XDECREF(cuda->ctypes);
}

/* Converts the result of a function of the driver, whose reference it takes over, to an int. Returns -1 with an exception on failure. */
static long driver_result(PyObject *value)
{
    const long result = value != NULL ? PyLong_AsLong(value) : -1;

    Py_XDECREF(value);
    return result;
}

int dlb_py_find_cuda_device(const dlb_py_cuda *cuda, const char *name, DLTensor *tensor)
{
    PyObject *const number = PyObject_CallMethod(cuda->ctypes, "c_int", "i", -1);
    PyObject *const reference = number != NULL ? PyObject_CallMethod(cuda->ctypes, "byref", "O", number) : NULL;
    PyObject *const address = reference != NULL ? PyObject_CallMethod(cuda->ctypes, "c_void_p", "K",
                                                                      (unsigned long long)(uintptr_t)tensor->data)
                                                : NULL;
    long result = -1;
    long device = -1;

    if (address != NULL) {
        result = driver_result(
            PyObject_CallMethod(cuda->driver, "cuPointerGetAttribute", "OiO", reference, (int)CU_DEVICE_ORDINAL, address));
    }
    if (result == 0) {
        device = driver_result(PyObject_GetAttrString(number, "value"));
    }
    Py_XDECREF(address);
    Py_XDECREF(reference);
    Py_XDECREF(number);
    if (device < 0 && !PyErr_Occurred()) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the driver of CUDA does not know the address of the array (error %ld)",
                                name, result);
    }
    tensor->device.device_id = (int32_t)device;
    return device < 0 ? -1 : 0;
}

long dlb_py_wait_for_cuda(const dlb_py_cuda *cuda, int64_t stream)
{
    PyObject *const handle = PyObject_CallMethod(cuda->ctypes, "c_void_p", "L", (long long)stream);
    const long result = handle != NULL ? driver_result(PyObject_CallMethod(cuda->driver, "cuStreamSynchronize", "O", handle)) : -1;

    Py_XDECREF(handle);
    return result;
}
