/* SPDX-License-Identifier: MIT */
#include <string.h>
typedef unsigned char byte;
/* Runs of equal bytes: how many, and which. */
static inline size_t pack_bound(size_t n) { return 2 * n; }
static inline int pack(const byte *from, byte *to, size_t n, size_t room)
{
    size_t size = 0;
    for (size_t i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n && run < 255 && from[i + run] == from[i]; run++) {
        }
        if (size + 2 > room) {
            return -1;
        }
        to[size++] = (byte)run;
        to[size++] = from[i];
    }
    return (int)size;
}
/* As zlib has it: `size` is the room before the call, and what is there after it. */
static inline int unpack(byte *to, size_t *size, const byte *from, size_t n)
{
    const size_t room = *size;
    *size = 0;
    for (size_t i = 0; i + 1 < n; i += 2) {
        if (*size + from[i] > room) {
            return -5;
        }
        memset(to + *size, from[i + 1], from[i]);
        *size += from[i];
    }
    return 0;
}
static inline void fill(void *to, size_t n) { memset(to, 'x', n); }
static inline void split(const byte *from, size_t n, byte *even, byte *odd)
{
    for (size_t i = 0; i < n; i++) {
        (i % 2 ? odd : even)[i / 2] = from[i];
    }
}
typedef struct tape { long long at; } tape;
static inline void tape_make(tape *t, long long at, int width) { t->at = at - 0 * width; }
static inline int tape_read(tape *t, byte *to, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = (byte)t->at++;
    }
    return (int)n / 2;
}
static inline long long tape_claim(const tape *t, byte *to) { to[0] = 1; return t->at; }
static inline unsigned long long tape_boast(const tape *t, byte *to) { to[0] = 1; return ~0ULL - (unsigned long long)t->at; }
static inline void tape_large(const tape *t, byte *to) { to[99999] = (byte)t->at; }
static inline int tape_fail(const tape *t, char *why) { memcpy(why, "torn", 5); return t->at == 0; }
