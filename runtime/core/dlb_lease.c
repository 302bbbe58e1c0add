/* SPDX-License-Identifier: MIT-0 */
/* Implements leases: memory that a library may keep until it calls back. A lease has two holders, the library and the import.
 * The import holds it until it has succeeded or failed: a callback during the import must not free memory that the caller may
 * still own. */
#include "dlb_import.h"

#include <stdlib.h>

struct dlb_lease {
    dlb_count holders;
    void (*let_go)(void *keeper); /* NULL until the import has succeeded, and for a copy */
    void *keeper;
    void *copy;
    dlb_deferred deferred;
};

dlb_lease *dlb_lease_new(const char *name, void *copy, dlb_error *error)
{
    dlb_lease *const lease = malloc(sizeof *lease);

    if (lease == NULL) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for a lease", name);
        return NULL;
    }
    dlb_count_start(&lease->holders, 2);
    lease->let_go = NULL;
    lease->keeper = NULL;
    lease->copy = copy;
    return lease;
}

/* Releases the foreign memory, or the copy, and frees the lease. */
static void finish_lease(void *what)
{
    dlb_lease *const lease = what;

    if (lease->let_go != NULL) {
        lease->let_go(lease->keeper);
    }
    free(lease->copy);
    free(lease);
}

void dlb_lease_end(void *user)
{
    dlb_lease *const lease = user;

    if (dlb_count_subtract(&lease->holders, 1) == 0) {
        dlb_destroy_or_defer(finish_lease, lease, &lease->deferred);
    }
}

void dlb_lease_grant(dlb_lease *lease, void (*let_go)(void *keeper), void *keeper)
{
    lease->let_go = let_go;
    lease->keeper = keeper;
    dlb_lease_end(lease);
}

void dlb_lease_revoke(dlb_lease *lease, bool refused)
{
    if (refused) {
        finish_lease(lease);
    } else {
        dlb_lease_end(lease);
    }
}
