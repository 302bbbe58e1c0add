/* SPDX-License-Identifier: MIT-0 */
/* The state of the runtime in one interpreter. */

#include "object.h"

/* The address is the key in the dict. It distinguishes this copy of the runtime from other copies in the process. */
static const char anchor = 0;

static const char capsule_name[] = "dlb_py_state";

/* A cache of the states of a few interpreters, usually of the only one, by address. Only an interpreter itself fills and empties its
 * entry, so it may use `state` if it finds its own address. */
typedef struct state_place {
    dlb_count interpreter; /* 0: free; address plus 1: being filled */
    dlb_py_state *state;
} state_place;

enum { CACHED_STATES = 4 };
static state_place cached_states[CACHED_STATES];

static inline state_place *cache_place_of(const PyInterpreterState *interpreter)
{
    const uintptr_t address = (uintptr_t)interpreter;

    return &cached_states[(address >> 12 ^ address >> 18) % CACHED_STATES];
}

dlb_count dlb_py_only_state;

static void add_to_only(const dlb_py_state *state)
{
    uint64_t seen = 0;

    while (seen == 0 && !dlb_count_replace(&dlb_py_only_state, &seen, (uintptr_t)state)) {
    }
    if (seen != 0 && seen != (uintptr_t)state) {
        dlb_count_set(&dlb_py_only_state, DLB_PY_SEVERAL_STATES); /* permanently */
    }
}

static void take_from_only(const dlb_py_state *state)
{
    uint64_t seen = (uintptr_t)state;

    while (seen == (uintptr_t)state && !dlb_count_replace(&dlb_py_only_state, &seen, 0)) {
    }
}

static void cache_state(const PyInterpreterState *interpreter, dlb_py_state *state)
{
    state_place *const place = cache_place_of(interpreter);
    uint64_t seen = 0;

    add_to_only(state);
    if (dlb_count_replace(&place->interpreter, &seen, (uintptr_t)interpreter + 1)) { /* a taken entry is not replaced */
        place->state = state;
        (void)dlb_count_subtract(&place->interpreter, 1);
    }
}

/* Removes the state from the caches, because a later interpreter may have the same address. */
static void uncache_state(const PyInterpreterState *interpreter, const dlb_py_state *state)
{
    state_place *const place = cache_place_of(interpreter);

    take_from_only(state);
    if (dlb_count_read(&place->interpreter) == (uintptr_t)interpreter && place->state == state) {
        (void)dlb_count_subtract(&place->interpreter, (uintptr_t)interpreter); /* also orders earlier reads */
    }
}

void dlb_py_state_free(dlb_py_state *state)
{
    for (size_t i = 0; i < DLB_PY_NAMES; i++) {
        Py_XDECREF(state->names[i]);
    }
    Py_XDECREF(state->call_names);
    Py_XDECREF(state->call_version);
    Py_XDECREF(state->call_keywords);
    Py_XDECREF(state->no_arguments);
    Py_XDECREF(state->cpu);
    PyMem_Free(state);
}

/* Ends the state together with its interpreter. Objects that still exist keep the names alive. */
static void end_state(dlb_py_state *state)
{
    while (state->entry_count > 0) { /* Py_DECREF may run Python code, which uses what is left of the state */
        PyObject *const object = state->entries[--state->entry_count].object;

        Py_DECREF(object);
    }
    if (state->interpreter != NULL) {
        uncache_state(state->interpreter->state, state);
        (void)dlb_count_subtract(&state->interpreter->alive, 1);
        dlb_py_interpreter_drop(state->interpreter);
        state->interpreter = NULL;
    }
    dlb_py_clear_free_lists(state);
    dlb_py_forget_kinds(state);
    for (size_t i = 0; i < DLB_PY_REQUESTS; i++) {
        Py_CLEAR(state->requests[i].names);
        Py_CLEAR(state->requests[i].version);
    }
    Py_CLEAR(state->known_version);
    PyMem_Free(state->entries);
    state->entries = NULL;
    dlb_py_state_drop(state);
}

/* The interpreter whose state ended last. Code that still runs in it gets no new state, since nothing would end that one. */
static dlb_count last_ended;

static void end_capsule(PyObject *capsule)
{
    dlb_py_state *const state = PyCapsule_GetPointer(capsule, capsule_name);

    dlb_count_set(&last_ended, (uintptr_t)state->interpreter->state);
    end_state(state);
}

