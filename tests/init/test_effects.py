"""The guesses and questions of `init` about functions that move memory, exchange objects, or free them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from init.conftest import answered, asked, calls, compile_generated, described

ARRAY = """\
#include <stddef.h>
#include <stdio.h>
typedef struct vec { double *data; size_t length; } vec;
vec *vec_new(size_t length);
void vec_free(vec *v);
"""
SESSION = "typedef struct ses ses;\nint ses_run(ses *s);\n"


def compiled(folder: Path, name: str, header: str, *arguments: str) -> str:
    """Returns the spec of a header, whose C compiles."""
    here = folder / "_".join((name.partition(".")[0], *(each.strip("-") for each in arguments)))
    here.mkdir()
    spec = described(here, name, header, *arguments)
    compile_generated(spec, here, [f"-I{here}"])
    return spec


def accepted(folder: Path, name: str, header: str) -> str:
    """Returns the spec of a header with the suggestions as answers. Its C compiles."""
    return compiled(folder, name, header, "--accept")


def updated(folder: Path, name: str, header: str, answers: dict[str, str]) -> str:
    """Returns the spec of a header after some questions have been answered. Its C compiles."""
    described(folder, name, header, "--force")
    spec = answered((folder / name).with_suffix(".yaml"), answers)
    compile_generated(spec, folder, [f"-I{folder}"])
    return spec


def name_of(function: str) -> str:
    """Returns the name in a prototype."""
    found = re.search(r"(\w+)\(", function)
    assert found is not None
    return found[1]


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
        "int vec_set(vec *v, const double *x, size_t n)",
        "int vec_decode(FILE *from, vec *v)",
        "vec *vec_insert(vec *v, size_t at, double x)",
    ],
)
def test_memory_may_move(tmp_path: Path, function: str) -> None:
    """Without the mark, an array that shares the memory would be left dangling. A name only suggests the mark."""
    header = f"{ARRAY}{function};\n"
    spec = described(tmp_path, "vec.h", header)
    assert not calls(spec, name_of(function))
    assert "moves" in asked(spec, name_of(function)).values()
    assert "v: {invalidates: true}" in accepted(tmp_path, "vec.h", header)


def test_memory_of_an_object_beside_another_may_move(tmp_path: Path) -> None:
    """Nothing is suggested about several objects: their names tell too little."""
    header = f"{ARRAY}int vec_copy(vec *v, const vec *source);\n"
    spec = accepted(tmp_path, "vec.h", header)
    assert not calls(spec, "vec_copy")
    assert asked(spec, "vec_copy") == {"second object with a doubtful name": ""}
    spec = updated(tmp_path, "vec.h", header, {"second object with a doubtful name": "moves"})
    assert "        args: {v: {invalidates: true}}" in spec.splitlines()


@pytest.mark.parametrize(
    "function",
    [
        "double vec_add_up(const vec *v)",
        "void vec_set(vec *v, size_t at, double x)",
        "int vec_set_read_only(vec *v, int on)",
        "int vec_get_load(vec *v)",
        "void vec_set_address(vec *v, int at)",
    ],
)
def test_memory_stays(tmp_path: Path, function: str) -> None:
    spec = accepted(tmp_path, "vec.h", f"{ARRAY}{function};\n")
    assert calls(spec, name_of(function))
    assert "invalidates" not in spec


def test_types_alone_let_a_function_read(tmp_path: Path) -> None:
    """A function that takes the object as `const`, and returns a number, needs no answer. A name can hold it back."""
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}double vec_sum(const vec *v);\ndouble vec_reset(const vec *v);\n")
    assert calls(spec, "vec_sum")
    assert asked(spec, "vec_sum") == {}
    assert not calls(spec, "vec_reset")
    assert [*asked(spec, "vec_reset")] == ["objects with a doubtful name"]


def test_memory_of_an_opaque_object_may_move(tmp_path: Path) -> None:
    """A function shows the memory of the object, which a tensor of the spec can share later."""
    opaque = "typedef struct img img;\nvoid img_free(img *i);\nint img_crop(img *i, int w);\n"
    spec = accepted(tmp_path, "hidden.h", opaque)
    assert calls(spec, "img_crop")
    assert "invalidates" not in spec
    spec = accepted(tmp_path, "img.h", f"{opaque}unsigned char *img_plane(img *i, int channel);\n")
    assert "        args: {i: {invalidates: true}}" in spec.splitlines()


def test_the_memory_of_several_objects_may_move(tmp_path: Path) -> None:
    header = f"{ARRAY}void vec_swap(vec *a, vec *b);\n"
    assert not calls(accepted(tmp_path, "vec.h", header), "vec_swap")
    spec = updated(tmp_path, "vec.h", header, {"second object with a doubtful name": "moves"})
    assert "        args: {a: {invalidates: true}, b: {invalidates: true}}" in spec.splitlines()


def test_a_sum_is_a_question_whose_answer_leaves_its_memory_in_place(tmp_path: Path) -> None:
    header = f"{ARRAY}void vec_add(const vec *a, const vec *b, vec *sum);\n"
    spec = described(tmp_path, "vec.h", header)
    assert not calls(spec, "vec_add")
    assert asked(spec, "vec_add") == {"second object with a doubtful name": ""}
    spec = updated(tmp_path, "vec.h", header, {"second object with a doubtful name": "reads"})
    assert calls(spec, "vec_add")
    assert "args:" not in spec


def test_several_objects_share_one_answer(tmp_path: Path) -> None:
    functions = "".join(f"int vec_{name}(vec *a, const vec *b);\n" for name in ("add", "sub", "mul"))
    answers = {"second object": "{keeps: vec_sub, reads: rest}", "second object with a doubtful name": "reads"}
    spec = updated(tmp_path, "vec.h", f"{ARRAY}{functions}", answers)
    assert all(calls(spec, f"vec_{name}") for name in ("add", "sub", "mul"))
    assert spec.count("args:") == spec.count("args: {a: {keeps: b}}") == 1
    assert "        c: int vec_sub(vec *a, const vec *b)\n        args: {a: {keeps: b}}\n" in spec


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
    ("function", "answers"),
    [
        ("int vec_parse(vec **out_a, double x)", {"results": "new"}),
        ("int vec_parse(vec **out_a, int n)", {"results": "new", "structs vec **out_a": "one"}),
        ("int vec_split(const vec *v, vec **a, vec **b)", {"results": "new"}),
        ("int vec_make(int size, vec **a)", {"results": "new", "structs vec **a": "one"}),
    ],
)
def test_the_address_of_an_object_can_be_an_output(tmp_path: Path, function: str, answers: dict[str, str]) -> None:
    header = f"{ARRAY}{function};\n"
    spec = described(tmp_path, "vec.h", header)
    assert not calls(spec, name_of(function))
    assert asked(spec, name_of(function)).keys() == answers.keys()
    spec = updated(tmp_path, "vec.h", header, answers)
    assert "a: {out: true}" in spec
    assert "open:" not in spec.partition("tensors:")[2]


def test_the_address_of_an_object_beside_a_number_can_be_an_array(tmp_path: Path) -> None:
    """An array of n objects as an output would be read beyond its end."""
    spec = described(tmp_path, "vec.h", f"{ARRAY}int vec_join(int n, vec **part);\n")
    assert not calls(spec, "vec_join")
    assert asked(spec, "vec_join")["structs vec **part"] == "count: n"
    answers = {"results": "new", "structs vec **part": "{count: n}"}
    spec = updated(tmp_path, "vec.h", f"{ARRAY}int vec_join(int n, vec **part);\n", answers)
    assert "    args: {n: {count_of: part}}" in spec.splitlines()


@pytest.mark.parametrize(
    ("function", "question", "suggestion"),
    [
        ("void ses_close(ses *s, int flags);", "objects with a doubtful name", "ends"),
        ("void ses_release(const ses *s, int flags);", "objects with a doubtful name", "ends"),
        ("void ses_clear(ses *s);", "ends", "moves"),
        ("void ses_freeall(ses *s);", "ends", "ends"),
        ("void ses_unload(ses *s, int flags);", "objects with a doubtful name", "ends"),
        ("void ses_free_string(const char *text);", "library", "ends"),
        ("void ses_clear_all(void);", "library", "ends"),
    ],
)
def test_a_function_that_may_free_its_argument_is_a_question(
    tmp_path: Path, function: str, question: str, suggestion: str
) -> None:
    """Python would free the object a second time, or C would free memory of Python."""
    spec = described(tmp_path, "ses.h", f"{SESSION}{function}\n")
    assert not calls(spec, name_of(function))
    assert asked(spec, name_of(function)) == {question: suggestion}


def test_a_function_that_may_free_numbers_is_a_question(tmp_path: Path) -> None:
    spec = described(tmp_path, "ses.h", f"{SESSION}void ses_free(double *numbers, int n);\n")
    assert not calls(spec, "ses_free")
    assert "output double *numbers" in asked(spec, "ses_free")


def test_a_function_that_ends_an_object_takes_it(tmp_path: Path) -> None:
    """The object of Python is released afterwards, so that nothing frees it a second time."""
    header = f"{SESSION}void ses_free(ses *s);\nvoid ses_close(ses *s, int flags);\n"
    spec = accepted(tmp_path, "ses.h", header)
    assert "    release: ses_free(self)\n" in spec
    assert "        c: void ses_close(ses *s, int flags)\n        args: {s: {takes: always}}\n" in spec


def test_a_function_that_ends_an_object_without_a_release_stays_out(tmp_path: Path) -> None:
    """Python owns no object that it could give to C."""
    spec = accepted(tmp_path, "ses.h", f"{SESSION}void ses_close(ses *s, int flags);\n")
    assert calls(spec, "ses_run")
    assert not calls(spec, "ses_close")


def test_a_function_that_counts_references_is_a_question(tmp_path: Path) -> None:
    """`ses_ref(s, -1)` can free the object."""
    header = f"{SESSION}void ses_ref(ses *s, int references);\n"
    spec = accepted(tmp_path, "ses.h", header)
    assert asked(spec, "ses_ref") == {"objects with a doubtful name": "refs"}
    assert calls(spec, "ses_run")
    assert not calls(spec, "ses_ref")


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (f"{SESSION}int ses_get_ref_width(ses *s);\n", ["ses_run", "ses_get_ref_width"]),
        (
            "typedef struct FreeSes FreeSes;\nint FreeSes_GetCount(FreeSes *s);\nint FreeSes_Run(FreeSes *s);\n",
            ["FreeSes_GetCount", "FreeSes_Run"],
        ),
    ],
)
def test_a_getter_frees_and_retains_nothing(tmp_path: Path, header: str, names: list[str]) -> None:
    """`ref` can stand for `reference`, and `Free` can be the first word of the library's name."""
    spec = accepted(tmp_path, "ses.h", header)
    assert "retain:" not in spec
    assert "    release:" not in spec
    assert "takes:" not in spec
    assert all(calls(spec, name) for name in names)


