/* SPDX-License-Identifier: MIT-0 */
/* Converts objects to those of other libraries: to(), and outputs in the library of an argument. */

#include "object.h"

/* Synchronises the data with the stream that the consumer works on; the table of the target reports it. Returns 0, or -1 with an
 * exception. */
static int sync_for(dlb_owner *owner, DLDevice device, const DLPackExchangeAPI *api)
{
    void *current = NULL;
    intptr_t stream;
    dlb_error error;

    if (owner->type->sync == NULL || device.device_type == kDLCPU) {
        return 0;
    }
    if (api->current_work_stream != NULL &&
        api->current_work_stream(device.device_type, device.device_id, &current) != 0) {
        return -1;
    }
    stream = current != NULL ? (intptr_t)current : dlb_py_default_stream(device.device_type);
    if (dlb_owner_sync(owner, stream, &error) != 0) {
        (void)dlb_py_raise(&error);
        return -1;
    }
    return 0;
}

/* Exports the object, and lets the exchange table of the target make an object of the tensor. The target then owns the tensor. If the
 * table fails, the tensor is deleted here. Returns a new reference, or NULL with an exception. */
static PyObject *through_tables(dlb_owner *owner, const DLPackExchangeAPI *api)
{
    DLManagedTensorVersioned *tensor;
    void *made = NULL;
    dlb_error error;

    if (dlb_export(owner, &tensor, &error) != 0) {
        return dlb_py_raise(&error);
    }
    if (sync_for(owner, tensor->dl_tensor.device, api) != 0 ||
        api->managed_tensor_to_py_object_no_sync(tensor, &made) != 0) {
        if (!PyErr_Occurred()) {
            (void)dlb_py_raise_message(PyExc_RuntimeError, "%s.to(): the exchange table of the target failed without an exception",
                                    owner->type->name);
        }
        dlb_py_quietly(dlb_py_delete_tensor, tensor);
        return NULL;
    }
    if (made == NULL && !PyErr_Occurred()) { /* the target owns the tensor all the same */
        (void)dlb_py_raise_message(PyExc_RuntimeError, "%s.to(): the exchange table of the target made no object", owner->type->name);
    }
    return made;
}

/* Returns a new reference to `object.name`, or NULL if it is missing or None. An exception other than AttributeError stays pending. */
static PyObject *attribute(PyObject *object, PyObject *name)
{
    PyObject *const value = PyObject_GetAttr(object, name);

    if (value == Py_None) {
        Py_DECREF(value);
        return NULL;
    }
    if (value == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
    }
    return value;
}

/* Returns a new reference to from_dlpack() of the module `name`. NULL, possibly with an exception, if the module is not imported or has
 * no such function. */
static PyObject *importer_in(const dlb_py_state *state, PyObject *name)
{
    PyObject *const module = PyObject_GetItem(PyImport_GetModuleDict(), name);
    PyObject *importer;

    if (module == NULL) {
        if (PyErr_ExceptionMatches(PyExc_KeyError)) {
            PyErr_Clear();
        }
        return NULL;
    }
    importer = attribute(module, state->names[DLB_PY_FROM_DLPACK]);
    dlb_py_discard(module);
    return importer;
}

/* Returns a new reference to from_dlpack() of the module that defines a type, or of its top-level package, as the array API specifies.
 * NULL, possibly with an exception, if there is none. */
static PyObject *importer_beside(const dlb_py_state *state, PyObject *type)
{
    PyObject *const module = attribute(type, state->names[DLB_PY_MODULE]);
    PyObject *const dot = module != NULL ? PyUnicode_FromString(".") : NULL;
    PyObject *importer = NULL;

    if (dot != NULL && PyUnicode_Check(module)) {
        importer = importer_in(state, module);
        if (importer == NULL && !PyErr_Occurred()) {
            PyObject *const parts = PyUnicode_Partition(module, dot);

            importer = parts != NULL ? importer_in(state, PyTuple_GET_ITEM(parts, 0)) : NULL;
            Py_XDECREF(parts);
        }
    }
    Py_XDECREF(dot);
    dlb_py_discard(module);
    return importer;
}

/* ---- The library of an array ---- */

/* Returns whether arrays of numpy.from_dlpack() are writable if the memory is: since NumPy 2.2. */
static bool has_writable_arrays(PyObject *numpy)
{
    PyObject *const value = PyObject_GetAttrString(numpy, "__version__");
    const char *const version = value != NULL && PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
    char *dot = NULL;
    const long major = version != NULL ? strtol(version, &dot, 10) : 0;
    const long minor = dot != NULL && *dot == '.' ? strtol(dot + 1, NULL, 10) : 0;

    dlb_py_discard(value);
    PyErr_Clear();
    return major > 2 || (major == 2 && minor >= 2);
}

