/* SPDX-License-Identifier: MIT */
/* A library for the tests of `make init-report`. */
#ifndef TABLES_H_
#define TABLES_H_

struct table {
    int rows, columns, row_length;
    short *first;
};

struct row {
    short first[3];
};

#endif
