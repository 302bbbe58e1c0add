/* SPDX-License-Identifier: MIT */
/* A library whose struct needs all that a spec can say beyond one array: planes, reference counts, devices, locks, threads.
 * It counts and logs what is done to it. The descriptions in frames_types.c are written by hand. */
#ifndef FRAMES_H_
#define FRAMES_H_

#include "dlb_emit.h"

#include <stdbool.h>

enum { FRAME_FAIL_HOLD = 1, FRAME_FAIL_CLONE = 2, FRAME_FAIL_ACQUIRE = 4, FRAME_FAIL_SYNC = 8, FRAME_FAIL_TO_CPU = 16 };

/* The tests know this layout: `Frame` in tests/python/framing.py. */
typedef struct frame {
    unsigned char *bytes;
    int64_t planes;
    int64_t rows;
    int64_t columns;
    int32_t device;
    int32_t device_id;
    int32_t readonly;
    int32_t fails; /* FRAME_FAIL_HOLD and so on */
    int32_t references;
    int32_t held; /* how often `hold` was asked */
    uint64_t count;
} frame_t;

/* A frame of zeros, in one block with it. */
frame_t *frame_new(int64_t planes, int64_t rows, int64_t columns);
void frame_ref(frame_t *frame);
void frame_unref(frame_t *frame);

/* What the params of Settings are, one of each kind. */
typedef struct settings {
    frame_t *self;
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f;
    double d;
    long double ld;
    bool b;
    const char *text;
    char large[400]; /* more than fits on the stack of the runtime */
} settings;

/* What the tests read back of an import's params. */
typedef struct import_params {
    int32_t rate;
    const char *label;
} import_params;

/* Counts since the last call. */
typedef struct frame_counts {
    int retained;
    int released;
    int without_gil; /* released without the GIL, of the types that need it */
    int living;      /* at this moment */
} frame_counts;
frame_counts frame_count(void);

void frame_log(const char *format, ...) DLB_PRINTF(1, 2);
/* Copies the lines since the last call. */
void frame_read_log(char *text, size_t size);

extern const dlb_type frames_frame_type;    /* a handle: retain, parts */
extern const dlb_type frames_plane_type;    /* of a Frame: params, hold, clone */
extern const dlb_type frames_settings_type; /* of a Frame: params of every kind */
extern const dlb_type frames_whole_type;    /* shares the frame, without a state */
extern const dlb_type frames_remote_type;   /* sync, to_cpu */
extern const dlb_type frames_silent_type;   /* to_cpu */
extern const dlb_type frames_locked_type;   /* acquire, restore, after_write */
extern const dlb_type frames_frozen_type;   /* legacy_copy */
extern const dlb_type frames_copied_type;   /* copy: always */
extern const dlb_type frames_value_type;    /* pass: value */
extern const dlb_type frames_gil_type;      /* release_on: gil; import with params; allocate */

extern const dlb_parts frames_frame_planes;
extern const dlb_parts frames_frame_few; /* whose index is an int8_t */

/* What frames_gil_type was imported with last, copied while its params lived. */
typedef struct {
    long rate;
    char label[32];
} imported_with;

extern imported_with frames_imported;

#endif
