#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct moth {
    float wings[4];
    int age;
} moth;
typedef struct worm worm; /* the same memory, before it is a moth */
worm *worm_hatch(int age); /* NULL for less than 0 or more than 100 */
int worm_age(const worm *w);
void worm_free(worm *w);
moth *moth_of(worm *w); /* takes the worm, and returns its memory as a moth; NULL if it is too young: then it stays */
void moth_free(moth *m);
