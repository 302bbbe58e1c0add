/* SPDX-License-Identifier: MIT-0 */
/* Finds how well each of several C functions with the same name in Python takes the arguments of a call. */

#include "choice.h"

/* ---- Number and names of the arguments ---- */

bool dlb_py_place_keywords(const dlb_py_choice *call, const dlb_py_function *function)
{
    for (int i = 0; i < function->count; i++) {
        call->described[i].position = i < call->nargs ? i : -1;
    }
    for (Py_ssize_t k = 0; call->nargs + k < call->count; k++) {
        int index = function->positional_only;

        while (index < function->count &&
               !dlb_py_is_string(PyTuple_GET_ITEM(call->kwnames, k), function->params[index].name)) {
            index++;
        }
        if (index == function->count || call->described[index].position >= 0) {
            return false;
        }
        call->described[index].position = call->nargs + k;
    }
    return true;
}

/* Returns whether the function takes arguments of this number and with these names. */
static inline bool takes_count(const dlb_py_choice *call, const dlb_py_function *function)
{
    if (call->nargs > function->positional || call->count > function->count ||
        (call->kwnames != NULL && !dlb_py_place_keywords(call, function))) {
        return false;
    }
    for (int i = (int)call->nargs; i < function->count; i++) {
        if (function->params[i].required && dlb_py_position_of(call, i) < 0) {
            return false;
        }
    }
    return true;
}

/* ---- Arrays ---- */

/* Describes an object of a generated class. An object that is closed, or that cannot be described now, counts as unknown. */
static void describe_object(PyObject *value, dlb_py_described *described)
{
    dlb_owner *const owner = dlb_py_enter_quietly(value);
    dlb_error error;
    dlb_view view;

    described->state = DLB_PY_UNKNOWN_ARRAY;
    if (owner == NULL) {
        return;
    }
    if (dlb_py_data(value)->type->describe == NULL) {
        described->state = DLB_PY_NO_ARRAY;
    } else if (dlb_owner_view(owner, &view, &error) == 0) {
        described->state = DLB_PY_ARRAY;
        described->dtype = view.tensor->dtype;
        described->ndim = view.tensor->ndim;
    }
    dlb_py_leave(value, owner);
}

/* Describes the tensor of a DLPack capsule, and leaves it there. Another capsule counts as unknown: the function refuses it. */
static void describe_capsule(PyObject *capsule, dlb_py_described *described)
{
    const bool versioned = PyCapsule_IsValid(capsule, "dltensor_versioned");
    const DLTensor *tensor;

    described->state = DLB_PY_UNKNOWN_ARRAY;
    if (!versioned && !PyCapsule_IsValid(capsule, "dltensor")) {
        return;
    }
    if (versioned) {
        const DLManagedTensorVersioned *const managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");

        if (managed->version.major != DLB_VERSION_MAJOR) {
            return;
        }
        tensor = &managed->dl_tensor;
    } else {
        tensor = &((const DLManagedTensor *)PyCapsule_GetPointer(capsule, "dltensor"))->dl_tensor;
    }
    described->state = DLB_PY_ARRAY;
    described->dtype = tensor->dtype;
    described->ndim = tensor->ndim;
}

/* Stores a tensor that the producer returned, since another call of __dlpack__() might copy or fail. Returns 0, or -1 with an exception. */
static int store_answer(dlb_py_choice *call, dlb_py_argument *array, bool readonly, dlb_py_described *described)
{
    const dlb_py_foreign tensor = {array->legacy, array->versioned, NULL, readonly};

    if (array->legacy == NULL && array->versioned == NULL) {
        return 0;
    }
    described->answer = dlb_py_store_answer(array->source, &tensor);
    if (described->answer == NULL) {
        return -1;
    }
    array->legacy = NULL;
    array->versioned = NULL;
    call->has_answers = true;
    return 0;
}

