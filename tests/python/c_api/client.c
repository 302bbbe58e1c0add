/* SPDX-License-Identifier: MIT */
/* An extension that makes and reads the pictures of the module `imaging` without being linked with it, in C and in C++.
 * CLIENT names the module. */
#include <Python.h>

#include "imaging_dlpack.h"

#define JOINED(a, b) a##b
#define INIT(name) JOINED(PyInit_, name)
#define QUOTED(text) #text
#define NAME(name) QUOTED(name)

/* create(capsule, height, width, channels): a new picture */
static PyObject *client_create(PyObject *module, PyObject *args)
{
    const imaging_c_api *api;
    const char *capsule;
    PyObject *made;
    image_t *image;
    int height;
    int width;
    int channels;

    (void)module;
    if (!PyArg_ParseTuple(args, "siii:create", &capsule, &height, &width, &channels)) {
        return NULL;
    }
    api = imaging_import_c_api(capsule);
    if (api == NULL) {
        return NULL;
    }
    image = image_create(width, height, channels);
    if (image == NULL) {
        return PyErr_NoMemory();
    }
    made = api->image_wrap(image);
    image_unref(image);
    return made;
}

/* fill(capsule, picture, value): writes every sample */
static PyObject *client_fill(PyObject *module, PyObject *args)
{
    const imaging_c_api *api;
    const char *capsule;
    PyObject *picture;
    image_t *image;
    int value;
    int y;
    int x;

    (void)module;
    if (!PyArg_ParseTuple(args, "sOi:fill", &capsule, &picture, &value)) {
        return NULL;
    }
    api = imaging_import_c_api(capsule);
    image = api != NULL ? api->image_unwrap(picture) : NULL;
    if (image == NULL) {
        return NULL;
    }
    for (y = 0; y < image->height; y++) {
        for (x = 0; x < image->width * image->channels; x++) {
            image->pixels[y * image->pitch + x] = (uint8_t)value;
        }
    }
    Py_RETURN_NONE;
}

/* wrap_null(capsule) */
static PyObject *client_wrap_null(PyObject *module, PyObject *capsule)
{
    const imaging_c_api *const api = imaging_import_c_api(PyUnicode_AsUTF8(capsule));

    (void)module;
    return api == NULL ? NULL : api->image_wrap(NULL);
}

static PyMethodDef client_methods[] = {
    {"create", client_create, METH_VARARGS, NULL},
    {"fill", client_fill, METH_VARARGS, NULL},
    {"wrap_null", client_wrap_null, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef client_module = {
    PyModuleDef_HEAD_INIT, NAME(CLIENT), NULL, 0, client_methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC INIT(CLIENT)(void);
PyMODINIT_FUNC INIT(CLIENT)(void)
{
    return PyModule_Create(&client_module);
}
