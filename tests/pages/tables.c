#include "tables.h"

int table_write(FILE *to, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (fprintf(to, "%g\n", x[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

double table_total(FILE *source)
{
    double total = 0, value;

    while (fscanf(source, "%lf", &value) == 1) {
        total += value;
    }
    return total;
}
