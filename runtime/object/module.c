/* SPDX-License-Identifier: MIT-0 */
/* Modules, and their constants and enumerations. */

#include "object.h"

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
    const char *const version = Py_GetVersion(); /* for example "3.13.0 experimental free-threading build (main, ..." */
    const bool free_threaded = strstr(version, "free-threading") != NULL;
    const long compiled_major = compiled >> 24, compiled_minor = compiled >> 16 & 0xff;
    char *end;
    const long major = strtol(version, &end, 10);
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

/* ---- Constants and enumerations ---- */

int dlb_py_add_constant(PyObject *module, const char *name, PyObject *value)
{
    int result;

    if (value == NULL) {
        return -1;
    }
    result = PyModule_AddObjectRef(module, name, value);
    Py_DECREF(value);
    return result;
}

/* ---- Creation of the class ---- */

/* Returns the new list [(name, value), ...] of the members, or NULL with an exception. */
static PyObject *list_members(const dlb_py_enum *of)
{
    PyObject *const list = PyList_New(0);

    for (size_t i = 0; list != NULL && i < of->count; i++) {
        PyObject *const pair = Py_BuildValue("(sL)", of->members[i].name, (long long)of->members[i].value);

        if (pair == NULL || PyList_Append(list, pair) != 0) {
            Py_XDECREF(pair);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(pair);
    }
    return list;
}

/* Calls base(name, [(member, value), ...], module=name of `module`). Returns the new class, or NULL with an exception. */
static PyObject *call_base(PyObject *base, PyObject *module, const dlb_py_enum *of)
{
    PyObject *const list = list_members(of);
    PyObject *const args = list != NULL ? Py_BuildValue("(sO)", of->name, list) : NULL;
    PyObject *const name = PyModule_GetNameObject(module);
    PyObject *const keywords = name != NULL ? Py_BuildValue("{sO}", "module", name) : NULL;
    PyObject *cls = NULL;

    if (args != NULL && keywords != NULL) {
        cls = PyObject_Call(base, args, keywords);
    }
    Py_XDECREF(keywords);
    Py_XDECREF(name);
    Py_XDECREF(args);
    Py_XDECREF(list);
    return cls;
}

static PyObject *make_enum_class(PyObject *module, const dlb_py_enum *of)
{
    static const char *const bases[] = {[DLB_PY_INT_ENUM] = "IntEnum", [DLB_PY_INT_FLAG] = "IntFlag"};
    PyObject *const library = PyImport_ImportModule("enum");
    PyObject *const base = library != NULL ? PyObject_GetAttrString(library, bases[of->base]) : NULL;
    PyObject *const cls = base != NULL ? call_base(base, module, of) : NULL;

    Py_XDECREF(base);
    Py_XDECREF(library);
    return cls;
}

/* Returns a new tuple of the members in the order of `of`, or NULL with an exception. */
static PyObject *pack_members(PyObject *cls, const dlb_py_enum *of)
{
    PyObject *const tuple = PyTuple_New((Py_ssize_t)of->count);

    for (size_t i = 0; tuple != NULL && i < of->count; i++) {
        PyObject *const member = PyObject_GetAttrString(cls, of->members[i].name);

        if (member == NULL) {
            Py_DECREF(tuple);
            return NULL;
        }
        PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, member);
    }
    return tuple;
}

int dlb_py_add_enum(PyObject *module, const dlb_py_enum *of)
{
    PyObject *const cls = make_enum_class(module, of);
    PyObject *const members = cls != NULL ? pack_members(cls, of) : NULL;
    int result = -1;

    if (members != NULL && dlb_py_register(of, members) == 0) {
        result = PyModule_AddObjectRef(module, of->name, cls);
    }
    Py_XDECREF(members);
    Py_XDECREF(cls);
    return result;
}

/* ---- Members ---- */

PyObject *dlb_py_from_enum(const dlb_py_enum *of, int64_t value)
{
    dlb_py_state *const state = dlb_py_imported_state();
    PyObject *members;
    PyObject *found = NULL;

    if (state == NULL) {
        return NULL;
    }
    members = dlb_py_registered(state, of);
    for (size_t i = 0; members != NULL && found == NULL && i < of->count; i++) {
        if (of->members[i].value == value) {
            found = PyTuple_GET_ITEM(members, (Py_ssize_t)i);
        }
    }
    if (found != NULL) {
        Py_INCREF(found);
    } else if (members != NULL && of->base == DLB_PY_INT_FLAG && of->count > 0) { /* any member has the class */
        if (PyErr_Occurred() == NULL && dlb_py_check_stack() == 0) { /* else another result has failed, and no Python code may run before that is raised */
            found = PyObject_CallFunction((PyObject *)Py_TYPE(PyTuple_GET_ITEM(members, 0)), "L", (long long)value);
        }
    } else {
        found = PyLong_FromLongLong(value);
    }
    Py_XDECREF(members);
    return found;
}
