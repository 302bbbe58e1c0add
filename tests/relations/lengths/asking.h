/* SPDX-License-Identifier: MIT */
/* A library that asks Python how much there is, and may get no answer. */
long asked(long n);
void letters(char *to, long n);
void numbers(double *to, long n);
const double *cube(long ndim);
/* Ends with an exception of Python. */
typedef struct sheet { double at[2]; } sheet;
sheet *sheet_beside(long ndim, const double **cube_at);
void sheet_end(sheet *s);
