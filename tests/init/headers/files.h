/* Functions with files: their names say whether they read or write, except for one. */
#include <stdio.h>

typedef struct fil_table fil_table;

fil_table *fil_table_read(FILE *from);
int fil_table_write(const fil_table *table, FILE *to);
void fil_table_free(fil_table *table);
void fil_print(FILE *stream, double value);
int fil_status(FILE *file);
