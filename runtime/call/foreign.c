/* SPDX-License-Identifier: MIT-0 */
/* Takes foreign arrays and sequences as arguments. */

#include "call.h"

#include <stdlib.h>

/* Stores the next item at `index` of the tuple. One item too few or too many is an error. Returns 0, or -1 with an exception. */
static int put_item(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *iterator, PyObject *tuple,
                    Py_ssize_t index)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    PyObject *const item = PyIter_Next(iterator);

    if (PyErr_Occurred()) {
        dlb_py_discard(item);
        return -1;
    }
    if ((item == NULL) != (index == count)) {
        Py_XDECREF(item);
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' has the length %zd, and %s items", function->name,
                                dlb_py_operand_name(function, operand), count, index == count ? "more" : "fewer");
        return -1;
    }
    if (item != NULL) {
        PyTuple_SET_ITEM(tuple, index, item);
    }
    return 0;
}

/* Collects the items in a new tuple. It reads only as many items as the length reports, because an iterator may be endless. NULL with
 * an exception. */
static PyObject *iterate(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    const Py_ssize_t count = dlb_py_check_stack_of(function) == 0 ? PySequence_Size(value) : -1;
    PyObject *const iterator = count >= 0 ? PyObject_GetIter(value) : NULL;
    PyObject *tuple = iterator != NULL ? PyTuple_New(count) : NULL;

    for (Py_ssize_t i = 0; tuple != NULL && i <= count; i++) {
        if (put_item(function, operand, iterator, tuple, i) != 0) {
            dlb_py_quietly(dlb_py_decref, tuple);
            tuple = NULL;
        }
    }
    if (iterator != NULL) {
        dlb_py_quietly(dlb_py_decref, iterator);
    }
    return tuple;
}

PyObject *dlb_py_items(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    const int is_sequence = dlb_py_is_sequence(value);
    PyObject *keeper = NULL;
    const char *name;

    if (is_sequence > 0) {
        PyObject *const items =
            PyList_Check(value) || PyTuple_Check(value) ? PySequence_Tuple(value) : iterate(function, operand, value);

        if (items == NULL) {
            (void)dlb_py_name_argument(function->name, dlb_py_operand_name(function, operand));
        }
        return items;
    }
    if (is_sequence < 0) {
        (void)dlb_py_name_argument(function->name, dlb_py_operand_name(function, operand));
        return NULL;
    }
    name = dlb_py_type_as_str(value, &keeper);
    if (name != NULL) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' must be a sequence, not %s", function->name,
                                dlb_py_operand_name(function, operand), name);
    }
    Py_XDECREF(keeper);
    return NULL;
}

/* ---- Sequences of objects ---- */

/* An array, and the values of its attributes. */
typedef struct attributes_of_array {
    PyObject *value;
    long ndim;        /* -1: unknown */
    bool has_objects; /* its elements are Python objects, as those of numpy.ndarray can be */
} attributes_of_array;

/* Reads the attributes of an array. Called by dlb_py_quietly(), since an exception is pending. */
static void read_attributes(void *target)
{
    attributes_of_array *const array = target;
    PyObject *const ndim = PyObject_GetAttrString(array->value, "ndim");
    PyObject *dtype;
    PyObject *letter;

    array->ndim = ndim != NULL && PyLong_Check(ndim) ? PyLong_AsLong(ndim) : -1;
    PyErr_Clear();
    dtype = PyObject_GetAttrString(array->value, "dtype");
    letter = dtype != NULL ? PyObject_GetAttrString(dtype, "kind") : NULL;
    array->has_objects = letter != NULL && dlb_py_is_string(letter, "O");
    PyErr_Clear();
    Py_XDECREF(letter);
    Py_XDECREF(dtype);
    Py_XDECREF(ndim);
}

/* Returns whether the rows of an array have another number of axes than the items of a sequence. */
static bool have_rows_other_axes(const dlb_py_operand *operand, const attributes_of_array *array)
{
    const dlb_requirements *require;
    dlb_requirements storage;

    if (operand->type->importer == NULL) {
        return false;
    }
    require = dlb_py_requirements_of(operand, &storage);
    return array->ndim > 0 && (array->ndim - 1 < require->min_ndim || array->ndim - 1 > require->max_ndim);
}

/* Raises a TypeError instead of the exception about an item, if the argument is one array whose elements or rows cannot be items. An array
 * of Python objects is a sequence of these. Returns -1. */
