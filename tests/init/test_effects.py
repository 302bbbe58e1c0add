"""The guesses and questions of `init` about functions that move memory, exchange objects, or free them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from init.conftest import compile_generated, described

ARRAY = """\
#include <stddef.h>
#include <stdio.h>
typedef struct vec { double *data; size_t length; } vec;
vec *vec_new(size_t length);
void vec_free(vec *v);
"""
SESSION = "typedef struct ses ses;\nint ses_run(ses *s);\n"


def compiled(folder: Path, name: str, header: str) -> str:
    """Returns the spec of a header, whose C compiles."""
    here = folder / name.partition(".")[0]
    here.mkdir()
    spec = described(here, name, header)
    compile_generated(spec, here, [f"-I{here}"])
    return spec


@pytest.mark.parametrize(
    "function",
    [
        "int vec_crop(vec *v, int first, int count)",
        "int vec_append_value(vec *v, double x)",
        "int vec_add(vec *v, double x)",
        "int vec_addspan(vec *v, double x)",
        "int vec_convertsamples(vec *v, char type)",
        "int vec_unpack(vec *v)",
        "int vec_set_size(vec *v, size_t length)",
        "int vec_load(vec *v, const char *path)",
        "int vec_clear(vec *v)",
        "int vec_allocate(vec *v)",
        "int vec_copy(vec *v, const vec *source)",
        "int vec_set(vec *v, const double *x, size_t n)",
        "int vec_decode(FILE *from, vec *v)",
        "vec *vec_insert(vec *v, size_t at, double x)",
    ],
)
def test_memory_may_move(tmp_path: Path, function: str) -> None:
    """Without the mark, an array that shares the memory would be left dangling."""
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}{function};\n")
    assert "v: {invalidates: true}" in spec
    assert "it may move the memory of `v`" in spec


@pytest.mark.parametrize(
    "function",
    [
        "double vec_add_up(const vec *v)",
        "void vec_set(vec *v, size_t at, double x)",
        "int vec_set_read_only(vec *v, int on)",
        "int vec_get_load(vec *v)",
        "void vec_set_address(vec *v, int at)",
        "vec *vec_convert(vec *v, int type)",
    ],
)
def test_memory_stays(tmp_path: Path, function: str) -> None:
    assert "invalidates" not in compiled(tmp_path, "vec.h", f"{ARRAY}{function};\n")


def test_memory_of_an_opaque_object_may_move(tmp_path: Path) -> None:
    """A function shows the memory of the object, which a tensor of the spec can share later."""
    opaque = "typedef struct img img;\nvoid img_free(img *i);\nint img_crop(img *i, int w);\n"
    assert "invalidates" not in compiled(tmp_path, "hidden.h", opaque)
    spec = compiled(tmp_path, "img.h", f"{opaque}unsigned char *img_plane(img *i, int channel);\n")
    assert "        args: {i: {invalidates: true}}  # guess: it may move the memory of `i`" in spec.splitlines()


def test_the_memory_of_several_objects_may_move(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}void vec_swap(vec *a, vec *b);\n")
    assert "        args: {a: {invalidates: true}, b: {invalidates: true}}" in spec
    assert "# guess: it may move the memory of `a` and `b`" in spec


def test_a_sum_stays_in_place(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}void vec_add(const vec *a, const vec *b, vec *sum);\n")
    assert "# guess: `add` is arithmetic, so the memory of `sum` stays in place" in spec
    assert "invalidates" not in spec


def test_arithmetic_moves_no_memory(tmp_path: Path) -> None:
    """`add` beside `sub` and `mul` adds numbers to the elements."""
    functions = "".join(f"int vec_{name}(vec *a, const vec *b);\n" for name in ("add", "sub", "mul"))
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}{functions}")
    assert "# guess: `add` is arithmetic, so the memory of `a` stays in place" in spec
    assert "invalidates" not in spec


def said(spec: str) -> str:
    """Returns a spec without line breaks and marks of comments."""
    return " ".join(spec.replace("#", "").split())


@pytest.mark.parametrize(
    "function",
    [
        "int vec_swap(vec **a, vec **b)",
        "int vec_both(vec **a, vec **b)",
        "int vec_resize(vec **a, int n)",
        "int vec_update(vec **a_inout, int n)",
        "/* @param[in,out] a the vector */ int vec_update(vec **a, int n)",
    ],
)
def test_the_address_of_an_object_can_be_an_input(tmp_path: Path, function: str) -> None:
    """An output would be NULL before the call, which then swaps NULL, or reads an object at NULL."""
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}{function};\n")
    assert "open: does C read `a" in said(spec)
    assert re.search(r"^ +args: .*out: true", spec, re.MULTILINE) is None


@pytest.mark.parametrize(
    "function",
    [
        "int vec_parse(vec **out_a, int n)",
        "int vec_split(const vec *v, vec **a, vec **b)",
        "int vec_make(int size, vec **a)",
    ],
)
def test_the_address_of_an_object_can_be_an_output(tmp_path: Path, function: str) -> None:
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}{function};\n")
    assert "a: {out: true}" in spec
    assert "open:" not in spec.partition("tensors:")[2]


def test_the_address_of_an_object_after_a_number_is_a_question(tmp_path: Path) -> None:
    """An array of n objects as an output would be read beyond its end."""
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}int vec_join(int n, vec **part);\n")
    assert "is `part` an array of objects? {n: {count_of: part}}; {out: true} for a new object" in said(spec)


@pytest.mark.parametrize(
    ("functions", "name"),
    [
        ("void ses_close(ses *s, int flags);", "s"),
        ("void ses_release(const ses *s, int flags);", "s"),
        ("void ses_clear(ses *s);", "s"),
        ("void ses_freeall(ses *s);", "s"),
        ("void ses_unload(ses *s, int flags);", "s"),
        ("void ses_free_string(const char *text);", "text"),
        ("void ses_free(double *numbers, int n);", "numbers"),
    ],
)
def test_a_function_that_may_free_its_argument_is_a_question(tmp_path: Path, functions: str, name: str) -> None:
    """Python would free the object a second time, or C would free memory of Python."""
    spec = compiled(tmp_path, "ses.h", f"{SESSION}{functions}\n")
    assert f"does it free `{name}`?" in said(spec)
    assert f"c: {functions[:-1]}" not in map(str.strip, spec.splitlines())


def test_a_function_that_counts_references_is_a_question(tmp_path: Path) -> None:
    """`ses_ref(s, -1)` can free the object."""
    spec = compiled(tmp_path, "ses.h", f"{SESSION}void ses_ref(ses *s, int references);\n")
    assert "does it change the number of references to `s`?" in said(spec)
    assert "c: void ses_ref(ses *s, int references)" not in map(str.strip, spec.splitlines())


def test_a_getter_frees_and_retains_nothing(tmp_path: Path) -> None:
    """`ref` can stand for `reference`, and `Free` can be the first word of the library's name."""
    functions = "int ses_get_ref_width(ses *s);\nint FreeSes_GetCount(ses *s);\nses *FreeSes_Clone(ses *s);\n"
    spec = compiled(tmp_path, "ses.h", f"{SESSION}{functions}")
    assert "retain:" not in spec
    assert "    release:" not in spec


