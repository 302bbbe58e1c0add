/* SPDX-License-Identifier: MIT-0 */
/* The module itself: how it starts, and what other extensions reach in it. */
#include "dlb_py_internal.h"

PyObject *dlb_py_start_module(PyModuleDef *definition)
{
#if defined(Py_LIMITED_API)
    for (PyModuleDef_Slot *slot = definition->m_slots; slot->slot != 0; slot++) {
        const bool known = Py_Version >= (slot->slot == DLB_PY_MOD_GIL ? 0x030D0000 : 0x030C0000);

        if (!known && (slot->slot == DLB_PY_MOD_GIL || slot->slot == DLB_PY_MOD_MULTIPLE_INTERPRETERS)) {
            slot->slot = 0; /* what follows is newer still */
            slot->value = NULL;
            break;
        }
    }
#endif
    return PyModuleDef_Init(definition);
}

PyObject *dlb_py_create_module(PyObject *spec, PyModuleDef *definition)
{
    PyObject *const name = dlb_py_find_state() != NULL ? PyObject_GetAttrString(spec, "name") : NULL;
    PyObject *const module = name != NULL ? PyModule_NewObject(name) : NULL;

    (void)definition; /* whose functions CPython adds */
    Py_XDECREF(name);
    return module;
}

int dlb_py_add_c_api(PyObject *module, const char *name, const void *functions)
{
    PyObject *const capsule = PyCapsule_New((void *)(uintptr_t)functions, name, NULL);
    int result;

    if (capsule == NULL) {
        return -1;
    }
    result = PyModule_AddObjectRef(module, "_C_API", capsule);
    Py_DECREF(capsule);
    return result;
}
