#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct choir choir;
choir *choir_gather(int voices); /* NULL for less than 1 or more than 16 */
int choir_voices(const choir *c);
float *choir_notes(const choir *c, int voice); /* of a voice, four notes; they lie in one block with the choir */
void choir_leave(choir *c);
