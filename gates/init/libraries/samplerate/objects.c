/* SPDX-License-Identifier: MIT */
#include <samplerate.h>
#include <stddef.h>

SRC_DATA *new_conversion(void)
{
    static const float input[] = {0, 0.25f, 0.5f, 0.75f};
    static float output[] = {1, 2, 3, 4, 5, 6};
    static SRC_DATA data = {.data_in = input, .data_out = output, .input_frames = 4, .output_frames = 6, .src_ratio = 1.5};
    return &data;
}

const void *first_input(SRC_DATA *d) { return d->data_in; }
double at_input(SRC_DATA *d, const size_t *at) { return d->data_in[at[0]]; }
const void *first_output(SRC_DATA *d) { return d->data_out; }
double at_output(SRC_DATA *d, const size_t *at) { return d->data_out[at[0]]; }
