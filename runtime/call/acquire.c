/* SPDX-License-Identifier: MIT-0 */
/* The memory of a foreign argument: acquires it, checks it against the operand, and converts it. */

#include "call.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Messages ---- */

const char *dlb_py_operand_name(const dlb_py_function *function, const dlb_py_operand *operand)
{
    return operand->param < 0 ? "self" : function->params[operand->param].name;
}

const char *dlb_py_class_name(const dlb_type *type)
{
    const char *const dot = strrchr(type->name, '.');

    return dot != NULL ? dot + 1 : type->name;
}

/* Returns whether the import of the class has a required param for which the call never has a value. */
static bool lacks_source(const dlb_py_operand *operand)
{
    const dlb_factory *const importer = operand->type->importer;

    for (size_t i = 0; i < importer->param_count; i++) {
        bool found = !importer->params[i].required;

        for (int k = 0; k < operand->source_count; k++) {
            found = found || (!operand->sources[k].allocates && operand->sources[k].param == (int)i);
        }
        if (!found) {
            return true;
        }
    }
    return false;
}

int dlb_py_refuse_argument(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    const bool imports = operand->type != NULL && operand->type->importer != NULL &&
                         (operand->flags & (DLB_PY_INVALIDATES | DLB_PY_KEEPS)) == 0 && !lacks_source(operand);
    const char *const any = (operand->flags & DLB_PY_BYTES) != 0     ? "a bytes-like object"
                            : (operand->flags & DLB_PY_RECORDS) != 0 ? "an array of records"
                                                                     : "an array";
    const char *const array = operand->type == NULL ? any : imports ? " or an array" : "";
    const char *const members = operand->members != NULL ? ", a tuple or a mapping of its members" : "";
    const char *const numbers = (operand->flags & DLB_PY_NUMBERS) != 0 ? " or a sequence of numbers" : "";
    const char *const none = (operand->flags & DLB_PY_OPTIONAL) != 0 ? " or None" : "";
    PyObject *keeper = NULL;
    const char *const name = value == Py_None ? "None" : dlb_py_type_as_str(value, &keeper);
    dlb_py_class_names names = {"", ""};

    if (name != NULL && (operand->type == NULL || dlb_py_name_classes(operand->type, value, &names) == 0)) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' must be %s%s%s%s%s, not %s", function->name,
                                dlb_py_operand_name(function, operand), names.expected, members, array, numbers, none,
                                operand->type != NULL ? names.given : name);
    }
    Py_XDECREF(keeper);
    return -1;
}

int dlb_py_explain(const dlb_py_function *function, const dlb_py_operand *operand, const char *name)
{
    char before[DLB_PY_MESSAGE_SIZE];
    char instead[DLB_PY_MESSAGE_SIZE];
    const char *const param = dlb_py_operand_name(function, operand);

    dlb_write(before, sizeof before, "%s:", name);
    dlb_write(instead, sizeof instead, "%s() argument '%s':", function->name, param);
    return dlb_py_replace_beginning(before, '\0', instead) ? -1 : dlb_py_name_argument(function->name, param);
}

int dlb_py_refuse(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_error *error)
{
    const char *const name = error->message[0] == ':' || operand->type == NULL ? "" : operand->type->name;
    const size_t length = strlen(name);

    if (strncmp(error->message, name, length) == 0 && error->message[length] == ':') { /* the message of dlb_py_explain(), in one step */
        (void)dlb_py_raise_message(dlb_py_exception_of(error), "%s() argument '%s'%s", function->name,
                                dlb_py_operand_name(function, operand), error->message + length);
    } else {
        (void)dlb_py_raise(error); /* not covered: each message begins with the name of the type, or with a colon */
    }
    return -1;
}

/* ---- Requirements ---- */

