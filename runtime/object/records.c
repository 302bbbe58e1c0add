/* SPDX-License-Identifier: MIT-0 */
/* Arrays of records: compares the fields of structured arrays with the struct of C, and writes its format for a buffer (PEP 3118). */

#include "object.h"

#include <stdlib.h>

/* ---- Fields of arrays ---- */

/* The type of a field of an array, as its producer describes it. */
typedef struct field_type {
    size_t item;      /* in bytes, of one element; of a record: as written, without padding at its end */
    size_t size;      /* in bytes, of all elements */
    DLDataType dtype; /* 0 bits: no number that C has */
    bool swapped;     /* the number has the other byte order */
    int64_t letters;  /* the length of a string of bytes; -1: another type */
    bool is_record;
    int ndim; /* more than DLB_FIELD_AXES: the extents are not stored */
    int64_t extents[DLB_FIELD_AXES];
} field_type;

/* The comparison of an array with a record. */
typedef struct comparison {
    const char *name;         /* of the class or the argument, for messages */
    const dlb_record *record; /* whose fields are compared: the elements, or a field of them */
    const char *path;         /* of the field whose record it is, with a dot; empty for the elements */
    int found;                /* number of fields so far */
    uint64_t seen;            /* bits of the first 64 fields */
} comparison;

enum { TYPE_SIZE = 96, PATH_SIZE = 160 };

/* Writes the extents of a field to the end of its type: "[3][4]". */
static void write_extents(char type[TYPE_SIZE], int ndim, const int64_t *extents)
{
    for (int axis = 0; axis < ndim && axis < DLB_FIELD_AXES; axis++) {
        const size_t used = strlen(type);

        dlb_write(type + used, TYPE_SIZE - used, "[%lld]", (long long)extents[axis]);
    }
}

/* Returns the type that a field must have, for messages: "float32[3]". `type` stores it. */
static const char *expected_type(const dlb_field *field, char type[TYPE_SIZE])
{
    char buffer[DLB_NAME_SIZE];

    if (field->record != NULL) {
        dlb_write(type, TYPE_SIZE, "record(%zu bytes)", field->record->size);
    } else if (field->is_char && field->ndim > 0) {
        dlb_write(type, TYPE_SIZE, "S%lld", (long long)field->extents[field->ndim - 1]);
        write_extents(type, field->ndim - 1, field->extents);
        return type;
    } else {
        dlb_write(type, TYPE_SIZE, "%s", dlb_dtype_name(field->dtype, buffer));
    }
    write_extents(type, field->ndim, field->extents);
    return type;
}

/* Returns the type of a field of the array, for messages. `type` stores it. */
static const char *found_type(const field_type *found, char type[TYPE_SIZE])
{
    char buffer[DLB_NAME_SIZE];

    if (found->is_record) {
        dlb_write(type, TYPE_SIZE, "record(%zu bytes)", found->item);
    } else if (found->letters >= 0) {
        dlb_write(type, TYPE_SIZE, "S%lld", (long long)found->letters);
    } else if (found->dtype.bits == 0) {
        dlb_write(type, TYPE_SIZE, "%s", "another type");
    } else {
        dlb_write(type, TYPE_SIZE, "%s", dlb_dtype_name(found->dtype, buffer));
    }
    write_extents(type, found->ndim, found->extents);
    if (found->swapped) {
        const size_t used = strlen(type);

        dlb_write(type + used, TYPE_SIZE - used, "%s", " in the other byte order");
    }
    return type;
}

/* Lists the names of the fields of a record: "x, y, tag". */
static const char *names_of(const dlb_record *record, char names[PATH_SIZE])
{
    size_t used = 0;

    names[0] = '\0';
    for (int i = 0; i < record->field_count && used < PATH_SIZE - 8; i++) {
        dlb_write(names + used, PATH_SIZE - used, "%s%s", i > 0 ? ", " : "", record->fields[i].name);
        used = strlen(names);
    }
    return names;
}

/* Returns the number of elements of a field; 0 if there are too many. */
static int64_t count_of(int ndim, const int64_t *extents)
{
    int64_t count = 1;

    for (int axis = 0; axis < ndim; axis++) {
        if (extents[axis] < 0 || dlb_multiply_overflows(count, extents[axis], &count)) {
            return 0;
        }
    }
    return count;
}

static bool is_same_shape(int ndim, const int64_t *extents, int other_ndim, const int64_t *others)
{
    return ndim == other_ndim && (ndim == 0 || memcmp(extents, others, (size_t)ndim * sizeof *extents) == 0);
}

