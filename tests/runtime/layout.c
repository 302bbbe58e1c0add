/* SPDX-License-Identifier: MIT */
/* The layout names, each in the three orders: what they accept, what they refuse, what they never look at. */
#include "array.h"
#include "check.h"
#include "foreign.h"
#include "layouts_dlpack.h"

static dlb_error error;
static _Alignas(64) uint8_t memory[256];

enum { MOST = 3 };

typedef struct layout {
    const dlb_type *type;
    int32_t ndim;
    int64_t shape[MOST];
    int64_t strides[MOST];
    const char *missing; /* NULL: accepted */
} layout;

/* The three types that require the same, one per order. */
#define ANY_ORDER(name, ...) ROWS(name, __VA_ARGS__), COLUMNS(name, __VA_ARGS__)
/* The innermost axis is the last one on DLPack's side. */
#define ROWS(name, ...) {&layouts_##name##_c_type, __VA_ARGS__}, {&layouts_##name##_r_type, __VA_ARGS__}
#define COLUMNS(name, ...) {&layouts_##name##_f_type, __VA_ARGS__}

static const layout layouts[] = {
    ROWS(compact, 2, {3, 4}, {4, 1}, NULL),
    ROWS(compact, 3, {2, 3, 4}, {12, 4, 1}, NULL),
    ROWS(compact, 2, {3, 4}, {5, 1}, "compact (row-major)"),
    ROWS(compact, 2, {3, 4}, {1, 3}, "compact (row-major)"),
    ROWS(compact, 2, {3, 4}, {-4, 1}, "compact (row-major)"),
    ROWS(compact, 2, {3, 4}, {0, 1}, "compact (row-major)"),
    ROWS(compact, 3, {2, 3, 4}, {4, 8, 1}, "compact (row-major)"),
    ROWS(compact, 1, {4}, {2}, "compact (row-major)"),
    ROWS(compact, 1, {4}, {-1}, "compact (row-major)"),
    COLUMNS(compact, 2, {3, 4}, {1, 3}, NULL),
    COLUMNS(compact, 3, {2, 3, 4}, {1, 2, 6}, NULL),
    COLUMNS(compact, 2, {3, 4}, {4, 1}, "compact (column-major)"),
    COLUMNS(compact, 2, {3, 4}, {1, 5}, "compact (column-major)"),
    COLUMNS(compact, 2, {3, 4}, {1, -3}, "compact (column-major)"),
    ANY_ORDER(compact, 0, {0}, {0}, NULL),

    ROWS(inner_compact, 2, {3, 4}, {4, 1}, NULL),
    ROWS(inner_compact, 2, {3, 4}, {7, 1}, NULL),
    ROWS(inner_compact, 2, {3, 4}, {-4, 1}, NULL),
    ROWS(inner_compact, 2, {3, 4}, {-9, 1}, NULL),
    ROWS(inner_compact, 3, {2, 3, 4}, {20, 4, 1}, NULL),
    ROWS(inner_compact, 2, {3, 4}, {3, 1}, "compact but for the outermost axis"),
    ROWS(inner_compact, 2, {3, 4}, {-3, 1}, "compact but for the outermost axis"),
    ROWS(inner_compact, 2, {3, 4}, {0, 1}, "compact but for the outermost axis"),
    ROWS(inner_compact, 2, {3, 4}, {8, 2}, "compact but for the outermost axis"),
    ROWS(inner_compact, 2, {3, 4}, {1, 3}, "compact but for the outermost axis"),
    ROWS(inner_compact, 3, {2, 3, 4}, {15, 5, 1}, "compact but for the outermost axis"),
    COLUMNS(inner_compact, 2, {3, 4}, {1, 3}, NULL),
    COLUMNS(inner_compact, 2, {3, 4}, {1, 5}, NULL),
    COLUMNS(inner_compact, 2, {3, 4}, {1, -3}, NULL),
    COLUMNS(inner_compact, 3, {2, 3, 4}, {1, 2, 9}, NULL),
    COLUMNS(inner_compact, 2, {3, 4}, {1, 2}, "compact (column-major) but for the outermost axis"),
    COLUMNS(inner_compact, 2, {3, 4}, {2, 6}, "compact (column-major) but for the outermost axis"),
    COLUMNS(inner_compact, 2, {3, 4}, {4, 1}, "compact (column-major) but for the outermost axis"),
    COLUMNS(inner_compact, 3, {2, 3, 4}, {1, 3, 9}, "compact (column-major) but for the outermost axis"),
    ANY_ORDER(inner_compact, 1, {4}, {3}, NULL), /* the only axis is the outermost one */
    ANY_ORDER(inner_compact, 1, {4}, {-1}, NULL),
    ROWS(inner_compact, 1, {4}, {0}, "compact but for the outermost axis"),
    COLUMNS(inner_compact, 1, {4}, {0}, "compact (column-major) but for the outermost axis"),
    ANY_ORDER(inner_compact, 0, {0}, {0}, NULL),

    ANY_ORDER(no_overlap, 2, {3, 4}, {4, 1}, NULL),
    ANY_ORDER(no_overlap, 2, {3, 4}, {1, 3}, NULL),
    ANY_ORDER(no_overlap, 2, {3, 4}, {-8, -2}, NULL),
    ANY_ORDER(no_overlap, 2, {2, 4}, {1, 2}, NULL), /* one between the other's */
    ANY_ORDER(no_overlap, 3, {2, 3, 4}, {4, 8, 1}, NULL),
    ANY_ORDER(no_overlap, 0, {0}, {0}, NULL),
    ANY_ORDER(no_overlap, 2, {3, 4}, {3, 1}, "without overlap"),
    ANY_ORDER(no_overlap, 2, {3, 4}, {-3, 1}, "without overlap"),
    ANY_ORDER(no_overlap, 2, {3, 4}, {0, 1}, "without overlap"),
    ANY_ORDER(no_overlap, 2, {3, 4}, {1, 1}, "without overlap"),
    ANY_ORDER(no_overlap, 2, {3, 4}, {1, -1}, "without overlap"),
    ANY_ORDER(no_overlap, 2, {3, 4}, {1, 2}, "without overlap"),
    ANY_ORDER(no_overlap, 3, {2, 3, 4}, {11, 4, 1}, "without overlap"),

    ANY_ORDER(nonnegative_strides, 2, {3, 4}, {4, 1}, NULL),
    ANY_ORDER(nonnegative_strides, 2, {3, 4}, {0, 0}, NULL),
    ANY_ORDER(nonnegative_strides, 2, {3, 4}, {-4, 1}, "without negative strides"),
    ANY_ORDER(nonnegative_strides, 2, {3, 4}, {4, -1}, "without negative strides"),

    ANY_ORDER(writable, 2, {3, 4}, {-4, 1}, NULL),
    ANY_ORDER(writable, 2, {3, 4}, {1, 3}, NULL),
    ANY_ORDER(writable, 2, {3, 4}, {0, 1}, "without overlap"),
    ANY_ORDER(writable, 2, {3, 4}, {3, 1}, "without overlap"),

    ANY_ORDER(anything, 2, {3, 4}, {0, -1}, NULL),
    ANY_ORDER(align, 2, {3, 4}, {0, -1}, NULL),
};

