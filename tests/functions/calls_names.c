/* SPDX-License-Identifier: MIT */
#include "calls_names.h"

#include <stdlib.h>
#include <string.h>

int nodes;

void forget(int counted)
{
    nodes -= counted;
}

node *node_new(int value)
{
    node *first = calloc(1, sizeof(node));

    first->value = value;
    first->after = calloc(1, sizeof(node));
    first->after->value = value + 1;
    nodes += 2;
    return first;
}

void node_free(node *node)
{
    if (node != NULL) {
        node_free(node->after);
        free(node);
        nodes--;
    }
}

node *node_next(node *self)
{
    node *after = self->after;

    self->after = NULL;
    return after;
}

const char *node_error(int status)
{
    return status == -1 ? "there was an error" : "no number is that large";
}

int node_count(const node *node, int node_error)
{
    (void)node;
    return node_error == 0 ? nodes : -1;
}

status node_add(node *node, status status)
{
    if (node->after == NULL) {
        return status;
    }
    node->after->value += status;
    return 0;
}

int scale(node *n, int scale)
{
    return n->value *= scale;
}

int result(int x)
{
    return x + 2;
}

int ask(int a, int b, int *c, int d)
{
    *c = 10 * a + b;
    return d;
}

int wait_for(int x)
{
    return x;
}

double total(const double *values, int32_t n, int32_t m)
{
    double sum = 0;

    for (int32_t i = 0; i < n * m; i++) {
        sum += values[i];
    }
    return sum;
}

void fill(void *x, size_t bytes, unsigned char value)
{
    memset(x, value, bytes);
}

point point_moved(point self, int x)
{
    self.x += x;
    return self;
}
