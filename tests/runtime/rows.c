/* SPDX-License-Identifier: MIT */
/* Tables of pointers to rows: a view where their distance is constant, else refused or gathered into a copy. */
#include "sheet.h"

static uint16_t *row(ptrdiff_t offset)
{
    return (uint16_t *)(void *)(memory + offset);
}

static void test_rows_at_a_constant_distance_are_a_view(void)
{
    uint16_t *rows[] = {row(0), row(20), row(40)};
    sheet object = {ROWS, 3, 4, 0, 0, 0, 0, 0, rows, memory};

    check_view(&never_type, &object, 10);
    check_view(&allowed_type, &object, 10);
    rows[0] = row(40);
    rows[2] = row(0);
    object.data = memory + 40;
    check_view(&never_type, &object, -10);
    rows[1] = rows[2] = rows[0];
    check_view(&never_type, &object, 0);
    object.height = 2;
    rows[1] = row(60);
    check_view(&never_type, &object, 10);
    object.height = 1;
    check_view(&never_type, &object, 4);
}

static void test_rows_at_other_distances_are_gathered(void)
{
    uint16_t *rows[] = {row(20), row(0), row(62), row(40)};
    sheet object = {ROWS, 4, 4, 0, 0, 0, 0, 0, rows, memory + 20};

    check_gathered(&object, (const ptrdiff_t[]){20, 0, 62, 40});
    refused(&object, &never_type, "sheets.Sheet: rows[2] (self->rows): the distance of the rows is not constant");
    rows[1] = (uint16_t *)(void *)(memory + 31);
    rows[2] = row(42);
    rows[3] = (uint16_t *)(void *)(memory + 53);
    check_gathered(&object, (const ptrdiff_t[]){20, 31, 42, 53});
    refused(&object, &never_type,
            "sheets.Sheet: rows[1] (self->rows): the distance of the rows is not a multiple of the item size");
}

/* The table is of columns, each of which follows itself in memory. */
static void test_a_table_of_columns_is_gathered(void)
{
    uint16_t *rows[] = {row(20), row(0), row(62), row(40)};
    sheet object = {PLANES, 3, 4, 0, 0, 0, 0, 0, rows, memory + 20};
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;

    CHECK(dlb_own(&allowed_type, &object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    check_compact(&managed->dl_tensor, 3, 4);
    for (int64_t y = 0; y < 3; y++) {
        for (int64_t x = 0; x < 4; x++) {
            CHECK_EQUAL(((uint16_t *)managed->dl_tensor.data)[y * 4 + x], rows[x][y]);
        }
    }
    managed->deleter(managed);
    dlb_owner_drop(owner);
}

static void test_bad_tables_are_refused(void)
{
    uint16_t *rows[] = {row(20), NULL, row(62)};
    sheet object = {ROWS, 3, 4, 0, 0, 0, 0, 0, rows, memory + 20};

    refused(&object, &allowed_type, "sheets.Sheet: rows[1] (self->rows): the pointer is NULL");
    rows[0] = NULL;
    object.data = NULL;
    refused(&object, &allowed_type, "sheets.Sheet: rows[0] (self->rows): the pointer is NULL");
    rows[0] = rows[1] = row(20);
    object.data = memory;
    refused(&object, &allowed_type, "sheets.Sheet: rows[0] (self->rows): the data does not begin at the first row");
    object.rows = NULL;
    refused(&object, &allowed_type, "sheets.Sheet: rows (self->rows): the table is NULL");
}

int main(void)
{
    number_memory();
    test_rows_at_a_constant_distance_are_a_view();
    test_rows_at_other_distances_are_gathered();
    test_a_table_of_columns_is_gathered();
    test_bad_tables_are_refused();
    return checks_result();
}
