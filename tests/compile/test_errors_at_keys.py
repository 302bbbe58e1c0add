"""`generate --compile`: errors of the compiler are printed at the strings of the spec, with the remedy.

`«...»` marks the part of the spec that the error shows. Each kind of mistake is tried with gcc and clang. Their
messages differ; the words at the key do not."""

from __future__ import annotations

import json
import random
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from dlpack_bindgen.language.keys import Form
from dlpack_bindgen.language.values import C_FORMS, Leaf
from dlpack_bindgen.spec.check import fields_of, validate
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools import config
from dlpack_bindgen.tools.compiler_errors import compile_errors
from dlpack_bindgen.tools.generated_code import Generated, Node
from support.build import TOP

COMPILERS = ("gcc", "clang")
HEAD = "dlpack-bindgen: 1\nmodule: demo\ninclude: demo.h\n"
RING = "typedef struct { float *at; unsigned n; } ring;\nvoid ring_end(ring *r);\n"
RING_SPEC = """\
tensors:
  Ring:
    type: ring
    data: self->at
    dtype: float32
    shape: [self->n]
    release: ring_end(self)
"""
TILE_SPEC = """\
tensors:
  Tile:
    type: tile
    data: self->at
    dtype: uint8
    shape: [self->n]
    import:
"""
FOO = "typedef struct foo { int n; } foo_t;\nvoid foo_end(foo_t *f);\n"

Kind = tuple[str, str, list[str]]
"""A header, a spec with its marks, and the message at each mark, in their order."""


def ring(**slots: str) -> str:
    """Returns the spec of a ring with other slots."""
    text = RING_SPEC
    for slot, value in slots.items():
        text, count = re.subn(rf"(?m)^    {slot}: .*$", lambda _, new=f"    {slot}: {value}": new, text)  # type: ignore[misc]
        text += f"    {slot}: {value}\n" if not count else ""
    return text


