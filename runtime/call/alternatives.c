/* SPDX-License-Identifier: MIT-0 */
/* Chooses one of several C functions that have the same name in Python. */

#include "call.h"

/* How well an alternative takes an argument, from the best to the worst. */
enum {
    FIT_EXACT,          /* the class, the dtype or the Python type is the required one */
    FIT_AS_ARRAY,       /* an object of a generated class, or a number of NumPy, is used as an array */
    FIT_CAST,           /* the elements of an array are converted */
    FIT_PREFERRED_LIST, /* a sequence of numbers, and the dtype is NumPy's for them */
    FIT_FLOAT64_LIST,   /* a sequence of integers, and the dtype is float64 */
    FIT_OTHER_LIST,     /* a sequence of numbers for another dtype */
    FIT_AS_INTEGER,     /* a bool, or an object with __index__(), for an integer */
    FIT_AS_NUMBER,      /* an int for a float; an object with __float__() */
    FIT_UNKNOWN,        /* only the function itself can tell whether it takes the argument */
    FIT_REFUSED,
    FIT_FAILED          /* an exception is pending */
};

/* One call: the alternatives, and the arguments that Python passes. */
typedef struct choice {
    const dlb_py_alternatives *of;
    PyObject *const *args;
    Py_ssize_t nargs;
    PyObject *kwnames;
    Py_ssize_t count; /* of the arguments, with those by keyword */
    dlb_py_described *described;
    bool has_answers; /* whether `described` holds answers of producers */
} choice;

/* ---- Number and names of the arguments ---- */

/* Finds the param of each argument that is passed by keyword, and stores the position of the argument. Returns false if the function has
 * no such param, or has it already. */
static bool place_keywords(const choice *call, const dlb_py_function *function)
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

/* Returns the position of the argument for a param, or -1 if it is missing. With keywords, place_keywords() must have been called. */
static inline Py_ssize_t position_of(const choice *call, int index)
{
    if (call->kwnames != NULL) {
        return call->described[index].position;
    }
    return index < call->nargs ? index : -1;
}

