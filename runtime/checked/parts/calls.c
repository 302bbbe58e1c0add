/* SPDX-License-Identifier: MIT-0 */
/* The calls that run, and the end of the process. */

#include "layer.h"

#include <signal.h>
#include <string.h>

/* ---- The lock ---- */

static pthread_mutex_t layer_lock = PTHREAD_MUTEX_INITIALIZER;

static void enter_layer(void)
{
    if (this_thread.depth++ == 0) {
        (void)pthread_mutex_lock(&layer_lock);
    }
}

static void leave_layer(void)
{
    if (--this_thread.depth == 0) {
        (void)pthread_mutex_unlock(&layer_lock);
    }
}

/* ---- Memory of the layer ---- */

static void *new_node(size_t size)
{
    enum { CHUNK = 1 << 20 };
    static char *chunk;
    static size_t left;
    void *node;

    size = (size + 15) / 16 * 16;
    if (left < size) {
        chunk = dlb_memory_table(CHUNK);
        left = chunk != NULL ? CHUNK : 0;
    }
    if (left < size) {
        return NULL;
    }
    node = chunk;
    chunk += size;
    left -= size;
    return node;
}

/* ---- Calls ---- */

/* The number of calls with operands on all threads, and the wrapper that has begun last. */
static int64_t running;
static const char *newest_wrapper = "";

/* Removes the newest call of this thread. */
static void pop_call(void)
{
    thread_state *const here = &this_thread;
    call *const ended = &here->calls[--here->count];

    (void)dlb_memory_enter(here->count > 0 ? here->calls[here->count - 1].wrapper : NULL);
    if (ended->has_operands || ended->shadows != NULL) {
        drop_shadows(ended);
    }
    if (ended->has_operands) {
        running--;
    } else {
        count_call(ended->wrapper, ended->failed);
    }
}

/* Removes calls whose frames have ended: the stack grows downwards. */
static void pop_ended_calls(const char *frame)
{
    thread_state *const here = &this_thread;

    while (here->count > 0 && here->calls[here->count - 1].frame <= frame) {
        pop_call();
    }
}

/* Returns whether a call may have ended already: nothing but its frame tells when it does. */
static bool may_have_ended(const call *of)
{
    return !of->has_operands && of->filling == 0;
}

static call *current_call(bool outside)
{
    thread_state *const here = &this_thread;

    pop_ended_calls(__builtin_frame_address(0));
    while (outside && here->count > 0 && may_have_ended(&here->calls[here->count - 1])) {
        pop_call();
    }
    return here->count > 0 ? &here->calls[here->count - 1] : NULL;
}

static const char *current_wrapper(bool outside)
{
    const call *const current = current_call(outside);

    return current != NULL ? current->wrapper : "";
}

static call *call_of(const dlb_py_operand *operand)
{
    thread_state *const here = &this_thread;

    for (int i = here->count - 1; i >= 0; i--) {
        const dlb_py_function *const function = here->calls[i].function;

        if (function != NULL && operand >= function->operands && operand < function->operands + function->operand_count) {
            return &here->calls[i];
        }
    }
    return NULL;
}

static bool others_run(void)
{
    int own = 0;

    for (int i = 0; i < this_thread.count; i++) {
        own += this_thread.calls[i].has_operands;
    }
    return running > own;
}

/* Begins a call that no other one of this thread precedes at its place of the stack. */
static void push_call(const dlb_py_function *function, const char *wrapper, const char *frame)
{
    thread_state *const here = &this_thread;

    if (here->count > 0 && here->calls[here->count - 1].function == NULL && here->calls[here->count - 1].frame == frame) {
        here->count--; /* the call has begun with dlb_checked_begin() */
    }
    pop_ended_calls(frame);
    while (here->count > 0 && may_have_ended(&here->calls[here->count - 1])) { /* or it converts a number: then it begins again */
        pop_call();
    }
    if (here->count < MOST_CALLS) {
        here->calls[here->count++] = (call){.function = function, .wrapper = wrapper, .frame = frame};
    }
    newest_wrapper = wrapper;
    (void)dlb_memory_enter(wrapper);
}

void dlb_checked_begin(const char *wrapper, const void *frame)
{
    enter_layer();
    pop_ended_calls(frame);
    push_call(NULL, wrapper, frame);
    leave_layer();
}

void dlb_checked_enter(const dlb_py_function *function, const char *wrapper, const void *frame)
{
    enter_layer();
    push_call(function, wrapper, frame);
    leave_layer();
}

