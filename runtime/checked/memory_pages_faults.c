/* SPDX-License-Identifier: MIT-0 */
/* Signals of bad accesses. A handler finds out what was accessed, from where, and in which function of the library; it reports that, and
 * gives the signal to the handler that the program has installed (such as Python's faulthandler) or to the default action.
 *
 * While the library is preloaded, it replaces sigaction() and signal() for these signals: handlers of the program come after its own. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* dladdr */
#endif
#include "memory_pages.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

extern int __sigaction(int number, const struct sigaction *action, struct sigaction *before);

static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static const char *const kinds[] = {"SEGV", "BUS", "FPE", "ILL", "ABRT"};
enum { SIGNALS = sizeof numbers / sizeof *numbers, MOST_FRAMES = 64, SIGNAL_STACK = 128 << 10 };

static struct sigaction handlers[SIGNALS]; /* of the program */
static void (*reporter)(const dlb_bad_access *access);
static bool watching;

/* How far a report is. Other threads that fail meanwhile wait for the end of the process. */
enum { QUIET, SEARCHING, REPORTING, DONE };
static int stage;
static pid_t failing_thread;
static dlb_bad_access pending; /* what is known before the search for the function */

static int index_of(int number)
{
    for (int i = 0; i < SIGNALS; i++) {
        if (numbers[i] == number) {
            return i;
        }
    }
    return -1;
}

static pid_t this_thread(void)
{
    return (pid_t)syscall(SYS_gettid);
}

/* ---- Functions of the library ---- */

