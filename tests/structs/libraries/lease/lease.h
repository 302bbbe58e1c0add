/* Every way in which a library may call back when it no longer needs memory that it was given. */
#ifndef LEASE_H
#define LEASE_H

#include <stddef.h>
#include <stdint.h>

typedef struct lease lease;

struct lease_note {
    size_t bytes;
    int kind;
};

struct lease {
    int references;
    uint8_t *data;
    size_t count;
    void *user; /* of whoever made the lease, or attached to it */
    int kind;
    union {
        void (*data_user)(void *data, void *user);
        void (*user_data)(void *user, uint8_t *data);
        void (*user)(void *user);
        void (*object)(lease *object);
        void (*object_data)(lease *object, void *data);
        void (*data_length_user)(void *data, size_t length, void *user);
        void (*user_note)(void *user, const struct lease_note *note);
        int (*answering)(void *user);
    } ended;
};

/* All fail for 13 bytes: they return NULL and have called nothing; for 14 they have given the memory back before. */
lease *lease_data_user(void *data, size_t count, void (*f)(void *data, void *user), void *user);
lease *lease_user_data(void *data, size_t count, void *user, void (*f)(void *user, uint8_t *data));
lease *lease_user(void *data, size_t count, void (*f)(void *user), void *user);
lease *lease_object(void *data, size_t count, void *user, void (*f)(lease *object));
lease *lease_object_data(void *data, size_t count, void (*f)(lease *object, void *data), void *user);
lease *lease_data_length_user(void *data, size_t count, void (*f)(void *data, size_t length, void *user), void *user);
lease *lease_user_note(void *data, size_t count, void (*f)(void *user, const struct lease_note *note), void *user);

lease *lease_plain(void *data, size_t count);
int lease_attach(lease *l, int key, void *user, void (*f)(void *user)); /* fails for 15 bytes: -1 */
void lease_detach(lease *l);
void lease_init(lease *l, void *data, size_t count, void (*f)(void *user), void *user);
void lease_fini(lease *l);

void lease_keep(lease *l);
void lease_drop(lease *l);
void lease_drop_elsewhere(lease *l); /* on another thread, which has ended when this returns */
int lease_live(void);
int lease_calls(void);
int lease_detached(void);

#endif
