/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
enum gear { GEAR_SLOW, GEAR_FAST };
enum door { DOOR_LEFT = 1, DOOR_RIGHT = 2 };
typedef struct lift { int level; bool open; float load; enum gear gear; } lift;
static inline lift *lift_new(int level, bool open)
{
    lift *made = malloc(sizeof *made);
    *made = (lift){level, open, 0.5f, GEAR_SLOW};
    return made;
}
static inline int lift_at(const lift *l, int index) { return l->level + index; }
static inline void lift_move(lift *l, int level) { l->level = level; }
static inline int8_t narrow(int8_t n) { return n; }
static inline uint64_t wide(uint64_t n) { return n; }
static inline bool opposite(bool b) { return !b; }
static inline int gear(enum gear g) { return g; }
static inline int doors(enum door d) { return (int)d; }
static inline double real(double x) { return x; }
static inline int count(const bool *flags, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += flags[i];
    }
    return sum;
}
static inline long long sum(const int32_t *numbers, int n)
{
    long long total = 0;
    for (int i = 0; i < n; i++) {
        total += numbers[i];
    }
    return total;
}
