"""All C of the repository compiles without a warning, with both compilers; the headers also as C99 and as C++17."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from dlpack_bindgen.tools.config import cflags, python_cflags
from functions import libraries as functions
from libraries.real import REAL, header_flags_of
from support.build import generate

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*ROOT.glob("runtime/*.c"), *ROOT.glob("generated/*/*.c"), *ROOT.glob("examples/*/*.c")])
PYTHON_SOURCES = sorted([*ROOT.glob("runtime/object/*.c"), *ROOT.glob("runtime/call/*.c")])
RUNTIME_HEADERS = [ROOT / "runtime" / "dlb_core.h", ROOT / "runtime" / "dlb_object.h"]
HEADERS = sorted([*RUNTIME_HEADERS, *ROOT.glob("generated/*/*.h")])

COMMON = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wvla -Werror".split()
COMMON.append("-DDLB_SHADOW_WARNINGS")
ONLY_C = "-Wstrict-prototypes -Wmissing-prototypes".split()


def include_flags() -> list[str]:
    """Returns flags that enable all warnings for the folders of the project, and none for other headers."""
    runtime, dlpack = (flag.removeprefix("-I") for flag in cflags())
    others = [dlpack, *(flag.removeprefix("-I") for flag in python_cflags())]
    ours = [
        runtime,
        *sorted(ROOT.glob("generated/*")),
        *sorted(path for path in ROOT.glob("examples/*") if path.is_dir()),
    ]
    return [*(f"-I{path}" for path in ours), *(f"-isystem{path}" for path in others)]


def compiles(compiler: str, *flags: str, source: str | None = None) -> tuple[bool, str]:
    command = [compiler, *flags, *include_flags()]
    result = subprocess.run(command, cwd=ROOT, input=source, capture_output=True, text=True, check=False)
    return result.returncode == 0, f"{' '.join(command)}\n{result.stderr}"


@cache
def library_flags(name: str) -> list[str]:
    """Returns flags for the headers of the real library that a folder of `generated/` is for."""
    return header_flags_of(name, Path(mkdtemp())) if name in REAL else []


def needed_flags(compiler: str, path: Path) -> list[str]:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    return library_flags(path.parent.name)


# What clang warns of, it sees without optimisation; gcc sees some of it only then.
COMPILE = {"gcc": ["-O2", "-c", "-o/dev/null"], "clang": ["-fsyntax-only"]}


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("source", PYTHON_SOURCES, ids=relative)
def test_python_h_comes_first(source: Path) -> None:
    """Python.h sets macros of the C library. Compilers warn if a header of that library has set them before."""
    while source.name != "Python.h":
        first = re.search(r'^#include ["<](.*)[">]', source.read_text(encoding="utf-8"), re.MULTILINE)
        assert first
        beside, shared = source.parent / first[1], ROOT / "runtime" / first[1]
        source = beside if beside.is_file() else shared
        assert source.is_file() or source.name == "Python.h", source


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("source", SOURCES, ids=relative)
def test_each_source_compiles_without_a_warning(compiler: str, source: Path) -> None:
    flags = needed_flags(compiler, source)
    fine, output = compiles(compiler, *flags, "-std=c11", "-fPIC", *COMMON, *ONLY_C, *COMPILE[compiler], str(source))
    assert fine, output


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("module", functions.SPECS)
def test_functions_of_all_kinds_compile_without_a_warning(compiler: str, module: str, tmp_path: Path) -> None:
    flags = [*needed_flags(compiler, tmp_path), f"-I{tmp_path}", f"-I{functions.HERE}"]
    for source in generate(functions.spec_of(module), tmp_path):
        if source.suffix == ".c":
            fine, output = compiles(
                compiler, *flags, "-std=c11", "-fPIC", *COMMON, *ONLY_C, *COMPILE[compiler], str(source)
            )
            assert fine, output


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_variables_that_the_preprocessor_leaves_unused_give_no_warning(compiler: str, tmp_path: Path) -> None:
    flags = [*needed_flags(compiler, tmp_path), f"-I{tmp_path}"]
    (tmp_path / "line.h").write_text("typedef struct line { float *data; int count; } line;\n")
    spec = """
module: lines
include: line.h
tensors:
  Line:
    type: line
    let:
      - char *start: (char *)self->data
      - {float *last: self->data, finally: "float *seen = last; (void)seen"}
    dtype: float32
    shape: [self->count]
    data: self->data
    byte_offset: [{if: defined(PADDED), value: "start[0] * itemsize"}]
