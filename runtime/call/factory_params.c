/* SPDX-License-Identifier: MIT-0 */
/* Params of the imports and allocations that make the arguments of a call. Their values are those of other arguments. */

#include "call.h"

#include <stdlib.h>

/* The value of `waiting` while the argument is imported: it has no object yet. */
enum { IMPORTING = 2 };

/* ---- Errors ---- */

/* Writes the required params of a factory as Python passes them: "s=..., n=...". */
static void write_keywords(char *to, size_t size, const dlb_factory *factory)
{
    size_t length = 0;

    to[0] = '\0';
    for (size_t i = 0; i < factory->param_count && length < size; i++) {
        if (factory->params[i].required) {
            dlb_write(to + length, size - length, "%s%s=...", length > 0 ? ", " : "", factory->params[i].name);
            length += strlen(to + length);
        }
    }
}

/* Raises a TypeError: `why` the argument cannot become an object, and how Python makes one. Returns -1. */
static int refuse(const dlb_py_function *function, const dlb_py_operand *operand, bool allocates, const char *why)
{
    char keywords[DLB_PY_MESSAGE_SIZE / 4];
    const char *const name = dlb_py_class_name(operand->type);

    write_keywords(keywords, sizeof keywords, allocates ? operand->type->allocator : operand->type->importer);
    (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' %s: give %s.%s, %s)", function->name,
                            dlb_py_operand_name(function, operand), why, name, allocates ? "empty(shape" : "from_dlpack(x", keywords);
    return -1;
}

/* Raises a TypeError: the call has no value for a required param. Returns -1. */
static int refuse_missing(const dlb_py_function *function, const dlb_py_operand *operand, bool allocates, PyObject *value)
{
    char why[DLB_PY_MESSAGE_SIZE / 2];
    dlb_py_class_names names;

    if (dlb_py_name_classes(operand->type, allocates ? Py_None : dlb_py_producer_behind(value), &names) != 0) {
        return -1; /* not covered: only the limited API needs memory for the name of a class */
    }
    dlb_write(why, sizeof why, "must be %s, not %s", names.expected, names.given);
    return refuse(function, operand, allocates, why);
}

/* Raises a TypeError: the objects of a call have different values for the param. Returns -1. */
static int refuse_several(const dlb_py_function *function, const dlb_py_operand *operand, bool allocates, const dlb_param *param)
{
    char why[DLB_PY_MESSAGE_SIZE / 2];

    dlb_write(why, sizeof why, "cannot be made: the other objects of the call have different values of '%s'", param->name);
    return refuse(function, operand, allocates, why);
}

/* ---- Values ---- */

/* The arguments of a call, and a factory that makes an object of one of them. */
typedef struct factory_call {
    const dlb_py_function *function;
    dlb_py_argument *arrays;
    const dlb_py_operand *operand;
    bool allocates;          /* the factory is the allocator */
    dlb_py_take_array *take; /* imports another argument first; NULL: all of them are taken */
} factory_call;

/* Finds the object of another argument. An array is imported first if the value is the object itself. Sets `*found` to a borrowed
 * reference, or to NULL: the argument is None, or depends on the argument that needs it. Returns 0, or -1 with an exception. */
static int find_object(const factory_call *call, const dlb_py_param_source *source, PyObject **found)
{
    const dlb_py_operand *const operand = &call->function->operands[source->operand];
    dlb_py_argument *const array = &call->arrays[source->operand];

    *found = array->source;
    if (array->source == NULL || dlb_py_is_own_argument(operand, array->source)) {
        return 0;
    }
    if (call->take != NULL && array->made == NULL && array->waiting != IMPORTING && source->at == 0 &&
        call->take(call->function, call->arrays, operand, true, array) != 0) {
        return -1;
    }
    *found = array->made != NULL && dlb_py_is_ours(array->made) ? array->made : NULL;
    return 0;
}

/* A value of a param. */
typedef struct found_value {
    const void *place; /* NULL: the call has none */
    void *object;      /* the place of a pointer */
    dlb_owner *owner;  /* the owner of the object that has the value, with a share; NULL: the value is in a variable of the call */
} found_value;

/* Finds the value of a source in an object of the call. Returns 0, or -1 with an exception. */
static int value_in_object(const factory_call *call, const dlb_py_param_source *source, found_value *found)
{
    dlb_owner *owner;
    PyObject *object;

    if (find_object(call, source, &object) != 0 || object == NULL) {
        return object == NULL ? 0 : -1;
    }
    owner = dlb_py_share_owner(object);
    if (owner == NULL) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' is closed", call->function->name,
                                dlb_py_operand_name(call->function, &call->function->operands[source->operand]));
        return -1;
    }
    found->owner = owner;
    if (source->at > 0) {
        found->place = (const char *)owner->object + owner->type->params[source->at - 1].offset;
        return 0;
    }
    found->object = dlb_owner_object(owner);
    found->place = owner->type->value > 0 ? found->object : (void *)&found->object;
    return 0;
}

