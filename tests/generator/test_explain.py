"""The command `explain`: its text for known specs, facts that each text must have, and its refusals."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from dlpack_bindgen.emit.module import Module
from dlpack_bindgen.emit.render import stub
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.diagnostics import Advisor
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools.explain import known_names
from generator.command import here, program, refused
from support.specs import committed_specs, find_wrong_specs
from support.validated import explanation

__all__ = ["here"]

TOP = Path(__file__).resolve().parents[2]
EXPLAINED = Path(__file__).parent / "explained"
GOLDEN = {
    "imaging": TOP / "specs" / "imaging.yaml",
    "avframe": TOP / "specs" / "avframe.yaml",
    "options": TOP / "docs" / "examples" / "options.yaml",
}
SPECS = [
    *committed_specs(),
    *sorted(TOP.glob("docs/examples/*.yaml")),
    *sorted(TOP.glob("tests/**/*.yaml")),
]
TEXTS = {str(path.relative_to(TOP)): path.read_bytes() for path in SPECS}
TEXTS |= {name: case.content for name, case in find_wrong_specs().items()}


def specs_in(name: str, content: bytes) -> list[Spec]:
    """Returns the specs of a file, or none: a few files are only parts of tests."""
    specs, problems = validate([load(name, content)], Advisor)
    return [] if problems else specs


def class_with(keys: str, name: str = "Matrix") -> str:
    """Explains a class with these keys beside type and release."""
    lines = "".join(f"    {line}\n" for line in keys.strip().split("\n"))
    text = f"module: probe\ninclude: [probe.h]\ntensors:\n  Matrix:\n    type: matrix\n    release: free(self)\n{lines}"
    return explanation(text, name)


def section(text: str, name: str) -> str:
    """Returns the lines below a heading, up to the next one."""
    lines = text.split("\n")
    start = lines.index(name) + 2
    ends = [at for at in range(start + 1, len(lines)) if lines[at] and {*lines[at]} <= {*"-="}]
    return "\n".join(lines[start : (ends[0] - 1 if ends else len(lines))]).rstrip()


# ---- The text ----


@pytest.mark.parametrize("name", GOLDEN)
def test_explain_prints_the_recorded_text(name: str) -> None:
    """Record a changed text with: dlpack-bindgen explain SPEC > tests/generator/explained/NAME.txt"""
    assert explanation(GOLDEN[name].read_text(encoding="utf-8"), file=GOLDEN[name].name) == (
        EXPLAINED / f"{name}.txt"
    ).read_text(encoding="utf-8")


def test_explain_always_prints_the_same_text() -> None:
    command = [sys.executable, "-m", "dlpack_bindgen", "explain", str(TOP / "specs" / "gsl.yaml")]
    texts = {
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True).stdout
        for seed in ("1", "2", "3")
    }
    assert len(texts) == 1


def test_the_page_shows_a_part_of_the_recorded_text() -> None:
    page = (TOP / "docs" / "using.md").read_text(encoding="utf-8")
    _, _, review = page.partition("### Review a spec\n")
    excerpt = review.partition("```text\n")[2].partition("```")[0]
    assert excerpt.startswith("Memory\n------\n")
    assert excerpt in (EXPLAINED / "imaging.txt").read_text(encoding="utf-8")


def names_in(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Finds the names of a stub that users of the module see: classes, functions, members and constants."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name
            yield from names_in(node.body)
        if isinstance(node, ast.FunctionDef) and node.name != "__new__":
            yield node.name
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (each.id for each in targets if isinstance(each, ast.Name) and not each.id.startswith("_"))


@pytest.mark.parametrize("name", TEXTS)
def test_each_spec_can_be_explained(name: str) -> None:
    for spec in specs_in("spec.yaml", TEXTS[name]):
        content = TEXTS[name].decode()
        text = explanation(content)
        assert [line for line in text.split("\n") if len(line) > 80 or line != line.rstrip()] == []
        names = {*known_names(spec), *names_in(ast.parse(stub(Module(spec))).body)}
        assert {name for name in names if name not in text} == set()
        for name in known_names(spec)[:1]:
            assert name in explanation(content, name)


def test_enough_specs_are_explained() -> None:
    assert len(TEXTS) > 200


def test_names_of_emitted_variables_are_shown_as_in_the_spec() -> None:
    """The generator marks these names in the C code of the spec. Readers see the names."""
    text = class_with("data: self->data\ndtype: uint8\nshape: [self->view, self->error]")
    assert "shape        [self->view, self->error]" in text


def test_names_of_headers_are_shown_as_in_the_spec() -> None:
    text = class_with("data: state->data\ndtype: uint8\nshape: [STATE(state)]\nparams: [int state = 0]")
    assert "_DLBNAME_" not in text


def test_a_method_may_have_a_keyword_as_its_name() -> None:
    """`getattr(whole, "from")()` calls it, but no stub can define it."""
    tensor = "type: t, data: self->data, dtype: uint8, shape: [self->n], release: t_free(self)"
    text = f"module: m\ninclude: [m.h]\ntensors:\n  From: {{{tensor}}}\n  Whole: {{{tensor}}}\n"
    assert "whole(self, /) -> Whole" in explanation(text)


# ---- Drawings ----


def drawing(keys: str, dtype: str = "float32") -> str:
    text = section(class_with(f"dtype: {dtype}\n{keys}"), "Memory")
    return text.partition("\n\n")[2]


PADDED = """\
  self->data --> [0,0]  [0,1]  ... [0,-1]  ~~~~
                 [1,0]  [1,1]  ... [1,-1]  ~~~~
                 ...
                 [-1,0] [-1,1] ... [-1,-1]
                 |<--- self->ld elements ---->|

  axis  elements    distance to the next element
  0     self->rows  self->ld elements
  1     self->cols  1 element"""
COLUMNS = """\
  self->data --> [0,0]  [1,0]  ... [-1,0]  ~~~~
                 [0,1]  [1,1]  ... [-1,1]  ~~~~
                 ...
                 [0,-1] [1,-1] ... [-1,-1]
                 |<--- self->ld elements ---->|

  axis  elements    distance to the next element
  0     self->rows  1 element
  1     self->cols  self->ld elements"""
UPWARDS = """\
                                               [-1,0] [-1,1] ... [-1,-1] ~~~~
                                               ...
                                               [1,0]  [1,1]  ... [1,-1]  ~~~~
  self->data + (self->h - 1) * self->pitch --> [0,0]  [0,1]  ... [0,-1]
                                               |<--- -self->pitch bytes --->|

  axis  elements  distance to the next element
  0     self->h   -self->pitch bytes
  1     self->w   1 element"""
POINTERS = """\
  self->rows[0] --> [0,0]  [0,1]  ... [0,-1]  ~~~~
  self->rows[1] --> [1,0]  [1,1]  ... [1,-1]  ~~~~
                    ...
           last --> [-1,0] [-1,1] ... [-1,-1]

  axis  elements  distance to the next element
  0     self->h   the next pointer in self->rows
  1     self->w   1 element"""
PLANES = """\
  self->data --> [0,0,0]  [0,0,1]  ... [0,0,-1]  ~~~~
                 [0,1,0]  [0,1,1]  ... [0,1,-1]  ~~~~
                 ...
                 [0,-1,0] [0,-1,1] ... [0,-1,-1] ~~~~
                 ~~~~
                 [1,0,0]  [1,0,1]  ... [1,0,-1]  ~~~~
                 ...
                 |<------ self->row elements ------>|

  axis  elements  distance to the next element
  0     self->n   self->plane elements
  1     self->h   self->row elements
  2     self->w   1 element"""
CHANNELS = """\
  self->data --> [0,0,0] [0,1,0] ... [-1,-1,0]
                 [0,0,1] [0,1,1] ... [-1,-1,1]
                 [0,0,2] [0,1,2] ... [-1,-1,2]

  axis  elements  distance to the next element
  0     self->h   self->w elements
  1     self->w   1 element
  2     3         self->h * self->w elements"""
SMALL = """\
  self->data --> [0,0] [0,1] [0,2]
                 [1,0] [1,1] [1,2]
                 |<- 3 elements >|

  axis  elements  distance to the next element
  0     2         3 elements
  1     3         1 element"""
SPREAD = """\
  self->data --> [0] ~ [1] ~ ... ~ [-1]

  axis  elements  distance to the next element
  0     self->n   self->step elements"""
REVERSED = """\
  self->data --> [0,0]  [0,1]  ... [0,-1]  ~~~~
                 [1,0]  [1,1]  ... [1,-1]  ~~~~
                 ...
                 [-1,0] [-1,1] ... [-1,-1]
                 |<--- self->pitch bytes ---->|

  axis  elements  distance to the next element
  0     self->h   self->pitch bytes
  1     self->w   1 element"""
ANY_RANK = """\
  There are self->rank axes; drawn for two:
  self->data --> [0,0]  ~ [0,1]  ~ ... ~ [0,-1]  ~ ~~~~
                 [1,0]  ~ [1,1]  ~ ... ~ [1,-1]  ~ ~~~~
                 ...
                 [-1,0] ~ [-1,1] ~ ... ~ [-1,-1]
                 |<------ self->step[0] bytes ------->|

  axis  elements        distance to the next element
  0     self->shape[0]  self->step[0] bytes
  1     self->shape[1]  self->step[1] bytes"""


@pytest.mark.parametrize(
    ("keys", "drawn"),
    [
        ("data: self->data\nshape: [self->rows, self->cols]\nstrides: {outer: self->ld}", PADDED),
        ("data: self->data\nshape: [self->rows, self->cols]\nstrides: {outer: self->ld}\norder: F", COLUMNS),
        (
            "data: self->data + (self->h - 1) * self->pitch\nshape: [self->h, self->w]\n"
            "strides: {outer: -self->pitch, unit: bytes}",
            UPWARDS,
        ),
        ("data: self->rows[0]\nshape: [self->h, self->w]\nstrides: {rows: self->rows}", POINTERS),
        ("data: self->data\nshape: [self->n, self->h, self->w]\nstrides: [self->plane, self->row, 1]", PLANES),
        ("data: self->data\nshape: [self->h, self->w, 3]\nstrides: [self->w, 1, self->h * self->w]", CHANNELS),
        ("data: self->data\nshape: [2, 3]", SMALL),
        ("data: self->data\nshape: [self->n]\nstrides: [self->step]", SPREAD),
        (
            "data: self->data\nshape: [self->w, self->h]\norder: reversed\nstrides: {outer: self->pitch, unit: bytes}",
            REVERSED,
        ),
        (
            'data: self->data\nshape: {ndim: self->rank, each: "self->shape[axis]"}\n'
            'strides: {each: "self->step[axis]", unit: bytes}',
            ANY_RANK,
        ),
        ("data: self->data\nshape: []", "  self->data --> [ ]"),
        ("data: self->base\nbyte_offset: self->at\nshape: []", "  self->base + self->at bytes --> [ ]"),
    ],
    ids=[
        "padded",
        "columns",
        "upwards",
        "pointers",
        "planes",
        "channels",
        "small",
        "spread",
        "reversed",
        "any",
        "none",
        "byte offset",
    ],
)
def test_the_layout_of_an_array_is_drawn(keys: str, drawn: str) -> None:
    assert drawing(keys) == drawn


def test_arrays_of_many_axes_are_not_drawn() -> None:
    text = section(class_with("dtype: uint8\ndata: self->data\nshape: [a(), b(), c(), d(), e(), 1 + f()]"), "Memory")
    assert text.startswith("  axis  elements  distance to the next element\n")
    assert "-->" not in text
    assert "  0     a()       b() * c() * d() * e() * (1 + f()) elements\n" in text


def test_elements_that_share_bytes_are_described() -> None:
    text = class_with("dtype: uint4\ndata: self->data\nshape: [self->n]")
    assert "Elements of 4 bits share bytes, without gaps." in section(text, "Array")


def test_arrays_of_records_list_their_fields() -> None:
    """DLPack has no dtype for them."""
    text = explanation(
        "module: m\ninclude: [m.h]\nrecords: {hit: [x, y]}\ntensors:\n  Hits: {type: hits, data: self->at, "
        "dtype: {c: hit}, shape: [self->n]}\n",
        "Hits",
    )
    assert "hits, an array of records." in text
    assert "dtype        records with the fields x and y (C's hit)" in section(text, "Array")
    assert "DLPack has no records: __dlpack__() raises a BufferError." in section(text, "Array")


def test_four_layouts_of_a_match_are_drawn() -> None:
    arms = "".join(
        f"\n    - {{when: K{rank}, shape: [{', '.join(f'self->n{axis}' for axis in range(rank))}]}}"
        for rank in range(6)
    )
    text = section(class_with(f"dtype: uint8\ndata: self->data\nmatch:\n  of: self->kind\n  arms:{arms}"), "Memory")
    assert text.count("-->") == 4
    assert text.endswith("2 more layouts are not drawn.")
    assert "  For K2:\n  self->data --> [0,0]" in text


# ---- Arguments, results and members ----


def test_the_section_of_an_import_lists_its_requirements() -> None:
    keys = """
