/* SPDX-License-Identifier: MIT-0 */
/* Pickles of objects. */

#include "object.h"

#include <stdlib.h>

/* ---- Pickling ---- */

/* Returns the reason why objects of the type cannot be pickled, or NULL. */
static const char *pickle_refusal(const dlb_type *type)
{
    const dlb_factory *const importer = type->importer;

    if (type->describe == NULL) {
        return "it is not an array";
    }
    if (importer == NULL) {
        return "it cannot be made from an array";
    }
    if (importer->param_count > 0) {
        return "it is made from more than an array";
    }
    for (size_t i = 0; i < importer->require->device_count; i++) {
        if (importer->require->devices[i] == kDLCPU) {
            return NULL;
        }
    }
    return "it cannot be made from an array on the CPU";
}

static PyObject *refuse(const dlb_type *type, const char *reason)
{
    (void)dlb_py_raise_message(PyExc_TypeError, "cannot pickle '%s' object: %s", type->name, reason);
    return NULL;
}

/* Returns whether an import can recreate the object: the pickle holds only an array. false with an exception. */
static bool can_be_recreated(dlb_owner *owner)
{
    dlb_error error;
    dlb_view view;

    if (dlb_owner_view(owner, &view, &error) != 0) {
        (void)dlb_py_raise(&error);
        return false;
    }
    if (view.one_way) {
        (void)refuse(owner->type, "its state cannot be restored");
        return false;
    }
    return true;
}

/* Copies the elements into a new bytearray or, if that is `constant`, new bytes: compact and in the order of the import. Returns NULL with an
 * exception on failure. */
static PyObject *gather_bytes(const dlb_type *type, DLTensor *tensor, bool constant)
{
    const int64_t nbytes = dlb_nbytes(tensor->dtype, dlb_element_count(tensor));
    PyObject *const bytes = constant ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)nbytes)
                                     : PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)nbytes);

    if (bytes != NULL && nbytes > 0) {
        dlb_copy_compact(tensor, dlb_itemsize(tensor->dtype), type->importer->require->order,
                         constant ? PyBytes_AsString(bytes) : PyByteArray_AsString(bytes));
    }
    return bytes;
}

/* Returns the bytes in the form that a protocol before 5 writes without the name of a function: protocols before 3 know strings, but no
 * bytes, and all of them build a bytearray by its class. Takes over `bytes`, which may be NULL with an exception. */
static PyObject *old_form_of(PyObject *bytes, long protocol)
{
    PyObject *string;

    if (bytes == NULL || protocol >= 3) {
        return bytes;
    }
    string = PyUnicode_DecodeLatin1(PyBytes_AsString(bytes), PyBytes_Size(bytes), NULL);
    Py_DECREF(bytes);
    return string;
}

/* Wraps an object in a pickle.PickleBuffer, which pickle can send out of band. Returns a new reference, or NULL with an exception. */
static PyObject *pickle_buffer(PyObject *object)
{
    PyObject *const pickle = PyImport_ImportModule("pickle");
    PyObject *const result = pickle != NULL ? PyObject_CallMethod(pickle, "PickleBuffer", "O", object) : NULL;

    Py_XDECREF(pickle);
    return result;
}

/* Returns whether the import could take the memory as it is. Alignment is ignored, because unpickling can copy the bytes to aligned
 * memory. */
static bool can_be_imported(const dlb_type *type, const DLTensor *tensor, dlb_order order)
{
    dlb_requirements require = *type->importer->require;

    require.alignment = 1;
    return (dlb_element_count(tensor) == 0 || dlb_is_compact(tensor, order)) &&
           dlb_check_layout(&require, tensor, 0, type->name, NULL) == 0;
}

