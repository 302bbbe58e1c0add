/* SPDX-License-Identifier: MIT-0 */
/* The log: one JSON object a line, each written at once. */

#include "layer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int log_file = -1;
static pid_t log_process; /* children of fork() write nothing */

static void open_log(void)
{
    const char *const path = getenv("DLB_CHECKED_LOG");

    log_process = getpid();
    log_file = path != NULL && path[0] != '\0' ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : STDERR_FILENO;
}

/* ---- Lines ---- */

static void add_character(line *to, char c)
{
    if (to->length < sizeof to->text - 3) { /* leaves space for the end of the line */
        to->text[to->length++] = c;
    }
}

static void add_text(line *to, const char *text)
{
    for (; *text != '\0'; text++) {
        add_character(to, *text);
    }
}

static void add_quoted(line *to, const char *text)
{
    static const char digits[] = "0123456789abcdef";

    add_character(to, '"');
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\') {
            add_character(to, '\\');
            add_character(to, *text);
        } else if (c < 0x20 || c >= 0x7f) { /* bytes of other encodings are not checked */
            add_text(to, "\\u00");
            add_character(to, digits[c >> 4]);
            add_character(to, digits[c & 15]);
        } else {
            add_character(to, *text);
        }
    }
    add_character(to, '"');
}

static void add_integer(line *to, int64_t value)
{
    char digits[24];
    int count = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    if (value < 0) {
        add_character(to, '-');
    }
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    while (count > 0) {
        add_character(to, digits[--count]);
    }
}

static void add_name(line *to, const char *name)
{
    add_character(to, ',');
    add_quoted(to, name);
    add_character(to, ':');
}

static void begin_line(line *to, const char *event)
{
    to->length = 0;
    add_text(to, "{\"event\":");
    add_quoted(to, event);
}

static bool has_space(const line *to, size_t size)
{
    return to->length + size < sizeof to->text - 3;
}

static void add_string(line *to, const char *name, const char *value)
{
    if (has_space(to, strlen(name) + 6 * strlen(value) + 8)) {
        add_name(to, name);
        add_quoted(to, value);
    }
}

static void add_number(line *to, const char *name, int64_t value)
{
    if (has_space(to, strlen(name) + 32)) {
        add_name(to, name);
        add_integer(to, value);
    }
}

static void add_shape(line *to, const char *name, int ndim, const int64_t *shape)
{
    if (!has_space(to, strlen(name) + 24 * (size_t)ndim + 8)) {
        return;
    }
    add_name(to, name);
    add_character(to, '[');
    for (int i = 0; i < ndim; i++) {
        if (i > 0) {
            add_character(to, ',');
        }
        add_integer(to, shape[i]);
    }
    add_character(to, ']');
}

/* Adds the function and the argument with which an object was passed, as an object. */
static void add_pair(line *to, const char *name, const char *function, const char *argument)
{
    if (has_space(to, strlen(name) + 6 * (strlen(function) + strlen(argument)) + 48)) {
        add_name(to, name);
        add_text(to, "{\"function\":");
        add_quoted(to, function);
        add_name(to, "argument");
        add_quoted(to, argument);
        add_character(to, '}');
    }
}

static void write_line(line *to)
{
    to->text[to->length++] = '}';
    to->text[to->length++] = '\n';
    if (log_file >= 0 && getpid() == log_process) {
        const ssize_t written = write(log_file, to->text, to->length);

        (void)written; /* there is nobody to tell */
    }
}

/* ---- Findings ---- */

/* Findings with equal check, function, class and argument are one. The strings are constants of the modules. */
typedef struct finding {
    const char *check;
    const char *function;
    const char *class;
    const char *argument;
    int64_t again; /* how often it was found after the first time */
} finding;

enum { MOST_FINDINGS = 1024 };

static finding findings[MOST_FINDINGS];
static int finding_count;

