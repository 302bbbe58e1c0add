#include <stdlib.h>

typedef struct node_data { int weight; } *node; /* a pointer by another name */

static inline node node_new(int weight)
{
    node const n = malloc(sizeof *n);

    n->weight = weight;
    return n;
}
static inline void node_free(node n) { free(n); }
static inline int nodes_sum(const node *all, size_t count)
{
    int sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += all[i]->weight;
    }
    return sum;
}
static inline int node_sum(node own, const node *all, size_t count) { return own->weight + nodes_sum(all, count); }
static inline int nodes_sum3(const node all[3]) { return nodes_sum(all, 3); }
static inline void nodes_raise(node *all, int count)
{
    for (int i = 0; i < count; i++) {
        all[i]->weight++;
        all[i] = NULL; /* the array belongs to the call */
    }
}

typedef struct span { const float *x; long n; char small; } span; /* a struct that is copied */

static inline double spans_sum(const span *all, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++) {
        for (long k = 0; k < all[i].n; k++) {
            sum += (double)all[i].x[k];
        }
    }
    return sum;
}

typedef unsigned char id; /* a number, smaller than a pointer */
static inline id id_new(int n) { return (id)n; }
static inline int ids_code(const id *all, int count)
{
    int code = 0;

    for (int i = 0; i < count; i++) {
        code = 10 * code + all[i];
    }
    return code;
}
