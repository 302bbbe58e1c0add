/* SPDX-License-Identifier: MIT */
#include "calls_values.h"

#include <stdlib.h>
#include <string.h>

#define CALLS_DEFINE(type, name)                                                                                       \
    type calls_echo_##name(type value)                                                                                 \
    {                                                                                                                  \
        return value;                                                                                                  \
    }
CALLS_TYPES(CALLS_DEFINE)

uint8_t calls_small_color(uint8_t color)
{
    return color;
}

int calls_nothing(void)
{
    return 0;
}

int calls_digits(int a, int b, int c, int d, int e, int f)
{
    return ((((a * 10 + b) * 10 + c) * 10 + d) * 10 + e) * 10 + f;
}

int calls_two(int a, int b)
{
    return a * 10 + b;
}

int calls_names(int given, int arrays, int answer, int number, int values, int self, int args, int module)
{
    return calls_digits(given, arrays, answer, number, values, self) * 100 + args * 10 + module;
}

long calls_length(const char *text)
{
    return text != NULL ? (long)strlen(text) : -1;
}

static long sum(const char *path)
{
    long total = path == NULL ? -1 : 0;

    for (; path != NULL && *path != '\0'; path++) {
        total += (unsigned char)*path;
    }
    return total;
}

long calls_paths(const char *path, const char *other)
{
    return sum(path) * 10000 + sum(other);
}

const char *calls_word(int number)
{
    static const char *const words[] = {NULL, "plain", "\xc3\xa9t\xc3\xa9", "\xff", ""};

    return words[number];
}

static int living;

char *calls_join(const char *first, const char *second)
{
    char *const text = malloc(strlen(first) + strlen(second) + 1);

    if (text != NULL) {
        living++;
        strcpy(text, first);
        strcat(text, second);
    }
    return text;
}

void calls_free(char *text)
{
    living -= text != NULL;
    free(text);
}

int calls_texts(void)
{
    return living;
}

static int starts;

void calls_start(void)
{
    starts++;
}

int calls_started(void)
{
    return starts;
}
