#pragma once
#include <stddef.h>
#include <stdint.h>
/* Prints a number into `text`, which has room for TICKET_SIZE bytes. */
enum { TICKET_SIZE = 16 };
void ticket_print(int number, char *text);
/* The number of a printed ticket; -1 for any other text. */
int ticket_number(const char *text);
