/* SPDX-License-Identifier: MIT-0
 * Generated from imaging.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_object.h"

#include "dlb_assert.h"
#include "dlb_call.h"

#include "imaging_dlpack.h"

#include <errno.h>

/* ---- Image ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_imaging_image_from_producer, dlb_py_from_dlpack_call,
                           imaging_image_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_imaging_image_empty, dlb_py_empty, imaging_image_type)

static const dlb_py_function dl_image_flip_call = {
    .name = "flip",
    .operand_count = 1,
    .holds = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &imaging_image_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_imaging_image_flip(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(image_flip, void (*)(image_t *), "Image.flip.c: image_flip is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_image_flip_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    image_t *image = arrays[0].object;

    const dlb_place place_of_image =
        DLB_PLACE(image->pixels,
                  (uint64_t)image->height * (uint64_t)image->width * (uint64_t)image->channels);

    Py_BEGIN_ALLOW_THREADS
    image_flip(image);
    Py_END_ALLOW_THREADS
    dlb_py_check_place(&dl_image_flip_call, arrays, 0, place_of_image,
                       DLB_PLACE(image->pixels, (uint64_t)image->height * (uint64_t)image->width *
                                                    (uint64_t)image->channels));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_image_flip_call, arrays, answer);
}

static const dlb_py_function dl_image_copy_call = {
    .name = "copy",
    .operand_count = 1,
    .holds = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &imaging_image_type, .flags = DLB_PY_REFERRED}),
};

static PyObject *py_imaging_image_copy(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(image_copy, image_t *(*)(const image_t *), "Image.copy.c: image_copy is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_image_copy_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const image_t *image = arrays[0].object;

    image_t *result;
    Py_BEGIN_ALLOW_THREADS
    result = image_copy(image);
    Py_END_ALLOW_THREADS
    if (result != NULL) {
        answer = dlb_py_adopt_referring(&imaging_image_type, result, &dl_image_copy_call, arrays,
                                        NULL, 0, 0);
    } else {
        dlb_py_failed(&dl_image_copy_call, NULL, PyExc_MemoryError, "image_copy()", NULL);
    }
    return dlb_py_finish_call(&dl_image_copy_call, arrays, answer);
}

static const dlb_py_function dl_image_new_call = {
    .name = "Image",
    .count = 3,
    .positional = 3,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(int, "width", 1), DLB_PY_PARAM(int, "height", 1),
                            DLB_PY_PARAM(int, "channels", 0)),
};

static PyObject *py_imaging_image_new(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
                                      PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(image_create, image_t *(*)(int, int, int), "Image.new.c: image_create is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[3];
    PyObject *const *given = dlb_py_arguments(&dl_image_new_call, args, nargs, kwnames, sorted);
    int width = 0;
    int height = 0;
    int channels = 3;
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL || dlb_py_read_number(&dl_image_new_call, 0, given, &width) != 0 ||
        dlb_py_read_number(&dl_image_new_call, 1, given, &height) != 0 ||
        dlb_py_read_number(&dl_image_new_call, 2, given, &channels) != 0) {
        return NULL;
    }

    image_t *result = image_create(width, height, channels);
    if (result != NULL) {
        answer = dlb_py_adopt(&imaging_image_type, result, 0);
    } else {
        dlb_py_failed(&dl_image_new_call, given, PyExc_ValueError, "image_create()",
                      "a side or the number of channels is out of range, or memory is short");
    }
    return answer;
}

static const dlb_py_function dl_image_self = {
    .name = "Image",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &imaging_image_type}),
};

static PyObject *py_imaging_image_get_width(PyObject *object, void *closure)
{
    dlb_py_argument arrays[1];

    (void)closure;
    if (dlb_py_take(&dl_image_self, object, NULL, arrays) != 0) {
        return NULL;
    }
    image_t *self = arrays[0].object;

    PyObject *answer = DLB_PY_FROM_INTEGER(self->width); /* Image.properties.width */
    return dlb_py_finish_call(&dl_image_self, arrays, answer);
}

static PyObject *py_imaging_image_get_height(PyObject *object, void *closure)
{
    dlb_py_argument arrays[1];

    (void)closure;
    if (dlb_py_take(&dl_image_self, object, NULL, arrays) != 0) {
        return NULL;
    }
    image_t *self = arrays[0].object;

    PyObject *answer = DLB_PY_FROM_INTEGER(self->height); /* Image.properties.height */
    return dlb_py_finish_call(&dl_image_self, arrays, answer);
}

