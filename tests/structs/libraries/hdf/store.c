#include "store.h"

#include <stdlib.h>

static int identifiers;

static hid_t type_of(int number)
{
    switch (number) {
    case 0:
        return H5T_NATIVE_FLOAT;
    case 1:
        return H5T_NATIVE_DOUBLE;
    case 2:
        return H5T_NATIVE_INT;
    case 3:
        return H5T_STD_I32BE;
    default:
        return H5T_C_S1;
    }
}

hid_t store_create(int type, int rank, const hsize_t *size)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file, space, dataset;

    H5Pset_fapl_core(access, 4096, 0);
    file = H5Fcreate("in memory only", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    space = H5Screate_simple(rank, size, NULL);
    dataset = H5Dcreate2(file, "values", type_of(type), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
    H5Fclose(file);
    H5Pclose(access);
    return dataset;
}

herr_t store_extents_of(hid_t space, store_extents *extents)
{
    extents->rank = H5Sget_simple_extent_dims(space, extents->size, NULL);
    return extents->rank;
}

/* H5Dread or H5Dwrite of everything, in the native form of its type. */
static herr_t transfer(hid_t dataset, void *room, const void *memory)
{
    const hid_t type = H5Dget_type(dataset);
    const hid_t native = H5Tget_native_type(type, H5T_DIR_ASCEND);
    const herr_t status = room != NULL ? H5Dread(dataset, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, room)
                                       : H5Dwrite(dataset, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, memory);

    H5Tclose(native);
    H5Tclose(type);
    return status;
}

void *store_read(hid_t dataset)
{
    const hid_t space = H5Dget_space(dataset);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    void *room = calloc((size_t)count + 1, 8);

    H5Sclose(space);
    if (transfer(dataset, room, NULL) < 0) {
        free(room);
        return NULL;
    }
    return room;
}

void store_write(hid_t dataset, const void *memory)
{
    transfer(dataset, NULL, memory);
}

double store_first(hid_t dataset)
{
    const hid_t space = H5Dget_space(dataset);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    double *values = calloc((size_t)count, sizeof *values);
    double first;

    H5Sclose(space);
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    first = values[0];
    free(values);
    return first;
}

int store_references(hid_t dataset)
{
    return H5Iis_valid(dataset) > 0 ? H5Iget_ref(dataset) : 0;
}

hid_t store_opened(hid_t identifier)
{
    identifiers += identifier >= 0;
    return identifier;
}

void store_closed(hid_t identifier)
{
    identifiers--;
    H5Idec_ref(identifier);
}

int store_open(void)
{
    return identifiers;
}
