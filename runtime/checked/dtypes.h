/* SPDX-License-Identifier: MIT-0 */
/* A table of the dtypes of C types that only the headers of the library define. The generated calls read it from the module. */
#ifndef DLB_CHECKED_DTYPES_H_
#define DLB_CHECKED_DTYPES_H_

#include "../dlb_assert.h"

/* The entries stand between both macros, one for each type. `name` is that of the table. */
#define DLB_TRY_DTYPES_BEGIN(table)                                                                                    \
    __attribute__((visibility("default"), used)) const struct {                                                        \
        const char *name;                                                                                              \
        DLDataType dtype;                                                                                              \
    } table[] = {
#define DLB_TRY_DTYPE(ctype) {#ctype, DLB_DTYPE_OF(ctype)},
#define DLB_TRY_COMPLEX_DTYPE(ctype) {#ctype, DLB_COMPLEX_DTYPE_OF(ctype)},
#define DLB_TRY_DTYPES_END                                                                                             \
    {                                                                                                                  \
        NULL, { 0, 0, 0 }                                                                                              \
    }                                                                                                                  \
    }                                                                                                                  \
    ;

#endif
