/* SPDX-License-Identifier: MIT */
/* Python objects that share the array of a run, mostly as they should. */
#ifndef HOSTILE_H_
#define HOSTILE_H_

#include <Python.h>

#include "tensors.h"

/* The ways in which a producer shares its array. */
enum { FUZZ_CAPSULE, FUZZ_METHOD, FUZZ_BUFFER, FUZZ_TABLE, FUZZ_COUNT };

/* The producer of one run, and what its consumer did. */
typedef struct fuzz_producer {
    fuzz_tensor *tensor; /* its array */
    fuzz_input *input;   /* what is left of the input of the run */
    int buffers;         /* calls of getbuffer that succeeded, less those of releasebuffer */
    int is_given;        /* the tensor was given away, in a capsule or by a table */
    int must_refuse;     /* the line of hostile.c where the producer contradicts itself; 0: it does not */
    int is_readonly;
    int is_copied; /* the import copies arrays that it cannot show */
    int has_other_format; /* the format of the buffer is not that of the dtype: elements cannot be compared */
} fuzz_producer;

extern fuzz_producer fuzz_now;

/* Ends the program, which cannot run: prints the pending exception, and `what`. */
_Noreturn void fuzz_stop(const char *what);

/* Makes the types of producers, once. */
void fuzz_make_types(void);

/* Returns a new producer of a kind, or NULL with an exception. */
PyObject *fuzz_make_producer(int kind);

#endif
