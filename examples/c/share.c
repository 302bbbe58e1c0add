/* SPDX-License-Identifier: MIT */
/* A C program without Python that shares pictures through DLPack. It exports a picture of the image library to several
 * consumers, and imports a foreign array into the library.
 *
 * From the top of the checkout, after `make demo`:
 *
 *   PATH=.venv/bin:$PATH
 *   cc -o build/share examples/c/share.c examples/imaging/image.c generated/imaging/imaging_dlpack.c \
 *      -Iexamples/imaging -Igenerated/imaging $(dlpack-bindgen config --cflags) $(dlpack-bindgen config --c-sources)
 *   build/share
 */
#include "imaging_dlpack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_tensor(const char *what, const DLTensor *tensor)
{
    printf("%s:", what);
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        printf(" %" PRId64 " (step %" PRId64 ")", tensor->shape[axis], tensor->strides[axis]);
    }
    printf("\n");
}

static int failed(const char *what, const dlb_error *error)
{
    printf("%s failed: %s\n", what, error->message);
    return EXIT_FAILURE;
}

/* ---- Export: one picture, several consumers ---- */

static int share(void)
{
    image_t *image = image_create(20, 2, 3);
    DLManagedTensorVersioned *first, *second;
    DLManagedTensor *legacy;
    dlb_owner *owner;
    dlb_view view;
    dlb_error error;

    if (image == NULL) {
        return EXIT_FAILURE;
    }
    image_row(image, 1)[0] = 200;

    /* A view describes the picture. It needs no owner, and allocates nothing. */
    if (imaging_image_view(image, &view, &error) != 0) {
        image_unref(image);
        return failed("view", &error);
    }
    print_tensor("view", view.tensor);

    /* The owner adds a reference of its own. This function drops its reference in any case. */
    if (imaging_image_own(image, &owner, &error) != 0) {
        image_unref(image);
        return failed("own", &error);
    }
    image_unref(image);

    /* Each consumer gets an export of its own. Consumers from before DLPack 1.0 need the legacy struct. */
    if (dlb_export(owner, &first, &error) != 0) {
        dlb_owner_drop(owner);
        return failed("export", &error);
    }
    if (dlb_export(owner, &second, &error) != 0) {
        first->deleter(first);
        dlb_owner_drop(owner);
        return failed("export", &error);
    }
    if (dlb_export_legacy(owner, &legacy, &error) != 0) {
        second->deleter(second);
        first->deleter(first);
        dlb_owner_drop(owner);
        return failed("export", &error);
    }
    printf("%" PRId64 " exports live\n", dlb_owner_exports(owner));

    /* Each consumer deletes its export, in any order and on any thread. The last deletion frees the picture. */
    dlb_owner_drop(owner);
    first->deleter(first);
    legacy->deleter(legacy);
    printf("the last export still shows %d\n", ((const uint8_t *)second->dl_tensor.data)[second->dl_tensor.strides[0]]);
    second->deleter(second);
    return EXIT_SUCCESS;
}

/* ---- Import: foreign memory becomes a picture ---- */

/* An array of another library: two rows of four grey samples. */
typedef struct foreign {
    DLManagedTensorVersioned managed;
    int64_t shape[3];
    int64_t strides[3];
    uint8_t samples[8];
} foreign;

static void delete_foreign(DLManagedTensorVersioned *managed)
{
    printf("the foreign tensor is deleted\n");
    free(managed->manager_ctx);
}

static foreign *foreign_new(void)
{
    foreign *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return NULL;
    }
    *self = (foreign){
        .managed = {.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
                    .manager_ctx = self,
                    .deleter = delete_foreign,
                    .dl_tensor = {.data = self->samples,
                                  .device = {kDLCPU, 0},
                                  .ndim = 3,
                                  .dtype = {kDLUInt, 8, 1},
                                  .shape = self->shape,
                                  .strides = self->strides}},
        .shape = {2, 4, 1},
        .strides = {4, 1, 1},
        .samples = {1, 2, 3, 4, 5, 6, 7, 8},
    };
    return self;
}

static int borrow(void)
{
    foreign *array = foreign_new();
    image_t *image;
    dlb_owner *box;
    dlb_error error;

    if (array == NULL) {
        return EXIT_FAILURE;
    }

    /* The import refuses float16, because the image library only has uint8. The caller still owns the tensor. */
    array->managed.dl_tensor.dtype = (DLDataType){kDLFloat, 16, 1};
    if (imaging_image_from_dlpack(&array->managed, &box, &error) == 0) {
        dlb_owner_drop(box);
        return EXIT_FAILURE;
    }
    printf("refused: %s\n", error.message);
    array->managed.dl_tensor.dtype = (DLDataType){kDLUInt, 8, 1};

    /* `box` owns a new image_t, and the tensor whose memory the image uses. */
    if (imaging_image_from_dlpack(&array->managed, &box, &error) != 0) {
        array->managed.deleter(&array->managed);
        return failed("import", &error);
    }
    image = dlb_owner_object(box);
    image_row(image, 0)[0] = 9;
    printf("%d by %d, the foreign memory now begins with %d\n", image->width, image->height, array->samples[0]);
    dlb_owner_drop(box);
    return EXIT_SUCCESS;
}

int main(void)
{
    const int shared = share();

    return shared == EXIT_SUCCESS ? borrow() : shared;
}
