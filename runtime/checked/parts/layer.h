/* SPDX-License-Identifier: MIT-0 */
/* What the parts of checked.c share. */
#ifndef DLB_CHECKED_LAYER_H_
#define DLB_CHECKED_LAYER_H_

#include "../../call/call.h"

#include "../checked.h"
#include "../memory.h"

#include <pthread.h>

/* ---- The log (events.c) ---- */

/* A line of the log that is being written. A line that is too long loses its last members. */
typedef struct line {
    size_t length;
    char text[3000];
} line;

/* Opens the log that DLB_CHECKED_LOG names. */
static void open_log(void);
/* Begins a line, adds a member, and writes the line. They call no allocator, so that signal handlers can use them. */
static void begin_line(line *to, const char *event);
static void add_string(line *to, const char *name, const char *value);
static void add_number(line *to, const char *name, int64_t value);
static void add_shape(line *to, const char *name, int ndim, const int64_t *shape);
static void add_pair(line *to, const char *name, const char *function, const char *argument);
static void write_line(line *to);
/* Begins the line of a finding, with these members; NULL leaves a member out. Returns false for a finding that was written before: it is
 * only counted. */
static bool begin_finding(line *to, const char *check, const char *function, const char *class, const char *argument);
/* Counts a confirmed claim. */
static void confirm(const char *check, const char *subject, const char *argument);
/* Counts a call. */
static void count_call(const char *wrapper, bool failed);
/* Writes the counts that are new since the last time. */
static void write_counts(void);

/* ---- Leaks (leaks.c) ---- */

/* Writes the blocks that the library allocated in wrappers, and that nothing refers to any more. Called once, at the end. */
static void write_leaks(void);

/* ---- Calls (calls.c) ---- */

struct shadow;

/* An object that a call got as `self` or as another argument. */
typedef struct passed_object {
    const dlb_owner *owner;
    const char *argument;
} passed_object;

enum { MOST_PASSED = 8 };

typedef struct call {
    const dlb_py_function *function;
    const char *wrapper; /* the name of the generated function */
    const char *frame;   /* the address of its stack frame */
    bool has_operands;   /* they are taken, or are being taken: dlb_checked_leave() ends the call */
    bool failed;
    bool reads_undefined; /* memcheck: C has read an element that was marked as undefined */
    struct shadow *shadows;
    int filling; /* the number of new arrays that C has not filled yet */
    int passed_count; /* of objects */
    passed_object passed[MOST_PASSED];
} call;

enum { MOST_CALLS = 64 };

struct record;

/* The state of a thread. */
typedef struct thread_state {
    int depth; /* of nested hooks */
    int count; /* of calls */
    call calls[MOST_CALLS];
    const dlb_py_operand *imports;   /* the operand that is about to become an object */
    struct shadow *imported;         /* the shadow of its array, until its owner is made */
    const dlb_type *destroyed;       /* the class whose temporary struct is being destroyed */
    const struct record *described;  /* the object that the layer describes */
    const char *foreign;             /* the memory of the array that the newest import was made from */
    const char *bytes, *bytes_end;   /* memory that a finding has reported already */
} thread_state;

static DLB_THREAD_LOCAL thread_state this_thread;

/* Lock and unlock all tables. A thread can lock them several times. */
static void enter_layer(void);
static void leave_layer(void);
/* Returns the call that runs now on this thread, or NULL. `outside`: the caller is not part of a call without operands, which then has
 * ended. */
static call *current_call(bool outside);
/* Returns the name of that wrapper, or "". */
static const char *current_wrapper(bool outside);
/* Returns the call whose operands contain `operand`, or NULL. */
static call *call_of(const dlb_py_operand *operand);
/* Returns whether calls run on other threads. */
static bool others_run(void);

/* ---- Memory of the layer (calls.c) ---- */

/* Allocates zeroed memory that is never freed, but can be reused by the caller. Returns NULL if memory runs out. */
static void *new_node(size_t size);

/* ---- The elements of an array (elements.c) ---- */

/* An axis, from the smallest step to the largest. Steps count bytes, and are positive. */
typedef struct axis {
    int64_t extent;
    int64_t step;
} axis;

/* The bytes of an array: runs of `run` bytes. The axes are the distances of the runs. */
typedef struct elements {
    char *low;   /* the first byte */
    size_t span; /* from the first byte to the last */
    size_t run;
    size_t itemsize; /* 1 for packed elements */
    int axes;
    axis axis[DLB_MAX_NDIM];
} elements;

/* Finds the bytes of a nonempty tensor on the CPU. `steps`: the distances in bytes; NULL: those of the tensor. Returns false if there are no
 * elements, or no memory. */
static bool find_elements(const DLTensor *tensor, const int64_t *steps, elements *found);
/* Returns whether the array has no gaps. */
static bool is_compact(const elements *of);
/* Calls visit(offset, context) for the offset of each run from `low`, upwards if no runs overlap, until it returns false. At most `most`
 * runs, and then the last one. Returns whether all calls returned true. */
static bool visit_runs(const elements *of, size_t most, bool (*visit)(const elements *of, size_t offset, void *context), void *context);
/* Returns the index of the element, in row-major order, that contains the byte at this offset from `low`; -1: none does. */
static int64_t element_at(const DLTensor *tensor, const elements *of, size_t offset);

/* ---- Shadows of arguments (shadows.c) ---- */

/* Records an array that C may use after the call, or that has no shadow. */
static void note_argument(const char *function, const char *argument, const void *at, size_t size);
/* Reports an access to a freed array that was an argument, or that C frees. Returns false if the address belongs to none. */
static bool report_argument(const dlb_bad_access *access);

/* ---- Outputs (outputs.c) ---- */

/* Writes findings about outputs that need several calls. */
static void judge_outputs(void);

/* ---- The end of arguments (arguments.c) ---- */

/* Ends the shadows of a call, but those that objects have. */
static void drop_shadows(call *of);
/* Returns the shadow of the array that has just become an object of the type, or NULL. The object has it from now on. */
static struct shadow *take_imported(const dlb_type *type);
/* Returns the memory of a shadow. */
static dlb_span span_of_shadow(const struct shadow *of);
/* Ends the shadow that an object has. */
static void end_import(struct shadow *of);
/* Reports an access to a shadow. Returns false if the address belongs to none. */
static bool report_shadow(const dlb_bad_access *access);

/* ---- Owners and their objects (owners.c) ---- */

/* Finds the objects that a call got, and that were freed meanwhile, although Python still owns them. */
static void judge_passed(const call *ended, bool failed);

/* ---- Exports (exports.c) ---- */

/* Checks living exports after a call, or after the release of an object of `class`. */
static void check_living(const char *function, const char *class);

/* ---- The end of objects (releases.c) ---- */

/* Writes findings about classes that need several objects. */
static void judge_classes(void);
/* Writes how many objects functions returned a second time, and `release` did not free. */
static void write_returned(void);
/* Reports an access to an object or its memory. Returns false if the address belongs to none. */
static bool report_object(const dlb_bad_access *access, const char *in);
/* Returns whether the block has the memory of a living import. Can be called outside of hooks. */
static bool is_of_import(const void *block);
/* Forgets all addresses. */
static void forget_objects(void);

#endif
