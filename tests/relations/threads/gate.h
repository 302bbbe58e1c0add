/* A function that waits until another thread opens the gate. */
#include <stdatomic.h>
#include <stdio.h>

static atomic_int gate_inside;
static atomic_int gate_is_open;

static inline int gate_pass(void)
{
    atomic_store(&gate_inside, 1);
    while (!atomic_load(&gate_is_open)) {
    }
    return 1;
}
static inline int gate_waiting(void)
{
    return atomic_load(&gate_inside);
}
static inline void gate_open(int open)
{
    atomic_store(&gate_is_open, open);
}
static inline long gate_read(FILE *file)
{
    (void)fseek(file, 0, SEEK_END);
    return ftell(file);
}
