#include "lib.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char first[] = "No.";
void ticket_print(int number, char *text)
{
    snprintf(text, TICKET_SIZE, "%s%08d", first, number % 1000000);
}
int ticket_number(const char *text)
{
    if (strncmp(text, first, strlen(first)) != 0) return -1;
    long number = strtol(text + strlen(first), NULL, 10);
    return number < -1000000 || number > 1000000 ? -1 : (int)number;
}