def test_a_word_that_only_begins_like_free_is_not_a_release(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "ses.h", f"{SESSION}int ses_freeze(ses *s);\n")
    assert "      freeze:\n        c: int ses_freeze(ses *s)\n" in spec


def test_a_class_names_the_functions_that_may_free_it(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "ses.h", f"{SESSION}void ses_close(ses *s, int flags);\n")
    assert "    # open: by their names, these functions may free it: ses_close\n" in spec


def test_a_function_that_joins_the_word_and_the_class_frees_it(tmp_path: Path) -> None:
    spec = compiled(
        tmp_path,
        "lib.h",
        "typedef struct lib_group lib_group;\nint lib_run(lib_group *g);\nvoid lib_freegroup(lib_group **g);\n",
    )
    assert "    release: lib_freegroup(&self)  # guess: `lib_freegroup` frees it, by its name\n" in spec


@pytest.mark.parametrize(
    ("function", "question"),
    [
        ("vec *vec_realloc(vec *v, int n)", "does it free `v`? Then the object needs `takes: true` in `args`"),
        ("vec *vec_init(vec *v)", "is the result a new object, or `v`? For `v`, returns: {of: Vec, borrow: v}"),
    ],
)
def test_a_result_can_be_the_argument(tmp_path: Path, function: str, question: str) -> None:
    """Two objects of Python would free one object of C."""
    assert question in said(compiled(tmp_path, "vec.h", f"{ARRAY}{function};\n"))


def test_a_copy_is_not_the_argument(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}vec *vec_duplicate(vec *v);\n")
    assert "is the result a new object, or" not in said(spec)


PICTURE = "typedef struct pic { unsigned char *data; int width, height; } pic;\npic pic_load(const char *path);\n"