static int fill_state(dlb_py_state *state)
{
    static const char *const names[DLB_PY_NAMES] = {
        [DLB_PY_DLPACK] = "__dlpack__",
        [DLB_PY_DLPACK_DEVICE] = "__dlpack_device__",
        [DLB_PY_TORCH_FUNCTION] = "__torch_function__",
        [DLB_PY_TORCH_DISPATCH] = "__torch_dispatch__",
        [DLB_PY_REQUIRES_GRAD] = "requires_grad",
        [DLB_PY_EXCHANGE] = DLB_PY_EXCHANGE_ATTRIBUTE,
        [DLB_PY_FROM_DLPACK] = "from_dlpack",
        [DLB_PY_MRO] = "__mro__",
        [DLB_PY_DICT] = "__dict__",
        [DLB_PY_MODULE] = "__module__",
        [DLB_PY_QUALNAME] = "__qualname__",
        [DLB_PY_MAX_VERSION] = "max_version",
        [DLB_PY_DL_DEVICE] = "dl_device",
        [DLB_PY_COPY] = "copy",
        [DLB_PY_STREAM] = "stream",
    };

    for (size_t i = 0; i < DLB_PY_NAMES; i++) {
        state->names[i] = PyUnicode_InternFromString(names[i]);
        if (state->names[i] == NULL) {
            return -1;
        }
    }
    state->ample_stack = dlb_py_find_ample_stack();
    state->interpreter = dlb_py_interpreter_new();
    state->call_names = PyTuple_Pack(1, state->names[DLB_PY_MAX_VERSION]);
    state->call_version = Py_BuildValue("(ii)", DLB_VERSION_MAJOR, DLB_VERSION_MINOR);
    state->call_keywords = Py_BuildValue("{s(ii)}", names[DLB_PY_MAX_VERSION], DLB_VERSION_MAJOR, DLB_VERSION_MINOR);
    state->no_arguments = PyTuple_New(0);
    state->cpu = Py_BuildValue("(ii)", (int)kDLCPU, 0);
    return state->interpreter == NULL || state->call_names == NULL || state->call_version == NULL ||
                   state->call_keywords == NULL || state->no_arguments == NULL || state->cpu == NULL
               ? -1
               : 0;
}

static dlb_py_state *new_state(void)
{
    dlb_py_state *const state = PyMem_Calloc(1, sizeof *state);

    if (state == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    dlb_count_start(&state->holders, 1);
    if (fill_state(state) != 0) {
        end_state(state);
        return NULL;
    }
    return state;
}

/* Makes a state and adds it to the dict. If two threads do so at once, both use the state that came first. NULL with an exception. */
static dlb_py_state *add_state(PyObject *dict, PyObject *key)
{
    dlb_py_state *const state = new_state();
    PyObject *capsule;
    PyObject *found;
    bool kept;

    if (state == NULL) {
        return NULL;
    }
    capsule = PyCapsule_New(state, capsule_name, end_capsule);
    if (capsule == NULL) {
        end_state(state);
        return NULL;
    }
    found = dlb_py_dict_default(dict, key, capsule); /* the dict keeps this capsule, or the earlier one */
    kept = found == capsule;
    Py_DECREF(capsule);
    if (!kept) {
        dlb_count_set(&last_ended, 0); /* the interpreter still runs, with the other state */
    }
    return found != NULL ? PyCapsule_GetPointer(found, capsule_name) : NULL;
}

/* Returns the state in the dict of the interpreter, or makes one. NULL with an exception. */
static dlb_py_state *look_up_state(PyInterpreterState *interpreter)
{
    PyObject *dict;
    dlb_py_state *state = NULL;
    PyObject *capsule;
    PyObject *key;

    if (dlb_count_read(&last_ended) == (uintptr_t)interpreter) {
        PyErr_SetString(PyExc_RuntimeError, "this interpreter is ending");
        return NULL;
    }
    dict = PyInterpreterState_GetDict(interpreter);
    if (dict == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "this interpreter has no dict for extension modules");
        return NULL;
    }
#if defined(Py_LIMITED_API)
    if (Py_Version < 0x030C0000 && PyInterpreterState_GetID(interpreter) != 0) {
        /* not covered: only the main interpreter imports the modules of the limited API that have counters */
        PyErr_SetString(PyExc_ImportError, "a module of the limited API is for the main interpreter before Python 3.12");
        return NULL;
    }
#endif
    key = PyLong_FromVoidPtr((void *)(uintptr_t)&anchor);
    if (key == NULL) {
        return NULL;
    }
    capsule = PyDict_GetItemWithError(dict, key);
    if (capsule != NULL) {
        state = PyCapsule_GetPointer(capsule, capsule_name);
    } else if (!PyErr_Occurred()) {
        state = add_state(dict, key);
    }
    Py_DECREF(key);
    return state;
}