/* Returns the order of the axes and, for elements of several bytes, the byte order: `F<` is column-major and little-endian. */
static const char *order_of(DLDataType dtype, dlb_order axes)
{
    static const char *const orders[][2] = {{"C", "F"}, {"C<", "F<"}, {"C>", "F>"}};
    const int bytes = dtype.bits <= 8 ? 0 : dlb_is_big_endian() ? 2 : 1;

    return orders[bytes][axes == DLB_ORDER_F];
}

/* Returns whether the byte order in `order` is that of this machine. Pickles without a byte order are little-endian. */
static bool is_native(DLDataType dtype, const char *order)
{
    return dtype.bits <= 8 || (order[0] != '\0' && order[1] == '>') == dlb_is_big_endian();
}

/* Returns the bytes of the tensor: the memory itself if it is a buffer without gaps, else a copy. `*order` gets the order of axes and
 * bytes. NULL with an exception. */
static PyObject *bytes_of(PyObject *self, DLTensor *tensor, long protocol, const char **order)
{
    const dlb_type *const type = dlb_py_data(self)->type;
    PyObject *bytes;
    PyObject *result;

    dlb_normalise_strides(tensor, type->importer->require->order);
    if (protocol >= 5 && dlb_py_is_buffer(tensor)) {
        const bool rows = can_be_imported(type, tensor, DLB_ORDER_C);

        if (rows || can_be_imported(type, tensor, DLB_ORDER_F)) {
            *order = order_of(tensor->dtype, rows ? DLB_ORDER_C : DLB_ORDER_F);
            return pickle_buffer(self);
        }
    }
    *order = order_of(tensor->dtype, tensor->dtype.bits % 8 == 0 ? type->importer->require->order : DLB_ORDER_C);
    bytes = gather_bytes(type, tensor, protocol < 5);
    if (bytes == NULL || protocol < 5) {
        return old_form_of(bytes, protocol);
    }
    result = pickle_buffer(bytes);
    Py_DECREF(bytes);
    return result;
}

static const char rebuild_name[] = "_rebuild";

/* Implements the function of the module that unpickles objects: _rebuild(class, bytes, dtype, shape, order, is_copied). A pickle names only
 * this function and the class, so that readers can allow both. */
static PyObject *rebuild_object(PyObject *module, PyObject *args)
{
    PyObject *const cls = PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : NULL;
    PyObject *rest;
    PyObject *result;

    (void)module;
    if (cls == NULL || !PyType_Check(cls)) {
        (void)dlb_py_raise_message(PyExc_TypeError, "_rebuild() argument 1 must be a class");
        return NULL;
    }
    rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args));
    result = rest != NULL ? dlb_py_rebuild(cls, rest) : NULL;
    Py_XDECREF(rest);
    return result;
}

int dlb_py_add_rebuild(PyObject *module)
{
    static PyMethodDef functions[] = {
        {rebuild_name, rebuild_object, METH_VARARGS, "_rebuild($module, cls, data, dtype, shape, order, is_copied=False, /)\n--\n\nMakes an object from the bytes of a pickle."},
        {NULL, NULL, 0, NULL},
    };

    return PyObject_HasAttrString(module, rebuild_name) ? 0 : PyModule_AddFunctions(module, functions);
}

/* Returns the function of the module of an object's class that unpickles objects, a new reference; or NULL with an exception. */
static PyObject *find_rebuild(PyObject *self)
{
    PyObject *const module = PyType_GetModule(Py_TYPE(self));
    PyObject *const function = module != NULL ? PyObject_GetAttrString(module, rebuild_name) : NULL;

    if (function != NULL && !(PyCFunction_Check(function) && PyCFunction_GetFunction(function) == rebuild_object)) {
        (void)dlb_py_raise_message(PyExc_TypeError, "cannot pickle '%s' object: its module has another function '%s'",
                                   dlb_py_data(self)->type->name, rebuild_name);
        Py_DECREF(function);
        return NULL;
    }
    return function;
}

