/* SPDX-License-Identifier: MIT */
#include <doublefann.h>
#include <stddef.h>

struct fann_train_data *new_data(void)
{
    struct fann_train_data *d = fann_create_train(3, 2, 4);
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned j = 0; j < 2; j++)
            d->input[i][j] = 10 * i + j;
        for (unsigned j = 0; j < 4; j++)
            d->output[i][j] = 10 * i + j + 0.5;
    }
    return d;
}

const void *first_inputs(struct fann_train_data *d) { return d->input[0]; }
double at_inputs(struct fann_train_data *d, const size_t *at) { return d->input[at[0]][at[1]]; }
const void *first_outputs(struct fann_train_data *d) { return d->output[0]; }
double at_outputs(struct fann_train_data *d, const size_t *at) { return d->output[at[0]][at[1]]; }