/* Describes an array of another library, or finds that `value` is not an array. Returns 0, or -1 with an exception. */
DLB_NOINLINE static int describe_foreign(dlb_py_choice *call, const dlb_py_operand *operand, PyObject *value,
                                         dlb_py_described *described)
{
    dlb_py_argument array;
    dlb_memory memory;
    int result;

    if (PyCapsule_CheckExact(value)) {
        describe_capsule(value, described);
        return 0;
    }
    described->state = DLB_PY_NO_ARRAY;
    if (PyList_Check(value) || PyTuple_Check(value) || PyUnicode_Check(value) || PyLong_Check(value) || PyFloat_CheckExact(value) ||
        PyComplex_CheckExact(value) || PyType_Check(value)) {
        return 0;
    }
    dlb_py_take_nothing_yet(&array);
    array.source = value;
    result = dlb_py_acquire(&array, operand, false, NULL, array.axes, &memory);
    if (result == 0) {
        described->state = DLB_PY_ARRAY;
        described->has_streams = dlb_py_has_streams(memory.tensor->device.device_type);
        described->is_managed = memory.tensor->device.device_type == kDLCUDAManaged;
        described->dtype = dlb_has_bytes(&memory) ? memory.elements.dtype : memory.tensor->dtype;
        described->ndim = memory.tensor->ndim - dlb_has_bytes(&memory);
        described->swapped = memory.elements.swapped;
        result = store_answer(call, &array, (memory.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0, described);
    }
    dlb_py_drop_array(&array);
    return result < 0 ? -1 : 0;
}

/* Describes a value, unless it has been described. Returns 0, or -1 with an exception. */
static inline int describe_value(dlb_py_choice *call, const dlb_py_operand *operand, PyObject *value, dlb_py_described *described)
{
    dlb_py_state *state;
    DLTensor tensor;
    uint64_t flags;
    int64_t axes[2 * DLB_MAX_NDIM];

    if (described->state != DLB_PY_NOT_DESCRIBED) {
        return 0;
    }
    described->swapped = false;
    if (dlb_py_is_ours(value)) {
        describe_object(value, described);
        return 0;
    }
    state = dlb_py_imported_state();
    if (state == NULL) {
        return -1;
    }
    if (!DLB_PY_FREE_THREADED && dlb_py_is_plain_ndarray(state, value) && dlb_py_read_ndarray(state, value, &tensor, &flags, axes)) {
        described->state = DLB_PY_ARRAY;
        described->dtype = tensor.dtype;
        described->ndim = tensor.ndim;
        return 0;
    }
    return describe_foreign(call, operand, value, described);
}

/* Returns whether a value that cannot be described as an array is a number. If it is, clears the pending exception. If another exception
 * must reach the caller, it replaces the pending one. */
static bool is_number_still(PyObject *value)
{
    dlb_py_exception pending;
    int kind;

    if (dlb_py_is_final() || !PyNumber_Check(value)) {
        return false;
    }
    pending = dlb_py_fetch();
    kind = dlb_py_number_kind(value);
    if (kind == DLB_PY_NO_NUMBER) {
        dlb_py_restore(&pending);
        return false;
    }
    dlb_py_forget_exception(&pending);
    return kind > DLB_PY_NO_NUMBER;
}

/* Describes the argument at a position, unless it has been described. Returns its description, or NULL with an exception. */
static inline const dlb_py_described *describe_argument(dlb_py_choice *call, const dlb_py_function *function, const dlb_py_operand *operand,
                                               Py_ssize_t position)
{
    dlb_py_described *const described = &call->described[position];

    if (DLB_LIKELY(describe_value(call, operand, call->args[position], described) == 0)) {
        return described;
    }
    if (is_number_still(call->args[position])) { /* for example a tensor of rank 0 that requires grad */
        described->state = DLB_PY_UNKNOWN_ARRAY;
        return described;
    }
    (void)dlb_py_explain(function, operand, DLB_PY_NAMELESS);
    return NULL;
}

static bool has_rank(const dlb_requirements *require, int32_t ndim)
{
    return ndim >= require->min_ndim && ndim <= require->max_ndim;
}

/* ---- Sequences ---- */

/* Returns the kind of an argument that may be a number, or -1 with an exception. The description of an array has its kind. */
static int kind_of_argument(const dlb_py_described *described, PyObject *value)
{
    if (described->state != DLB_PY_ARRAY || !PyNumber_Check(value)) {
        return dlb_py_number_kind(value);
    }
    if (described->ndim != 0) {
        return DLB_PY_NO_NUMBER;
    }
    switch (described->dtype.code) {
    case kDLBool:
        return DLB_PY_BOOL;
    case kDLInt:
    case kDLUInt:
        return PyIndex_Check(value) ? DLB_PY_INTEGER : DLB_PY_REAL;
    case kDLComplex:
        return DLB_PY_COMPLEX;
    default:
        return DLB_PY_REAL;
    }
}

/* Reads an argument as a number, unless it has been read. Returns DLB_PY_ONE_NUMBER, another state, or -1 with an exception. */
static int read_number(dlb_py_choice *call, Py_ssize_t position)
{
    dlb_py_described *const described = &call->described[position];
    PyObject *const value = call->args[position];

    if (described->numbers_state == DLB_PY_NOT_READ) {
        const int state = dlb_py_describe_number(value, kind_of_argument(described, value), &described->numbers);

        if (state < 0) {
            return -1;
        }
        described->numbers_state = (int8_t)state;
    }
    return described->numbers_state;
}

/* Reads an argument as a sequence of numbers, unless it has been read. Returns DLB_PY_SEQUENCE, another state, or -1 with an exception. */
static int read_sequence(dlb_py_choice *call, const dlb_py_function *function, const dlb_py_operand *operand, Py_ssize_t position)
{
    dlb_py_described *const described = &call->described[position];
    PyObject *const value = call->args[position];
    const bool is_builtin = PyList_CheckExact(value) || PyTuple_CheckExact(value);
    PyObject *items = NULL;
    int state = is_builtin && described->numbers_state == DLB_PY_NOT_READ ? DLB_PY_NOT_ONE_NUMBER : read_number(call, position);

    if (state == DLB_PY_NOT_ONE_NUMBER) {
        state = dlb_py_describe_sequence(function, operand, value, &described->numbers, &items);
    }
    if (state >= 0) {
        described->numbers_state = (int8_t)state;
    }
    if (state == DLB_PY_SEQUENCE && items != NULL && described->answer == NULL) {
        described->answer = items;
        call->has_answers = true;
    } else {
        dlb_py_discard(items);
    }
    return state;
}

/* Returns whether all integers fit an integer type. */
static bool fit_integer(const dlb_py_numbers *numbers, bool is_signed, unsigned bits)
{
    const int64_t maximum = INT64_MAX >> (64 - bits);

    if ((numbers->losses & DLB_PY_LOST_IN_INTEGERS) != 0) {
        return false;
    }
    return is_signed ? numbers->most <= (uint64_t)maximum && numbers->least >= -maximum - 1
                     : numbers->most <= UINT64_MAX >> (64 - bits) && numbers->least >= 0;
}

/* Returns whether a floating-point type would round an integer. */
static bool rounds(const dlb_py_numbers *numbers, bool is_float32)
{
    return (numbers->losses & (unsigned)(is_float32 ? DLB_PY_LOST_IN_FLOAT32 : DLB_PY_LOST_IN_FLOAT64)) != 0;
}

/* Returns how well elements of an integer dtype replace a sequence of numbers. */
static int fit_of_integers(const dlb_py_numbers *numbers, DLDataType dtype)
{
    const bool needs_unsigned = numbers->most > INT64_MAX && numbers->least >= 0;
    const bool preferred = dtype.bits == 64 && needs_unsigned == (dtype.code == kDLUInt);

    if (numbers->kind > DLB_PY_INTEGER) {
        return FIT_REFUSED;
    }
    if (!fit_integer(numbers, dtype.code == kDLInt, dtype.bits)) {
        return FIT_OUT_OF_RANGE;
    }
    return preferred && numbers->kind != DLB_PY_NO_NUMBER ? FIT_PREFERRED_LIST : FIT_OTHER_LIST;
}

/* Returns how well elements of a floating-point or complex dtype replace a sequence of numbers. */
static int fit_of_floats(const dlb_py_numbers *numbers, DLDataType dtype)
{
    const bool is_complex = dtype.code == kDLComplex;
    const bool is_float32 = dtype.bits == (is_complex ? 64 : 32);
    const bool is_float64 = !is_complex && dtype.bits == 64;
    const bool is_preferred = numbers->kind == DLB_PY_COMPLEX ? is_complex && dtype.bits == 128
                                                              : is_float64 && (numbers->kind == DLB_PY_REAL || numbers->kind == DLB_PY_NO_NUMBER);

    if (numbers->kind == DLB_PY_COMPLEX && !is_complex) {
        return FIT_REFUSED;
    }
    if (is_float32 && (numbers->losses & DLB_PY_BEYOND_FLOAT32) != 0) {
        return FIT_OUT_OF_RANGE;
    }
    if (rounds(numbers, is_float32)) {
        return FIT_ROUNDED;
    }
    return is_preferred ? FIT_PREFERRED_LIST : is_float64 ? FIT_FLOAT64_LIST : FIT_OTHER_LIST;
}

/* Returns how well an array of the dtype replaces a sequence of numbers. NumPy's dtype of no numbers is float64. */
static int fit_of_numbers(const dlb_py_numbers *numbers, DLDataType dtype)
{
    dlb_ctype_class ctype_class;

    if (!dlb_py_converts_numbers(dtype, &ctype_class)) {
        return FIT_REFUSED;
    }
    switch (ctype_class) {
    case DLB_BOOLEAN:
        return numbers->kind == DLB_PY_BOOL                                      ? FIT_BOOL_LIST
               : numbers->kind > DLB_PY_INTEGER || !fit_integer(numbers, false, 1) ? FIT_REFUSED
                                                                                 : FIT_OTHER_LIST;
    case DLB_SIGNED:
    case DLB_UNSIGNED:
        return fit_of_integers(numbers, dtype);
    default:
        return fit_of_floats(numbers, dtype);
    }
}

/* Returns how well an argument fits a class of another module. */
static int fit_of_external(const dlb_type *type, PyObject *value)
{
    const int result = dlb_py_is_external(type, value);

    return result < 0 ? FIT_FAILED : result > 0 ? FIT_EXACT : FIT_REFUSED;
}

/* Returns how well an array fits requirements. */
static inline DLB_ALWAYS_INLINE int fit_of_described(const dlb_requirements *require, const dlb_py_described *described)
{
    DLDataType dtype;

    if (require == NULL || (has_rank(require, described->ndim) && dlb_py_accepts(require, described))) {
        return FIT_EXACT;
    }
    return has_rank(require, described->ndim) && require->cast != DLB_CAST_NEVER && dlb_find_cast(require, described->dtype, described->swapped, &dtype)
               ? FIT_CAST
               : FIT_REFUSED;
}

/* Returns the items of an argument as a new list, for which the answers of producers can be stored; or NULL with an exception. */
static PyObject *list_of_items(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    PyObject *const items = dlb_py_items(function, operand, value);
    PyObject *const list = items != NULL ? PySequence_List(items) : NULL;

    dlb_py_discard(items);
    return list;
}

/* Stores the items of an argument, and allocates a description for each item. Returns 0, or -1 with an exception. */
static int store_items(dlb_py_choice *call, const dlb_py_function *function, const dlb_py_operand *operand, Py_ssize_t position)
{
    dlb_py_described *const described = &call->described[position];
    PyObject *const list = list_of_items(function, operand, call->args[position]);
    const size_t count = list != NULL ? (size_t)PyList_Size(list) : 0;

    if (list == NULL) {
        return -1;
    }
    described->items = PyMem_Calloc(count + 1, sizeof *described->items);
    if (described->items == NULL) {
        Py_DECREF(list);
        PyErr_NoMemory();
        return -1;
    }
    dlb_py_discard(described->answer);
    described->answer = list;
    described->has_items = true;
    call->has_answers = true;
    return 0;
}

/* Returns how well a sequence of numbers, an item of a list, fits an array of the requirements. */
/* not covered: no list of objects accepts sequences of numbers as its items */
static int fit_of_item_numbers(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_requirements *require,
                               PyObject *item)
{
    dlb_py_numbers numbers;
    PyObject *items;
    const int state = dlb_py_describe_sequence(function, operand, item, &numbers, &items);

    /* not covered: no list of objects accepts sequences of numbers as its items */
    dlb_py_discard(items);
    return state < 0 ? FIT_FAILED : state == DLB_PY_SEQUENCE ? fit_of_numbers(&numbers, require->dtypes[0]) : FIT_REFUSED;
}

/* Returns whether a value must be described as an array to find how well it fits a class: it is neither an object of the class nor the
 * members of one, and the class accepts arrays. Otherwise stores the fit. */
static inline bool needs_array(const dlb_py_operand *operand, PyObject *value, int *fit)
{
    int has_members;

    if (dlb_py_is_ours(value) && dlb_py_data(value)->type == operand->type) {
        *fit = FIT_EXACT;
        return false;
    }
    has_members = operand->members != NULL ? dlb_py_may_have_members(operand, value) : 0;
    if (has_members != 0) {
        *fit = has_members < 0 ? FIT_FAILED : FIT_OTHER_LIST;
        return false;
    }
    if (dlb_py_takes_objects_only(operand)) {
        *fit = operand->type->external != NULL ? fit_of_external(operand->type, value) : FIT_REFUSED;
        return false;
    }
    return true;
}

/* Returns how well the item at an index of the stored list fits. */
static int fit_of_item(dlb_py_choice *call, const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_described *described,
                       Py_ssize_t index)
{
    PyObject *const item = PyList_GetItem(described->answer, index);
    dlb_py_described *const each = &described->items[index];
    dlb_requirements storage;
    const dlb_requirements *require;
    int fit;

    if (!needs_array(operand, item, &fit)) {
        return fit;
    }
    require = dlb_py_requirements_of(operand, &storage);
    if (describe_value(call, operand, item, each) != 0) {
        (void)dlb_py_explain(function, operand, DLB_PY_NAMELESS);
        return FIT_FAILED;
    }
    if (each->answer != NULL) { /* the producer need not be called again */
        PyObject *const answer = each->answer;

        each->answer = NULL;
        described->has_streams = described->has_streams || each->has_streams;
        described->is_managed = described->is_managed || each->is_managed;
        if (PyList_SetItem(described->answer, index, answer) != 0) {
            return FIT_FAILED; /* not covered: nobody else has the list */
        }
    }
    if (each->state == DLB_PY_ARRAY) {
        fit = fit_of_described(require, each);
        return fit == FIT_EXACT && dlb_py_is_ours(item) ? FIT_AS_ARRAY : fit;
    }
    if (each->state == DLB_PY_UNKNOWN_ARRAY) {
        return FIT_UNKNOWN;
    }
    return (operand->flags & DLB_PY_NUMBERS) != 0 ? fit_of_item_numbers(function, operand, require, item) : FIT_REFUSED;
}

/* Returns how well a sequence with arrays fits: as well as the worst of its items. */
static int fit_of_each_item(dlb_py_choice *call, const dlb_py_function *function, const dlb_py_operand *operand, Py_ssize_t position)
{
    dlb_py_described *const described = &call->described[position];
    int worst = FIT_EXACT;

    if (dlb_py_takes_objects_only(operand) && operand->members == NULL) {
        return FIT_REFUSED;
    }
    if (!described->has_items && store_items(call, function, operand, position) != 0) {
        return dlb_py_may_try_another() ? FIT_UNKNOWN : FIT_FAILED;
    }
    for (Py_ssize_t i = 0; i < PyList_Size(described->answer) && worst < FIT_REFUSED; i++) {
        const int fit = fit_of_item(call, function, operand, described, i);

        worst = fit > worst ? fit : worst;
    }
    return worst;
}

/* Returns how well a sequence of objects fits. An object of the class decides if it is the first item of a list; else all items do. */
static int fit_of_items(dlb_py_choice *call, const dlb_py_function *function, const dlb_py_operand *operand, Py_ssize_t position)
{
    PyObject *const value = call->args[position];
    const bool is_builtin = PyList_CheckExact(value) || PyTuple_CheckExact(value);
    int fit = FIT_UNKNOWN;
    PyObject *first;

    if (!is_builtin) {
        const int is_array = dlb_py_may_be_array(value);
        const int is_sequence = is_array < 0 ? -1 : is_array > 0 ? 0 : dlb_py_is_sequence(value);

        if (is_sequence <= 0) {
            return is_sequence < 0 ? FIT_FAILED : FIT_REFUSED;
        }
        return operand->type->external != NULL ? FIT_UNKNOWN : fit_of_each_item(call, function, operand, position);
    }
    first = PySequence_Size(value) > 0 ? PySequence_GetItem(value, 0) : NULL;
    if (first == NULL) {
        return !PyErr_Occurred() || dlb_py_may_try_another() ? FIT_UNKNOWN : FIT_FAILED;
    }
    if (operand->type->external != NULL) {
        fit = fit_of_external(operand->type, first);
    } else if (dlb_py_is_ours(first) && dlb_py_data(first)->type == operand->type) {
        fit = FIT_EXACT;
    } else {
        fit = fit_of_each_item(call, function, operand, position);
    }
    Py_DECREF(first);
    return fit;
}

/* ---- Arguments ---- */

/* Returns whether an argument is an array of the records that the operand takes. */
static int fit_of_records(const dlb_py_operand *operand, PyObject *value)
{
    dlb_py_argument array;
    dlb_memory memory;
    int result;

    dlb_py_take_nothing_yet(&array);
    array.source = value;
    result = PyType_Check(value) ? 1 : dlb_py_acquire_records(&array, operand->require->record, &memory);
    if (result == 0) {
        result = has_rank(operand->require, memory.tensor->ndim - dlb_has_bytes(&memory)) ? 0 : 1;
    }
    dlb_py_drop_array(&array);
    if (result < 0) {
        return dlb_py_may_try_another() ? FIT_REFUSED : FIT_FAILED;
    }
    return result == 0 ? FIT_EXACT : FIT_REFUSED;
}

/* Returns how well an array of rank 0 fits that would otherwise fit as `fit`: a number is better passed to an alternative that takes a
 * number. */
static int fit_of_rank_zero(dlb_py_choice *call, Py_ssize_t position, int fit)
{
    const int state = dlb_py_is_ours(call->args[position]) ? DLB_PY_OTHER_VALUE : read_number(call, position);

    return state < 0 ? FIT_FAILED : state == DLB_PY_ONE_NUMBER ? FIT_NUMBER_AS_ARRAY : fit;
}

/* Returns how well a value that is not an array fits an operand that takes arrays, and perhaps sequences of numbers. */
static int fit_of_sequence(dlb_py_choice *call, const dlb_py_function *function, const dlb_py_operand *operand, const dlb_requirements *require,
                           Py_ssize_t position)
{
    int state;

    if ((operand->flags & DLB_PY_NUMBERS) == 0 || PyUnicode_Check(call->args[position])) {
        return FIT_REFUSED;
    }
    state = read_sequence(call, function, operand, position);
    if (state == DLB_PY_SEQUENCE) {
        return fit_of_numbers(&call->described[position].numbers, require->dtypes[0]);
    }
    return state < 0 ? FIT_FAILED : state == DLB_PY_UNREADABLE ? FIT_UNKNOWN : FIT_REFUSED;
}

/* Returns how well an argument other than None fits the operand. */
static int fit_of_array(dlb_py_choice *call, const dlb_py_function *function, const dlb_py_operand *operand, Py_ssize_t position)
{
    PyObject *const value = call->args[position];
    const dlb_py_described *described;
    const dlb_requirements *require = operand->require;
    dlb_requirements storage;
    int fit;

    if (DLB_UNLIKELY((operand->flags & DLB_PY_ITEMS) != 0)) {
        return fit_of_items(call, function, operand, position);
    }
    if (operand->type != NULL) {
        if (!needs_array(operand, value, &fit)) {
            return fit;
        }
        require = dlb_py_requirements_of(operand, &storage);
    } else if ((operand->flags & DLB_PY_BYTES) != 0 && PyObject_CheckBuffer(value)) {
        return dlb_py_is_ours(value) ? FIT_AS_ARRAY : FIT_EXACT;
    } else if ((operand->flags & DLB_PY_RECORDS) != 0) {
        return fit_of_records(operand, value);
    }
    described = describe_argument(call, function, operand, position);
    if (described == NULL) {
        return FIT_FAILED;
    }
    if (described->state == DLB_PY_UNKNOWN_ARRAY) {
        return FIT_UNKNOWN;
    }
    if (described->state != DLB_PY_ARRAY) {
        return fit_of_sequence(call, function, operand, require, position);
    }
    fit = fit_of_described(require, described);
    if (DLB_UNLIKELY(described->ndim == 0 && fit < FIT_REFUSED)) {
        fit = fit_of_rank_zero(call, position, fit);
    }
    return DLB_UNLIKELY(fit == FIT_EXACT && dlb_py_is_ours(value)) ? FIT_AS_ARRAY : fit;
}

/* Returns how well a number fits a param. A number of Python fits its own type best. */
static int fit_of_number(const dlb_param *param, const dlb_py_numbers *numbers, PyObject *value)
{
    switch (param->ctype_class) {
    case DLB_SIGNED:
    case DLB_UNSIGNED:
        if (numbers->kind > DLB_PY_INTEGER) {
            return FIT_REFUSED;
        }
        if (!fit_integer(numbers, param->ctype_class == DLB_SIGNED, (unsigned)(8 * param->size))) {
            return FIT_OUT_OF_RANGE;
        }
        return numbers->kind == DLB_PY_INTEGER && PyLong_Check(value) ? FIT_EXACT : FIT_AS_INTEGER;
    case DLB_FLOATING:
        if (numbers->kind == DLB_PY_COMPLEX) {
            return FIT_REFUSED;
        }
        return PyFloat_Check(value) ? FIT_EXACT : rounds(numbers, param->size == sizeof(float)) ? FIT_ROUNDED : FIT_AS_NUMBER;
    case DLB_BOOLEAN:
        return numbers->kind == DLB_PY_BOOL                                         ? FIT_EXACT
               : numbers->kind == DLB_PY_INTEGER && fit_integer(numbers, false, 1) ? FIT_UNKNOWN
                                                                                    : FIT_REFUSED; /* its truth loses the value */
    default: /* members of an enumeration and complex numbers; strings and paths refuse a number themselves */
        return FIT_UNKNOWN;
    }
}

/* Returns how well a value that is not a number fits a param that is neither an array nor an object. */
static int fit_of_other_value(const dlb_param *param, PyObject *value)
{
    int is_array;

    switch (param->ctype_class) {
    case DLB_SIGNED:
    case DLB_UNSIGNED:
    case DLB_FLOATING:
        return FIT_REFUSED;
    case DLB_BOOLEAN:
        if (PySequence_Check(value)) {
            return FIT_REFUSED;
        }
        is_array = dlb_py_may_be_array(value);
        return is_array < 0 ? FIT_FAILED : is_array > 0 ? FIT_REFUSED : FIT_UNKNOWN;
    default: /* the path may be bytes, which have a buffer */
        is_array = PyUnicode_Check(value) || PyBytes_Check(value) ? 0 : dlb_py_may_be_array(value);
        return is_array < 0 ? FIT_FAILED : is_array > 0 ? FIT_REFUSED : FIT_UNKNOWN;
    }
}

/* Returns how well a float, or an int of one digit, fits a number; or FIT_FAILED, without an exception, if this needs the slow path. */
static inline DLB_ALWAYS_INLINE int fit_of_number_fast(const dlb_param *param, PyObject *value)
{
    const bool is_signed = param->ctype_class == DLB_SIGNED;
    const bool is_floating = param->ctype_class == DLB_FLOATING;
    const bool is_unsigned = param->ctype_class == DLB_UNSIGNED;
    int64_t number;

    if (dlb_py_small_int(value, &number)) {
        if (param->size >= sizeof(int32_t) && (is_signed || (is_unsigned && number >= 0))) {
            return FIT_EXACT;
        }
        return is_floating && param->size >= sizeof(double) ? FIT_AS_NUMBER : FIT_FAILED;
    }
    if (PyFloat_CheckExact(value)) {
        return is_floating ? FIT_EXACT : is_signed || is_unsigned ? FIT_REFUSED : FIT_FAILED;
    }
    return FIT_FAILED;
}

/* Returns how well the argument fits a param that is neither an array nor an object. */
static int fit_of_value(dlb_py_choice *call, const dlb_param *param, Py_ssize_t position)
{
    PyObject *const value = call->args[position];
    const int fit = fit_of_number_fast(param, value);
    bool is_real;
    int state;

    if (fit != FIT_FAILED) {
        return fit;
    }
    is_real = param->ctype_class == DLB_SIGNED || param->ctype_class == DLB_UNSIGNED || param->ctype_class == DLB_FLOATING;
    if (is_real && !PyNumber_Check(value)) {
        return FIT_REFUSED; /* also an object that has only __complex__(), since the search for this method would raise an exception */
    }
    state = PyUnicode_Check(value) ? DLB_PY_OTHER_VALUE : read_number(call, position);
    if (state < 0) {
        return FIT_FAILED;
    }
    return state == DLB_PY_ONE_NUMBER ? fit_of_number(param, &call->described[position].numbers, value) : fit_of_other_value(param, value);
}

static inline int fit_of_argument(dlb_py_choice *call, const dlb_py_function *function, int index)
{
    const Py_ssize_t position = dlb_py_position_of(call, index);
    const dlb_py_operand *operand;

    if (position < 0) {
        return FIT_EXACT;
    }
    operand = dlb_py_operand_of(function, index);
    if (operand == NULL) {
        return fit_of_value(call, &function->params[index], position);
    }
    if (call->args[position] == Py_None) {
        return (operand->flags & DLB_PY_OPTIONAL) != 0 || operand->like != 0 ? FIT_EXACT : FIT_REFUSED;
    }
    return fit_of_array(call, function, operand, position);
}

/* Returns how well a function takes the arguments, which are as many as it has: as well as the worst of them. */
static inline int fit_of(dlb_py_choice *call, const dlb_py_function *function)
{
    int worst = FIT_EXACT;

    for (int i = 0; i < function->count && worst < FIT_REFUSED; i++) {
        const int fit = fit_of_argument(call, function, i);

        worst = fit > worst ? fit : worst;
    }
    return worst;
}

int dlb_py_first_refused(dlb_py_choice *call, const dlb_py_function *function)
{
    int index = 0;

    if (!takes_count(call, function)) {
        return -1;
    }
    while (index < function->count && fit_of_argument(call, function, index) < FIT_REFUSED) {
        index++;
    }
    return index;
}

const dlb_py_alternative *dlb_py_choose(dlb_py_choice *call)
{
    const dlb_py_alternative *best = NULL;
    const dlb_py_alternative *only = NULL;
    int least = FIT_REFUSED;
    int possible = 0;

    for (int i = 0; i < call->of->count; i++) {
        const dlb_py_alternative *const each = &call->of->alternatives[i];
        int fit;

        if (!takes_count(call, each->function)) {
            continue;
        }
        fit = fit_of(call, each->function);
        if (fit == FIT_EXACT) {
            return each;
        }
        if (fit == FIT_FAILED) {
            return NULL;
        }
        if (fit < least) {
            least = fit;
            best = each;
        }
        only = each;
        possible++;
    }
    call->is_doubtful = least >= FIT_UNKNOWN;
    return best == NULL && possible == 1 ? only : best; /* the only function that takes this number of arguments raises the exception */
}