static PyObject *reduce(PyObject *self, DLTensor *tensor, long protocol)
{
    PyObject *const shape = dlb_py_axes(tensor->shape, tensor->ndim);
    PyObject *const rebuild = shape != NULL ? find_rebuild(self) : NULL;
    PyObject *bytes = NULL;
    PyObject *result = NULL;
    const char *order;

    if (rebuild != NULL) {
        bytes = bytes_of(self, tensor, protocol, &order);
    }
    if (bytes != NULL) {
        result = Py_BuildValue("O(OO(iii)OsO)", rebuild, (PyObject *)Py_TYPE(self), bytes, (int)tensor->dtype.code,
                               (int)tensor->dtype.bits, (int)tensor->dtype.lanes, shape, order, protocol < 5 ? Py_True : Py_False);
    }
    Py_XDECREF(bytes);
    Py_XDECREF(rebuild);
    Py_XDECREF(shape);
    return result;
}

/* Reduces an object while an export keeps its data valid. Returns a new reference, or NULL with an exception. */
static PyObject *reduce_owner(PyObject *self, dlb_owner *owner, long protocol)
{
    DLManagedTensorVersioned *managed;
    PyObject *result = NULL;
    dlb_error error;
    DLDeviceType device;
    char buffer[DLB_NAME_SIZE];

    if (dlb_py_record_of(owner->type, owner->object) != NULL) {
        (void)dlb_py_raise_message(PyExc_TypeError, "cannot pickle '%s' object: its elements are records; pickle numpy.array() of it",
                                owner->type->name);
        return NULL;
    }
    if (dlb_export(owner, &managed, &error) != 0) {
        return dlb_py_raise(&error);
    }
    device = managed->dl_tensor.device.device_type;
    if (!dlb_host_readable(device)) {
        (void)dlb_py_raise_message(PyExc_TypeError, "cannot pickle '%s' object: its data is on %s", owner->type->name,
                                dlb_device_name(device, buffer));
    } else if (dlb_check_request(owner->type->importer->require, &managed->dl_tensor, owner->type->name, &error) != 0 ||
               (device != kDLCPU && dlb_owner_sync(owner, dlb_py_default_stream(device), &error) != 0)) {
        (void)dlb_py_raise(&error);
    } else {
        result = reduce(self, &managed->dl_tensor, protocol);
    }
    dlb_py_quietly(dlb_py_delete_tensor, managed);
    return result;
}

/* Returns a new dict of all settable properties, which the array does not contain; or NULL with an exception. Values of None are left
 * out: C has no value for them. */
static PyObject *settings_of(PyObject *self)
{
    const PyGetSetDef *property = PyType_GetSlot(Py_TYPE(self), Py_tp_getset); /* NULL: none of its own */
    PyObject *values = PyDict_New();
    int failed = values == NULL;

    for (; !failed && property != NULL && property->name != NULL; property++) {
        PyObject *const value = property->set != NULL ? PyObject_GetAttrString(self, property->name) : NULL;

        failed = property->set != NULL && value == NULL;
        if (value != NULL) {
            failed = value != Py_None && PyDict_SetItemString(values, property->name, value) != 0;
            dlb_py_discard(value);
        }
    }
    if (failed) {
        Py_CLEAR(values);
    }
    return values;
}

/* Adds the settings to the result of reduce(), which it takes over. They become the state (None, settings), which copy and pickle
 * assign to the attributes of the new object. */
static PyObject *with_settings(PyObject *self, PyObject *reduced)
{
    PyObject *const settings = reduced != NULL ? settings_of(self) : NULL;
    PyObject *result = NULL;

    if (settings != NULL && PyDict_Size(settings) == 0) {
        Py_DECREF(settings);
        return reduced;
    }
    if (settings != NULL) {
        result = Py_BuildValue("OO(OO)", PyTuple_GetItem(reduced, 0), PyTuple_GetItem(reduced, 1), Py_None, settings);
        Py_DECREF(settings);
    }
    dlb_py_discard(reduced);
    return result;
}