dtype: float32
data: self->data
shape: [self->n, 3]
order: F
import:
  require: [writable, {expr: "shape[0] > 0", message: it is empty}]
  set: {data: data, n: "shape[0]"}
"""
    text = section(class_with(keys), "Import: from_dlpack(x)")
    assert text.startswith("  An object that shows the memory of x, without a copy.")
    assert "  The extents must be [any, 3].\n  The axes must be in column-major order.\n" in text
    assert "  * shape[0] > 0 (it is empty)\n" in text


ARGUMENTS = """\
module: probe
include: [probe.h]
arrays: Array
handles: {Net: {type: net, release: net_free(self)}}
functions:
  feed:
    c: int net_feed(net *n, const float *x, size_t count, int kind, net *other, char *name, double *out, void *user)
    args:
      n: {keeps: x, replaces: true}
      count: {count_of: x, plus: -1}
      kind: {value: NET_PLAIN}
      other: {takes: always}
      name: {of: str, takes: true}
      out: {out: true}
      user: {value: NULL}
    ok: == 0
    finally: net_unlock(n)
"""


@pytest.mark.parametrize(
    "fact",
    [
        "`n` is written.",
        "`x` is read: an array of float32, compact.",
        "`count` is the number of elements of `x`, minus 1.",
        "`kind` is always NET_PLAIN.",
        "`other` is written; it is taken over, and closed, also by a call that fails;",
        "`name` is copied, and the copy is taken over, unless the call fails.",
        "`out` is filled by C.",
        "`n` keeps `x` alive from now on, until the next call.",
        "C succeeds if result == 0.",
        "At the end, C runs net_unlock(n).",
    ],
)
def test_a_function_lists_arguments_success_and_cleanup(fact: str) -> None:
    assert f"    {fact}" in explanation(ARGUMENTS, "feed")


def test_a_class_comes_with_its_functions() -> None:
    text = explanation((TOP / "specs" / "gsl.yaml").read_text(encoding="utf-8"), "Permutation")
    assert "\n  LU_decomp(" in text
    assert "\n  mean(" not in text
    assert "Class Matrix" not in text


VALUES = """\
module: probe
include: [probe.h]
tensors:
  Image: {type: image, pass: value, data: self.p, dtype: uint8, shape: [self.n]}
