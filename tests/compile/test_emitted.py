"""Rules for all output: its layout, its first lines, and that it depends on nothing but the spec."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from dlpack_bindgen.emit.render import render
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load
from structs.libraries import COMPILERS, FOLDER, NAMES, STRICT, need, spec_of
from support.build import RUNTIME, TOP, header_flags
from support.specs import committed_specs

SPECS = {path.stem: path for path in committed_specs()} | {name: FOLDER / name / f"{name}.yaml" for name in NAMES}
SUFFIXES = ("_dlpack.c", "_dlpack.h", "_module.c", ".pyi")
MINIMAL = """
module: small
include: [small.h]
tensors:
  Small:
    type: small
    data: self->values
    dtype: float32
    shape: [self->count]
"""


@cache
def emitted(name: str) -> dict[str, str]:
    """Returns the text of each file that the spec gives."""
    return outputs(SPECS[name].read_text(encoding="utf-8"), f"{name}.yaml")


def outputs(spec: str, file: str = "small.yaml") -> dict[str, str]:
    specs, problems = validate([load(file, spec.encode())])
    assert not problems, problems
    return {output.name: output.text for output in render(specs)}


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "dlpack_bindgen", *map(str, arguments)]


def generator_environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(TOP / "generator"), **changes}


# ---- The committed output ----


@pytest.mark.parametrize("name", [path.stem for path in committed_specs()])
def test_committed_output_is_fresh(name: str) -> None:
    folder = TOP / "generated" / name
    committed = {path.name: path.read_bytes() for path in folder.glob("*")}
    spec = (TOP / "specs" / f"{name}.yaml").read_text(encoding="utf-8")
    fresh = {file: text.encode() for file, text in outputs(spec, f"{name}.yaml").items()}
    stale = sorted(file for file in committed.keys() | fresh.keys() if committed.get(file) != fresh.get(file))
    assert not stale, f"{stale} in generated/{name}: run `make generate`"


# ---- Layout ----


@pytest.fixture(params=sorted(SPECS))
def files(request: pytest.FixtureRequest) -> dict[str, str]:
    return emitted(request.param)


def test_output_files_have_the_name_of_the_module(files: dict[str, str]) -> None:
    module = next(name for name in files if name.endswith(".pyi")).removesuffix(".pyi")
    assert sorted(files) == sorted(module + suffix for suffix in SUFFIXES)


def test_output_has_no_needless_whitespace(files: dict[str, str]) -> None:
    for name, text in files.items():
        assert not re.findall(r"[ \t]+$", text, re.MULTILINE), f"{name}: blanks at the end of a line"
        assert "\n\n\n" not in text, f"{name}: two empty lines"
        assert "{\n\n" not in text, f"{name}: an empty line after an opening brace"
        assert not re.search(r"\n\n\s*\}", text), f"{name}: an empty line before a closing brace"
        assert "\t" not in text and "\r" not in text, f"{name}: tabs or carriage returns"
        assert text.endswith("\n") and not text.endswith("\n\n"), f"{name}: not one newline at the end"
        assert not text.startswith("\n"), name


def test_output_has_only_printable_text(files: dict[str, str]) -> None:
    for name, text in files.items():
        assert text.encode("utf-8").decode("utf-8") == text
        strange = [c for c in text if not c.isprintable() and c != "\n"]
        assert not strange, f"{name}: {strange}"


def test_the_first_lines_name_license_and_spec_and_nothing_else(files: dict[str, str]) -> None:
    """No path, date, version or place is written."""
    for name, text in files.items():
        first, second = text.splitlines()[:2]
        assert re.fullmatch(r"(/\*|#) SPDX-License-Identifier: [\w .+()-]+", first), name
        assert re.fullmatch(
            r"( \*|#) Generated from \w+\.yaml by dlpack-bindgen\. Do not edit: "
            r"change the spec and run `dlpack-bindgen generate` again\.( \*/)?",
            second,
        ), name
        rest = text.replace("https://example.org/", "")
        assert not re.search(r"(?<![\w.<*])/(home|root|tmp|usr|work|var|Users)/", rest), f"{name}: an absolute path"
        assert str(TOP) not in rest and str(Path.home()) not in rest, f"{name}: an absolute path"
        assert not re.search(r"\b20\d\d-\d\d|\b\d+\.\d+\.\d+\b", rest), f"{name}: a date or a version"
        assert name.endswith(".pyi") or text.splitlines()[2] == "/* clang-format off */", name


@pytest.mark.parametrize(
    "name, license_",
    [("ipl", "BSD-3-Clause"), ("text", "Apache-2.0 WITH LLVM-exception"), ("ggml", "MIT-0"), ("gsl", "MIT-0")],
)
def test_the_license_is_that_of_the_spec(name: str, license_: str) -> None:
    for text in emitted(name).values():
        assert text.splitlines()[0].split(maxsplit=1)[1] == f"SPDX-License-Identifier: {license_}"


def test_the_folder_of_the_spec_is_not_mentioned(tmp_path: Path) -> None:
    folder = tmp_path / "a secret place"
    folder.mkdir()
    (folder / "blas.yaml").write_text(spec_of("blas"), encoding="utf-8")
    subprocess.run(
        command("generate", folder / "blas.yaml", "-o", tmp_path / "out"), env=generator_environment(), check=True
    )
    assert {path.name: path.read_text() for path in (tmp_path / "out").iterdir()} == emitted("blas")


# ---- Independence of the environment ----


def test_output_is_the_same_in_any_environment(tmp_path: Path) -> None:
    """Hash seed, folder, locale, time zone, and one or several specs in a run do not change the bytes."""
    variants = [
        ({"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"}, TOP),
        ({"PYTHONHASHSEED": "2", "LC_ALL": "tr_TR.UTF-8", "PYTHONUTF8": "0", "TZ": "Asia/Tokyo"}, tmp_path),
        ({"PYTHONHASHSEED": "3", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, Path("/")),
    ]
    for number, (environment, place) in enumerate(variants):
        out = tmp_path / str(number)
        specs = [os.path.relpath(SPECS[name], place) for name in NAMES]
        subprocess.run(
            command("generate", *(specs if number % 2 == 0 else reversed(specs)), "-o", out),
            env=generator_environment(**environment),
            cwd=place,
            check=True,
            capture_output=True,
        )
        found = {path.name: path.read_bytes().decode() for path in out.iterdir()}
        assert found == {file: text for name in NAMES for file, text in emitted(name).items()}


# ---- Size of the output ----


def test_a_small_spec_uses_few_names_of_the_runtime() -> None:
    files = outputs(MINIMAL)
    c, header, module, stub = (files[f"small{suffix}"] for suffix in SUFFIXES)
    assert re.findall(r"^    (dlb_\w+|DLB_\w+|view->\S+)", c, re.MULTILINE) == [
        "DLB_ASSERT_STRUCT",
        "DLB_ASSERT_DATA",
        "DLB_ASSERT_INTEGER",
        "view->tensor->dtype",
        "view->tensor->device",
        "dlb_extent",
        "dlb_compact",
        "DLB_DATA_MEMBER",
    ]
    code = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', "", c, flags=re.DOTALL)
    for absent in """
        if else for while axis dlb_stride dlb_reverse dlb_readonly dlb_device dlb_rank retain release importer allocator
        dlb_requirements dlb_factory dlb_source DLB_STRICT_BEGIN DLB_SET dlb_view_refuse dlb_view_unmapped
    """.split():
        assert not re.search(rf"\b{absent}\b", code), absent
    for text in (c, header, module, stub):
        assert "from_dlpack" not in text and "empty" not in text


@pytest.mark.parametrize(
    "more, lines",
    [
        ("", [42, 98, 63, 55]),
        (
            "    release: small_free(self)\n"
            "    import: {set: {values: data, count: 'shape[0]'}, require: [{ndim: 1}]}\n"
            "    allocate: {construct: 'make(shape[0])'}\n",
            [112, 109, 82, 86],
        ),
    ],
)
def test_a_small_spec_gives_a_limited_number_of_lines(more: str, lines: list[int]) -> None:
    """A feature of the language costs nothing where the spec does not use it."""
    files = outputs(MINIMAL + more)
    assert [len(files[f"small{suffix}"].splitlines()) for suffix in SUFFIXES] == lines


@pytest.mark.parametrize(
    "more, statement",
    [
        ("    strides: [1]\n", r"dlb_stride\(view, 0"),
        ("    strides: {list: [4], unit: bytes}\n", r"dlb_byte_stride\(view, DLB_DTYPE\(.*\), 0,"),
        ("    strides: {outer: self->step}\n", r"dlb_stride\(view, 0"),
        ("    order: F\n", r"dlb_compact_fortran\("),
        ("    order: reversed\n", r"dlb_reverse\("),
        ("    readonly: self->frozen\n", r"dlb_readonly\("),
        ("    device: {type: cuda, id: self->gpu}\n", r"dlb_device\("),
        ("    require: [self->ready]\n", r"dlb_view_refuse\("),
        ("    release: small_free(self)\n", r"\.release ="),
        ("    release: small_free(self)\n    retain: small_ref(self)\n", r"\.retain ="),
        ("    import: {set: {values: data}}\n", r"\.importer ="),
        ("    release: small_free(self)\n    allocate: {construct: make()}\n", r"\.allocator ="),
        ("    release: small_free(self)\n    clone: small_copy(self)\n", r"\.clone ="),
        ("    release: small_free(self)\n    release_on: gil\n", r"\.release_on ="),
        ("    params: [int plane = 0]\n", r"\.params ="),
        ("    hold: [{int frozen: is_frozen(self)}]\n", r"\.hold ="),
        ("    let: [{int rows: self->rows}]\n", r"DLB_LET\("),
        ("    let: [{require: self->ready}]\n", r"dlb_view_refuse\("),
        ("    let: [{do: look(self), ok: == 0}]\n", r"dlb_view_call_failed\("),
        ("    acquire: lock(self)\n", r"\.acquire ="),
        ("    restore: unlock(self)\n", r"\.restore ="),
        ("    before_read: flush(self)\n", r"view->exporting"),
        ("    after_write: mark(self)\n", r"\.after_write ="),
        ("    byte_offset: self->skip\n", r"dlb_byte_offset\("),
        ("    copy: allowed\n", r"\.copy ="),
        ("    legacy_readonly: copy\n", r"\.legacy_copy ="),
        ("    device: cuda\n    sync: wait(self)\n", r"\.sync ="),
        ("    device: cuda\n    to_cpu: fetch(self, dst)\n", r"\.to_cpu ="),
        ("    if: defined(SMALL)\n", r"#if defined\(SMALL\)"),
        ("    match: {of: self->kind, arms: [{when: A, order: F}, {when: B, order: C}]}\n", r"dlb_view_unmapped\("),
    ],
)
def test_code_of_a_key_is_emitted_only_where_the_spec_has_the_key(more: str, statement: str) -> None:
    assert not re.search(statement, outputs(MINIMAL)["small_dlpack.c"])
    assert re.search(statement, outputs(MINIMAL + more)["small_dlpack.c"])


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_module_that_the_preprocessor_empties_compiles(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    for name, text in outputs(MINIMAL + "    if: defined(LARGE)\n").items():
        (tmp_path / name).write_text(text)
    (tmp_path / "small.h").write_text("typedef struct { float *values; int count; } small;\n")
    for source in ("small_dlpack.c", "small_module.c"):
        for define in ("-DLARGE", "-ULARGE"):
            flags = [*STRICT, "-Wextra", define, *header_flags(), "-fsyntax-only"]
            command_line = [compiler, *flags, source]
            result = subprocess.run(command_line, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
def test_parts_that_the_preprocessor_leaves_out_compile(compiler: str, tmp_path: Path) -> None:
    """The header then declares neither the parts nor their struct."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    spec = MINIMAL + "    parts: {name: rows, of: Row, count: self->count}\n"
    spec += "  Row:\n    type: small\n    if: defined(ROWS)\n    params: [int row = 0]\n"
    spec += "    data: self->values + row * ROWS\n    dtype: float32\n    shape: [ROWS]\n"
    for name, text in outputs(spec).items():
        (tmp_path / name).write_text(text)
    (tmp_path / "small.h").write_text("typedef struct { float *values; int count; } small;\n")
    for source in ("small_dlpack.c", "small_module.c"):
        for define in ("-DROWS=4", "-UROWS"):
            command_line = [compiler, *STRICT, "-Wextra", define, *header_flags(), "-fsyntax-only", source]
            result = subprocess.run(command_line, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert result.returncode == 0, result.stderr


def test_the_id_of_a_host_device_is_not_read() -> None:
    text = outputs(MINIMAL.replace("self->values", "frame").replace("self->count", "3"))["small_dlpack.c"]
    pinned = outputs(
        MINIMAL.replace("self->values", "frame").replace("self->count", "3")
        + "    device: {type: cuda_host, id: self->gpu}\n"
    )["small_dlpack.c"]
    assert pinned == text.replace("DLB_CPU", "(DLDevice){kDLCUDAHost, 0}")


def test_names_differ_if_module_and_tensor_have_one_name() -> None:
    """`my_small` is the module, and also the beginning of the names of the tensor `Small`."""
    text = outputs(MINIMAL.replace("module: small", "module: my_small\nprefix: my"))["my_small_module.c"]
    defined = re.findall(r"^(?:static )?\w[\w *]*\b(\w+)(?:\[\])? = \{|^\w[\w *]*\b(\w+)\([^;]*\)\n\{", text, re.M)
    names = [first or second for first, second in defined]
    assert len(names) >= 6
    assert len(names) == len(set(names))


def test_names_of_the_scope_are_declared_only_where_they_are_mentioned() -> None:
    """A factory declares no name of the language that the C text of the spec does not mention there."""
    for name in SPECS:
        factories = re.findall(r"^static void \*\w+\(dlb_source.*?^\}", emitted(name)[f"{name}_dlpack.c"], re.M | re.S)
        for factory in factories:
            declared = re.findall(r"(\w+) = source->\w+;", factory)
            for variable in declared:
                assert len(re.findall(rf"(?<![>.])\b{variable}\b", factory)) > 1, f"{name}: {variable} is not used"


# ---- Headers, functions and stubs ----


def headers_compile(compiler: str, names: list[str], first: str, directory: Path) -> None:
    """Compiles one file that includes each of the `names` twice."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    for name in names:
        need(name)
    cpp = compiler.endswith("++")
    source = directory / f"all.{'cpp' if cpp else 'c'}"
    lines = [first, *(f'#include "{name}_dlpack.h"\n#include "{name}_dlpack.h"' for name in names)]
    source.write_text("\n".join([*lines, "int main(void) { return 0; }\n"]))
    for name in names:
        (directory / f"{name}_dlpack.h").write_text(emitted(name)[f"{name}_dlpack.h"], encoding="utf-8")
    flags = [flag for flag in STRICT if not flag.startswith("-std") and not (cpp and "prototypes" in flag)]
    others = [part for name in names for part in ("-isystem", str(FOLDER / name))]
    line = [compiler, "-std=c++17" if cpp else "-std=c99", *flags, f"-I{directory}", *others, *header_flags()]
    result = subprocess.run([*line, "-fsyntax-only", str(source)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("compiler", [*COMPILERS, "g++", "clang++"])
def test_headers_compile_alone_as_c_and_cpp(compiler: str, tmp_path: Path) -> None:
    for name in NAMES:
        headers_compile(compiler, [name], "", tmp_path)


@pytest.mark.parametrize("compiler", [*COMPILERS, "g++", "clang++"])
def test_headers_compile_together_after_python_h(compiler: str, tmp_path: Path) -> None:
    headers_compile(compiler, NAMES, "#include <Python.h>", tmp_path)


_MACRO = re.compile(r"^#define (DLB_(?:PY_)?DEFINE_\w+)\((.*)\) *\\\n((?:.*\\\n)*.*\n)", re.MULTILINE)
"""A pattern of the macros of the runtime that define functions."""


def _in_one_line(declaration: str) -> str:
    return " ".join(declaration.split()).replace("( ", "(").replace("* ", "*")


def _with_macros_replaced(c: str) -> str:
    """Replaces the macros that define functions, whose parameters get the names that the header has for them."""
    headers = "".join((RUNTIME / f"dlb_{name}.h").read_text() for name in ("emit", "object", "call"))
    macros = {name: (parameters.split(", "), body) for name, parameters, body in _MACRO.findall(headers)}
    assert len(macros) >= 10

    def replaced(found: re.Match[str]) -> str:
        parameters, body = macros[found[1]]
        for parameter, argument in zip(parameters, re.split(r",\s*", found[2]), strict=True):
            body = re.sub(rf"\b{parameter}\b", argument, body)
        return re.sub(r" *\\?\n(?:    )?", "\n", re.sub(r"\bdlb_(\w+)_\b", r"\1", body.replace("##", ""))[4:])

    return re.sub(r"^(DLB_(?:PY_)?DEFINE_\w+)\(([^)]*)\)", replaced, c, flags=re.MULTILINE)


def test_every_function_of_a_header_is_defined(files: dict[str, str]) -> None:
    header = next(re.sub(r" ?/\*.*?\*/", "", text) for name, text in files.items() if name.endswith(".h"))
    c = _with_macros_replaced("".join(text for name, text in files.items() if name.endswith(".c")))
    declared = re.findall(r"^DLB_EXTERN (\w[^;{}#]*\));", header, re.MULTILINE)
    defined = re.findall(r"^(?:DLB_FLATTEN )?(?!static|PyMODINIT_FUNC|DLB_)(\w[^;{}#=]*\))\n\{", c, re.MULTILINE)
    assert len(declared) >= 5
    assert sorted(map(_in_one_line, defined)) == sorted(map(_in_one_line, declared))
    for variable in re.findall(r"^DLB_EXTERN (const dlb_type \w+);", header, re.MULTILINE):
        assert f"\n{variable} = {{" in c


def test_stub_is_python(files: dict[str, str]) -> None:
    tree = ast.parse(next(text for name, text in files.items() if name.endswith(".pyi")), feature_version=(3, 10))
    assert ast.get_docstring(tree)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_"]
    enums = [node for node in classes if "enum.IntEnum" in map(ast.unparse, node.bases)]
    assert all(ast.get_docstring(node) for node in classes if node not in enums)


def test_every_name_of_the_runtime_is_in_a_public_header(files: dict[str, str]) -> None:
    """A name that begins with dlb_ or DLB_ stands in one of the public headers."""
    names = "core describe emit assert object module call".split()
    known = "".join((RUNTIME / f"dlb_{name}.h").read_text() for name in names)
    for name, text in files.items():
        text = re.sub(r'#include "dlb_\w+\.h"', "", text)
        for word in set(re.findall(r"\b(?:dlb|DLB)_\w+", text)):
            assert re.search(rf"\b{word}\b", known), f"{name}: {word}"