/* Returns whether a `char` or an array of them is described as a string of bytes, or as integers of one byte. */
static bool is_same_string(const dlb_field *field, const field_type *found)
{
    const int64_t length = field->ndim > 0 ? field->extents[field->ndim - 1] : 1;
    const bool whole = found->letters == length && is_same_shape(field->ndim > 0 ? field->ndim - 1 : 0, field->extents, found->ndim, found->extents);
    const bool single = found->letters == 1 || (found->dtype.bits == 8 && (found->dtype.code == kDLInt || found->dtype.code == kDLUInt));

    return whole || (single && is_same_shape(field->ndim, field->extents, found->ndim, found->extents));
}

static bool is_same_type(const dlb_field *field, const field_type *found)
{
    if (found->is_record || field->record != NULL) {
        /* the distance of several records is known only if they have no padding at their end, or it is written */
        return found->is_record && field->record != NULL &&
               is_same_shape(field->ndim, field->extents, found->ndim, found->extents) &&
               (found->item == field->record->size || count_of(field->ndim, field->extents) == 1);
    }
    if (field->is_char) {
        return is_same_string(field, found);
    }
    return found->letters < 0 && !found->swapped && dlb_same_dtype(field->dtype, found->dtype) &&
           is_same_shape(field->ndim, field->extents, found->ndim, found->extents);
}

/* Compares a field of the array with the field of the record that has its name. Sets `*field` to it. Returns 0, or -1 with a TypeError. */
static int compare_field(comparison *with, const char *name, size_t length, size_t offset, const field_type *found, const dlb_field **field)
{
    char names[PATH_SIZE];
    char expected[TYPE_SIZE];
    char type[TYPE_SIZE];

    *field = NULL;
    for (int i = 0; i < with->record->field_count; i++) {
        if (strncmp(with->record->fields[i].name, name, length) == 0 && with->record->fields[i].name[length] == '\0') {
            *field = &with->record->fields[i];
            with->seen |= i < 64 ? (uint64_t)1 << i : 0;
        }
    }
    if (*field == NULL) {
        dlb_write(type, length < TYPE_SIZE - 1 ? length + 1 : TYPE_SIZE, "%s", name);
        (void)dlb_py_raise_message(PyExc_TypeError, "%s: the records of the array have a field '%s%s', and must have the fields %s only",
                                with->name, with->path, type, names_of(with->record, names));
        return -1;
    }
    with->found++;
    if (offset == (*field)->offset && is_same_type(*field, found)) {
        return 0;
    }
    (void)dlb_py_raise_message(PyExc_TypeError, "%s: the field '%s%s' of the array is %s at byte %zu, and must be %s at byte %zu", with->name,
                            with->path, (*field)->name, found_type(found, type), offset, expected_type(*field, expected), (*field)->offset);
    return -1;
}

/* Checks that the array has all fields of the record. An array has each field once, because offsets increase. Returns 0, or -1 with a
 * TypeError. */
static int check_complete(const comparison *with)
{
    char names[PATH_SIZE];
    int missing = 0;

    if (with->found == with->record->field_count) {
        return 0;
    }
    while (missing < 63 && missing < with->record->field_count - 1 && (with->seen >> missing & 1) != 0) {
        missing++;
    }
    (void)dlb_py_raise_message(PyExc_TypeError, "%s: the records of the array have no field '%s%s', and must have the fields %s", with->name,
                            with->path, with->record->fields[missing].name, names_of(with->record, names));
    return -1;
}

/* Prepares the comparison of a field that is a record. `path` stores the path of its fields. */
static comparison within(const comparison *whole, const dlb_field *field, char path[PATH_SIZE])
{
    dlb_write(path, PATH_SIZE, "%s%s.", whole->path, field->name);
    return (comparison){whole->name, field->record, path, 0, 0};
}

/* Raises a TypeError for an array whose elements are `found`, such as numbers, and not records. Returns -1. */
static int refuse_elements(const char *name, const dlb_record *record, const char *found)
{
    char names[PATH_SIZE];

    (void)dlb_py_raise_message(PyExc_TypeError, "%s: the elements of the array are %.60s, and must be records with the fields %s (%s in C)",
                            name, found, names_of(record, names), record->name);
    return -1;
}

static int check_size(const char *name, const dlb_record *record, long long size)
{
    if (size == (long long)record->size) {
        return 0;
    }
    (void)dlb_py_raise_message(PyExc_TypeError, "%s: the records of the array have %lld bytes, and must have %zu", name, size, record->size);
    return -1;
}