handles:
  Point: {type: point, release: (void)self, properties: {x: {get: self->x, type: float}}}
  Plan: {type: plan, pass: value, release: plan_free(self)}
functions:
  norm: {c: "double norm(point at)"}
  run: {c: "void run(plan p)"}
  mean: {c: "double mean(image of)"}
  read: {c: "double read(image of)", args: {of: {writes: false}}}
"""


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("norm", "`at` is passed by value."),
        ("run", "`p` is passed by value."),
        ("mean", "`of` may be written: Image."),
        ("read", "`of` is read: Image."),
    ],
)
def test_an_argument_says_if_it_is_passed_by_value(name: str, fact: str) -> None:
    assert f"    {fact}\n" in explanation(VALUES, name)


def test_only_a_handle_with_an_import_has_a_section_about_it() -> None:
    assert "Import: from_dlpack(x)" in explanation(VALUES, "Image")
    assert "Import: from_dlpack(x)" not in explanation(VALUES, "Plan")


OWNERS = """\
module: probe
include: [probe.h]
handles: {Net: {type: net, release: net_free(self)}}
functions:
  made: {c: "net *net_new(int kind)"}
  same: {c: "net *net_tuned(net *n)"}
  found: {c: "net *net_default(void)", returns: {of: Net, borrow: static}}
  filled: {c: "int net_read(const char *file, net **out)", args: {file: path, out: {out: true}}, ok: == 0}
