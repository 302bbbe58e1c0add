"""What `init` decides by types alone, and the questions that it asks about everything else, with their suggestions."""

from __future__ import annotations

from pathlib import Path

import pytest

from dlpack_bindgen.spec.draft import Question
from dlpack_bindgen.tools.init.header import read
from dlpack_bindgen.tools.init.proposal import proposal
from dlpack_bindgen.tools.init.questions import draft_lines
from init.proposals import Draft, proposed
from support.validated import spec as validated

STANDARD = "#include <stddef.h>\n"
IMAGE = f"{STANDARD}typedef struct lib_img lib_img;\n"
ENDS = "void lib_img_free(lib_img *i);\n"
MAKES = "lib_img *lib_img_new(int w);\n"


def declared(folder: Path, *functions: str, types: str = "") -> Draft:
    """Returns the proposal for a class `Img`, whose maker and end are known, and for further functions."""
    lines = "".join(f"{each};\n" for each in functions)
    return proposed(folder, f"{IMAGE}{ENDS}{MAKES}{types}{lines}")


def named(function: str) -> str:
    return function.partition("(")[0].rpartition(" ")[2].lstrip("*")


# ---- The function that ends an object ----


@pytest.mark.parametrize(
    ("functions", "release"),
    [
        (f"{MAKES}{ENDS}", "lib_img_free(self)"),
        ("lib_img *lib_img_new(int w);\nvoid lib_img_drop(lib_img *i);\n", "lib_img_drop(self)"),
        ("lib_img *lib_img_new(int w);\nvoid lib_img_free(lib_img **i);\n", "lib_img_free(&self)"),
        ("int lib_img_open(const char *p, lib_img **i);\nvoid lib_img_free(lib_img *i);\n", "lib_img_free(self)"),
        ("lib_img *lib_img_copy(const lib_img *i);\nvoid lib_img_free(lib_img *i);\n", "lib_img_free(self)"),
        (f"{MAKES}{ENDS}int lib_img_run(lib_img *i);\n", "lib_img_free(self)"),
    ],
)
def test_the_only_function_that_can_end_an_object_is_its_release(tmp_path: Path, functions: str, release: str) -> None:
    draft = proposed(tmp_path, f"{IMAGE}{functions}")
    assert f"  release: {release}" in draft.entries["Img"].splitlines()
    assert "ends" not in draft.asked


@pytest.mark.parametrize(
    ("reason", "functions", "question"),
    [
        ("two candidates", f"{MAKES}{ENDS}void lib_img_reset(lib_img *i);\n", "ends"),
        ("a second candidate without a word", f"{MAKES}{ENDS}void lib_img_blur(lib_img *i);\n", "ends"),
        ("a second candidate by address", f"{MAKES}{ENDS}void lib_img_clean(lib_img **i);\n", "ends"),
        ("no maker", f"{ENDS}int lib_img_run(lib_img *i);\n", "ends"),
        ("only a const object is made", f"const lib_img *lib_img_get(int w);\n{ENDS}", "ends"),
        ("only a const object is stored", f"int lib_img_get(const lib_img **i);\n{ENDS}", "ends"),
        ("the object is const", f"{MAKES}void lib_img_free(const lib_img *i);\n", "ends"),
        ("it returns something", f"{MAKES}int lib_img_free(lib_img *i);\n", "ends"),
        ("it returns the object", f"{MAKES}lib_img *lib_img_free(lib_img *i);\n", "ends"),
        ("a word that ends, but frees nothing for sure", f"{MAKES}void lib_img_done(lib_img *i);\n", "ends"),
        ("another parameter", f"{MAKES}void lib_img_free(lib_img *i, int how);\n", "objects with a doubtful name"),
        ("no word", f"{MAKES}void lib_img_prepare(lib_img *i);\n", "objects"),
    ],
)
def test_another_function_is_a_question(tmp_path: Path, reason: str, functions: str, question: str) -> None:
    draft = proposed(tmp_path, f"{IMAGE}{functions}")
    assert "  release: " not in draft.entries["Img"], reason
    names = [named(line) for line in functions.splitlines() if "void" in line or "free" in line]
    assert names[0] in draft.asked[question], reason


