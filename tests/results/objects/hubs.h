#include <stdlib.h>

typedef struct device { int number; } device;
typedef struct hub { device *all[4]; int count; } hub;

static inline device *device_new(int number)
{
    device *const d = malloc(sizeof *d);

    d->number = number;
    return d;
}
static inline void device_free(device *d) { free(d); }

static inline hub *hub_new(int count)
{
    hub *const h = calloc(1, sizeof *h);

    for (h->count = 0; h->count < count; h->count++) {
        h->all[h->count] = device_new(h->count);
    }
    return h;
}
static inline void hub_free(hub *h)
{
    for (int i = 0; i < h->count; i++) {
        free(h->all[i]);
    }
    free(h);
}

/* The caller frees the table; the devices belong to the hub. */
static inline int hub_list(const hub *h, device ***out, int *n)
{
    *n = h->count;
    *out = malloc(4 * sizeof **out);
    for (int i = 0; i < h->count; i++) {
        (*out)[i] = h->all[i];
    }
    return 0;
}
static inline device *const *hub_table(const hub *h) { return h->all; }
static inline const device *const *hub_fixed(const hub *h) { return (const device *const *)(const void *)h->all; }
static inline int hub_size(const hub *h) { return h->count; }

/* New devices, which the caller frees, as the table. */
static inline device **devices_new(int n, int *count)
{
    device **const table = n > 0 ? malloc((size_t)n * sizeof *table) : NULL;

    *count = n == 9 ? -1 : n;
    for (int i = 0; i < *count; i++) {
        table[i] = i == 5 ? NULL : device_new(i);
    }
    return table;
}
static inline device *const *devices_claimed(unsigned long long n)
{
    static device one;
    static device *const table[1] = {&one};

    (void)n;
    return table;
}
static inline device **devices_lost(int n) { (void)n; return NULL; }
static inline int devices_fill(device *out[3], int n)
{
    for (int i = 0; n <= 3 && i < n; i++) {
        out[i] = device_new(10 + i);
    }
    return n;
}
static inline int device_number(const device *d) { return d->number; }
static inline void device_renumber(device *d, int number) { d->number = number; }

typedef struct port_data { int number; } *port; /* a pointer by another name */
static inline port port_new(int number)
{
    port const p = malloc(sizeof *p);

    p->number = number;
    return p;
}
static inline void port_free(port p) { free(p); }
static inline port *ports_new(int n)
{
    port *const table = malloc((size_t)n * sizeof *table);

    for (int i = 0; i < n; i++) {
        table[i] = port_new(i);
    }
    return table;
}
