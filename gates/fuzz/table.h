/* SPDX-License-Identifier: MIT */
/* The types that the harnesses import into; gates/fuzz/harness.py writes the table. */
#ifndef TABLE_H_
#define TABLE_H_

#include "dlb_core.h"

/* One spec of the repository. */
typedef struct fuzz_part {
    const char *origin;           /* the path of the spec */
    const char *module;           /* its name in Python */
    const dlb_type *const *types; /* ended by NULL */
#ifdef Py_PYTHON_H
    PyObject *(*start)(void); /* the initialization function of the module */
#else
    void (*start)(void);
#endif
} fuzz_part;

extern const fuzz_part fuzz_parts[]; /* ended by one without a module */

#endif