def test_the_word_of_a_library_frees_nothing(tmp_path: Path) -> None:
    """All names of FreeImage begin with `Free`."""
    declarations = "typedef struct FIBMP FIBMP;\nFIBMP *FreeImage_Make(int w);\n"
    draft = proposed(
        tmp_path, f"{declarations}void FreeImage_Rotate(FIBMP *b);\nint FreeImage_Width(const FIBMP *b);\n"
    )
    assert "release: FreeImage" not in draft.text
    assert list(draft.questions_about("FreeImage_Rotate")) == ["objects"]
    draft = proposed(
        tmp_path, f"{declarations}void FreeImage_Unload(FIBMP *b);\nint FreeImage_Width(const FIBMP *b);\n"
    )
    assert "release: FreeImage_Unload(self)" in draft.text


@pytest.mark.parametrize(
    ("answers", "lines"),
    [
        ({"lib_img_free": "ends"}, ["  release: lib_img_free(self)"]),
        ({"lib_img_free": "ends", "lib_img_unref": "unref"}, ["  release: lib_img_unref(self)"]),
        ({"lib_img_unref": "unref"}, ["  release: lib_img_unref(self)"]),
        ({"lib_img_free": "moves", "lib_img_unref": "plain"}, []),
    ],
)
def test_an_answer_decides_which_function_ends_an_object(
    tmp_path: Path, answers: dict[str, str], lines: list[str]
) -> None:
    header = f"{IMAGE}{MAKES}{ENDS}void lib_img_unref(lib_img *i);\n"
    draft = proposed(tmp_path, header, {"ends": answers})
    found = draft.entries["Img"].splitlines()
    assert [line for line in found if "release:" in line and "#" not in line] == lines


def test_a_reference_is_taken_only_beside_unref(tmp_path: Path) -> None:
    header = f"{IMAGE}{MAKES}{ENDS}void lib_img_unref(lib_img *i);\nlib_img *lib_img_ref(lib_img *i);\n"
    given = {"objects": {"lib_img_ref": "refs"}, "ends": {"lib_img_unref": "unref"}}
    draft = proposed(tmp_path, header, given)
    assert "  retain: lib_img_ref(self)\n  release: lib_img_unref(self)" in draft.entries["Img"]
    draft = proposed(tmp_path, header, {**given, "ends": {"lib_img_free": "ends"}})
    assert "  retain:" not in draft.entries["Img"]
    assert "  release: lib_img_free(self)" in draft.entries["Img"]


@pytest.mark.parametrize(
    ("function", "suggested"),
    [
        ("int lib_img_destroy(lib_img *i)", "ends"),
        ("int lib_img_unref(lib_img *i)", "unref"),
        ("int lib_img_clear(lib_img *i)", "moves"),
        ("/** Decrements the reference count. */\nint lib_img_close(lib_img *i)", "unref"),
        ("void lib_img_ref(lib_img *i);\nint lib_img_close(lib_img *i)", "unref"),
    ],
)
def test_names_and_comments_suggest_how_a_function_ends_an_object(
    tmp_path: Path, function: str, suggested: str
) -> None:
    draft = proposed(tmp_path, f"{IMAGE}{MAKES}{function};\n")
    assert draft.asked["ends"] == {named(function.splitlines()[-1]): suggested}


def test_only_the_clearest_word_suggests_an_end(tmp_path: Path) -> None:
    draft = declared(tmp_path, "void lib_img_clear(lib_img *i)", "void lib_img_finish(lib_img *i)")
    suggested = {"lib_img_free": "ends", "lib_img_clear": "plain", "lib_img_finish": "plain"}
    assert draft.asked["ends"] == suggested


# ---- The function that makes an object ----


@pytest.mark.parametrize(
    "maker",
    [
        "lib_img *lib_img_new(int w, double scale)",
        "lib_img *lib_img_new(const char *path)",
        "lib_img *lib_img_new(void)",
        "lib_img *lib_img_new(enum lib_mode { LIB_A } mode)",
    ],
)
def test_the_only_function_that_makes_an_object_of_numbers_is_its_constructor(tmp_path: Path, maker: str) -> None:
    draft = proposed(tmp_path, f"{IMAGE}{ENDS}{maker};\n")
    assert "lib_img_new" in draft.entries["Img.new"]
    assert draft.asked == {}


