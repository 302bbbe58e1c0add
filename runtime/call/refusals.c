/* SPDX-License-Identifier: MIT-0 */
/* The exceptions of calls for which none of several C functions with the same name in Python accepts the arguments. */

#include "choice.h"

/* ---- Lists in messages ---- */

/* A list in a message, whose end is cut off if it is too long. */
typedef struct list {
    char string[4 * DLB_PY_MESSAGE_SIZE];
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
    } else if (param->ctype_class == DLB_BOOLEAN) {
        append(to, "bool");
    }
}

/* Appends the sequences of objects, and of arrays, that the operand accepts. */
static void append_items(list *to, const dlb_py_operand *operand)
{
    dlb_requirements storage;
    char entry[DLB_PY_MESSAGE_SIZE];

    dlb_write(entry, sizeof entry, "a sequence of %s", dlb_py_class_name(operand->type));
    append(to, entry);
    if (!dlb_py_takes_objects_only(operand)) {
        append_dtypes(to, dlb_py_requirements_of(operand, &storage), "a sequence of arrays of ");
    }
}

/* The property of an argument that no alternative accepts. An argument with the wrong rank is nearer to a fit than an argument with the
 * wrong dtype. */
typedef enum mismatch { WRONG_TYPE, WRONG_DTYPE, WRONG_RANK } mismatch;

/* Returns whether C gets one array for the param of an operand, which may be NULL. */
static bool takes_array(const dlb_py_operand *operand)
{
    return operand != NULL && !dlb_py_takes_objects_only(operand) && (operand->flags & DLB_PY_ITEMS) == 0;
}

/* Appends the values that an alternative accepts instead of the argument `value`. If it accepts another class with the name of the value's
 * class, stores the names of both classes, with their modules. */
static void append_accepted(list *to, const dlb_py_function *function, int index, PyObject *value, mismatch about,
                            dlb_py_class_names *same)
{
    const dlb_py_operand *const operand = dlb_py_operand_of(function, index);
    const dlb_requirements *require = NULL;
    dlb_requirements storage;
    dlb_py_class_names names;

    if (takes_array(operand)) {
        require = operand->type != NULL ? dlb_py_requirements_of(operand, &storage) : operand->require;
    }
    if (operand == NULL) {
        append_number(to, &function->params[index]);
    } else if ((operand->flags & DLB_PY_ITEMS) != 0) {
        append_items(to, operand);
    } else if (about == WRONG_TYPE || require == NULL) {
        if (operand->type != NULL && dlb_py_name_classes(operand->type, value, &names) == 0) {
            append(to, names.expected);
            if (strcmp(names.expected, dlb_py_class_name(operand->type)) != 0) {
                *same = names;
            }
        }
        if (require != NULL) {
            append_dtypes(to, require, "an array of ");
        } else if (operand->type == NULL) {
            append(to, "an array"); /* not covered: each operand without a class has requirements */
        }
    } else if (about == WRONG_DTYPE) {
        append_dtypes(to, require, "");
    } else {
        append_rank(to, require);
    }
}

/* Returns the most general kind of numbers whose sequences an alternative accepts for the param at `index`, or DLB_PY_NO_NUMBER. */
static int numbers_taken(const dlb_py_function *function, int index)
{
    static const int kinds[] = {[DLB_SIGNED] = DLB_PY_INTEGER, [DLB_UNSIGNED] = DLB_PY_INTEGER, [DLB_FLOATING] = DLB_PY_REAL,
                                [DLB_BOOLEAN] = DLB_PY_BOOL, [DLB_STRING] = DLB_PY_NO_NUMBER, [DLB_OTHER] = DLB_PY_COMPLEX};
    const dlb_py_operand *const operand = dlb_py_operand_of(function, index);
    dlb_requirements storage;
    dlb_ctype_class ctype_class;

    if (operand == NULL || (operand->flags & (unsigned)(DLB_PY_NUMBERS | DLB_PY_ITEMS)) != DLB_PY_NUMBERS ||
        !dlb_py_converts_numbers(dlb_py_requirements_of(operand, &storage)->dtypes[0], &ctype_class)) {
        return DLB_PY_NO_NUMBER;
    }
    return kinds[ctype_class];
}