static void drop_owner(dlb_owner *owner)
{
    if (owner != NULL) {
        dlb_py_quietly(dlb_py_drop_owner, owner);
    }
}

/* Takes the value of a source from the call. Returns 0, or -1 with an exception. */
static int find_value(const factory_call *call, const dlb_py_param_source *source, const dlb_param *param, found_value *found)
{
    static const void *const none = NULL;

    *found = (found_value){NULL, NULL, NULL};
    if (source->operand < 0) {
        found->place = call->arrays[call->operand - call->function->operands].variables[source->at];
        return 0;
    }
    if (value_in_object(call, source, found) != 0) {
        return -1;
    }
    if (found->place != NULL && param->of != NULL && param->size == sizeof none && memcmp(found->place, &none, sizeof none) == 0) {
        drop_owner(found->owner); /* the object was made without such an object */
        *found = (found_value){NULL, NULL, NULL};
    }
    return 0;
}

/* Makes `params` hold the owner of a value that is an object, so that the new object keeps it alive. */
static void keep_owner(dlb_py_params *params, size_t index, const dlb_py_param_source *source, const found_value *found)
{
    const void *object;

    params->kept[index] = found->owner;
    if (found->owner != NULL && source->at > 0 && params->factory->params[index].size == sizeof object) {
        memcpy(&object, found->place, sizeof object);
        params->kept[index] = dlb_owner_of_kept(found->owner, object); /* not the whole object that was made with it */
        dlb_owner_keep(params->kept[index]);
        dlb_py_quietly(dlb_py_drop_owner, found->owner);
    }
}

/* Stores the value of one source, or compares it with the value that is `known` already. Returns 1; 0 if the call has no such value; or
 * -1 with an exception. */
static int store_value(const factory_call *call, const dlb_py_param_source *source, bool known, dlb_py_params *params)
{
    const dlb_param *const param = &params->factory->params[source->param];
    void *const place = (char *)params->values + param->offset;
    found_value found;
    int differs;

    if (find_value(call, source, param, &found) != 0) {
        return -1;
    }
    if (found.place == NULL) {
        return known;
    }
    if (!known) {
        memcpy(place, found.place, param->size);
        keep_owner(params, (size_t)source->param, source, &found);
        return 1;
    }
    differs = memcmp(place, found.place, param->size) != 0;
    drop_owner(found.owner);
    return differs ? refuse_several(call->function, call->operand, call->allocates, param) : 1;
}

/* Drops the owners of numbers, strings and structs: their values have been copied. Only a pointer needs its owner. */
static void keep_addresses_only(dlb_py_params *params)
{
    for (size_t i = 0; i < params->factory->param_count; i++) {
        if (params->kept[i] != NULL && params->factory->params[i].ctype_class != DLB_OTHER) {
            dlb_py_quietly(dlb_py_drop_owner, params->kept[i]);
            params->kept[i] = NULL;
        }
    }
}

/* Stores the values of all params that the call has. Returns 0, or -1 with an exception. */
static int store_values(const factory_call *call, PyObject *value, dlb_py_params *params)
{
    for (size_t i = 0; i < params->factory->param_count; i++) {
        int known = 0;

        for (int k = 0; k < call->operand->source_count && known >= 0; k++) {
            const dlb_py_param_source *const source = &call->operand->sources[k];

            if (source->param == (int)i && source->allocates == (int)call->allocates) {
                known = store_value(call, source, known > 0, params);
            }
        }
        if (known < 0) {
            return -1;
        }
        if (known == 0 && params->factory->params[i].required) {
            return refuse_missing(call->function, call->operand, call->allocates, value);
        }
    }
    if (dlb_py_copy_strings(params->factory->params, params->factory->param_count, params->values, &params->strings) != 0) {
        return -1;
    }
    keep_addresses_only(params);
    return 0;
}

int dlb_py_params_of_import(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, PyObject *value,
                            dlb_py_take_array *take, dlb_py_params *params)
{
    const factory_call call = {function, arrays, operand, false, take};
    dlb_py_argument *const array = &arrays[operand - function->operands];
    int result;

    if (dlb_py_new_params(operand->type->importer, params) != 0) {
        return -1; /* not covered: params of more than 256 bytes, and no memory */
    }
    array->waiting = IMPORTING;
    result = store_values(&call, value, params);
    array->waiting = 0;
    return result;
}

int dlb_py_params_of_output(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, dlb_py_params *params)
{
    const factory_call call = {function, arrays, operand, true, NULL};

    return dlb_py_new_params(operand->type->allocator, params) == 0 ? store_values(&call, Py_None, params) : -1;
}
