#include "lease.h"

#include <pthread.h>
#include <stdlib.h>

enum { PLAIN, DATA_USER, USER_DATA, USER, OBJECT, OBJECT_DATA, DATA_LENGTH_USER, USER_NOTE };

static int live, calls, detached;

static void end(lease *l)
{
    const struct lease_note note = {l->count, l->kind};

    calls += l->kind != PLAIN;
    switch (l->kind) {
    case DATA_USER:
        l->ended.data_user(l->data, l->user);
        break;
    case USER_DATA:
        l->ended.user_data(l->user, l->data);
        break;
    case USER:
        l->ended.user(l->user);
        break;
    case OBJECT:
        l->ended.object(l);
        break;
    case OBJECT_DATA:
        l->ended.object_data(l, l->data);
        break;
    case DATA_LENGTH_USER:
        l->ended.data_length_user(l->data, l->count, l->user);
        break;
    case USER_NOTE:
        l->ended.user_note(l->user, &note);
        break;
    default:
        break;
    }
}

/* What is filled in, on the heap; or NULL, as the header says. */
static lease *made(lease filled)
{
    lease *l;

    filled.references = 1;
    if (filled.count == 14) {
        end(&filled);
    }
    if (filled.count == 13 || filled.count == 14) {
        return NULL;
    }
    l = malloc(sizeof *l);
    *l = filled;
    live++;
    return l;
}

lease *lease_data_user(void *data, size_t count, void (*f)(void *data, void *user), void *user)
{
    return made((lease){.data = data, .count = count, .user = user, .kind = DATA_USER, .ended.data_user = f});
}

lease *lease_user_data(void *data, size_t count, void *user, void (*f)(void *user, uint8_t *data))
{
    return made((lease){.data = data, .count = count, .user = user, .kind = USER_DATA, .ended.user_data = f});
}

lease *lease_user(void *data, size_t count, void (*f)(void *user), void *user)
{
    return made((lease){.data = data, .count = count, .user = user, .kind = USER, .ended.user = f});
}

lease *lease_object(void *data, size_t count, void *user, void (*f)(lease *object))
{
    return made((lease){.data = data, .count = count, .user = user, .kind = OBJECT, .ended.object = f});
}

lease *lease_object_data(void *data, size_t count, void (*f)(lease *object, void *data), void *user)
{
    return made((lease){.data = data, .count = count, .user = user, .kind = OBJECT_DATA, .ended.object_data = f});
}

lease *lease_data_length_user(void *data, size_t count, void (*f)(void *data, size_t length, void *user), void *user)
{
    return made((lease){.data = data, .count = count, .user = user, .kind = DATA_LENGTH_USER, .ended.data_length_user = f});
}

lease *lease_user_note(void *data, size_t count, void (*f)(void *user, const struct lease_note *note), void *user)
{
    return made((lease){.data = data, .count = count, .user = user, .kind = USER_NOTE, .ended.user_note = f});
}

lease *lease_plain(void *data, size_t count)
{
    return made((lease){.data = data, .count = count, .kind = PLAIN});
}

int lease_attach(lease *l, int key, void *user, void (*f)(void *user))
{
    if (key != 42 || l->count == 15) {
        return -1;
    }
    l->user = user;
    l->kind = USER;
    l->ended.user = f;
    return 0;
}

void lease_detach(lease *l)
{
    l->data = NULL;
    detached++;
}

void lease_init(lease *l, void *data, size_t count, void (*f)(void *user), void *user)
{
    *l = (lease){.references = 1, .data = data, .count = count, .user = user, .kind = USER, .ended.user = f};
    live++;
}

void lease_fini(lease *l)
{
    end(l);
    live--;
}

void lease_keep(lease *l)
{
    l->references++;
}

void lease_drop(lease *l)
{
    if (--l->references == 0) {
        end(l);
        free(l);
        live--;
    }
}

static void *drop(void *l)
{
    lease_drop(l);
    return NULL;
}

void lease_drop_elsewhere(lease *l)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, drop, l) == 0) {
        pthread_join(thread, NULL);
    }
}

int lease_live(void)
{
    return live;
}

int lease_calls(void)
{
    return calls;
}

int lease_detached(void)
{
    return detached;
}