KINDS: dict[str, Kind] = {
    "a missing member": (
        RING,
        ring(shape="[self->«nn»]"),
        ["'ring' has no member 'nn' (did you mean 'n'? its members are 'at', 'n')"],
    ),
    "a missing member of a struct in the struct": (
        "typedef struct { float *at; struct { int rows, cols; } size; } ring;\nvoid ring_end(ring *r);\n",
        ring(shape="[self->size.«row»]"),
        ["this struct has no member 'row' (did you mean 'rows'? its members are 'rows', 'cols')"],
    ),
    "a missing member of an element": (
        "struct dim { long extent; };\ntypedef struct { float *at; struct dim dims[2]; } ring;\n"
        "void ring_end(ring *r);\n",
        ring(shape="{ndim: 2, each: 'self->dims[axis].«size»'}"),
        ["'struct dim' has no member 'size' (its members are 'extent')"],
    ),
    "a missing member in a macro of the header": (
        RING + "#define RING_N(r) ((r)->len)\n",
        ring(shape="['«RING_N»(self)']"),
        ["'ring' has no member 'len' (its members are 'at', 'n')"],
    ),
    "a member without self": (
        RING,
        ring(data="«at»"),
        ["no header declares 'at' (did you mean 'self->at'?)"],
    ),
    "a struct whose members are not in the header": (
        "typedef struct ring_ ring;\nvoid ring_end(ring *r);\n",
        ring(type="«ring»", data="self->«at»", shape="[self->«n»]"),
        [
            "the headers declare 'ring' (struct ring_), but not its members (call functions of the library, or include "
            "the header that has the struct)"
        ]
        * 3,
    ),
    "another dtype": (
        RING,
        ring(data="«self->at»", dtype="float64"),
        ["Ring.data: self->at must be a pointer to float64; it is 'float *' (write dtype: float32)"],
    ),
    "another dtype than that of a typedef": (
        "typedef double *samples;\ntypedef struct { samples at; unsigned n; } ring;\nvoid ring_end(ring *r);\n",
        ring(data="«self->at»"),
        ["Ring.data: self->at must be a pointer to float32; it is 'double *' (write dtype: float64)"],
    ),
    "a pointer to pointers": (
        "typedef struct { float **at; unsigned n; } ring;\nvoid ring_end(ring *r);\n",
        ring(data="«self->at»"),
        ["Ring.data: self->at must be a pointer to float32; it is 'float **'"],
    ),
    "numbers that a call narrows": (
        RING + "ring *ring_new(unsigned n, short height);\n",
        ring(
            shape="[self->n, self->n]", allocate="{construct: 'ring_new(«shape[0]», shape[1])', require: [{ndim: 2}]}"
        ),
        [
            "'shape[0]' is 'int64_t' (long), and C converts it to 'unsigned', which may change the value (declare it: "
            "let: [{unsigned n: 'shape[0]'}, {short height: 'shape[1]'}], and pass n, height)"
        ],
    ),
    "a number that a call narrows, beside a 'let'": (
        RING + "ring *ring_new(unsigned n, int k);\n",
        ring(allocate="{let: [{int k: '3'}], construct: 'ring_new(«shape[0]», k)', require: [{ndim: 1}]}"),
        [
            "'shape[0]' is 'int64_t' (long), and C converts it to 'unsigned', which may change the value (declare it: "
            "add {unsigned n: 'shape[0]'} to 'let', and pass n)"
        ],
    ),
    "a const member": (
        "typedef struct { const long n; unsigned char *at; } tile;\n",
        TILE_SPEC + "      set: {«n»: 'shape[0]', at: data}\n",
        ["the member 'n' is const in C (write it beside 'set': const: [n])"],
    ),
    "a member that is const by its type": (
        "typedef const long fixed;\ntypedef struct { fixed n; unsigned char *at; } tile;\n",
        TILE_SPEC + "      set: {«n»: 'shape[0]', at: data}\n",
        ["the member 'n' is const in C (write it beside 'set': const: [n])"],
    ),
    "a pointer that is const, beside a 'const'": (
        "typedef struct { const long n; unsigned char *const at; } tile;\n",
        TILE_SPEC + "      set: {n: 'shape[0]', «at»: data}\n      const: [n]\n",
        ["the member 'at' is const in C (add 'at' to 'const')"],
    ),
    "an unknown type": (
        "#define X a##b\n" + FOO,
        "handles:\n  F:\n    type: «food_t»\n    release: foo_end(self)\n",
        ["no header declares the type 'food_t' (did you mean 'foo_t'?)"],
    ),
    "an unknown type in a class and in a function": (
        "#define X a##b\nvoid foo_end(int *f);\nint foo_sum(const int *f);\n",
        "handles:\n  F:\n    type: «qux_t»\n    release: foo_end(self)\n"
        "functions:\n  total:\n    c: int foo_sum(const qux_t *f)\n",
        ["no header declares the type 'qux_t' ('include' names the header that declares it)"],
    ),
    "a type without its keyword": (
        "#define X a##b\n" + FOO,
        "handles:\n  F:\n    type: «foo»\n    release: foo_end(self)\n",
        ["no header declares the type 'foo' (write 'struct foo')"],
    ),
    "a function with other parameters": (
        "int mix(double gain, int by);\n",
        "functions:\n  mix:\n    c: 'int «mix»(int by, double gain)'\n",
        ["the header declares 'mix' with another type: int mix(double gain, int by) (write this prototype in 'c')"],
    ),
    "a function with a const parameter": (
        "int total(const float *x, int n);\n",
        "functions:\n  total:\n    c: 'int «total»(float *x, int n)'\n    args: {n: {count_of: x}}\n",
        [
            "the header declares 'total' with another type: int total(const float *x, int n) "
            "(write this prototype in 'c')"
        ],
    ),
    "a function with another result": (
        "double mean(int a);\n",
        "functions:\n  mean:\n    c: float «mean»(int a)\n",
        ["the header declares 'mean' with another type: double mean(int a) (write this prototype in 'c')"],
    ),
    "an unknown function": (
        "int mix_all(int by);\n",
        "functions:\n  mix:\n    c: int «mix_al»(int by)\n",
        ["no header declares the function 'mix_al' (did you mean 'mix_all'?)"],
    ),
    "a macro in the place of a function": (
        "#define twice(a) (2 * (a))\n",
        "functions:\n  twice:\n    c: int «twice»(int a)\n",
        ["'twice' is a macro (write 'macro: true' beside 'c')"],
    ),
    "an unknown function in each key of a function": (
        "int mix(int by);\n",
        "functions:\n  mix:\n    c: int mix(int by)\n    ok: '== «MIX_OK»'\n"
        "    require: [{expr: «MIX_LEAST» < by, message: none}]\n"
        "    finally: «mix_done»()\n    error: «mix_reason»(result)\n",
        [
            "no header declares 'MIX_OK' ('include' names the header that declares it)",
            "no header declares 'MIX_LEAST' ('include' names the header that declares it)",
            "no header declares the function 'mix_done' ('include' names the header that declares it)",
            "no header declares the function 'mix_reason' ('include' names the header that declares it)",
        ],
    ),
    "a release with too few arguments": (
        "typedef struct foo foo_t;\nvoid foo_end(foo_t *f, int now);\n",
        "handles:\n  F:\n    type: foo_t\n    release: «foo_end»(self)\n",
        ["too few arguments for 'foo_end' (the header declares: void foo_end(foo_t *f, int now))"],
    ),
    "a release of another type": (
        "typedef struct foo foo_t;\nstruct other;\nvoid other_end(struct other *o);\n",
        "handles:\n  F:\n    type: foo_t\n    release: other_end(«self»)\n",
        [
            "C expects 'struct other *' here, and gets 'foo_t *' (struct foo *) (the header declares: void "
            "other_end(struct other *o))"
        ],
    ),
    "a construct with too few arguments": (
        RING + "ring *ring_wrap(float *data, unsigned n);\n",
        ring(**{"import": "{construct: «ring_wrap»(data), require: [{ndim: 1}]}"}),
        ["too few arguments for 'ring_wrap' (the header declares: ring *ring_wrap(float *data, unsigned n))"],
    ),
    "a construct that returns nothing": (
        RING,
        ring(**{"import": "{construct: «ring_end»(data), require: [{ndim: 1}]}"}),
        ["'ring_end' returns nothing, and its result is needed (the header declares: void ring_end(ring *r))"],
    ),
    "unknown constants": (
        "enum { FOO_B };\n",
        "constants:\n  A: «FOO_A»\n  K: {enum: {X: «FOO_BB»}}\n",
        [
            "no header declares 'FOO_A' ('include' names the header that declares it)",
            "no header declares 'FOO_BB' (did you mean 'FOO_B'?)",
        ],
    ),
    "an unknown key of a map": (
        "enum kind { RING_F };\ntypedef struct { void *at; unsigned n; enum kind k; } ring;\nvoid ring_end(ring *r);\n",
        ring(dtype="{of: self->k, map: {RING_F: float32, «RING_DOUBLE»: float64}}"),
        ["no header declares 'RING_DOUBLE' ('include' names the header that declares it)"],
    ),
    "a string of wide characters": (
        "#include <wchar.h>\nint name(const wchar_t *text);\n",
        "functions:\n  name:\n    c: int name(const wchar_t *text)\n    args: {«text»: str}\n",
        ["name.text: wchar_t is not a byte"],
    ),
    "a property that is not a string": (
        "typedef struct { int n; } foo_t;\nvoid foo_end(foo_t *f);\n",
        "handles:\n  F:\n    type: foo_t\n    release: foo_end(self)\n"
        "    properties:\n      n: {get: «self->n», type: str}\n",
        ["this must be a pointer or an array"],
    ),
    "a property that is not an integer": (
        "typedef struct { double n; } foo_t;\nvoid foo_end(foo_t *f);\n",
        "handles:\n  F:\n    type: foo_t\n    release: foo_end(self)\n    properties: {n: «self->n»}\n",
        ["this is not an integer: say which type it is"],
    ),
    "one error for each key": (
        RING,
        ring(data="«self->at»", dtype="float64", shape="[self->«nn»]", release="«ring_ends»(self)")
        + "functions:\n  f:\n    c: int «mix»(int a)\n",
        [
            "Ring.data: self->at must be a pointer to float64; it is 'float *' (write dtype: float32)",
            "'ring' has no member 'nn' (did you mean 'n'? its members are 'at', 'n')",
            "no header declares the function 'ring_ends' (did you mean 'ring_end'?)",
            "no header declares the function 'mix' ('include' names the header that declares it)",
        ],
    ),
}