/* Appends sequences of numbers of a kind. */
static void append_sequence(list *to, int kind)
{
    static const char *const sequences[] = {NULL, "a sequence of bools", "a sequence of integers", "a sequence of real numbers",
                                            "a sequence of numbers"};

    if (kind != DLB_PY_NO_NUMBER) {
        append(to, sequences[kind]);
    }
}

/* Returns whether an alternative accepts arrays with the dtype of the argument for the param at `index`. */
static bool accepts_dtype(const dlb_py_function *function, int index, const dlb_py_described *described)
{
    const dlb_py_operand *const operand = dlb_py_operand_of(function, index);
    dlb_requirements storage;

    if (!takes_array(operand)) {
        return false;
    }
    if (operand->type == NULL && operand->require == NULL) {
        return true; /* not covered: each operand without a class has requirements */
    }
    return dlb_py_accepts(operand->type != NULL ? dlb_py_requirements_of(operand, &storage) : operand->require, described);
}

/* Returns whether the first argument that the function refuses is that of the param at `index`, and the param has the name that it has in
 * `example`. */
static bool refuses_same(dlb_py_choice *call, const dlb_py_function *function, int index, const dlb_py_function *example)
{
    return dlb_py_first_refused(call, function) == index && !PyErr_Occurred() &&
           strcmp(function->params[index].name, example->params[index].name) == 0;
}

/* The name of an argument's type in a message, and a description of its items. */
typedef struct value_name {
    PyObject *keeper;
    const char *type; /* NULL: an exception is pending */
    char items[DLB_NAME_SIZE + 40];
} value_name;

/* Fills the description of the items. */
static void name_items(value_name *of, const dlb_py_described *described, Py_ssize_t count)
{
    static const char *const kinds[] = {"no numbers", "bools", "integers", "real numbers", "complex numbers"};
    char buffer[DLB_NAME_SIZE];

    of->items[0] = '\0';
    if (described->numbers_state == DLB_PY_SEQUENCE) {
        dlb_write(of->items, sizeof of->items, ", with %s", kinds[described->numbers.kind]);
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const dlb_py_described *const each = &described->items[i];

        if (each->state == DLB_PY_ARRAY) {
            dlb_write(of->items, sizeof of->items, ", with an array of %s and %d %s", dlb_dtype_name(each->dtype, buffer),
                      (int)each->ndim, each->ndim == 1 ? "axis" : "axes");
            return;
        }
    }
}

/* Names an argument. Call Py_XDECREF() for the keeper of the name afterwards. */
static void name_value(value_name *of, const dlb_py_choice *call, Py_ssize_t position)
{
    const dlb_py_described *const described = &call->described[position];
    PyObject *const value = call->args[position];

    of->keeper = NULL;
    of->type = value == Py_None ? "None" : dlb_py_type_as_str(value, &of->keeper);
    name_items(of, described, described->has_items ? PyList_Size(described->answer) : 0);
}

/* Appends the values that those alternatives accept which refuse the argument of the param at `index`. `same`: see append_accepted(). */
static void append_all_accepted(dlb_py_choice *call, int index, const dlb_py_function *example, mismatch about, list *accepted,
                                dlb_py_class_names *same)
{
    PyObject *const value = call->args[dlb_py_position_of(call, index)];
    int kind = DLB_PY_NO_NUMBER;

    for (int i = 0; i < call->of->count && !PyErr_Occurred(); i++) {
        const dlb_py_function *const function = call->of->alternatives[i].function;

        if (refuses_same(call, function, index, example)) {
            const int taken = numbers_taken(function, index);

            append_accepted(accepted, function, index, value, about, same);
            kind = taken > kind ? taken : kind;
        }
    }
    append_sequence(accepted, about == WRONG_TYPE ? kind : DLB_PY_NO_NUMBER);
}

