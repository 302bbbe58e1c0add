/* SPDX-License-Identifier: MIT */
typedef struct table { double *data; int size; const struct table *of; } table;
int living_count(void);
const table *ramp(int size);
void table_free(const table *t);
const table *part(const table *of);
int table_double(const table *t, const table **made);
void table_scale(table *t, double by);