def marked(text: str) -> tuple[str, list[tuple[int, int, int]]]:
    """Returns the text without its marks, and the line, the column and the length of each marked part."""
    places = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        while "«" in line:
            start = line.index("«")
            length = line.index("»") - start - 1
            places.append((number + 1, start + 1, length))
            line = line.replace("«", "", 1).replace("»", "", 1)
        lines[number] = line
    return "\n".join(lines), places


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def use(compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    monkeypatch.setenv("CC", compiler)


def reported(capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[int, int, int, str]]:
    """Yields the errors in the JSON of a command: line, column, length, and the message with its hint."""
    for line in capsys.readouterr().err.splitlines():
        found = json.loads(line)
        if found["line"] is not None:
            hint = f" ({found['hint']})" if found["hint"] else ""
            length = found["end_column"] - found["column"]
            yield found["line"], found["column"], length, found["message"] + hint


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", KINDS)
def test_an_error_stands_at_its_key_with_its_remedy(
    name: str, compiler: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(compiler, monkeypatch)
    header, spec, messages = KINDS[name]
    text, places = marked(HEAD + spec)
    (folder / "demo.yaml").write_text(text)
    (folder / "demo.h").write_text(header)
    assert main(["generate", "demo.yaml", "-o", "out", "--error-format", "json", "--compile"]) == 1
    found = list(reported(capsys))
    assert [each[:3] for each in found] == places
    for (*_, shown), message in zip(found, messages, strict=True):
        assert shown == message
    assert not (folder / "out").exists()


def test_an_error_is_printed_as_one_of_the_generator(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plain text has the line of the spec and the declaration in the header. It has no colours."""
    use("gcc", monkeypatch)
    (folder / "demo.yaml").write_text(HEAD + "functions:\n  mix:\n    c: int mix(int a)\n")
    (folder / "demo.h").write_text("/* two */ int mix(int a, int b);\n")
    assert (
        main(["generate", "demo.yaml", "-o", "out", "--compile", "--", "-Wall", "-Werror", "-fdiagnostics-color"]) == 1
    )
    assert capsys.readouterr().err == (
        "demo.yaml:6:12: error: the header declares 'mix' with another type: int mix(int a, int b) "
        "(write this prototype in 'c')\n"
        "    6 |     c: int mix(int a)\n"
        "      |            ^~~\n"
        "demo.h:1:15: note: declared here\n"
        "    1 | /* two */ int mix(int a, int b);\n"
        "      |               ^~~\n"
        "dlpack-bindgen: error: 1 error, nothing was written\n"
    )


@pytest.mark.parametrize("compiler", COMPILERS)
def test_errors_of_the_header_come_first_in_its_words(
    compiler: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(compiler, monkeypatch)
    (folder / "demo.yaml").write_text(HEAD + ring(shape="[self->nn]"))
    (folder / "demo.h").write_text('#include "zz.h"\n#include "aa.h"\n')
    (folder / "zz.h").write_text("#define X a##b\nsize_q ring_size(int a);\n" + RING)
    (folder / "aa.h").write_text("int f(int_q a);\n")
    assert main(["generate", "demo.yaml", "-o", "out", "--compile"]) == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if ": error: " in line]
    hint = "(in 'include', name the header that declares it before this one)"
    assert lines == [
        f"zz.h:2:1: error: unknown type name 'size_q' {hint}",
        f"aa.h:1:7: error: unknown type name 'int_q' {hint}",
        "dlpack-bindgen: error: 2 errors, nothing was written",
    ]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_header_that_the_compiler_does_not_find(
    compiler: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(compiler, monkeypatch)
    (folder / "include").mkdir()
    (folder / "include" / "demo.h").write_text(RING)
    text, (place,) = marked(HEAD.replace("demo.h", "«demo.h»") + RING_SPEC)
    (folder / "demo.yaml").write_text(text)
    command = ["generate", "demo.yaml", "-o", "out", "--error-format", "json", "--compile"]
    assert main(command) == 1
    ((line, column, _, message),) = reported(capsys)
    assert (line, column) == place[:2]
    assert message.startswith("the compiler does not find the header 'demo.h' (add its folder after '--': -IFOLDER")
    assert main([*command, "--", "-Iinclude"]) == 0
    assert (folder / "out" / "demo_dlpack.c").exists()


def test_check_compiles_and_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use("gcc", monkeypatch)
    (folder / "demo.h").write_text(RING)
    (folder / "demo.yaml").write_text(HEAD + RING_SPEC)
    command = ["generate", "demo.yaml", "-o", "out"]
    assert main([*command, "--compile"]) == 0
    before = {path.name: path.read_bytes() for path in (folder / "out").iterdir()}
    assert main([*command, "--check", "--compile"]) == 0
    (folder / "demo.h").write_text(RING.replace("unsigned n", "unsigned length"))
    capsys.readouterr()
    assert main([*command, "--check", "--compile"]) == 1
    assert "demo.yaml:9:19: error: 'ring' has no member 'n'" in capsys.readouterr().err
    assert before == {path.name: path.read_bytes() for path in (folder / "out").iterdir()}


def test_what_the_command_line_lacks_is_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "demo.h").write_text(RING)
    (folder / "demo.yaml").write_text(HEAD + RING_SPEC)
    command = ["generate", "demo.yaml", "-o", "out"]
    monkeypatch.setenv("CC", "no-such-cc")
    assert main([*command, "--compile"]) == 2
    assert capsys.readouterr().err == (
        "dlpack-bindgen: error: there is no C compiler no-such-cc: set CC to gcc or clang "
        "(Debian: apt install gcc, Fedora: dnf install gcc)\n"
    )
    assert main([*command, "--", "-Iinclude"]) == 2
    assert "flags after -- are for the C compiler: add --compile" in capsys.readouterr().err
    assert main(["generate", "demo.yaml", "--list-outputs", "--compile"]) == 2
    assert "argument --compile: not allowed with argument --list-outputs" in capsys.readouterr().err
    use("gcc", monkeypatch)
    assert main([*command, "--compile", "--", "-fno-such-flag"]) == 2
    assert "gcc cannot compile the generated C: " in capsys.readouterr().err


# ---- The specs of the repository: without an error, and with seeded ones ----

FLAGS = {
    "imaging": [f"-I{TOP / 'examples' / 'imaging'}"],
    "gsl": ["gsl"],
    "fftw": ["fftw3"],
    "cairo": ["cairo"],
    "gdkpixbuf": ["gdk-pixbuf-2.0"],
}
SEEDED = (*C_FORMS, Form.CTYPE, Form.PROTOTYPE, Form.FIELD)
NOT_SEEDED = {"NULL", "sizeof", "like", "new", "none"}


def flags_of(name: str) -> list[str]:
    """Returns the flags for the headers of a spec; those of pkg-config for an installed library."""
    if FLAGS[name][0].startswith("-"):
        return FLAGS[name]
    asked = subprocess.run(["pkg-config", "--cflags", *FLAGS[name]], capture_output=True, text=True, check=False)
    if asked.returncode:
        pytest.skip(f"{name} is not installed")
    return shlex.split(asked.stdout)


def errors_of(text: str, compiler: str, flags: list[str]) -> list[tuple[int, int]]:
    loaded = load("spec.yaml", text.encode())
    specs, problems = validate([loaded])
    assert not problems
    command = [compiler, *flags, *config.cflags(), *config.python_cflags()]
    return [(each.span.line, each.span.column) for each in compile_errors([Generated(loaded, specs[0])], command, [])]


def seeds(text: str) -> list[Leaf]:
    """Returns the C strings of a spec that stand in one line of the file, as they are in it."""
    fields = fields_of(load("spec.yaml", text.encode()))
    assert fields is not None
    lines = text.split("\n")
    found = {
        (leaf.span.line, leaf.span.column): leaf
        for node in Node("", None, fields, None).below()
        for leaf in node.strings()
        if leaf.form in SEEDED and not leaf.span.lines and leaf.span.variant is None
    }
    return [leaf for leaf in found.values() if leaf.text in lines[leaf.span.line - 1][leaf.span.column - 1 :]]


def seeded(line: str, leaf: Leaf, number: int, rng: random.Random) -> tuple[str, int] | None:
    """Returns the line with one name of a string misspelled, and the column of the name."""
    pattern = r"([A-Za-z_]\w*)\s*\(" if leaf.form is Form.PROTOTYPE else r"\b([A-Za-z_]\w{3,})"
    begin = line.index(leaf.text, leaf.span.column - 1)
    names = [match for match in re.finditer(pattern, leaf.text) if match[1] not in NOT_SEEDED and '"' not in leaf.text]
    if not names:
        return None
    chosen = names[0] if leaf.form is Form.PROTOTYPE else rng.choice(names)
    end = begin + chosen.end(1)
    return f"{line[:end]}q{number}{line[end:]}", begin + chosen.start(1) + 1


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", ["imaging", "gsl"])
def test_seeded_errors_are_reported_at_their_strings(name: str, compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use(compiler, monkeypatch)
    flags = flags_of(name)
    lines = (TOP / "specs" / f"{name}.yaml").read_text().split("\n")
    rng = random.Random(51)
    expected: list[tuple[int, int]] = []
    leaves = seeds("\n".join(lines))
    rng.shuffle(leaves)
    taken: set[int] = set()
    for number, leaf in enumerate(leaves):
        if leaf.span.line in taken or len(expected) == 16:
            continue
        changed = seeded(lines[leaf.span.line - 1], leaf, number, rng)
        if changed is None:
            continue
        trial = [*lines[: leaf.span.line - 1], changed[0], *lines[leaf.span.line :]]
        if validate([load("spec.yaml", "\n".join(trial).encode())])[1]:
            continue  # the generator itself finds this one
        lines = trial
        taken.add(leaf.span.line)
        expected.append((leaf.span.line, changed[1]))
    found = errors_of("\n".join(lines), compiler, flags)
    assert {line for line, _ in found} == {line for line, _ in expected}
    assert len(set(expected) & set(found)) >= 0.8 * len(expected)


@pytest.mark.parametrize("name", FLAGS)
def test_the_specs_of_the_repository_compile(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use("gcc", monkeypatch)
    assert errors_of((TOP / "specs" / f"{name}.yaml").read_text(), "gcc", flags_of(name)) == []