def test_a_word_that_only_begins_like_free_is_not_a_release(tmp_path: Path) -> None:
    header = f"{SESSION}int ses_freeze(ses *s);\n"
    assert asked(described(tmp_path, "ses.h", header), "ses_freeze") == {"objects": "plain"}
    assert "      freeze:\n        c: int ses_freeze(ses *s)\n" in accepted(tmp_path, "ses.h", header)


def test_several_functions_may_end_an_object(tmp_path: Path) -> None:
    """Without an answer, the class has no `release`, and Python owns none of its objects."""
    header = f"{SESSION}ses *ses_new(void);\nvoid ses_close(ses *s);\nvoid ses_clear(ses *s);\n"
    spec = compiled(tmp_path, "ses.h", header)
    assert asked(spec, "ses_close") == {"ends": "ends"}
    assert asked(spec, "ses_clear") == {"ends": "moves"}
    assert "    release:" not in spec
    assert not calls(spec, "ses_new")
    spec = accepted(tmp_path, "ses.h", header)
    assert "    release: ses_close(self)\n" in spec
    assert calls(spec, "ses_new")


@pytest.mark.parametrize(
    ("maker", "end", "release"),
    [
        ("lib_group *lib_group_new(int n);", "void lib_freegroup(lib_group *g);", "lib_freegroup(self)"),
        ("lib_group *lib_group_new(int n);", "void lib_freegroup(lib_group **g);", "lib_freegroup(&self)"),
        ("lib_group *lib_group_new(int n);", "void lib_group_update(lib_group *g);", ""),
        ("const lib_group *lib_group_default(void);", "void lib_freegroup(lib_group *g);", ""),
    ],
)
def test_types_and_a_word_of_ending_give_a_class_its_release(
    tmp_path: Path, maker: str, end: str, release: str
) -> None:
    """Neither is enough alone: the only `void f(T *)` may calculate, and without a maker there is nothing to free."""
    header = f"typedef struct lib_group lib_group;\nint lib_run(lib_group *g);\n{maker}\n{end}\n"
    spec = compiled(tmp_path, "lib.h", header)
    assert ("    release: " in spec) == bool(release)
    assert f"    release: {release}" in spec or not release
    assert calls(spec, name_of(maker)) == bool(release)
    assert bool(asked(spec, name_of(end))) == (not release)


