/* SPDX-License-Identifier: MIT */
/* The extension module of frames.h, and functions that wrap frames, which Python knows by their addresses. */
#include "object/object.h"

#include "frames.h"

int frames_without_gil(void);
void frames_leave(int whether);

/* ---- The classes ---- */

#define CHILD(name, type)                                                                                              \
    static PyObject *get_##name(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)            \
    {                                                                                                                  \
        return dlb_py_child(self, #name, &(type), NULL, args, nargs, kwnames);                                         \
    }
CHILD(plane, frames_plane_type)
CHILD(whole, frames_whole_type)
CHILD(settings, frames_settings_type)
CHILD(released, frames_gil_type)
CHILD(stranger, frames_remote_type) /* which shares nothing with a frame */

static PyObject *get_parts(PyObject *self, void *closure)
{
    return dlb_py_parts(self, closure);
}

static PyMethodDef frame_methods[] = {
    {"plane", DLB_PY_METHOD(get_plane), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"whole", DLB_PY_METHOD(get_whole), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"settings", DLB_PY_METHOD(get_settings), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"released", DLB_PY_METHOD(get_released), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"stranger", DLB_PY_METHOD(get_stranger), METH_FASTCALL | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef frame_attributes[] = {
    {"planes", get_parts, NULL, NULL, (void *)(uintptr_t)&frames_frame_planes},
    {"few", get_parts, NULL, NULL, (void *)(uintptr_t)&frames_frame_few},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *gil_from_dlpack(PyObject *cls, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    (void)cls;
    return dlb_py_from_dlpack_with(&frames_gil_type, args, nargs, kwnames);
}

static PyObject *gil_from_dlpack_plainly(PyObject *cls, PyObject *x)
{
    (void)cls;
    return dlb_py_from_dlpack(&frames_gil_type, x);
}

static PyObject *gil_empty(PyObject *cls, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    (void)cls;
    return dlb_py_empty(&frames_gil_type, args, nargs, kwnames);
}

/* One table for all tensors; what their types do not have is not called. */
static PyMethodDef tensor_methods[] = {
    {"plane", DLB_PY_METHOD(get_plane), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"from_dlpack", DLB_PY_METHOD(gil_from_dlpack), METH_FASTCALL | METH_KEYWORDS | METH_CLASS, NULL},
    {"from_dlpack_plainly", gil_from_dlpack_plainly, METH_O | METH_CLASS, NULL},
    {"empty", DLB_PY_METHOD(gil_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

/* One exchange table for all tensors as well; what makes objects is Gil's. */
static int gil_api_allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *error_ctx,
                            dlb_py_set_error *set_error)
{
    return dlb_py_api_allocate(&frames_gil_type, prototype, out, error_ctx, set_error);
}

static int gil_api_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    return dlb_py_api_to_object(&frames_gil_type, tensor, out);
}

static const DLPackExchangeAPI tensor_api =
    DLB_PY_EXCHANGE_API(gil_api_allocate, gil_api_to_object, dlb_py_api_view);

static const dlb_type *const types[] = {
    &frames_frame_type,  &frames_plane_type,  &frames_settings_type, &frames_whole_type,
    &frames_remote_type, &frames_silent_type, &frames_locked_type,   &frames_frozen_type,
    &frames_copied_type, &frames_value_type,  &frames_gil_type,
};
enum { TYPES = sizeof types / sizeof types[0] };

static int add_types(PyObject *module)
{
    for (size_t i = 0; i < TYPES; i++) {
        const bool tensor = types[i]->describe != NULL;
        const dlb_py_class cls = {
            .type = types[i],
            .methods = tensor ? tensor_methods : frame_methods,
            .attributes = tensor ? NULL : frame_attributes,
            .api = tensor ? &tensor_api : NULL,
        };

        if (dlb_py_add_class(module, &cls) != 0) {
            return -1;
        }
    }
    return 0;
}

/* ---- The functions ---- */

static PyObject *frames_new(PyObject *module, PyObject *args)
{
    long long planes;
    long long rows;
    long long columns;

    (void)module;
    if (!PyArg_ParseTuple(args, "LLL:new", &planes, &rows, &columns)) {
        return NULL;
    }
    return PyLong_FromVoidPtr(frame_new(planes, rows, columns));
}

static PyObject *frames_unref(PyObject *module, PyObject *address)
{
    (void)module;
    frame_unref(PyLong_AsVoidPtr(address));
    Py_RETURN_NONE;
}

static const dlb_type *find(const char *name)
{
    for (size_t i = 0; i < TYPES; i++) {
        if (strcmp(strrchr(types[i]->name, '.') + 1, name) == 0) {
            return types[i];
        }
    }
    PyErr_Format(PyExc_KeyError, "no class %s", name);
    return NULL;
}

/* What an emitted wrap function does: the object goes into a state where the type has one. */
static PyObject *wrap(const dlb_type *type, frame_t *frame, int plane, PyObject *parent)
{
    dlb_py_values values;
    void *object = frame;
    PyObject *made;

    if (type->state != 0) {
        object = dlb_py_allocate_values(&values, type->state, type->defaults);
        if (type->value != 0) {
            memcpy(object, frame, type->value);
        } else {
            *(frame_t **)object = frame;
        }
        if (type == &frames_plane_type) {
            (void)dlb_py_store_index(&type->params[0], object, (uint64_t)plane);
        }
    }
    made = parent == NULL ? dlb_py_wrap(type, object) : dlb_py_wrap_borrowed(type, object, parent);
    if (type->state != 0) {
        memset(object, 0xDD, type->state); /* it was copied */
        dlb_py_free_values(&values);
    }
    return made;
}

/* wrap(kind, address, plane=0, parent=None) */
static PyObject *frames_wrap(PyObject *module, PyObject *args)
{
    const dlb_type *type;
    PyObject *address;
    PyObject *parent = Py_None;
    const char *name;
    frame_t *frame;
    int plane = 0;

    (void)module;
    if (!PyArg_ParseTuple(args, "sO|iO:wrap", &name, &address, &plane, &parent)) {
        return NULL;
    }
    type = find(name);
    frame = PyLong_AsVoidPtr(address);
    if (type == NULL || PyErr_Occurred()) {
        return NULL;
    }
    return wrap(type, frame, plane, parent == Py_None ? NULL : parent);
}

static PyObject *frames_unwrap(PyObject *module, PyObject *args)
{
    const dlb_type *type;
    PyObject *object;
    const char *name;
    void *frame;

    (void)module;
    if (!PyArg_ParseTuple(args, "sO:unwrap", &name, &object)) {
        return NULL;
    }
    type = find(name);
    frame = type != NULL ? dlb_py_unwrap(type, object) : NULL;
    return frame != NULL ? PyLong_FromVoidPtr(frame) : NULL;
}

/* The params that a Settings was made with. */
static PyObject *frames_read(PyObject *module, PyObject *object)
{
    const settings *s;

    (void)module;
    if (dlb_py_unwrap(&frames_settings_type, object) == NULL) {
        return NULL;
    }
    s = dlb_py_data(object)->owner->object;
    return Py_BuildValue("(iiiiiILKdddNs)", (int)s->i8, (int)s->u8, (int)s->i16, (int)s->u16, (int)s->i32,
                         (unsigned)s->u32, (long long)s->i64, (unsigned long long)s->u64, (double)s->f, s->d,
                         (double)s->ld, PyBool_FromLong(s->b), s->text);
}

/* (retained, released, released without the GIL) since the last call, and how many live */
static PyObject *frames_counts(PyObject *module, PyObject *unused)
{
    const frame_counts counts = frame_count();

    (void)module;
    (void)unused;
    return Py_BuildValue("(iiii)", counts.retained, counts.released, frames_without_gil(), counts.living);
}

/* leave(whether): releases with the GIL leave an exception from now on, or no longer. */
static PyObject *frames_module_leave(PyObject *module, PyObject *whether)
{
    (void)module;
    frames_leave(PyObject_IsTrue(whether));
    Py_RETURN_NONE;
}

static PyObject *frames_log(PyObject *module, PyObject *unused)
{
    char text[4096];

    (void)module;
    (void)unused;
    frame_read_log(text, sizeof text);
    return PyUnicode_FromString(text);
}

/* What Gil was imported with last: (rate, label) */
static PyObject *frames_last_import(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return Py_BuildValue("(is)", (int)frames_imported.rate, frames_imported.label);
}

static PyMethodDef module_methods[] = {
    {"new", frames_new, METH_VARARGS, NULL},
    {"unref", frames_unref, METH_O, NULL},
    {"wrap", frames_wrap, METH_VARARGS, NULL},
    {"unwrap", frames_unwrap, METH_VARARGS, NULL},
    {"read", frames_read, METH_O, NULL},
    {"counts", frames_counts, METH_NOARGS, NULL},
    {"log", frames_log, METH_NOARGS, NULL},
    {"leave", frames_module_leave, METH_O, NULL},
    {"last_import", frames_last_import, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(add_types)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "frames",
    .m_methods = module_methods,
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_frames(void);
PyMODINIT_FUNC PyInit_frames(void)
{
    return dlb_py_start_module(&module_definition);
}