static int explain_array(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    const char *const or_arrays = operand->type->importer != NULL ? " objects or arrays" : " objects";
    const bool is_about_row = PyErr_ExceptionMatches(PyExc_BufferError);
    attributes_of_array array = {value, -1, false};
    PyObject *keeper = NULL;
    const char *name;

    if (!is_about_row && !PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_NotImplementedError)) {
        return -1;
    }
    dlb_py_quietly(read_attributes, &array);
    if (array.has_objects || (is_about_row && !have_rows_other_axes(operand, &array))) {
        return -1;
    }
    name = dlb_py_type_as_str(value, &keeper);
    if (name != NULL) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' must be a sequence of %s%s, not one array (%s)", function->name,
                                   dlb_py_operand_name(function, operand), dlb_py_class_name(operand->type), or_arrays, name);
    }
    Py_XDECREF(keeper);
    return -1;
}

/* Returns whether the call needs no more of the items than their addresses or values. An imported item needs a description of its memory. */
static bool needs_shares_only(const dlb_py_operand *operand)
{
    return (operand->flags & DLB_PY_UNRETURNED) != 0 && operand->type->importer == NULL;
}

/* Returns whether an owner has nothing that C needs besides the bytes of its object, which C gets as a copy. */
static bool is_only_bytes(const dlb_owner *owner)
{
    return owner->type->only_bytes && owner->kept.let_go == NULL && !dlb_has_hooks(owner->type);
}

/* Takes an item, and returns its owner with a share, or NULL if C needs only its bytes. Copies what C gets to `element`. `item` is memory
 * for the conversion. Sets `*failed`, with an exception, on failure. */
static dlb_owner *share_item(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, PyObject *value,
                             dlb_py_argument *item, char *element, bool *failed)
{
    const unsigned allowed_flags = DLB_PY_WRITES | DLB_PY_NUMBERS | DLB_PY_SETS | DLB_PY_OPTIONAL | DLB_PY_ITEMS | DLB_PY_UNRETURNED;
    const size_t size = operand->type->value;
    dlb_owner *owner;

    if (size > 0 && dlb_py_is_ready(operand, value, allowed_flags)) {
        owner = dlb_py_data(value)->owner;
        memcpy(element, dlb_py_data(value)->object, size);
        if (is_only_bytes(owner)) {
            return NULL;
        }
        dlb_owner_keep(owner);
        return owner;
    }
    *failed = dlb_py_take_item(function, arrays, operand, value, item) != 0;
    owner = item->owner;
    if (!*failed) {
        memcpy(element, size > 0 ? item->object : (const void *)&item->object, size > 0 ? size : sizeof(void *));
    }
    if (*failed || is_only_bytes(owner)) {
        owner = NULL;
    } else { /* the share of the item stays; a Python object that was made of it is dropped */
        item->shared = 0;
    }
    dlb_py_drop_array(item);
    return owner;
}

/* Takes the items of a tuple with a share of each owner. Returns 0, or -1 with an exception. */
static int take_shares(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, PyObject *tuple,
                       dlb_py_argument *array)
{
    const size_t count = (size_t)PyTuple_GET_SIZE(tuple);
    const size_t size = operand->type->value > 0 ? operand->type->value : sizeof(void *);
    const size_t first = dlb_aligned(count * sizeof *array->shares);
    dlb_py_argument *const item = malloc(sizeof *item); /* not on the stack: converting an item can call this function again */
    bool failed = false;
    char *elements;

    array->shares = item == NULL || count > (SIZE_MAX - 16) / (sizeof *array->shares + size) ? NULL : malloc(first + count * size);
    if (array->shares == NULL) {
        free(item);
        PyErr_NoMemory();
        return -1;
    }
    elements = (char *)array->shares + first;
    array->object = elements;
    for (size_t i = 0; i < count && !failed; i++) {
        array->shares[i] = share_item(function, arrays, operand, PyTuple_GET_ITEM(tuple, (Py_ssize_t)i), item, elements + i * size, &failed);
        array->count = (int64_t)i + 1;
    }
    free(item);
    return failed ? -1 : 0;
}

