/* SPDX-License-Identifier: MIT */
/* Single words of a description: run-time dtypes, offsets, ranks, variables, and what is said of values with no match. */
#include "check.h"
#include "dlb_emit.h"

static dlb_error error;

typedef struct thing {
    long code;
    unsigned bits;
    long long lanes;
    int64_t offset;
    uint64_t place;
    int device;
    int rank;
    uint64_t count;
    int64_t dims[3];
    int64_t tail[1]; /* however many there are */
    int64_t *far;
    const char *format;
    void *data;
} thing;

static float memory[8];
static const thing good = {.code = kDLFloat, .bits = 32, .lanes = 1, .rank = 1, .count = 4, .data = memory};

static int describe_dtype(void *object, dlb_view *view, dlb_error *failure)
{
    const thing *const self = object;

    dlb_dtype(view, DLB_INTEGER(self->code), DLB_INTEGER(self->bits), DLB_INTEGER(self->lanes));
    view->tensor->device = self->device ? (DLDevice){kDLOpenCL, 0} : DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->count));
    dlb_compact(view, view->tensor->ndim);
    dlb_byte_offset(view, DLB_INTEGER(self->place));
    DLB_DATA(view, self->data);
    return dlb_view_finish(view, failure);
}
static const dlb_type dtype_type = {.name = "words.Thing", .ndim = 1, .describe = describe_dtype};

static int download(void *object, void *dst, int64_t nbytes, dlb_error *failure)
{
    (void)object;
    (void)failure;
    memset(dst, 0, (size_t)nbytes);
    return 0;
}
static const dlb_type far_type = {.name = "words.Thing", .ndim = 1, .describe = describe_dtype, .to_cpu = download};

static int shows(thing object, dlb_view *view)
{
    const int result = dlb_describe(&dtype_type, &object, view, &error);

    if (result != 0) {
        printf("%s\n", error.message);
    }
    return result == 0;
}

static void check_refused(thing object, const char *message)
{
    dlb_view view;

    CHECK_FAILS(dlb_describe(&dtype_type, &object, &view, &error), error, DLB_BUFFER_ERROR, message);
}

#define WITH(member, value, ...)                                                                                       \
    do {                                                                                                               \
        thing object = good;                                                                                           \
        object.member = value;                                                                                         \
        __VA_ARGS__;                                                                                                   \
    } while (0)

static void test_run_time_dtypes_are_checked(void)
{
    static const struct {
        int code, bits;
    } known[] = {{kDLInt, 64},         {kDLUInt, 4},           {kDLFloat, 16},          {kDLOpaqueHandle, 64},
                 {kDLBfloat, 16},      {kDLComplex, 128},      {kDLBool, 8},            {kDLFloat8_e5m2, 8},
                 {kDLFloat8_e3m4, 8},  {kDLFloat8_e8m0fnu, 8}, {kDLFloat6_e2m3fn, 6},   {kDLFloat4_e2m1fn, 4},
                 {18, 32}};
    dlb_view view;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        thing object = good;

        object.code = known[i].code;
        object.bits = (unsigned)known[i].bits;
        CHECK(shows(object, &view));
        CHECK(view.tensor->dtype.code == known[i].code && view.tensor->dtype.bits == known[i].bits);
        CHECK_EQUAL(view.tensor->dtype.lanes, 1);
    }
    WITH(lanes, 4, CHECK(shows(object, &view)); CHECK_EQUAL(view.tensor->dtype.lanes, 4));
    WITH(lanes, 65535, CHECK(shows(object, &view)));
    WITH(code, 19, check_refused(object, "words.Thing: dtype code (self->code) is 19: the codes of DLPack are kDLInt "
                                         "(0) to kDLBcomplex (18)"));
    WITH(code, -1, check_refused(object, "words.Thing: dtype code (self->code) is -1: the codes of DLPack are kDLInt "
                                         "(0) to kDLBcomplex (18)"));
    WITH(bits, 64, object.code = 18; check_refused(object, "words.Thing: dtype bits (self->bits) is 64: a kDLBcomplex "
                                                           "has 32 bits"));
    WITH(bits, 0, check_refused(object, "words.Thing: dtype bits (self->bits) is 0: a kDLFloat has 16, 32, 64, 80, 96 "
                                        "or 128 bits"));
    WITH(bits, 8, check_refused(object, "words.Thing: dtype bits (self->bits) is 8: a kDLFloat has 16, 32, 64, 80, 96 "
                                        "or 128 bits"));
    WITH(bits, 288, check_refused(object, "words.Thing: dtype bits (self->bits) is 288: a kDLFloat has 16, 32, 64, 80, "
                                          "96 or 128 bits")); /* 32, if it were cut */
    WITH(code, kDLBool, check_refused(object, "words.Thing: dtype bits (self->bits) is 32: a kDLBool has 8 bits"));
    WITH(code, kDLFloat8_e4m3,
         check_refused(object, "words.Thing: dtype bits (self->bits) is 32: a kDLFloat8 has 8 bits"));
    WITH(lanes, 0, check_refused(object, "words.Thing: dtype lanes (self->lanes) is 0: there are 1 to 65535 lanes"));
    WITH(lanes, 65537,
         check_refused(object, "words.Thing: dtype lanes (self->lanes) is 65537: there are 1 to 65535 lanes"));
}

