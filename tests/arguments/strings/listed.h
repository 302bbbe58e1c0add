/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline char **words(int count)
{
    char **made = count < 0 ? NULL : calloc((size_t)count + 1, sizeof *made);
    for (int i = 0; i < count; i++) {
        made[i] = calloc(1, 8);
        made[i][0] = (char)('a' + i);
        made[i][1] = i == 9 ? (char)0xff : 0;
    }
    return made;
}
static inline void words_free(char **made)
{
    for (int i = 0; made != NULL && made[i] != NULL; i++) {
        free(made[i]);
    }
    free(made);
}
static inline const char *const *fixed(void)
{
    static const char *const texts[] = {"one", "zwei", NULL};
    return texts;
}
static inline int filled(int count, char ***out)
{
    *out = words(count);
    return count > 5;
}

static inline int joined(const char *const *names, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += (i + 1) * (int)strlen(names[i]);
    }
    return names[count] == NULL ? sum : -1;
}
static inline int until_null(char **options)
{
    int count = 0;
    while (options != NULL && options[count] != NULL) {
        count++;
    }
    return options != NULL ? count : -1;
}
static inline int pairs(const char *const *keys, const char *const *values, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (int)(strlen(keys[i]) * strlen(values[i]));
    }
    return sum;
}
static inline int until_null_of(const char *const *options) { return options[3] == NULL ? 3 : -1; }
static inline int less(const char *const *names, int n) { return names[n] != NULL ? n : -1; }
static inline int after_default(int s, const char *const *names) { return names != NULL ? s : -s; }
static inline double named_value(const char **names, size_t n, const double *values, size_t size, const char *path)
{
    for (size_t i = 0; i + 1 < n && i < size; i++) {
        if (strcmp(names[i], path) == 0) {
            return values[i];
        }
    }
    errno = ENOENT;
    return -1;
}
static inline char letter(char *const argv[], int argc) { return argv[argc - 1][0]; }