/* Takes the items of a tuple as arguments of their own. Returns 0, or -1 with an exception. */
static int take_each(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, PyObject *tuple,
                     dlb_py_argument *array)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    const size_t value = operand->type->value; /* C gets the objects themselves, or pointers to them */
    const size_t size = value > 0 ? value : sizeof(void *);
    const size_t each = sizeof *array->items + size;
    char *elements;

    array->items = (size_t)count > SIZE_MAX / each ? NULL : malloc((size_t)count * each);
    if (array->items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    elements = (char *)(array->items + count);
    array->object = elements;
    for (Py_ssize_t i = 0; i < count; i++) {
        dlb_py_argument *const item = &array->items[i];

        array->count = i + 1;
        if (dlb_py_take_item(function, arrays, operand, PyTuple_GET_ITEM(tuple, i), item) != 0) {
            return -1;
        }
        if (item->owner != NULL && !item->shared) { /* taking the next item may run foreign code that closes this one */
            /* not covered: dlb_py_take_own() has taken a share of each item that is an object */
            dlb_owner_keep(item->owner);
            item->shared = 1;
        }
        memcpy(elements + (size_t)i * size, value > 0 ? item->object : (const void *)&item->object, size);
    }
    return 0;
}

int dlb_py_take_items(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, dlb_py_argument *array)
{
    const bool is_list = PyList_Check(array->source) || PyTuple_Check(array->source);
    const int is_array = is_list ? 0 : dlb_py_may_be_array(array->source);
    PyObject *const tuple = is_array >= 0 ? dlb_py_items(function, operand, array->source) : NULL;
    const Py_ssize_t count = tuple != NULL ? PyTuple_GET_SIZE(tuple) : 0;
    int result;

    array->made = tuple;
    if (tuple == NULL) { /* a memoryview of several axes has no items */
        return is_array && PyErr_ExceptionMatches(PyExc_NotImplementedError) ? explain_array(function, operand, array->source) : -1;
    }
    if (operand->count > 0 && count != operand->count) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' must have %lld items, not %zd", function->name,
                                dlb_py_operand_name(function, operand), (long long)operand->count, count);
        return -1;
    }
    if (count == 0) {
        return 0;
    }
    result = needs_shares_only(operand) ? take_shares(function, arrays, operand, tuple, array)
                                        : take_each(function, arrays, operand, tuple, array);
    return result != 0 && is_array ? explain_array(function, operand, array->source) : result;
}

/* ---- Sequences of numbers ---- */

bool dlb_py_converts_numbers(DLDataType dtype, dlb_ctype_class *ctype_class)
{
    static const dlb_ctype_class classes[] = {[kDLInt] = DLB_SIGNED, [kDLUInt] = DLB_UNSIGNED, [kDLFloat] = DLB_FLOATING};

    *ctype_class = dtype.code == kDLBool ? DLB_BOOLEAN : dtype.code <= kDLFloat ? classes[dtype.code] : DLB_OTHER;
    if (dtype.lanes != 1 || dtype.bits % 8 != 0) {
        return false;
    }
    if (*ctype_class == DLB_OTHER) {
        return dtype.code == kDLComplex && dtype.bits >= 64;
    }
    return *ctype_class != DLB_FLOATING || dtype.bits >= 32;
}

/* Returns whether the truth of a value does not depend on its content: 1 or 0, or -1 with an exception. */
static int is_always_true(PyObject *value)
{
    if (PyObject_Size(value) >= 0) {
        return 1;
    }
    return dlb_py_may_try_another() ? PyType_GetSlot(Py_TYPE(value), Py_nb_bool) == NULL : -1;
}

/* Adds the index to the message of the pending exception: "sum() argument 'x' must be ..." becomes "sum() argument 'x[2]' must be ...".
 * Returns -1. */
static int explain_item(const dlb_py_function *reads, Py_ssize_t index)
{
    char before[DLB_PY_MESSAGE_SIZE];
    char instead[DLB_PY_MESSAGE_SIZE + 24];

    dlb_write(before, sizeof before, "%s() argument '%s", reads->name, reads->params[0].name);
    dlb_write(instead, sizeof instead, "%s[%lld]", before, (long long)index);
    (void)dlb_py_replace_beginning(before, '\0', instead);
    return -1;
}