static const DLDataType uint8 = {kDLUInt, 8, 1};

static int is_reversed(const dlb_type *type)
{
    return strcmp(type->name + strlen(type->name) - 1, "R") == 0;
}

/* Imports and lets go again; what the library saw must be `seen`, in the order of the struct. */
static void check_accepted(const layout *tried, foreign *source, const int64_t *seen)
{
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;
    array *object;

    memset(&error, 0, sizeof error);
    if (dlb_import(tried->type, &source->versioned, &owner, &error) != 0) {
        printf("%s\n", error.message);
        CHECK(!"accepted");
        return;
    }
    object = dlb_owner_object(owner);
    for (int axis = 0; axis < tried->ndim; axis++) {
        const int own = is_reversed(tried->type) ? tried->ndim - 1 - axis : axis;

        CHECK_EQUAL(object->shape[own], tried->shape[axis]);
        CHECK_EQUAL(object->strides[own], seen[axis]);
    }
    CHECK(dlb_export(owner, &managed, &error) == 0);
    for (int axis = 0; axis < tried->ndim; axis++) {
        CHECK_EQUAL(managed->dl_tensor.shape[axis], tried->shape[axis]);
    }
    managed->deleter(managed);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source->deleted, 1);
}

static void check_refused(const dlb_type *type, foreign *source, const char *message)
{
    dlb_owner *owner = NULL;

    CHECK_FAILS(dlb_import(type, &source->versioned, &owner, &error), error, DLB_BUFFER_ERROR, message);
    CHECK(dlb_import(type, &source->versioned, &owner, NULL) == -1);
    CHECK(owner == NULL);
    CHECK_EQUAL(source->deleted, 0);
}

