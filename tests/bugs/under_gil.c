/* SPDX-License-Identifier: MIT */
/* Deleters on a foreign thread while the caller keeps the GIL: ctypes.PyDLL, through which this is called, keeps it. */
#include <dlpack/dlpack.h>
#include <pthread.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned seconds; /* until a child counts as hung */

static void *delete_here(void *tensor)
{
    ((DLManagedTensorVersioned *)tensor)->deleter(tensor);
    return NULL;
}

static void *delete_in_a_child(void *tensor)
{
    const pid_t child = fork();
    int status = -1;

    if (child == 0) {
        (void)alarm(seconds); /* a deadlock ends the child by SIGALRM */
        (void)delete_here(tensor);
        _exit(0);
    }
    (void)waitpid(child, &status, 0);
    return (void *)(intptr_t)status;
}

static int on_a_thread(void *(*run)(void *), void *tensor)
{
    pthread_t thread;
    void *result = NULL;

    if (pthread_create(&thread, NULL, run, tensor) != 0 || pthread_join(thread, &result) != 0) {
        return -1;
    }
    return (int)(intptr_t)result;
}

/* 0 once it has returned. */
int delete_on_a_thread(void *tensor);
int delete_on_a_thread(void *tensor)
{
    return on_a_thread(delete_here, tensor);
}

/* The exit status of a child, forked by the library itself: 0, or 14 (SIGALRM) if the deleter did not return. */
int delete_after_fork(void *tensor, unsigned patience);
int delete_after_fork(void *tensor, unsigned patience)
{
    seconds = patience;
    return on_a_thread(delete_in_a_child, tensor);
}
