/* HDF5 itself: datasets of files that live in memory, read as a whole. */
#ifndef STORE_H
#define STORE_H

#include <hdf5/serial/hdf5.h>

typedef struct store_extents {
    int rank;
    hsize_t size[H5S_MAX_RANK];
} store_extents;

hid_t store_create(int type, int rank, const hsize_t *size); /* 0: float, 1: double, 2: int, 3: big-endian int, 4: text */
herr_t store_extents_of(hid_t space, store_extents *extents);
void *store_read(hid_t dataset);
void store_write(hid_t dataset, const void *memory);
double store_first(hid_t dataset); /* the first element, as the file has it */
int store_references(hid_t dataset);
hid_t store_opened(hid_t identifier); /* the same, counted until store_closed() */
void store_closed(hid_t identifier);
int store_open(void);

#endif