"""


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("made", "Python owns the result, and releases it after the last use."),
        ("same", "Python owns the result, and releases it after the last use, unless it is an argument."),
        ("found", "The result stays the library's."),
        ("filled", "Python owns `out`, and releases it after the last use."),
    ],
)
def test_a_function_says_who_owns_its_results(name: str, fact: str) -> None:
    assert fact in " ".join(explanation(OWNERS, name).split())


def test_one_member_can_be_explained_alone(capsys: pytest.CaptureFixture[str]) -> None:
    spec = str(TOP / "specs" / "imaging.yaml")
    text = Path(spec).read_text(encoding="utf-8")
    first = {
        "Image.copy": "  copy(self, /) -> Image",
        "Image.width": "  width: int",
        "Image.new": "  Image(width: int, height: int, channels: int = 3)",
        "Image.from_dlpack": "  classmethod from_dlpack(cls, x: _Array, /, *,",
        "Image.empty": "  classmethod empty(cls, /, shape: _Shape, *,",
    }
    for name, line in first.items():
        assert main(["explain", spec, name]) == 0
        lines = capsys.readouterr().out.split("\n")
        assert lines[0] == line
        whole = explanation(text, "Image").split("\n")
        assert {each for each in lines if each.startswith("    ")} <= set(whole)
    assert "After the last use, the object is destroyed: image_unref(self)." in explanation(text, "Image.from_dlpack")
    assert "The library makes the object: image_create(" in explanation(text, "Image.empty")
    assert "    C: image_t *image_copy(const image_t *image)\n" in explanation(text, "Image.copy")


def test_an_unknown_member_is_an_error_with_suggestions(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = str(TOP / "specs" / "imaging.yaml")
    assert refused(capsys, "explain", spec, "Image.flp") == (
        "Image has no method or property 'flp'; did you mean 'Image.flip'?"
    )
    properties = ", ".join(f"x{index}: self->x{index}" for index in range(13))
    handles = f"{{Many: {{type: many, properties: {{{properties}}}}}, Plan: {{type: plan, release: plan_free(self)}}}}"
    Path("many.yaml").write_text(f"module: many\ninclude: [many.h]\nhandles: {handles}\n")
    assert refused(capsys, "explain", "many.yaml", "Many.size") == (
        "Many has no method or property 'size'; 'dlpack-bindgen explain many.yaml Many' lists all"
    )
    assert (
        refused(capsys, "explain", "many.yaml", "Plan.shape") == "Plan has no method or property 'shape'; it has none"
    )
    assert refused(capsys, "explain", spec, "Image.save") == (
        "Image has no method or property 'save': it is a function, 'save'"
    )


def test_alternatives_of_one_name_are_explained_together() -> None:
    text = explanation(
        "module: norms\ninclude: [norms.h]\nfunctions:\n"
        '  one: {c: "double norm(const double *x, size_t n)", args: {n: {count_of: x}}, name: norm}\n'
        '  two: {c: "double norm_of(const double *x, size_t n, int p)", args: {n: {count_of: x}}, name: norm}\n',
        "norm",
    )
    assert text.startswith(
        "  norm(x: _Array | collections.abc.Sequence[float]) -> float\n"
        "  norm(x: _Array | collections.abc.Sequence[float], p: int) -> float\n"
        "    C: double norm(const double *x, size_t n)\n"
    )
    assert "    C: double norm_of(const double *x, size_t n, int p)\n" in text


# ---- The command ----


def test_the_command_prints_the_text(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "tiny.yaml"]) == 0
    out, err = capsys.readouterr()
    text = (here / "tiny.yaml").read_text(encoding="utf-8")
    assert (out, err) == (explanation(text, file="tiny.yaml"), "")
    assert main(["explain", "tiny.yaml", "Tiny"]) == 0
    assert capsys.readouterr().out == explanation(text, "Tiny", "tiny.yaml")


def test_mistakes_of_the_spec_are_reported_as_by_generate(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The messages are those of `generate`."""
    (here / "bad.yaml").write_text("dlpack-bindgen: 1\nmodule: bad\ntensors:\n  A: {type: a_t, shpe: [1]}\n")
    assert main(["generate", "bad.yaml", "--list-outputs"]) == 1
    expected = capsys.readouterr()
    assert main(["explain", "bad.yaml", "A"]) == 1
    assert capsys.readouterr() == expected
    assert "did you mean 'shape'?" in expected.err
    assert main(["explain", "bad.yaml", "--error-format", "json"]) == 1
    assert capsys.readouterr().err.startswith('{"severity": "error", "code": ')


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain"], "the following arguments are required: SPEC"),
        (["explain", ""], "argument SPEC: must not be empty"),
        (["explain", "tiny.yaml", "Tinny"], "tiny.yaml has no class or function 'Tinny'; did you mean 'Tiny'?"),
        (["explain", "tiny.yaml", "Picture"], "tiny.yaml has no class or function 'Picture'; it has Tiny"),
        (["explain", "tiny.yaml", "Tinny.length"], "tiny.yaml has no class 'Tinny'; did you mean 'Tiny'?"),
        (["explain", "tiny.yaml", "Tiny.lenght"], "Tiny has no method or property 'lenght'; it has none"),
        (["explain", "tiny.yaml", "Tiny.close"], "'Tiny.close' does not depend on the spec: docs/using.md"),
        (["explain", "tiny.yaml", "Tiny."], "'Tiny.' is not a name of Python: 'explain' reads one spec"),
        (["explain", "tiny.yaml", "Tiny.a.b"], "'Tiny.a.b' is not a name of Python: 'explain' reads one spec"),
        (["explain", "tiny.yaml", "other.yaml"], "'other.yaml' is not a name of Python: 'explain' reads one spec"),
        (["explain", "tiny.yaml", "Tiny", "Tiny"], "unrecognized arguments: Tiny (see dlpack-bindgen explain --help)"),
        (["explain", "missing.yaml"], "cannot read missing.yaml: No such file or directory"),
        (["explain", "."], "cannot read .: Is a directory"),
    ],
)
def test_wrong_arguments_are_refused_with_a_message(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert message in refused(capsys, *arguments)


def test_an_unknown_name_in_a_long_spec_leads_to_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    spec = str(TOP / "specs" / "gsl.yaml")
    message = refused(capsys, "explain", spec, "Picture")
    assert message == f"{spec} has no class or function 'Picture'; 'dlpack-bindgen explain {spec}' lists all"


def test_a_spec_is_read_from_stdin(here: Path) -> None:
    with open("tiny.yaml", "rb") as file:
        result = program("explain", "-", stdin=file.fileno(), stdout=subprocess.PIPE)
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"Class Tiny: tiny_t *\n" in result.stdout


def test_a_closed_pipe_ends_the_command_without_a_message(here: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        result = program("explain", "tiny.yaml", stdout=writer)
    finally:
        os.close(writer)
    assert (result.returncode, result.stderr) == (141, b"")


def test_a_full_output_stream_is_an_error(here: Path) -> None:
    with open("/dev/full", "wb") as full:
        result = program("explain", "tiny.yaml", stdout=full.fileno())
    assert (result.returncode, result.stderr) == (
        2,
        b"dlpack-bindgen: error: cannot write the output: No space left on device\n",
    )


def test_missing_templates_are_an_error(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dlpack_bindgen.resources import ResourceError

    def missing(_: object) -> str:
        raise ResourceError("no templates are installed")

    monkeypatch.setattr("dlpack_bindgen.tools.explain.stub", missing)
    assert refused(capsys, "explain", "tiny.yaml") == "no templates are installed"