/* ---- The format of a buffer ----
 *
 * NumPy writes all padding between fields, also where PEP 3118 implies it ("T{h:kind:xxxxxxd:weight:}"), and none at the end of a
 * record. The offset of a field is therefore the number of bytes before it. */

/* A place in a format. */
typedef struct format_place {
    const char *at;
    char order; /* the last character for byte order and alignment */
} format_place;

static void skip_order(format_place *place)
{
    while (*place->at != '\0' && strchr("@=<>!^", *place->at) != NULL) {
        place->order = *place->at++;
    }
}

/* Reads a number; -1 if there is none, or if it is too large. */
static int64_t read_number(format_place *place)
{
    int64_t value = -1;

    while (*place->at >= '0' && *place->at <= '9') {
        value = value < 0 ? 0 : value;
        value = value < 100000000 ? 10 * value + (*place->at - '0') : value;
        place->at++;
    }
    return value;
}

/* Reads the extents of a field: "(2,3)". */
static void read_extents(format_place *place, field_type *found)
{
    if (*place->at != '(') {
        return;
    }
    do {
        int64_t extent;

        place->at++;
        extent = read_number(place);
        if (found->ndim < DLB_FIELD_AXES) {
            found->extents[found->ndim] = extent;
        }
        found->ndim++;
    } while (*place->at == ',');
    place->at += *place->at == ')';
}

/* Moves a place behind the record whose "T{" it is behind. Names, which stand between colons, may contain braces. */
static void skip_record(format_place *place)
{
    int depth = 1;
    bool named = false;

    for (; *place->at != '\0' && depth > 0; place->at++) {
        named = named != (*place->at == ':');
        if (!named) {
            depth += (*place->at == '{') - (*place->at == '}');
        }
    }
}

/* Reads a type other than a record. */
static void read_type(format_place *place, int64_t count, field_type *found)
{
    char single[4] = {place->order == '^' ? '@' : place->order, *place->at, '\0', '\0'};
    size_t size;

    if (*place->at == 's' || *place->at == 'p' || *place->at == 'c') {
        found->letters = *place->at == 'c' ? 1 : *place->at == 's' ? (count < 0 ? 1 : count) : -1;
        found->item = (size_t)(count < 0 ? 1 : count);
        place->at++;
        return;
    }
    place->at += *place->at == 'Z';
    if (single[1] == 'Z') {
        single[2] = *place->at;
    }
    size = dlb_py_size_of_letter(*place->at, single[0] == '@') * (single[1] == 'Z' ? 2 : 1);
    place->at += *place->at != '\0';
    if (!dlb_py_read_format(single, (Py_ssize_t)size, &found->dtype, &found->swapped)) {
        found->dtype.bits = 0;
    }
    if (count >= 0 && found->ndim == 0) { /* as the struct module: "3f" is three values */
        found->ndim = 1;
        found->extents[0] = count;
    }
    found->item = size;
}

static int compare_format(comparison *with, format_place *place, size_t *size);

/* Reads one field, and compares it. Returns 0, or -1 with a TypeError. */
static int compare_next(comparison *with, format_place *place, int64_t count, field_type *found, size_t *offset)
{
    format_place inner = *place;
    const dlb_field *field;
    char path[PATH_SIZE];
    const char *name;
    size_t length;
    size_t size = 0;

    found->is_record = place->at[0] == 'T' && place->at[1] == '{';
    if (found->is_record) {
        inner.at += 2;
        place->at += 2;
        skip_record(place);
    } else {
        read_type(place, count, found);
    }
    name = *place->at == ':' ? place->at + 1 : "";
    length = strcspn(name, ":");
    place->at = *place->at == ':' ? name + length + (name[length] == ':') : place->at;
    if (found->is_record) {
        for (int i = 0; i < with->record->field_count; i++) { /* the size of the record is known after its fields are compared */
            field = &with->record->fields[i];
            if (field->record != NULL && strncmp(field->name, name, length) == 0 && field->name[length] == '\0') {
                comparison part = within(with, field, path);

                if (compare_format(&part, &inner, &size) != 0) {
                    return -1;
                }
                place->order = inner.order;
                found->item = size;
            }
        }
    }
    found->size = found->item * (size_t)(found->ndim <= DLB_FIELD_AXES ? count_of(found->ndim, found->extents) : 0);
    if (compare_field(with, name, length, *offset, found, &field) != 0) {
        return -1;
    }
    *offset += found->size;
    return 0;
}