PyObject *dlb_py_reduce_ex(PyObject *self, PyObject *protocol)
{
    const char *const reason = pickle_refusal(dlb_py_data(self)->type);
    const long number = dlb_py_check_stack() == 0 ? PyLong_AsLong(protocol) : -1;
    PyObject *result;
    dlb_owner *owner;

    if (number == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (reason != NULL) {
        return refuse(dlb_py_data(self)->type, reason);
    }
    owner = dlb_py_enter(self);
    if (owner == NULL) {
        return NULL;
    }
    result = can_be_recreated(owner) ? with_settings(self, reduce_owner(self, owner, number)) : NULL;
    dlb_py_leave(self, owner);
    return result;
}

/* ---- Unpickling ---- */

/* The array that is being unpickled. */
typedef struct unpickled_array {
    const dlb_type *type;
    DLTensor tensor;
    int64_t axes[2 * DLB_MAX_NDIM];
} unpickled_array;

/* Reads the dtype, the shape and the order from a pickle, whose content may be malicious. `size` is the number of bytes of the pickled
 * data. Returns 0, or -1 with an exception. */
static int read_pickled_array(unpickled_array *to, const int dtype[3], PyObject *shape, const char *order, Py_ssize_t size)
{
    DLTensor *const tensor = &to->tensor;
    const Py_ssize_t ndim = PyTuple_Size(shape);
    dlb_error error;
    int64_t count;

    if (ndim > DLB_MAX_NDIM || dtype[0] < 0 || dtype[0] > UINT8_MAX || dtype[1] < 1 || dtype[1] > UINT8_MAX ||
        dtype[2] < 1 || dtype[2] > UINT16_MAX) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s: the pickled data is not an array", to->type->name);
        return -1;
    }
    tensor->device = DLB_CPU;
    tensor->byte_offset = 0;
    tensor->dtype = (DLDataType){(uint8_t)dtype[0], (uint8_t)dtype[1], (uint16_t)dtype[2]};
    tensor->ndim = (int32_t)ndim;
    tensor->shape = to->axes;
    tensor->strides = to->axes + DLB_MAX_NDIM;
    for (Py_ssize_t axis = 0; axis < ndim; axis++) {
        tensor->shape[axis] = PyLong_AsLongLong(PyTuple_GetItem(shape, axis));
        if (tensor->shape[axis] == -1 && PyErr_Occurred()) {
            return -1;
        }
    }
    if (dlb_check_extents(tensor, to->type->name, &count, &error) != 0) {
        (void)dlb_py_raise(&error);
        return -1;
    }
    if (dlb_nbytes(tensor->dtype, count) != size) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s: %zd bytes were pickled, where the array has %lld", to->type->name, size,
                                (long long)dlb_nbytes(tensor->dtype, count));
        return -1;
    }
    if (!is_native(tensor->dtype, order)) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s: it was pickled on a machine of the other byte order", to->type->name);
        return -1;
    }
    if (order[0] == 'F') {
        dlb_compact_fortran_tensor(tensor, tensor->ndim);
    } else {
        dlb_compact_tensor(tensor, tensor->ndim);
    }
    return 0;
}

/* Copies the bytes to new writable memory with the alignment that the import requires. Returns the block, which the caller frees, or
 * NULL with an exception. */
static void *copy_bytes(unpickled_array *to, size_t size)
{
    const size_t alignment = dlb_copy_alignment(to->type->importer->require);
    char *const block = malloc(size + alignment);

    if (block == NULL) {
        return PyErr_NoMemory();
    }
    to->tensor.data = memcpy(dlb_next_aligned(block, alignment), to->tensor.data, size);
    return block;
}

static bool can_be_set(PyObject *cls)
{
    const PyGetSetDef *property = PyType_GetSlot((PyTypeObject *)cls, Py_tp_getset);

    while (property != NULL && property->name != NULL && property->set == NULL) {
        property++;
    }
    return property != NULL && property->name != NULL;
}

