/* A display with one frame, which no object describes, and an object of which nothing is read. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdint.h>

#define SCREEN_WIDTH 32
#define SCREEN_HEIGHT 8

typedef struct screen screen;

extern uint16_t screen_memory[SCREEN_HEIGHT][SCREEN_WIDTH];
extern double screen_brightness;

screen *screen_open(void);
void screen_close_all(void);
int screen_opened(void);

#endif