/* Copies the items of a list or tuple to the storage of the argument. Returns false if they do not fit, or need the slow path. */
static bool copy_items_fast(const dlb_py_operand *operand, PyObject *const *items, Py_ssize_t count, dlb_py_argument *array)
{
    const size_t alignment = dlb_copy_alignment(operand->require);
    const DLDataType dtype = operand->require->dtypes[0];
    dlb_param element = {NULL, DLB_OTHER, 0, (size_t)dlb_itemsize(dtype), 1, NULL, NULL};
    char *place;

    if ((operand->count != 0 && count != operand->count) || !dlb_py_converts_numbers(dtype, &element.ctype_class) || alignment > sizeof array->storage ||
        (size_t)count > (sizeof array->storage - alignment) / element.size) {
        return false;
    }
    place = dlb_next_aligned(array->storage.bytes, alignment);
    array->view.axes[0] = count;
    array->view.axes[1] = 1;
    array->view.own = (DLTensor){place, DLB_CPU, 1, dtype, array->view.axes, array->view.axes + 1, 0};
    if (dlb_check_request(operand->require, &array->view.own, "", NULL) != 0 ||
        dlb_py_copy_numbers(&element, items, count, place) != count) {
        return false;
    }
    dlb_py_take_none(array);
    array->object = place;
    array->tensor = &array->view.own;
    return true;
}

bool dlb_py_copy_sequence(const dlb_py_operand *operand, PyObject *value, dlb_py_argument *array)
{
    Py_ssize_t count;
    const bool takes_numbers = (operand->flags & DLB_PY_NUMBERS) != 0 && operand->type == NULL; /* objects need an import */
    PyObject *const *const items = takes_numbers ? dlb_py_items_of(value, &count) : NULL;

    if (items == NULL || !copy_items_fast(operand, items, count, array)) {
        return false;
    }
    array->source = value;
    return true;
}

/* Checks that the call may get `count` numbers, and allocates memory for them in `array->copy`, described in `array->view`. Returns 0,
 * or -1 with an exception. */
static int allocate_numbers(const dlb_py_function *function, const dlb_py_operand *operand, Py_ssize_t count, dlb_py_argument *array)
{
    dlb_requirements own;
    const dlb_requirements *const require = dlb_py_requirements_of(operand, &own);
    const size_t alignment = dlb_copy_alignment(require);
    const DLDataType dtype = require->dtypes[0];
    const size_t itemsize = (size_t)dlb_itemsize(dtype);
    dlb_error error;

    if (operand->count > 0 && count != operand->count) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' must have %lld element%s, not %zd", function->name,
                                dlb_py_operand_name(function, operand), (long long)operand->count,
                                operand->count == 1 ? "" : "s", count);
        return -1;
    }
    array->view.axes[0] = count;
    array->view.axes[1] = 1;
    array->view.own = (DLTensor){NULL, DLB_CPU, 1, dtype, array->view.axes, array->view.axes + 1, 0};
    if (dlb_check_request(require, &array->view.own, DLB_PY_NAMELESS, &error) != 0) {
        (void)dlb_py_raise(&error);
        return dlb_py_explain(function, operand, DLB_PY_NAMELESS);
    }
    if ((size_t)count <= (SIZE_MAX - alignment) / itemsize) {
        array->copy = malloc((size_t)count * itemsize + alignment);
    }
    if (array->copy == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    array->view.own.data = dlb_next_aligned(array->copy, alignment);
    return 0;
}

/* Copies the numbers in the tuple `array->made`, on the slow path: their conversion may run foreign code. Returns 0, or -1 with an
 * exception. */
static int copy_items_slow(const dlb_py_function *function, dlb_param *element, const dlb_py_argument *array)
{
    const dlb_py_function reads = {.name = function->name, .params = element, .count = 1};
    const bool is_complex = element->ctype_class == DLB_OTHER;

    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(array->made); i++) {
        PyObject *const number = PyTuple_GET_ITEM(array->made, i);
        char *const to = (char *)array->view.own.data + (size_t)i * element->size;
        const int always = element->ctype_class == DLB_BOOLEAN ? is_always_true(number) : 0;

        if (always < 0) {
            (void)dlb_py_name_argument(reads.name, element->name);
        } else if (always > 0) { /* for example a sequence, or an Arrow scalar */
            (void)dlb_py_refuse_type(&reads, element, number, "bool");
        }
        if (always != 0 || (is_complex ? dlb_py_read_complex(&reads, 0, &number, to, element->size / 2)
                                       : dlb_py_read_number(&reads, 0, &number, to)) != 0) {
            return explain_item(&reads, i);
        }
    }
    return 0;
}