@pytest.mark.parametrize(
    ("reason", "functions"),
    [
        ("two makers", f"{ENDS}{MAKES}lib_img *lib_img_read(const char *path);\n"),
        ("numbers behind a pointer", f"{ENDS}lib_img *lib_img_new(const int *w);\n"),
        ("a text that C may change", f"{ENDS}lib_img *lib_img_new(char *path);\n"),
        ("a const object", f"{ENDS}const lib_img *lib_img_new(int w);\n"),
        ("the address of an object", f"{ENDS}int lib_img_new(int w, lib_img **made);\n"),
        ("no known end", f"{MAKES}int lib_img_run(lib_img *i);\n"),
        ("two ends", f"{MAKES}{ENDS}void lib_img_clear(lib_img *i);\n"),
        ("of another object", f"{ENDS}lib_img *lib_img_new(lib_img *i);\n"),
    ],
)
def test_another_maker_is_a_question(tmp_path: Path, reason: str, functions: str) -> None:
    draft = proposed(tmp_path, f"{IMAGE}{functions}")
    assert "Img.new" not in draft.entries, reason
    assert "lib_img_new" in draft.asked["results"], reason


def test_an_answer_makes_a_constructor(tmp_path: Path) -> None:
    header = f"{IMAGE}{ENDS}{MAKES}lib_img *lib_img_read(const char *path);\n"
    draft = proposed(tmp_path, header, {"results": {"lib_img_read": "new", "lib_img_new": "static"}})
    assert "lib_img_read" in draft.entries["Img.new"]
    assert "returns: {of: Img, borrow: static}" in draft.entries["img_new"]


# ---- Functions that do no harm ----


@pytest.mark.parametrize(
    ("function", "entry"),
    [
        ("int lib_img_width(const lib_img *i)", "Img.width"),
        ("double lib_img_gap(const lib_img *i, const lib_img *j)", "Img.gap"),
        ("const char *lib_img_note(const lib_img *i)", "Img.note"),
        ("enum lib_mode { LIB_A } lib_img_mode(const lib_img *i)", "Img.mode"),
        ("int lib_img_find(const lib_img *i, const char *text, int at)", "Img.find"),
        ("int lib_img_crop(const lib_img *i)", "Img.crop"),
    ],
)
def test_a_function_of_const_objects_that_returns_a_number_does_no_harm(
    tmp_path: Path, function: str, entry: str
) -> None:
    draft = declared(tmp_path, function)
    assert entry in draft.entries
    assert draft.asked == {}


@pytest.mark.parametrize(
    ("reason", "function", "question"),
    [
        ("it sets something", "int lib_img_set(const lib_img *i, int x)", "objects with a doubtful name"),
        ("it registers it", "int lib_img_register(const lib_img *i)", "objects with a doubtful name"),
        ("it may free it", "int lib_img_free_all(const lib_img *i, int x)", "objects with a doubtful name"),
        ("it counts it", "int lib_img_ref(const lib_img *i)", "objects with a doubtful name"),
        ("no result", "void lib_img_print(const lib_img *i)", "objects"),
        ("an object that is not const", "int lib_img_run(lib_img *i)", "objects"),
        ("a second one that is not const", "int lib_img_mix(const lib_img *i, lib_img *j)", "second object"),
        ("a doubtful name", "int lib_img_attach(lib_img *i, const lib_img *j)", "second object with a doubtful name"),
        ("a text of an object", "int lib_img_save(lib_img *i, const char *path)", "text"),
        ("a doubtful name", "int lib_img_append(lib_img *i, const char *path)", "text with a doubtful name"),
        ("it moves what is not const", "int lib_img_crop(lib_img *i)", "objects with a doubtful name"),
        ("no object", "int lib_version(void)", "library"),
        ("it may end all", "int lib_free(int x)", "library"),
    ],
)
def test_another_function_is_asked_about(tmp_path: Path, reason: str, function: str, question: str) -> None:
    draft = declared(tmp_path, function)
    assert list(draft.questions_about(named(function))) == [question], reason
    assert named(function) not in draft.text