@pytest.mark.parametrize("function", ["vec *vec_realloc(vec *v, int n)", "vec *vec_init(vec *v)"])
def test_a_result_can_be_the_argument(tmp_path: Path, function: str) -> None:
    """Two objects of Python would free one object of C."""
    header = f"{ARRAY}{function};\n"
    spec = described(tmp_path, "vec.h", header)
    assert not calls(spec, name_of(function))
    assert [*asked(spec, name_of(function))] == ["results", "objects with a doubtful name"]
    answers = {"results": "same", "objects with a doubtful name": "moves"}
    spec = updated(tmp_path, "vec.h", header, answers)
    assert "args: {v: {invalidates: true}}\n        returns: {of: Vec, borrow: v}\n" in spec


def test_a_result_can_own_the_argument(tmp_path: Path) -> None:
    header = f"{ARRAY}vec *vec_realloc(vec *v, int n);\n"
    answers = {"results": "takes", "objects with a doubtful name": "plain"}
    assert "        args: {v: {takes: always}}\n" in updated(tmp_path, "vec.h", header, answers)


def test_a_copy_is_not_the_argument(tmp_path: Path) -> None:
    header = f"{ARRAY}vec *vec_duplicate(vec *v);\n"
    assert asked(described(tmp_path, "vec.h", header), "vec_duplicate") == {"results": "new"}
    assert "      duplicate:\n        c: vec *vec_duplicate(vec *v)\n\n" in accepted(tmp_path, "vec.h", header)


