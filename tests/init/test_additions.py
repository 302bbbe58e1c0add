"""`init --function`: functions that are added to an existing spec, whose other lines stay as they are."""

from __future__ import annotations

import difflib
import shutil
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from generator.command import refused
from init.conftest import HEADERS, compile_generated

SPEC = """\
# Pictures.
module: picture
include: [picture.h]
tensors:
  Image:
    type: pic_image   # the struct
    data: self->pixels
    dtype: uint8
    shape: [self->height, self->width, self->channels]
    strides: {outer: self->pitch, unit: bytes}
    release: pic_image_free(self)
    # ---- methods ----
    methods:
      # Copies.
      copy: {c: pic_image *pic_image_copy(const pic_image *image)}
      # the end of the methods

# ---- the end ----
"""
BRACES = """\
module: picture
include: picture.h
tensors: {Image: {type: pic_image, data: self->pixels, dtype: uint8, shape: [self->height, self->width]}}
functions: {load: {c: "pic_status pic_image_load(const char *path, pic_image **out)", args: {path: path, out: {}}}}
""".replace("out: {}", "out: {out: true, borrow: static}")
SEVERAL = """\
module: several
include: several.h
handles: {List: {type: sev_list, release: sev_list_free(self)}}
functions:
  get_mode: {c: sev_mode sev_get_mode(void)}
"""
BLUR = "draft: {second object: {about: [pic_image_blur], answer: reads}}\n"
CURVES = """\
draft:
  input const float *x: {about: [pic_curve_apply], answer: {count: n}}
  output float *y: {about: [pic_curve_apply], answer: {count: n}}
  input const double *samples: {about: [pic_curve_mean], answer: {count: count}}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(HEADERS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def added(spec: str, *names: str) -> list[str]:
    """Returns the lines that a call adds to a spec; each other line must stay in its place."""
    Path("spec.yaml").write_text(spec)
    arguments = [part for name in names for part in ("--function", name)]
    assert main(["init", *arguments, "spec.yaml"]) == 0
    changes = list(difflib.ndiff(spec.splitlines(), Path("spec.yaml").read_text().splitlines()))
    assert [line for line in changes if line.startswith("-")] == []
    return [line[2:] for line in changes if line.startswith("+")]


def test_a_function_of_a_class_is_added_as_a_method(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its types tell that it only reads the object, so that nothing is asked."""
    assert added(SPEC, "pic_image_get_size") == [
        "      get_size:",
        "        c: size_t pic_image_get_size(const pic_image *image)",
    ]
    assert capsys.readouterr().out.splitlines() == ["wrote spec.yaml"]
    lines = Path("spec.yaml").read_text().splitlines()
    assert lines.index("      # the end of the methods") + 1 == lines.index("      get_size:")
    compile_generated(Path("spec.yaml").read_text(), here, [f"-I{here}"])