@pytest.mark.parametrize(
    ("member", "is_harmless"),
    [
        ("double x", True),
        ("int (*f)(int)", False),
        ("lib_function f", False),
        ("struct { lib_function f; } inner", False),
        ("struct lib_inner inner", False),
    ],
)
def test_a_struct_of_functions_can_be_registered(tmp_path: Path, member: str, is_harmless: bool) -> None:
    types = "typedef int (*lib_function)(int);\nstruct lib_inner { lib_function f; };\n"
    header = (
        f"{types}typedef struct lib_ops {{ {member}; }} lib_ops;\nint lib_check(const lib_ops *o);\nint lib_a(void);\n"
    )
    draft = proposed(tmp_path, header)
    assert ("Ops.check" in draft.entries) == is_harmless
    assert draft.questions_about("lib_check") == ({} if is_harmless else {"objects": "plain"})


# ---- Suggestions of names ----


@pytest.mark.parametrize(
    ("function", "suggested"),
    [
        ("void lib_img_blur(lib_img *i, int w)", "plain"),
        ("void lib_img_resize(lib_img *i, int w)", "moves"),
        ("int lib_img_clear(lib_img *i, int w)", "moves"),
        ("int lib_img_close(lib_img *i, int w)", "ends"),
        ("int lib_img_ref(lib_img *i, int w)", "refs"),
        ("int lib_img_is_closed(lib_img *i, int w)", "plain"),
        ("int lib_img_mix(lib_img *i, lib_img *j)", ""),
        ("int lib_img_save(lib_img *i, const char *path)", "reads"),
        ("int lib_img_load(lib_img *i, const char *path)", "moves"),
        ("int lib_level(int x)", "plain"),
        ("int lib_shutdown(int x)", "ends"),
        ("lib_img *lib_img_copy(const lib_img *i)", "new"),
        ("const lib_img *lib_img_parent(const lib_img *i)", "part"),
        ("const lib_img *lib_img_named(const char *name)", "static"),
        ("lib_img *lib_img_get_default(int x)", "static"),
    ],
)
def test_a_name_suggests_an_answer(tmp_path: Path, function: str, suggested: str) -> None:
    assert list(declared(tmp_path, function).questions_about(named(function)).values()) == [suggested]


# ---- Pointers to numbers, bytes and structs ----


@pytest.mark.parametrize(
    ("parameters", "question", "suggested"),
    [
        ("const double *x, size_t n", "input const double *x", "count: n"),
        ("const double *x, int num_points", "input const double *x", "count: num_points"),
        ("int n, const double *x", "input const double *x", "count: n"),
        ("const double *x, size_t whole", "input const double *x", "count: whole"),
        ("const double *x, int rows, int cols", "input const double *x", "count: rows * cols"),
        ("const double *x, size_t index", "input const double *x", ""),
        ("const double *x, int order", "input const double *x", ""),
        ("const double *x", "input const double *x", ""),
        ("double *x, size_t n", "output double *x", "count: n"),
        ("double *x", "output double *x", "one"),
        ("double *x, int order", "output double *x", ""),
        ("const void *p, size_t size", "bytes const void *p", "count: size"),
        ("void *p", "bytes void *p", ""),
        ("const char *s, size_t n", "bytes const char *s", "count: n"),
        ("const char *s, int len", "bytes const char *s", "count: len"),
        ("int len, const char *s", "bytes const char *s", "count: len"),
        ("char *s, int size", "output char *s", "count: size"),
        ("char *s", "output char *s", ""),
        ("const struct lib_pt *p, int n", "structs const struct lib_pt *p", "count: n"),
        ("const struct lib_pt *p, int k", "structs const struct lib_pt *p", "one"),
        ("int k, const struct lib_pt *p", "structs const struct lib_pt *p", "one"),
        ("lib_img **all, int n", "structs lib_img **all", "count: n"),
        ("int k, lib_img **all", "structs lib_img **all", "one"),
    ],
)
def test_a_pointer_is_asked_about(tmp_path: Path, parameters: str, question: str, suggested: str) -> None:
    draft = declared(tmp_path, f"int lib_use({parameters})", types="struct lib_pt { int x, y; };\n")
    assert draft.questions_about("lib_use")[question] == suggested


