/* SPDX-License-Identifier: MIT-0 */
/* The parts of the baseline: export.c (no Python), import.c, module.c. */
#ifndef BASELINE_H_
#define BASELINE_H_

#include <Python.h>

#include <stdbool.h>

#include <dlpack/dlpack.h>

#include "subject.h"

/* What an object and its exports share; `axes` are those of the borrowed view. */
typedef struct owner {
    long references; /* atomic */
    picture_t *picture;
    DLManagedTensorVersioned *versioned; /* an import: what it shows, else NULL */
    DLManagedTensor *legacy;
    picture_t box; /* an import: its picture */
    int64_t axes[6];
} owner;

typedef struct object {
    PyObject_HEAD
    owner *owner;
} object;

extern PyTypeObject object_type;
extern PyObject *name_dlpack;     /* "__dlpack__" */
extern PyObject *call_keywords;    /* ("max_version",) */
extern PyObject *call_version;     /* (1, 3) */

/* ---- export.c: 0, or -1; `error` is a const char ** ---- */

void owner_drop(owner *owner);
int export_versioned(void *owner, DLManagedTensorVersioned **out, void *error);
int export_legacy(owner *owner, DLManagedTensor **out, const char **error);
int borrow(owner *owner, DLTensor *out, const char **error);
/* One managed tensor of a picture, without an owner between. */
int picture_export(void *picture, DLManagedTensorVersioned **out, void *error);

/* ---- import.c: with an exception ---- */

/* The managed tensor must be compact but for the rows, and on the CPU, and writable. 0 or -1. */
int import_view(const DLTensor *tensor, uint64_t flags, picture_t *picture);
/* from_dlpack(x, /) */
PyObject *import_object(PyObject *type, PyObject *producer);
PyObject *import_managed(DLManagedTensorVersioned *tensor);

/* A picture for the time of a call. */
typedef struct argument {
    const picture_t *picture;
    PyObject *capsule; /* what it is borrowed from, or NULL */
    picture_t room;
} argument;
int take(PyObject *value, argument *taken);

#endif
