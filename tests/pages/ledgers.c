#include "ledgers.h"

#include <stdio.h>
#include <stdlib.h>

struct ledger_error {
    char text[40];
};

struct ledger {
    double credit;
};

const char *ledger_error_text(const ledger_error *error)
{
    return error->text;
}

void ledger_error_free(ledger_error *error)
{
    free(error);
}

ledger *ledger_new(double credit, ledger_error **error)
{
    ledger *l;
    if (credit < 0) {
        *error = malloc(sizeof **error);
        (void)snprintf((*error)->text, sizeof (*error)->text, "the credit is negative");
        return NULL;
    }
    l = malloc(sizeof *l);
    l->credit = credit;
    return l;
}

double ledger_spend(ledger *l, double amount, ledger_error **error)
{
    if (amount > l->credit) {
        *error = malloc(sizeof **error);
        (void)snprintf((*error)->text, sizeof (*error)->text, "the credit is %g", l->credit);
        return 0;
    }
    return l->credit -= amount;
}

void ledger_free(ledger *l)
{
    free(l);
}