static void test_offsets_are_added_to_the_address(void)
{
    DLManagedTensorVersioned *managed;
    thing object = good;
    dlb_owner *owner;
    dlb_view view;

    object.place = 8;
    CHECK(shows(object, &view));
    CHECK(view.tensor->data == memory + 2 && view.tensor->byte_offset == 0);
    object.device = 1; /* a handle is no address */
    CHECK(shows(object, &view));
    CHECK(view.tensor->data == memory && view.tensor->byte_offset == 8);
    object.count = 0;
    CHECK(shows(object, &view));
    CHECK(view.tensor->data == NULL && view.tensor->byte_offset == 0);
    object.count = 2;
    object.device = 0;
    memory[2] = 5.0F;
    CHECK(dlb_own(&dtype_type, &object, &owner, &error) == 0);
    CHECK(dlb_export_copy(owner, &managed, &error) == 0);
    CHECK(((float *)managed->dl_tensor.data)[0] == 5.0F && managed->dl_tensor.byte_offset == 0);
    managed->deleter(managed);
    dlb_owner_drop(owner);
    object.device = 1;
    CHECK(dlb_own(&far_type, &object, &owner, &error) == 0);
    CHECK(dlb_export_copy(owner, &managed, &error) == 0);
    CHECK_EQUAL(managed->dl_tensor.byte_offset, 0);
    managed->deleter(managed);
    dlb_owner_drop(owner);

    WITH(place, UINT64_MAX, check_refused(object, "words.Thing: byte_offset (self->place) is 18446744073709551615: an "
                                                  "offset is 0 to 2^63 - 1"));
    WITH(data, NULL, object.place = 8;
         check_refused(object, "words.Thing: data is NULL, but the shape has 4 elements"));
}

/* ---- Ranks and variables ---- */

static int describe_rank(void *object, dlb_view *view, dlb_error *failure)
{
    const thing *const self = object;
    const int64_t *dims = self->dims;
    short count;
    double ratio;
    uint64_t wide;
    const char *text;
    _Bool some;

    DLB_LET(view, count, self->count);
    DLB_LET(view, ratio, self->count);
    DLB_LET(view, wide, self->count);
    DLB_LET(view, text, self->format);
    DLB_LET(view, some, self->count > 0);
    if (dlb_view_failed(view, failure)) {
        return -1;
    }
    CHECK(count == 4 && ratio == 4.0 && wide == 4 && some && text == self->format);
    view->tensor->dtype = DLB_DTYPE_OF(float);
    view->tensor->device = DLB_CPU;
    if (self->far != NULL) {
        dims = self->far;
        DLB_RANK_WITHIN(view, DLB_INTEGER(self->rank), self->far);
    } else if (self->device) {
        dims = self->tail;
        DLB_RANK_WITHIN(view, DLB_INTEGER(self->rank), self->tail);
    } else {
        DLB_RANK_WITHIN(view, DLB_INTEGER(self->rank), self->dims);
    }
    for (int32_t axis = 0; axis < view->tensor->ndim; axis++) {
        dlb_extent(view, axis, DLB_INTEGER(dims[axis]));
    }
    dlb_compact(view, view->tensor->ndim);
    DLB_DATA(view, self->data);
    return dlb_view_finish(view, failure);
}
static const dlb_type rank_type = {.name = "words.Thing", .ndim = -1, .describe = describe_rank};

