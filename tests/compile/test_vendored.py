"""The copy of the runtime that `vendor` writes compiles as the runtime does. Two copies work in one program, and files
of two versions do not compile together."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from compile.test_namespace import linker_symbols
from compile.test_strict_warnings import COMMON, COMPILE, ONLY_C
from dlpack_bindgen.emit.vendor import LIBRARIES, outputs
from dlpack_bindgen.tools.config import python_cflags
from support.build import RUNTIME, compile_c, generate

SPEC = """
module: {0}
include: {0}.h
tensors:
  Line: {{type: "{0}_line", data: self->data, dtype: float32, shape: [self->count], release: free(self)}}
"""
LIBRARY = "typedef struct {0}_line {{ float *data; int count; }} {0}_line;\n"
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "one_dlpack.h"
#include "two_dlpack.h"

int main(void)
{
    static float data[] = {1, 2, 3};
    one_line *first = malloc(sizeof *first);
    two_line *second = malloc(sizeof *second);
    DLManagedTensorVersioned *exports[2] = {NULL, NULL};
    dlb_error error;

    *first = (one_line){data, 2};
    *second = (two_line){data, 3};
    if (one_line_to_dlpack(first, &exports[0], &error) != 0 || two_line_to_dlpack(second, &exports[1], &error) != 0) {
        puts(error.message);
        return 1;
    }
    printf("%d %d\\n", (int)exports[0]->dl_tensor.shape[0], (int)exports[1]->dl_tensor.shape[0]);
    exports[0]->deleter(exports[0]);
    exports[1]->deleter(exports[1]);
    return 0;
}
"""


def copy_to(directory: Path, namespace: str | None = None) -> Path:
    for file in outputs(LIBRARIES, namespace):
        path = directory / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")
    return directory


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_to(tmp_path_factory.mktemp("copied"))


def compiler_says(compiler: str, *arguments: str | Path) -> str:
    """Returns all that the compiler prints; the empty string if there is nothing to complain about."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    done = subprocess.run([compiler, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.stderr if done.returncode or done.stderr else ""


def first_error(messages: str) -> str:
    found = re.search(r"error: (.*)", messages)
    assert found is not None, messages
    return found[1]


def includes_of_python() -> list[str]:
    return [f"-isystem{flag.removeprefix('-I')}" for flag in python_cflags()]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    ("library", "standard"), [("core", "c99"), ("core", "c11"), ("object", "c11"), ("call", "c11")]
)
def test_the_copy_compiles_without_a_warning(copied: Path, compiler: str, library: str, standard: str) -> None:
    flags = [f"-std={standard}", "-fPIC", *COMMON, *ONLY_C, *COMPILE[compiler], *includes_of_python()]
    assert compiler_says(compiler, *flags, copied / f"dlb_{library}.c") == ""


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("name", ["dlb_core.h", "dlb_array.h", "dlb_object.h"])
def test_headers_for_programs_are_cpp(copied: Path, compiler: str, name: str, tmp_path: Path) -> None:
    source = tmp_path / "main.cpp"
    source.write_text(f'#include "{name}"\n#include "{name}"\nint main() {{ return 0; }}\n')
    flags = ["-std=c++17", *COMMON, "-fsyntax-only", *includes_of_python()]
    assert compiler_says(compiler, *flags, f"-I{copied}", source) == ""


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_copy_defines_the_symbols_of_the_runtime(copied: Path, library: str, tmp_path: Path) -> None:
    symbols = []
    for source in (copied / f"dlb_{library}.c", RUNTIME / f"dlb_{library}.c"):
        compile_c(["-c", source], tmp_path / "library.o")
        symbols.append(linker_symbols([tmp_path / "library.o"]))
    assert symbols[0] == symbols[1] != set()


def objects_of(name: str, directory: Path, target: Path) -> list[Path]:
    """Compiles a generated library and its own copy of the runtime, whose symbols begin with the name of it."""
    copy_to(directory, name)
    (directory / f"{name}.h").write_text(LIBRARY.format(name))
    sources = [path for path in generate(SPEC.format(name), directory) if path.name.endswith("_dlpack.c")]
    made = []
    for source in (*sources, directory / "dlb_core.c"):
        made.append(target / f"{name}_{source.stem}.o")
        found = compiler_says("gcc", "-std=c11", "-c", source, f"-I{directory}", "-o", made[-1])
        assert found == ""
    return made


def test_two_copies_work_in_one_program(tmp_path: Path) -> None:
    objects = [*objects_of("one", tmp_path / "one", tmp_path), *objects_of("two", tmp_path / "two", tmp_path)]
    (tmp_path / "main.c").write_text(MAIN)
    folders = [f"-I{tmp_path / 'one'}", f"-I{tmp_path / 'two'}"]
    program = tmp_path / "program"
    assert compiler_says("gcc", "-std=c11", *folders, tmp_path / "main.c", *objects, "-o", program) == ""
    assert subprocess.run([program], capture_output=True, text=True, check=False).stdout == "2 3\n"
    defined = linker_symbols([tmp_path / "one_dlb_core.o"])
    assert all(name.startswith("one_dlb_") for name in defined)


def other_version(copied: Path, directory: Path) -> Path:
    """Makes a copy of another version: all of its files have another number."""
    shutil.copytree(copied, directory)
    for path in directory.glob("dlb_*.[ch]"):
        path.write_text(re.sub(r"0x[0-9a-f]{8}\b(?=\n| /\*)", "0x1234abcd", path.read_text()))
    return directory


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    ("name", "compiled"),
    [
        ("dlb_core.c", "dlb_core.c"),
        ("dlb_object.c", "dlb_object.c"),
        ("dlb_core_private.h", "dlb_core.c"),
        ("dlb_emit.h", "dlb_call.c"),
        ("dlb_call.h", "dlb_call.c"),
    ],
)
def test_a_file_of_another_version_does_not_compile(
    copied: Path, compiler: str, name: str, compiled: str, tmp_path: Path
) -> None:
    mixed = other_version(copied, tmp_path / "mixed")
    shutil.copy(copied / name, mixed)
    found = compiler_says(compiler, "-fsyntax-only", *includes_of_python(), mixed / compiled)
    assert f"{name} and dlb_core.h are of two versions: run `dlpack-bindgen vendor` again" in first_error(found)


def test_two_versions_in_one_source_file_do_not_compile(copied: Path, tmp_path: Path) -> None:
    other = other_version(copied, tmp_path / "other")
    source = tmp_path / "main.c"
    source.write_text(f'#include "{copied}/dlb_core.h"\n#include "{other}/dlb_core.h"\n')
    found = compiler_says("gcc", "-fsyntax-only", source)
    assert "two versions of the runtime in one source file: run `dlpack-bindgen vendor` of one" in first_error(found)


def test_output_that_is_newer_than_the_runtime_is_refused(copied: Path, tmp_path: Path) -> None:
    (tmp_path / "one.h").write_text(LIBRARY.format("one"))
    [source] = [path for path in generate(SPEC.format("one"), tmp_path) if path.name.endswith("_dlpack.c")]
    older = tmp_path / "older"
    shutil.copytree(copied, older)
    header = older / "dlb_core.h"
    header.write_text(re.sub(r"(#define DLB_(?:OLDEST_)?FORMAT) \d+", r"\1 27", header.read_text()))
    found = compiler_says("gcc", "-fsyntax-only", f"-I{older}", f"-I{tmp_path}", source)
    assert "newer than the runtime" in first_error(found)
