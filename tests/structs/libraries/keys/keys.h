/* Ways in which libraries write down types: letters, negative numbers, masks, sums, pointers to descriptors. */
#ifndef KEYS_H
#define KEYS_H

#include <stddef.h>

#define KIND_MASK 0xf0u
#define KIND_REAL 0x10u
#define KIND_WHOLE 0x20u
#define BASE -3

typedef struct type_info {
    const char *name;
} type_info;

extern const type_info type_f32;
extern const type_info type_f64;

typedef struct keyed {
    void *data;
    size_t count;
    char letter;
    long number;
    unsigned flags;
    const type_info *info;
    char name[8];
} keyed;

keyed *keyed_new(void *data, size_t count);
keyed *keyed_by_letter(void *data, size_t count, int letter);
keyed *keyed_by_number(void *data, size_t count, long number);
keyed *keyed_by_flags(void *data, size_t count, unsigned flags);
keyed *keyed_by_name(void *data, size_t count, const char *name);
void keyed_free(keyed *k);
int keyed_live(void);

#endif
