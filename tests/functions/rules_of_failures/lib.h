#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Errors as in GLib: a function stores a new error, which the caller frees. */
typedef struct GError {
    int code;
    char message[64];
} GError;

static int living; /* the errors that nobody has freed */
static int undone;
static int finished;

static inline void fail(GError **error, int code, const char *message)
{
    *error = malloc(sizeof **error);
    (*error)->code = code;
    (void)snprintf((*error)->message, sizeof (*error)->message, "%s", message);
    living++;
}
static inline void g_clear_error(GError **error)
{
    if (*error != NULL) {
        free(*error);
        *error = NULL;
        living--;
    }
}
static inline int count_living(void) { return living; }
static inline int count_undone(void) { return undone; }
static inline int count_finished(void) { return finished; }

typedef struct shop { int stock; } shop;

static inline shop *shop_new(int stock, GError **error)
{
    shop *s;

    if (stock < 0) {
        fail(error, 2, "less than nothing");
        return NULL;
    }
    s = malloc(sizeof *s);
    s->stock = stock;
    return s;
}
static inline int shop_sell(shop *s, int n, GError **error)
{
    if (n > s->stock) {
        fail(error, 1, "sold out");
        return -1;
    }
    return s->stock -= n;
}
static inline void shop_set_stock(shop *s, int stock, GError **error)
{
    if (stock < 0) {
        fail(error, 2, "less than nothing");
    } else {
        s->stock = stock;
    }
}
static inline char *shop_name(const shop *s, GError **error)
{
    char *name;

    if (s->stock == 0) {
        fail(error, 1, "no name");
        return NULL;
    }
    name = malloc(8);
    return strcpy(name, "shop");
}
static inline int shop_look(const shop *s, GError **error) { return s->stock + (error == NULL ? 100 : 0); }

/* A status in the last argument. */
static inline double root(double x, int *status)
{
    *status = x < 0 ? 33 : 0;
    return x < 0 ? 0 : x / 2;
}
static inline void warn(int level, int *status) { *status = level; }
static inline const char *status_text(int status) { return status == 33 ? "domain" : "other"; }

/* A status as the result. */
typedef int lib_status;
static inline lib_status lib_run(int x) { return x; }
static inline lib_status lib_count(int x) { return x; }
static inline void lib_undo(void) { undone++; }