/* Compares the fields of a record, to the brace that closes it. `*size` becomes its size without padding at its end. Returns 0, or -1 with a
 * TypeError. */
static int compare_format(comparison *with, format_place *place, size_t *size)
{
    size_t offset = 0;

    while (*place->at != '\0' && *place->at != '}') {
        field_type found = {.letters = -1};
        int64_t count;

        skip_order(place);
        read_extents(place, &found);
        skip_order(place);
        count = read_number(place);
        if (*place->at == 'x' && place->at[1] != ':') {
            offset += (size_t)(count < 0 ? 1 : count);
            place->at++;
        } else if (*place->at != '}' && *place->at != '\0' && compare_next(with, place, count, &found, &offset) != 0) {
            return -1;
        }
    }
    *size = offset;
    return check_complete(with);
}

/* ---- The structures of ctypes ----
 *
 * The format of their buffers has no padding before Python 3.12. The class has the offsets. */

/* The base classes of ctypes, new references. */
typedef struct ctypes_bases {
    PyObject *array;
    PyObject *structure;
    PyObject *aggregate; /* Union */
} ctypes_bases;

/* Gets a base class. Returns a new reference, or NULL with an exception. */
static PyObject *find_base(PyObject *ctypes, const char *name)
{
    PyObject *base = PyObject_GetAttrString(ctypes, name);

    if (base != NULL && !PyType_Check(base)) {
        (void)dlb_py_raise_message(PyExc_TypeError, "_ctypes.%s must be a class", name);
        Py_CLEAR(base);
    }
    return base;
}

static bool is_subclass(PyObject *cls, PyObject *base)
{
    return PyType_Check(cls) && PyType_IsSubtype((PyTypeObject *)cls, (PyTypeObject *)base);
}

/* Reads an attribute that is an integer, such as an offset. Returns -1 with an exception. */
static int64_t integer_attribute(PyObject *object, const char *name)
{
    PyObject *const value = PyObject_GetAttrString(object, name);
    const long long number = value != NULL ? PyLong_AsLongLong(value) : -1;

    Py_XDECREF(value);
    return number;
}

/* Replaces the class of an array, a new reference, by that of its elements, and appends the extents to `found`. Returns the class, or NULL
 * with an exception. */
static PyObject *elements_of(const ctypes_bases *bases, PyObject *type, field_type *found)
{
    while (type != NULL && is_subclass(type, bases->array)) {
        const int64_t extent = integer_attribute(type, "_length_");
        PyObject *const next = extent >= 0 ? PyObject_GetAttrString(type, "_type_") : NULL;

        if (found->ndim < DLB_FIELD_AXES) {
            found->extents[found->ndim] = extent;
        }
        found->ndim++;
        Py_DECREF(type);
        type = next;
    }
    return type;
}

/* Gets an attribute of a class. Returns 0, and sets `*value` to a new reference, or to NULL if the class lacks it; or -1 with an exception. */
static int find_attribute(PyObject *cls, const char *name, PyObject **value)
{
    *value = PyObject_GetAttrString(cls, name);
    if (*value != NULL) {
        return 0;
    }
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return -1;
    }
    PyErr_Clear();
    return 0;
}

/* Describes a number or a character. Other classes, such as pointers, have no dtype. Returns 0, or -1 with an exception. */
static int read_simple_type(PyObject *type, field_type *found)
{
    PyObject *code;
    PyObject *native;
    const char *string;
    bool swapped;
    bool ignored; /* the letter has no byte order */

    if (find_attribute(type, dlb_is_big_endian() ? "__ctype_be__" : "__ctype_le__", &native) != 0) {
        return -1;
    }
    swapped = native != NULL && native != type;
    Py_XDECREF(native);
    if (find_attribute(type, "_type_", &code) != 0) {
        return -1;
    }
    string = code != NULL && PyUnicode_Check(code) ? PyUnicode_AsUTF8AndSize(code, NULL) : "";
    if (string != NULL && strcmp(string, "c") == 0) {
        found->letters = 1;
    } else if (string != NULL && dlb_py_read_format(string, (Py_ssize_t)found->item, &found->dtype, &ignored)) {
        found->swapped = swapped;
    }
    Py_XDECREF(code);
    return string != NULL ? 0 : -1;
}

static int compare_structure(comparison *with, const ctypes_bases *bases, PyObject *structure);