int dlb_py_take_numbers(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    const DLDataType dtype = (operand->type != NULL ? operand->type->importer->require : operand->require)->dtypes[0];
    dlb_param element = {dlb_py_operand_name(function, operand), DLB_OTHER, 0, (size_t)dlb_itemsize(dtype), 1, NULL, NULL};
    Py_ssize_t count;
    PyObject *const *const items = dlb_py_items_of(array->source, &count);
    bool done = false;

    if (!dlb_py_converts_numbers(dtype, &element.ctype_class)) {
        char buffer[DLB_NAME_SIZE];

        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' must be an array: Python numbers are not converted to %s",
                                function->name, dlb_py_operand_name(function, operand), dlb_dtype_name(dtype, buffer));
        return -1;
    }
    if (items != NULL) {
        if (allocate_numbers(function, operand, count, array) != 0) {
            return -1;
        }
        done = dlb_py_copy_numbers(&element, items, count, array->view.own.data) == count;
    }
    if (!done) { /* converting some items runs foreign code, which may change the list */
        free(array->copy);
        array->copy = NULL;
        array->made = dlb_py_items(function, operand, array->source);
        if (array->made == NULL || allocate_numbers(function, operand, PyTuple_GET_SIZE(array->made), array) != 0 ||
            copy_items_slow(function, &element, array) != 0) {
            return -1;
        }
    }
    array->tensor = &array->view.own;
    array->object = array->view.own.data;
    DLB_CHECK(dlb_checked_numbers(array, operand));
    return 0;
}

int dlb_py_take_item(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, PyObject *value,
                     dlb_py_argument *array)
{
    dlb_py_take_nothing_yet(array);
    array->source = value;
    if (!dlb_py_is_own(operand, value) && dlb_py_take_foreign(function, arrays, operand, true, array) != 0) {
        return -1;
    }
    if (PyCapsule_CheckExact(value)) {
        array->source = dlb_py_producer_behind(value);
    }
    if (array->object != NULL || array->tensor != NULL) {
        return 0;
    }
    return dlb_py_take_own(function, arrays, operand, array, array->made != NULL ? array->made : value);
}

/* ---- One foreign argument ---- */

/* Returns whether the value is an exact list or tuple. These are never arrays, and looking for `__dlpack__` would be slow. */
static bool is_plain_sequence(PyObject *value)
{
    return PyList_CheckExact(value) || PyTuple_CheckExact(value);
}

/* Returns the fields of the elements, if the operand takes an array of records or an object that is one; else NULL. */
static const dlb_record *record_of(const dlb_py_operand *operand)
{
    return operand->type != NULL ? operand->type->record : operand->require != NULL ? operand->require->record : NULL;
}

/* Returns whether the operand takes the bytes of the value, which has a buffer. */
static bool takes_bytes(const dlb_py_operand *operand, PyObject *value)
{
    return (operand->flags & DLB_PY_BYTES) != 0 && operand->require->max_ndim > 0 && PyObject_CheckBuffer(value);
}

/* Returns whether the function may write to a copy, which the runtime copies back to the source after the call. */
static bool may_write_back(const dlb_py_operand *operand)
{
    const dlb_factory *const importer = operand->type != NULL ? operand->type->importer : NULL;

    return (operand->flags & DLB_PY_WRITES) != 0 && ((importer != NULL && importer->require->copy != DLB_COPY_NEVER) ||
                                                     (operand->require != NULL && operand->require->copy != DLB_COPY_NEVER));
}

/* Returns whether the result may refer to the struct and the memory of the argument, so that a temporary would be freed too early. An
 * argument that may be copied does not count: its copy ends with the call. */
static bool may_be_referred_to(const dlb_py_operand *operand)
{
    return (operand->flags & (DLB_PY_REFERRED | DLB_PY_KEPT)) == DLB_PY_REFERRED && !may_write_back(operand);
}

/* Imports a sequence of numbers as a Python object, which owns a copy of them. Stores a new reference in `array->made`. Returns 0, or -1
 * with an exception. */
static int import_numbers(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    dlb_py_import_options options = {NULL, NULL, NULL, NULL, NULL, (operand->flags & DLB_PY_WRITES) != 0, false};
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_memory memory = {.tensor = &array->view.own, .let_go = free};
    dlb_py_foreign from = {NULL, NULL, &memory, false};

    if (state == NULL || dlb_py_take_numbers(function, operand, array) != 0) {
        return -1;
    }
    memory.keeper = array->copy;
    array->copy = NULL;
    array->tensor = NULL;
    array->object = NULL;
    dlb_py_discard(array->made); /* the tuple of the numbers */
    array->made = dlb_py_import(state, operand->type, &from, &options);
    return array->made != NULL ? 0 : dlb_py_explain(function, operand, operand->type->name);
}

