/* SPDX-License-Identifier: MIT-0 */
/* Start of the module, and the C interface that it gives other extensions. */
#include "dlb_py_internal.h"

#include <stdlib.h>
#include <string.h>

/* Checks that the running CPython has the object layout that the module was compiled for. Returns 0, or -1 with an ImportError. CPython
 * loads `NAME.so` even if it was compiled for another version. This function must not read fields of objects, since their layout can
 * differ. */
static int check_interpreter(const char *module)
{
#if defined(Py_LIMITED_API)
    const long compiled = Py_LIMITED_API + 0;
    const char *const or_newer = " or newer";
#else
    const long compiled = PY_VERSION_HEX;
    const char *const or_newer = "";
#endif
    const char *const text = Py_GetVersion(); /* for example "3.13.0 experimental free-threading build (main, ..." */
    const bool free_threaded = strstr(text, "free-threading") != NULL;
    const long compiled_major = compiled >> 24, compiled_minor = compiled >> 16 & 0xff;
    char *end;
    const long major = strtol(text, &end, 10);
    const long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;

    if (free_threaded == DLB_PY_FREE_THREADED && major == compiled_major &&
        (minor == compiled_minor || (or_newer[0] != '\0' && minor > compiled_minor))) {
        return 0;
    }
    PyErr_Format(PyExc_ImportError,
                 "%s was compiled for %sCPython %ld.%ld%s and cannot be imported by %sCPython %ld.%ld: "
                 "compile it with the headers of the CPython that imports it",
                 module, DLB_PY_FREE_THREADED ? "free-threaded " : "", compiled_major, compiled_minor, or_newer,
                 free_threaded ? "free-threaded " : "", major, minor);
    return -1;
}

PyObject *dlb_py_start_module(PyModuleDef *definition)
{
    if (check_interpreter(definition->m_name) != 0) {
        return NULL;
    }
#if defined(Py_LIMITED_API)
    for (PyModuleDef_Slot *slot = definition->m_slots; slot->slot != 0; slot++) {
        const bool known = Py_Version >= (slot->slot == DLB_PY_MOD_GIL ? 0x030D0000 : 0x030C0000);

        if (!known && (slot->slot == DLB_PY_MOD_GIL || slot->slot == DLB_PY_MOD_MULTIPLE_INTERPRETERS)) {
            slot->slot = 0; /* the slots after this one are newer still */
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

    (void)definition; /* CPython adds its functions */
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