/* Compares the fields of a structure within a structure, if the record has one there. Returns 0, or -1 with an exception. */
static int compare_inner(const comparison *with, const ctypes_bases *bases, const char *name, PyObject *structure)
{
    int result = 0;

    for (int i = 0; i < with->record->field_count; i++) {
        const dlb_field *const field = &with->record->fields[i];

        if (field->record != NULL && strcmp(field->name, name) == 0) {
            char path[PATH_SIZE];
            comparison part = within(with, field, path);

            result = compare_structure(&part, bases, structure);
        }
    }
    return result;
}

/* Compares a field of the class `type`, a new reference that it takes over, at `place`, its descriptor. Returns 0, or -1 with an exception. */
static int compare_member(comparison *with, const ctypes_bases *bases, const char *name, PyObject *type, PyObject *place)
{
    const int64_t offset = integer_attribute(place, "offset");
    const int64_t size = offset >= 0 ? integer_attribute(place, "size") : -1;
    field_type found = {.letters = -1};
    PyObject *const element = size >= 0 ? elements_of(bases, type, &found) : type;
    const int64_t count = count_of(found.ndim <= DLB_FIELD_AXES ? found.ndim : 0, found.extents);
    const dlb_field *field;
    int result = 0;

    if (size < 0 || element == NULL) {
        Py_XDECREF(element);
        return -1;
    }
    found.item = count > 0 ? (size_t)(size / count) : 0;
    found.is_record = is_subclass(element, bases->structure);
    if (found.is_record) {
        result = compare_inner(with, bases, name, element);
    } else if (!is_subclass(element, bases->aggregate)) {
        result = read_simple_type(element, &found);
    }
    Py_DECREF(element);
    return result == 0 ? compare_field(with, name, strlen(name), (size_t)offset, &found, &field) : -1;
}

/* Compares an entry of `_fields_` of the class `cls`: a tuple of a name, a class and, for a bit-field, its width. A derived class can have
 * another attribute of that name. Returns 0, or -1 with an exception. */
static int compare_ctypes_entry(comparison *with, const ctypes_bases *bases, PyObject *cls, PyObject *entry)
{
    PyObject *const pair = PySequence_Tuple(entry);
    const Py_ssize_t length = pair != NULL ? PyTuple_Size(pair) : 0;
    PyObject *const key = length >= 2 ? PyTuple_GetItem(pair, 0) : NULL;
    const char *const name = key != NULL && PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
    PyObject *place = NULL;
    int result = -1;

    if (name != NULL && length > 2) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s: the field '%s%s' of the array is a bit-field, which has no address", with->name,
                                with->path, name);
    } else if (name != NULL) {
        place = PyObject_GetAttr(cls, key);
        if (place != NULL) {
            result = compare_member(with, bases, name, Py_NewRef(PyTuple_GetItem(pair, 1)), place);
        }
    } else if (!PyErr_Occurred()) { /* ctypes reads the list of fields once, and keeps it: it can have changed since */
        (void)dlb_py_raise_message(PyExc_TypeError, "%s: a field in _fields_ of the array's structure is not a name with a type", with->name);
    }
    Py_XDECREF(place);
    Py_XDECREF(pair);
    return result;
}

/* Compares the fields that a class has beside those of its bases. Returns 0, or -1 with an exception. */
static int compare_own_fields(comparison *with, const ctypes_bases *bases, PyObject *cls)
{
    PyObject *const dict = PyObject_GetAttrString(cls, "__dict__");
    PyObject *const fields = dict != NULL ? PyMapping_GetItemString(dict, "_fields_") : NULL;
    PyObject *const entries = fields != NULL ? PySequence_Tuple(fields) : NULL;
    int result = entries != NULL ? 0 : -1;

    if (dict != NULL && fields == NULL && PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyErr_Clear();
        result = 0;
    }
    for (Py_ssize_t i = 0; entries != NULL && result == 0 && i < PyTuple_Size(entries); i++) {
        result = compare_ctypes_entry(with, bases, cls, PyTuple_GetItem(entries, i));
    }
    Py_XDECREF(entries);
    Py_XDECREF(fields);
    Py_XDECREF(dict);
    return result;
}

/* Compares a structure of ctypes with a record. A class has the fields of its bases first. Returns 0, or -1 with an exception. */
static int compare_structure(comparison *with, const ctypes_bases *bases, PyObject *structure)
{
    PyObject *const mro = PyObject_GetAttrString(structure, "__mro__");
    int result = mro != NULL && PyTuple_Check(mro) ? 0 : -1;

    if (mro != NULL && result != 0) {
        (void)dlb_py_raise_message(PyExc_TypeError, "the __mro__ of a type must be a tuple");
    }
    for (Py_ssize_t i = result == 0 ? PyTuple_Size(mro) - 1 : -1; i >= 0 && result == 0; i--) {
        if (is_subclass(PyTuple_GetItem(mro, i), bases->structure)) {
            result = compare_own_fields(with, bases, PyTuple_GetItem(mro, i));
        }
    }
    Py_XDECREF(mro);
    return result == 0 ? check_complete(with) : -1;
}

