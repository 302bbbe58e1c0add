#include "lib.h"
#include <stdlib.h>
enum { DAYS = 12, SLOTS = 4 };
static struct {
    int year;
    double *days;
} cache[SLOTS];
static const double *days_of(int year)
{
    int slot = year % SLOTS;
    if (cache[slot].days == NULL) {
        cache[slot].days = malloc(DAYS * sizeof(double));
        cache[slot].year = year;
        for (int i = 0; i < DAYS; i++) cache[slot].days[i] = 30 + i % 2;
    }
    return cache[slot].days;
}
almanac *almanac_of(int year)
{
    if (year < 1 || year > 9999) return NULL;
    almanac *a = malloc(sizeof *a);
    a->days = days_of(year);
    a->count = DAYS;
    return a;
}
int almanac_cached(void)
{
    int cached = 0;
    for (int i = 0; i < SLOTS; i++) cached += cache[i].days != NULL;
    return cached;
}
void almanac_free(almanac *a) { free(a); }