static bool starts_with(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Returns the name of the function of the library with this code; "" if the name is unknown. dladdr() knows the sizes of functions: it
 * has no name for a static one, and the report names its caller. */
static const char *symbol_of(uintptr_t code)
{
    Dl_info info;

    if (!dlb_is_of_library(code) || dladdr((void *)code, &info) == 0 || info.dli_sname == NULL) {
        return "";
    }
    return starts_with(info.dli_sname, "dlb_") || starts_with(info.dli_sname, "PyInit_") ? "" : info.dli_sname;
}

/* Returns the innermost function of the library that runs. `code`: where the fault happened; 0: unknown. */
static const char *find_function(uintptr_t code)
{
    void *frames[MOST_FRAMES];
    const int count = backtrace(frames, MOST_FRAMES);
    const char *name = code != 0 ? symbol_of(code) : "";
    int first = 0;

    for (int i = 0; i < count && code != 0; i++) {
        if ((uintptr_t)frames[i] == code) {
            first = i + 1;
        }
    }
    for (int i = first; i < count && name[0] == '\0'; i++) {
        name = symbol_of((uintptr_t)frames[i] - 1); /* a return address can be the begin of another function */
    }
    return name;
}

/* ---- Reports ---- */

/* Lets one thread report, once. Returns false if the process must end without a (further) report. */
static bool begin_report(const dlb_bad_access *access)
{
    int quiet = QUIET;

    if (__atomic_compare_exchange_n(&stage, &quiet, SEARCHING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        failing_thread = this_thread();
        pending = *access;
        return true;
    }
    while (quiet != DONE && failing_thread != this_thread()) {
        (void)sleep(1); /* the other thread ends the process */
        quiet = __atomic_load_n(&stage, __ATOMIC_ACQUIRE);
    }
    return false;
}

static void report(const char *symbol)
{
    __atomic_store_n(&stage, REPORTING, __ATOMIC_RELEASE);
    pending.symbol = symbol;
    pending.source = "";
    if (reporter != NULL) {
        reporter(&pending);
    }
    __atomic_store_n(&stage, DONE, __ATOMIC_RELEASE);
}

static void print(const char *string)
{
    const ssize_t written = write(STDERR_FILENO, string, strlen(string));

    (void)written;
}

void dlb_pages_fail(const char *kind, const void *at, int write, uintptr_t code)
{
    const dlb_bad_access access = {kind, at, 0, write, "", "", ""};

    if (begin_report(&access)) {
        report(find_function(code));
        if (reporter == NULL) {
            print("dlb_checked_pages: ");
            print(kind);
            print("\n");
        }
    }
    abort();
}

/* The module is compiled with a guard behind the arrays on the stack (-fstack-protector), which its wrappers check before they return. */
DLB_EXPORTED void __stack_chk_fail(void);
DLB_EXPORTED void __stack_chk_fail(void)
{
    dlb_pages_fail("stack-buffer-overflow", NULL, 1, DLB_RETURN_ADDRESS - 1); /* the call is the last instruction of its function */
}

/* Returns what happened at an address, in the words of AddressSanitizer. */
static const char *kind_of(int index, uintptr_t at, uintptr_t stack)
{
    const dlb_span *span;

    if (numbers[index] != SIGSEGV && numbers[index] != SIGBUS) {
        return kinds[index];
    }
    if (dlb_arena_has((const void *)at)) {
        span = dlb_span_find(at);
        switch (span != NULL ? dlb_span_state(span) : DLB_SPAN_UNUSED) {
        case DLB_SPAN_ZONE:
        case DLB_SPAN_BLOCK:
            return "heap-buffer-overflow";
        case DLB_SPAN_FREEING:
        case DLB_SPAN_FREED:
        case DLB_SPAN_FORBIDDEN_ZONE:
            return "heap-use-after-free";
        default:
            return kinds[index];
        }
    }
    if (at + 512 > stack && at < stack + 0xffff && !dlb_page_readable(at)) {
        return "stack-overflow";
    }
    return kinds[index];
}

/* What the processor says about a fault. */
typedef struct processor_state {
    uintptr_t code, stack;
    int write;
} processor_state;

static processor_state read_processor(const ucontext_t *context)
{
    processor_state state = {0, 0, -1};

#if defined(__x86_64__)
    enum { PAGE_FAULT = 14, WRITE = 2 };

    state.code = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    state.stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
    if (context->uc_mcontext.gregs[REG_TRAPNO] == PAGE_FAULT) {
        state.write = (context->uc_mcontext.gregs[REG_ERR] & WRITE) != 0;
    }
#elif defined(__aarch64__)
    /* Records of the kernel: a magic number and the size, then the content. That of the fault has the syndrome register. */
    enum { SYNDROME = 0x45535201, WRITE = 1 << 6 };
    const unsigned char *record = (const unsigned char *)&context->uc_mcontext.__reserved;
    const unsigned char *const end = record + sizeof context->uc_mcontext.__reserved;

    state.code = (uintptr_t)context->uc_mcontext.pc;
    state.stack = (uintptr_t)context->uc_mcontext.sp;
    while (end - record >= 16) {
        uint32_t magic, size;
        uint64_t syndrome;

        memcpy(&magic, record, sizeof magic);
        memcpy(&size, record + 4, sizeof size);
        if (magic == SYNDROME) {
            memcpy(&syndrome, record + 8, sizeof syndrome);
            state.write = syndrome >> 26 == 0x24 || syndrome >> 26 == 0x25 ? (syndrome & WRITE) != 0 : -1;
        }
        if (magic == 0 || size == 0) {
            break;
        }
        record += size;
    }
#else
    (void)context;
#endif
    return state;
}

/* Ends the process by the signal: the handler of the program runs first. */
static void pass_on(int index, bool was_sent)
{
    static int passed;

    if (__atomic_fetch_add(&passed, 1, __ATOMIC_ACQ_REL) > 0) { /* the handler of the program failed, too */
        const struct sigaction standard = {.sa_handler = SIG_DFL};

        (void)__sigaction(numbers[index], &standard, NULL);
    } else {
        for (int i = 0; i < SIGNALS; i++) {
            (void)__sigaction(numbers[i], &handlers[i], NULL);
        }
    }
    if (was_sent) {
        (void)raise(numbers[index]); /* otherwise the instruction runs again, and fails again */
    }
}

static void handle(int number, siginfo_t *info, void *context)
{
    const int index = index_of(number);
    const bool was_sent = info->si_code <= 0; /* by abort(), raise() or kill() */
    const int before = errno;
    const processor_state processor = read_processor(context);
    /* The kernel has no address for a fault of another kind, such as an address that is not canonical. */
    const bool has_address = !was_sent && (number == SIGSEGV || number == SIGBUS) && info->si_code != SI_KERNEL;
    const uintptr_t at = has_address ? (uintptr_t)info->si_addr : 0;
    dlb_bad_access access = {kinds[index], (const void *)at, 0, -1, "", "", ""};

    if (has_address) {
        access.kind = kind_of(index, at, processor.stack);
        access.write = processor.write;
    } else if (number == SIGABRT && dlb_pages_freeing() != NULL) {
        access.kind = "bad-free";
        access.at = dlb_pages_freeing();
    }
    if (begin_report(&access)) {
        report(find_function(was_sent ? 0 : processor.code));
    } else if (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) == SEARCHING) {
        report(""); /* the stack cannot be read */
    }
    errno = before;
    pass_on(index, was_sent);
}

/* ---- Stacks for signals ---- */

static __thread bool prepared DLB_INITIAL_TLS;
static pthread_key_t stack_key;
static bool has_stack_key;

static void remove_stack(void *stack)
{
    const stack_t none = {.ss_flags = SS_DISABLE};

    (void)sigaltstack(&none, NULL);
    (void)munmap(stack, SIGNAL_STACK);
}

void dlb_pages_prepare_thread(void)
{
    const int before = errno;
    stack_t stack;

    if (prepared || !watching) {
        return;
    }
    prepared = true;
    if (sigaltstack(NULL, &stack) == 0 && ((stack.ss_flags & SS_DISABLE) != 0 || stack.ss_size < SIGNAL_STACK)) {
        void *const memory = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

        if (memory != MAP_FAILED) {
            stack = (stack_t){.ss_sp = memory, .ss_size = SIGNAL_STACK};
            if (sigaltstack(&stack, NULL) != 0) {
                (void)munmap(memory, SIGNAL_STACK);
            } else if (has_stack_key) {
                (void)pthread_setspecific(stack_key, memory);
            }
        }
    }
    errno = before;
}

/* ---- Handlers of the program ---- */

/* Returns whether the handler of the program for this signal is only kept. */
static bool keeps_handler(int index)
{
    return index >= 0 && watching && __atomic_load_n(&stage, __ATOMIC_ACQUIRE) == QUIET;
}

DLB_EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    const int index = index_of(number);
    struct sigaction replaced;

    if (!keeps_handler(index)) {
        return __sigaction(number, action, before);
    }
    replaced = handlers[index];
    if (action != NULL) {
        handlers[index] = *action;
    }
    if (before != NULL) {
        *before = replaced;
    }
    return 0;
}

DLB_EXPORTED void (*signal(int number, void (*handler)(int)))(int)
{
    struct sigaction action, before;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

void dlb_memory_start(void (*report_access)(const dlb_bad_access *access))
{
    struct sigaction action;
    void *frame[1];

    reporter = report_access;
    if (watching) {
        return;
    }
    (void)backtrace(frame, 1); /* loads libgcc, which a signal handler cannot do */
    has_stack_key = pthread_key_create(&stack_key, remove_stack) == 0;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) {
        (void)__sigaction(numbers[i], &action, &handlers[i]);
    }
    watching = true;
    dlb_pages_prepare_thread();
}
