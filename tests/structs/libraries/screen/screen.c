#include "screen.h"

struct screen {
    int opened;
};

uint16_t screen_memory[SCREEN_HEIGHT][SCREEN_WIDTH];
double screen_brightness = 0.5;
static screen only;

screen *screen_open(void)
{
    only.opened++;
    return &only;
}

void screen_close_all(void)
{
    only.opened = 0;
}

int screen_opened(void)
{
    return only.opened;
}
