/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdlib.h>
typedef struct vec { const double *x; size_t n; } vec;
static inline vec *vec_new(void) { return calloc(1, sizeof(vec)); }
static inline void vec_free(vec *v) { free(v); }
static inline vec *vec_over(const double *x, size_t n)
{
    vec *v = vec_new();
    *v = (vec){x, n};
    return v;
}
static inline void vec_set(vec *v, const double *x, size_t n) { *v = (vec){x, n}; }
static inline double vec_sum(const vec *v)
{
    double sum = 0;
    for (size_t i = 0; i < v->n; i++) {
        sum += v->x[i];
    }
    return sum;
}
static inline vec *vec_dup(const vec *v)
{
    vec *made = vec_new();
    *made = *v;
    return made;
}
static inline void vec_copy(vec *v, const vec *from) { *v = *from; }
static inline void vec_swap(vec *a, vec *b)
{
    vec c = *a;
    *a = *b;
    *b = c;
}
static inline const double *vec_exchange(vec *v, const double *x, size_t n, size_t *before)
{
    const vec old = *v;
    *v = (vec){x, n};
    *before = old.n;
    return old.x;
}
static inline void vec_join(vec *a, vec *b, const double *x, size_t n, const double *y, size_t m)
{
    *a = (vec){x, n};
    *b = (vec){y, m};
}
/* One that has the address of another. */
typedef struct node { vec *v; struct node *below; } node;
static inline node *node_new(void) { return calloc(1, sizeof(node)); }
static inline void node_free(node *k) { free(k); }
static inline void node_hang(node *k, vec *v) { k->v = v; }
static inline void node_stand_on(node *k, node *other) { k->below = other; }
static inline node *node_below(node *k) { return k->below; }
static inline vec *node_vec(node *k) { return k->v; }
static inline const double *node_data(node *k, size_t *n) { *n = k->v->n; return k->v->x; }
/* Two that lie in one, the first of them at its address. */
typedef vec item;
typedef struct pair { item vecs[2]; float tags[2][4]; } pair;
static inline pair *pair_new(void) { return calloc(1, sizeof(pair)); }
static inline void pair_free(pair *p) { free(p); }
static inline item *pair_at(pair *p, int i) { return &p->vecs[i & 1]; }
static inline void item_set(item *v, const double *x, size_t n) { vec_set(v, x, n); }
static inline void pair_turn(pair *p) { vec_swap(&p->vecs[0], &p->vecs[1]); }
static inline void pair_mask(pair *p, int side, const double *x, size_t n) { p->vecs[side] = (vec){x, n}; }
static inline double pair_sum(const pair *p) { return vec_sum(&p->vecs[0]) + vec_sum(&p->vecs[1]); }
/* What is filled where it is, and taken over by its address. */
typedef vec block;
typedef struct bag { block *taken; } bag;
static inline int block_make(block *v) { *v = (vec){NULL, 0}; return 0; }
static inline void block_set(block *v, const double *x, size_t n) { vec_set(v, x, n); }
static inline void block_clear(block *v) { v->n += (size_t)vec_sum(v) > 1u << 30; }
static inline bag *bag_new(void) { return calloc(1, sizeof(bag)); }
static inline void bag_free(bag *b)
{
    if (b->taken != NULL) {
        block_clear(b->taken);
    }
    free(b);
}
static inline bag *bag_of(block *v)
{
    bag *b = bag_new();
    b->taken = v;
    return b;
}
static inline void bag_add(bag *b, block *v) { b->taken = v; }
static inline double bag_sum(const bag *b) { return b->taken != NULL ? vec_sum(b->taken) : 0; }
/* Two that are made with a third, which must outlive them; one takes the other over. */
typedef struct shop { int *closed; } shop;
typedef struct cart { shop *s; } cart;
typedef struct order { cart *c; } order;
extern int shops_closed;
static inline shop *shop_new(void)
{
    shop *s = malloc(sizeof *s);
    s->closed = &shops_closed;
    return s;
}
static inline void shop_free(shop *s) { ++*s->closed; free(s); }
static inline int closed(void) { return shops_closed; }
static inline cart *cart_new(shop *s)
{
    cart *c = malloc(sizeof *c);
    c->s = s;
    return c;
}
static inline void cart_free(shop *s, cart *c) { *s->closed += 0; free(c); }
static inline order *order_of(shop *s, cart *c)
{
    order *o = malloc(sizeof *o);
    *s->closed += 0;
    o->c = c;
    return o;
}
static inline void order_free(shop *s, order *o) { cart_free(s, o->c); free(o); }