dlb_py_state *dlb_py_get_state(void)
{
    PyInterpreterState *const interpreter = PyInterpreterState_Get();
    const state_place *const place = cache_place_of(interpreter);
    dlb_py_state *state;

    if (DLB_LIKELY(dlb_count_read(&place->interpreter) == (uintptr_t)interpreter)) {
        return place->state;
    }
    state = look_up_state(interpreter);
    if (state != NULL) {
        cache_state(interpreter, state);
    }
    return state;
}

dlb_py_state *dlb_py_find_state(void)
{
    PyInterpreterState *const interpreter = PyInterpreterState_Get();
    state_place *const place = cache_place_of(interpreter);
    dlb_py_state *state;

    if (dlb_count_read(&last_ended) == (uintptr_t)interpreter) {
        dlb_count_set(&last_ended, 0); /* it was an earlier interpreter with this address */
    }
    state = look_up_state(interpreter);
    if (state != NULL && dlb_count_read(&place->interpreter) == (uintptr_t)interpreter && place->state != state) {
        uncache_state(interpreter, place->state); /* not covered: an interpreter has the address of one that has ended */
    }
    if (state != NULL) {
        cache_state(interpreter, state);
    }
    return state;
}

static dlb_py_entry *find_entry(dlb_py_state *state, const void *of)
{
    unsigned short *const found = dlb_py_found_at(state, of);

    if (*found < state->entry_count && state->entries[*found].of == of) {
        return &state->entries[*found];
    }
    for (size_t i = 0; i < state->entry_count; i++) {
        if (state->entries[i].of == of) {
            *found = (unsigned short)i; /* indexes above 65,535 do not fit: those entries are searched each time */
            return &state->entries[i];
        }
    }
    return NULL;
}

/* Adds an entry for `of`, without an object yet. NULL with an exception. */
static dlb_py_entry *add_entry(dlb_py_state *state, const void *of)
{
    dlb_py_entry *const entries = PyMem_Realloc(state->entries, (state->entry_count + 1) * sizeof *entries);

    if (entries == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    state->entries = entries;
    entries[state->entry_count] = (dlb_py_entry){of, NULL};
    return &entries[state->entry_count++];
}

int dlb_py_register(const void *of, PyObject *object)
{
    dlb_py_state *const state = dlb_py_get_state();
    PyObject *old = NULL;
    dlb_py_entry *entry;

    if (state == NULL) {
        return -1; /* not covered: importing the module has made the state before */
    }
    DLB_PY_LOCK(state->call_names);
    entry = find_entry(state, of);
    if (entry == NULL) {
        entry = add_entry(state, of);
    }
    if (entry != NULL) {
        old = entry->object; /* the object of an earlier import of the module */
        Py_INCREF(object);
        entry->object = object;
    }
    DLB_PY_UNLOCK();
    Py_XDECREF(old);
    return entry != NULL ? 0 : -1;
}

PyObject *dlb_py_registered(dlb_py_state *state, const void *of)
{
    PyObject *object = NULL;
    const dlb_py_entry *entry;

    DLB_PY_LOCK(state->call_names);
    entry = find_entry(state, of);
    if (entry != NULL) {
        object = entry->object;
        Py_INCREF(object);
    }
    DLB_PY_UNLOCK();
    return object;
}

PyTypeObject *dlb_py_class_of(dlb_py_state *state, const dlb_type *type)
{
    PyObject *const cls = dlb_py_registered(state, type);

    if (cls == NULL) {
        (void)dlb_py_raise_message(PyExc_RuntimeError, "the class %s is not in this interpreter: import its module first",
                                type->name);
    }
    return (PyTypeObject *)cls;
}

const dlb_type *dlb_py_type_of(const dlb_py_state *state, PyObject *cls)
{
    const dlb_type *type = NULL;

    DLB_PY_LOCK(state->call_names);
    for (size_t i = 0; i < state->entry_count && type == NULL; i++) {
        if (state->entries[i].object == cls) {
            type = state->entries[i].of;
        }
    }
    DLB_PY_UNLOCK();
    if (type == NULL) {
        PyErr_Format(PyExc_RuntimeError, "%R is not the class that its module has now", cls);
    }
    return type;
}

void dlb_py_forget_kinds(dlb_py_state *state)
{
    Py_CLEAR(state->ndarray_type);
    for (size_t i = 0; i < DLB_PY_IMPORTERS; i++) {
        Py_CLEAR(state->importers[i].importer);
#if DLB_PY_TYPES_ARE_KEPT
        Py_CLEAR(state->importers[i].type);
#else
        state->importers[i].type = NULL;
#endif
    }
    for (size_t i = 0; i < DLB_PY_KNOWN; i++) {
#if DLB_PY_TYPES_ARE_KEPT
        Py_CLEAR(state->known[i].type);
#else
        state->known[i].type = NULL;
#endif
    }
}
