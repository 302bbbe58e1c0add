/* SPDX-License-Identifier: MIT */
/* Checks that are counted, that print where they failed, and that let the program go on. For one file per program. */
#ifndef CHECK_H_
#define CHECK_H_

#include "dlb_core.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int checks_made, checks_failed;

#define CHECK(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(value, expected) check_equal((int64_t)(value), (int64_t)(expected), #value, __FILE__, __LINE__)

/* `call` must fail with that status and exactly that message; `error` is what it fills. */
#define CHECK_FAILS(call, error, status, message)                                                                      \
    check_failed_call((call), &(error), (status), (message), __FILE__, __LINE__)

/* Counts; what is printed is not lost if the program crashes later. */
static inline void check_failed(void)
{
    checks_failed++;
    (void)setvbuf(stdout, NULL, _IONBF, 0);
}

static inline void check_that(int holds, const char *condition, const char *file, int line)
{
    checks_made++;
    if (!holds) {
        check_failed();
        printf("%s:%d: failed: %s\n", file, line, condition);
    }
}

static inline void check_equal(int64_t value, int64_t expected, const char *text, const char *file, int line)
{
    checks_made++;
    if (value != expected) {
        check_failed();
        printf("%s:%d: failed: %s is %" PRId64 ", not %" PRId64 "\n", file, line, text, value, expected);
    }
}

static inline void check_failed_call(int result, dlb_error *error, dlb_status status, const char *message,
                                     const char *file, int line)
{
    checks_made++;
    if (result != -1 || error->status != status || strcmp(error->message, message) != 0) {
        check_failed();
        printf("%s:%d: failed: result %d, status %d, not %d\n  message:  %s\n  expected: %s\n", file, line, result,
               (int)error->status, (int)status, result == -1 ? error->message : "", message);
    }
    memset(error, 0, sizeof *error);
}

/* Last line of main(). */
static inline int checks_result(void)
{
    printf("%d checks, %d failed\n", checks_made, checks_failed);
    return checks_failed != 0;
}

#endif
