/* SPDX-License-Identifier: MIT-0 */
/* Classes of other modules. Two modules can have different runtimes, so neither reads the objects of the other. Each class has a capsule
 * with a table of functions, which hold objects of the class and make new objects. */

#include "object.h"

/* The attribute of a class that is the capsule, and the name of the capsule. Its context is the dlb_py_class. */
#define CLASS_API "_C_API"
#define CLASS_API_CAPSULE "dlpack-bindgen class"

enum { CLASS_API_VERSION = 2, OWNED = 1, CONST = 2 };

/* Describes a class. */
typedef struct class_descriptor {
    const char *c_type;
    size_t value;  /* sizeof(T) if C passes objects by value; else 0 */
    int releases;  /* its objects are released, so it can own C objects */
    int has_params; /* objects need params, which only its own module can set */
} class_descriptor;

/* The functions of a class for other modules. Modules with different runtimes share this layout: each change needs a new version. */
typedef struct class_api {
    uint32_t version;
    /* Returns whether `type` is a class of the module that has this table. Any class of Python can have the capsule as an attribute. */
    int (*has_class)(PyObject *type);
    void (*describe)(const void *cls, class_descriptor *descriptor);
    /* Returns a new capsule that has a share of the object's owner, and fills `held`. `exclusive`: the caller is about to move or free
     * the object. Returns NULL, without an exception if `held->use` has the reason. */
    PyObject *(*hold)(PyObject *object, int exclusive, dlb_py_held *held);
    /* Makes an object of the class of the C object at `object`, a T *. It keeps `keeper` alive, which may be NULL. `flags`: OWNED takes
     * the C object over, also on failure; without it, the object belongs to the library. CONST: C must not change it. */
    PyObject *(*wrap)(const void *cls, void *object, PyObject *keeper, unsigned flags);
    /* Closes a held object whose C object the library has taken over. The references that the object keeps are never released. */
    void (*give_up)(PyObject *object);
} class_api;

/* ---- Functions of the module that has the class ---- */

/* Classes of this runtime are immutable, so each has its own capsule. */
static int has_class(PyObject *type)
{
    return dlb_py_dealloc_of((PyTypeObject *)type) == DLB_PY_SLOT(dlb_py_dealloc);
}

static void describe_class(const void *cls, class_descriptor *descriptor)
{
    const dlb_py_class *const of = cls;
    int required = 0;

    for (size_t i = 0; i < of->type->param_count; i++) {
        required |= of->type->params[i].required;
    }
    *descriptor = (class_descriptor){of->c_type, of->type->value, of->type->release != NULL, required};
}

void dlb_py_find_use(const dlb_owner *owner, int64_t shares, dlb_py_held *held)
{
    held->exports = dlb_owner_exports(owner);
    held->holders = dlb_owner_holders(owner) - 1 - shares;
    held->use = dlb_owner_is_subobject(owner)                    ? DLB_PY_IS_SUBOBJECT
                : dlb_owner_is_imported(owner)                   ? DLB_PY_IS_IMPORTED
                : held->exports != 0 || held->holders != 0 ? DLB_PY_IS_USED
                                                                 : DLB_PY_IS_FREE;
}