static void test_every_layout_name_accepts_and_refuses_its_layouts(void)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const layout *const tried = &layouts[i];
        const int failed = checks_failed;
        foreign source;

        foreign_array(&source, memory, uint8, tried->ndim, tried->shape, tried->strides);
        if (tried->missing == NULL) {
            check_accepted(tried, &source, tried->strides);
        } else {
            char message[200], strides[80];
            int used = 0;

            for (int axis = 0; axis < tried->ndim; axis++) {
                used += snprintf(strides + used, sizeof strides - (size_t)used, axis == 0 ? "%" PRId64 : ", %" PRId64,
                                 tried->strides[axis]);
            }
            (void)snprintf(message, sizeof message, "%s: the array must be %s; it has strides (%s)", tried->type->name,
                           tried->missing, strides);
            check_refused(tried->type, &source, message);
        }
        if (failed != checks_failed) {
            printf("  (layout number %zu, of %s)\n", i, tried->type->name);
        }
    }
}

#define ALL_TYPES_OF_ORDER(order)                                                                                      \
    {                                                                                                                  \
        &layouts_compact_##order##_type, &layouts_inner_compact_##order##_type, &layouts_no_overlap_##order##_type,    \
            &layouts_nonnegative_strides_##order##_type, &layouts_writable_##order##_type,                             \
            &layouts_align_##order##_type, &layouts_anything_##order##_type                                            \
    }
enum { TYPES = 7 };

static const int64_t nonsense[] = {0, -1, 2, -7, INT64_MAX, INT64_MIN};
enum { NONSENSE = sizeof nonsense / sizeof nonsense[0] };

/* Nobody steps along an axis of extent 1: every layout takes it, and the library sees the stride that a compact array
 * would have there. `seen` without the nonsense is what comes in. */
static void try_single_axes(const dlb_type *const types[TYPES], int32_t ndim, const int64_t *shape, const int64_t *seen)
{
    for (int t = 0; t < TYPES; t++) {
        for (int n = 0; n < NONSENSE; n++) {
            layout tried = {.type = types[t], .ndim = ndim};
            foreign source;

            for (int axis = 0; axis < ndim; axis++) {
                tried.shape[axis] = shape[axis];
                tried.strides[axis] = shape[axis] == 1 ? nonsense[n] : seen[axis];
            }
            foreign_array(&source, memory, uint8, ndim, tried.shape, tried.strides);
            check_accepted(&tried, &source, seen);
        }
    }
}

/* Empty arrays: no stride matters, and the library sees those of a compact array. */
static void try_empty(const dlb_type *const types[TYPES], const int64_t *shape, const int64_t *seen)
{
    for (int t = 0; t < TYPES; t++) {
        for (int n = 0; n < NONSENSE; n++) {
            layout tried = {types[t], 2, {shape[0], shape[1]}, {nonsense[n], nonsense[NONSENSE - 1 - n]}, NULL};
            foreign source;

            foreign_array(&source, n % 2 == 0 ? NULL : memory + 1, uint8, 2, tried.shape, tried.strides);
            check_accepted(&tried, &source, seen);
        }
    }
}

