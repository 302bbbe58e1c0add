/* SPDX-License-Identifier: MIT */
#include <openjpeg-2.5/openjpeg.h>
#include <string.h>

static opj_image_comp_t *component(unsigned index, unsigned width, unsigned height)
{
    opj_image_cmptparm_t parameters[2];
    memset(parameters, 0, sizeof parameters);
    for (unsigned c = 0; c < 2; c++) {
        parameters[c].dx = parameters[c].dy = c + 1;
        parameters[c].w = width;
        parameters[c].h = height;
        parameters[c].prec = 8;
    }
    opj_image_t *image = opj_image_create(2, parameters, OPJ_CLRSPC_SRGB);
    opj_image_comp_t *c = &image->comps[index];
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            c->data[y * width + x] = (OPJ_INT32)(10 * y + x);
    return c;
}

opj_image_comp_t *new_component(void) { return component(0, 4, 3); }
opj_image_comp_t *new_subsampled(void) { return component(1, 3, 2); }

const void *first_component(opj_image_comp_t *c) { return c->data; }
double at_component(opj_image_comp_t *c, const size_t *at) { return c->data[at[0] * c->w + at[1]]; }