/* Returns a new reference to numpy.from_dlpack(), or to numpy.asarray(), which is slower. NULL with an exception. */
static PyObject *importer_of_numpy(void)
{
    PyObject *const numpy = PyImport_ImportModule("numpy");
    PyObject *importer = NULL;

    if (numpy != NULL) {
        importer = PyObject_GetAttrString(numpy, has_writable_arrays(numpy) ? "from_dlpack" : "asarray");
        dlb_py_discard(numpy);
    }
    return importer;
}

/* Returns a new reference to from_dlpack() in the namespace that an array reports (array API). NULL, possibly with an exception, if it
 * reports none. */
static PyObject *importer_in_namespace(const dlb_py_state *state, PyObject *array)
{
    PyObject *const name = PyUnicode_FromString("__array_namespace__");
    PyObject *const method = name != NULL ? attribute(array, name) : NULL;
    PyObject *const found = method != NULL ? PyObject_CallFunctionObjArgs(method, NULL) : NULL;
    PyObject *const importer = found != NULL ? attribute(found, state->names[DLB_PY_FROM_DLPACK]) : NULL;

    Py_XDECREF(name);
    dlb_py_discard(method);
    dlb_py_discard(found);
    return importer;
}

/* Returns a new reference to the importer of the library of an array: of its namespace, or of the module that defines its class or a base
 * of it. NULL, possibly with an exception, if there is none. */
static PyObject *find_importer(const dlb_py_state *state, PyObject *array)
{
    PyObject *const mro = PyObject_GetAttr((PyObject *)Py_TYPE(array), state->names[DLB_PY_MRO]);
    const Py_ssize_t count = mro != NULL && PyTuple_Check(mro) ? PyTuple_Size(mro) : 0;
    PyObject *importer = NULL;

    for (Py_ssize_t i = 0; i < count && importer == NULL && !PyErr_Occurred(); i++) {
        if (dlb_py_is_ndarray_class(state, PyTuple_GetItem(mro, i))) {
            importer = importer_of_numpy();
        }
    }
    if (importer == NULL && !PyErr_Occurred()) {
        importer = importer_in_namespace(state, array);
    }
    for (Py_ssize_t i = 0; i < count && importer == NULL && !PyErr_Occurred(); i++) {
        importer = importer_beside(state, PyTuple_GetItem(mro, i));
    }
    dlb_py_discard(mro);
    return importer;
}

static dlb_py_known_importer *importer_place(dlb_py_state *state, const PyTypeObject *type)
{
    const uintptr_t address = (uintptr_t)type;

    return &state->importers[(address >> 4 ^ address >> 10) % DLB_PY_IMPORTERS];
}

/* Finds the cached importer for a type. Returns false if none is cached. Stores a new reference, or NULL for a type without a library. */
static bool cached_importer(dlb_py_state *state, PyTypeObject *type, PyObject **importer)
{
    const dlb_py_known_importer *const place = importer_place(state, type);
    const unsigned int version = dlb_py_type_version(type);
    bool known;

    DLB_PY_LOCK(state->call_names);
    known = version != 0 && place->type == (PyObject *)type && place->version == version;
    if (known) {
        *importer = place->importer;
        Py_XINCREF(*importer);
    }
    DLB_PY_UNLOCK();
    return known;
}

static void cache_importer(dlb_py_state *state, PyTypeObject *type, unsigned int version, PyObject *importer)
{
    dlb_py_known_importer *const place = importer_place(state, type);
    dlb_py_known_importer old = {NULL, 0, NULL};

    Py_XINCREF(importer);
    DLB_PY_LOCK(state->call_names);
    old.importer = place->importer;
#if DLB_PY_TYPES_ARE_KEPT
    old.type = place->type;
    Py_INCREF((PyObject *)type);
#endif
    *place = (dlb_py_known_importer){(PyObject *)type, version, importer};
    DLB_PY_UNLOCK();
    dlb_py_discard(old.importer);
    dlb_py_discard(old.type);
}

int dlb_py_find_library(dlb_py_state *state, PyObject *value, dlb_py_library *library)
{
    PyTypeObject *const type = Py_TYPE(value);
    dlb_py_producer info;
    unsigned int version;

    *library = (dlb_py_library){NULL, NULL};
    if (dlb_py_check_stack_at(state, (uintptr_t)&info) != 0 || dlb_py_producer_of(state, type, &info) != 0) {
        return -1;
    }
    if (info.api != NULL && info.api->managed_tensor_to_py_object_no_sync != NULL) {
        library->api = info.api;
        return 1;
    }
    if (!cached_importer(state, type, &library->importer)) {
        version = dlb_py_type_version(type);
        library->importer = find_importer(state, value);
        if (library->importer == NULL && PyErr_Occurred()) {
            return dlb_py_may_try_another() ? 0 : -1;
        }
        if (version != 0 && version == dlb_py_type_version(type)) { /* otherwise the type has changed during the search */
            cache_importer(state, type, version, library->importer);
        }
    }
    return library->importer != NULL;
}

