/* SPDX-License-Identifier: MIT */
#include <caca.h>
#include <stddef.h>

caca_canvas_t *new_canvas(void)
{
    caca_canvas_t *c = caca_create_canvas(3, 2);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            caca_put_char(c, x, y, (uint32_t)(65 + 10 * y + x));
    return c;
}

const void *first_characters(caca_canvas_t *c) { return caca_get_canvas_chars(c); }
double at_characters(caca_canvas_t *c, const size_t *at) { return caca_get_char(c, (int)at[1], (int)at[0]); }
