/* SPDX-License-Identifier: MIT-0 */
/* What the CPython files of the runtime know of an interpreter. */
#ifndef DLB_PY_STATE_H_
#define DLB_PY_STATE_H_

#include "../core/dlb_import.h"
#include "dlb_py_compat.h"

/* An interpreter, for deleters that outlive it: they may ask whether it still lives, without Python. */
typedef struct dlb_py_interpreter {
    dlb_count holders;
    dlb_count alive; /* 1, and 0 once it ends */
#if defined(Py_LIMITED_API)
    dlb_count ender; /* the thread that began to end it, or 0 */
#endif
    PyInterpreterState *state;
    void *free_list; /* the memory of a guard that has ended, for the next one, who looks here with the GIL; or NULL */
} dlb_py_interpreter;

/* What a foreign type has to offer. */
typedef struct dlb_py_producer {
    const DLPackExchangeAPI *api; /* an exchange table of our major, or NULL */
    bool inherited;               /* the table is that of a base: it may run what the type overrides */
    bool dlpack;                  /* __dlpack__() */
    bool ndarray;                 /* that of numpy.ndarray, whose buffer says the same */
    bool gradient;                /* its objects say whether they require grad, which the table does not look at */
} dlb_py_producer;

/* The same, remembered: `type` is only compared, unless nothing but that tells a type from another at its address. */
typedef struct dlb_py_known {
    PyObject *type;
    unsigned int version;
    dlb_py_producer kind;
} dlb_py_known;
enum { DLB_PY_KNOWN = 16 };

/* What a table of facts has become: of a dlb_type the class, of a dlb_py_enum the tuple of its members. */
typedef struct dlb_py_entry {
    const void *of;
    PyObject *object;
} dlb_py_entry;