@pytest.mark.parametrize(
    "parameters",
    ["const char *s", "const char *s, int flags", "const struct lib_pt *p", "const double x[4]", "double x[4]"],
)
def test_another_pointer_is_not(tmp_path: Path, parameters: str) -> None:
    draft = declared(tmp_path, f"int lib_use({parameters})", types="struct lib_pt { int x, y; };\n")
    assert set(draft.questions_about("lib_use")) <= {"library"}


def test_an_array_of_constant_length_may_be_kept_by_an_object(tmp_path: Path) -> None:
    draft = declared(tmp_path, "int lib_img_use(lib_img *i, const double x[4])")
    assert draft.questions_about("lib_img_use")["input const double x[4]"] == "count: 4"


@pytest.mark.parametrize("function", ["struct lib_pt *lib_pt_new(void)", "void lib_pt_free(struct lib_pt *p)"])
def test_a_struct_that_functions_make_or_free_is_one_object(tmp_path: Path, function: str) -> None:
    types = "struct lib_pt { int x, y; };\n"
    draft = declared(tmp_path, "int lib_use(const struct lib_pt *p, int n)", function, types=types)
    assert draft.questions_about("lib_use") == {}
    assert "int lib_use(const struct lib_pt *p, int n)" in draft.text


def test_questions_have_the_types_and_names_of_parameters(tmp_path: Path) -> None:
    functions = ["int lib_a(const double *x, int n)", "int lib_b(const double *x)", "int lib_c(const float *x, int n)"]
    draft = declared(tmp_path, *functions)
    assert draft.asked["input const double *x"] == {"lib_a": "count: n", "lib_b": ""}
    assert draft.asked["input const float *x"] == {"lib_c": "count: n"}


@pytest.mark.parametrize(
    ("function", "answers", "line"),
    [
        ("int lib_use(const double *x, int n)", {"input const double *x": "count: n"}, "args: {n: {count_of: x}}"),
        (
            "int lib_use(const double *x, int n)",
            {"input const double *x": "count: n * 2"},
            "args: {x: {require: [{count: n * 2}]}}",
        ),
        ("int lib_use(const double *x)", {"input const double *x": "one"}, "args: {x: {require: [{count: 1}]}}"),
        ("int lib_use(double *x)", {"output double *x": "one"}, "args: {x: {out: true}}"),
        (
            "int lib_use(const void *p, size_t n)",
            {"bytes const void *p": "count: n"},
            "args: {p: bytes, n: {size_of: p}}",
        ),
        ("int lib_use(void *p, size_t n)", {"bytes void *p": "count: n"}, "args: {p: array, n: {size_of: p}}"),
        ("int lib_use(char *s, int n)", {"output char *s": "count: n"}, "c: int lib_use(char s[n], int n)"),
        (
            "int lib_use(const char *s, int n)",
            {"bytes const char *s": "count: n", "library": "plain"},
            "args: {s: bytes, n: {size_of: s}}",
        ),
        (
            "int lib_use(const char *s, int n)",
            {"bytes const char *s": "text", "library": "plain"},
            "c: int lib_use(const char *s, int n)",
        ),
        (
            "int lib_use(const struct lib_pt *p, int n)",
            {"structs const struct lib_pt *p": "count: n"},
            "args: {n: {count_of: p}, p: records}",
        ),
        ("char *lib_use(int n)", {"text results": "caller frees: free(result)"}, "finally: free(result)"),
        ("char *lib_use(int n)", {"text results": "library's"}, "returns: str"),
        (
            "double *lib_use(int n)",
            {"array results": "shape: n"},
            "returns: {of: array, shape: [n], borrow: static}",
        ),
        (
            "double *lib_use(const lib_img *i, int n)",
            {"array results": "shape: n, 2"},
            "returns: {of: array, shape: [n, 2], borrow: i}",
        ),
        (
            "int lib_use(lib_img *i, const double *x, int n)",
            {"input const double *x": "count: n + keeps", "objects": "plain"},
            "args: {n: {count_of: x}, i: {keeps: x}}",
        ),
        ("void lib_use(lib_img *i, lib_img *j)", {"second object": "keeps"}, "args: {i: {keeps: j}}"),
        ("void lib_use(lib_img *i, lib_img *j)", {"second object": "takes"}, "args: {j: {takes: always}}"),
        ("void lib_use(lib_img *i, const char *s)", {"text": "keeps"}, "args: {i: {keeps: s}}"),
        ("int lib_use(lib_img *i)", {"objects": "ends"}, "args: {i: {takes: always}}"),
        ("lib_img *lib_use(const lib_img *i)", {"results": "part"}, "returns: {of: Img, borrow: i}"),
        ("lib_img *lib_use(const lib_img *i)", {"results": "refers"}, "returns: {of: Img, keeps: i}"),
        ("lib_img *lib_use(lib_img *i)", {"results": "takes"}, "args: {i: {takes: always}}"),
    ],
)
def test_answers_write_an_entry(tmp_path: Path, function: str, answers: dict[str, str], line: str) -> None:
    types = "struct lib_pt { int x, y; };\n"
    given = {question: {"lib_use": word} for question, word in answers.items()}
    draft = proposed(tmp_path, f"{IMAGE}{ENDS}{MAKES}{types}{function};\n", given)
    assert line in [each.strip() for each in draft.text.splitlines()]
    assert draft.questions_about("lib_use") == {}


