/* SPDX-License-Identifier: MIT */
/* A struct that can say whatever DLPack can, right or wrong. It is Python's: `Sheet` in sheets.py has the same layout. */
#ifndef SHEET_H_
#define SHEET_H_

#include <stdint.h>
#include <string.h>

enum { SHEET_AXES = 72 };

typedef struct sheet {
    void *data;
    uint64_t byte_offset;
    int64_t shape[SHEET_AXES];
    int64_t strides[SHEET_AXES];
    int64_t stream; /* the last one that sheet_sync() got */
    int32_t ndim;
    int32_t code;
    int32_t bits;
    int32_t lanes;
    int32_t device;
    int32_t device_id;
    int32_t readonly;
    int32_t refused;
    int32_t locks;
} sheet_t;

static inline void sheet_sync(sheet_t *sheet, intptr_t stream)
{
    sheet->stream = stream;
}

static inline void sheet_download(const sheet_t *sheet, void *dst, int64_t nbytes)
{
    memcpy(dst, sheet->data, (size_t)nbytes);
}

static inline void sheet_lock(sheet_t *sheet)
{
    sheet->locks++;
}

static inline void sheet_unlock(sheet_t *sheet)
{
    sheet->locks--;
}

#endif
