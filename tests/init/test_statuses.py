"""The rules of `init` for functions that report a failure by an enum, an integer type, or a struct with a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from init.conftest import compile_generated, described
from support.build import build_extension, import_extension

STRUCT = """\
enum lib_code { lib_code_Ok = 0, lib_code_Bad = 1 };
struct lib_error { enum lib_code code; int detail; const char *message; };
typedef struct lib_thing lib_thing;
struct lib_error lib_check(int n);
struct lib_error lib_thing_open(double n, lib_thing **out);
void lib_thing_free(lib_thing *thing);
"""
SOURCE = """\
#include "lib.h"
#include <stdlib.h>
struct lib_thing { int n; };
struct lib_error lib_check(int n)
{
    return n ? (struct lib_error){lib_code_Bad, n, "n is not 0"} : (struct lib_error){lib_code_Ok, 0, NULL};
}
struct lib_error lib_thing_open(double n, lib_thing **out)
{
    *out = n > 0 ? NULL : malloc(sizeof **out);
    return lib_check(n > 0);
}
void lib_thing_free(lib_thing *thing)
{
    free(thing);
}
"""


def compiled(folder: Path, header: str) -> str:
    """Returns the spec of a header with the suggestions as answers. Its C compiles."""
    spec = described(folder, "lib.h", header, "--accept")
    compile_generated(spec, folder, [f"-I{folder}"])
    return spec


def test_a_struct_with_a_code_and_a_message_raises(tmp_path: Path) -> None:
    """Python gets no struct, but an exception with the message."""
    spec = compiled(tmp_path, STRUCT)
    rule = '  - {result: struct lib_error, ok: "%.code == lib_code_Ok", error: result.message}\n'
    assert "failures:\n  # guess: `code` is a status, and lib_code_Ok stands for success, by the names\n" + rule in spec
    assert "  Error:" not in spec
    (tmp_path / "lib.c").write_text(SOURCE)
    path = build_extension("lib", spec, tmp_path, sources=[tmp_path / "lib.c"], flags=[f"-I{tmp_path}"])
    lib = import_extension("lib", path)
    assert lib.check(0) is None
    assert type(lib.thing_open(0)) is lib.Thing
    for call in (lib.check, lib.thing_open):
        with pytest.raises(RuntimeError, match="n is not 0"):
            call(1)


@pytest.mark.parametrize(
    ("header", "rule"),
    [
        (
            "#define LIB_OK 0\ntypedef struct { int status; char msg[64]; } lib_result;\nlib_result lib_run(int n);\n",
            '  - {result: lib_result, ok: "%.status == LIB_OK", error: result.msg}\n',
        ),
        (
            "typedef struct { int errorcode; const char *text; } lib_result;\nlib_result lib_run(int n);\n",
            '  - {result: lib_result, ok: "%.errorcode == 0", error: result.text}\n',
        ),
    ],
)
def test_other_structs_with_a_code_get_a_rule(tmp_path: Path, header: str, rule: str) -> None:
    assert rule in compiled(tmp_path, header)


@pytest.mark.parametrize(
    "members",
    [
        "int code, status; const char *message;",
        "int code; const char *name;",
        "double code; const char *message;",
        "int code; const char *message; double value;",
        "enum { lib_red, lib_green } code; const char *message;",
    ],
)
def test_structs_of_other_members_than_status_and_message_are_not_statuses(tmp_path: Path, members: str) -> None:
    spec = compiled(tmp_path, f"typedef struct {{ {members} }} lib_result;\nlib_result lib_run(int n);\n")
    assert "failures:" not in spec
    assert "    type: lib_result\n" in spec


def test_an_integer_type_named_like_a_status_is_a_status(tmp_path: Path) -> None:
    spec = compiled(
        tmp_path,
        "#define LIB_SUCCESS 0\n#define LIB_FULL 1\ntypedef int lib_status;\ntypedef int lib_size;\n"
        "lib_status lib_run(int n);\nlib_size lib_sum(int n);\nint lib_is(int n);\n",
    )
    assert spec.count("ok: ") == 1
    assert (
        "    c: lib_status lib_run(int n)\n    ok: == LIB_SUCCESS  # guess: the result is a status, by the name of its "
        "type\n" in spec
    )


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ("LIB_NONE, LIB_BOTH", False),
        ("LIB_ERROR_NONE, LIB_ERROR_MEMORY", True),
        ("LIB_NO_ERROR, LIB_BAD", True),
        ("LIB_OK, LIB_BAD", True),
        ("LIB_ERROR, LIB_OK, LIB_FULL", True),
        ("LIB_RED, LIB_OK, LIB_BLUE", False),
    ],
)
def test_none_is_a_success_only_among_failures(tmp_path: Path, values: str, found: bool) -> None:
    """Enums about other things have a NONE, too, such as `FLIP_NONE`. This constant does not mean success."""
    spec = compiled(tmp_path, f"typedef enum {{ {values} }} lib_kind;\nlib_kind lib_run(int n);\n")
    assert ("ok: == LIB" in spec) == found


def test_the_constant_for_success_is_named(tmp_path: Path) -> None:
    header = "#define LIB_OK 0\ntypedef struct lib_a lib_a;\nvoid lib_a_free(lib_a *a);\nint lib_a_run(lib_a *a);\n"
    assert "# Functions that return a status: add `ok: == LIB_OK` to raise" in compiled(tmp_path, header)


def test_a_function_is_added_to_a_spec_with_the_rule(tmp_path: Path) -> None:
    (tmp_path / "lib.h").write_text(f"{STRUCT}struct lib_error lib_start(void);\n")
    first = "functions: {start: {c: struct lib_error lib_start(void), returns: None}}\n"
    rule = 'failures: [{result: struct lib_error, ok: "%.code == lib_code_Ok", error: result.message}]\n'
    for folder, rules in (("with", rule), ("without", "")):
        (tmp_path / folder).mkdir()
        spec = tmp_path / folder / "spec.yaml"
        spec.write_text(f"module: lib\ninclude: [lib.h]\n{first}{rules}")
        assert main(["init", "--function", "lib_check", str(spec), "--", f"-I{tmp_path}"]) == 0
        is_comment = "# open: the result is a struct lib_error" in spec.read_text()
        assert is_comment == (folder == "without")
