#include "keys.h"

#include <stdlib.h>
#include <string.h>

const type_info type_f32 = {"float"};
const type_info type_f64 = {"double"};
static int live;

keyed *keyed_new(void *data, size_t count)
{
    keyed *k = calloc(1, sizeof *k);

    k->data = data;
    k->count = count;
    k->info = &type_f64;
    live++;
    return k;
}

keyed *keyed_by_letter(void *data, size_t count, int letter)
{
    keyed *k = keyed_new(data, count);

    k->letter = (char)letter;
    return k;
}

keyed *keyed_by_number(void *data, size_t count, long number)
{
    keyed *k = keyed_new(data, count);

    k->number = number;
    return k;
}

keyed *keyed_by_flags(void *data, size_t count, unsigned flags)
{
    keyed *k = keyed_new(data, count);

    k->flags = flags | 1;
    return k;
}

keyed *keyed_by_name(void *data, size_t count, const char *name)
{
    keyed *k = keyed_new(data, count);

    strncpy(k->name, name, sizeof k->name - 1);
    return k;
}

void keyed_free(keyed *k)
{
    free(k);
    live--;
}

int keyed_live(void)
{
    return live;
}
