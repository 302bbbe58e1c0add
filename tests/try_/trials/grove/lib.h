#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct tree {
    double rings[5];
} tree;
typedef struct grove grove;
grove *grove_plant(int trees);           /* NULL for less than 1 or more than 100 */
tree *grove_tree(grove *g, int index);   /* a part of the grove; NULL if there is no such tree */
double tree_girth(const tree *t);
void grove_fell(grove *g);