static PyObject *py_imaging_image_get_channels(PyObject *object, void *closure)
{
    dlb_py_argument arrays[1];

    (void)closure;
    if (dlb_py_take(&dl_image_self, object, NULL, arrays) != 0) {
        return NULL;
    }
    image_t *self = arrays[0].object;

    PyObject *answer = DLB_PY_FROM_INTEGER(self->channels); /* Image.properties.channels */
    return dlb_py_finish_call(&dl_image_self, arrays, answer);
}

static PyObject *py_imaging_image_get_address(PyObject *object, void *closure)
{
    dlb_py_argument arrays[1];

    (void)closure;
    if (dlb_py_take(&dl_image_self, object, NULL, arrays) != 0) {
        return NULL;
    }
    image_t *self = arrays[0].object;

    PyObject *answer = DLB_PY_FROM_INTEGER((uintptr_t)self->pixels); /* Image.properties.address */
    return dlb_py_finish_call(&dl_image_self, arrays, answer);
}

DLB_PY_DEFINE_NEW(dl_imaging_image_tp_new, dl_imaging_image_vectorcall, py_imaging_image_new)

static PyMethodDef dl_imaging_image_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_imaging_image_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable uint8 arrays of 3 axes on the CPU, compact but for the outermost axis."},
    {"empty", DLB_PY_METHOD(dl_imaging_image_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint8')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"flip", py_imaging_image_flip, METH_NOARGS,
     "flip($self, /)\n"
     "--\n\n"
     "Turn the picture upside down.\n\n"
     "Other threads run meanwhile."},
    {"copy", py_imaging_image_copy, METH_NOARGS,
     "copy($self, /)\n"
     "--\n\n"
     "Return a picture with memory of its own.\n\n"
     "Raises MemoryError if the library reports a failure.\n"
     "Other threads run meanwhile."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef dl_imaging_image_attributes[] = {
    {"width", py_imaging_image_get_width, NULL, "`width` of the C object.", NULL},
    {"height", py_imaging_image_get_height, NULL, "`height` of the C object.", NULL},
    {"channels", py_imaging_image_get_channels, NULL, "`channels` of the C object.", NULL},
    {"address", py_imaging_image_get_address, NULL, "The address of the pixels as C sees it.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_imaging_image_api, imaging_image_type, dlb_py_api_view)

static const dlb_py_class dl_imaging_image_class = {
    .type = &imaging_image_type,
    .c_type = "image_t",
    .doc = "Image(width, height, channels=3)\n"
           "--\n\n"
           "An 8-bit picture with padded rows, top row first.\n\n"
           "A black picture.\n\n"
           "Raises ValueError if the library reports a failure.",
    .methods = dl_imaging_image_methods,
    .attributes = dl_imaging_image_attributes,
    .api = &dl_imaging_image_api,
    .make = dl_imaging_image_tp_new,
    .call = dl_imaging_image_vectorcall,
};

DLB_PY_DEFINE_WRAP(imaging_image, image_t *)
DLB_PY_DEFINE_UNWRAP(imaging_image, image_t *)

/* ---- Functions ---- */

static const dlb_py_function dl_load_call = {
    .name = "load",
    .count = 1,
    .positional = 1,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("path", 1)),
};

static PyObject *py_imaging_load(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(image_read, image_status (*)(const char *, image_t **), "load.c: image_read is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_load_call, args, nargs, kwnames, sorted);
    const char *path = NULL;
    PyObject *path_bytes = NULL;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_read_path(&dl_load_call, 0, given, 0, &path, &path_bytes) != 0) {
        Py_XDECREF(path_bytes);
        return NULL;
    }
    image_t *out = NULL;

    image_status result;
    int number;

    Py_BEGIN_ALLOW_THREADS
    errno = 0;
    result = image_read(path, &out);
    number = errno;
    Py_END_ALLOW_THREADS
    if (result == IMAGE_OK) { /* load.ok */
        answer = dlb_py_adopt(&imaging_image_type, out, 0);
    } else if (result == IMAGE_ERROR_OPEN || result == IMAGE_ERROR_READ) { /* load.raises */
        dlb_py_failed_system(&dl_load_call, given, PyExc_OSError, number, "image_read()",
                             image_strerror(result) /* load.error */, given[0]);
    } else if (result == IMAGE_ERROR_MEMORY) { /* load.raises */
        dlb_py_failed_with(&dl_load_call, given, PyExc_MemoryError, "image_read()",
                           image_strerror(result) /* load.error */, DLB_VALUE(result));
    } else {
        dlb_py_failed_with(&dl_load_call, given, PyExc_ValueError, "image_read()",
                           image_strerror(result) /* load.error */, DLB_VALUE(result));
    }
    Py_XDECREF(path_bytes);
    return answer;
}

static const dlb_py_function dl_save_call = {
    .name = "save",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("image", 1), DLB_PY_OBJECT_PARAM("path", 1)),
    .operands = DLB_PY_OPERANDS({.param = 0, .type = &imaging_image_type}),
};

static PyObject *py_imaging_save(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(image_write, image_status (*)(const image_t *, const char *), "save.c: image_write is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_save_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    const char *path = NULL;
    PyObject *path_bytes = NULL;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_read_path(&dl_save_call, 1, given, 0, &path, &path_bytes) != 0 ||
        dlb_py_take(&dl_save_call, NULL, given, arrays) != 0) {
        Py_XDECREF(path_bytes);
        return NULL;
    }
    const image_t *image = arrays[0].object;

    image_status result;
    int number;

    Py_BEGIN_ALLOW_THREADS
    errno = 0;
    result = image_write(image, path);
    number = errno;
    Py_END_ALLOW_THREADS
    if (result == IMAGE_OK) { /* save.ok */
        answer = Py_NewRef(Py_None);
    } else if (result == IMAGE_ERROR_OPEN || result == IMAGE_ERROR_WRITE /* save.raises */) {
        dlb_py_failed_system(&dl_save_call, given, PyExc_OSError, number, "image_write()",
                             image_strerror(result) /* save.error */, given[1]);
    } else if (result == IMAGE_ERROR_MEMORY) { /* save.raises */
        dlb_py_failed_with(&dl_save_call, given, PyExc_MemoryError, "image_write()",
                           image_strerror(result) /* save.error */, DLB_VALUE(result));
    } else {
        dlb_py_failed_with(&dl_save_call, given, PyExc_ValueError, "image_write()",
                           image_strerror(result) /* save.error */, DLB_VALUE(result));
    }
    Py_XDECREF(path_bytes);
    return dlb_py_finish_call(&dl_save_call, arrays, answer);
}

static const dlb_py_function dl_blur_call = {
    .name = "blur",
    .count = 3,
    .positional = 3,
    .operand_count = 2,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("src", 1), DLB_PY_OBJECT_PARAM("dst", 0),
                            DLB_PY_PARAM(int, "radius", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .type = &imaging_image_type, .flags = DLB_PY_DESCRIBED},
        {.param = 1, .type = &imaging_image_type, .flags = DLB_PY_WRITES, .like = 1}),
};

static PyObject *py_imaging_blur(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(image_blur, image_status (*)(const image_t *, image_t *, int), "blur.c: image_blur is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[3];
    PyObject *const *given = dlb_py_arguments(&dl_blur_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    int radius = 1;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_read_number(&dl_blur_call, 2, given, &radius) != 0 ||
        dlb_py_take(&dl_blur_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const image_t *src = arrays[0].object;
    image_t *dst = arrays[1].object;

    const dlb_place place_of_dst = DLB_PLACE(
        dst->pixels, (uint64_t)dst->height * (uint64_t)dst->width * (uint64_t)dst->channels);

    image_status result;
    Py_BEGIN_ALLOW_THREADS
    result = image_blur(src, dst, radius);
    Py_END_ALLOW_THREADS
    dlb_py_check_place(&dl_blur_call, arrays, 1, place_of_dst,
                       DLB_PLACE(dst->pixels, (uint64_t)dst->height * (uint64_t)dst->width *
                                                  (uint64_t)dst->channels));
    if (result == IMAGE_OK) { /* blur.ok */
        answer = dlb_py_argument_object(&arrays[1]);
    } else if (result == IMAGE_ERROR_MEMORY) { /* blur.raises */
        dlb_py_failed_with(&dl_blur_call, given, PyExc_MemoryError, "image_blur()",
                           image_strerror(result) /* blur.error */, DLB_VALUE(result));
    } else {
        dlb_py_failed_with(&dl_blur_call, given, PyExc_ValueError, "image_blur()",
                           image_strerror(result) /* blur.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_blur_call, arrays, answer);
}

static const dlb_py_function dl_adjust_call = {
    .name = "adjust",
    .count = 3,
    .positional = 3,
    .operand_count = 1,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("image", 1), DLB_PY_PARAM(double, "brightness", 0),
                            DLB_PY_PARAM(double, "contrast", 0)),
    .operands = DLB_PY_OPERANDS({.param = 0, .type = &imaging_image_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_imaging_adjust(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(image_adjust, image_status (*)(image_t *, double, double), "adjust.c: image_adjust is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[3];
    PyObject *const *given = dlb_py_arguments(&dl_adjust_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    double brightness = 0;
    double contrast = 1;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_read_number(&dl_adjust_call, 1, given, &brightness) != 0 ||
        dlb_py_read_number(&dl_adjust_call, 2, given, &contrast) != 0 ||
        dlb_py_take(&dl_adjust_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    image_t *image = arrays[0].object;

    const dlb_place place_of_image =
        DLB_PLACE(image->pixels,
                  (uint64_t)image->height * (uint64_t)image->width * (uint64_t)image->channels);

    image_status result;
    Py_BEGIN_ALLOW_THREADS
    result = image_adjust(image, brightness, contrast);
    Py_END_ALLOW_THREADS
    dlb_py_check_place(&dl_adjust_call, arrays, 0, place_of_image,
                       DLB_PLACE(image->pixels, (uint64_t)image->height * (uint64_t)image->width *
                                                    (uint64_t)image->channels));
    if (result == IMAGE_OK) { /* adjust.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_adjust_call, given, PyExc_ValueError, "image_adjust()",
                           image_strerror(result) /* adjust.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_adjust_call, arrays, answer);
}

static PyMethodDef dl_imaging_methods[] = {
    {"load", DLB_PY_METHOD(py_imaging_load), METH_FASTCALL | METH_KEYWORDS,
     "load($module, /, path)\n"
     "--\n\n"
     "Return the picture in a BMP file.\n\n"
     "Raises OSError, MemoryError or ValueError if the library reports a failure.\n"
     "Other threads run meanwhile."},
    {"save", DLB_PY_METHOD(py_imaging_save), METH_FASTCALL | METH_KEYWORDS,
     "save($module, /, image, path)\n"
     "--\n\n"
     "Write a picture as a BMP file.\n\n"
     "`image` is read: Image, or an array that Image.from_dlpack() takes.\n"
     "Raises OSError, MemoryError or ValueError if the library reports a failure.\n"
     "Other threads run meanwhile."},
    {"blur", DLB_PY_METHOD(py_imaging_blur), METH_FASTCALL | METH_KEYWORDS,
     "blur($module, /, src, dst=None, radius=1)\n"
     "--\n\n"
     "Blur `src` into `dst`, which can be `src` itself. Each sample becomes the mean of the "
     "square around it.\n\n"
     "`src` is read: Image, or an array that Image.from_dlpack() takes.\n"
     "`dst` is written: Image, or an array that Image.from_dlpack() takes; a new one like "
     "`src` where none is given.\n"
     "Raises MemoryError or ValueError if the library reports a failure.\n"
     "Other threads run meanwhile."},
    {"adjust", DLB_PY_METHOD(py_imaging_adjust), METH_FASTCALL | METH_KEYWORDS,
     "adjust($module, /, image, brightness=0, contrast=1)\n"
     "--\n\n"
     "Change every sample v but alpha, in place: (v - 128) * contrast + 128 + brightness.\n\n"
     "`image` is written: Image, or an array that Image.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure.\n"
     "Other threads run meanwhile."},
    {NULL, NULL, 0, NULL},
};

/* ---- The module ---- */

int imaging_add_types(PyObject *module)
{
    return dlb_py_add_class(module, &dl_imaging_image_class);
}

static const imaging_c_api dl_imaging_c_functions = {
    sizeof(dl_imaging_c_functions),
    imaging_image_wrap,
    imaging_image_unwrap,
    IMAGING_C_API_PROTOTYPES,
};

static int dl_imaging_fill(PyObject *module)
{
    return imaging_add_types(module) == 0
               ? dlb_py_add_c_api(module, "imaging._C_API", &dl_imaging_c_functions)
               : -1;
}

static PyModuleDef_Slot dl_imaging_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(dl_imaging_fill)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef dl_imaging_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "imaging",
    .m_doc = "Pictures of the imaging library, shared through DLPack.",
    .m_methods = dl_imaging_methods,
    .m_slots = dl_imaging_slots,
};

PyMODINIT_FUNC PyInit_imaging(void);
PyMODINIT_FUNC PyInit_imaging(void)
{
    return dlb_py_start_module(&dl_imaging_definition);
}