/* Returns whether the function takes arguments of this number and with these names. */
static inline bool takes_count(const choice *call, const dlb_py_function *function)
{
    if (call->nargs > function->positional || call->count > function->count ||
        (call->kwnames != NULL && !place_keywords(call, function))) {
        return false;
    }
    for (int i = (int)call->nargs; i < function->count; i++) {
        if (function->params[i].required && position_of(call, i) < 0) {
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

/* Stores a tensor that the producer handed out, since another call of __dlpack__() might copy or fail. Returns 0, or -1 with an exception. */
static int store_answer(choice *call, dlb_py_argument *array, bool readonly, dlb_py_described *described)
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

/* Describes an array of another library, or finds that `value` is none. Returns 0, or -1 with an exception. */
DLB_NOINLINE static int describe_foreign(choice *call, const dlb_py_operand *operand, PyObject *value,
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

/* Describes the argument at a position, unless that is done. Returns its description, or NULL with an exception. */
static inline const dlb_py_described *describe_argument(choice *call, const dlb_py_function *function, const dlb_py_operand *operand,
                                               Py_ssize_t position)
{
    dlb_py_described *const described = &call->described[position];
    PyObject *const value = call->args[position];
    dlb_py_state *state;
    DLTensor tensor;
    uint64_t flags;
    int64_t axes[2 * DLB_MAX_NDIM];

    if (described->state != DLB_PY_NOT_DESCRIBED) {
        return described;
    }
    described->swapped = false;
    if (dlb_py_is_ours(value)) {
        describe_object(value, described);
        return described;
    }
    state = dlb_py_imported_state();
    if (state == NULL) {
        return NULL;
    }
    if (!DLB_PY_FREE_THREADED && dlb_py_is_plain_ndarray(state, value) && dlb_py_read_ndarray(state, value, &tensor, &flags, axes)) {
        described->state = DLB_PY_ARRAY;
        described->dtype = tensor.dtype;
        described->ndim = tensor.ndim;
        return described;
    }
    if (describe_foreign(call, operand, value, described) != 0) {
        (void)dlb_py_explain(function, operand, DLB_PY_NAMELESS);
        return NULL;
    }
    return described;
}

static bool has_dtype(const dlb_requirements *require, DLDataType dtype)
{
    for (size_t i = 0; i < require->dtype_count; i++) {
        if (dlb_same_dtype(require->dtypes[i], dtype)) {
            return true;
        }
    }
    return require->dtype_count == 0;
}

/* Returns whether an array has a required dtype, in the byte order of this machine. */
static bool accepts(const dlb_requirements *require, const dlb_py_described *described)
{
    return !described->swapped && has_dtype(require, described->dtype);
}

static bool has_rank(const dlb_requirements *require, int32_t ndim)
{
    return ndim >= require->min_ndim && ndim <= require->max_ndim;
}

/* ---- Sequences ---- */

/* The results of code_of_items(), beside dtype codes. */
enum { NOT_NUMBERS = -1, ITEMS_FAILED = -2 };

/* Returns the dtype code that NumPy chooses for the items of an exact list or tuple; NOT_NUMBERS if an item is not a number; or
 * ITEMS_FAILED with an exception. */
static int code_of_items(PyObject *sequence)
{
    const Py_ssize_t count = PySequence_Size(sequence);
    int code = count < 0 ? ITEMS_FAILED : count == 0 ? kDLFloat : kDLInt;

    for (Py_ssize_t i = 0; i < count && code >= 0; i++) {
        PyObject *const item = PySequence_GetItem(sequence, i);

        if (item == NULL) { /* another thread may have removed items */
            return dlb_py_may_try_another() ? code : ITEMS_FAILED;
        }
        if (PyComplex_Check(item)) {
            code = kDLComplex;
        } else if (PyUnicode_Check(item) || PyBytes_Check(item) || PyList_Check(item) || PyTuple_Check(item) || dlb_py_is_ours(item)) {
            code = NOT_NUMBERS;
        } else if (code == kDLInt && !PyIndex_Check(item)) {
            code = kDLFloat;
        }
        Py_DECREF(item);
    }
    return code;
}

/* Returns how well an array of the dtype replaces a sequence of numbers. */
static int fit_of_numbers(PyObject *sequence, DLDataType dtype)
{
    const bool exact = PyList_CheckExact(sequence) || PyTuple_CheckExact(sequence);
    const int code = exact ? code_of_items(sequence) : kDLFloat;
    const bool is_float64 = dtype.code == kDLFloat && dtype.bits == 64;

    if (code == ITEMS_FAILED) {
        return FIT_FAILED;
    }
    if (code == NOT_NUMBERS || (code == kDLComplex && dtype.code != kDLComplex) ||
        (exact && code == kDLFloat && dtype.code != kDLFloat && dtype.code != kDLComplex)) {
        return FIT_REFUSED;
    }
    if (dtype.code == code && dtype.bits == (code == kDLComplex ? 128 : 64)) {
        return FIT_PREFERRED_LIST;
    }
    return is_float64 ? FIT_FLOAT64_LIST : FIT_OTHER_LIST;
}

/* Returns how well an argument fits a class of another module. */
static int fit_of_external(const dlb_type *type, PyObject *value)
{
    const int result = dlb_py_is_external(type, value);

    return result < 0 ? FIT_FAILED : result > 0 ? FIT_EXACT : FIT_REFUSED;
}

/* Returns how well a sequence of objects fits: its first item decides. */
static int fit_of_items(const dlb_py_operand *operand, PyObject *value)
{
    int fit = FIT_UNKNOWN;
    int has_members;
    PyObject *first;

    if (!PyList_CheckExact(value) && !PyTuple_CheckExact(value)) {
        const int is_array = dlb_py_may_be_array(value);
        const int is_sequence = is_array < 0 ? -1 : is_array > 0 ? 0 : dlb_py_is_sequence(value);

        return is_sequence < 0 ? FIT_FAILED : is_sequence > 0 ? FIT_UNKNOWN : FIT_REFUSED;
    }
    first = PySequence_Size(value) > 0 ? PySequence_GetItem(value, 0) : NULL;
    if (first == NULL) {
        return !PyErr_Occurred() || dlb_py_may_try_another() ? FIT_UNKNOWN : FIT_FAILED;
    }
    if (dlb_py_is_ours(first)) {
        fit = dlb_py_data(first)->type == operand->type ? FIT_EXACT : FIT_REFUSED;
    } else if (operand->members != NULL && (has_members = dlb_py_may_have_members(operand, first)) != 0) {
        fit = has_members < 0 ? FIT_FAILED : FIT_OTHER_LIST;
    } else if (operand->type->importer == NULL) {
        fit = FIT_REFUSED;
    }
    if (operand->type->external != NULL) {
        fit = fit_of_external(operand->type, first);
    }
    Py_DECREF(first);
    return fit;
}

/* ---- Arguments ---- */

/* Returns whether the value is a number, although it may be an array of rank 0, too. */
static bool is_number(PyObject *value)
{
    return PyFloat_Check(value) || PyComplex_Check(value);
}

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

/* Returns how well an argument that is not a missing one fits the operand. */
static int fit_of_array(choice *call, const dlb_py_function *function, const dlb_py_operand *operand, Py_ssize_t position)
{
    PyObject *const value = call->args[position];
    const dlb_py_described *described;
    const dlb_requirements *require = operand->require;
    dlb_requirements storage;
    DLDataType dtype;
    int has_members;
    int numbers;

    if (DLB_UNLIKELY((operand->flags & DLB_PY_ITEMS) != 0)) {
        return fit_of_items(operand, value);
    }
    if (operand->type != NULL) {
        if (dlb_py_is_ours(value) && dlb_py_data(value)->type == operand->type) {
            return FIT_EXACT;
        }
        has_members = operand->members != NULL ? dlb_py_may_have_members(operand, value) : 0;
        if (has_members != 0) {
            return has_members < 0 ? FIT_FAILED : FIT_OTHER_LIST;
        }
        if (dlb_py_takes_objects_only(operand)) {
            return operand->type->external != NULL ? fit_of_external(operand->type, value) : FIT_REFUSED;
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
    if (described->state == DLB_PY_ARRAY) {
        if (require != NULL && !has_rank(require, described->ndim)) {
            return FIT_REFUSED;
        }
        if (require != NULL && !accepts(require, described)) {
            return require->cast != DLB_CAST_NEVER && dlb_find_cast(require, described->dtype, described->swapped, &dtype) ? FIT_CAST
                                                                                                                            : FIT_REFUSED;
        }
        return DLB_UNLIKELY(dlb_py_is_ours(value) || (described->ndim == 0 && is_number(value))) ? FIT_AS_ARRAY : FIT_EXACT;
    }
    if (described->state == DLB_PY_UNKNOWN_ARRAY) {
        return FIT_UNKNOWN;
    }
    if ((operand->flags & DLB_PY_NUMBERS) == 0) {
        return FIT_REFUSED;
    }
    numbers = dlb_py_is_sequence(value);
    return numbers < 0 ? FIT_FAILED : numbers == 0 ? FIT_REFUSED : fit_of_numbers(value, require->dtypes[0]);
}

/* Returns how well a value that can be converted to a number fits: an array with axes has __float__(), too, but is none. */
static int fit_of_converted(PyObject *value, int fit)
{
    const int is_array = dlb_py_may_be_array(value);
    PyObject *ndim;
    bool has_axes;

    if (is_array <= 0) {
        return is_array < 0 ? FIT_FAILED : fit;
    }
    ndim = PyObject_GetAttrString(value, "ndim");
    if (ndim == NULL) {
        return dlb_py_may_try_another() ? fit : FIT_FAILED;
    }
    has_axes = !PyLong_Check(ndim) || PyLong_AsLong(ndim) != 0;
    Py_DECREF(ndim);
    return has_axes ? FIT_REFUSED : fit;
}

/* Returns how well the argument fits a param that is neither an array nor an object. */
static int fit_of_value(const dlb_param *param, PyObject *value)
{
    const bool is_bool = PyBool_Check(value);
    int is_array;

    switch (param->ctype_class) {
    case DLB_SIGNED:
    case DLB_UNSIGNED:
        if (PyLong_Check(value)) {
            return is_bool ? FIT_AS_INTEGER : FIT_EXACT;
        }
        return PyIndex_Check(value) ? fit_of_converted(value, FIT_AS_INTEGER) : FIT_REFUSED;
    case DLB_FLOATING:
        if (PyFloat_Check(value)) {
            return FIT_EXACT;
        }
        if (!PyIndex_Check(value) && PyType_GetSlot(Py_TYPE(value), Py_nb_float) == NULL) {
            return FIT_REFUSED;
        }
        return fit_of_converted(value, FIT_AS_NUMBER);
    case DLB_BOOLEAN:
        return is_bool ? FIT_EXACT : FIT_UNKNOWN;
    default: /* strings, paths, members of an enumeration: the path may be bytes, which have a buffer */
        is_array = PyUnicode_Check(value) || PyBytes_Check(value) ? 0 : dlb_py_may_be_array(value);
        return is_array < 0 ? FIT_FAILED : is_array > 0 ? FIT_REFUSED : FIT_UNKNOWN;
    }
}

/* Returns the operand of a param, or NULL. */
static inline const dlb_py_operand *operand_of(const dlb_py_function *function, int index)
{
    for (int i = 0; i < function->operand_count; i++) {
        if (function->operands[i].param == index) {
            return &function->operands[i];
        }
    }
    return NULL;
}

static inline int fit_of_argument(choice *call, const dlb_py_function *function, int index)
{
    const Py_ssize_t position = position_of(call, index);
    const dlb_py_operand *operand;

    if (position < 0) {
        return FIT_EXACT;
    }
    operand = operand_of(function, index);
    if (operand == NULL) {
        return fit_of_value(&function->params[index], call->args[position]);
    }
    if (call->args[position] == Py_None) {
        return (operand->flags & DLB_PY_OPTIONAL) != 0 || operand->like != 0 ? FIT_EXACT : FIT_REFUSED;
    }
    return fit_of_array(call, function, operand, position);
}

/* Returns how well a function takes the arguments, whose number fits: as well as the worst of them. */
static inline int fit_of(choice *call, const dlb_py_function *function)
{
    int worst = FIT_EXACT;

    for (int i = 0; i < function->count && worst < FIT_REFUSED; i++) {
        const int fit = fit_of_argument(call, function, i);

        worst = fit > worst ? fit : worst;
    }
    return worst;
}

/* ---- Errors ---- */

/* A list in a message, whose end is cut off if it is too long. */
typedef struct list {
    char string[DLB_PY_MESSAGE_SIZE];
    size_t used;
    const char *separator;
} list;

/* Appends an entry, unless the list has an equal one. */
static void append(list *to, const char *entry)
{
    const size_t length = strlen(entry);
    const size_t between = strlen(to->separator);
    const char *found = to->used > 0 ? strstr(to->string, entry) : NULL;

    for (; found != NULL; found = strstr(found + 1, entry)) {
        const bool begins = found == to->string || ((size_t)(found - to->string) >= between &&
                                                    strncmp(found - between, to->separator, between) == 0);

        if (begins && (found[length] == '\0' || strncmp(found + length, to->separator, between) == 0)) {
            return;
        }
    }
    if (to->used + between + length + 5 > sizeof to->string) {
        return;
    }
    dlb_write(to->string + to->used, sizeof to->string - to->used, "%s%s", to->used > 0 ? to->separator : "", entry);
    to->used = strlen(to->string);
}

/* Appends the dtypes that the operand accepts, each with `before` in front of it. */
static void append_dtypes(list *to, const dlb_requirements *require, const char *before)
{
    char entry[DLB_NAME_SIZE + 24];
    char buffer[DLB_NAME_SIZE];

    for (size_t i = 0; i < require->dtype_count; i++) {
        dlb_write(entry, sizeof entry, "%s%s", before, dlb_dtype_name(require->dtypes[i], buffer));
        append(to, entry);
    }
    if (require->dtype_count == 0) {
        append(to, before[0] != '\0' ? "an array" : "any dtype");
    }
}

static void append_rank(list *to, const dlb_requirements *require)
{
    char entry[64];

    if (require->min_ndim == require->max_ndim) {
        dlb_write(entry, sizeof entry, "%d", (int)require->min_ndim);
    } else {
        dlb_write(entry, sizeof entry, "%d to %d", (int)require->min_ndim, (int)require->max_ndim);
    }
    append(to, entry);
}

/* Appends the Python type of a number. The runtime knows no name for other values. */
static void append_number(list *to, const dlb_param *param)
{
    if (param->ctype_class == DLB_FLOATING) {
        append(to, "float");
    } else if (param->ctype_class == DLB_SIGNED || param->ctype_class == DLB_UNSIGNED) {
        append(to, "int");
    }
}

/* The property of an argument that no alternative accepts. */
typedef enum complaint { WRONG_TYPE, WRONG_DTYPE, WRONG_RANK } complaint;

/* Appends what an alternative accepts in the place of the argument. */
static void append_accepted(list *to, const dlb_py_function *function, int index, complaint about)
{
    const dlb_py_operand *const operand = operand_of(function, index);
    const bool takes_arrays = operand != NULL && !dlb_py_takes_objects_only(operand) && (operand->flags & DLB_PY_ITEMS) == 0;
    const dlb_requirements *require = NULL;
    dlb_requirements storage;

    if (takes_arrays) {
        require = operand->type != NULL ? dlb_py_requirements_of(operand, &storage) : operand->require;
    }
    if (operand == NULL) {
        append_number(to, &function->params[index]);
    } else if (about == WRONG_TYPE || require == NULL) {
        if (operand->type != NULL) {
            append(to, (operand->flags & DLB_PY_ITEMS) != 0 ? "a sequence" : dlb_py_class_name(operand->type));
        }
        if (require != NULL) {
            append_dtypes(to, require, "an array of ");
        } else if (operand->type == NULL) {
            append(to, "an array");
        }
    } else if (about == WRONG_DTYPE) {
        append_dtypes(to, require, "");
    } else {
        append_rank(to, require);
    }
}

static bool takes_numbers(const dlb_py_function *function, int index)
{
    const dlb_py_operand *const operand = operand_of(function, index);

    return operand != NULL && (operand->flags & DLB_PY_NUMBERS) != 0;
}

/* Returns whether an alternative that takes arrays there accepts the dtype of the argument. */
static bool accepts_dtype(const dlb_py_function *function, int index, const dlb_py_described *described)
{
    const dlb_py_operand *const operand = operand_of(function, index);
    dlb_requirements storage;

    if (operand == NULL || dlb_py_takes_objects_only(operand) || (operand->flags & DLB_PY_ITEMS) != 0) {
        return false;
    }
    if (operand->type == NULL && operand->require == NULL) {
        return true;
    }
    return accepts(operand->type != NULL ? dlb_py_requirements_of(operand, &storage) : operand->require, described);
}

/* Returns the index of the first param whose argument the function refuses, or -1 if it takes other numbers of arguments. */
static int first_refused(choice *call, const dlb_py_function *function)
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

/* Raises the error for the argument of the param at `index`. `example`: an alternative that refuses this argument. */
static void refuse_argument(choice *call, int index, const dlb_py_function *example)
{
    const dlb_py_described *described;
    PyObject *value;
    complaint about;
    list accepted = {"", 0, ", "};
    bool numbers = false;
    char buffer[DLB_NAME_SIZE];
    PyObject *keeper = NULL;
    const char *name;

    (void)first_refused(call, example); /* places the keywords of this function again */
    described = &call->described[position_of(call, index)];
    value = call->args[position_of(call, index)];
    about = described->state == DLB_PY_ARRAY ? WRONG_DTYPE : WRONG_TYPE;

    for (int i = 0; about == WRONG_DTYPE && i < call->of->count; i++) {
        const dlb_py_function *const function = call->of->alternatives[i].function;

        if (first_refused(call, function) == index && accepts_dtype(function, index, described)) {
            about = WRONG_RANK;
        }
    }
    for (int i = 0; i < call->of->count; i++) {
        const dlb_py_function *const function = call->of->alternatives[i].function;

        if (first_refused(call, function) == index) {
            append_accepted(&accepted, function, index, about);
            numbers = numbers || takes_numbers(function, index);
        }
    }
    if (PyErr_Occurred()) { /* from a second look at an argument */
        return;
    }
    if (numbers && about == WRONG_TYPE) {
        append(&accepted, "a sequence of numbers");
    }
    if (about == WRONG_DTYPE) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s() argument '%s': the dtype is %s%s; accepted: %s", call->of->name,
                                example->params[index].name, dlb_dtype_name(described->dtype, buffer),
                                described->swapped ? " in the other byte order" : "", accepted.string);
        return;
    }
    if (about == WRONG_RANK) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s() argument '%s': the number of axes is %d; accepted: %s", call->of->name,
                                example->params[index].name, (int)described->ndim, accepted.string);
        return;
    }
    name = value == Py_None ? "None" : dlb_py_type_as_str(value, &keeper);
    if (name != NULL) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s': the type is %s; accepted: %s", call->of->name,
                                example->params[index].name, name, accepted.string);
    }
    Py_XDECREF(keeper);
}