/* Lets the library make an array that shows the memory of the object. Returns a new reference, or NULL with an exception. */
static PyObject *show_in_library(PyObject *self, const dlb_py_library *library)
{
    return library->api != NULL ? through_tables(dlb_py_data(self)->owner, library->api)
                                : PyObject_CallFunctionObjArgs(library->importer, self, NULL);
}

/* Exports an array of a library, by the exchange table of its type or by __dlpack__(). Returns 0, or -1 with an exception. */
static int export_of(const dlb_py_state *state, const dlb_py_producer *info, const char *name, PyObject *array, dlb_py_foreign *tensor)
{
    const bool table = info->api != NULL && info->api->managed_tensor_from_py_object_no_sync != NULL;
    int result;

    *tensor = (dlb_py_foreign){NULL, NULL, NULL, false};
    result = table ? dlb_py_call_table(info, name, array, &tensor->versioned) : 1;
    return result > 0 ? dlb_py_call_dlpack(state, name, array, tensor) : result;
}

/* Returns the address of the first element, or NULL. */
static const char *first_element(const DLTensor *tensor)
{
    return tensor->data != NULL ? (const char *)tensor->data + tensor->byte_offset : NULL;
}

/* Returns whether writes to an exported tensor cannot reach `data`: it is read-only, or it is other memory. */
static bool protects(const dlb_py_foreign *tensor, const char *data)
{
    if (tensor->versioned == NULL) {
        return tensor->readonly || first_element(&tensor->legacy->dl_tensor) != data;
    }
    return tensor->versioned->version.major == DLB_VERSION_MAJOR && /* other members of another major version must not be read */
           ((tensor->versioned->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0 || first_element(&tensor->versioned->dl_tensor) != data);
}

/* Returns whether Python cannot write to read-only memory by an array that a library made of it. The export of the array tells that: PyTorch,
 * for example, ignores the flag READ_ONLY. A type with another table than that of the library is not the class that the caller expects.
 * Returns 1 or 0, or -1 with an exception that must reach the caller. */
static int is_protected(dlb_py_state *state, dlb_owner *owner, PyObject *made, const dlb_py_library *library)
{
    int64_t axes[2 * DLB_MAX_NDIM];
    dlb_py_foreign tensor;
    dlb_py_producer info;
    DLTensor shown;
    uint64_t flags;
    dlb_error error;
    dlb_view view;
    int result;

    if (dlb_py_producer_of(state, Py_TYPE(made), &info) != 0) {
        return dlb_py_may_try_another() ? 0 : -1;
    }
    if (dlb_owner_view(owner, &view, &error) != 0) {
        return 0; /* not covered: the object has been exported already */
    }
    if (info.ndarray && !DLB_PY_FREE_THREADED && dlb_py_read_ndarray(state, made, &shown, &flags, axes)) {
        return (flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0 || first_element(&shown) != first_element(view.tensor);
    }
    if (export_of(state, &info, owner->type->name, made, &tensor) != 0) {
        return dlb_py_may_try_another() ? 0 : -1;
    }
    result = protects(&tensor, first_element(view.tensor)) && (library->api == NULL || info.api == library->api);
    dlb_py_quietly(dlb_py_delete_foreign, &tensor);
    return result;
}

/* Returns a new object whose memory is a copy of that of the owner; or NULL with an exception. */
static PyObject *copy_of(dlb_owner *owner)
{
    DLManagedTensorVersioned *tensor;
    void *made = NULL;
    dlb_error error;

    if (dlb_py_check_no_records(owner) != 0) {
        return NULL;
    }
    if (dlb_export_copy(owner, &tensor, &error) != 0) {
        return dlb_py_raise(&error);
    }
    if (dlb_py_api_to_object(owner->type, tensor, &made) != 0) {
        dlb_py_quietly(dlb_py_delete_tensor, tensor);
        return NULL;
    }
    return made;
}

/* Converts a read-only object. A library without read-only arrays gets a copy. Returns a new reference, or NULL with an exception. */
DLB_NOINLINE static PyObject *show_readonly(PyObject *self, const dlb_py_library *library)
{
    dlb_owner *const owner = dlb_py_data(self)->owner;
    PyObject *copy = NULL;
    PyObject *made;
    int result;

    dlb_owner_keep(owner); /* foreign code may close the object */
    made = show_in_library(self, library);
    result = made != NULL ? is_protected(dlb_py_data(self)->state, owner, made, library) : dlb_py_may_try_another() ? 0 : -1;
    if (made != NULL && result <= 0) {
        dlb_py_quietly(dlb_py_decref, made);
        made = NULL;
    }
    if (result == 0) {
        copy = copy_of(owner);
        made = copy != NULL ? show_in_library(copy, library) : NULL;
    }
    if (copy != NULL) {
        dlb_py_quietly(dlb_py_decref, copy);
    }
    dlb_py_quietly(dlb_py_drop_owner, owner);
    return made;
}

PyObject *dlb_py_to_library(PyObject *self, const dlb_py_library *library)
{
    return DLB_LIKELY((dlb_py_data(self)->owner->flags & DLPACK_FLAG_BITMASK_READ_ONLY) == 0) ? show_in_library(self, library)
                                                                                              : show_readonly(self, library);
}

/* ---- to() ---- */

static void refuse_target(const dlb_owner *owner, PyObject *target)
{
    PyObject *const name = PyObject_GetAttrString(target, "__name__"); /* the repr of a module would show its path */

    if (name == NULL) {
        PyErr_Clear();
        (void)dlb_py_wrong_type("%s.to() takes a type or a module, not '%s'", owner->type->name, target);
        return;
    }
    PyErr_Format(PyExc_TypeError, "%s.to(): '%S' has neither an exchange table nor from_dlpack()", owner->type->name,
                 name);
    dlb_py_discard(name);
}

/* Checks that `made` is an instance of the type that the caller asked for; takes over `made`. numpy.from_dlpack() does not make a
 * numpy.int64, and an inherited table makes instances of its own type. `by` names in messages what made it. Returns `made`, or NULL with
 * an exception. */
static PyObject *check_made(const dlb_owner *owner, PyObject *target, PyObject *made, const char *by)
{
    const int fits = made != NULL ? PyObject_IsInstance(made, target) : -1;

    if (fits == 0) {
        PyObject *const name = dlb_py_type_name(made);

        if (name != NULL) {
            PyErr_Format(PyExc_TypeError, "%s.to(): the result of %s %R is a '%U'", owner->type->name, by, target, name);
        }
        Py_XDECREF(name);
    }
    if (fits <= 0 && made != NULL) {
        dlb_py_quietly(dlb_py_decref, made);
        return NULL;
    }
    return made;
}

/* Converts the object by target.from_dlpack(), or by from_dlpack() in the module of the target. Returns a new reference, or NULL with
 * an exception. */
static PyObject *through_call(const dlb_owner *owner, PyObject *self, PyObject *target)
{
    const dlb_py_state *const state = dlb_py_data(self)->state;
    PyObject *importer = attribute(target, state->names[DLB_PY_FROM_DLPACK]);
    const bool beside = importer == NULL && PyType_Check(target);
    PyObject *made;

    if (beside && !PyErr_Occurred()) {
        importer = importer_beside(state, target);
    }
    if (importer == NULL) {
        if (!PyErr_Occurred()) {
            refuse_target(owner, target);
        }
        return NULL;
    }
    made = PyObject_CallFunctionObjArgs(importer, self, NULL);
    dlb_py_discard(importer);
    return beside ? check_made(owner, target, made, "from_dlpack() beside") : made;
}

/* Converts the object by the table of a base of the target, unless the target has its own from_dlpack(). Returns a new reference, or
 * NULL with an exception. */
static PyObject *through_inherited(dlb_owner *owner, PyObject *self, PyObject *target, const DLPackExchangeAPI *api)
{
    PyObject *const importer = attribute(target, dlb_py_data(self)->state->names[DLB_PY_FROM_DLPACK]);

    if (importer != NULL) {
        Py_DECREF(importer);
        return through_call(owner, self, target);
    }
    return PyErr_Occurred() ? NULL : check_made(owner, target, through_tables(owner, api), "the table inherited by");
}

PyObject *dlb_py_to(PyObject *self, PyObject *target)
{
    dlb_owner *const owner = dlb_py_enter(self);
    dlb_py_producer info = {NULL, false, false, false, false};
    PyObject *result = NULL;

    if (owner == NULL || dlb_py_check_stack() != 0) {
        return NULL;
    }
    dlb_owner_keep(owner); /* foreign code may close this object */
    if (!PyType_Check(target) || dlb_py_producer_of(dlb_py_data(self)->state, (PyTypeObject *)target, &info) == 0) {
        const bool table = info.api != NULL && info.api->managed_tensor_to_py_object_no_sync != NULL;

        if (!table) {
            result = through_call(owner, self, target);
        } else {
            result = info.inherited ? through_inherited(owner, self, target, info.api) : through_tables(owner, info.api);
        }
    }
    dlb_py_quietly(dlb_py_drop_owner, owner);
    dlb_py_leave(self, owner);
    return result;
}