const dlb_requirements *dlb_py_requirements_of(const dlb_py_operand *operand, dlb_requirements *storage)
{
    const dlb_requirements *const own = operand->require;
    const dlb_requirements *const base = operand->type != NULL ? operand->type->importer->require : own;
    const unsigned writable = (operand->flags & DLB_PY_WRITES) != 0 ? DLB_WRITABLE : 0;
    const dlb_casting cast = writable != 0 ? DLB_CAST_NEVER : base->cast; /* elements that C writes are not converted back */

    if ((operand->type == NULL || own == NULL) && (base->layout & DLB_WRITABLE) == writable && base->cast == cast) {
        return base;
    }
    *storage = *base;
    storage->cast = cast;
    /* An import does not know whether its object will be written to. Elements that share memory are refused in any case: C may divide
     * by a stride, which would be 0. */
    storage->layout |= (base->layout & DLB_WRITABLE) != 0 ? DLB_NO_OVERLAP : 0;
    storage->layout = (storage->layout & ~(unsigned)DLB_WRITABLE) | writable;
    if (operand->type == NULL || own == NULL) {
        return storage;
    }
    storage->min_ndim = own->min_ndim > storage->min_ndim ? own->min_ndim : storage->min_ndim;
    storage->max_ndim = own->max_ndim < storage->max_ndim ? own->max_ndim : storage->max_ndim;
    storage->layout |= own->layout;
    storage->alignment = own->alignment > storage->alignment ? own->alignment : storage->alignment;
    storage->copy = own->copy > storage->copy ? own->copy : storage->copy;
    if (own->dtype_count > 0) {
        storage->dtypes = own->dtypes;
        storage->dtype_count = own->dtype_count;
    }
    if (own->device_count > 0) {
        storage->devices = own->devices;
        storage->device_count = own->device_count;
    }
    return storage;
}

static int check_count(const dlb_py_operand *operand, const DLTensor *tensor, dlb_error *error)
{
    int64_t count;

    if (operand->count == 0 || (operand->flags & DLB_PY_ITEMS) != 0) {
        return 0;
    }
    count = dlb_element_count(tensor);
    if (count == operand->count) {
        return 0;
    }
    return dlb_fail(error, DLB_VALUE_ERROR, ": the array must have %" PRId64 " element%s, not %" PRId64, operand->count,
                    operand->count == 1 ? "" : "s", count);
}

/* Checks that everything that C writes reaches the source, directly or by a later copy. Returns 0, or -1 with an error. */
static int check_writable(const dlb_memory *memory, dlb_error *error)
{
    if ((memory->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR, ": the array is read-only, and must be writable");
    }
    if ((memory->flags & DLPACK_FLAG_BITMASK_IS_COPIED) != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR,
                        ": the array is a copy made for this call: its changes would be lost");
    }
    return 0;
}

/* Checks that no elements of the source share memory, since copying back could keep only one of them. Returns 0, or -1 with an error. */
static int check_copied_back(const dlb_memory *memory, const dlb_view *copy, dlb_error *error)
{
    const dlb_requirements distinct = {.layout = DLB_NO_OVERLAP};
    DLTensor source = dlb_has_bytes(memory) ? *memory->tensor : *copy->tensor;

    source.strides = memory->tensor->strides;
    return source.strides != NULL ? dlb_check_layout(&distinct, &source, 0, "", error) : 0;
}

void dlb_py_own_tensor(dlb_py_argument *array)
{
    const DLTensor *const tensor = array->tensor;
    const size_t size = sizeof(int64_t) * (size_t)tensor->ndim;

    if (tensor == &array->view.own) { /* it has its own axes already */
        return;
    }
    array->view.own = *tensor;
    array->view.own.shape = array->view.axes;
    array->view.own.strides = array->view.axes + DLB_MAX_NDIM;
    if (size > 0) {
        memcpy(array->view.axes, tensor->shape, size);
        memcpy(array->view.axes + DLB_MAX_NDIM, tensor->strides, size);
    }
    array->tensor = &array->view.own;
}

int dlb_py_convert(dlb_py_argument *array, const dlb_py_operand *operand, const dlb_memory *memory, dlb_error *error)
{
    const bool writes = (operand->flags & DLB_PY_WRITES) != 0;
    dlb_requirements storage;
    const dlb_requirements *const require = dlb_py_requirements_of(operand, &storage);
    dlb_incoming from = {.view = &array->view};
    dlb_request request = {operand->type, operand->type != NULL ? operand->type->importer : NULL, require, NULL, 0, 1, NULL, NULL};

    array->view.name = "";
    if (writes && check_writable(memory, error) != 0) {
        return -1;
    }
    if (dlb_receive(require, memory, &from, error) != 0) {
        return -1;
    }
    array->tensor = array->view.tensor;
    request.tensor = array->tensor;
    array->flags = memory->flags;
    array->copied = from.copied;
    array->copy = from.copy;
    if (from.copied) {
        array->flags = DLPACK_FLAG_BITMASK_IS_COPIED;
    }
    if (from.copied && writes && check_copied_back(memory, &array->view, error) != 0) {
        return -1;
    }
    if (check_count(operand, array->tensor, error) != 0) {
        return -1;
    }
    DLB_CHECK((dlb_checked_shadow(array, operand), request.tensor = array->tensor));
    if (operand->type == NULL) {
        array->object = array->tensor->data;
        if (writes) {
            dlb_py_own_tensor(array);
        }
        return 0;
    }
    if (array->view.tensor->byte_offset != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR, ": byte_offset is %" PRIu64 ", and the data is a handle, not an address",
                        array->view.tensor->byte_offset);
    }
    request.readonly = from.readonly;
    if (dlb_make_temporary(&request, &array->storage, &array->object, error) != 0) {
        return -1;
    }
    array->temporary = operand->type->importer;
    return 0;
}