def test_an_answered_function_is_added(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert added(SPEC + BLUR, "pic_image_blur") == [
        "      blur:",
        "        c: pic_status pic_image_blur(const pic_image *source, pic_image *target, int radius)",
        "        ok: == PIC_OK  # guess: the result is a status",
        "        error: pic_strerror(result)",
    ]
    assert capsys.readouterr().out.splitlines() == [
        "wrote spec.yaml",
        "spec.yaml: a guess about pic_image_blur: the result is a status",
    ]
    compile_generated(Path("spec.yaml").read_text(), here, [f"-I{here}"])


def test_an_answer_about_another_function_does_not_count(here: Path) -> None:
    lines = added(SPEC + BLUR.replace("pic_image_blur", "pic_image_copy"), "pic_image_blur")
    assert lines[0].startswith("      # open: second object: reads, keeps, takes or moves?")
    assert "      # blur:" in lines
    assert all(line.startswith("      # ") for line in lines)


def test_functions_are_added_with_a_new_section(here: Path) -> None:
    """The questions stay at the end."""
    assert added(SPEC + CURVES, "pic_curve_apply", "pic_curve_mean") == [
        "functions:",
        "  curve_apply:",
        "    c: void pic_curve_apply(const float *x, float *y, size_t n)",
        "    args: {n: {count_of: x}, y: {require: [{count: n}]}}",
        "  curve_mean:",
        "    c: double pic_curve_mean(const double *samples, int count)",
        "    args: {count: {count_of: samples}}",
        "",
    ]
    lines = Path("spec.yaml").read_text().splitlines()
    assert lines.index("# ---- the end ----") < lines.index("functions:") < lines.index("draft:")
    compile_generated(Path("spec.yaml").read_text(), here, [f"-I{here}"])


def test_functions_are_added_between_braces(here: Path) -> None:
    questions = CURVES + BLUR.removeprefix("draft: {").replace("second object", "  second object").replace("}}", "}")
    Path("spec.yaml").write_text(BRACES + questions)
    assert main(["init", "--function", "pic_image_blur", "--function", "pic_curve_mean", "spec.yaml"]) == 0
    text = Path("spec.yaml").read_text()
    assert text.splitlines()[2].endswith(
        ', methods: {blur: {c: "pic_status pic_image_blur(const pic_image *source, pic_image *target, int radius)", '
        "ok: == PIC_OK, error: pic_strerror(result)}}}}"
    )
    assert text.splitlines()[3].endswith(
        ', curve_mean: {c: "double pic_curve_mean(const double *samples, int count)", '
        "args: {count: {count_of: samples}}}}"
    )
    assert text.endswith(questions)
    compile_generated(text, here, [f"-I{here}"])


def test_functions_with_open_questions_are_comments(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are written as suggested, but a person must read them first."""
    first, *lines = added(SEVERAL, "sev_sort")
    assert first.startswith("  # open: output double data[]: one, count")
    assert lines == [
        "  # sort:",
        "  #   c: void sev_sort(double data[], size_t stride, size_t n)",
        "  #   args: {n: {count_of: data}}",
    ]
    assert "spec.yaml: sev_sort is a comment: open: output double data[]: " in capsys.readouterr().out
    compile_generated(Path("spec.yaml").read_text(), here, [f"-I{here}"])


def test_all_open_questions_are_named(here: Path) -> None:
    text = " ".join("".join(line.replace("#", "") for line in added(SEVERAL, "sev_matvec")).split())
    for question in ("input const float *a", "input const float *x", "output float *y"):
        assert f"{question}: one, count" in text
    assert "matvec" not in "".join(each for each in Path("spec.yaml").read_text().splitlines() if "#" not in each)


def test_refused_functions_are_comments(here: Path) -> None:
    answer = "draft: {output sev_real *values: {about: [sev_fill], answer: {count: n}}}\n"
    first, *_ = added(SEVERAL + answer, "sev_fill")
    assert first.startswith("  # the generator refuses it: the type 'sev_real *' of 'values' is unknown")
    compile_generated(Path("spec.yaml").read_text(), here, [f"-I{here}"])


def test_a_function_whose_name_is_taken_gets_another_key(here: Path) -> None:
    answer = "draft: {input const double *samples: {about: [pic_curve_mean], answer: {count: count}}}\n"
    spec = SPEC + 'functions:\n  curve_mean: {c: "const char *pic_strerror(pic_status status)"}\n' + answer
    assert added(spec, "pic_curve_mean")[0] == "  curve_mean_:"
    compile_generated(Path("spec.yaml").read_text(), here, [f"-I{here}"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["--function", "pic_imag_blur", "spec.yaml"],
            "picture.h declares no function pic_imag_blur: did you mean pic_image_blur?",
            id="no such function",
        ),
        pytest.param(
            ["--function", "pic_image_copy", "spec.yaml"],
            "the spec calls pic_image_copy already: change that entry",
            id="called already",
        ),
        pytest.param(
            ["--function", "f", "absent.yaml"], "cannot read absent.yaml: No such file or directory", id="no spec"
        ),
        pytest.param(
            ["--function", "f", "spec.yaml", "--type", "t"],
            "argument --function: not allowed with argument --type (see dlpack-bindgen init --help)",
            id="with --type",
        ),
        pytest.param(
            ["--function", "f", "missing.yaml"],
            "missing.h:1 includes missing_config.h, which is not found: install it, or add its folder, -- -IFOLDER",
            id="missing include",
        ),
        pytest.param(
            ["--function", "f", "spec.yaml", "-o", "other.yaml"],
            "argument --function: not allowed with argument -o/--output (see dlpack-bindgen init --help)",
            id="with -o",
        ),
        pytest.param(
            ["--function", "f", "spec.yaml", "--force"],
            "argument --function: not allowed with argument --force (see dlpack-bindgen init --help)",
            id="with --force",
        ),
        pytest.param(
            ["--function", "f", "-"], "a function is added to a file, not to stdin: name the spec", id="stdin"
        ),
        pytest.param(
            ["--function", "pic_image_blur", "picture.h"],
            "picture.h is a header: --function adds to a spec, which stands in the place of HEADER",
            id="a header",
        ),
        pytest.param(
            ["--function", "pic_imag_blur", "two.yaml"],
            "picture.h, rows.h declare no function pic_imag_blur: did you mean pic_image_blur?",
            id="two headers",
        ),
        pytest.param(
            ["--function", "cairo_fill", "two.yaml"],
            "picture.h, rows.h declare no function cairo_fill: add its header to `include`",
            id="the header of another library",
        ),
        pytest.param(
            ["--function", "f", "broken.yaml"],
            "broken.h:3 does not compile: unknown type name 'lib_int'; include what it needs, -- -include HEADER; "
            "the spec includes picture.h, broken.h",
            id="the second header does not compile",
        ),
        pytest.param(
            ["--function", "f", "absent_header.yaml"],
            "the spec includes absent.h, which is not found: install it, or add its folder, -- -IFOLDER",
            id="the second header is missing",
        ),
        pytest.param(
            ["--function", "f", "no_include.yaml"],
            "the spec has no `include`: add the header that declares f",
            id="no include",
        ),
    ],
)
def test_wrong_arguments_and_specs_are_refused(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (here / "spec.yaml").write_text(SPEC)
    (here / "missing.yaml").write_text(SPEC.replace("picture.h", "missing.h"))
    (here / "two.yaml").write_text(SPEC.replace("picture.h", "picture.h, rows.h"))
    (here / "broken.yaml").write_text(SPEC.replace("picture.h", "picture.h, broken.h"))
    (here / "absent_header.yaml").write_text(SPEC.replace("picture.h", "picture.h, absent.h"))
    (here / "no_include.yaml").write_text("module: alone\nconstants: {ONE: 1}\n")
    assert refused(capsys, "init", *arguments) == message
    assert (here / "spec.yaml").read_text() == SPEC


def test_an_invalid_spec_is_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "spec.yaml").write_text(SPEC.replace("dtype", "dtyp"))
    assert main(["init", "--function", "pic_image_blur", "spec.yaml"]) == 1
    assert "spec.yaml:8:5: error: 'dtyp' is not a key of a tensor" in capsys.readouterr().err


def test_an_object_whose_memory_may_move_gets_invalidates(here: Path) -> None:
    spec = """\
module: owners
include: owners.h
tensors:
  Array: {type: own_array, data: self->data, dtype: float64, shape: [self->length], release: own_array_free(self)}
functions:
  swap: {c: "void own_array_swap(own_array *a, own_array *b)"}
draft: {objects with a doubtful name: {about: [own_array_resize], answer: moves}}
"""
    (here / "spec.yaml").write_text(spec)
    assert main(["init", "--function", "own_array_resize", "spec.yaml"]) == 0
    method = 'methods: {resize: {c: "int own_array_resize(own_array *array, size_t length)", '
    assert method + "args: {array: {invalidates: true}}}}" in (here / "spec.yaml").read_text()


def test_a_suggestion_is_no_answer(here: Path) -> None:
    """A function may move memory. Only its name tells that, so the entry is a comment, but it has the mark."""
    spec = """\
module: owners
include: owners.h
tensors:
  Array: {type: own_array, data: self->data, dtype: float64, shape: [self->length], release: own_array_free(self)}
draft: {objects with a doubtful name: {about: [own_array_resize], suggested: plain}}
"""
    lines = added(spec, "own_array_resize")
    assert all(line.lstrip().startswith("# ") for line in lines)
    assert lines[-1].endswith("args: {array: {invalidates: true}}")


def test_a_symbolic_link_to_a_spec_stays(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The spec behind the link changes, and the link stays."""
    (here / "specs").mkdir()
    target = here / "specs" / "picture.yaml"
    target.write_text(SPEC)
    shutil.copy("picture.h", "specs")
    Path("spec.yaml").symlink_to(target)
    assert main(["init", "--function", "pic_image_blur", "spec.yaml"]) == 0
    assert Path("spec.yaml").is_symlink()
    assert "pic_image_blur" in target.read_text()
    assert capsys.readouterr().out.splitlines()[0] == "wrote spec.yaml"


def test_braces_may_have_a_comment_before_the_end(here: Path) -> None:
    load = BRACES.splitlines()[3].removeprefix("functions: {").removesuffix("}")
    text = BRACES.replace(BRACES.splitlines()[3], f"functions: {{\n  {load},  # loads\n  # the end\n}}")
    Path("spec.yaml").write_text(text + CURVES)
    assert main(["init", "--function", "pic_curve_mean", "spec.yaml"]) == 0
    lines = Path("spec.yaml").read_text().removesuffix(CURVES).splitlines()
    assert lines[4].endswith("args: {count: {count_of: samples}}},  # loads")
    assert lines[5:] == ["  # the end", "}"]
