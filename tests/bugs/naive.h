/* SPDX-License-Identifier: MIT */
/* What people write by hand: three generations of one extension module around the library in probe.h. Each class has
 * bugs that were found in released software; docs/known-bugs.md says which and where. Nothing here is to be copied. */
#ifndef NAIVE_H_
#define NAIVE_H_

#include <Python.h>

#include <dlpack/dlpack.h>

#include "probe.h"

typedef struct naive {
    PyObject_HEAD
    probe_t *probe;
    PyObject *parent;                    /* keeps the probe, if that is not our own */
    DLManagedTensor *legacy;             /* whose memory an imported probe shows: this one, or */
    DLManagedTensorVersioned *versioned; /* this one */
} naive;

/* The first version: written with the DLPack 0.x header at hand, and tried with one consumer. */
extern PyTypeObject naive_early_type;

/* What became of it after the first bug reports, and with DLPack 1.0. */
extern PyTypeObject naive_patched_type;

/* A second attempt for DLPack 1.3, with a C exchange table. */
extern PyTypeObject naive_modern_type;

/* A new object; it takes the probe, or a reference to its parent. */
naive *naive_make(PyTypeObject *cls, probe_t *probe, PyObject *parent);

/* Fails, with a BufferError, for what it does not know. */
int naive_dtype(const probe_t *probe, DLDataType *dtype);
int naive_code(DLDataType dtype);

/* The fields that all exports share. */
int naive_describe(const probe_t *probe, DLTensor *tensor);

/* What x.__dlpack__(max_version=(1, 3)) returns. */
PyObject *naive_ask(PyObject *x);

PyObject *naive_dlpack_device(PyObject *self, PyObject *unused);
void naive_dealloc(PyObject *self);

/* naive_table.c: the exchange table of Modern, and those of others. */
DLManagedTensorVersioned *modern_export(PyObject *self, int copy);
PyObject *modern_import(DLManagedTensorVersioned *tensor);
void modern_end_capsule(PyObject *capsule);
int modern_add_table(void);
const DLPackExchangeAPI *modern_table_of(PyTypeObject *type);

#endif
