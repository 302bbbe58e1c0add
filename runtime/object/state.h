/* SPDX-License-Identifier: MIT-0 */
/* The state of the runtime in one interpreter. */
#ifndef DLB_OBJECT_STATE_H_
#define DLB_OBJECT_STATE_H_

#include "stack.h"
#include "../core/exchange.h"

/* An interpreter, as seen by deleters that outlive it. They can ask without Python whether it still lives. */
typedef struct dlb_py_interpreter {
    dlb_count holders;
    dlb_count alive; /* 1; 0 after the interpreter has ended */
#if defined(Py_LIMITED_API)
    dlb_count ender; /* the thread that began to end it; 0: none */
#endif
    PyInterpreterState *state;
    void *free_list; /* memory of a freed guard, for the next one; NULL: none. Needs the GIL */
} dlb_py_interpreter;

/* The producer info of a foreign type: the ways in which its objects can be imported. */
typedef struct dlb_py_producer {
    const DLPackExchangeAPI *api; /* an exchange table of this major version, or NULL */
    bool inherited;               /* the table belongs to a base class: it may run methods that the type overrides */
    bool dlpack;                  /* has __dlpack__() */
    bool ndarray;                 /* is numpy.ndarray, whose buffer gives the same array */
    bool gradient;                /* its objects have `requires_grad`, which the table does not consider */
} dlb_py_producer;

/* A cached producer info. `type` is only compared; but it is a reference if nothing else tells a type from a later one at its address. */
typedef struct dlb_py_known {
    PyObject *type;
    unsigned int version;
    dlb_py_producer info;
} dlb_py_known;
enum { DLB_PY_KNOWN = 16 };

/* A cached importer of a library, for the type of its arrays. `type` is as in dlb_py_known. */
typedef struct dlb_py_known_importer {
    PyObject *type;
    unsigned int version;
    PyObject *importer; /* NULL: the type belongs to no library of arrays */
} dlb_py_known_importer;
enum { DLB_PY_IMPORTERS = 4 };

/* The Python object of a descriptor: the class of a dlb_type, or the tuple of members of a dlb_py_enum. */
typedef struct dlb_py_entry {
    const void *of;
    PyObject *object;
} dlb_py_entry;

/* Interned strings, with which attributes and keywords are compared. */
typedef enum dlb_py_name {
    DLB_PY_DLPACK,
    DLB_PY_DLPACK_DEVICE, /* this and the next two: with __dlpack__(), the methods by which a class changes how it exports */
    DLB_PY_TORCH_FUNCTION,
    DLB_PY_TORCH_DISPATCH,
    DLB_PY_REQUIRES_GRAD,
    DLB_PY_EXCHANGE,
    DLB_PY_FROM_DLPACK,
    DLB_PY_MRO,
    DLB_PY_DICT,
    DLB_PY_MODULE,
    DLB_PY_QUALNAME,
    DLB_PY_MAX_VERSION, /* the keywords of __dlpack__() */
    DLB_PY_DL_DEVICE,
    DLB_PY_COPY,
    DLB_PY_STREAM,
    DLB_PY_NAMES
} dlb_py_name;

enum { DLB_PY_FOUND = 16 };

/* A cached request of __dlpack__(). The keywords of a call in source code are always the same tuple, and `max_version` is often the
 * same tuple too. */
typedef struct dlb_py_request {
    PyObject *names;       /* NULL: unused. References are owned */
    PyObject *version;     /* the argument that asks for a versioned tensor; NULL: none */
    Py_ssize_t version_at; /* index of that argument: the same tuple may also be passed as dl_device */
    Py_ssize_t count;
} dlb_py_request;

enum { DLB_PY_REQUESTS = 4 };

