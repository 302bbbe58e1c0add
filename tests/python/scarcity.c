/* SPDX-License-Identifier: MIT */
/* malloc() of the module that this is linked into with -Wl,--wrap=malloc, made to fail once; by ctypes. Python's own
 * allocators are _testcapi's to stop. */
#include <stddef.h>

static int to_fail = -1; /* how many calls succeed before one fails; -1: all */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void scarcity_begin(int successes);
int scarcity_end(void);

void *__wrap_malloc(size_t size)
{
    if (to_fail == 0) {
        to_fail = -1;
        return NULL;
    }
    to_fail -= to_fail > 0;
    return __real_malloc(size);
}

void scarcity_begin(int successes)
{
    to_fail = successes;
}

/* Whether a call has failed; none fails any more. */
int scarcity_end(void)
{
    const int failed = to_fail == -1;

    to_fail = -1;
    return failed;
}
