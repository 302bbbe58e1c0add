/* SPDX-License-Identifier: MIT-0
 * Generated from avframe.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_object.h"

#include "dlb_assert.h"
#include "dlb_module.h"

#include "avframe_dlpack.h"

/* ---- Frame ---- */

static PyObject *dl_dlavframe_frame_as_plane(PyObject *self, PyObject *const *args,
                                             Py_ssize_t nargs, PyObject *kwnames)
{
    return dlb_py_child(self, "plane", &dlavframe_plane_type, NULL, args, nargs, kwnames);
}

static PyObject *dl_dlavframe_frame_get_planes(PyObject *self, void *closure)
{
    (void)closure;
    return dlb_py_parts(self, &dlavframe_frame_parts_planes);
}

static PyMethodDef dl_dlavframe_frame_methods[] = {
    {"plane", DLB_PY_METHOD(dl_dlavframe_frame_as_plane), METH_FASTCALL | METH_KEYWORDS,
     "plane($self, /, plane=0)\n"
     "--\n\n"
     "This object, seen as Plane."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef dl_dlavframe_frame_attributes[] = {
    {"planes", dl_dlavframe_frame_get_planes, NULL,
     "The planes of this object, as a tuple of Plane.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const dlb_py_class dl_dlavframe_frame_class = {
    .type = &dlavframe_frame_type,
    .c_type = "AVFrame",
    .doc = "A picture, which moves in.",
    .methods = dl_dlavframe_frame_methods,
    .attributes = dl_dlavframe_frame_attributes,
};

DLB_PY_DEFINE_WRAP(dlavframe_frame, AVFrame *)
DLB_PY_DEFINE_UNWRAP(dlavframe_frame, AVFrame *)

/* ---- Plane ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlavframe_plane_from_producer, dlb_py_from_dlpack_call,
                           dlavframe_plane_type)

static PyMethodDef dl_dlavframe_plane_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlavframe_plane_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes uint8, uint16 or float32 arrays of 2 or 3 axes on the CPU, compact but for the "
     "outermost axis, without negative strides."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlavframe_plane_api, dlavframe_plane_type, dlb_py_api_view)

static const dlb_py_class dl_dlavframe_plane_class = {
    .type = &dlavframe_plane_type,
    .c_type = "AVFrame",
    .doc = "One plane of a picture, through a reference of its own.",
    .methods = dl_dlavframe_plane_methods,
    .api = &dl_dlavframe_plane_api,
};

PyObject *dlavframe_plane_wrap(AVFrame *self, int plane)
{
    struct dlavframe_plane_state state = {.self = self, .plane = plane};

    return dlb_py_wrap(&dlavframe_plane_type, &state);
}

DLB_PY_DEFINE_UNWRAP(dlavframe_plane, AVFrame *)

/* ---- The module ---- */

int dlavframe_add_types(PyObject *module)
{
    if (dlb_py_add_class(module, &dl_dlavframe_frame_class) != 0) {
        return -1;
    }
    return dlb_py_add_class(module, &dl_dlavframe_plane_class);
}

static const dlavframe_c_api dl_dlavframe_c_functions = {
    sizeof(dl_dlavframe_c_functions), dlavframe_frame_wrap,
    dlavframe_frame_unwrap,           dlavframe_plane_wrap,
    dlavframe_plane_unwrap,           DLAVFRAME_C_API_PROTOTYPES,
};

static int dl_dlavframe_fill(PyObject *module)
{
    return dlavframe_add_types(module) == 0
               ? dlb_py_add_c_api(module, "avframe._C_API", &dl_dlavframe_c_functions)
               : -1;
}

static PyModuleDef_Slot dl_dlavframe_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(dl_dlavframe_fill)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef dl_dlavframe_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "avframe",
    .m_doc = "Pictures of FFmpeg's libavutil, shared through DLPack plane by plane.",
    .m_slots = dl_dlavframe_slots,
};

PyMODINIT_FUNC PyInit_avframe(void);
PyMODINIT_FUNC PyInit_avframe(void)
{
    return dlb_py_start_module(&dl_dlavframe_definition);
}
