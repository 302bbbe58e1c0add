/* SPDX-License-Identifier: MIT */
/* The Python module `photo`: hand-written bindings of image.h. They hand out and take pictures as objects of the class
 * Image, which the generated imaging_dlpack.h adds; the objects share the library's memory with NumPy, PyTorch and all
 * others that speak DLPack. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "imaging_dlpack.h"

#include <errno.h>

/* Sets the exception for a call that failed, and returns NULL. `path` (bytes) and `error_number` are for calls on
 * files, else NULL and 0. */
static PyObject *set_error(image_status status, PyObject *path, int error_number)
{
    const char *message = image_strerror(status);

    if (status == IMAGE_ERROR_MEMORY) {
        return PyErr_NoMemory();
    }
    if (!path) {
        PyErr_SetString(PyExc_ValueError, message);
        return NULL;
    }
    PyObject *name = PyUnicode_DecodeFSDefault(PyBytes_AS_STRING(path));
    if (!name) {
        return NULL;
    }
    if (status == IMAGE_ERROR_OPEN) { /* errno chooses the subclass: FileNotFoundError, PermissionError ... */
        PyObject *error = PyObject_CallFunction(PyExc_OSError, "isO", error_number, message, name);
        if (error) {
            PyErr_SetObject((PyObject *)Py_TYPE(error), error);
            Py_DECREF(error);
        }
    } else {
        PyErr_Format(PyExc_OSError, "%s: %R", message, name);
    }
    Py_DECREF(name);
    return NULL;
}

static PyObject *photo_load(PyObject *module, PyObject *args)
{
    PyObject *path, *result;
    image_t *image;
    image_status status;
    int error_number;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&:load", PyUnicode_FSConverter, &path)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = image_read(PyBytes_AS_STRING(path), &image);
    error_number = errno;
    Py_END_ALLOW_THREADS
    if (status == IMAGE_OK) {
        result = imaging_image_wrap(image); /* with a reference of its own */
        image_unref(image);
    } else {
        result = set_error(status, path, error_number);
    }
    Py_DECREF(path);
    return result;
}

static PyObject *photo_save(PyObject *module, PyObject *args)
{
    PyObject *object, *path, *result;
    image_status status;
    int error_number;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&:save", &object, PyUnicode_FSConverter, &path)) {
        return NULL;
    }
    image_t *image = imaging_image_unwrap(object);
    if (!image) {
        Py_DECREF(path);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS /* `args` keeps the image */
    status = image_write(image, PyBytes_AS_STRING(path));
    error_number = errno;
    Py_END_ALLOW_THREADS
    result = status == IMAGE_OK ? Py_NewRef(Py_None) : set_error(status, path, error_number);
    Py_DECREF(path);
    return result;
}

static PyObject *photo_blur(PyObject *module, PyObject *args)
{
    PyObject *src_object, *dst_object;
    int radius;

    (void)module;
    if (!PyArg_ParseTuple(args, "OOi:blur", &src_object, &dst_object, &radius)) {
        return NULL;
    }
    image_t *src = imaging_image_unwrap(src_object);
    image_t *dst = src ? imaging_image_unwrap(dst_object) : NULL;
    if (!dst) {
        return NULL;
    }
    image_status status;
    Py_BEGIN_ALLOW_THREADS
    status = image_blur(src, dst, radius);
    Py_END_ALLOW_THREADS
    return status == IMAGE_OK ? Py_NewRef(Py_None) : set_error(status, NULL, 0);
}

static PyObject *photo_adjust(PyObject *module, PyObject *args)
{
    PyObject *object;
    double brightness, contrast;

    (void)module;
    if (!PyArg_ParseTuple(args, "Odd:adjust", &object, &brightness, &contrast)) {
        return NULL;
    }
    image_t *image = imaging_image_unwrap(object);
    if (!image) {
        return NULL;
    }
    const image_status status = image_adjust(image, brightness, contrast);
    return status == IMAGE_OK ? Py_NewRef(Py_None) : set_error(status, NULL, 0);
}

static PyObject *photo_address(PyObject *module, PyObject *object)
{
    (void)module;
    const image_t *image = imaging_image_unwrap(object);
    return image ? PyLong_FromVoidPtr(image->pixels) : NULL;
}

static PyMethodDef photo_methods[] = {
    {"load", photo_load, METH_VARARGS, "load($module, path, /)\n--\n\nReturn the picture in a BMP file, as an Image."},
    {"save", photo_save, METH_VARARGS, "save($module, image, path, /)\n--\n\nWrite an Image as a BMP file."},
    {"blur", photo_blur, METH_VARARGS,
     "blur($module, src, dst, radius, /)\n--\n\nBlur one Image into another of the same shape, or into itself."},
    {"adjust", photo_adjust, METH_VARARGS,
     "adjust($module, image, brightness, contrast, /)\n--\n\n"
     "Change an Image in place: (v - 128) * contrast + 128 + brightness for each sample but alpha."},
    {"address", photo_address, METH_O,
     "address($module, image, /)\n--\n\nReturn the address of the pixels, as the C library sees it."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot photo_slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)imaging_add_types},
#if PY_VERSION_HEX >= 0x030c0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030d0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef photo_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "photo",
    .m_doc = "Pictures: reading, writing and changing them in C.",
    .m_methods = photo_methods,
    .m_slots = photo_slots,
};

PyMODINIT_FUNC PyInit_photo(void);

PyMODINIT_FUNC PyInit_photo(void)
{
    return PyModuleDef_Init(&photo_module);
}