def test_a_function_that_takes_a_struct_frees_its_memory(tmp_path: Path) -> None:
    """Otherwise the function would be callable, and the array would be left dangling."""
    spec = compiled(tmp_path, "pic.h", f"{PICTURE}void pic_unload(pic p);\nvoid pic_destroy(pic p);\n")
    assert "    release: pic_destroy(*self)  # guess: `pic_destroy` frees it, by its name\n" in spec
    assert "c: void pic_destroy" not in spec


def test_a_struct_with_pointers_may_own_memory(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "pic.h", PICTURE)
    assert "    # guess: it owns no memory" in spec or "release: (void)self  # guess: it owns no memory" in spec


def test_a_name_that_ends_as_file_is_a_path(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "rec.h", "int rec_read(const char *msfile, int reclen);\n")
    assert "    args: {msfile: path}  # guess: `msfile` is a path\n" in spec


def test_a_constructor_sets_all_elements(tmp_path: Path) -> None:
    """`vec_alloc` leaves the elements as they are, and Python would show memory of something else."""
    functions = "vec *vec_alloc(size_t n);\nvec *vec_calloc(size_t n);\nvec *vec_zeros(size_t n, int how);\n"
    spec = compiled(tmp_path, "vec.h", ARRAY.replace("vec *vec_new(size_t length);\n", functions))
    assert (
        "    new:\n      # guess: the result is a new object, by its name; its elements are 0, unlike those of "
        "`vec_alloc`\n      c: vec *vec_calloc(size_t n)\n" in spec
    )
    assert "        c: vec *vec_alloc(size_t n)" in spec


def test_an_object_may_keep_an_array(tmp_path: Path) -> None:
    """A name that denies a copy: the array must live as long as the object."""
    header = f"{SESSION}void ses_free(ses *s);\nint ses_read(ses *s, const double *x, int n);\n"
    spec = compiled(tmp_path, "copies.h", header)
    assert "store the address" not in spec
    spec = compiled(tmp_path, "shares.h", header.replace("ses_read", "ses_read_without_copy"))
    assert "does `s` store the address of `x`?" in said(spec)
    assert "args: {s: {keeps: [x]}}" in said(spec)


OPTIONS = "typedef struct ses ses;\nvoid ses_free(ses *s);\ntypedef struct ses_opts ses_opts;\n"
MADE = "ses_opts *ses_opts_new(void);\nvoid ses_opts_free(ses_opts *o);\n"


@pytest.mark.parametrize(
    ("function", "lines"),
    [
        (
            "int ses_run(ses *s, const ses_opts *options);",
            ["args: {options: {optional: true}}  # guess: `options` may be NULL, since nothing creates it"],
        ),
        (
            "int ses_run(ses *s, const ses_opts *options, int n);",
            [
                "args: {options: {optional: true}}  # guess: `options` may be NULL, since nothing creates it",
                "keyword_only: [options]",
            ],
        ),
        (
            f"{MADE}/* Runs it. The options may be NULL. */\nint ses_run(ses *s, const ses_opts *o);",
            ["args: {o: {optional: true}}  # guess: `o` may be NULL, by the comment"],
        ),
        (
            "struct ses_log;\n/* Pass NULL for `sink`, or a log. */\nint ses_run(ses *s, struct ses_log *sink);",
            ["args: {sink: {optional: true}}  # guess: `sink` may be NULL, by the comment"],
        ),
    ],
)
def test_an_object_can_be_left_out(tmp_path: Path, function: str, lines: list[str]) -> None:
    """Otherwise no program could call the function: nothing creates the object that it takes."""
    spec = compiled(tmp_path, "ses.h", f"{OPTIONS}{function}\n")
    found = spec[spec.index("int ses_run") :].replace("options", "opts").splitlines()
    for line in lines:
        assert line.replace("options", "opts") in map(str.strip, found)


@pytest.mark.parametrize(
    "function",
    [
        "int ses_join(ses *s, ses *other);",
        "/* The session other must not be NULL. */\nint ses_join(ses *s, const ses_opts *other);",
        f"{MADE}/* Returns NULL if the options can be ignored. */\nint ses_join(ses *s, const ses_opts *other);",
        f"{MADE}int ses_join(ses *s, const ses_opts *options);",
    ],
)
def test_an_object_is_required(tmp_path: Path, function: str) -> None:
    """NULL may be read by C."""
    assert "optional" not in compiled(tmp_path, "ses.h", f"{OPTIONS}{function}\n")


def test_an_output_that_may_be_null_is_a_question(tmp_path: Path) -> None:
    function = "int lib_a(void);\n/* Counts; most may be NULL. */\nvoid lib_count(int n, double x, double *most);\n"
    assert "{out: true} for one number; {value: NULL} to leave it out" in said(compiled(tmp_path, "lib.h", function))
