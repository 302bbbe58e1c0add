/* SPDX-License-Identifier: MIT-0
 * Generated from cfi.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_object.h"

#include "dlb_assert.h"
#include "dlb_module.h"

#include "cfi_dlpack.h"

/* ---- Array ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlcfi_array_from_producer, dlb_py_from_dlpack_call, dlcfi_array_type)

static PyMethodDef dl_dlcfi_array_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlcfi_array_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable arrays of 0 to 15 axes on the CPU."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlcfi_array_api, dlcfi_array_type, dlb_py_api_view)

static const dlb_py_class dl_dlcfi_array_class = {
    .type = &dlcfi_array_type,
    .c_type = "CFI_cdesc_t",
    .doc = "An array as Fortran passes it. Its indices keep their order and start at 0, so that "
           "a[i, j] is x(i + 1, j + 1).",
    .methods = dl_dlcfi_array_methods,
    .api = &dl_dlcfi_array_api,
};

DLB_PY_DEFINE_WRAP_BORROWED(dlcfi_array, CFI_cdesc_t *)
DLB_PY_DEFINE_UNWRAP(dlcfi_array, CFI_cdesc_t *)

/* ---- The module ---- */

int dlcfi_add_types(PyObject *module)
{
    return dlb_py_add_class(module, &dl_dlcfi_array_class);
}

static const dlcfi_c_api dl_dlcfi_c_functions = {
    sizeof(dl_dlcfi_c_functions),
    dlcfi_array_wrap,
    dlcfi_array_unwrap,
    DLCFI_C_API_PROTOTYPES,
};

static int dl_dlcfi_fill(PyObject *module)
{
    return dlcfi_add_types(module) == 0
               ? dlb_py_add_c_api(module, "cfi._C_API", &dl_dlcfi_c_functions)
               : -1;
}

static PyModuleDef_Slot dl_dlcfi_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(dl_dlcfi_fill)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef dl_dlcfi_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "cfi",
    .m_doc = "Arrays of Fortran, shared through DLPack.",
    .m_slots = dl_dlcfi_slots,
};

PyMODINIT_FUNC PyInit_cfi(void);
PyMODINIT_FUNC PyInit_cfi(void)
{
    return dlb_py_start_module(&dl_dlcfi_definition);
}