void dlb_checked_take(const dlb_py_function *function, const char *wrapper, const void *frame)
{
    thread_state *const here = &this_thread;
    call *newest;

    enter_layer();
    newest = here->count > 0 ? &here->calls[here->count - 1] : NULL;
    if (newest == NULL || newest->frame != frame || newest->function != function || newest->has_operands) {
        push_call(function, wrapper, frame);
        newest = here->count > 0 ? &here->calls[here->count - 1] : NULL;
    }
    if (newest != NULL && newest->function == function && !newest->has_operands) {
        newest->has_operands = true;
        running++;
    }
    leave_layer();
}

/* Removes the call of the function and those that it has called. */
static void end_call(const dlb_py_function *function)
{
    thread_state *const here = &this_thread;
    int found = here->count - 1;

    while (found >= 0 && here->calls[found].function != function) {
        found--;
    }
    while (found >= 0 && here->count > found) {
        pop_call();
    }
}

int dlb_checked_taken(const dlb_py_function *function, int result)
{
    const call *current;

    enter_layer();
    current = current_call(false);
    if (result != 0) {
        if (current != NULL) {
            count_call(current->wrapper, true);
        }
        end_call(function);
    }
    leave_layer();
    return result;
}

void *dlb_checked_leave(const dlb_py_function *function, void *answer)
{
    thread_state *const here = &this_thread;
    int found = here->count - 1;

    enter_layer();
    dlb_memory_collect();
    while (found >= 0 && here->calls[found].function != function) {
        found--;
    }
    if (found >= 0) {
        const char *const wrapper = here->calls[found].wrapper;

        count_call(wrapper, answer == NULL);
        judge_passed(&here->calls[found], answer == NULL);
        end_call(function);
        check_living(wrapper, NULL);
    }
    leave_layer();
    return answer;
}

void dlb_checked_failed(const dlb_py_function *function)
{
    thread_state *const here = &this_thread;

    for (int i = here->count - 1; i >= 0; i--) {
        if (here->calls[i].function == function) {
            here->calls[i].failed = true;
            return;
        }
    }
}

/* ---- The end of the process ---- */

static int is_ending; /* a finding has told already why the process ends */

/* Returns the wrapper that runs, perhaps on another thread, whose worker this thread is. */
static const char *running_wrapper(void)
{
    const thread_state *const here = &this_thread;

    if (here->count > 0) {
        return here->calls[here->count - 1].wrapper;
    }
    return running > 0 ? newest_wrapper : "";
}

/* Locks the tables, unless this thread has locked them, or another thread keeps them locked: it may be stopped. */
static bool lock_at_end(void)
{
    return this_thread.depth == 0 && pthread_mutex_trylock(&layer_lock) == 0;
}

/* Adds what is known of a bad access. */
static void add_access(line *to, const dlb_bad_access *access)
{
    add_string(to, "kind", access->kind);
    add_string(to, "symbol", access->symbol);
    if (access->source[0] != '\0') {
        add_string(to, "source", access->source);
    }
}

static void write_bad_access(const dlb_bad_access *access)
{
    char address[2 + 2 * sizeof(void *) + 1];
    uintptr_t rest = (uintptr_t)access->at;
    line to;

    for (int i = (int)sizeof address - 2; i >= 2; i--) {
        address[i] = "0123456789abcdef"[rest & 15];
        rest >>= 4;
    }
    memcpy(address, "0x", 2);
    address[sizeof address - 1] = '\0';
    if (!begin_finding(&to, "bad-access", running_wrapper(), NULL, NULL)) {
        return;
    }
    add_string(&to, "in", running_wrapper());
    add_access(&to, access);
    add_string(&to, "address", address);
    add_string(&to, "variable", access->variable);
    add_number(&to, "write", access->write);
    write_line(&to);
}

/* Writes the finding about `destroy` of a temporary struct, which has freed the memory of its array. */
static bool report_destroy(const dlb_bad_access *access)
{
    line to;

    if (this_thread.destroyed == NULL || strstr(access->kind, "free") == NULL || strcmp(access->kind, "heap-use-after-free") == 0) {
        return false;
    }
    if (begin_finding(&to, "import-freed", NULL, this_thread.destroyed->name, NULL)) {
        add_string(&to, "in", running_wrapper());
        add_access(&to, access);
        write_line(&to);
    }
    return true;
}

