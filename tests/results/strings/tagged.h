/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned char letter;
typedef struct { size_t count; char **tags; } album;
extern int tables;
static inline char **table_new(int n)
{
    char **const table = malloc((size_t)n * sizeof *table); /* nothing follows the last one */
    for (int i = 0; i < n; i++) {
        table[i] = calloc(1, 4);
        table[i][0] = (char)('a' + i);
    }
    tables++;
    return table;
}
static inline void table_free(char **table, size_t n)
{
    for (size_t i = 0; table != NULL && i < n; i++) { free(table[i]); }
    free(table);
    tables -= table != NULL;
}
static inline char **made(int wanted, int *n) { *n = wanted; return wanted > 0 ? table_new(wanted) : NULL; }
static inline const char *const *claimed(unsigned long long n)
{
    static const char *const table[1] = {"one"};

    (void)n;
    return table;
}
static inline const char *const *fixed(short *n)
{
    static const char *const table[] = {"one", NULL, "three", (const char *)1};
    *n = 3;
    return table;
}
static inline int filled(int wanted, char ***table)
{
    *table = wanted > 0 ? table_new(wanted) : NULL;
    return wanted;
}
static inline int both(const char *const **keys, const char *const **values, size_t *n)
{
    static const char *const all[] = {"k", "l", "v", "w"};
    *keys = all;
    *values = all + 2;
    *n = 2;
    return 0;
}
static inline const char *const *told(long long n)
{
    static const char *const table[] = {"x", "y", "z"};
    return n < 9 ? table : NULL;
}
static inline const letter *const *letters(void)
{
    static const letter b[] = {0xc3, 0xa4, 0}, *const table[] = {b, b};
    return table;
}
static inline const unsigned char **bytes(int *n)
{
    static const unsigned char a[] = "abc", *table[] = {a};
    *n = 1;
    return table;
}
static inline album *album_new(int n)
{
    album *const a = malloc(sizeof *a);
    *a = (album){(size_t)n, table_new(n)};
    return a;
}
static inline void album_free(album *a) { table_free(a->tags, a->count); free(a); }
static inline size_t album_count(const album *a) { return a->count; }
static inline char **album_tags(const album *a) { return a->tags; }
static inline int live(void) { return tables; }
