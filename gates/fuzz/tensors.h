/* SPDX-License-Identifier: MIT */
/* Tensors that the input of a fuzzer describes: valid ones, and ones that no import may accept. */
#ifndef TENSORS_H_
#define TENSORS_H_

#include "dlb_emit.h"

/* The rest of the input. Reading beyond its end gives zeros. */
typedef struct fuzz_input {
    const uint8_t *at;
    size_t left;
} fuzz_input;

enum {
    FUZZ_MOST_AXES = DLB_MAX_NDIM + 4, /* an array can claim more axes than DLPack consumers take */
    FUZZ_MOST_BYTES = 1 << 14          /* memory of one array */
};

/* A foreign tensor, in the form of DLPack 1.0 and in the older one, with its memory. */
typedef struct fuzz_tensor {
    DLManagedTensorVersioned versioned;
    DLManagedTensor legacy;
    int64_t shape[FUZZ_MOST_AXES];
    int64_t strides[FUZZ_MOST_AXES];
    int is_legacy;
    int must_refuse; /* its fields contradict each other: no consumer may accept it */
    int64_t count;   /* elements, if not `must_refuse` */
    char *block;     /* as much memory as the fields declare */
    DLTensor before; /* a copy of the tensor, as its consumer got it */
    int deleted;     /* calls of the deleter */
} fuzz_tensor;

uint8_t fuzz_byte(fuzz_input *input);
/* Returns a number below `limit`, which is not 0. */
unsigned fuzz_below(fuzz_input *input, unsigned limit);
/* Returns a small number, a number at a limit of a C type, or any number. */
int64_t fuzz_number(fuzz_input *input);

/* Fills `tensor`, which mostly meets `require`; NULL: nothing is required. The caller calls
 * fuzz_tensor_end(). */
void fuzz_tensor_begin(fuzz_tensor *tensor, fuzz_input *input, const dlb_requirements *require);
/* The library behind the type reads the first element of any array: an empty one would only show that. */
int fuzz_needs_elements(const char *type);
/* Frees the memory. */
void fuzz_tensor_end(fuzz_tensor *tensor);

/* Ends the program, which libFuzzer reports with its input. */
_Noreturn void fuzz_find(const char *type, const char *format, ...);

/* Ends the program unless `shown` has the shape, the dtype and the elements of `tensor`, before its deletion. */
void fuzz_compare(const char *type, const fuzz_tensor *tensor, const DLTensor *shown);

#endif
