/* SPDX-License-Identifier: MIT-0
 * Generated from gdkpixbuf.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_object.h"

#include "dlb_assert.h"
#include "dlb_module.h"

#include "gdkpixbuf_dlpack.h"

/* ---- Pixbuf ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlpixbuf_pixbuf_from_producer, dlb_py_from_dlpack_call,
                           dlpixbuf_pixbuf_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlpixbuf_pixbuf_empty, dlb_py_empty, dlpixbuf_pixbuf_type)

static PyObject *dl_dlpixbuf_pixbuf_as_read_only(PyObject *self, PyObject *const *args,
                                                 Py_ssize_t nargs, PyObject *kwnames)
{
    return dlb_py_child(self, "read_only", &dlpixbuf_read_only_type, NULL, args, nargs, kwnames);
}

static PyMethodDef dl_dlpixbuf_pixbuf_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlpixbuf_pixbuf_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable uint8 arrays of 3 axes on the CPU, compact but for the outermost axis, "
     "without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlpixbuf_pixbuf_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint8')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"read_only", DLB_PY_METHOD(dl_dlpixbuf_pixbuf_as_read_only), METH_FASTCALL | METH_KEYWORDS,
     "read_only($self, /)\n"
     "--\n\n"
     "This object, seen as ReadOnly."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlpixbuf_pixbuf_api, dlpixbuf_pixbuf_type, dlb_py_api_view)

static const dlb_py_class dl_dlpixbuf_pixbuf_class = {
    .type = &dlpixbuf_pixbuf_type,
    .c_type = "GdkPixbuf",
    .doc = "A picture of 3 or 4 channels, to read and to write. Pixels that belong to a GBytes are "
           "copied once by GdkPixbuf, the first time that they are asked for.",
    .methods = dl_dlpixbuf_pixbuf_methods,
    .api = &dl_dlpixbuf_pixbuf_api,
};

DLB_PY_DEFINE_WRAP(dlpixbuf_pixbuf, GdkPixbuf *)
DLB_PY_DEFINE_UNWRAP(dlpixbuf_pixbuf, GdkPixbuf *)

/* ---- ReadOnly ---- */

static PyObject *dl_dlpixbuf_read_only_as_pixbuf(PyObject *self, PyObject *const *args,
                                                 Py_ssize_t nargs, PyObject *kwnames)
{
    return dlb_py_child(self, "pixbuf", &dlpixbuf_pixbuf_type, NULL, args, nargs, kwnames);
}

static PyMethodDef dl_dlpixbuf_read_only_methods[] = {
    {"pixbuf", DLB_PY_METHOD(dl_dlpixbuf_read_only_as_pixbuf), METH_FASTCALL | METH_KEYWORDS,
     "pixbuf($self, /)\n"
     "--\n\n"
     "This object, seen as Pixbuf."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlpixbuf_read_only_api, dlpixbuf_read_only_type, NULL)

static const dlb_py_class dl_dlpixbuf_read_only_class = {
    .type = &dlpixbuf_read_only_type,
    .c_type = "GdkPixbuf",
    .doc = "The pixels as they are now, to read only. Those of a GBytes are shared, others are a "
           "copy of GdkPixbuf's.",
    .methods = dl_dlpixbuf_read_only_methods,
    .api = &dl_dlpixbuf_read_only_api,
};

PyObject *dlpixbuf_read_only_wrap(GdkPixbuf *self)
{
    struct dlpixbuf_read_only_state state = {.self = self};

    return dlb_py_wrap(&dlpixbuf_read_only_type, &state);
}

DLB_PY_DEFINE_UNWRAP(dlpixbuf_read_only, GdkPixbuf *)

/* ---- The module ---- */

int dlpixbuf_add_types(PyObject *module)
{
    if (dlb_py_add_class(module, &dl_dlpixbuf_pixbuf_class) != 0) {
        return -1;
    }
    return dlb_py_add_class(module, &dl_dlpixbuf_read_only_class);
}

static const dlpixbuf_c_api dl_dlpixbuf_c_functions = {
    sizeof(dl_dlpixbuf_c_functions), dlpixbuf_pixbuf_wrap,      dlpixbuf_pixbuf_unwrap,
    dlpixbuf_read_only_wrap,         dlpixbuf_read_only_unwrap, DLPIXBUF_C_API_PROTOTYPES,
};

static int dl_dlpixbuf_fill(PyObject *module)
{
    return dlpixbuf_add_types(module) == 0
               ? dlb_py_add_c_api(module, "gdkpixbuf._C_API", &dl_dlpixbuf_c_functions)
               : -1;
}

static PyModuleDef_Slot dl_dlpixbuf_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(dl_dlpixbuf_fill)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef dl_dlpixbuf_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "gdkpixbuf",
    .m_doc = "Pictures of GdkPixbuf, shared through DLPack.",
    .m_slots = dl_dlpixbuf_slots,
};

PyMODINIT_FUNC PyInit_gdkpixbuf(void);
PyMODINIT_FUNC PyInit_gdkpixbuf(void)
{
    return dlb_py_start_module(&dl_dlpixbuf_definition);
}
