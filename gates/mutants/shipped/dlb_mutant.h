/* SPDX-License-Identifier: MIT-0 */
/* Says which mutant is active, and records which ones were reached. `instrument.py` puts it into the copy of the runtime.
 * It includes nothing and needs nothing linked, so that it may stand at the top of every file, in C99, C11 and C++. */
#ifndef DLB_MUTANT_H_
#define DLB_MUTANT_H_

enum { DLB_MUTANT_COUNT = 4096 }; /* flags, one byte each; behind them, the number of the active mutant */
enum { DLB_MUTANT_SIZE = 8192 };

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

static union {
    int aligned;
    unsigned char bytes[DLB_MUTANT_SIZE];
} dlb_mutant_own;
static unsigned char *dlb_mutant_reached;

/* Maps the file that DLB_MUTANT_FLAGS names: whoever started this process changes the active mutant while it runs. */
static __attribute__((noinline, cold, unused)) void dlb_mutant_start(void)
{
    const char *active = dlb_mutant_getenv("DLB_MUTANT");
    const char *const flags = dlb_mutant_getenv("DLB_MUTANT_FLAGS");
    const int file = flags ? dlb_mutant_open(flags, 2 /* O_RDWR */) : -1;
    unsigned char *reached = dlb_mutant_own.bytes;
    int number = 0;

    if (file >= 0) {
        void *const memory = dlb_mutant_mmap(0, DLB_MUTANT_SIZE, 3 /* read, write */, 1 /* MAP_SHARED */, file, 0);

        if (memory != (void *)-1) {
            reached = (unsigned char *)memory;
        }
        dlb_mutant_close(file);
    } else {
        for (; active && *active >= '0' && *active <= '9'; active++) {
            number = number * 10 + (*active - '0');
        }
        *(volatile int *)(void *)(reached + DLB_MUTANT_COUNT) = number;
    }
    dlb_mutant_reached = reached;
}

static inline __attribute__((unused)) int dlb_mutant(int id)
{
    if (__builtin_expect(!dlb_mutant_reached, 0)) {
        dlb_mutant_start();
    }
    dlb_mutant_reached[id] = 1;
    return *(volatile int *)(void *)(dlb_mutant_reached + DLB_MUTANT_COUNT) == id;
}

#endif