/* Returns the requirements on an array that is imported: those of the operand and of the importer, or NULL for those of the importer.
 * `storage` stores them. An import copies nothing back, so an array that C writes to is neither copied, unless the class always does, nor
 * converted. An array that C only reads may be read-only, unless the library stores it: its object, and each result that shows it, is then
 * read-only. */
static const dlb_requirements *import_requirements(const dlb_py_operand *operand, dlb_requirements *storage)
{
    const bool writes = (operand->flags & DLB_PY_WRITES) != 0;
    const dlb_requirements *base;

    if (operand->type == NULL) {
        return NULL;
    }
    base = operand->type->importer->require;
    if (may_be_referred_to(operand) || (!writes && operand->require != NULL && operand->type->importer->param_count > 0)) {
        return dlb_py_requirements_of(operand, storage);
    }
    if (!writes && (operand->flags & DLB_PY_UNSTORED) != 0) {
        *storage = *base;
        storage->layout = (storage->layout & ~(unsigned)DLB_WRITABLE) | DLB_NO_OVERLAP; /* as dlb_py_requirements_of() does */
        return storage;
    }
    if (!writes || (base->copy != DLB_COPY_ALLOWED && base->cast == DLB_CAST_NEVER)) {
        return NULL;
    }
    *storage = *base;
    storage->copy = base->copy == DLB_COPY_ALLOWED ? DLB_COPY_NEVER : base->copy;
    storage->cast = DLB_CAST_NEVER;
    return storage;
}

/* Returns whether the import gets params from the call, or cannot do without them. */
static bool needs_params(const dlb_py_operand *operand)
{
    const dlb_factory *const importer = operand->type != NULL ? operand->type->importer : NULL;
    bool needs = operand->source_count > 0;

    for (size_t i = 0; importer != NULL && i < importer->param_count; i++) {
        needs = needs || importer->params[i].required;
    }
    return needs;
}

/* Imports the argument with the params that the other arguments give. Stores a new reference in `array->made`. Returns 0, or -1 with an
 * exception. */
static int import_with_params(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                              dlb_py_import_options *options, dlb_py_argument *array)
{
    dlb_py_params params;
    int result = dlb_py_params_of_import(function, arrays, operand, array->source, dlb_py_take_foreign, &params);

    if (result == 0) {
        options->params = params.values;
        options->kept = params.kept;
        options->strings = params.strings;
        array->made = dlb_py_import_argument(operand->type, array->source, options);
        params.strings = options->strings;
        result = array->made != NULL ? 0 : dlb_py_explain(function, operand, operand->type->name);
    }
    dlb_py_free_params(&params);
    return result;
}

/* Imports the argument as a Python object, for an array that must outlive the call, or a library that runs code when the array is
 * released. Stores a new reference in `array->made`. Returns 0, or -1 with an exception. */
static int import_object(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                         dlb_py_argument *array)
{
    const dlb_type *const type = operand->type != NULL ? operand->type : operand->array;
    dlb_py_import_options options = {NULL, NULL, NULL, NULL, NULL, false, false};
    const int is_array = is_plain_sequence(array->source) ? 0 : dlb_py_may_be_array(array->source);
    dlb_py_stream stream;
    dlb_requirements storage;
    dlb_py_state *state;

    DLB_CHECK(dlb_checked_imports(operand));
    if (is_array <= 0) {
        const int numbers = is_array < 0 ? -1 : (operand->flags & DLB_PY_NUMBERS) != 0 ? dlb_py_is_sequence(array->source) : 0;

        if (numbers == 0) {
            return dlb_py_refuse_argument(function, operand, array->source);
        }
        return numbers > 0 ? import_numbers(function, operand, array)
                           : dlb_py_name_argument(function->name, dlb_py_operand_name(function, operand));
    }
    if ((operand->flags & DLB_PY_RECORDS) != 0) {
        array->made = dlb_py_from_records(dlb_py_imported_state(), type, record_of(operand), array->source, &options);
    } else if (takes_bytes(operand, array->source) && operand->require->min_ndim <= 1) {
        state = dlb_py_imported_state();
        array->made = state != NULL ? dlb_py_from_buffer(state, type, array->source, true, &options) : NULL;
    } else {
        if (dlb_py_stream_of_call(function, arrays, &stream, &options.stream) != 0) {
            return -1;
        }
        options.require = import_requirements(operand, &storage);
        options.written = (operand->flags & DLB_PY_WRITES) != 0;
        if (needs_params(operand)) {
            return import_with_params(function, arrays, operand, &options, array);
        }
        array->made = dlb_py_import_argument(type, array->source, &options);
    }
    return array->made != NULL ? 0 : dlb_py_explain(function, operand, type->name);
}