/* Writes the finding about a signal: "SIGABRT". */
static void write_signal(const char *name, const char *symbol)
{
    line to;

    if (begin_finding(&to, "signal", running_wrapper(), NULL, NULL)) {
        add_string(&to, "in", running_wrapper());
        add_string(&to, "signal", name);
        add_string(&to, "symbol", symbol);
        write_line(&to);
    }
}

/* Reports that an element that was marked as undefined has been read: then the argument is not only an output. */
static bool report_undefined(const dlb_bad_access *access)
{
    if (strncmp(access->kind, "uninit", 6) != 0) {
        return false;
    }
    for (int i = 0; i < this_thread.count; i++) {
        this_thread.calls[i].reads_undefined = true;
    }
    return true;
}

static bool is_memcheck(void)
{
    return strcmp(dlb_memory_way(), "memcheck") == 0;
}

/* Writes that the process ends, and that a finding tells why. */
static void write_ends(void)
{
    line to;

    begin_line(&to, "ends");
    write_line(&to);
}

static void report_access(const dlb_bad_access *access)
{
    static const char *const signals[][2] = {{"FPE", "SIGFPE"}, {"ILL", "SIGILL"}, {"ABRT", "SIGABRT"}, {"TRAP", "SIGTRAP"}};
    const bool goes_on = is_memcheck();
    bool locked;

    if (!goes_on && __atomic_exchange_n(&is_ending, 1, __ATOMIC_ACQ_REL) != 0) {
        return;
    }
    locked = lock_at_end();
    this_thread.depth++;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        if (strcmp(access->kind, signals[i][0]) == 0) {
            write_signal(signals[i][1], access->symbol);
            goto done;
        }
    }
    if (this_thread.bytes != NULL && (const char *)access->at >= this_thread.bytes && (const char *)access->at < this_thread.bytes_end) {
        goto done;
    }
    if (report_undefined(access) || report_destroy(access) || report_shadow(access) || report_object(access, running_wrapper()) ||
        report_argument(access)) {
        goto done;
    }
    if (goes_on) {
        line to;

        if (begin_finding(&to, "memcheck", running_wrapper(), NULL, NULL)) {
            add_string(&to, "in", running_wrapper());
            add_access(&to, access);
            write_line(&to);
        }
    } else {
        write_bad_access(access);
    }
done:
    if (!goes_on) {
        write_ends();
        write_counts();
    }
    this_thread.depth--;
    if (locked) {
        (void)pthread_mutex_unlock(&layer_lock);
    }
}

/* ---- Signals ---- */

static const struct {
    int number;
    const char *name; /* NULL: another program ends the process, so that there is no finding */
} watched[] = {{SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"}, {SIGTERM, NULL}};

enum { WATCHED = sizeof watched / sizeof watched[0] };

static struct sigaction earlier[WATCHED];

/* Writes what is known, and lets the earlier handler act. */
static void handle_signal(int number, siginfo_t *info, void *context)
{
    (void)info;
    (void)context;
    for (int i = 0; i < WATCHED; i++) {
        if (watched[i].number != number) {
            continue;
        }
        if (__atomic_exchange_n(&is_ending, 1, __ATOMIC_ACQ_REL) == 0) {
            const bool locked = lock_at_end();

            this_thread.depth++;
            if (watched[i].name != NULL) {
                write_signal(watched[i].name, "");
                write_ends();
            }
            write_counts();
            this_thread.depth--;
            if (locked) {
                (void)pthread_mutex_unlock(&layer_lock);
            }
        }
        (void)sigaction(number, &earlier[i], NULL);
        (void)raise(number); /* blocked until this handler returns */
    }
}

static void watch_signals(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < WATCHED; i++) {
        (void)sigaction(watched[i].number, NULL, &earlier[i]);
        if (watched[i].number != SIGTERM || earlier[i].sa_handler == SIG_DFL) {
            (void)sigaction(watched[i].number, &action, NULL);
        }
    }
}

/* ---- Start and end ---- */

__attribute__((constructor)) static void start(void)
{
    open_log();
    dlb_memory_start(report_access);
    dlb_memory_watch_frees(is_of_import);
    watch_signals();
}

void dlb_checked_finish(void)
{
    enter_layer();
    dlb_memory_collect();
    judge_outputs();
    judge_classes();
    write_returned();
    write_counts();
    forget_objects();
    leave_layer();
}

__attribute__((destructor)) static void end(void)
{
    dlb_checked_finish();
    write_leaks();
}