static void test_strides_of_single_elements_do_not_matter(void)
{
    static const dlb_type *const rows[] = ALL_TYPES_OF_ORDER(c);
    static const dlb_type *const reversed[] = ALL_TYPES_OF_ORDER(r);
    static const dlb_type *const columns[] = ALL_TYPES_OF_ORDER(f);
    static const struct {
        int32_t ndim;
        int64_t shape[MOST], by_rows[MOST], by_columns[MOST];
    } cases[] = {
        {3, {1, 3, 4}, {12, 4, 1}, {1, 1, 3}},
        {3, {3, 1, 4}, {4, 4, 1}, {1, 3, 3}},
        {3, {3, 4, 1}, {4, 1, 1}, {1, 3, 12}},
        {3, {1, 1, 4}, {4, 4, 1}, {1, 1, 1}},
        {2, {1, 1}, {1, 1}, {1, 1}},
        {1, {1}, {1}, {1}},
    };
    static const int64_t empties[][2] = {{0, 4}, {3, 0}, {0, 0}};
    static const int64_t by_rows[][2] = {{4, 1}, {1, 1}, {1, 1}};
    static const int64_t by_columns[][2] = {{1, 1}, {1, 3}, {1, 1}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        try_single_axes(rows, cases[i].ndim, cases[i].shape, cases[i].by_rows);
        try_single_axes(reversed, cases[i].ndim, cases[i].shape, cases[i].by_rows);
        try_single_axes(columns, cases[i].ndim, cases[i].shape, cases[i].by_columns);
    }
    for (int i = 0; i < 3; i++) {
        try_empty(rows, empties[i], by_rows[i]);
        try_empty(reversed, empties[i], by_rows[i]);
        try_empty(columns, empties[i], by_columns[i]);
    }
}

static void test_the_alignment_is_checked_with_the_offset(void)
{
    static const int64_t shape[] = {2}, strides[] = {1};
    foreign source;

    foreign_array(&source, memory + 1, uint8, 1, shape, strides);
    check_refused(&layouts_align_c_type, &source, "layouts.AlignC: the data must be aligned to 64 bytes");
    foreign_array(&source, memory, uint8, 1, shape, strides)->dl_tensor.byte_offset = 32;
    check_refused(&layouts_align_f_type, &source, "layouts.AlignF: the data must be aligned to 64 bytes");
    source.versioned.dl_tensor.byte_offset = 64;
    check_accepted(&(layout){&layouts_align_c_type, 1, {2}, {1}, NULL}, &source, strides);
}

static void test_read_only_arrays_are_refused_where_writable_ones_are_required(void)
{
    static const int64_t shape[] = {2}, strides[] = {1};
    foreign source;

    foreign_array(&source, memory, uint8, 1, shape, strides)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    check_refused(&layouts_writable_r_type, &source, "layouts.WritableR: the array is read-only, and must be writable");
    check_accepted(&(layout){&layouts_compact_c_type, 1, {2}, {1}, NULL}, &source, strides);
}

/* A list of strides that is longer than its place in the message is cut, and closed. */
static void test_a_long_list_of_strides_is_cut_in_the_message(void)
{
    const int64_t far = INT64_C(1000000000000000000);
    int64_t shape[8], strides[8];
    dlb_owner *owner = NULL;
    foreign source;

    for (int axis = 0; axis < 8; axis++) {
        shape[axis] = 2;
        strides[axis] = far + axis;
    }
    foreign_array(&source, memory, uint8, 8, shape, strides);
    CHECK_FAILS(dlb_import(&layouts_compact_c_type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "layouts.CompactC: the array must be compact (row-major); it has strides (1000000000000000000, "
                "1000000000000000001, 1000000000000000002)");
}

int main(void)
{
    foreign_living = &arrays_living;
    test_every_layout_name_accepts_and_refuses_its_layouts();
    test_strides_of_single_elements_do_not_matter();
    test_the_alignment_is_checked_with_the_offset();
    test_read_only_arrays_are_refused_where_writable_ones_are_required();
    test_a_long_list_of_strides_is_cut_in_the_message();
    CHECK_EQUAL(arrays_living, 0);
    return checks_result();
}