/* Returns whether the memory must be held, not only borrowed. A borrowed view becomes invalid as soon as other Python code runs. It
 * also cannot serve an argument that is read again after the call. */
static bool must_own(const dlb_py_function *function, const dlb_py_operand *operand)
{
    return function->holds || DLB_PY_FREE_THREADED || (operand->flags & DLB_PY_ITEMS) != 0 ||
           may_write_back(operand);
}

/* Returns whether the argument needs an object of a generated class, because no temporary can stand for it. */
static bool must_import(const dlb_py_operand *operand)
{
    return (operand->flags & DLB_PY_KEPT) != 0 || may_be_referred_to(operand) ||
           (operand->type != NULL && (!dlb_can_be_temporary(operand->type) || operand->type->importer->box > DLB_PY_STORAGE));
}

/* Returns whether the import of the argument works on a stream, on which the array must be. */
static bool has_stream(const dlb_py_operand *operand)
{
    return operand->type != NULL && operand->type->importer != NULL && operand->type->importer->stream != NULL;
}

/* Returns whether the argument can be borrowed for the call, after all other arguments, 1 or 0; or -1 with an exception. */
static int is_temporary(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    if (dlb_py_takes_objects_only(operand) || must_own(function, operand) || must_import(operand) || has_stream(operand) ||
        (operand->flags & DLB_PY_BYTES) != 0 || record_of(operand) != NULL) {
        return 0;
    }
    return dlb_py_is_borrowable(value);
}

static int convert_memory(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_memory *memory,
                          dlb_py_argument *array)
{
    dlb_error error;

    return dlb_py_convert(array, operand, memory, &error) == 0 ? 0 : dlb_py_refuse(function, operand, &error);
}

/* Takes an array of records. Returns 0, or -1 with an exception. */
static int take_records(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    dlb_memory memory;
    const int result = PyType_Check(array->source) ? 1 : dlb_py_acquire_records(array, record_of(operand), &memory);

    if (result > 0) {
        return dlb_py_refuse_argument(function, operand, array->source);
    }
    return result < 0 ? dlb_py_explain(function, operand, DLB_PY_NAMELESS) : convert_memory(function, operand, &memory, array);
}

/* Takes an argument that is neither an object of the operand's class nor the members of one. Returns 0, or -1 with an exception. */
static int take_array(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, bool owned,
                      dlb_py_argument *array)
{
    const dlb_py_stream *stream;
    dlb_py_stream storage;
    dlb_memory memory;
    int result;

    if (dlb_py_takes_objects_only(operand)) {
        return operand->type->external != NULL ? dlb_py_take_external(function, operand, array)
                                               : dlb_py_refuse_argument(function, operand, array->source);
    }
    if (must_import(operand)) {
        return import_object(function, arrays, operand, array);
    }
    if (record_of(operand) != NULL) {
        return take_records(function, operand, array);
    }
    result = takes_bytes(operand, array->source) ? dlb_py_acquire_bytes(array, operand->require, &memory) : 1;
    if (result > 0 && !is_plain_sequence(array->source)) {
        if (dlb_py_stream_of_call(function, arrays, &storage, &stream) != 0) {
            return -1;
        }
        if (stream == NULL && has_stream(operand)) {
            const int streams = dlb_py_stream_of_import(operand->type->importer, NULL, &storage);

            if (streams < 0) {
                return -1; /* not covered: params of more than 256 bytes, and no memory */
            }
            stream = streams > 0 ? &storage : NULL;
        }
        result = dlb_py_acquire(array, operand, owned, stream, array->axes, &memory);
    }
    if (result < 0 && PyType_Check(array->source) && PyErr_ExceptionMatches(PyExc_TypeError)) { /* only instances have it */
        PyErr_Clear();
        return dlb_py_refuse_argument(function, operand, array->source);
    }
    if (result < 0) {
        return dlb_py_explain(function, operand, DLB_PY_NAMELESS);
    }
    if (result > 0) {
        const int numbers = (operand->flags & DLB_PY_NUMBERS) != 0 ? dlb_py_is_sequence(array->source) : 0;

        if (numbers == 0) {
            return dlb_py_refuse_argument(function, operand, array->source);
        }
        return numbers > 0 ? dlb_py_take_numbers(function, operand, array)
                           : dlb_py_name_argument(function->name, dlb_py_operand_name(function, operand));
    }
    return convert_memory(function, operand, &memory, array);
}

