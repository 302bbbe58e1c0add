/* SPDX-License-Identifier: MIT */
#include "private_outs.h"
static int alive;
int fault_count(void) { return alive; }
static void fail(struct fault **error, const char *message)
{
    *error = malloc(sizeof **error);
    (*error)->message = message;
    alive++;
}
void fault_clear(struct fault **error)
{
    alive -= *error != NULL;
    free(*error);
    *error = NULL;
}
picture *picture_load(const char *name, struct fault **error)
{
    if (*name == 0) {
        fail(error, "no name");
        return NULL;
    }
    return calloc(1, sizeof(picture));
}
int picture_save(const picture *p, const char *name, int *size, struct fault **error)
{
    (void)p;
    *size = (int)strlen(name);
    if (*size == 0) {
        fail(error, "nowhere");
    }
    return *size != 0;
}
