/* SPDX-License-Identifier: MIT */
/* Stands for checked.c: it prints what the memory of a checked build reports. */
#include "checked/memory.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void probe_start(void);
void probe_leaks(void);
void probe_protect(const void *block);

static void print(const char *text)
{
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));

    (void)written;
}

static void print_access(const dlb_bad_access *access)
{
    char text[200];

    (void)snprintf(text, sizeof text, "report %s %p %d [%s]\n", access->kind, access->at, access->write, access->symbol);
    print(text);
}

static void print_leak(const dlb_leak *leak, void *context)
{
    char text[200];

    (void)context;
    (void)snprintf(text, sizeof text, "leak %zu %s [%s]\n", leak->size, leak->function != NULL ? leak->function : "-", leak->symbol);
    print(text);
}

void probe_start(void)
{
    dlb_memory_start(print_access);
}

static const void *protected_block;

static bool is_protected(const void *block)
{
    return block == protected_block;
}

void probe_protect(const void *block)
{
    protected_block = block;
    dlb_memory_watch_frees(is_protected);
}

void probe_leaks(void)
{
    dlb_memory_leaks(print_leak, NULL);
    print("leaks listed\n");
}