/* Returns the mismatch of the argument of the param at `index` with all alternatives that refuse it. */
static mismatch mismatch_of_all(dlb_py_choice *call, int index, const dlb_py_function *example, const dlb_py_described *described)
{
    mismatch about = described->state == DLB_PY_ARRAY ? WRONG_DTYPE : WRONG_TYPE;

    for (int i = 0; about == WRONG_DTYPE && i < call->of->count && !PyErr_Occurred(); i++) {
        const dlb_py_function *const function = call->of->alternatives[i].function;

        if (refuses_same(call, function, index, example) && accepts_dtype(function, index, described)) {
            about = WRONG_RANK;
        }
    }
    return about;
}

/* Raises the error for the argument of the param at `index`. `example`: an alternative that refuses this argument. */
static void refuse_argument(dlb_py_choice *call, int index, const dlb_py_function *example)
{
    const char *const param = example->params[index].name;
    const dlb_py_described *described;
    Py_ssize_t position;
    mismatch about;
    list accepted = {"", 0, ", "};
    dlb_py_class_names same = {"", ""};
    char buffer[DLB_NAME_SIZE];
    value_name value;

    (void)dlb_py_first_refused(call, example); /* places the keywords of this function again */
    if (PyErr_Occurred()) { /* from a second look at an argument */
        return;
    }
    position = dlb_py_position_of(call, index);
    described = &call->described[position];
    about = mismatch_of_all(call, index, example, described);
    append_all_accepted(call, index, example, about, &accepted, &same);
    if (PyErr_Occurred()) {
        return;
    }
    if (about == WRONG_DTYPE) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s() argument '%s': the dtype is %s%s; accepted: %s", call->of->name, param,
                                dlb_dtype_name(described->dtype, buffer), described->swapped ? " in the other byte order" : "",
                                accepted.string);
        return;
    }
    if (about == WRONG_RANK) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s() argument '%s': the number of axes is %d; accepted: %s", call->of->name, param,
                                (int)described->ndim, accepted.string);
        return;
    }
    name_value(&value, call, position);
    if (value.type != NULL) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s': the type is %s%s; accepted: %s", call->of->name, param,
                                same.given[0] != '\0' ? same.given : value.type, value.items, accepted.string);
    }
    Py_XDECREF(value.keeper);
}

/* ---- The other signatures in an error ---- */

/* A line of a message about an alternative. */
typedef struct line {
    char string[6 * DLB_PY_MESSAGE_SIZE];
    size_t signature; /* length of the signature at its beginning */
} line;

/* Begins a line with the signature of a function. */
static void write_signature(line *to, const dlb_py_choice *call, const dlb_py_function *function)
{
    list params = {"", 0, ", "};
    char param[100];

    for (int k = 0; k < function->count; k++) {
        if (k == function->positional) {
            append(&params, "*");
        }
        dlb_write(param, sizeof param, "%s%s", function->params[k].name, function->params[k].required ? "" : "=...");
        append(&params, param);
    }
    dlb_write(to->string, sizeof to->string, "\n  %s(%s)", call->of->name, params.string);
    to->signature = strlen(to->string);
}

/* Writes after the signature which keyword the function does not accept. Returns whether there is such a keyword. */
static bool write_wrong_keyword(line *to, const dlb_py_choice *call, const dlb_py_function *function)
{
    char *const rest = to->string + to->signature;
    const size_t size = sizeof to->string - to->signature;

    for (Py_ssize_t k = 0; call->nargs + k < call->count; k++) {
        PyObject *const name = PyTuple_GET_ITEM(call->kwnames, k);
        const char *const string = PyUnicode_AsUTF8AndSize(name, NULL);
        int index = 0;

        while (index < function->count && !dlb_py_is_string(name, function->params[index].name)) {
            index++;
        }
        if (string == NULL && PyErr_ExceptionMatches(PyExc_UnicodeError)) { /* UTF-8 cannot encode the name */
            PyErr_Clear();
        }
        if (index == function->count || index < function->positional_only) {
            dlb_write(rest, size, ": there is no argument '%s' by name", string != NULL ? string : "?");
            return true;
        }
        if (index < call->nargs) {
            dlb_write(rest, size, ": the argument '%s' is given twice", function->params[index].name);
            return true;
        }
    }
    return false;
}