/* Finds the structure of ctypes whose array, or whose object, has the buffer. Returns 0, and sets `*structure` to a new reference, or to NULL
 * if it is another object; or -1 with an exception. */
static int find_structure(const ctypes_bases *bases, const Py_buffer *buffer, PyObject **structure)
{
    PyObject *source = Py_NewRef(buffer->obj);
    field_type ignored = {.letters = -1};

    *structure = NULL;
    while (source != NULL && PyMemoryView_Check(source)) {
        PyObject *const next = PyObject_GetAttrString(source, "obj");

        Py_DECREF(source);
        source = next;
    }
    if (source == NULL) {
        return -1;
    }
    *structure = elements_of(bases, Py_NewRef((PyObject *)Py_TYPE(source)), &ignored);
    Py_DECREF(source);
    if (*structure == NULL) {
        return -1;
    }
    if (!is_subclass(*structure, bases->structure)) {
        Py_CLEAR(*structure);
    }
    return 0;
}

/* Compares the elements of a buffer with a record, if they are structures of ctypes. Returns 0; 1 if they are not; or -1 with an exception. */
static int check_structure(comparison *with, const Py_buffer *buffer)
{
    PyObject *const name = PyUnicode_FromString("_ctypes");
    PyObject *const ctypes = name != NULL ? PyImport_GetModule(name) : NULL; /* NULL: no such object exists */
    ctypes_bases bases = {NULL, NULL, NULL};
    PyObject *structure = NULL;
    int result = PyErr_Occurred() ? -1 : 1;

    if (ctypes != NULL) {
        bases.array = find_base(ctypes, "Array");
        bases.structure = bases.array != NULL ? find_base(ctypes, "Structure") : NULL;
        bases.aggregate = bases.structure != NULL ? find_base(ctypes, "Union") : NULL;
        result = bases.aggregate != NULL && find_structure(&bases, buffer, &structure) == 0 ? 1 : -1;
    }
    if (structure != NULL) {
        result = compare_structure(with, &bases, structure);
    }
    Py_XDECREF(structure);
    Py_XDECREF(bases.aggregate);
    Py_XDECREF(bases.structure);
    Py_XDECREF(bases.array);
    Py_XDECREF(ctypes);
    Py_XDECREF(name);
    return result;
}

/* Compares the format of a buffer with a record. Returns 0, or -1 with a TypeError. */
static int check_format(const char *name, const dlb_record *record, const Py_buffer *buffer)
{
    format_place place = {buffer->format != NULL ? buffer->format : "B", '@'};
    comparison with = {name, record, "", 0, 0};
    char found[TYPE_SIZE];
    DLDataType dtype;
    char words[DLB_NAME_SIZE];
    bool swapped;
    size_t size;
    int result;

    skip_order(&place);
    if (dlb_py_read_format(place.at, buffer->itemsize, &dtype, &swapped)) {
        return refuse_elements(name, record, dlb_dtype_name(dtype, words));
    }
    result = check_structure(&with, buffer);
    if (result > 0 && (place.at[0] != 'T' || place.at[1] != '{')) {
        dlb_write(found, sizeof found, "of the format '%.40s'", place.at);
        return refuse_elements(name, record, found);
    }
    if (result > 0) {
        place.at += 2;
        result = compare_format(&with, &place, &size);
    }
    return result != 0 ? -1 : check_size(name, record, buffer->itemsize);
}

int dlb_py_read_records(const char *name, const dlb_record *record, const Py_buffer *buffer, DLTensor *tensor, int64_t axes[2 * DLB_MAX_NDIM],
                        dlb_elements *elements)
{
    if (check_format(name, record, buffer) != 0) {
        return -1;
    }
    *tensor = (DLTensor){.data = buffer->buf, .device = DLB_CPU, .dtype = dlb_dtype_of_record(record)};
    elements->swapped = false;
    return dlb_py_read_axes(name, buffer, tensor, axes, elements);
}

/* ---- The `descr` of an array interface ---- */