/* ---- Foreign memory ---- */

/* The prefix of messages about the argument. The caller replaces it by the names of the function and the argument. */
static const char nameless[] = DLB_PY_NAMELESS;

/* Stores a managed tensor in `array`, which then owns it, and describes its memory. Returns 0, or -1 with a BufferError. */
static int from_managed(dlb_py_argument *array, const dlb_py_foreign *tensor, dlb_memory *memory)
{
    array->versioned = tensor->versioned;
    array->legacy = tensor->legacy;
    *memory = (dlb_memory){.tensor = NULL};
    if (tensor->versioned == NULL) {
        memory->tensor = &tensor->legacy->dl_tensor;
        memory->flags = tensor->readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
        return 0;
    }
    if (tensor->versioned->version.major != DLB_VERSION_MAJOR) { /* other members of an unknown major version must not be read */
        (void)dlb_py_raise_message(PyExc_BufferError, DLB_PY_NAMELESS ": the array is in DLPack version %u.%u, not %d.x",
                                (unsigned)tensor->versioned->version.major, (unsigned)tensor->versioned->version.minor,
                                DLB_VERSION_MAJOR);
        return -1;
    }
    memory->tensor = &tensor->versioned->dl_tensor;
    memory->flags = tensor->versioned->flags;
    return 0;
}

/* Gets the buffer of a producer, which `array` then owns, and describes its memory. The elements must be records like `record`; if that is
 * NULL, numbers. Returns 0, or -1 with an exception. */
static int from_buffer(dlb_py_argument *array, const dlb_record *record, PyObject *producer, int64_t *axes, dlb_memory *memory)
{
    int result;

    if (dlb_py_get_buffer(nameless, producer, &array->buffer) != 0) {
        return -1;
    }
    *memory = (dlb_memory){.tensor = &array->borrowed, .flags = array->buffer.readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0};
    result = record == NULL ? dlb_py_read_buffer(nameless, &array->buffer, &array->borrowed, axes, &memory->elements)
                            : dlb_py_read_records(nameless, record, &array->buffer, &array->borrowed, axes, &memory->elements);
    if (result != 0) {
        dlb_py_release_buffer(&array->buffer);
        return -1;
    }
    return 0;
}

int dlb_py_acquire_bytes(dlb_py_argument *array, const dlb_requirements *require, dlb_memory *memory)
{
    int result;

    if (dlb_py_get_buffer(nameless, array->source, &array->buffer) != 0) {
        return -1;
    }
    result = dlb_py_read_bytes(nameless, &array->buffer, require->min_ndim > 1, require->order, &array->borrowed, array->axes);
    if (result != 0) {
        dlb_py_release_buffer(&array->buffer);
        return result;
    }
    *memory = (dlb_memory){.tensor = &array->borrowed, .flags = array->buffer.readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0};
    return 0;
}

/* Checks the stream of a producer without `__dlpack__`: see dlb_py_check_table_stream(). Returns 0, or -1 with an exception. */
static int check_stream_of_table(const dlb_py_producer *info, const dlb_py_operand *operand, DLDevice device, const dlb_py_stream *stream)
{
    dlb_requirements storage;

    return device.device_type == kDLCPU ? 0
                                        : dlb_py_check_table_stream(info->api, nameless, device,
                                                                    dlb_py_requirements_of(operand, &storage), stream);
}

/* Acquires the memory through the exchange table. `stream`: the stream of the function, or NULL. Returns 0, -1 with an exception, or 1 if
 * `__dlpack__` must be called. */
