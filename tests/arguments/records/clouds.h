#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct point {
    float x, y;
    int32_t tag;
} point;

typedef struct item {
    int16_t kind;
    double weight;
} item;

/* A record with all kinds of members, and with padding between them and at its end. */
typedef struct inner {
    double w;
    int8_t k;
} inner;
typedef enum colour { RED, BLUE } colour;
struct everything {
    int8_t first;
    inner several[2];
    char name[8];
    const float m[2][3];
    char one;
    inner last;
    _Bool yes;
    float _Complex z;
    colour c;
    void *hidden;
    uint16_t deep[1][2][3];
    uint64_t more : 7;
};

typedef struct label {
    char words[2][4];
    float _Complex z;
    int16_t counts[3];
    inner at;
} label;

/* 66 members, of which the last three have names of their own. */
#define EIGHT(m) int8_t m##0, m##1, m##2, m##3, m##4, m##5, m##6, m##7;
typedef struct many {
    EIGHT(a) EIGHT(b) EIGHT(c) EIGHT(d) EIGHT(e) EIGHT(f) EIGHT(g)
    int8_t h0, h1, h2, h3, h4, h5, h6, third, second, last;
} many;

#pragma pack(push, 1)
typedef struct packed {
    char c;
    int32_t n;
    double d;
    int16_t s;
} packed;
#pragma pack(pop)

typedef struct keeper {
    const point *points;
    size_t count;
} keeper;

static inline double sum(const point *p, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        total += p[i].x + p[i].y + p[i].tag;
    }
    return total;
}
static inline void shift(point *p, size_t n, float by)
{
    for (size_t i = 0; i < n; i++) {
        p[i].x += by;
    }
}
static inline double grid(const point *p, int rows, int columns) { return 100 * sum(p, (size_t)(rows * columns)) + rows; }
static inline double steps(const point *p, size_t n, ptrdiff_t step)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        total += p[(ptrdiff_t)i * step].x;
    }
    return total;
}
static inline double three(const point p[3]) { return sum(p, 3); }
static inline double weigh(const item *items, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++) {
        total += items[i].weight;
    }
    return total;
}
static inline double of_all(const struct everything *e, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++) {
        total += e[i].first + e[i].several[1].w + e[i].m[1][2] + e[i].last.k + e[i].name[1] + e[i].yes + e[i].deep[0][1][2] + e[i].c;
    }
    return total;
}
static inline double of_labels(const label *l, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        total += l[i].words[1][3] + l[i].counts[2] + l[i].at.w + l[i].at.k;
    }
    return total;
}
static inline int last_of(const many *m, size_t n) { return n > 0 ? m[n - 1].last : 0; }
static inline long of_packed(packed *p, int n)
{
    long total = 0;
    for (int i = 0; i < n; i++) {
        total += p[i].n;
        p[i].s = (int16_t)(p[i].s + 1);
    }
    return total;
}
static inline keeper *keeper_new(const point *p, size_t n)
{
    keeper *k = malloc(sizeof *k);
    if (k != NULL) {
        *k = (keeper){p, n};
    }
    return k;
}
static inline double keeper_sum(const keeper *k) { return sum(k->points, k->count); }
static inline double distance(const point *a, const point *b, size_t n) { return sum(a, n) - sum(b, n); }