@pytest.mark.parametrize(
    ("function", "question", "word"),
    [("int lib_use(lib_img *i)", "objects", "refs"), ("int lib_use(int x)", "library", "ends")],
)
def test_an_answer_can_leave_a_function_out(tmp_path: Path, function: str, question: str, word: str) -> None:
    draft = proposed(tmp_path, f"{IMAGE}{ENDS}{MAKES}{function};\n", {question: {"lib_use": word}})
    assert "lib_use" not in draft.text
    assert draft.questions_about("lib_use") == {}


def test_moves_invalidates_only_an_object_that_shows_memory(tmp_path: Path) -> None:
    answers = {"objects": {"lib_img_crop": "moves"}}
    crop = "int lib_img_crop(lib_img *i, int w);\n"
    draft = proposed(tmp_path, f"{IMAGE}{ENDS}{MAKES}{crop}", answers)
    assert "invalidates" not in draft.entries["Img.crop"]
    draft = proposed(tmp_path, f"{IMAGE}{ENDS}{MAKES}{crop}unsigned char *lib_img_row(lib_img *i, int y);\n", answers)
    assert "args: {i: {invalidates: true}}" in draft.entries["Img.crop"]


def test_a_function_stays_out_until_all_its_questions_have_answers(tmp_path: Path) -> None:
    function = "int lib_img_use(lib_img *i, const double *x, int n)"
    header = f"{IMAGE}{ENDS}{MAKES}{function};\n"
    one, other = {"objects": {"lib_img_use": "plain"}}, {"input const double *x": {"lib_img_use": "count: n"}}
    for given, left in ((one, other), (other, one)):
        draft = proposed(tmp_path, header, given)
        assert "lib_img_use" not in draft.text
        assert list(draft.questions_about("lib_img_use")) == list(left)
    assert "lib_img_use" in proposed(tmp_path, header, one | other).text


def test_an_answer_counts_for_a_question_that_has_become_doubtful(tmp_path: Path) -> None:
    """Words can be added to the vocabulary after a person has answered."""
    header = f"{IMAGE}{ENDS}{MAKES}int lib_img_attach(lib_img *i);\n"
    assert "lib_img_attach" in proposed(tmp_path, header, {"objects, new": {"lib_img_attach": "plain"}}).text


# ---- The text of the questions ----