PICTURE = "typedef struct pic { unsigned char *data; int width, height; } pic;\npic pic_load(const char *path);\n"


def test_a_function_that_takes_a_struct_may_free_its_memory(tmp_path: Path) -> None:
    """If the function were callable, the array would be left dangling."""
    spec = accepted(tmp_path, "pic.h", f"{PICTURE}void pic_unload(pic p);\nvoid pic_destroy(pic p);\n")
    for name in ("pic_unload", "pic_destroy"):
        assert asked(spec, name) == {"library": "ends"}
        assert "methods:" not in spec
        assert f"c: void {name}" not in spec


def test_a_struct_with_pointers_may_own_memory(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "pic.h", PICTURE)
    assert "    # guess: it owns no memory" in spec or "release: (void)self  # guess: it owns no memory" in spec


def test_a_name_that_ends_as_file_is_a_path(tmp_path: Path) -> None:
    spec = accepted(tmp_path, "rec.h", "int rec_read(const char *msfile, double level);\n")
    assert "    args: {msfile: path}  # guess: `msfile` is a path\n" in spec


def test_a_number_beside_a_text_may_be_its_length(tmp_path: Path) -> None:
    """Python could pass a number that is greater than the length of its text."""
    header = "int rec_read(const char *msfile, int reclen);\n"
    spec = described(tmp_path, "rec.h", header)
    assert not calls(spec, "rec_read")
    assert "bytes const char *msfile" in asked(spec, "rec_read")
    spec = updated(tmp_path, "rec.h", header, {"library": "plain", "bytes const char *msfile": "{count: reclen}"})
    assert "    args: {msfile: bytes, reclen: {size_of: msfile}}" in spec.splitlines()


