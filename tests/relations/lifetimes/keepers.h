/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdlib.h>
typedef struct node { const double *x; size_t n; } node;
typedef struct tree { node *nodes[8]; int count; } tree;
static inline node *node_new(void) { return calloc(1, sizeof(node)); }
static inline node *node_over(const double *x, size_t n)
{
    node *k = node_new();
    k->x = x;
    k->n = n;
    return k;
}
static inline void node_free(node *k) { free(k); }
static inline void node_set(node *k, const double *x, size_t n) { k->x = x; k->n = n; }
static inline const double *node_data(const node *k) { return k->x; }
static inline double node_sum(const node *k)
{
    double sum = 0;
    for (size_t i = 0; i < k->n; i++) {
        sum += k->x[i];
    }
    return sum;
}
extern int trees_freed;
static inline tree *tree_new(void) { return calloc(1, sizeof(tree)); }
static inline void tree_free(tree *t)
{
    for (int i = 0; i < t->count; i++) {
        node_free(t->nodes[i]);
    }
    free(t);
    trees_freed++;
}
static inline void tree_add(tree *t, node *k) { t->nodes[t->count++] = k; }
static node *nodes_of_nobody[4];
static inline void node_leave(node *k) { nodes_of_nobody[0] = k; }
static inline double node_left_sum(void) { return node_sum(nodes_of_nobody[0]); }
static inline double tree_sum(const tree *t)
{
    double sum = 0;
    for (int i = 0; i < t->count; i++) {
        sum += node_sum(t->nodes[i]);
    }
    return sum;
}
static inline node *tree_get(tree *t, int i) { return t->nodes[i]; }
static inline node *tree_child(tree *t) { return t != NULL ? node_new() : NULL; }
static inline int freed(void) { return trees_freed; }
typedef struct ref { node *p; } ref;
static inline ref tree_at(tree *t, int i) { return (ref){t->nodes[i]}; }
static inline void ref_set(ref r, const double *x, size_t n) { node_set(r.p, x, n); }
static inline node *tree_pop(tree *t) { return t->nodes[--t->count]; }