/* Raises a TypeError: no alternative takes arguments of this number and with these names. */
static void refuse_count_of_all(const choice *call)
{
    list signatures = {"", 0, ", "};

    for (int i = 0; i < call->of->count; i++) {
        const dlb_py_function *const function = call->of->alternatives[i].function;
        list params = {"", 0, ", "};
        char signature[DLB_PY_MESSAGE_SIZE + 2];
        char param[100];

        for (int k = 0; k < function->count; k++) {
            if (k == function->positional) {
                append(&params, "*");
            }
            dlb_write(param, sizeof param, "%s%s", function->params[k].name, function->params[k].required ? "" : "=...");
            append(&params, param);
        }
        dlb_write(signature, sizeof signature, "%s(%s)", call->of->name, params.string);
        append(&signatures, signature);
    }
    (void)dlb_py_raise_message(PyExc_TypeError, "%s() has no signature for these arguments: %s", call->of->name, signatures.string);
}

/* Raises the exception of a call that no alternative takes. It is about the argument that the most fitting alternatives refuse. */
DLB_COLD static void refuse_all(choice *call)
{
    const dlb_py_function *example = NULL;
    int furthest = -1;

    for (int i = 0; i < call->of->count; i++) {
        const dlb_py_function *const function = call->of->alternatives[i].function;
        const int index = first_refused(call, function);

        if (PyErr_Occurred()) {
            return;
        }
        if (index > furthest) {
            furthest = index;
            example = function;
        }
    }
    if (example == NULL) {
        refuse_count_of_all(call);
    } else {
        refuse_argument(call, furthest, example);
    }
}