MANY = "".join(f"int lib_img_{letter}{letter}(lib_img *i, int x);\n" for letter in "abcdefghjklmnoqrstuvwxyz")
QUESTIONS = f"""\
{IMAGE}{ENDS}{MAKES}{MANY}
typedef struct lib_pic {{ unsigned char *data; int width, height, bpp, packed; }} lib_pic;
struct lib_pt {{ int x, y; }};
lib_pic *lib_pic_new(int w);
void lib_pic_free(lib_pic *p);
void lib_pic_done(lib_pic *p);
void lib_img_resize(lib_img *i, int w);
int lib_img_close(lib_img *i, int w);
int lib_img_ref(lib_img *i, int w);
int lib_img_mix(lib_img *i, lib_img *j);
/** Takes ownership of j. */
int lib_img_join(lib_img *i, lib_img *j);
int lib_img_save(lib_img *i, const char *path);
int lib_level(int x);
int lib_shutdown(int x);
double lib_mean(const double *x, size_t n);
double lib_total(const double *x, int rows, int cols);
double lib_first(const double *x);
void lib_fill(double *x, int n);
void lib_read(double *x);
int lib_hull(const struct lib_pt *p, int n);
/** The caller must free the result. */
char *lib_text(int n);
char *lib_name(int n);
double *lib_table(int n);
lib_img *lib_img_copy(const lib_img *i);
const lib_img *lib_img_parent(const lib_img *i);
"""


def read_back(folder: Path, accept: bool) -> tuple[list[str], dict[tuple[str, str], str], list[Question]]:
    """Returns the lines of the key `draft`, the suggestions by questions and names, and the questions as read."""
    (folder / "lib.h").write_text(QUESTIONS)
    asked = proposal(read(str(folder / "lib.h"), []), None, ()).asked
    suggested = {
        (each.name, point.name): f"{point.suggestion.word}: {point.suggestion.value}"
        for each in asked
        for point in each.points
        if point.suggestion is not None
    }
    lines = list(draft_lines(asked, accept))
    return lines, suggested, list(validated("\n".join(["module: m", "include: [lib.h]", *lines, ""])).questions)


def test_accepted_suggestions_are_answers_for_the_same_names(tmp_path: Path) -> None:
    lines, suggested, found = read_back(tmp_path, accept=True)
    answers = {
        (each.name, name): f"{answer.word}: {answer.value}"
        for each in found
        for name, (answer,) in each.answers.items()
    }
    assert answers == suggested
    assert len({each.name for each in found}) > 12
    assert "  # accepted unread" in [line[2:] for line in lines]


def test_suggestions_that_nobody_has_accepted_answer_nothing(tmp_path: Path) -> None:
    lines, suggested, found = read_back(tmp_path, accept=False)
    assert {name for each in found for name in each.open_names} >= {name for _, name in suggested}
    assert not any("accepted" in line for line in lines)
    assert max(map(len, lines)) <= 110
    assert any("opens" in line for line in lines)


def test_the_question_that_opens_most_functions_comes_first(tmp_path: Path) -> None:
    lines, _, found = read_back(tmp_path, accept=False)
    assert found[0].name == "objects"
    opens = [int(line.partition("opens ")[2].partition(";")[0]) for line in lines if "# opens " in line]
    assert opens == sorted(opens, reverse=True)
    assert opens[0] >= 24


# ---- Comments ----


@pytest.mark.parametrize(
    ("comment", "direction"),
    [
        ("@param[in] x numbers", "input"),
        ("\\param[in] x numbers", "input"),
        ("@param x [in] numbers", "input"),
        ("@param x numbers", "output"),
        ("@param[out] x numbers", "output"),
        ("@param[in,out] x numbers", "output"),
        ("@param[in] y numbers", "output"),
        ("@x: (in): numbers", "input"),
        ("[in] x: numbers", "input"),
    ],
)
def test_a_comment_tells_that_numbers_are_only_read(tmp_path: Path, comment: str, direction: str) -> None:
    draft = declared(tmp_path, f"/** {comment} */\nint lib_use(double *x, int n)")
    assert f"{direction} double *x" in draft.asked


