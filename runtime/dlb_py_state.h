/* SPDX-License-Identifier: MIT-0 */
/* What the CPython files of the runtime know of an interpreter. */
#ifndef DLB_PY_STATE_H_
#define DLB_PY_STATE_H_

#include "dlb_import.h"
#include "dlb_py_compat.h"

/* An interpreter, for deleters that outlive it: they may ask whether it still lives, without Python. */
typedef struct dlb_py_interpreter {
    dlb_count holders;
    dlb_count alive; /* 1, and 0 once it ends */
#if defined(Py_LIMITED_API)
    dlb_count ender; /* the thread that began to end it, or 0 */
#endif
    PyInterpreterState *state;
} dlb_py_interpreter;

/* What a foreign type has to offer. */
typedef struct dlb_py_kind {
    const DLPackExchangeAPI *api; /* an exchange table of our major, or NULL */
    bool dlpack;                  /* __dlpack__() */
    bool ndarray;                 /* that of numpy.ndarray, whose buffer says the same */
} dlb_py_kind;

/* The same, remembered: `type` is only compared, unless nothing but that tells a type from another at its address. */
typedef struct dlb_py_known {
    PyObject *type;
    unsigned int version;
    dlb_py_kind kind;
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
    int ending; /* how many objects are, of all threads; it may be more where one ended for good meanwhile */
    PyObject *names[DLB_PY_NAMES];
    dlb_py_request requests[DLB_PY_REQUESTS]; /* by address, what was asked for before */
    PyObject *known_version;                  /* the last of their versions, or NULL */
    PyObject *ask_names;    /* ("max_version",) */
    PyObject *ask_version;  /* (1, 3) */
    PyObject *ask_keywords; /* {"max_version": (1, 3)} */
    PyObject *no_arguments; /* () */
    dlb_py_entry *entries;
    size_t entry_count;
    unsigned short found[DLB_PY_FOUND]; /* by address, the index of an entry that was looked for */
    dlb_py_known known[DLB_PY_KNOWN];
    int ndarrays; /* 1: their struct can be read; else how many have spoken against it, negative */
    PyObject *ndarray_type; /* numpy.ndarray itself, which nobody can change, from then on */
} dlb_py_state;

#endif
