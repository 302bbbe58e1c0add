/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned char xmlChar;
typedef struct node { const xmlChar *name; unsigned char tag[4]; } node;
static inline size_t length(const xmlChar *s) { return s != NULL ? strlen((const char *)s) : 99; }
static inline size_t length_of_bytes(const unsigned char *s) { return length(s); }
static inline size_t length_of_mine(uint8_t *s) { return length(s); }
static inline const xmlChar *name(void) { return (const xmlChar *)"na\xc3\xafve"; }
static inline const unsigned char *nothing(void) { return NULL; }
static inline void fill(unsigned char *s) { memset(s, 'z', 8); }
static inline void fill_some(xmlChar *s, int n) { memset(s, 'q', (size_t)n - 1); }
static inline void give(xmlChar **s) { *s = memcpy(malloc(6), "given", 6); }
static inline void node_make(node *n) { *n = (node){(const xmlChar *)"root", "tags"}; }