int dlb_py_take_foreign(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, bool owned,
                        dlb_py_argument *array)
{
    const int result = operand->members != NULL ? dlb_py_take_members(function, operand, array) : 1;

    return result <= 0 ? result : take_array(function, arrays, operand, owned, array);
}

/* ---- All foreign arguments ---- */

/* Takes a deferred argument that cannot be borrowed. `result` is 1 if `__dlpack__` must be called, or -1 if an exception is pending.
 * Returns 0, or -1 with an exception. */
static int take_deferred(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, int result,
                         dlb_py_argument *array)
{
    if (result < 0) {
        return dlb_py_explain(function, operand, DLB_PY_NAMELESS);
    }
    array->waiting = 0;
    return dlb_py_take_foreign(function, arrays, operand, true, array);
}

/* Borrows the deferred arguments. Calling `__dlpack__` can invalidate earlier borrows, so the loop starts over after such a call.
 * Returns 0, or -1 with an exception. */
static int borrow_all(const dlb_py_function *function, dlb_py_argument *arrays)
{
    dlb_py_state *const state = dlb_py_imported_state();

    if (state == NULL) {
        return -1; /* not covered: no argument waits without a state */
    }
    for (int i = 0; i < function->operand_count; i++) {
        dlb_py_argument *const array = &arrays[i];
        const bool writes = (function->operands[i].flags & DLB_PY_WRITES) != 0;
        const int result = array->waiting && writes ? dlb_py_check_gradient(state, array->source) : 0;

        if (result != 0 && take_deferred(function, arrays, &function->operands[i], result, array) != 0) {
            return -1;
        }
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        dlb_py_argument *const array = &arrays[i];
        int result;

        if (!array->waiting) {
            continue;
        }
        result = dlb_py_borrow(state, array->source, NULL, array);
        if (result != 0) {
            if (take_deferred(function, arrays, operand, result, array) != 0) {
                return -1;
            }
            i = -1;
        }
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_memory memory = {.tensor = &arrays[i].borrowed, .flags = arrays[i].flags};

        if (arrays[i].waiting && convert_memory(function, &function->operands[i], &memory, &arrays[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Checks the stack before the first argument that may run foreign code. Returns 0, or -1 with an exception that names the argument. */
DLB_COLD static int check_stack_of_argument(const dlb_py_function *function, const dlb_py_operand *operand)
{
    return dlb_py_check_stack_of(function) == 0 ? 0 : dlb_py_name_argument(function->name, dlb_py_operand_name(function, operand));
}

/* Defers borrowing to the end: calling `__dlpack__` of one argument can run code that invalidates the borrowed memory of another. */
int dlb_py_take_foreign_arguments(const dlb_py_function *function, dlb_py_argument *arrays)
{
    char here;
    bool is_checked = dlb_py_is_stack_ample_for(function, (uintptr_t)&here);
    int waiting = 0;

    DLB_ASSERT_(sizeof(dlb_py_argument) <= DLB_PY_STACK_PER_ARRAY, "DLB_PY_STACK_PER_ARRAY is smaller than an argument");
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        dlb_py_argument *const array = &arrays[i];
        int result = 0;
        int temporary = 0;

        if (array->source == NULL || dlb_py_is_own_argument(operand, array->source)) {
            continue;
        }
        if (DLB_UNLIKELY(!is_checked) && check_stack_of_argument(function, operand) != 0) {
            return -1;
        }
        is_checked = true; /* all arguments are taken at about this depth */
        if ((operand->flags & DLB_PY_ITEMS) == 0 && function->operand_count > 1) {
            temporary = is_temporary(function, operand, array->source);
        }
        if ((operand->flags & DLB_PY_ITEMS) != 0) {
            result = dlb_py_take_items(function, arrays, operand, array);
        } else if (temporary < 0) {
            result = dlb_py_explain(function, operand, DLB_PY_NAMELESS);
        } else if (temporary > 0) {
            array->waiting = 1;
            waiting = 1;
        } else {
            if (array->made == NULL) { /* else the import of another argument needed the object */
                result = dlb_py_take_foreign(function, arrays, operand, function->operand_count > 1 || must_own(function, operand), array);
            }
            if (PyCapsule_CheckExact(array->source)) {
                array->source = dlb_py_producer_behind(array->source);
            }
        }
        if (result != 0) {
            return -1;
        }
    }
    return waiting ? borrow_all(function, arrays) : 0;
}