/* The state of the runtime in one interpreter. */
typedef struct dlb_py_state {
    dlb_count holders; /* the dict of the interpreter, and each object: finalizers run after the dict is destroyed */
    dlb_py_interpreter *interpreter;
    void *free_list;                 /* memory of a freed object, for the next one; NULL: none */
    void *storage;                   /* memory of a freed owner of dlb_import_fast() */
    const dlb_type *free_owner_type; /* the type of that owner; NULL: there is none */
    int ending; /* number of objects being destroyed, in all threads */
    PyObject *names[DLB_PY_NAMES];
    dlb_py_request requests[DLB_PY_REQUESTS]; /* cached requests, hashed by the address of `names` */
    PyObject *known_version;                  /* the last `version` of these requests, or NULL */
    PyObject *call_names;    /* ("max_version",) */
    PyObject *call_version;  /* (1, 3) */
    PyObject *call_keywords; /* {"max_version": (1, 3)} */
    PyObject *no_arguments; /* () */
    PyObject *cpu;          /* (1, 0): the CPU, the device of most arrays */
    dlb_py_entry *entries;
    size_t entry_count;
    unsigned short found[DLB_PY_FOUND]; /* indices of entries, hashed by the address of the descriptor */
    dlb_py_known known[DLB_PY_KNOWN];
    int ndarrays;           /* 1: their struct can be read; 0 or negative: minus the number of arrays whose struct differed */
    PyObject *ndarray_type; /* numpy.ndarray itself, an immutable type; set once `ndarrays` is 1 */
    dlb_py_known_importer importers[DLB_PY_IMPORTERS];
    dlb_py_ample_stack ample_stack;
} dlb_py_state;

/* Returns whether the code runs in the main thread, with plenty of stack. `variable` is the address of a variable of the caller, which is
 * read faster than that of the frame. */
static inline bool dlb_py_is_stack_ample(const dlb_py_state *state, uintptr_t variable)
{
    return DLB_LIKELY(variable - state->ample_stack.low < state->ample_stack.size);
}

/* Checks the stack as dlb_py_check_stack() does, without a call if it is ample. `variable`: see dlb_py_is_stack_ample(). */
static inline int dlb_py_check_stack_at(const dlb_py_state *state, uintptr_t variable)
{
    return dlb_py_is_stack_ample(state, variable) ? 0 : dlb_py_check_stack();
}

/* Returns the cache slot of the index of the entry for `of`. Several descriptors share a slot: the last one that was looked up has it. */
static inline unsigned short *dlb_py_found_at(dlb_py_state *state, const void *of)
{
    return &state->found[((uintptr_t)of >> 5 ^ (uintptr_t)of >> 9) % DLB_PY_FOUND];
}

/* Returns the class of `type`, borrowed, if it is cached. Otherwise NULL: call dlb_py_class_of(). Needs the GIL. */
static inline PyTypeObject *dlb_py_cached_class(dlb_py_state *state, const dlb_type *type)
{
    const size_t found = *dlb_py_found_at(state, type);

    return !DLB_PY_FREE_THREADED && found < state->entry_count && state->entries[found].of == type
               ? (PyTypeObject *)state->entries[found].object
               : NULL;
}

/* Returns the state of the current interpreter, which the first call makes. NULL with an exception. */
DLB_API dlb_py_state *dlb_py_get_state(void);
/* Returns the state of the current interpreter when a module is loaded. Drops a cached state of an interpreter that has ended, and had
 * the same address. */
DLB_API dlb_py_state *dlb_py_find_state(void);

/* The address of the state, if only one interpreter has one; 0: none has. A second interpreter stores DLB_PY_SEVERAL_STATES here when
 * it makes its state, before any of its code reads this. */
enum { DLB_PY_SEVERAL_STATES = 1 };
DLB_API extern dlb_count dlb_py_only_state;

/* Returns the state if the process has exactly one, and a GIL; else NULL. */
static inline dlb_py_state *dlb_py_sole_state(void)
{
    const uint64_t only = DLB_PY_FREE_THREADED ? 0 : dlb_count_read(&dlb_py_only_state);

    return DLB_LIKELY(only > DLB_PY_SEVERAL_STATES) ? (dlb_py_state *)(uintptr_t)only : NULL;
}

/* Returns the state of the current interpreter, for classes and functions of a module: the interpreter has imported it, so the state
 * exists. */
static inline dlb_py_state *dlb_py_imported_state(void)
{
    dlb_py_state *const state = dlb_py_sole_state();

    return DLB_LIKELY(state != NULL) ? state : dlb_py_get_state();
}

