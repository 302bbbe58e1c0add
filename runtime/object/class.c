/* SPDX-License-Identifier: MIT-0 */
/* Classes. */

#include "object.h"

#include <stdlib.h>
#include <structmember.h>

/* ---- Shared members: each class gets its own descriptors of these tables ---- */

static PyMethodDef methods_of_all[] = {
    {"close", dlb_py_close, METH_NOARGS,
     "close($self, /)\n--\n\nLets go of the object; arrays that share its memory keep it alive."},
    {"__enter__", dlb_py_enter_context, METH_NOARGS, NULL},
    {"__exit__", DLB_PY_METHOD(dlb_py_exit_context), METH_FASTCALL, NULL},
    {"__reduce_ex__", dlb_py_reduce_ex, METH_O, NULL},
    {"_rebuild", dlb_py_rebuild, METH_VARARGS | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef methods_of_tensors[] = {
    {"__dlpack__", DLB_PY_METHOD(dlb_py_dlpack), METH_FASTCALL | METH_KEYWORDS,
     "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "A DLPack capsule of the memory, versioned if max_version says 1.0 or later."},
    {"__dlpack_device__", dlb_py_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\nThe DLPack device: its type and its number."},
    {"__array__", DLB_PY_METHOD(dlb_py_array), METH_VARARGS | METH_KEYWORDS,
     "__array__($self, /, dtype=None, copy=None)\n--\n\nA NumPy array of the memory, which must be a buffer."},
    {"__sizeof__", dlb_py_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\nSize of the object in bytes, with the elements that it owns."},
    {"to", dlb_py_to, METH_O,
     "to($self, target, /)\n--\n\n"
     "The memory as an object of another library: target is its type, or a module with from_dlpack()."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members_of_all[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(dlb_py_object, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* ---- Creation of a class ---- */

/* Sets attribute `name` of a class that is under construction. Returns 0, or -1 with an exception. Takes over the reference `value`,
 * which may be NULL with an exception set. Immutable classes refuse setattr(), so dlb_py_set_in_type() is used before other code sees
 * the class. */
static int set_attribute(PyObject *cls, const char *name, PyObject *value)
{
    PyObject *const key = value != NULL ? PyUnicode_InternFromString(name) : NULL;
    const int result = key != NULL ? dlb_py_set_in_type((PyTypeObject *)cls, key, value) : -1;

    Py_XDECREF(key);
    Py_XDECREF(value);
    return result;
}

/* Adds a descriptor of each method to a class under construction. Returns 0, or -1 with an exception. */
static int add_methods(PyObject *cls, PyMethodDef *methods)
{
    PyTypeObject *const type = (PyTypeObject *)cls;

    for (PyMethodDef *method = methods; method->ml_name != NULL; method++) {
        PyObject *const descriptor = (method->ml_flags & METH_CLASS) != 0 ? PyDescr_NewClassMethod(type, method)
                                                                          : PyDescr_NewMethod(type, method);

        if (set_attribute(cls, method->ml_name, descriptor) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Adds a descriptor of each attribute to a class under construction. Returns 0, or -1 with an exception. */
static int add_attributes(PyObject *cls, PyGetSetDef *attributes)
{
    for (PyGetSetDef *attribute = attributes; attribute->name != NULL; attribute++) {
        if (set_attribute(cls, attribute->name, PyDescr_NewGetSet((PyTypeObject *)cls, attribute)) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Adds the members that all classes share and, if it has an exchange table, those of tensors. Returns 0, or -1 with an exception. */
static int fill_class(PyObject *cls, const dlb_py_class *of)
{
    const DLPackExchangeAPI *const api = of->api;

    if (add_methods(cls, methods_of_all) != 0 || set_attribute(cls, "_C_API", dlb_py_class_api(of)) != 0) {
        return -1;
    }
    if (api == NULL) {
        return 0;
    }
    if (add_methods(cls, methods_of_tensors) != 0 || add_attributes(cls, dlb_py_attributes) != 0) {
        return -1;
    }
    return set_attribute(cls, DLB_PY_EXCHANGE_ATTRIBUTE,
                         PyCapsule_New((void *)(uintptr_t)api, DLB_PY_EXCHANGE_CAPSULE, NULL));
}

/* Returns the string "package.module" + `rest`, to be freed with free(), or NULL with an exception. */
static char *in_module(PyObject *module, const char *rest)
{
    PyObject *const name = PyModule_GetNameObject(module);
    Py_ssize_t size = 0;
    const char *const string = name != NULL ? PyUnicode_AsUTF8AndSize(name, &size) : NULL;
    char *full = NULL;

    if (string != NULL) {
        full = malloc((size_t)size + strlen(rest) + 1);
        if (full == NULL) {
            PyErr_NoMemory();
        } else {
            memcpy(full, string, (size_t)size);
            memcpy(full + size, rest, strlen(rest) + 1);
        }
    }
    Py_XDECREF(name);
    return full;
}

/* Returns whether `slots`, the special methods of a class, contain `slot`. `slots` may be NULL. */
static bool has_slot(const PyType_Slot *slots, int slot)
{
    while (slots != NULL && slots->slot != 0 && slots->slot != slot) {
        slots++;
    }
    return slots != NULL && slots->slot == slot;
}

enum { MAX_OWN_SLOTS = 10, MAX_SPECIAL_SLOTS = 16 };

/* Creates the class with its own methods and attributes, without the shared ones. Returns NULL with an exception on failure. The name of
 * the class begins with that of `module`, which may be in a package or belong to the user. */
static PyObject *make_class(PyObject *module, const dlb_py_class *of)
{
    PyType_Slot slots[MAX_OWN_SLOTS + MAX_SPECIAL_SLOTS] = {
        {Py_tp_doc, (void *)(uintptr_t)of->doc},
        {Py_tp_dealloc, DLB_PY_SLOT(dlb_py_dealloc)},
        {Py_tp_members, members_of_all},
    };
    PyType_Slot *next = &slots[3];
    char *const name = in_module(module, strrchr(of->type->name, '.'));
    PyType_Spec spec = {
        .name = name,
        .basicsize = sizeof(dlb_py_object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
        .slots = slots,
    };
    PyObject *cls;

    if (name == NULL) {
        return NULL;
    }
    if (of->api != NULL) {
        *next++ = (PyType_Slot){Py_bf_getbuffer, DLB_PY_SLOT(dlb_py_getbuffer)};
        *next++ = (PyType_Slot){Py_bf_releasebuffer, DLB_PY_SLOT(dlb_py_releasebuffer)};
    }
    if (!has_slot(of->slots, Py_tp_repr)) {
        *next++ = (PyType_Slot){Py_tp_repr, of->api != NULL ? DLB_PY_SLOT(dlb_py_repr) : DLB_PY_SLOT(dlb_py_handle_repr)};
    }
    for (int i = 0; of->slots != NULL && of->slots[i].slot != 0 && i < MAX_SPECIAL_SLOTS; i++) {
        *next++ = of->slots[i];
    }
    if (of->make != NULL) {
        *next++ = (PyType_Slot){Py_tp_new, DLB_PY_SLOT(of->make)};
    } else {
        spec.flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
    }
    if (of->methods != NULL) {
        *next++ = (PyType_Slot){Py_tp_methods, of->methods};
    }
    if (of->attributes != NULL) {
        *next++ = (PyType_Slot){Py_tp_getset, of->attributes};
    }
    cls = PyType_FromModuleAndSpec(module, &spec, NULL);
#if PY_VERSION_HEX >= 0x030B0000
    free(name); /* since 3.11 the class has a copy of the name; before, it refers to this string */
#else
    if (cls == NULL) {
        free(name);
    }
#endif
#if !defined(Py_LIMITED_API)
    if (cls != NULL) {
        ((PyTypeObject *)cls)->tp_vectorcall = of->call;
    }
#endif
    return cls;
}

int dlb_py_add_class(PyObject *module, const dlb_py_class *of)
{
    PyObject *const cls = make_class(module, of);
    int result;

    if (cls == NULL) {
        return -1;
    }
    result = fill_class(cls, of);
    PyType_Modified((PyTypeObject *)cls);
    if (result == 0) {
        result = PyModule_AddType(module, (PyTypeObject *)cls);
    }
    if (result == 0) {
        result = dlb_py_register(of->type, cls);
    }
    if (result == 0 && of->type->importer != NULL) {
        result = dlb_py_add_rebuild(module);
    }
    Py_DECREF(cls);
    return result;
}

/* The objects that stand for objects of another module during a call need a class, which no code sees. */
int dlb_py_add_external(PyObject *module, const dlb_type *type)
{
    const dlb_py_class of = {.type = type, .doc = "An object of another module, in a call."};
    PyObject *const cls = make_class(module, &of);
    int result = -1;

    if (cls != NULL && dlb_py_register(type, cls) == 0) {
        result = dlb_py_register_external(module, type->external);
    }
    Py_XDECREF(cls);
    return result;
}
