#include "lib.h"
#include <stdlib.h>
enum { NOTES = 4 };
struct choir {
    int voices;
    float *notes;
};
choir *choir_gather(int voices)
{
    if (voices < 1 || voices > 16) return NULL;
    size_t count = (size_t)voices * NOTES;
    choir *c = malloc(sizeof *c + count * sizeof *c->notes);
    c->voices = voices;
    c->notes = (float *)(void *)(c + 1);
    for (size_t i = 0; i < count; i++) c->notes[i] = (float)(i % NOTES);
    return c;
}
int choir_voices(const choir *c) { return c->voices; }
float *choir_notes(const choir *c, int voice) { return c->notes + (ptrdiff_t)voice * NOTES; }
void choir_leave(choir *c) { free(c); }