/* Returns whether dlb_py_check_stack_of() has nothing to do: the stack is ample, and the reserve of each stack covers the few arrays of
 * the function. Finds no state beside other interpreters, since that would cost more than the check. `variable`: see
 * dlb_py_is_stack_ample(). */
static inline bool dlb_py_is_stack_ample_for(const dlb_py_function *function, uintptr_t variable)
{
    const dlb_py_state *const state = dlb_py_sole_state();

    return DLB_LIKELY(state != NULL && function->operand_count <= DLB_PY_FEW_ARRAYS) && dlb_py_is_stack_ample(state, variable);
}

/* Frees a state without holders. */
DLB_API void dlb_py_state_free(dlb_py_state *state);

/* Adds a holder of the state. Needs the GIL, if there is one. */
static inline void dlb_py_state_keep(dlb_py_state *state)
{
    if (DLB_PY_FREE_THREADED) {
        dlb_count_add(&state->holders, 1);
    } else {
        dlb_count_set(&state->holders, dlb_count_read(&state->holders) + 1);
    }
}

/* Removes a holder of the state. Returns whether it was the last one. Needs the GIL, if there is one. */
static inline bool dlb_py_state_is_last(dlb_py_state *state)
{
    if (!DLB_PY_FREE_THREADED) {
        const uint64_t left = dlb_count_read(&state->holders) - 1;

        dlb_count_set(&state->holders, left);
        return left == 0;
    }
    return dlb_count_subtract(&state->holders, 1) == 0;
}

/* Removes a holder of the state, and frees the state with the last one. Needs the GIL, if there is one. */
static inline void dlb_py_state_drop(dlb_py_state *state)
{
    if (DLB_UNLIKELY(dlb_py_state_is_last(state))) {
        dlb_py_state_free(state);
    }
}

/* Registers `object` as the Python object of the descriptor `of` in this interpreter. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_register(const void *of, PyObject *object);
/* Returns a new reference to the Python object of a descriptor; NULL, without an exception, if there is none. */
DLB_API PyObject *dlb_py_registered(dlb_py_state *state, const void *of);
/* Returns the type whose class is `cls`. NULL with an exception. */
DLB_API const dlb_type *dlb_py_type_of(const dlb_py_state *state, PyObject *cls);
/* Returns a new reference to the class of `type`. NULL with an exception. */
DLB_API PyTypeObject *dlb_py_class_of(dlb_py_state *state, const dlb_type *type);

/* Returns the cache slot for the producer info of a type. */
static inline dlb_py_known *dlb_py_place_of(dlb_py_state *state, const PyTypeObject *type)
{
    const uintptr_t address = (uintptr_t)type;

    return &state->known[(address >> 4 ^ address >> 10) % DLB_PY_KNOWN];
}

/* Finds the producer info of a type, and caches it. May run foreign code. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_find_producer(dlb_py_state *state, PyTypeObject *type, dlb_py_producer *info);

/* Returns the cached producer info of a type, or NULL. The pointer is valid until another type is looked up. */
static inline const dlb_py_producer *dlb_py_known_producer(dlb_py_state *state, PyTypeObject *type)
{
    const unsigned int version = dlb_py_type_version(type);
    const dlb_py_known *const place = dlb_py_place_of(state, type);

    return DLB_LIKELY(version != 0 && place->type == (PyObject *)type && place->version == version) ? &place->info : NULL;
}

/* Gets the producer info of a type, from the cache or by dlb_py_find_producer(). Returns 0, or -1 with an exception. */
static inline int dlb_py_producer_of(dlb_py_state *state, PyTypeObject *type, dlb_py_producer *info)
{
    const dlb_py_producer *known;

    DLB_PY_LOCK(state->call_names);
    known = dlb_py_known_producer(state, type);
    if (DLB_LIKELY(known != NULL)) {
        *info = *known;
    }
    DLB_PY_UNLOCK();
    return known != NULL ? 0 : dlb_py_find_producer(state, type, info);
}

/* Clears the caches of producer info and of importers. */
DLB_API void dlb_py_forget_kinds(dlb_py_state *state);

#endif
