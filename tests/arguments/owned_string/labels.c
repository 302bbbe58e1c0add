/* SPDX-License-Identifier: MIT */
#include "labels.h"

#undef malloc
#undef free

struct labels {
    char *all[2];
    int count;
    char *title;
};

static int blocks, left = -1;

void *counted_malloc(size_t size)
{
    if (left == 0) {
        return NULL;
    }
    left -= left > 0;
    blocks++;
    return malloc(size);
}

void counted_free(void *memory)
{
    blocks -= memory != NULL;
    free(memory);
}

int live_blocks(void)
{
    return blocks;
}

void fail_after(int number)
{
    left = number;
}

labels *labels_new(void)
{
    return calloc(1, sizeof(labels));
}

void labels_free(labels *l)
{
    for (int i = 0; i < l->count; i++) {
        counted_free(l->all[i]);
    }
    counted_free(l->title);
    free(l);
}

int labels_count(const labels *l)
{
    return l->count;
}

const char *labels_get(const labels *l, int index)
{
    return index < l->count ? l->all[index] : NULL;
}

int labels_add(labels *l, char *label)
{
    if (l->count == 2) {
        return 1;
    }
    l->all[l->count++] = label;
    return 0;
}

int labels_consume(labels *l, char *label)
{
    const int failed = labels_add(l, label);

    if (failed) {
        counted_free(label);
    }
    return failed;
}

int labels_add_const(labels *l, const char *label)
{
    return labels_add(l, (char *)label);
}

int labels_add_xml(labels *l, xmlChar *label)
{
    return labels_add(l, (char *)label);
}

int labels_add_both(labels *l, char *first, const double *weights, int n, char *last)
{
    if (l->count > 0 || weights[n - 1] < 0) {
        counted_free(last);
        return 1;
    }
    (void)labels_add(l, first);
    (void)labels_add(l, last);
    return 0;
}

labels *labels_of(char *label)
{
    labels *l = *label != '\0' ? labels_new() : NULL;

    if (l != NULL) {
        (void)labels_add(l, label);
    }
    return l;
}

void labels_set_title(labels *l, char *title)
{
    counted_free(l->title);
    l->title = title;
}

const char *labels_title(const labels *l)
{
    return l->title;
}

size_t labels_drop(char *label, size_t size)
{
    const size_t length = strlen(label);

    counted_free(label);
    return length == size ? size : 0;
}
