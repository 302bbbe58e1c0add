/* SPDX-License-Identifier: MIT */
/* Messages: whatever a library says, an error has one line, and ends where its place ends. */
#include "check.h"
#include "core/tensor.h"

#include "dlb_emit.h"

static dlb_error error;

static void test_a_message_has_one_line(void)
{
    CHECK_FAILS(dlb_refuse(&error, "lines.Line", "out of\npaper\r\n\t"), error, DLB_BUFFER_ERROR,
                "lines.Line: out of paper");
    CHECK_FAILS(dlb_refuse(&error, "lines.Line", NULL), error, DLB_BUFFER_ERROR,
                "lines.Line: the library gives no reason");
    CHECK(dlb_refuse(NULL, "lines.Line", "no place for it") == -1);
    CHECK_FAILS(dlb_fail(&error, DLB_VALUE_ERROR, "%s", "\n\n"), error, DLB_VALUE_ERROR, "");
    CHECK_FAILS(dlb_call_failed(&error, "lines.Line", "draw(self)", NULL), error, DLB_RUNTIME_ERROR,
                "lines.Line: draw(self) failed");
    CHECK_FAILS(dlb_call_failed(&error, "lines.Line", "draw(self)", "no ink\n"), error, DLB_RUNTIME_ERROR,
                "lines.Line: draw(self) failed: no ink");
}

static void check_written(const char *text, const char *expected)
{
    CHECK(strcmp(text, expected) == 0);
}

static void test_numbers_of_every_width_are_written(void)
{
    char text[256];

    dlb_write(text, sizeof text, "%d %ld %lld %zd", INT32_MIN, -5L, (long long)INT64_MIN, (ptrdiff_t)-7);
    check_written(text, "-2147483648 -5 -9223372036854775808 -7");
    dlb_write(text, sizeof text, "%u %lu %llu %zu", UINT32_MAX, 5UL, (unsigned long long)UINT64_MAX, (size_t)7);
    check_written(text, "4294967295 5 18446744073709551615 7");
    dlb_write(text, sizeof text, "%s has %d%s", "it", 0, "");
    check_written(text, "it has 0");
}

/* The C library writes these. */
static void test_other_formats_are_left_to_the_c_library(void)
{
    const char *volatile const missing = NULL;
    char text[16];

    dlb_write(text, sizeof text, "%.3s and %x", "abcdef", 255U);
    check_written(text, "abc and ff");
    dlb_write(text, sizeof text, "100%%");
    check_written(text, "100%");
    dlb_write(text, sizeof text, "%s", missing);
    CHECK(strlen(text) < sizeof text); /* the C library says what it says of NULL */
}

static void test_long_messages_are_cut(void)
{
    char text[8];

    dlb_write(text, sizeof text, "%s", "1234567");
    check_written(text, "1234567");
    dlb_write(text, sizeof text, "%s", "12345678");
    check_written(text, "1234567");
    dlb_write(text, sizeof text, "12%d", 345678);
    check_written(text, "1234567");
}

int main(void)
{
    test_a_message_has_one_line();
    test_numbers_of_every_width_are_written();
    test_other_formats_are_left_to_the_c_library();
    test_long_messages_are_cut();
    return checks_result();
}
