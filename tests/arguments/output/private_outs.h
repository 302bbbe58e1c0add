/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
typedef struct { int n; } picture;
struct fault { const char *message; };
int fault_count(void);
void fault_clear(struct fault **error);
picture *picture_load(const char *name, struct fault **error);
int picture_save(const picture *p, const char *name, int *size, struct fault **error);
