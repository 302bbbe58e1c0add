/* SPDX-License-Identifier: MIT-0
 * Generated from nrrd.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_object.h"

#include "dlb_assert.h"
#include "dlb_module.h"

#include "nrrd_dlpack.h"

/* ---- Nrrd ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlnrrd_nrrd_from_producer, dlb_py_from_dlpack_call, dlnrrd_nrrd_type)

static PyMethodDef dl_dlnrrd_nrrd_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlnrrd_nrrd_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable arrays of 1 to 16 axes on the CPU, compact."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlnrrd_nrrd_api, dlnrrd_nrrd_type, dlb_py_api_view)

static const dlb_py_class dl_dlnrrd_nrrd_class = {
    .type = &dlnrrd_nrrd_type,
    .c_type = "Nrrd",
    .doc = "An array whose axes NumPy counts the other way round.",
    .methods = dl_dlnrrd_nrrd_methods,
    .api = &dl_dlnrrd_nrrd_api,
};

DLB_PY_DEFINE_WRAP(dlnrrd_nrrd, Nrrd *)
DLB_PY_DEFINE_UNWRAP(dlnrrd_nrrd, Nrrd *)

/* ---- The module ---- */

int dlnrrd_add_types(PyObject *module)
{
    return dlb_py_add_class(module, &dl_dlnrrd_nrrd_class);
}

static const dlnrrd_c_api dl_dlnrrd_c_functions = {
    sizeof(dl_dlnrrd_c_functions),
    dlnrrd_nrrd_wrap,
    dlnrrd_nrrd_unwrap,
    DLNRRD_C_API_PROTOTYPES,
};

static int dl_dlnrrd_fill(PyObject *module)
{
    return dlnrrd_add_types(module) == 0
               ? dlb_py_add_c_api(module, "nrrd._C_API", &dl_dlnrrd_c_functions)
               : -1;
}

static PyModuleDef_Slot dl_dlnrrd_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(dl_dlnrrd_fill)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef dl_dlnrrd_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "nrrd",
    .m_doc = "Arrays of Teem's library for nearly raw raster data, shared through DLPack.",
    .m_slots = dl_dlnrrd_slots,
};

PyMODINIT_FUNC PyInit_nrrd(void);
PyMODINIT_FUNC PyInit_nrrd(void)
{
    return dlb_py_start_module(&dl_dlnrrd_definition);
}
