/* SPDX-License-Identifier: MIT */
/* Fuzzes imports without Python: one tensor for one type, exported and copied again in an order that the input gives.
 */
#include "table.h"
#include "tensors.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Types ---- */

enum {
    MOST_TYPES = 1024,
    LEAK_INTERVAL = 4096 /* executions between two searches for leaks, each of which takes 50 ms */
};

static const dlb_type *types[MOST_TYPES];
static unsigned type_count;

/* Of GSL, whose own handler ends the program. */
__attribute__((weak)) void *gsl_set_error_handler_off(void);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    if (gsl_set_error_handler_off != NULL) {
        (void)gsl_set_error_handler_off();
    }
    for (const fuzz_part *part = fuzz_parts; part->module != NULL; part++) {
        for (const dlb_type *const *type = part->types; *type != NULL; type++) {
            if ((*type)->importer != NULL && type_count < MOST_TYPES) {
                types[type_count++] = *type;
            }
        }
    }
    (void)fprintf(stderr, "%u importer types\n", type_count);
    return 0;
}

/* ---- Objects ---- */

/* One imported object and its exports, which are deleted in any order. */
typedef struct subject {
    const dlb_type *type;
    fuzz_tensor *tensor;
    dlb_owner *owner; /* NULL: dropped */
    int is_readonly;
    DLManagedTensorVersioned *versioned[4];
    DLManagedTensor *legacy[4];
} subject;

static void check_error(const dlb_type *type, const dlb_error *error)
{
    if (error->status <= DLB_OK || error->status > DLB_RUNTIME_ERROR || error->message[0] == '\0' ||
        memchr(error->message, '\0', sizeof error->message) == NULL) {
        fuzz_find(type->name, "a failure without status or message");
    }
}

/* Checks an export: a view has the same memory, and both have the same elements. */
static void check_export(const subject *self, const DLTensor *shown, uint64_t flags)
{
    const int is_copy = (flags & DLPACK_FLAG_BITMASK_IS_COPIED) != 0;

    if (self->is_readonly && !is_copy && (flags & DLPACK_FLAG_BITMASK_READ_ONLY) == 0 && !self->tensor->deleted) {
        fuzz_find(self->type->name, "a view of read-only memory is writable");
    }
    if (shown->ndim > 0 && (shown->shape == NULL || shown->strides == NULL)) {
        fuzz_find(self->type->name, "an export has no shape or no strides");
    }
    if (!self->tensor->deleted) {
        fuzz_compare(self->type->name, self->tensor, shown);
    }
}

static void export_versioned(subject *self, int place, int is_copy)
{
    DLManagedTensorVersioned *managed = NULL;
    dlb_error error = {DLB_OK, 0, ""};
    const int result =
        is_copy ? dlb_export_copy(self->owner, &managed, &error) : dlb_export(self->owner, &managed, &error);

    if (result != 0) {
        check_error(self->type, &error);
        if (managed != NULL) {
            fuzz_find(self->type->name, "a failed export left a tensor");
        }
        return;
    }
    if (managed->version.major != 1 || managed->deleter == NULL) {
        fuzz_find(self->type->name, "an export has a wrong version or no deleter");
    }
    if (is_copy && (managed->flags & DLPACK_FLAG_BITMASK_IS_COPIED) == 0) {
        fuzz_find(self->type->name, "a copy does not say so");
    }
    check_export(self, &managed->dl_tensor, managed->flags);
    self->versioned[place] = managed;
}

static void export_legacy(subject *self, int place, int is_copy)
{
    DLManagedTensor *managed = NULL;
    dlb_error error = {DLB_OK, 0, ""};
    const int result = is_copy ? dlb_export_copy_legacy(self->owner, &managed, &error)
                               : dlb_export_legacy(self->owner, &managed, &error);

    if (result != 0) {
        check_error(self->type, &error);
        return;
    }
    if (self->is_readonly && !self->tensor->deleted && managed->dl_tensor.data != NULL &&
        managed->dl_tensor.data ==
            (void *)((uintptr_t)self->tensor->before.data + (uintptr_t)self->tensor->before.byte_offset)) {
        fuzz_find(self->type->name, "a legacy export shows read-only memory");
    }
    check_export(self, &managed->dl_tensor, DLPACK_FLAG_BITMASK_IS_COPIED);
    self->legacy[place] = managed;
}