def test_a_constructor_sets_all_elements(tmp_path: Path) -> None:
    """`vec_alloc` leaves the elements as they are, and Python would show memory of something else."""
    functions = "vec *vec_alloc(size_t n);\nvec *vec_calloc(size_t n);\nvec *vec_zeros(size_t n, int how);\n"
    header = ARRAY.replace("vec *vec_new(size_t length);\n", functions)
    spec = described(tmp_path, "vec.h", header)
    names = ("vec_alloc", "vec_calloc", "vec_zeros")
    assert [asked(spec, name) for name in names] == [{"results": "new"}] * len(names)
    spec = accepted(tmp_path, "vec.h", header)
    assert (
        "    new:\n      c: vec *vec_calloc(size_t n)  # guess: its elements are 0, unlike those of `vec_alloc`\n"
        in spec
    )
    assert "        c: vec *vec_alloc(size_t n)" in spec


def test_an_object_may_keep_an_array(tmp_path: Path) -> None:
    """The array must live as long as the object, if a person says so."""
    header = f"{SESSION}void ses_free(ses *s);\nint ses_read_without_copy(ses *s, const double *x, int n);\n"
    spec = described(tmp_path, "shares.h", header)
    assert not calls(spec, "ses_read_without_copy")
    assert "input const double *x" in asked(spec, "ses_read_without_copy")
    answers = {
        "ends": "ends",
        "objects with a doubtful name": "plain",
        "input const double *x": "{count: n, keeps: rest}",
    }
    spec = updated(tmp_path, "shares.h", header, answers)
    assert "        args: {n: {count_of: x}, s: {keeps: x}}" in spec.splitlines()
    answers["input const double *x"] = "{count: n}"
    (tmp_path / "copies").mkdir()
    assert "keeps:" not in updated(tmp_path / "copies", "copies.h", header, answers).partition("draft:")[0]


OPTIONS = """\
typedef struct ses ses;
void ses_free(ses *s);
typedef struct ses_opts ses_opts;
int ses_opts_count(const ses_opts *o);
"""
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
            "struct ses_log;\nint ses_log_size(const struct ses_log *log);\n"
            "/* Pass NULL for `sink`, or a log. */\nint ses_run(ses *s, struct ses_log *sink);",
            ["args: {sink: {optional: true}}  # guess: `sink` may be NULL, by the comment"],
        ),
    ],
)
def test_an_object_can_be_left_out(tmp_path: Path, function: str, lines: list[str]) -> None:
    """Otherwise no program could call the function: nothing creates the object that it takes."""
    spec = described(tmp_path, "ses.h", f"{OPTIONS}{function}\n")
    assert not calls(spec, "ses_run")
    spec = updated(tmp_path, "ses.h", f"{OPTIONS}{function}\n", {"second object": "reads"})
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
    spec = updated(tmp_path, "ses.h", f"{OPTIONS}{function}\n", {"second object": "reads"})
    assert calls(spec, "ses_join")
    assert "optional" not in spec


def test_an_output_that_may_be_null_is_a_question(tmp_path: Path) -> None:
    function = "int lib_a(void);\n/* Counts; most may be NULL. */\nvoid lib_count(int n, double x, double *most);\n"
    spec = accepted(tmp_path, "lib.h", function)
    assert not calls(spec, "lib_count")
    assert asked(spec, "lib_count") == {"output double *most": ""}