/* ---- The call ---- */

/* Returns whether the function, or the import of an argument, works on a stream of the library. */
static bool works_on_stream(const dlb_py_function *function)
{
    bool works = function->stream != NULL;

    for (int i = 0; i < function->operand_count; i++) {
        const dlb_type *const type = function->operands[i].type;

        works = works || (type != NULL && type->importer != NULL && type->importer->stream != NULL);
    }
    return works;
}

/* Calls the alternative with the answers of producers in the places of these, and releases the answers. If the alternative works on a
 * stream, the producers on a device are asked again, since they do not know this stream yet. Producers of managed memory are asked again,
 * too: only the alternative knows whether the CPU reads the memory. */
DLB_NOINLINE static PyObject *call_with_answers(const choice *call, const dlb_py_alternative *chosen, PyObject *self)
{
    PyObject **const args = chosen != NULL ? PyMem_Malloc((size_t)call->count * sizeof *args) : NULL;
    const bool on_stream = chosen != NULL && works_on_stream(chosen->function);
    PyObject *result = NULL;

    for (Py_ssize_t i = 0; args != NULL && i < call->count; i++) {
        const dlb_py_described *const each = &call->described[i];

        args[i] = each->answer != NULL && !each->is_managed && !(on_stream && each->has_streams) ? each->answer : call->args[i];
    }
    if (args != NULL) {
        result = chosen->call(self, args, call->nargs, call->kwnames);
    } else if (chosen != NULL) {
        PyErr_NoMemory();
    }
    PyMem_Free(args);
    for (Py_ssize_t i = 0; i < call->count; i++) {
        dlb_py_discard(call->described[i].answer);
    }
    return result;
}

/* Returns the alternative that takes the arguments best, the first of several; or NULL with an exception. */
static inline const dlb_py_alternative *choose(choice *call)
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
    if (best == NULL && possible == 1) {
        return only; /* its own message says what is wrong */
    }
    if (best == NULL) {
        refuse_all(call);
    }
    return best;
}

PyObject *dlb_py_call_alternative(const dlb_py_alternatives *of, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                  PyObject *kwnames, dlb_py_described *described)
{
    choice call = {of, args, nargs, kwnames, nargs, described, false};
    const dlb_py_alternative *chosen;

    if (kwnames != NULL) {
        call.count += PyTuple_GET_SIZE(kwnames);
    }
    if (call.count > of->most) {
        refuse_count_of_all(&call);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < call.count; i++) {
        described[i].state = DLB_PY_NOT_DESCRIBED;
        described[i].answer = NULL;
    }
    chosen = choose(&call);
    if (DLB_UNLIKELY(call.has_answers)) {
        return call_with_answers(&call, chosen, self);
    }
    return chosen != NULL ? chosen->call(self, args, nargs, kwnames) : NULL;
}