static bool is_equal(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool begin_finding(line *to, const char *check, const char *function, const char *class, const char *argument)
{
    for (int i = 0; i < finding_count; i++) {
        finding *const each = &findings[i];

        if (is_equal(each->check, check) && is_equal(each->function, function) && is_equal(each->class, class) &&
            is_equal(each->argument, argument)) {
            each->again++;
            return false;
        }
    }
    if (finding_count < MOST_FINDINGS) {
        findings[finding_count++] = (finding){check, function, class, argument, 0};
    }
    begin_line(to, "finding");
    add_string(to, "check", check);
    add_number(to, "count", 1);
    if (function != NULL) {
        add_string(to, "function", function);
    }
    if (class != NULL) {
        add_string(to, "class", class);
    }
    if (argument != NULL) {
        add_string(to, "argument", argument);
    }
    return true;
}

/* ---- Counts ---- */

/* How often a claim was confirmed, since the counts were last written. The strings are constants of the modules, and are compared by their
 * addresses: two lines of the log can have equal names, and their counts are then added. */
typedef struct claim {
    const char *check; /* NULL: a free slot */
    const char *subject;
    const char *argument;
    int64_t count;
    int64_t failed; /* of calls */
} claim;

static claim *claims;
static size_t claim_count, claim_capacity;

static size_t hash_of_claim(const char *check, const char *subject, const char *argument)
{
    uint64_t hash = (uintptr_t)check * UINT64_C(0x9E3779B97F4A7C15);

    hash = (hash ^ (uintptr_t)subject) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ (uintptr_t)argument) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash ^ hash >> 32);
}

/* Returns the slot of a claim, or the free slot for it. */
static claim *slot_of_claim(const char *check, const char *subject, const char *argument)
{
    size_t at = hash_of_claim(check, subject, argument) & (claim_capacity - 1);

    while (claims[at].check != NULL &&
           (claims[at].check != check || claims[at].subject != subject || claims[at].argument != argument)) {
        at = (at + 1) & (claim_capacity - 1);
    }
    return &claims[at];
}

/* Makes space for one more claim. Returns false if memory runs out. */
static bool grow_claims(void)
{
    claim *const old = claims;
    const size_t old_capacity = claim_capacity;
    const size_t more = old_capacity > 0 ? old_capacity * 2 : 1024;
    claim *larger;

    if (claim_count * 2 < claim_capacity) {
        return true;
    }
    larger = dlb_memory_table(more * sizeof *larger);
    if (larger == NULL) {
        return false;
    }
    claims = larger;
    claim_capacity = more;
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i].check != NULL) {
            *slot_of_claim(old[i].check, old[i].subject, old[i].argument) = old[i];
        }
    }
    if (old != NULL) {
        dlb_memory_table_free(old, old_capacity * sizeof *old);
    }
    return true;
}

static claim *claim_of(const char *check, const char *subject, const char *argument)
{
    claim *found;

    if (!grow_claims()) {
        return NULL;
    }
    found = slot_of_claim(check, subject, argument);
    if (found->check == NULL) {
        *found = (claim){check, subject, argument, 0, 0};
        claim_count++;
    }
    return found;
}

static void confirm(const char *check, const char *subject, const char *argument)
{
    claim *const found = claim_of(check, subject, argument);

    if (found != NULL) {
        found->count++;
    }
}

static const char calls_of[] = "calls";

static void count_call(const char *wrapper, bool failed)
{
    claim *const found = claim_of(calls_of, wrapper, NULL);

    if (found != NULL) {
        found->count += !failed;
        found->failed += failed;
    }
}

static void write_counts(void)
{
    line to;

    for (size_t i = 0; i < claim_capacity; i++) {
        claim *const each = &claims[i];

        if (each->check == NULL || (each->count == 0 && each->failed == 0)) {
            continue;
        }
        begin_line(&to, "confirmed");
        add_string(&to, "check", each->check);
        add_string(&to, "subject", each->subject);
        if (each->argument != NULL) {
            add_string(&to, "argument", each->argument);
        }
        add_number(&to, "count", each->count);
        if (each->check == calls_of) {
            add_number(&to, "failed", each->failed);
        }
        each->count = 0;
        each->failed = 0;
        write_line(&to);
    }
    for (int i = 0; i < finding_count; i++) {
        finding *const each = &findings[i];

        if (each->again == 0) {
            continue;
        }
        begin_line(&to, "again");
        add_string(&to, "check", each->check);
        if (each->function != NULL) {
            add_string(&to, "function", each->function);
        }
        if (each->class != NULL) {
            add_string(&to, "class", each->class);
        }
        if (each->argument != NULL) {
            add_string(&to, "argument", each->argument);
        }
        add_number(&to, "count", each->again);
        each->again = 0;
        write_line(&to);
    }
}