/* Writes after the signature why the function does not accept arguments of this number and with these names. */
static void write_wrong_count(line *to, const dlb_py_choice *call, const dlb_py_function *function)
{
    char *const rest = to->string + to->signature;
    const size_t size = sizeof to->string - to->signature;

    if (call->nargs > function->positional) {
        dlb_write(rest, size, ": at most %d argument%s by position, not %lld", function->positional,
                  function->positional == 1 ? "" : "s", (long long)call->nargs);
        return;
    }
    if (write_wrong_keyword(to, call, function)) {
        return;
    }
    for (int i = (int)call->nargs; i < function->count; i++) {
        if (function->params[i].required && dlb_py_position_of(call, i) < 0) {
            dlb_write(rest, size, ": the argument '%s' is missing", function->params[i].name);
            return;
        }
    }
}

/* Returns the mismatch of an argument with an alternative that refuses it. */
static mismatch mismatch_of(const dlb_py_function *function, int index, const dlb_py_described *described)
{
    if (!takes_array(dlb_py_operand_of(function, index)) || described->state != DLB_PY_ARRAY) {
        return WRONG_TYPE;
    }
    return accepts_dtype(function, index, described) ? WRONG_RANK : WRONG_DTYPE;
}

/* Appends the values that are accepted by all alternatives with the signature in `to` that refuse the argument of the param at `index` for
 * the same reason. The lines about them would be equal. */
static void append_group(list *accepted, const line *to, dlb_py_choice *call, int index, const dlb_py_described *described, mismatch about)
{
    dlb_py_class_names same; /* not used: the line does not name the class of the argument */
    int kind = DLB_PY_NO_NUMBER;
    line other;

    for (int i = 0; i < call->of->count && !PyErr_Occurred(); i++) {
        const dlb_py_function *const function = call->of->alternatives[i].function;

        write_signature(&other, call, function);
        if (other.signature == to->signature && strncmp(other.string, to->string, other.signature) == 0 &&
            dlb_py_first_refused(call, function) == index && mismatch_of(function, index, described) == about) {
            const int taken = numbers_taken(function, index);

            append_accepted(accepted, function, index, call->args[dlb_py_position_of(call, index)], about, &same);
            kind = taken > kind ? taken : kind;
        }
    }
    append_sequence(accepted, about == WRONG_TYPE ? kind : DLB_PY_NO_NUMBER);
}

/* Writes after the signature why the function refuses the argument of the param at `index`. */
static void write_wrong_argument(line *to, dlb_py_choice *call, const dlb_py_function *function, int index)
{
    const char *const param = function->params[index].name;
    const Py_ssize_t position = dlb_py_position_of(call, index);
    const dlb_py_described *const described = &call->described[position];
    const mismatch about = mismatch_of(function, index, described);
    list accepted = {"", 0, " or "};
    char *const rest = to->string + to->signature;
    const size_t size = sizeof to->string - to->signature;
    char buffer[DLB_NAME_SIZE];
    value_name value;

    append_group(&accepted, to, call, index, described, about);
    if (about == WRONG_DTYPE) {
        dlb_write(rest, size, ": the dtype of '%s' must be %s, not %s%s", param, accepted.string, dlb_dtype_name(described->dtype, buffer),
                  described->swapped ? " in the other byte order" : "");
    } else if (about == WRONG_RANK) {
        dlb_write(rest, size, ": the number of axes of '%s' must be %s, not %d", param, accepted.string, (int)described->ndim);
    } else {
        name_value(&value, call, position);
        dlb_write(rest, size, ": '%s' must be %s, not %s%s", param, accepted.used > 0 ? accepted.string : "of another type",
                  value.type != NULL ? value.type : "this", value.items);
        if (PyErr_Occurred()) { /* from a second look at an argument */
            (void)dlb_py_may_try_another();
        }
        Py_XDECREF(value.keeper);
    }
}

