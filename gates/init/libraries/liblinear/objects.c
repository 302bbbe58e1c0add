/* SPDX-License-Identifier: MIT */
#include <linear.h>
#include <stddef.h>

struct problem *new_targets(void)
{
    static struct feature_node ends[4] = {{-1, 0}, {-1, 0}, {-1, 0}, {-1, 0}};
    static struct feature_node *rows[4] = {&ends[0], &ends[1], &ends[2], &ends[3]};
    static double targets[] = {1, -1, 1, 2};
    static struct problem p = {.l = 4, .n = 5, .y = targets, .x = rows, .bias = -1};
    return &p;
}

struct model *new_model(void)
{
    static double weights[] = {11, 12, 13, 21, 22, 23};
    static int labels[] = {7, 8, 9};
    static struct model m = {
        .param = {.solver_type = L2R_LR}, .nr_class = 3, .nr_feature = 2, .w = weights, .label = labels, .bias = -1};
    return &m;
}

const void *first_targets(struct problem *p) { return p->y; }
double at_targets(struct problem *p, const size_t *at) { return p->y[at[0]]; }
const void *first_labels(struct model *m) { return m->label; }
double at_labels(struct model *m, const size_t *at)
{
    int labels[8];
    get_labels(m, labels);
    return labels[at[0]];
}
const void *first_weights(struct model *m) { return m->w; }
double at_weights(struct model *m, const size_t *at) { return get_decfun_coef(m, (int)at[0] + 1, (int)at[1]); }