static int memory_from_table(dlb_py_argument *array, const dlb_py_operand *operand, PyObject *producer, const dlb_py_producer *info,
                             bool owned, const dlb_py_stream *stream, dlb_memory *memory)
{
    dlb_py_foreign tensor = {NULL, NULL, NULL, false};
    int result;

    if (!owned && info->api->dltensor_from_py_object_no_sync != NULL) {
        if (info->api->dltensor_from_py_object_no_sync(producer, &array->borrowed) == 0) {
            *memory = (dlb_memory){.tensor = &array->borrowed};
            if (info->dlpack) {
                return !dlb_py_table_suffices(&array->borrowed);
            }
            if (array->borrowed.device.device_type != kDLCUDAManaged) { /* else other code may run while the CPU waits for it */
                return check_stream_of_table(info, operand, array->borrowed.device, stream);
            }
        } else if (PyErr_Occurred() && !dlb_py_may_try_another()) { /* tables do not share read-only arrays */
            return -1;
        }
    }
    if (info->api->managed_tensor_from_py_object_no_sync == NULL) {
        return 1;
    }
    result = dlb_py_call_table(info, nameless, producer, &tensor.versioned);
    if (result != 0 || from_managed(array, &tensor, memory) != 0) {
        return result != 0 ? result : -1;
    }
    return info->dlpack ? 0 : check_stream_of_table(info, operand, memory->tensor->device, stream);
}

/* Returns the requirements on the memory that the producer hands out. C must not write to a copy that the producer made. `storage` stores
 * them. */
static const dlb_requirements *requirements_on_answer(const dlb_py_operand *operand, dlb_requirements *storage)
{
    const dlb_requirements *const require = dlb_py_requirements_of(operand, storage);

    if ((operand->flags & DLB_PY_WRITES) == 0 || require->copy == DLB_COPY_NEVER) {
        return require;
    }
    *storage = *require;
    storage->copy = DLB_COPY_NEVER;
    return storage;
}

/* Acquires the memory by `__dlpack__`, or from the buffer of an object without it. A producer on another device is asked for a copy on
 * the CPU, unless C writes to the array. `stream`: the stream of the function, or NULL for that of the import. Returns 0, -1 with an
 * exception, or 1: not an array. */
static int memory_from_call(const dlb_py_state *state, dlb_py_argument *array, const dlb_py_operand *operand, PyObject *producer,
                            const dlb_py_stream *stream, int64_t *axes, dlb_memory *memory)
{
    dlb_requirements storage;
    const dlb_requirements *const require = requirements_on_answer(operand, &storage);
    const dlb_factory *const importer = operand->type != NULL && stream == NULL ? operand->type->importer : NULL;
    dlb_py_stream of_import;
    const int streams = dlb_py_stream_of_import(importer, NULL, &of_import);
    dlb_py_foreign tensor;

    if (streams < 0) {
        return -1; /* not covered: params of more than 256 bytes, and no memory */
    }
    if (dlb_py_call_for(state, nameless, producer, require, NULL, streams > 0 ? &of_import : stream, &tensor) != 0) {
        if (!dlb_py_lacks_dlpack(state, producer)) {
            return -1;
        }
        return PyObject_CheckBuffer(producer) ? from_buffer(array, NULL, producer, axes, memory) : 1;
    }
    return from_managed(array, &tensor, memory);
}

/* Returns whether the object and its type certainly have no `__dlpack__`, 1 or 0; or -1 with an exception. This avoids the cost of a
 * failing call. */
static int surely_lacks_dlpack(const dlb_py_state *state, PyObject *producer, const dlb_py_producer *info)
{
    const int has = info->dlpack || !dlb_py_has_plain_attributes(Py_TYPE(producer)) ? 1 : dlb_py_has_dlpack(state, producer);

    return has < 0 ? -1 : !has;
}

/* Acquires the memory by the array interface of an object. `record`: see dlb_py_hold_interface(). Returns 0, -1 with an exception, or 1:
 * not an array. */
static int memory_from_interface(dlb_py_argument *array, const dlb_record *record, PyObject *producer, int64_t *axes, dlb_memory *memory)
{
    return dlb_py_hold_interface(nameless, record, producer, &array->made, &array->borrowed, axes, memory);
}