/* Raises a TypeError: `descr` is not a list as NumPy writes it. Returns -1. */
static int refuse_descr(const char *name, PyObject *value)
{
    if (!PyErr_Occurred() || dlb_py_may_try_another()) {
        PyErr_Format(PyExc_TypeError, "%s: 'descr' of the array interface must be a list of fields, not %.100R", name, value);
    }
    return -1;
}

/* Reads the extents of a field, a tuple of ints or one int. Returns whether they are valid. */
static bool read_field_shape(PyObject *shape, field_type *found)
{
    const Py_ssize_t count = PyTuple_Check(shape) ? PyTuple_Size(shape) : 1;

    found->ndim = count > DLB_FIELD_AXES ? DLB_FIELD_AXES + 1 : (int)count;
    for (int axis = 0; axis < found->ndim && axis < DLB_FIELD_AXES; axis++) {
        found->extents[axis] = PyLong_AsLongLong(PyTuple_Check(shape) ? PyTuple_GetItem(shape, axis) : shape);
        if (found->extents[axis] < 0 || found->extents[axis] > INT32_MAX) {
            return false;
        }
    }
    return true;
}

/* Reads the type string of a field: its size, and its dtype if C has it. */
static void read_string(const char *string, field_type *found)
{
    const char *digits = string + (string[0] != '\0' && string[1] != '\0' ? 2 : 0);
    format_place place = {digits, '@'};
    const int64_t size = read_number(&place);

    found->item = (size_t)(size < 0 ? 0 : size);
    if (string[0] != '\0' && string[1] == 'S') {
        found->letters = size;
    } else if (!dlb_py_read_typestr(string, &found->dtype, &found->swapped)) {
        found->dtype.bits = 0;
    }
    if (string[0] != '\0' && string[1] == 'U') {
        found->item *= 4;
    }
}

static int compare_descr(comparison *with, PyObject *descr, size_t *size);

/* Compares one field of a list, and adds its size to `*offset`. Returns 0, or -1 with an exception. */
static int compare_entry(comparison *with, PyObject *entry, size_t *offset)
{
    const Py_ssize_t length = PyTuple_Check(entry) ? PyTuple_Size(entry) : 0;
    PyObject *const key = length >= 2 ? PyTuple_GetItem(entry, 0) : NULL;
    PyObject *const type = length >= 2 ? PyTuple_GetItem(entry, 1) : NULL;
    PyObject *const string = key != NULL && PyTuple_Check(key) && PyTuple_Size(key) == 2 ? PyTuple_GetItem(key, 1) : key; /* (title, name) */
    const char *const name = string != NULL && PyUnicode_Check(string) ? PyUnicode_AsUTF8AndSize(string, NULL) : NULL;
    field_type found = {.letters = -1};
    const dlb_field *field;
    char path[PATH_SIZE];
    size_t size = 0;

    if (name == NULL || (length > 2 && !read_field_shape(PyTuple_GetItem(entry, 2), &found))) {
        return refuse_descr(with->name, entry);
    }
    if (PyUnicode_Check(type)) {
        const char *const words = PyUnicode_AsUTF8AndSize(type, NULL);

        if (words == NULL) {
            return refuse_descr(with->name, entry);
        }
        read_string(words, &found);
    } else {
        found.is_record = true;
        for (int i = 0; i < with->record->field_count; i++) {
            field = &with->record->fields[i];
            if (field->record != NULL && strcmp(field->name, name) == 0) {
                comparison part = within(with, field, path);

                if (compare_descr(&part, type, &size) != 0) {
                    return -1;
                }
                found.item = size;
            }
        }
    }
    found.size = found.item * (size_t)(found.ndim <= DLB_FIELD_AXES ? count_of(found.ndim, found.extents) : 0);
    if (name[0] != '\0' && compare_field(with, name, strlen(name), *offset, &found, &field) != 0) {
        return -1;
    }
    *offset += found.size;
    return 0;
}

/* Compares a list of fields with a record. `*size` becomes the size of the list, which has all padding. Returns 0, or -1 with an exception. */
static int compare_descr(comparison *with, PyObject *descr, size_t *size)
{
    PyObject *const entries = PyList_Check(descr) ? PyList_AsTuple(descr) : NULL; /* other code may change the list */
    int result = entries != NULL ? 0 : refuse_descr(with->name, descr);

    *size = 0;
    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_Size(entries); i++) {
        result = compare_entry(with, PyTuple_GetItem(entries, i), size);
    }
    Py_XDECREF(entries);
    return result != 0 ? -1 : check_complete(with);
}

