/* Uses size_t and FILE, but includes nothing. */
typedef struct alone {
    unsigned short *samples;
    size_t length;
} alone;

alone *alone_read(FILE *file);
void alone_free(alone *a);
size_t alone_count(const alone *a);
