/* SPDX-License-Identifier: MIT-0 */
/* Classes, and what else a generated module gives to Python. */
#include "dlb_py_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* Final and immutable classes refuse setattr(); this is how their own module fills them before anybody sees them. */
static int set_attribute(PyObject *cls, const char *name, PyObject *value)
{
    PyObject *const key = PyUnicode_InternFromString(name);
    int result;

    if (key == NULL) {
        return -1;
    }
    result = dlb_py_set_in_type((PyTypeObject *)cls, key, value);
    Py_DECREF(key);
    PyType_Modified((PyTypeObject *)cls);
    return result;
}

/* "package.module" + rest, allocated; NULL with an exception. */
static char *in_module(PyObject *module, const char *rest)
{
    PyObject *const name = PyModule_GetNameObject(module);
    Py_ssize_t size = 0;
    const char *const text = name != NULL ? PyUnicode_AsUTF8AndSize(name, &size) : NULL;
    char *full = NULL;

    if (text != NULL) {
        full = malloc((size_t)size + strlen(rest) + 1);
        if (full == NULL) {
            PyErr_NoMemory();
        } else {
            memcpy(full, text, (size_t)size);
            memcpy(full + size, rest, strlen(rest) + 1);
        }
    }
    Py_XDECREF(name);
    return full;
}

/* The class of `spec`, named after the module that it is added to, which may be in a package or the user's own. */
static PyObject *make_class(PyObject *module, const PyType_Spec *spec)
{
    PyType_Spec placed = *spec;
    char *const name = in_module(module, strrchr(spec->name, '.'));
    PyObject *cls;

    if (name == NULL) {
        return NULL;
    }
    placed.name = name;
    cls = PyType_FromModuleAndSpec(module, &placed, NULL);
#if PY_VERSION_HEX >= 0x030B0000
    free(name); /* the class has a copy */
#else
    if (cls == NULL) {
        free(name);
    }
#endif
    return cls;
}

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

static int add_exchange_api(PyObject *cls, const DLPackExchangeAPI *api)
{
    PyObject *const capsule = PyCapsule_New((void *)(uintptr_t)api, DLB_PY_EXCHANGE_CAPSULE, NULL);
    int result;

    if (capsule == NULL) {
        return -1;
    }
    result = set_attribute(cls, DLB_PY_EXCHANGE_ATTRIBUTE, capsule);
    Py_DECREF(capsule);
    return result;
}

int dlb_py_add_callable_type(PyObject *module, const dlb_type *type, const PyType_Spec *spec,
                             const DLPackExchangeAPI *api, dlb_py_vectorcall *vectorcall)
{
    PyObject *const cls = make_class(module, spec);
    int result;

    if (cls == NULL) {
        return -1;
    }
#if defined(Py_LIMITED_API)
    (void)vectorcall;
#else
    ((PyTypeObject *)cls)->tp_vectorcall = vectorcall;
#endif
    result = api != NULL ? add_exchange_api(cls, api) : 0;
    if (result == 0) {
        result = PyModule_AddType(module, (PyTypeObject *)cls);
    }
    if (result == 0) {
        result = dlb_py_register(type, cls);
    }
    Py_DECREF(cls);
    return result;
}

int dlb_py_add_type(PyObject *module, const dlb_type *type, const PyType_Spec *spec, const DLPackExchangeAPI *api)
{
    return dlb_py_add_callable_type(module, type, spec, api, NULL);
}

/* ---- What other extensions reach ---- */

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