int dlb_py_check_descr(const char *name, const dlb_record *record, const char *typestr, PyObject *descr)
{
    comparison with = {name, record, "", 0, 0};
    field_type found = {.letters = -1};
    char words[TYPE_SIZE];
    size_t size;

    read_string(typestr, &found);
    if (typestr[0] == '\0' || typestr[1] != 'V' || descr == NULL) {
        return refuse_elements(name, record, found.dtype.bits != 0 || found.letters >= 0 ? found_type(&found, words) : typestr);
    }
    if (compare_descr(&with, descr, &size) != 0) {
        return -1;
    }
    return check_size(name, record, (long long)size) != 0 ? -1 : check_size(name, record, (long long)found.item);
}

/* ---- Formats of our own buffers ---- */

/* A format that is being written. Without `to`, only its length is counted. */
typedef struct format_writer {
    char *to;
    size_t length;
} format_writer;

static void put(format_writer *writer, const char *string)
{
    const size_t length = strlen(string);

    if (writer->to != NULL) {
        memcpy(writer->to + writer->length, string, length + 1);
    }
    writer->length += length;
}

static void put_padding(format_writer *writer, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        put(writer, "x");
    }
}

/* Writes the extents of a field. The last extent of a string is part of its type. */
static void put_extents(format_writer *writer, const dlb_field *field, int ndim)
{
    char number[32];

    for (int axis = 0; axis < ndim; axis++) {
        dlb_write(number, sizeof number, "%s%lld", axis == 0 ? "(" : ",", (long long)field->extents[axis]);
        put(writer, number);
    }
    put(writer, ndim > 0 ? ")" : "");
}

/* Returns the largest alignment that a number of the record needs. */
static size_t largest_alignment(const dlb_record *record)
{
    size_t largest = 1;

    for (int i = 0; i < record->field_count; i++) {
        const dlb_field *const field = &record->fields[i];
        const size_t alignment = field->record == NULL ? dlb_natural_alignment(field->dtype) : largest_alignment(field->record);

        largest = alignment > largest ? alignment : largest;
    }
    return largest;
}

/* Returns whether C aligns all numbers of the record as their types need it. */
static bool is_aligned(const dlb_record *record)
{
    bool aligned = true;

    for (int i = 0; i < record->field_count && aligned; i++) {
        const dlb_field *const field = &record->fields[i];
        const size_t alignment = field->record == NULL ? dlb_natural_alignment(field->dtype) : largest_alignment(field->record);

        aligned = field->offset % alignment == 0 && record->size % alignment == 0 && (field->record == NULL || is_aligned(field->record));
    }
    return aligned;
}

static void put_record(format_writer *writer, const dlb_record *record);

/* Writes a field: extents, type and name. Returns its size in bytes. */
static size_t put_field(format_writer *writer, const dlb_field *field)
{
    const bool string = field->is_char && field->ndim > 0;
    size_t size = (size_t)count_of(field->ndim, field->extents);
    char type[32];

    put_extents(writer, field, string ? field->ndim - 1 : field->ndim);
    if (field->record != NULL) {
        put_record(writer, field->record);
        size *= field->record->size;
    } else if (string) {
        dlb_write(type, sizeof type, "%llds", (long long)field->extents[field->ndim - 1]);
        put(writer, type);
    } else {
        put(writer, dlb_py_buffer_format(field->dtype));
        size *= (size_t)dlb_itemsize(field->dtype);
    }
    put(writer, ":");
    put(writer, field->name);
    put(writer, ":");
    return size;
}

/* Writes a record with all padding, also at its end: readers add padding only between fields that are aligned. */
static void put_record(format_writer *writer, const dlb_record *record)
{
    size_t offset = 0;

    put(writer, "T{");
    for (int i = 0; i < record->field_count; i++) {
        put_padding(writer, record->fields[i].offset - offset);
        offset = record->fields[i].offset + put_field(writer, &record->fields[i]);
    }
    put_padding(writer, record->size - offset);
    put(writer, "}");
}

/* Writes the format. In a packed record numbers have standard sizes, "=", so that readers expect no alignment. */
static void put_format(format_writer *writer, const dlb_record *record)
{
    put(writer, is_aligned(record) ? "" : "=");
    put_record(writer, record);
}

char *dlb_py_record_format(const dlb_record *record)
{
    format_writer writer = {NULL, 0};

    put_format(&writer, record);
    writer = (format_writer){malloc(writer.length + 1), 0};
    if (writer.to == NULL) {
        (void)PyErr_NoMemory();
        return NULL;
    }
    put_format(&writer, record);
    return writer.to;
}