static void test_run_time_ranks_are_checked(void)
{
    int64_t many[DLB_MAX_NDIM];
    thing object = good;
    dlb_view view;

    object.dims[0] = object.dims[1] = object.dims[2] = 2;
    object.rank = 3;
    CHECK(dlb_describe(&rank_type, &object, &view, &error) == 0);
    CHECK_EQUAL(view.tensor->ndim, 3);
    object.rank = 4;
    CHECK_FAILS(dlb_describe(&rank_type, &object, &view, &error), error, DLB_BUFFER_ERROR,
                "words.Thing: ndim (self->rank) is 4: the struct cannot hold so many axes");
    object.rank = -1;
    CHECK_FAILS(dlb_describe(&rank_type, &object, &view, &error), error, DLB_BUFFER_ERROR,
                "words.Thing: ndim (self->rank) is -1: a rank is 0 to 64");
    for (int i = 0; i < DLB_MAX_NDIM; i++) {
        many[i] = 1;
    }
    object.far = many; /* a pointer does not say how far it reaches */
    object.rank = 64;
    CHECK(dlb_describe(&rank_type, &object, &view, &error) == 0);
    object.rank = 65;
    CHECK(dlb_describe(&rank_type, &object, &view, NULL) == -1);
}

static void test_variables_must_fit_their_type(void)
{
    thing object = good;
    dlb_view view;

    object.count = 32768;
    CHECK_FAILS(dlb_describe(&rank_type, &object, &view, &error), error, DLB_BUFFER_ERROR,
                "words.Thing: count (self->count) is 32768: the value does not fit");
    object.count = UINT64_MAX; /* -1, if its sign were ignored */
    CHECK_FAILS(dlb_describe(&rank_type, &object, &view, &error), error, DLB_BUFFER_ERROR,
                "words.Thing: count (self->count) is 18446744073709551615: the value does not fit");
}

/* ---- Messages ---- */

static void test_messages_show_the_values_without_a_match(void)
{
    const dlb_integer values[] = {dlb_signed("self->format", -44), dlb_unsigned("plane", UINT64_MAX),
                                  dlb_not_integer("self->name")};
    dlb_integer many[60];
    dlb_view view;

    view.name = "words.Thing";
    view.itself = &view;
    CHECK_FAILS(dlb_view_unmatched(&view, &error, "dtype, shape", values, 3), error, DLB_BUFFER_ERROR,
                "words.Thing: no dtype, shape for these values: self->format is -44, plane is "
                "18446744073709551615, self->name");
    CHECK_FAILS(dlb_view_unmatched(&view, &error, "dtype", values, 1), error, DLB_BUFFER_ERROR,
                "words.Thing: no dtype for these values: self->format is -44");
    for (int i = 0; i < 60; i++) {
        many[i] = values[0];
    }
    CHECK(dlb_view_unmatched(&view, &error, "dtype", many, 60) == -1); /* cut, not overrun */
    CHECK(strlen(error.message) < sizeof error.message);
    memset(&error, 0, sizeof error);
    CHECK_FAILS(dlb_view_call_failed(&view, &error, "f(self)", "bad luck"), error, DLB_RUNTIME_ERROR,
                "words.Thing: f(self) failed: bad luck");
    CHECK_FAILS(dlb_view_call_failed(&view, &error, "f(self)", NULL), error, DLB_RUNTIME_ERROR,
                "words.Thing: f(self) failed");
    CHECK_FAILS(dlb_refuse(&error, "words.Thing", "no"), error, DLB_BUFFER_ERROR, "words.Thing: no");
    CHECK_FAILS(dlb_call_failed(&error, "words.Thing", "f()", "no"), error, DLB_RUNTIME_ERROR,
                "words.Thing: f() failed: no");
    CHECK(dlb_view_unmatched(&view, NULL, "dtype", values, 3) == -1);
}

int main(void)
{
    test_run_time_dtypes_are_checked();
    test_offsets_are_added_to_the_address();
    test_run_time_ranks_are_checked();
    test_variables_must_fit_their_type();
    test_messages_show_the_values_without_a_match();
    return checks_result();
}
