/* SPDX-License-Identifier: MIT */
/* Objects that live by value in their owner, with parts of them; and what the list of params says of each type. */
#include "check.h"
#include "dlb_emit.h"

static dlb_error error;

typedef struct line {
    double *data;
    int64_t count;
    int64_t filler; /* larger than a pointer */
} line;

typedef struct line_state {
    line self;
    int64_t skip;
} line_state;

static int lines_released;

static int line_describe(void *object, dlb_view *view, dlb_error *failure)
{
    const line_state *const state = object;

    view->tensor->dtype = DLB_DTYPE(kDLFloat, 64);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(state->self.count - state->skip));
    dlb_compact(view, view->tensor->ndim);
    DLB_DATA(view, state->self.data + state->skip);
    return dlb_view_finish(view, failure);
}

static void line_release(void *object)
{
    CHECK_EQUAL(((line_state *)object)->self.filler, 42);
    lines_released++;
}

#define LINE .ndim = 1, .describe = line_describe, .state = sizeof(line_state), .value = sizeof(line), .shares = "line"
static const dlb_type line_type = {.name = "states.Line", LINE, .release = line_release};
static const dlb_type tail_type = {.name = "states.Tail", LINE};

static void test_objects_can_live_by_value_in_their_owner(void)
{
    static double numbers[5];
    line_state state = {{numbers, 5, 42}, 2};
    DLManagedTensorVersioned *managed, *other;
    dlb_owner *owner, *part;
    line *object;

    CHECK(dlb_own(&line_type, &state, &owner, &error) == 0);
    memset(&state.self, 0, sizeof state.self);
    object = dlb_owner_object(owner);
    CHECK(object->data == numbers && object->count == 5);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    CHECK(managed->dl_tensor.data == numbers + 2 && managed->dl_tensor.shape[0] == 3);
    state.skip = 4;
    CHECK(dlb_own_part(owner, &tail_type, &state, &part, &error) == 0);
    CHECK(dlb_export(part, &other, &error) == 0);
    CHECK(other->dl_tensor.data == numbers + 4);
    dlb_owner_drop(owner);
    managed->deleter(managed);
    dlb_owner_drop(part);
    CHECK_EQUAL(lines_released, 0);
    other->deleter(other);
    CHECK_EQUAL(lines_released, 1);
}

static void test_the_list_of_params_has_their_types(void)
{
    typedef struct many {
        void *self;
        int8_t small;
        unsigned long big;
        float number;
        long double large;
        _Bool flag;
        const char *text;
        line other;
    } many;
    static const dlb_param params[] = {DLB_PARAM(many, small, 1), DLB_PARAM(many, big, 0),  DLB_PARAM(many, number, 0),
                                       DLB_PARAM(many, large, 0), DLB_PARAM(many, flag, 0), DLB_PARAM(many, text, 0),
                                       DLB_PARAM(many, other, 0)};
    static const dlb_ctype_class classes[] = {DLB_SIGNED,  DLB_UNSIGNED, DLB_FLOATING, DLB_FLOATING,
                                              DLB_BOOLEAN, DLB_STRING,   DLB_OTHER};

    for (int i = 0; i < 7; i++) {
        CHECK_EQUAL(params[i].ctype_class, classes[i]);
        CHECK_EQUAL(params[i].required, i == 0);
    }
    CHECK(strcmp(params[1].name, "big") == 0);
    CHECK_EQUAL(params[1].offset, offsetof(many, big));
    CHECK_EQUAL(params[1].size, sizeof(unsigned long));
}

/* A view of the caller's copy would end with it; an owner keeps one. */
static void test_elements_in_a_struct_by_value_need_an_owner(void)
{
    line_state state = {{NULL, 1, 42}, 0};
    dlb_view view;

    state.self.data = (double *)(void *)&state.self.filler;
    CHECK_FAILS(dlb_describe(&line_type, &state, &view, &error), error, DLB_TYPE_ERROR,
                "states.Line: its elements lie in the struct, which is passed by value: view an owner");
    state.self.count = 0;
    CHECK_EQUAL(dlb_describe(&line_type, &state, &view, &error), 0);
}

int main(void)
{
    test_elements_in_a_struct_by_value_need_an_owner();
    test_objects_can_live_by_value_in_their_owner();
    test_the_list_of_params_has_their_types();
    return checks_result();
}
