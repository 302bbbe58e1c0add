#define _POSIX_C_SOURCE 200809L

#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

struct journal {
    int entries;
    const double *weights;
};

static int live = 0;

int streams_write(FILE *to, const char *text)
{
    const size_t size = strlen(text);

    return fwrite(text, 1, size, to) == size ? (int)size : -1;
}

void streams_write_unchecked(FILE *restrict to, const char *text)
{
    (void)fputs(text, to);
}

int streams_write_and_fail(const char *text, FILE *to, int number)
{
    (void)fputs(text, to);
    errno = number;
    return -1;
}

int streams_write_values(FILE *to, const double *values, int n, const char *text)
{
    for (int i = 0; i < n; i++) {
        (void)fprintf(to, "%g ", values[i]);
    }
    (void)fputs(text, to);
    return 0;
}

const char *streams_line(FILE *source)
{
    static char line[100];

    line[0] = '\0';
    if (fgets(line, sizeof line, source) != NULL) {
        line[strcspn(line, "\n")] = '\0';
    }
    return line;
}

long streams_position(FILE *file)
{
    return ftell(file);
}

int streams_copy(FILE *source, FILE *to)
{
    return streams_write(to, streams_line(source));
}

int streams_is_open(FILE *file)
{
    return file != NULL;
}

int streams_mark(FILE *file_file, FILE *answer, FILE *given)
{
    return streams_write(file_file, "1") + streams_write(answer, "22") + streams_write(given, "333");
}

int streams_replace(FILE *file, char letter)
{
    const int old = fgetc(file);

    (void)fseek(file, -1, SEEK_CUR);
    (void)fputc(letter, file);
    return old;
}

journal *journal_new(FILE *to, const char *title)
{
    journal *const made = *title != '\0' ? calloc(1, sizeof *made) : NULL;

    if (made != NULL) {
        live++;
        (void)fputs(title, to);
    }
    return made;
}

void journal_free(journal *j)
{
    live--;
    free(j);
}

int journal_append(journal *j, FILE *to)
{
    return fprintf(to, "%d\n", ++j->entries);
}

journal *journal_shared(void)
{
    static journal shared;

    return &shared;
}

void journal_weigh(journal *j, const double *weights, int n, FILE *to)
{
    j->weights = weights;
    (void)fprintf(to, "%d", n);
}

int live_journals(void)
{
    return live;
}

int streams_is_inherited(FILE *file)
{
    return (fcntl(fileno(file), F_GETFD) & FD_CLOEXEC) == 0;
}
