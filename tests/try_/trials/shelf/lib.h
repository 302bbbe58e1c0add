#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct book {
    int32_t *pages;
    int count;
} book;
typedef struct shelf shelf;
shelf *shelf_fill(int books, int pages); /* NULL unless both are from 1 to 100 */
book *shelf_book(shelf *s, int index);   /* a part of the shelf; NULL if there is no such book */
int shelf_pack(shelf *s);                /* moves the pages of all books; returns how often it was packed */
void shelf_free(shelf *s);