static void delete_at(subject *self, int place)
{
    DLManagedTensorVersioned *const versioned = self->versioned[place];
    DLManagedTensor *const legacy = self->legacy[place];

    self->versioned[place] = NULL;
    self->legacy[place] = NULL;
    if (versioned != NULL) {
        versioned->deleter(versioned);
    }
    if (legacy != NULL) {
        legacy->deleter(legacy);
    }
}

static void look_at(subject *self)
{
    dlb_error error = {DLB_OK, 0, ""};
    DLTensor borrowed;
    dlb_view view;

    if (self->type->describe == NULL) {
        return;
    }
    if (dlb_owner_view(self->owner, &view, &error) != 0) {
        check_error(self->type, &error);
    }
    error = (dlb_error){DLB_OK, 0, ""};
    if (dlb_borrow(self->owner, &borrowed, &error) != 0) {
        check_error(self->type, &error);
    } else {
        check_export(self, &borrowed, 0);
    }
    (void)dlb_owner_sync(self->owner, 0, NULL);
    if (dlb_owner_exports(self->owner) < 0) {
        fuzz_find(self->type->name, "there are %lld exports", (long long)dlb_owner_exports(self->owner));
    }
}

/* Uses the object as the input says. Nothing is left of it afterwards. */
static void use(subject *self, fuzz_input *input)
{
    const int is_tensor = self->type->describe != NULL;

    if (is_tensor) {
        export_versioned(self, 0, 0);
    }
    for (int steps = 0; steps < 12 && input->left > 0; steps++) {
        const uint8_t step = fuzz_byte(input);
        const int place = step / 8 % 4;

        if (step % 8 < 4 && self->owner != NULL && is_tensor && self->versioned[place] == NULL &&
            self->legacy[place] == NULL) {
            (step % 2 ? export_legacy : export_versioned)(self, place, step % 4 >= 2);
        } else if (step % 8 == 4 && self->owner != NULL) {
            look_at(self);
        } else if (step % 8 == 5 && self->owner != NULL) {
            dlb_owner_keep(self->owner);
            dlb_owner_drop(self->owner);
        } else if (step == 6 && self->owner != NULL) {
            dlb_owner_drop(self->owner);
            self->owner = NULL;
        } else if (step % 8 == 7) {
            delete_at(self, place);
        }
    }
    if (self->owner != NULL && fuzz_byte(input) % 2) {
        dlb_owner_drop(self->owner);
        self->owner = NULL;
    }
    for (int place = 0; place < 4; place++) {
        delete_at(self, place);
    }
    if (self->owner != NULL) {
        dlb_owner_drop(self->owner);
    }
}

/* Of LeakSanitizer. */
int __lsan_do_recoverable_leak_check(void);

static unsigned long executions;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const unsigned number = (fuzz_byte(&input) | (unsigned)fuzz_byte(&input) << 8) % type_count;
    dlb_error error = {DLB_OK, 0, ""};
    subject self = {.type = types[number]};
    fuzz_tensor *const tensor = malloc(sizeof *tensor);
    int result;

    self.tensor = tensor;
    fuzz_tensor_begin(tensor, &input, self.type->importer->require);
    if (tensor->count == 0 && !tensor->must_refuse && fuzz_needs_elements(self.type->name)) {
        free(tensor);
        return 0;
    }
    self.is_readonly = !tensor->is_legacy && (tensor->versioned.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    result = tensor->is_legacy ? dlb_import_legacy(self.type, &tensor->legacy, &self.owner, &error)
                               : dlb_import(self.type, &tensor->versioned, &self.owner, &error);
    if (result == 0) {
        if (tensor->must_refuse) {
            fuzz_find(self.type->name, "an import accepted a tensor whose fields contradict each other");
        }
        use(&self, &input);
    } else {
        check_error(self.type, &error);
    }
    if (tensor->deleted != (result == 0)) {
        fuzz_find(self.type->name, "the deleter was called %d times after an import that %s", tensor->deleted,
                  result == 0 ? "succeeded" : "failed");
    }
    fuzz_tensor_end(tensor);
    free(tensor);
    if (++executions % LEAK_INTERVAL == 0 && __lsan_do_recoverable_leak_check() != 0) {
        fuzz_find(self.type->name, "one of the last %d inputs left memory behind, see above", LEAK_INTERVAL);
    }
    return 0;
}