int dlb_py_acquire(dlb_py_argument *array, const dlb_py_operand *operand, bool owned, const dlb_py_stream *stream,
                   int64_t axes[2 * DLB_MAX_NDIM], dlb_memory *memory)
{
    PyObject *const producer = array->source;
    const bool written = (operand->flags & DLB_PY_WRITES) != 0;
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_foreign tensor;
    dlb_py_producer info;
    uint64_t flags;
    int result;

    if (state == NULL) {
        return -1;
    }
    if (dlb_py_check_stack_at(state, (uintptr_t)&info) != 0) {
        return -1;
    }
    if (PyCapsule_CheckExact(producer)) {
        return dlb_py_consume(nameless, producer, &tensor) != 0 ? -1 : from_managed(array, &tensor, memory);
    }
    if (dlb_py_producer_of(state, Py_TYPE(producer), &info) != 0) {
        return -1;
    }
    if (info.api != NULL) {
        result = written && info.gradient ? dlb_py_requires_grad(state, producer) : 0;
        if (result == 0) {
            result = memory_from_table(array, operand, producer, &info, owned, stream, memory);
        }
        if (result <= 0) {
            return result;
        }
    } else if (info.ndarray) { /* dtypes without a buffer format are exported by `__dlpack__` */
        if (!DLB_PY_FREE_THREADED && dlb_py_read_ndarray(state, producer, &array->borrowed, &flags, axes)) {
            if (owned) { /* before it moves memory, NumPy checks references to the array, not buffers */
                Py_INCREF(producer);
                array->made = producer;
            }
            *memory = (dlb_memory){.tensor = &array->borrowed, .flags = flags};
            return 0;
        }
        if (from_buffer(array, NULL, producer, axes, memory) == 0) {
            return 0;
        }
        if (!dlb_py_may_try_another()) {
            return -1;
        }
    } else if (!info.dlpack && PyObject_CheckBuffer(producer)) {
        return from_buffer(array, NULL, producer, axes, memory);
    }
    result = surely_lacks_dlpack(state, producer, &info);
    if (result == 0) {
        result = memory_from_call(state, array, operand, producer, stream, axes, memory);
    }
    return result > 0 ? memory_from_interface(array, NULL, producer, axes, memory) : result;
}

int dlb_py_acquire_records(dlb_py_argument *array, const dlb_record *record, dlb_memory *memory)
{
    /* the interface of NumPy has the padding at the end of nested records, and its buffers do not */
    const int result = memory_from_interface(array, record, array->source, array->axes, memory);

    return result > 0 && PyObject_CheckBuffer(array->source) ? from_buffer(array, record, array->source, array->axes, memory) : result;
}

DLB_NOINLINE int dlb_py_check_gradient(dlb_py_state *state, PyObject *value)
{
    const dlb_py_producer *info;

    if (value == Py_None || dlb_py_is_ours(value) || dlb_py_is_plain_ndarray(state, value)) {
        return 0;
    }
    info = dlb_py_known_producer(state, Py_TYPE(value));
    if (info == NULL) {
        return 1;
    }
    return info->gradient ? dlb_py_requires_grad(state, value) : 0;
}

int dlb_py_is_borrowable(PyObject *producer)
{
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_producer info;

    if (state == NULL || dlb_py_producer_of(state, Py_TYPE(producer), &info) != 0) {
        return dlb_py_may_try_another() ? 0 : -1; /* the slow path sets the exception again */
    }
    return info.api != NULL ? info.api->dltensor_from_py_object_no_sync != NULL && !info.inherited : info.ndarray;
}

int dlb_py_may_be_array(PyObject *value)
{
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_producer info;
    int has;

    if (state == NULL || dlb_py_producer_of(state, Py_TYPE(value), &info) != 0) {
        return dlb_py_may_try_another() ? 1 : -1;
    }
    if (info.api != NULL || info.dlpack || PyObject_CheckBuffer(value) || PyCapsule_CheckExact(value)) {
        return 1;
    }
    has = dlb_py_has_dlpack(state, value);
    return has != 0 ? has : dlb_py_has_interface(value);
}

/* Releases the items of an argument that is a sequence of objects. This is a function of its own, since most arguments are not: without
 * it, the release of each argument takes more instructions. */
DLB_NOINLINE static void drop_items(dlb_py_argument *array)
{
    for (int64_t i = 0; array->items != NULL && i < array->count; i++) {
        dlb_py_drop_array(&array->items[i]);
    }
    free(array->items);
    for (int64_t i = 0; array->shares != NULL && i < array->count; i++) {
        if (array->shares[i] != NULL) {
            dlb_owner_drop(array->shares[i]);
        }
    }
    free(array->shares);
}

static void drop(void *target)
{
    dlb_py_argument *const array = target;

    if (array->items != NULL || array->shares != NULL) {
        drop_items(array);
    }
    if (array->buffer.obj != NULL) {
        dlb_py_release_buffer(&array->buffer);
    }
    dlb_py_delete_foreign(&(dlb_py_foreign){array->legacy, array->versioned, NULL, false});
    if (array->shared) {
        dlb_owner_drop(array->owner);
    }
    Py_XDECREF(array->made);
}

void dlb_py_drop_array(dlb_py_argument *array)
{
    if (array->buffer.obj != NULL || array->legacy != NULL || array->versioned != NULL || array->shared ||
        array->made != NULL) { /* `made` is not NULL if there are items: it is their tuple */
        dlb_py_quietly(drop, array);
    }
}
