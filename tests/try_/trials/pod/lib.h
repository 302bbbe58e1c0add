#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct pea {
    uint8_t skin[5];
} pea;
typedef struct pod pod;
pod *pod_grow(int peas);     /* NULL for less than 0 or more than 10 */
pea *pod_last(pod *p);       /* stays in the pod; NULL if there is none */
pea *pod_pop(pod *p);        /* leaves the pod, for pea_free(); NULL if there is none */
void pod_push(pod *p, pea *e); /* the pod frees it, also if it is full */
int pod_count(const pod *p);
void pea_free(pea *e);
void pod_free(pod *p);