"""
    for source in generate(spec, tmp_path):
        if source.suffix == ".c":
            for defined in ([], ["-DPADDED"]):
                fine, output = compiles(
                    compiler, *flags, *defined, "-std=c11", *COMMON, *ONLY_C, "-fsyntax-only", str(source)
                )
                assert fine, output


CLASSES = [(name, "line_length") for name in ("C", "Add", "Import", "Module", "Py", "Type")]
FUNCTIONS = [("Line", name) for name in ("answer", "args", "arrays", "given", "kwnames", "module", "nargs", "sorted")]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(("name", "function"), [*CLASSES, *FUNCTIONS])
def test_names_like_those_of_the_module_give_no_warning(
    compiler: str, name: str, function: str, tmp_path: Path
) -> None:
    flags = [*needed_flags(compiler, tmp_path), f"-I{tmp_path}"]
    (tmp_path / "line.h").write_text(
        f"typedef struct line {{ float *data; int count; }} line;\nint {function}(const line *of);\n"
    )
    spec = f"""
module: lines
include: line.h
tensors:
  {name}: {{type: line, data: self->data, dtype: float32, shape: [self->count]}}
functions:
  length: {{c: "int {function}(const line *of);", ok: "% == 0"}}
"""
    for source in generate(spec, tmp_path):
        if source.suffix == ".c":
            fine, output = compiles(compiler, *flags, "-std=c11", *COMMON, *ONLY_C, "-fsyntax-only", str(source))
            assert fine, output


TYPES = Path(__file__).with_name("types.h").read_text()
OF_TYPES = """
module: types
include: types.h
numbers: {data: float, view: int, shape: int, axis: int}
tensors:
  Tensor:
    type: tensor
    data: self->pixels
    dtype: {of: self->kind, map: {0: float32, 1: complex64}}
    shape: [self->height, self->width]
    strides: {outer: self->pitch, unit: bytes}
    release: tensor_free(self)
    import:
      require: [inner_compact]
      set: {pixels: data, height: "shape[0]", width: "shape[1]", pitch: "byte_strides[0]", kind: code}
    allocate: {construct: "tensor_new((int)shape[0], (int)shape[1])"}
    methods:
      sum: {c: "int tensor_sum(const tensor *t, data scale, axis a)"}
      get: {c: "int tensor_get(const tensor *tensor, axis axis)"}
  Plane:
    type: tensor
    params: [int plane = 0]
    data: self->pixels
    dtype: float32
    shape: {ndim: "2", each: "axis == 0 ? self->height : self->width"}
    strides: {each: "axis == 0 ? self->pitch : 4", unit: bytes}
    release: tensor_free(self)
handles:
  Self: {type: self, release: self_free(self), new: {c: self *self_new(void)}, properties: {view: self_view(self)}}
functions:
  sum_all: {c: "double sum_all(const data *x, int n)", args: {n: {count_of: x}}}
"""
FEW = "module: types\ninclude: types.h\ntensors:\n  Self: {type: self, data: '&self->x', dtype: int32, shape: []}\n"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("spec", [OF_TYPES, FEW], ids=["of all kinds", "without functions"])
def test_types_named_like_emitted_variables_give_no_warning(compiler: str, spec: str, tmp_path: Path) -> None:
    flags = [*needed_flags(compiler, tmp_path), f"-I{tmp_path}", *COMMON, "-UDLB_SHADOW_WARNINGS", *ONLY_C]
    (tmp_path / "types.h").write_text(TYPES)
    (tmp_path / "user.c").write_text('#include <Python.h>\n#include "types.h"\n#include "types_dlpack.h"\n')
    generate(spec, tmp_path)
    for source in sorted(tmp_path.glob("*.c")):
        fine, output = compiles(compiler, *flags, "-std=c11", "-fsyntax-only", str(source))
        assert fine, output


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("header", HEADERS, ids=relative)
def test_each_header_compiles_alone_without_a_warning(compiler: str, header: Path) -> None:
    flags = needed_flags(compiler, header)
    language = ["-xc++", "-std=c++17"] if compiler.endswith("++") else ["-xc", "-std=c99", *ONLY_C]
    source = f'#include "{header}"\n#include "{header}"\nint main(void) {{ return 0; }}\n'
    fine, output = compiles(compiler, *flags, *language, *COMMON, "-fsyntax-only", "-", source=source)
    assert fine, output


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("header", sorted(ROOT.glob("generated/*/*.h")), ids=relative)
def test_each_header_compiles_behind_python_h_without_a_warning(compiler: str, header: Path) -> None:
    """Behind Python.h, the header declares how another extension imports the module."""
    flags = needed_flags(compiler, header)
    language = ["-xc++", "-std=c++17", "-Wold-style-cast"] if compiler.endswith("++") else ["-xc", "-std=c99", *ONLY_C]
    source = f'#include <Python.h>\n#include "{header}"\nint main(void) {{ return 0; }}\n'
    fine, output = compiles(compiler, *flags, *language, *COMMON, "-fsyntax-only", "-", source=source)
    assert fine, output