/* Returns whether C must not change the object or its data. */
static bool is_readonly(const dlb_owner *owner)
{
    dlb_error error;
    dlb_view view;

    return owner->constness != DLB_NOT_CONST || (owner->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0 ||
           (owner->type->describe != NULL && dlb_owner_view(owner, &view, &error) == 0 &&
            (view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0);
}

static void drop_held(PyObject *capsule)
{
    dlb_py_quietly(dlb_py_drop_owner, PyCapsule_GetPointer(capsule, CLASS_API_CAPSULE));
}

/* Makes a capsule that has a share of the owner. Returns NULL with an exception. */
static PyObject *hold_owner(dlb_owner *owner)
{
    PyObject *const capsule = PyCapsule_New(owner, CLASS_API_CAPSULE, drop_held);

    if (capsule != NULL) {
        dlb_owner_keep(owner);
    }
    return capsule;
}

static PyObject *hold(PyObject *object, int exclusive, dlb_py_held *held)
{
    PyObject *capsule = NULL;
    dlb_owner *owner;

    DLB_PY_LOCK(object);
    owner = dlb_py_data(object)->owner;
    if (owner != NULL) {
        dlb_owner_keep(owner);
    }
    DLB_PY_UNLOCK();
    held->use = DLB_PY_IS_CLOSED;
    if (owner == NULL) {
        return NULL;
    }
    dlb_py_find_use(owner, 1, held);
    held->object = dlb_owner_object(owner);
    held->readonly = is_readonly(owner);
    if (!exclusive || held->use == DLB_PY_IS_FREE) {
        held->use = DLB_PY_IS_FREE;
        capsule = hold_owner(owner);
        if (capsule != NULL && exclusive) {
            dlb_owner_mark_moved(owner);
        }
    }
    dlb_py_quietly(dlb_py_drop_owner, owner);
    return capsule;
}

static PyObject *wrap_for_other(const void *cls, void *object, PyObject *keeper, unsigned flags)
{
    const dlb_type *const type = ((const dlb_py_class *)cls)->type;
    PyObject *result = NULL;
    dlb_py_pending_object pending;
    dlb_py_values values = {.large = NULL};
    dlb_owner *owner;
    dlb_error error;
    void *made = object;

    if (type->state > 0) {
        made = dlb_py_allocate_values(&values, type->state, type->defaults);
        if (made == NULL) {
            return NULL; /* not covered: a state of more than 256 bytes, and no memory */
        }
        memcpy(made, type->value > 0 ? object : (void *)&object, type->value > 0 ? type->value : sizeof object);
    }
    if (((flags & OWNED) != 0 ? dlb_adopt(type, made, 0, &owner, &error)
                              : dlb_own_subobject(NULL, type, made, 0, &owner, &error)) != 0) {
        (void)dlb_py_raise(&error);
    } else if (dlb_py_begin(&pending, type, keeper) != 0) {
        dlb_py_quietly(dlb_py_drop_owner, owner);
    } else {
        if ((flags & CONST) != 0) {
            dlb_owner_set_const(owner);
        }
        result = dlb_py_finish(&pending, owner);
    }
    if (made != object) {
        dlb_py_free_values(&values);
    }
    return result;
}

static void give_up(PyObject *object)
{
    dlb_owner *const owner = dlb_py_detach(object);

    if (owner != NULL) {
        dlb_owner_close(owner);
        dlb_owner_transfer_dependencies(owner, NULL);
        dlb_owner_drop(owner);
    }
}

PyObject *dlb_py_class_api(const dlb_py_class *of)
{
    static const class_api api = {CLASS_API_VERSION, has_class, describe_class, hold, wrap_for_other, give_up};
    PyObject *const capsule = PyCapsule_New((void *)(uintptr_t)&api, CLASS_API_CAPSULE, NULL);

    if (capsule != NULL && PyCapsule_SetContext(capsule, (void *)(uintptr_t)of) != 0) {
        Py_DECREF(capsule); /* not covered: the capsule is valid */
        return NULL; /* not covered: the capsule is valid */
    }
    return capsule;
}

/* ---- Functions of a module that uses the class ---- */

/* Returns the absolute name of the other module: leading dots are relative to the package of `module`. A new reference, or NULL with an
 * exception. */
static PyObject *absolute_name(PyObject *module, const char *name)
{
    PyObject *const own = PyModule_GetNameObject(module);
    Py_ssize_t length = 0;
    const char *const package = own != NULL ? PyUnicode_AsUTF8AndSize(own, &length) : NULL;
    PyObject *result = NULL;
    const char *rest = name;

    while (package != NULL && *rest == '.') {
        rest++;
        do {
            length--;
        } while (length > 0 && package[length] != '.');
    }
    if (package != NULL && length <= 0) {
        PyErr_Format(PyExc_ImportError, "%s: the module %s is relative to a package, and there is none", package, name);
    } else if (rest == name) {
        result = package != NULL ? PyUnicode_FromString(name) : NULL;
    } else {
        PyObject *const outer = PyUnicode_FromStringAndSize(package, length);

        result = outer != NULL ? PyUnicode_FromFormat("%U.%s", outer, rest) : NULL;
        Py_XDECREF(outer);
    }
    Py_XDECREF(own);
    return result;
}

/* Stores the module of an external class, the class, and its capsule, which are None before the first use. Returns 0, or -1 with an
 * exception. */
static int store_class(const dlb_external *external, PyObject *module, PyObject *cls, PyObject *capsule)
{
    PyObject *const entry = PyTuple_Pack(3, module, cls, capsule);
    const int result = entry != NULL ? dlb_py_register(external, entry) : -1;

    Py_XDECREF(entry);
    return result;
}

int dlb_py_register_external(PyObject *module, const dlb_external *external)
{
    PyObject *const name = absolute_name(module, external->module);
    const int result = name != NULL ? store_class(external, name, Py_None, Py_None) : -1;

    Py_XDECREF(name);
    return result;
}

/* Returns whether an object is the capsule of this class. The capsule of another version cannot be checked: check_class() refuses it. */
static bool is_capsule_of(PyObject *capsule, PyObject *cls)
{
    const class_api *api;

    if (!PyCapsule_IsValid(capsule, CLASS_API_CAPSULE) || PyCapsule_GetContext(capsule) == NULL) {
        return false;
    }
    api = PyCapsule_GetPointer(capsule, CLASS_API_CAPSULE);
    return api->version != CLASS_API_VERSION || api->has_class(cls);
}

/* Returns the capsule of a class, a new reference. Returns NULL, without an exception, if the class belongs to no generated module, and
 * NULL with a MemoryError, or an exception that ends the program. */
static PyObject *capsule_of(PyObject *cls)
{
    PyObject *const capsule = PyType_Check(cls) ? PyObject_GetAttrString(cls, CLASS_API) : NULL;

    if (capsule != NULL && is_capsule_of(capsule, cls)) {
        return capsule;
    }
    Py_XDECREF(capsule);
    if (PyErr_Occurred()) {
        (void)dlb_py_may_try_another();
    }
    return NULL;
}

/* Checks that the class has the C type that this module knows. Returns 0, or -1 with an ImportError. */
static int check_class(const dlb_type *type, PyObject *module, PyObject *capsule)
{
    const dlb_external *const external = type->external;
    const class_api *const api = capsule != NULL ? PyCapsule_GetPointer(capsule, CLASS_API_CAPSULE) : NULL;
    class_descriptor descriptor;

    if (api == NULL) {
        PyErr_Format(PyExc_ImportError, "%U.%s is not a class of a module that dlpack-bindgen has generated", module, external->name);
        return -1;
    }
    memset(&descriptor, 0, sizeof descriptor);
    if (api->version == CLASS_API_VERSION) {
        api->describe(PyCapsule_GetContext(capsule), &descriptor);
    }
    if (descriptor.c_type == NULL) { /* another version of the table, or output of an older generator */
        PyErr_Format(PyExc_ImportError, "%U.%s is of another version of dlpack-bindgen: generate and compile both modules again", module,
                     external->name);
        return -1;
    }
    if (descriptor.value != type->value || strcmp(descriptor.c_type, external->c_type) != 0) {
        PyErr_Format(PyExc_ImportError, "%U.%s is a class of the C type '%s'%s, not '%s'%s", module, external->name, descriptor.c_type,
                     descriptor.value > 0 ? ", passed by value" : "", external->c_type, type->value > 0 ? ", passed by value" : "");
        return -1;
    }
    return 0;
}

/* Imports an external class, and stores it. Returns the new entry, or NULL with an exception. */
static PyObject *import_class(dlb_py_state *state, const dlb_type *type, PyObject *name)
{
    PyObject *const module = dlb_py_check_stack() == 0 ? PyImport_Import(name) : NULL;
    PyObject *const cls = module != NULL ? PyObject_GetAttrString(module, type->external->name) : NULL;
    PyObject *const capsule = cls != NULL ? capsule_of(cls) : NULL;
    PyObject *entry = NULL;

    if (cls != NULL && !PyErr_Occurred() && check_class(type, name, capsule) == 0 && store_class(type->external, name, cls, capsule) == 0) {
        entry = dlb_py_registered(state, type->external);
    }
    Py_XDECREF(capsule);
    Py_XDECREF(cls);
    Py_XDECREF(module);
    return entry;
}

/* Returns the entry of an external class, which is imported at the first use: a new reference. With `value`, the entry is that of its
 * class: a module can be imported again. Returns NULL with an exception; without one if `value` belongs to another class. Imports nothing
 * while an exception is pending. */
static PyObject *entry_of(const dlb_type *type, PyObject *value)
{
    dlb_py_state *const state = dlb_py_imported_state();
    PyObject *entry = state != NULL ? dlb_py_registered(state, type->external) : NULL;
    PyObject *newer = NULL;
    PyObject *capsule;

    if (entry == NULL) {
        if (!PyErr_Occurred()) {
            (void)dlb_py_class_of(state, type); /* raises an exception */
        }
        return NULL;
    }
    if (value == NULL ? PyTuple_GET_ITEM(entry, 1) != Py_None : PyTuple_GET_ITEM(entry, 1) == (PyObject *)Py_TYPE(value)) {
        return entry;
    }
    if (PyErr_Occurred()) {
        Py_DECREF(entry); /* not covered: the class has been imported before a call, whose failure is the only exception that may be pending */
        return NULL; /* not covered: the class has been imported before a call, whose failure is the only exception that may be pending */
    }
    capsule = value != NULL ? capsule_of((PyObject *)Py_TYPE(value)) : NULL;
    if (value == NULL || capsule != NULL) {
        newer = import_class(state, type, PyTuple_GET_ITEM(entry, 0));
    }
    if (value != NULL && newer != NULL && PyTuple_GET_ITEM(newer, 1) != (PyObject *)Py_TYPE(value)) {
        Py_CLEAR(newer);
    }
    Py_XDECREF(capsule);
    Py_DECREF(entry);
    return newer;
}

PyObject *dlb_py_external_name(const dlb_type *type)
{
    dlb_py_state *const state = dlb_py_imported_state();
    PyObject *const entry = state != NULL ? dlb_py_registered(state, type->external) : NULL;
    PyObject *const name =
        entry != NULL ? PyUnicode_FromFormat("%U.%s", PyTuple_GET_ITEM(entry, 0), type->external->name) : NULL;

    Py_XDECREF(entry);
    return name;
}

int dlb_py_find_external(const dlb_type *type, int owned)
{
    PyObject *const entry = PyErr_Occurred() ? NULL : entry_of(type, NULL); /* sorting the arguments may have failed */
    PyObject *capsule;
    class_descriptor descriptor;
    int result = 0;

    if (entry == NULL) {
        return -1;
    }
    capsule = PyTuple_GET_ITEM(entry, 2);
    ((const class_api *)PyCapsule_GetPointer(capsule, CLASS_API_CAPSULE))->describe(PyCapsule_GetContext(capsule), &descriptor);
    if (descriptor.has_params || (owned && !descriptor.releases)) {
        PyErr_Format(PyExc_TypeError, "%U.%s: only its own module can make objects of this class: %s", PyTuple_GET_ITEM(entry, 0),
                     type->external->name, descriptor.has_params ? "they have parameters" : "it does not free them");
        result = -1;
    }
    Py_DECREF(entry);
    return result;
}

/* Wraps a held object in one of this module, which keeps `capsule` alive. Returns NULL with an exception. */
static PyObject *wrap_held(const dlb_type *type, const dlb_py_held *held, PyObject *capsule)
{
    dlb_py_values values = {.large = NULL};
    void *state = held->object;
    PyObject *made;

    if (type->state > 0) {
        state = dlb_py_allocate_values(&values, type->state, NULL);
        if (state == NULL) {
            return NULL; /* not covered: a struct of more than 256 bytes that C passes by value, and no memory */
        }
        memcpy(state, held->object, type->value);
    }
    made = dlb_py_wrap_borrowed(type, state, capsule);
    if (type->state > 0) {
        dlb_py_free_values(&values);
    }
    if (made != NULL && held->readonly) {
        dlb_owner_set_const(dlb_py_data(made)->owner);
    }
    return made;
}

PyObject *dlb_py_hold_external(const dlb_type *type, PyObject *value, int exclusive, dlb_py_held *held)
{
    PyObject *const entry = entry_of(type, value);
    PyObject *capsule;
    PyObject *made;

    held->use = DLB_PY_IS_OTHER;
    if (entry == NULL) {
        return NULL;
    }
    capsule = ((const class_api *)PyCapsule_GetPointer(PyTuple_GET_ITEM(entry, 2), CLASS_API_CAPSULE))->hold(value, exclusive, held);
    made = capsule != NULL ? wrap_held(type, held, capsule) : NULL;
    Py_XDECREF(capsule);
    Py_DECREF(entry);
    return made;
}

int dlb_py_is_external(const dlb_type *type, PyObject *value)
{
    PyObject *const entry = entry_of(type, value);

    if (entry == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    Py_DECREF(entry);
    return 1;
}

void dlb_py_give_up_external(const dlb_type *type, PyObject *object)
{
    PyObject *const entry = dlb_py_registered(dlb_py_imported_state(), type->external);

    ((const class_api *)PyCapsule_GetPointer(PyTuple_GET_ITEM(entry, 2), CLASS_API_CAPSULE))->give_up(object);
    Py_DECREF(entry);
}

/* The arguments of pass_on(), and its result. */
typedef struct passed_object {
    dlb_owner *owner;
    bool failed; /* an exception is pending: the object is only released */
    PyObject *result;
} passed_object;

/* Makes an object of the external class, which keeps the dependencies of `owner`. */
static void pass_on(void *target)
{
    passed_object *const passed = target;
    dlb_owner *const owner = passed->owner;
    PyObject *const entry = entry_of(owner->type, NULL);
    PyObject *const keeper = entry != NULL && owner->kept.let_go != NULL ? hold_owner(owner) : NULL;
    const bool lacks_keeper = owner->kept.let_go != NULL && keeper == NULL;
    const unsigned flags = (owner->origin == DLB_FROM_WHOLE ? 0U : OWNED) | (owner->constness != DLB_NOT_CONST ? CONST : 0U);

    if (entry != NULL) {
        PyObject *const capsule = PyTuple_GET_ITEM(entry, 2);
        const class_api *const api = PyCapsule_GetPointer(capsule, CLASS_API_CAPSULE);

        if ((flags & OWNED) != 0 || !(passed->failed || lacks_keeper)) {
            passed->result = api->wrap(PyCapsule_GetContext(capsule), dlb_owner_object(owner), keeper, flags);
        }
        if (passed->result != NULL && (passed->failed || lacks_keeper)) {
            dlb_py_discard(passed->result);
            passed->result = NULL;
        }
    }
    Py_XDECREF(keeper);
    Py_XDECREF(entry);
    dlb_owner_drop(owner);
}

PyObject *dlb_py_wrap_external(dlb_owner *owner)
{
    passed_object passed = {owner, PyErr_Occurred() != NULL, NULL};

    dlb_py_quietly(pass_on, &passed);
    return passed.result;
}

/* ---- Names of classes in messages ---- */

/* Returns "module.Class", a new reference, or NULL without an exception. */
static PyObject *full_name(PyObject *cls)
{
    PyObject *const module = PyObject_GetAttrString(cls, "__module__");
    PyObject *const name = module != NULL ? PyObject_GetAttrString(cls, "__qualname__") : NULL;
    PyObject *const full = name != NULL ? PyUnicode_FromFormat("%S.%S", module, name) : NULL;

    Py_XDECREF(module);
    Py_XDECREF(name);
    PyErr_Clear();
    return full;
}

/* Returns "module.Class" of a class of this module or of another one, a new reference, or NULL without an exception. */
static PyObject *full_name_of(const dlb_type *type)
{
    dlb_py_state *const state = dlb_py_imported_state();
    PyObject *const cls = state != NULL && type->external == NULL ? dlb_py_registered(state, type) : NULL;
    PyObject *const full = type->external != NULL ? dlb_py_external_name(type) : cls != NULL ? full_name(cls) : NULL;

    Py_XDECREF(cls);
    PyErr_Clear();
    return full;
}

/* Replaces equal names by those with their modules, as far as these can be found. */
static void add_modules(const dlb_type *type, PyObject *value, dlb_py_class_names *names)
{
    PyObject *const expected = full_name_of(type);
    PyObject *const actual = full_name((PyObject *)Py_TYPE(value));
    const char *const expected_string = expected != NULL ? PyUnicode_AsUTF8AndSize(expected, NULL) : NULL;
    const char *const actual_string = actual != NULL ? PyUnicode_AsUTF8AndSize(actual, NULL) : NULL;

    if (expected_string != NULL && actual_string != NULL) {
        dlb_write(names->expected, sizeof names->expected, "%s", expected_string);
        dlb_write(names->given, sizeof names->given, "%s%s", strcmp(expected_string, actual_string) == 0 ? "another class " : "",
                  actual_string);
    }
    PyErr_Clear();
    Py_XDECREF(expected);
    Py_XDECREF(actual);
}

int dlb_py_name_classes(const dlb_type *type, PyObject *value, dlb_py_class_names *names)
{
    PyObject *keeper = NULL;
    const char *const actual = value == Py_None ? "None" : dlb_py_type_as_str(value, &keeper);
    const char *const dot = actual != NULL ? strrchr(actual, '.') : NULL;

    if (actual == NULL) {
        Py_XDECREF(keeper);
        return -1;
    }
    dlb_write(names->expected, sizeof names->expected, "%s", strrchr(type->name, '.') + 1);
    dlb_write(names->given, sizeof names->given, "%s", actual);
    if (value != Py_None && strcmp(dot != NULL ? dot + 1 : actual, names->expected) == 0) {
        add_modules(type, value, names);
    }
    Py_XDECREF(keeper);
    return 0;
}