/* The strings that attributes and keywords are compared with, interned. */
typedef enum dlb_py_name {
    DLB_PY_DLPACK,
    DLB_PY_DLPACK_DEVICE, /* these three: how a class answers, beside __dlpack__() */
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

/* The keywords of a call of __dlpack__(): in source code they are one tuple, and what is given as max_version is another. */
typedef struct dlb_py_request {
    PyObject *names;   /* or NULL; each is ours */
    PyObject *version; /* what was given and means a versioned tensor; or NULL */
    Py_ssize_t version_at; /* the same tuple may be given as dl_device */
    Py_ssize_t count;
} dlb_py_request;

enum { DLB_PY_REQUESTS = 4 };

/* What the runtime keeps per interpreter. */
typedef struct dlb_py_state {
    dlb_count holders; /* the dict of the interpreter, and each object: finalizers run after the dict has gone */
    dlb_py_interpreter *interpreter;
    void *free_list; /* the memory of an object that has ended, for the next one; or NULL */
    void *storage;              /* the same of an owner that dlb_import_fast() has made */
    const dlb_type *free_owner_type; /* for that type; NULL: there is none */
    int ending; /* how many objects are, of all threads; it may be more where one ended for good meanwhile */
    PyObject *names[DLB_PY_NAMES];
    dlb_py_request requests[DLB_PY_REQUESTS]; /* by address, what was asked for before */
    PyObject *known_version;                  /* the last of their versions, or NULL */
    PyObject *ask_names;    /* ("max_version",) */
    PyObject *ask_version;  /* (1, 3) */
    PyObject *ask_keywords; /* {"max_version": (1, 3)} */
    PyObject *no_arguments; /* () */
    PyObject *cpu;          /* (1, 0), the device of most */
    dlb_py_entry *entries;
    size_t entry_count;
    unsigned short found[DLB_PY_FOUND]; /* by address, the index of an entry that was looked for */
    dlb_py_known known[DLB_PY_KNOWN];
    int ndarrays; /* 1: their struct can be read; else how many have spoken against it, negative */
    PyObject *ndarray_type; /* numpy.ndarray itself, which nobody can change, from then on */
} dlb_py_state;

/* Where the index of the entry for `of` is, if that was looked for last of all that share this place. */
static inline unsigned short *dlb_py_found_at(dlb_py_state *state, const void *of)
{
    return &state->found[((uintptr_t)of >> 5 ^ (uintptr_t)of >> 9) % DLB_PY_FOUND];
}

/* The class of `type`, borrowed, if it is at hand; else NULL: dlb_py_class_of() looks for it. With the GIL. */
static inline PyTypeObject *dlb_py_class_at_hand(dlb_py_state *state, const dlb_type *type)
{
    const size_t found = *dlb_py_found_at(state, type);

    return !DLB_PY_FREE_THREADED && found < state->entry_count && state->entries[found].of == type
               ? (PyTypeObject *)state->entries[found].object
               : NULL;
}

/* The state of the current interpreter, made at the first call. NULL with an exception. */
DLB_API dlb_py_state *dlb_py_get_state(void);
/* The same when a module is loaded: what is remembered may be of an interpreter that has ended, and had this one's address. */
DLB_API dlb_py_state *dlb_py_find_state(void);

/* The state of the only interpreter that has one, as a number; 0: none has. Another interpreter says that there are several
 * when it gets its own, before it calls what asks here. */
enum { DLB_PY_SEVERAL_STATES = 1 };
DLB_API extern dlb_count dlb_py_only_state;

/* The same for what only classes and functions of a module call: the interpreter that runs has imported it. */
static inline dlb_py_state *dlb_py_imported_state(void)
{
    const uint64_t only = DLB_PY_FREE_THREADED ? 0 : dlb_count_read(&dlb_py_only_state);

    return DLB_LIKELY(only > DLB_PY_SEVERAL_STATES) ? (dlb_py_state *)(uintptr_t)only : dlb_py_get_state();
}
DLB_API void dlb_py_state_free(dlb_py_state *state);

/* Who holds the state does so with the GIL, where there is one. */
static inline void dlb_py_state_keep(dlb_py_state *state)
{
    if (DLB_PY_FREE_THREADED) {
        dlb_count_add(&state->holders, 1);
    } else {
        dlb_count_set(&state->holders, dlb_count_read(&state->holders) + 1);
    }
}

static inline bool dlb_py_state_is_last(dlb_py_state *state)
{
    if (!DLB_PY_FREE_THREADED) {
        const uint64_t left = dlb_count_read(&state->holders) - 1;

        dlb_count_set(&state->holders, left);
        return left == 0;
    }
    return dlb_count_subtract(&state->holders, 1) == 0;
}

static inline void dlb_py_state_drop(dlb_py_state *state)
{
    if (DLB_UNLIKELY(dlb_py_state_is_last(state))) {
        dlb_py_state_free(state);
    }
}

/* From now on, `object` is what `of` has become in this interpreter. 0, or -1 with an exception. */
DLB_API int dlb_py_register(const void *of, PyObject *object);
/* A new reference to that, or NULL, without an exception. */
DLB_API PyObject *dlb_py_registered(dlb_py_state *state, const void *of);
/* What `cls` is the class of, or NULL with an exception. */
DLB_API const dlb_type *dlb_py_type_of(const dlb_py_state *state, PyObject *cls);
/* A new reference to the class of `type`, or NULL with an exception. */
DLB_API PyTypeObject *dlb_py_class_of(dlb_py_state *state, const dlb_type *type);

/* Where the kind of a type is remembered, if it is. */
static inline dlb_py_known *dlb_py_place_of(dlb_py_state *state, const PyTypeObject *type)
{
    const uintptr_t address = (uintptr_t)type;

    return &state->known[(address >> 4 ^ address >> 10) % DLB_PY_KNOWN];
}

/* Looks at a type that is not known. 0, or -1 with an exception. */
DLB_API int dlb_py_find_producer(dlb_py_state *state, PyTypeObject *type, dlb_py_producer *kind);

/* What a foreign type has to offer, if it is known: where other types may be remembered soon. Else NULL. */
static inline const dlb_py_producer *dlb_py_known_producer(dlb_py_state *state, PyTypeObject *type)
{
    const unsigned int version = dlb_py_type_version(type);
    const dlb_py_known *const place = dlb_py_place_of(state, type);

    return DLB_LIKELY(version != 0 && place->type == (PyObject *)type && place->version == version) ? &place->kind : NULL;
}

/* The same, looked up where it is not known. 0, or -1 with an exception. */
static inline int dlb_py_producer_of(dlb_py_state *state, PyTypeObject *type, dlb_py_producer *kind)
{
    const dlb_py_producer *known;

    DLB_PY_LOCK(state->ask_names);
    known = dlb_py_known_producer(state, type);
    if (DLB_LIKELY(known != NULL)) {
        *kind = *known;
    }
    DLB_PY_UNLOCK();
    return known != NULL ? 0 : dlb_py_find_producer(state, type, kind);
}

DLB_API void dlb_py_forget_kinds(dlb_py_state *state);

#endif
