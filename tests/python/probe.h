/* SPDX-License-Identifier: MIT */
/* A library whose one struct can be put into every state, right or wrong, and which counts what is done to it. */
#ifndef PROBE_H_
#define PROBE_H_

#include <stddef.h>
#include <stdint.h>

enum { PROBE_AXES = 72 };

typedef enum probe_dtype {
    PROBE_BOOL = 1,
    PROBE_INT8,
    PROBE_INT16,
    PROBE_INT32,
    PROBE_INT64,
    PROBE_UINT8,
    PROBE_UINT16,
    PROBE_UINT32,
    PROBE_UINT64,
    PROBE_FLOAT16,
    PROBE_FLOAT32,
    PROBE_FLOAT64,
    PROBE_COMPLEX64,
    PROBE_COMPLEX128,
    PROBE_BFLOAT16,
    PROBE_FLOAT8,
    PROBE_FLOAT4
} probe_dtype;

/* The tests know this layout: `Probe` in tests/python/tensors.py. */
typedef struct probe {
    void *data;
    int64_t shape[PROBE_AXES];
    int64_t strides[PROBE_AXES];
    uint64_t rows;
    int64_t row_bytes;
    int64_t device_id;
    int32_t ndim;
    int32_t dtype;
    int32_t device;
    int32_t readonly;
    int32_t refused;
    int32_t references;
    int32_t flushes; /* the first byte is read once more before the probe goes: probe_flushed() */
} probe_t;

/* Less and more memory of others. */
typedef struct probe_line {
    uint8_t *bytes;
    int64_t count;
} probe_line;

typedef struct probe_sheet {
    uint8_t *bytes;
    int64_t unused[8];
    int64_t rows;
    int64_t columns;
} probe_sheet;

/* A probe of one byte vector of that length, in one block with it. */
probe_t *probe_new(size_t nbytes);

/* A probe of memory that is somebody else's. NULL, or one whose first stride is wrong, if probe_mood() says so. */
probe_t *probe_adopt(void *data, int ndim, const int64_t *shape, const int64_t *strides, int dtype);

typedef enum probe_mood { PROBE_WILLING, PROBE_UNWILLING, PROBE_LYING } probe_mood;
void probe_set_mood(probe_mood mood);

/* The byte that the last probe with `flushes` read. */
int probe_flushed(void);

void probe_free(probe_t *probe);
void probe_ref(probe_t *probe);
void probe_unref(probe_t *probe);

typedef struct probe_counts {
    int retained;
    int released;
    int living;
} probe_counts;
probe_counts probe_count(void);

#endif
