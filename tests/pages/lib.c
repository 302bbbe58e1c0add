#include "lib.h"

#include <stdlib.h>

struct plan {
    const double *x;
    double *y;
    size_t n;
    double weights[4];
};

struct queue {
    plan *last;
};

plan *plan_new(const double *x, double *y, size_t n)
{
    plan *const p = malloc(sizeof *p);
    if (p != NULL) {
        *p = (plan){x, y, n, {1, 2, 3, 4}};
    }
    return p;
}

const double *plan_weights(const plan *p, size_t *n)
{
    *n = 4;
    return p->weights;
}

void plan_free(plan *p)
{
    free(p);
}

queue *queue_new(void)
{
    return calloc(1, sizeof(queue));
}

int queue_push(queue *q, plan *p)
{
    free(q->last);
    q->last = p;
    return 0;
}

void queue_free(queue *q)
{
    free(q->last);
    free(q);
}
