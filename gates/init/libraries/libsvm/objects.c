/* SPDX-License-Identifier: MIT */
#include <libsvm/svm.h>
#include <stddef.h>

struct svm_problem *new_targets(void)
{
    static struct svm_node ends[4] = {{-1, 0}, {-1, 0}, {-1, 0}, {-1, 0}};
    static struct svm_node *rows[4] = {&ends[0], &ends[1], &ends[2], &ends[3]};
    static double targets[] = {1, -1, 1, 2};
    static struct svm_problem p = {.l = 4, .y = targets, .x = rows};
    return &p;
}

const void *first_targets(struct svm_problem *p) { return p->y; }
double at_targets(struct svm_problem *p, const size_t *at) { return p->y[at[0]]; }
