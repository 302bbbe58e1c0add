#include "journals.h"

#include <stdlib.h>

struct journal {
    int level;
};

journal *journal_new(void)
{
    return calloc(1, sizeof(journal));
}

void journal_free(journal *j)
{
    free(j);
}

int journal_write(journal *j, int level)
{
    j->level = level;
    return level < 0;
}

const char *journal_message(int status)
{
    return status == 1 ? "the level is negative" : "unknown status";
}
