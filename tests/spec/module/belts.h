/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef enum { DONE, BROKEN } outcome;
typedef struct { int number; } report;
typedef struct failure failure;
typedef struct belt { double *teeth; long count; void (*end)(void *); void *of; } belt;
typedef struct motor motor;
struct motor { int speed; };
static inline void belt_touch(const belt *b) { (void)b; }
static inline outcome belt_check(const belt *b) { return b->count < 0 ? BROKEN : DONE; }
static inline bool belt_broken(const belt *b) { return b->count < 0; }
static inline unsigned char belt_flags(const belt *b) { return b->count < 0; }
static inline double belt_error(const belt *b) { return b->count < 0; }
static inline int8_t *belt_name(const belt *b) { return (int8_t *)b->teeth; }
static inline const belt *belt_same(const belt *b) { return b; }
static inline report belt_report(const belt *b) { return (report){b->count < 0}; }
static inline failure *belt_failure(const belt *b) { (void)b; return NULL; }
#define BELT_CHECK(b) ((b)->count < 0 ? BROKEN : DONE)
#define BELT_TOUCH(b) ((void)(b))
#define BELT_SAME(b) (&*(b))
#define NO_FAILURE ((failure *)0)
static inline belt *belt_over(belt *b, double *teeth, long count) { b->teeth = teeth; b->count = count; return b; }
static inline void belt_fill(belt *b, double *teeth, long count) { (void)belt_over(b, teeth, count); }
static inline bool belt_filled(belt *b, double *teeth, long count) { return belt_over(b, teeth, count) == NULL; }
static inline belt *belt_new(long count)
{
    belt *b = calloc(1, sizeof *b);
    b->teeth = calloc((size_t)count + 1, sizeof(double));
    b->count = count;
    return b;
}
static inline belt *belt_around(double *teeth, long count)
{
    belt *b = calloc(1, sizeof *b);
    b->teeth = teeth;
    b->count = count;
    return b;
}
static inline belt *belt_on_end(belt *b, void (*end)(void *), void *of) { b->end = end; b->of = of; return b; }
static inline void belt_free(belt *b)
{
    if (b->end != NULL) { b->end(b->of); } else { free(b->teeth); }
    free(b);
}
static inline belt *belt_close(belt *b) { belt_free(b); return NULL; }
static inline belt *belt_copy(const belt *b)
{
    belt *copy = belt_new(b->count);
    memcpy(copy->teeth, b->teeth, (size_t)b->count * sizeof(double));
    return copy;
}
static inline motor *motor_new(int speed)
{
    motor *m = speed < 0 ? NULL : malloc(sizeof *m);
    if (m != NULL) { m->speed = speed; }
    return m;
}
static inline void motor_free(motor *m) { free(m); }
static inline int motor_speed(const motor *m) { return m->speed; }
static inline int motor_set(motor *m, int speed) { m->speed = speed; return 1; }
static inline void *motor_stop(motor *m) { m->speed = 0; return m; }
static inline void *motor_test(void) { return NULL; }
