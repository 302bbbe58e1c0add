/* SPDX-License-Identifier: MIT-0
 * Generated from cairo.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_object.h"

#include "dlb_assert.h"
#include "dlb_module.h"

#include "cairo_dlpack.h"

/* ---- Surface ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlcairo_surface_from_producer, dlb_py_from_dlpack_with,
                           dlcairo_surface_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlcairo_surface_empty, dlb_py_empty, dlcairo_surface_type)

static PyMethodDef dl_dlcairo_surface_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlcairo_surface_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, opaque=0, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable uint8, uint16, uint32 or float32 arrays of 2 or 3 axes on the CPU, "
     "compact but for the outermost axis, aligned to 4 bytes."},
    {"empty", DLB_PY_METHOD(dl_dlcairo_surface_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype)\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlcairo_surface_api, dlcairo_surface_type, NULL)

static const dlb_py_class dl_dlcairo_surface_class = {
    .type = &dlcairo_surface_type,
    .c_type = "cairo_surface_t",
    .doc = "An image surface. Pixels of 32 bits are four bytes in the machine's own order "
           "(little-endian: blue, green, red, alpha), colours multiplied by alpha.",
    .methods = dl_dlcairo_surface_methods,
    .api = &dl_dlcairo_surface_api,
};

DLB_PY_DEFINE_WRAP(dlcairo_surface, cairo_surface_t *)
DLB_PY_DEFINE_UNWRAP(dlcairo_surface, cairo_surface_t *)

/* ---- The module ---- */

int dlcairo_add_types(PyObject *module)
{
    return dlb_py_add_class(module, &dl_dlcairo_surface_class);
}

static const dlcairo_c_api dl_dlcairo_c_functions = {
    sizeof(dl_dlcairo_c_functions),
    dlcairo_surface_wrap,
    dlcairo_surface_unwrap,
    DLCAIRO_C_API_PROTOTYPES,
};

static int dl_dlcairo_fill(PyObject *module)
{
    return dlcairo_add_types(module) == 0
               ? dlb_py_add_c_api(module, "cairo._C_API", &dl_dlcairo_c_functions)
               : -1;
}

static PyModuleDef_Slot dl_dlcairo_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(dl_dlcairo_fill)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef dl_dlcairo_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "cairo",
    .m_doc = "Image surfaces of cairo, shared through DLPack.",
    .m_slots = dl_dlcairo_slots,
};

PyMODINIT_FUNC PyInit_cairo(void);
PyMODINIT_FUNC PyInit_cairo(void)
{
    return dlb_py_start_module(&dl_dlcairo_definition);
}