/* Writes the line about an alternative, which begins with its signature. */
static void write_line(line *to, dlb_py_choice *call, const dlb_py_function *function)
{
    const int index = dlb_py_first_refused(call, function);

    write_signature(to, call, function);
    if (PyErr_Occurred()) { /* from a second look at an argument */
        return;
    }
    if (index < 0) {
        write_wrong_count(to, call, function);
    } else if (index < function->count) {
        write_wrong_argument(to, call, function, index);
    }
}

/* Adds a line to `*lines`, a str or NULL, unless it has an equal one. Returns 0, or -1 with an exception. */
static int add_line(PyObject **lines, const char *string)
{
    PyObject *const shorter = *lines;
    PyObject *const added = PyUnicode_FromString(string);
    const int found = added == NULL ? -1 : shorter == NULL ? 0 : PyUnicode_Contains(shorter, added);

    if (found == 0) {
        *lines = shorter != NULL ? PyUnicode_Concat(shorter, added) : Py_NewRef(added);
        Py_XDECREF(shorter);
    }
    Py_XDECREF(added);
    return found < 0 || *lines == NULL ? -1 : 0;
}

/* Returns the lines about all alternatives except those that the message is about: `but`, and with an index the alternatives that refuse
 * the same argument as `but`. Equal lines are listed once. A new reference; NULL if there is no line, or with an exception. */
static PyObject *lines_of_others(dlb_py_choice *call, const dlb_py_function *but, int index)
{
    PyObject *lines = NULL;
    int result = 0;
    line each;

    for (int i = 0; result == 0 && i < call->of->count; i++) {
        const dlb_py_function *const function = call->of->alternatives[i].function;
        const bool is_other = function != but && (index < 0 || !refuses_same(call, function, index, but));

        if (PyErr_Occurred()) {
            result = -1;
        } else if (is_other) {
            write_line(&each, call, function);
            result = PyErr_Occurred() ? -1 : add_line(&lines, each.string);
        }
    }
    if (result != 0) {
        Py_CLEAR(lines);
    }
    return lines;
}

void dlb_py_name_others(dlb_py_choice *call, const dlb_py_function *but, int index)
{
    dlb_py_exception pending;
    PyObject *lines;
    PyObject *addition;
    char before[DLB_PY_MESSAGE_SIZE];

    dlb_write(before, sizeof before, "%s() argument '", call->of->name);
    if (!dlb_py_message_begins_with(before)) {
        return;
    }
    pending = dlb_py_fetch();
    lines = lines_of_others(call, but, index);
    addition = lines != NULL ? PyUnicode_FromFormat("\nOther signatures:%U", lines) : NULL;
    Py_XDECREF(lines);
    if (PyErr_Occurred() && dlb_py_is_final()) {
        dlb_py_forget_exception(&pending);
        return;
    }
    dlb_py_restore(&pending);
    if (addition != NULL) {
        dlb_py_extend_message(before, addition);
        Py_DECREF(addition);
    }
}

void dlb_py_refuse_count_of_all(dlb_py_choice *call)
{
    PyObject *const lines = lines_of_others(call, NULL, -1);

    if (lines != NULL) {
        PyErr_Format(PyExc_TypeError, "%s() has no signature for these arguments:%U", call->of->name, lines);
        Py_DECREF(lines);
    }
}

void dlb_py_refuse_all(dlb_py_choice *call)
{
    const dlb_py_function *best = NULL;
    int furthest = -1;
    int nearest = 0;

    for (int i = 0; i < call->of->count; i++) {
        const dlb_py_function *const function = call->of->alternatives[i].function;
        const int index = dlb_py_first_refused(call, function);
        int near;

        if (PyErr_Occurred()) {
            return;
        }
        if (index == function->count) {
            continue; /* the argument has changed since the choice */
        }
        near = index >= 0 ? (int)mismatch_of(function, index, &call->described[dlb_py_position_of(call, index)]) : 0;
        if (index > furthest || (index == furthest && near > nearest)) {
            furthest = index;
            nearest = near;
            best = function;
        }
    }
    if (best == NULL) {
        dlb_py_refuse_count_of_all(call);
    } else {
        refuse_argument(call, furthest, best);
        dlb_py_name_others(call, best, furthest);
    }
}
