/* SPDX-License-Identifier: MIT */
/* A struct that several tensors describe: of a rank that only run time knows, and of two axes. */
#ifndef SAMPLE_H_
#define SAMPLE_H_

#include <stdint.h>

enum { SAMPLE_MOST = 66, SAMPLE_ROWS = 4 }; /* more axes than DLPack consumers take */

enum { SAMPLE_U8 = 1, SAMPLE_F32, SAMPLE_F64, SAMPLE_F4 };

typedef uint8_t *sample_bytes; /* a pointer that does not look like one */

typedef struct sample {
    void *data;
    const uint8_t *constant;
    int64_t rank;
    int64_t shape[SAMPLE_MOST];
    int64_t strides[SAMPLE_MOST]; /* in elements */
    int64_t steps[SAMPLE_MOST];   /* the same in bytes */
    uint64_t height;
    int width;
    int64_t pitch; /* bytes from row to row */
    int64_t step;  /* and from element to element */
    int kind;
    int place;
    int64_t device_id;
    int64_t skip;
    int locked;
    int64_t code, bits, lanes;
    uint8_t *rows[SAMPLE_ROWS];
} sample;

/* Where it is called: the program of the test. */
void sample_release(sample *self);

#endif
