#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

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

/* Labels own a string. The class has members, so a tuple or a mapping can stand for one. */
typedef struct label { char *text; int size; } label;
__attribute__((weak)) int labels_alive;
static inline char *text_new(void)
{
    char *const text = calloc(4, 1);

    text[0] = text[1] = text[2] = 'x';
    labels_alive++;
    return text;
}
static inline void label_clear(label l)
{
    labels_alive -= l.text != NULL;
    free(l.text);
}
static inline int labels_total(const label *all, int count)
{
    int total = 0;

    for (int i = 0; i < count; i++) {
        for (const char *c = all[i].text; c != NULL && *c != 0; c++) {
            total++;
        }
    }
    return total;
}
static inline int labels_left(void) { return labels_alive; }
static inline int label_take(label taken, const label *all, int count)
{
    const int total = labels_total(all, count);

    label_clear(taken);
    return total;
}

typedef struct point { double x, y; } point;

/* The bytes that malloc() has handed out; 0 if that is unknown. */
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
static inline size_t bytes_in_use(void) { return mallinfo2().uordblks + mallinfo2().hblkhd; }
#else
static inline size_t bytes_in_use(void) { return 0; }
#endif
static inline size_t points_in_use(const point *all, int count)
{
    (void)all, (void)count;
    return bytes_in_use();
}
static inline size_t nodes_in_use(const node *all, int count)
{
    (void)all, (void)count;
    return bytes_in_use();
}
