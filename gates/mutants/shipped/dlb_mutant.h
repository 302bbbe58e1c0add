/* SPDX-License-Identifier: MIT-0 */
/* Says which mutant is active, and records which ones were reached. `instrument.py` puts it into the copy of the runtime.
 * It includes nothing and needs nothing linked, so that it may stand at the top of every file, in C99, C11 and C++. */
#ifndef DLB_MUTANT_H_
#define DLB_MUTANT_H_

enum { DLB_MUTANT_COUNT = 4096 };

#ifdef __cplusplus
extern "C" {
#endif
extern char *dlb_mutant_getenv(const char *) __asm__("getenv");
extern int dlb_mutant_open(const char *, int, ...) __asm__("open");
extern int dlb_mutant_close(int) __asm__("close");
extern void *dlb_mutant_mmap(void *, __SIZE_TYPE__, int, int, int, long) __asm__("mmap");
#ifdef __cplusplus
}
#endif

static int dlb_mutant_active;
static unsigned char dlb_mutant_unrecorded[DLB_MUTANT_COUNT];
static unsigned char *dlb_mutant_reached;

static __attribute__((noinline, cold, unused)) void dlb_mutant_start(void)
{
    const char *active = dlb_mutant_getenv("DLB_MUTANT");
    const char *const flags = dlb_mutant_getenv("DLB_MUTANT_FLAGS");
    unsigned char *reached = dlb_mutant_unrecorded;

    for (dlb_mutant_active = 0; active && *active >= '0' && *active <= '9'; active++) {
        dlb_mutant_active = dlb_mutant_active * 10 + (*active - '0');
    }
    if (flags) {
        const int file = dlb_mutant_open(flags, 2 /* O_RDWR */);

        if (file >= 0) {
            void *const memory = dlb_mutant_mmap(0, DLB_MUTANT_COUNT, 3 /* read, write */, 1 /* MAP_SHARED */, file, 0);

            if (memory != (void *)-1) {
                reached = (unsigned char *)memory;
            }
            dlb_mutant_close(file);
        }
    }
    dlb_mutant_reached = reached;
}

static inline __attribute__((unused)) int dlb_mutant(int id)
{
    if (__builtin_expect(!dlb_mutant_reached, 0)) {
        dlb_mutant_start();
    }
    dlb_mutant_reached[id] = 1;
    return dlb_mutant_active == id;
}

#endif
