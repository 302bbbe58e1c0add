/* SPDX-License-Identifier: MIT */
/* Parts have the params of what they are made of, where both have one of that name and C type. */
#include "check.h"
#include "dlb_emit.h"

#include <stdlib.h>

static dlb_error error;
static int living;

typedef struct frame {
    int number;
} frame;

static frame *frame_new(void)
{
    living++;
    return calloc(1, sizeof(frame));
}

/* ---- Types as in a generated file: each has its own order of members ---- */

typedef struct scaled_state {
    frame *self;
    const char *unit;
    int plane;
    const int *scale;
    int held;
} scaled_state;

typedef struct stack_state {
    frame *self;
    const int *scale;
    long plane; /* of another type than that of `scaled_state` */
    const char *unit;
} stack_state;

static scaled_state scaled; /* as `hold` has left them last */
static stack_state stacked;

static int scaled_hold(void *object, dlb_error *failure)
{
    scaled_state *const state = object;

    (void)failure;
    state->held = state->scale != NULL ? *state->scale + state->plane : -1;
    scaled = *state;
    return 0;
}

static int stack_hold(void *object, dlb_error *failure)
{
    (void)failure;
    stacked = *(const stack_state *)object;
    return 0;
}

static void scaled_defaults(void *state)
{
    ((scaled_state *)state)->unit = "none";
}

static void stack_release(void *object)
{
    living--;
    free(((stack_state *)object)->self);
}

static const dlb_param scaled_params[] = {DLB_SHARED_PARAM(scaled_state, unit, 0, "const char *"),
                                          DLB_SHARED_PARAM(scaled_state, plane, 0, "int"),
                                          DLB_SHARED_PARAM(scaled_state, scale, 0, "const int *")};
static const dlb_param stack_params[] = {DLB_SHARED_PARAM(stack_state, scale, 1, "const int *"),
                                         DLB_SHARED_PARAM(stack_state, plane, 1, "long"),
                                         DLB_PARAM(stack_state, unit, 1)};

#define SHARED(name) .state = sizeof(name##_state), .shares = "frame", .params = name##_params, .param_count = 3, .hold = name##_hold
static const dlb_type scaled_type = {.name = "states.Scaled", SHARED(scaled), .ndim = 2, .defaults = scaled_defaults};
static const dlb_type stack_type = {.name = "states.Stack", SHARED(stack), .release = stack_release};

static const int scale = 10, other = 20;

static dlb_owner *stack_owner(void)
{
    stack_state made = {frame_new(), &scale, 7, "metres"};
    dlb_owner *owner = NULL;

    CHECK(dlb_own(&stack_type, &made, &owner, &error) == 0);
    return owner;
}

static void test_a_part_has_the_params_that_its_whole_has(void)
{
    const scaled_state given = {NULL, "given", 1, &other, 0};
    dlb_owner *const whole = stack_owner();
    dlb_owner *part;

    CHECK(dlb_own_part(whole, &scaled_type, &given, &part, &error) == 0);
    CHECK(scaled.scale == &scale && scaled.plane == 1);
    CHECK(strcmp(scaled.unit, "given") == 0);
    CHECK_EQUAL(scaled.held, 11); /* it is held after that */
    CHECK(given.scale == &other);
    dlb_owner_drop(part);

    CHECK(dlb_own_part(whole, &scaled_type, NULL, &part, &error) == 0);
    CHECK(scaled.scale == &scale && scaled.plane == 0);
    CHECK(strcmp(scaled.unit, "none") == 0);
    dlb_owner_drop(part);
    dlb_owner_drop(whole);
    CHECK_EQUAL(living, 0);
}

static void test_a_part_of_a_part_has_the_params_of_its_whole(void)
{
    const scaled_state given = {NULL, "given", 5, NULL, 0};
    const stack_state again = {NULL, &other, 8, "feet"};
    dlb_owner *const whole = stack_owner();
    dlb_owner *part, *next, *last;

    CHECK(dlb_own_part(whole, &scaled_type, &given, &part, &error) == 0);
    CHECK(dlb_own_part(part, &stack_type, &again, &next, &error) == 0);
    dlb_owner_drop(part);
    CHECK(stacked.scale == &scale && stacked.plane == 8);
    CHECK(strcmp(stacked.unit, "feet") == 0);
    CHECK(dlb_own_part(next, &scaled_type, &given, &last, &error) == 0);
    dlb_owner_drop(next);
    dlb_owner_drop(whole);
    CHECK(scaled.scale == &scale && scaled.plane == 5 && scaled.self != NULL);
    CHECK_EQUAL(living, 1);
    dlb_owner_drop(last);
    CHECK_EQUAL(living, 0);
}

int main(void)
{
    test_a_part_has_the_params_that_its_whole_has();
    test_a_part_of_a_part_has_the_params_of_its_whole();
    return checks_result();
}
