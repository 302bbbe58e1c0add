"""Members that change what an array is: the draft requires the case that it describes, and asks about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from init.proposals import Draft, proposed

IMAGE = "uint8_t *data; int width, height;"
MATRIX = "double *data; int rows, cols;"
FORMATS = "enum lib_fmt { LIB_U8, LIB_F32, LIB_RGB };\n"
OTHERS = "enum lib_way { LIB_FAST, LIB_SLOW };\n"


def drafted(folder: Path, members: str, **answers: str) -> Draft:
    """Returns the proposal for a struct with these members, after answers about them."""
    struct = f"typedef struct lib_img {{ {members} }} lib_img;\n"
    functions = "lib_img *lib_img_new(int w);\nvoid lib_img_free(lib_img *i);\nint lib_version(const lib_img *i);\n"
    header = f"#include <stdint.h>\n{FORMATS}{OTHERS}{struct}{functions}"
    return proposed(folder, header, {"Img.require": answers} if answers else None)


def slot(draft: Draft, key: str) -> str:
    """Returns the value of a key of the tensor; empty if it has none."""
    lines = [line.strip() for line in draft.entries["Img"].splitlines()]
    return next((line.removeprefix(f"{key}: ") for line in lines if line.startswith(f"{key}:")), "")


def condition(name: str, value: str, message: str) -> str:
    return f"[{{expr: self->{name} == {value}, message: {message}}}]"


# ---- The case that a draft requires ----


@pytest.mark.parametrize(
    ("members", "name", "value"),
    [
        (f"{IMAGE} int bpp;", "bpp", "8"),
        (f"{IMAGE} int nbits;", "nbits", "8"),
        (f"{IMAGE} int bit_count;", "bit_count", "8"),
        ("float *data; int n; int depth;", "depth", "32"),
        ("uint16_t *data; int n; int bits;", "bits", "16"),
        (f"{IMAGE} int q; /* of a sample, in bits */", "q", "8"),
        (f"{IMAGE} int planes;", "planes", "1"),
        (f"{IMAGE} int num_planes;", "num_planes", "1"),
    ],
)
def test_a_number_of_bits_or_planes_has_the_value_of_the_array(
    tmp_path: Path, members: str, name: str, value: str
) -> None:
    draft = drafted(tmp_path, members)
    assert slot(draft, "require") == condition(name, value, f"{name} is not {value}")
    assert draft.asked == {"Img.require": {name: f"case: {value}"}}


@pytest.mark.parametrize("name", ["is_complex", "packed", "compressed", "sparse", "split_parts", "isTiled"])
def test_a_flag_of_other_data_is_not_set(tmp_path: Path, name: str) -> None:
    draft = drafted(tmp_path, f"{IMAGE} int {name};")
    assert slot(draft, "require") == condition(name, "0", f"{name} is set")
    assert draft.asked == {"Img.require": {name: "case: 0"}}


@pytest.mark.parametrize("member", ["int kind", "int version", "int flags", "enum lib_way way", "enum lib_way type"])
def test_another_member_says_nothing_about_the_array(tmp_path: Path, member: str) -> None:
    draft = drafted(tmp_path, f"{IMAGE} {member};")
    assert slot(draft, "require") == ""
    assert slot(draft, "dtype") == "uint8"
    assert draft.asked == {}


@pytest.mark.parametrize("member", ["char *packed", "double bpp"])
def test_only_an_integer_changes_the_array(tmp_path: Path, member: str) -> None:
    assert slot(drafted(tmp_path, f"{IMAGE} {member};"), "require") == ""


def test_a_member_that_describes_the_array_is_no_case(tmp_path: Path) -> None:
    draft = drafted(tmp_path, "uint8_t *data; int width, height, channels;")
    assert slot(draft, "shape") == "[self->height, self->width, self->channels]"
    assert (slot(draft, "require"), draft.asked) == ("", {})


def test_a_code_has_the_constant_whose_name_fits_the_dtype(tmp_path: Path) -> None:
    draft = drafted(tmp_path, "float *data; int n; enum lib_fmt type;")
    assert slot(draft, "require") == condition("type", "LIB_F32", "type is another one")
    assert draft.asked == {"Img.require": {"type": "case: LIB_F32"}}


@pytest.mark.parametrize(
    "members",
    [
        "double *data; int n; enum lib_fmt type;",
        "double *data; int n; enum lib_way format;",
        "double *data; int n; int format;",
        f"{IMAGE} int pixel_format;",
        f"{IMAGE} int wpl;",
        f"{IMAGE} int k; /* words per line */",
        f"{IMAGE} int words_per_line;",
    ],
)
def test_an_unknown_format_or_row_makes_no_tensor(tmp_path: Path, members: str) -> None:
    draft = drafted(tmp_path, members)
    assert "data" not in [line.strip().partition(":")[0] for line in draft.entries["Img"].splitlines()]
    assert draft.doubts["Img"].startswith("open: Img looks like an array")


# ---- The order of the axes ----


def test_an_unknown_order_allows_one_long_axis(tmp_path: Path) -> None:
    draft = drafted(tmp_path, MATRIX)
    expression = "(self->rows > 1) + (self->cols > 1) <= 1"
    assert slot(draft, "require") == f"[{{expr: {expression}, message: the order of the axes is not known}}]"
    assert draft.asked == {"Img.require": {"order": "case: C"}}


def test_an_unknown_order_allows_a_rank_of_one(tmp_path: Path) -> None:
    draft = drafted(tmp_path, "double *data; int ndim; int *dims;")
    assert slot(draft, "require") == "[{expr: self->ndim <= 1, message: the order of the axes is not known}]"
    assert draft.asked == {"Img.require": {"order": "case: C"}}


@pytest.mark.parametrize("members", [IMAGE, "double *data; int n;", f"{MATRIX} int tda;"])
def test_rows_of_images_and_strides_have_an_order(tmp_path: Path, members: str) -> None:
    draft = drafted(tmp_path, members)
    assert "order" not in slot(draft, "require")
    assert draft.asked.get("Img.require", {}) == {}


@pytest.mark.parametrize(
    ("answer", "order", "is_required"),
    [("any", "", False), ("case: C", "", False), ("case: F", "F", False), ("case", "", True), ("match", "", True)],
)
def test_an_answer_tells_the_order(tmp_path: Path, answer: str, order: str, is_required: bool) -> None:
    draft = drafted(tmp_path, MATRIX, order=answer)
    assert slot(draft, "order") == order
    assert bool(slot(draft, "require")) == is_required
    assert slot(draft, "shape").startswith("[self->rows, self->cols]")
    assert draft.asked == {}


# ---- Answers ----


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("any", ""),
        ("case", condition("bpp", "8", "bpp is not 8")),
        ("match", condition("bpp", "8", "bpp is not 8")),
        ("case: 16", condition("bpp", "16", "bpp is not 16")),
        ("case: 8, 16", "[{expr: self->bpp == 8 || self->bpp == 16, message: bpp is not 8 or 16}]"),
    ],
)
def test_an_answer_tells_the_values_of_a_member(tmp_path: Path, answer: str, expected: str) -> None:
    draft = drafted(tmp_path, f"{IMAGE} int bpp;", bpp=answer)
    assert slot(draft, "require") == expected
    assert draft.asked == {}


def test_an_answer_decides_only_its_member(tmp_path: Path) -> None:
    draft = drafted(tmp_path, f"{IMAGE} int bpp; int packed;", bpp="any")
    assert slot(draft, "require") == condition("packed", "0", "packed is set")
    assert draft.asked == {"Img.require": {"packed": "case: 0"}}


@pytest.mark.parametrize(
    ("member", "answer", "expected"),
    [
        ("format", "case: 3", condition("format", "3", "format is not 3")),
        ("format", "any", ""),
        ("wpl", "any", ""),
    ],
)
def test_an_answer_about_an_unknown_format_completes_the_tensor(
    tmp_path: Path, member: str, answer: str, expected: str
) -> None:
    draft = drafted(tmp_path, f"{IMAGE} int {member};", **{member: answer})
    assert slot(draft, "data") == "self->data"
    assert slot(draft, "require") == expected


def test_case_without_a_value_decides_nothing_about_an_unknown_format(tmp_path: Path) -> None:
    draft = drafted(tmp_path, f"{IMAGE} int format;", format="case")
    assert "data" not in [line.strip().partition(":")[0] for line in draft.entries["Img"].splitlines()]


# ---- Functions that describe an opaque object ----

OPAQUE = """\
typedef struct lib_img lib_img;
lib_img *lib_img_new(int w);
void lib_img_free(lib_img *i);
unsigned char *lib_img_data(CONST lib_img *i);
int lib_img_width(CONST lib_img *i);
int lib_img_height(CONST lib_img *i);
"""


def test_a_tensor_calls_only_functions_that_are_decided(tmp_path: Path) -> None:
    """A function that is not `const` could move the memory which another one has returned."""
    draft = proposed(tmp_path, OPAQUE.replace("CONST ", ""))
    names = ["lib_img_data", "lib_img_width", "lib_img_height"]
    assert {name: draft.questions_about(name).get("Img.data") for name in names} == dict.fromkeys(names, "reads")
    assert slot(draft, "data") == ""
    answers = {"Img.data": dict.fromkeys(names, "reads")}
    draft = proposed(tmp_path, OPAQUE.replace("CONST ", ""), answers)
    assert slot(draft, "data").startswith("lib_img_data(self)")
    assert "Img.data" not in draft.asked
    some = {"Img.data": dict.fromkeys(names[:2], "reads")}
    draft = proposed(tmp_path, OPAQUE.replace("CONST ", ""), some)
    assert slot(draft, "data") == ""
    assert list(draft.asked["Img.data"]) == names[2:]
    assert slot(proposed(tmp_path, OPAQUE.replace("CONST ", ""), {**some, "objects": {names[2]: "plain"}}), "data")


def test_functions_of_a_const_object_need_no_answer_but_that_about_the_array(tmp_path: Path) -> None:
    draft = proposed(tmp_path, OPAQUE.replace("CONST", "const"))
    assert draft.asked == {"Img.data": {"lib_img_data": "reads"}}