/* Returns whether the import can use the bytes in place. Settable properties rule out read-only memory, because their functions may
 * write to it. */
static bool can_use_in_place(const unpickled_array *to, PyObject *cls, bool readonly)
{
    const dlb_requirements *const require = to->type->importer->require;
    const size_t alignment = dlb_required_alignment(require, &to->tensor);

    return !(readonly && ((require->layout & DLB_WRITABLE) != 0 || can_be_set(cls))) &&
           (alignment == 0 || (uintptr_t)to->tensor.data % alignment == 0);
}

/* Imports the bytes, in place or as a copy: if `copies`, or if the import cannot use them in place. The new object keeps `held`, which
 * releases the buffer. Returns a new reference, or NULL with an exception. */
static PyObject *rebuild(unpickled_array *to, dlb_py_state *state, PyObject *cls, PyObject *held, const Py_buffer *buffer, bool copies)
{
    const bool readonly = buffer->readonly != 0 && !copies; /* without elements, there is nothing to write */
    dlb_memory memory = {
        .tensor = &to->tensor, .flags = readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0, .let_go = dlb_py_guard_let_go};
    dlb_py_foreign from = {NULL, NULL, &memory, false};
    dlb_py_import_options options = {NULL, NULL, NULL, NULL, NULL, false, false};

    to->tensor.data = buffer->buf;
    if (buffer->len > 0 && (copies || !can_use_in_place(to, cls, readonly))) {
        memory.keeper = copy_bytes(to, (size_t)buffer->len);
        memory.let_go = free;
        memory.flags = 0;
    } else {
        memory.keeper = dlb_py_guard_new(state, held);
    }
    return memory.keeper != NULL ? dlb_py_import(state, to->type, &from, &options) : NULL;
}

/* Imports the bytes in a pickle. Returns a new reference, or NULL with an exception. */
static PyObject *rebuild_from(dlb_py_state *state, PyObject *cls, unpickled_array *to, PyObject *source, const int dtype[3], PyObject *shape,
                              const char *order, bool copies)
{
    const Py_buffer *buffer;
    PyObject *const held = dlb_py_hold_buffer(to->type->name, source, &buffer);
    PyObject *result = NULL;

    if (held == NULL) {
        return NULL;
    }
    if (!dlb_py_is_contiguous(buffer, 'A')) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the bytes that were pickled have gaps between them", to->type->name);
    } else if (read_pickled_array(to, dtype, shape, order, buffer->len) == 0) {
        result = rebuild(to, state, cls, held, buffer, copies);
    }
    dlb_py_quietly(dlb_py_decref, held);
    return result;
}

/* Implements the class method _rebuild(bytes, dtype, shape, order, is_copied), which pickles of releases before 0.2.0 name. */
PyObject *dlb_py_rebuild(PyObject *cls, PyObject *args)
{
    dlb_py_state *const state = dlb_py_get_state();
    PyObject *bytes = NULL;
    PyObject *result;
    PyObject *source;
    PyObject *shape;
    const char *order;
    unpickled_array to;
    int dtype[3];
    int copies = 0;

    if (state == NULL || dlb_py_check_stack() != 0 ||
        !PyArg_ParseTuple(args, "O(iii)O!s|p:_rebuild", &source, &dtype[0], &dtype[1], &dtype[2], &PyTuple_Type, &shape, &order, &copies)) {
        return NULL;
    }
    to.type = dlb_py_type_of(state, cls);
    if (to.type == NULL) {
        return NULL;
    }
    if (pickle_refusal(to.type) != NULL) {
        return refuse(to.type, pickle_refusal(to.type));
    }
    if (PyUnicode_Check(source)) {
        bytes = PyUnicode_AsLatin1String(source);
        if (bytes == NULL) {
            return NULL;
        }
    }
    result = rebuild_from(state, cls, &to, bytes != NULL ? bytes : source, dtype, shape, order, copies != 0);
    Py_XDECREF(bytes);
    return result;
}