@pytest.mark.parametrize(
    ("comment", "function", "question", "suggested"),
    [
        ("The caller must free the result.", "lib_img *lib_img_parent(lib_img *i)", "results", "new"),
        ("Returns: (transfer full): it.", "lib_img *lib_img_parent(lib_img *i)", "results", "new"),
        ("The result must not be freed.", "lib_img *lib_img_copy(const lib_img *i)", "results", "part"),
        ("Returns: (transfer none): it.", "lib_img *lib_img_copy(const lib_img *i)", "results", "part"),
        ("Returns it. @param i the caller must free i", "lib_img *lib_img_copy(const lib_img *i)", "results", "new"),
        ("Takes ownership of j.", "int lib_img_mix(lib_img *i, lib_img *j)", "second object", "takes"),
        ("@param j must outlive the image", "int lib_img_mix(lib_img *i, lib_img *j)", "second object", "keeps"),
        ("It stores a pointer to j.", "int lib_img_mix(lib_img *i, lib_img *j)", "second object", "keeps"),
        ("Mixes both.", "int lib_img_mix(lib_img *i, lib_img *j)", "second object", ""),
        ("Takes ownership of i.", "int lib_img_blur(lib_img *i)", "objects", "ends"),
        ("The caller must free the result.", "char *lib_text(int n)", "text results", "caller frees: free(result)"),
        ("The result belongs to the library.", "char *lib_text(int n)", "text results", "library's"),
    ],
)
def test_a_comment_wins_over_names(tmp_path: Path, comment: str, function: str, question: str, suggested: str) -> None:
    draft = declared(tmp_path, f"/** {comment} */\n{function}")
    assert draft.asked[question][named(function)] == suggested


def test_the_sentence_of_a_comment_is_the_reason_of_a_suggestion(tmp_path: Path) -> None:
    draft = declared(tmp_path, "/** Mixes both. Takes ownership of j. */\nint lib_img_mix(lib_img *i, lib_img *j)")
    assert draft.reasons == {"lib_img_mix": "lib_img_mix: Takes ownership of j."}


@pytest.mark.parametrize(
    ("comment", "guess"),
    [
        ("j may be NULL.", True),
        ("Pass NULL for j to skip it.", True),
        ("j must not be NULL.", False),
        ("Mixes.", False),
    ],
)
def test_a_comment_allows_null(tmp_path: Path, comment: str, guess: bool) -> None:
    types = "typedef struct lib_opt lib_opt;\nlib_opt *lib_opt_new(int a);\nvoid lib_opt_free(lib_opt *o);\n"
    draft = declared(tmp_path, f"/** {comment} */\nint lib_img_gap(const lib_img *i, const lib_opt *j)", types=types)
    assert ("j: {optional: true}" in draft.entries["Img.gap"]) == guess


# ---- Typedefs of `void *` ----


@pytest.mark.parametrize(
    ("functions", "lines"),
    [
        (
            "lib_h lib_open(int a);\nvoid lib_close(lib_h h);\n",
            ["  pass: value", "  release: lib_close(self)", "  c: lib_h lib_open(int a)"],
        ),
        ("int lib_open(lib_h *h);\nvoid lib_close(lib_h *h);\n", ["  pass: value", "  release: lib_close(&self)"]),
        ("lib_h lib_open(int a);\nint lib_close(lib_h h);\n", ["  pass: value"]),
    ],
)
def test_a_typedef_of_void_that_functions_make_and_end_is_a_class(
    tmp_path: Path, functions: str, lines: list[str]
) -> None:
    draft = proposed(tmp_path, f"typedef void *lib_h;\n{functions}int lib_get(lib_h h);\n")
    assert "H" in draft.entries
    assert set(lines) <= set(draft.text.splitlines())
    assert draft.questions_about("lib_get") == {"objects": "plain"}
    assert ("lib_close" in draft.asked.get("ends", {})) == ("int lib_close" in functions)


@pytest.mark.parametrize(
    "declarations",
    [
        "typedef void *lib_h;\nlib_h lib_open(int a);\n",
        "typedef void *lib_h;\nvoid lib_close(lib_h h);\n",
        "typedef void *lib_h;\nlib_h lib_open(int a);\nvoid lib_rest(lib_h h);\n",
        "typedef void *lib_h;\nlib_h lib_open(int a);\nvoid lib_close(lib_h h, int b);\n",
        "typedef void *lib_h;\nvoid *lib_open(int a);\nvoid lib_close(void *h);\n",
        "typedef void *lib_h, *lib_g;\nlib_g lib_open(int a);\nvoid lib_close(lib_h h);\n",
    ],
)
def test_another_pointer_to_void_is_none(tmp_path: Path, declarations: str) -> None:
    draft = proposed(tmp_path, f"{declarations}int lib_get(lib_h h);\n")
    assert "H" not in draft.entries
    assert draft.questions_about("lib_get") == {"bytes lib_h h": ""}
