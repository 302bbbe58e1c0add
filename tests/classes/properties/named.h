/* SPDX-License-Identifier: MIT */
#include <string.h>
typedef struct { char name[8]; } node;
static inline node *node_first(void) { static node first; return &first; }
static inline node *node_set_name(node *n, const char *name)
{
    if (strlen(name) >= sizeof n->name) { return NULL; }
    strcpy(n->name, name);
    return n;
}
