/* SPDX-License-Identifier: MIT */
/* A Python module, `halves`, that is written by hand and has the generated class Image. Start from this file if a spec
 * cannot describe a function of yours.
 *
 * From the top of the checkout, after `make demo`:
 *
 *   PATH=.venv/bin:$PATH
 *   cc -O2 -shared -fPIC -o build/halves$(dlpack-bindgen config --extension-suffix) examples/python/halves.c \
 *      examples/imaging/image*.c generated/imaging/imaging_*.c -Iexamples/imaging -Igenerated/imaging \
 *      $(dlpack-bindgen config --cflags --python-cflags --sources)
 *   PYTHONPATH=build python -c 'import halves; print(halves.half(halves.Image.empty((600, 512, 3))))'
 */
#include <Python.h>

#include "imaging_dlpack.h"

#include "dlb_object.h"

/* half(image): returns a new Image with every second pixel of every second row. Raises a TypeError if `object` is not
 * an Image, a ValueError if it is closed, and a MemoryError if memory is short. */
static PyObject *halves_half(PyObject *module, PyObject *object)
{
    const image_t *image = imaging_image_unwrap(object); /* borrowed from `object`; NULL with an exception */

    (void)module;
    if (!image) {
        return NULL;
    }
    image_t *half = image_create((image->width + 1) / 2, (image->height + 1) / 2, image->channels);
    if (!half) {
        return PyErr_NoMemory();
    }
    for (int y = 0; y < half->height; y++) {
        for (int i = 0; i < half->width * half->channels; i++) {
            const int x = i / half->channels * 2, channel = i % half->channels;
            image_row(half, y)[i] = image_row(image, 2 * y)[x * half->channels + channel];
        }
    }
    PyObject *answer = imaging_image_wrap(half); /* adds a reference of its own */
    image_unref(half);
    return answer;
}

static PyMethodDef halves_methods[] = {
    {"half", halves_half, METH_O, "half($module, image, /)\n--\n\nReturn the picture in half its size."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot halves_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(imaging_add_types)}, /* adds the class Image */
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef halves_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "halves",
    .m_methods = halves_methods,
    .m_slots = halves_slots,
};

PyMODINIT_FUNC PyInit_halves(void);

PyMODINIT_FUNC PyInit_halves(void)
{
    return dlb_py_start_module(&halves_module);
}
