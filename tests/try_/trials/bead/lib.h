#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct bead {
    int references;
    int32_t holes[6];
} bead;
bead *bead_new(int first);
bead *bead_ref(bead *b);
void bead_unref(bead *b);
bead *bead_larger(bead *a, bead *b); /* a new reference to one of both */
typedef struct string string;
string *string_new(void);
bead *string_last(string *s); /* a new reference; NULL if there is none */
void string_add(string *s, bead *b); /* takes a reference of its own */
void string_free(string *s);
