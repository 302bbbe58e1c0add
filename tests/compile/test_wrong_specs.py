"""Specs that do not fit their header: the first error of the compiler shows which tensor, slot and expression.

The generator accepts each wrong spec of `tests/*/*/bad.txt`. Its `error:` lines say what the first error must show,
with the source that the compiler displays below it, and with no flags but the usual ones. `in:` names the emitted file,
unless it is `wrong_dlpack.c`.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.build import generate, header_flags
from support.specs import Case, find_wrong_specs

PICTURE = Path(__file__).with_name("picture.h")
SPECS = find_wrong_specs()
COMPILERS = {"gcc": "c11", "clang": "c99"}
"""Each with one standard: the text of an error is the same with the other."""
SHORT = {"gcc": (4, 35), "clang": (3, 70)}
"""The lines that show the mistake, and the lines in all. clang prints three lines for each macro. The second error
about a member shows its type in the header."""
UNKNOWN_TYPES = (
    "classes/type: a misspelled type of a tensor",
    "classes/type: a misspelled type of a handle",
    "slots/dtype: a C type that the header does not define",
    "slots/dtype: a C type that is a struct",
)
"""Mistakes that compilers report wherever the type is used."""
NEXT_MESSAGE = r"(?=^\S+?:\d+:\d+: (?:error|warning)|^\d+ (?:error|warning)|\Z)"
FIRST_ERROR = re.compile(rf"^\S+?:\d+:\d+: (?:fatal )?error: .*?{NEXT_MESSAGE}", re.MULTILINE | re.DOTALL)


def needs_generic(case: Case) -> bool:
    """Returns whether only `_Generic` finds the mistake: it compares the dtype with the elements of `data`."""
    pattern = r"self->\w+ must be a pointer to |must be a complex number"
    return case.feature == "slots/data" and any(re.search(pattern, error) for error in case.errors)


def messages(compiler: str, standard: str, source: Path, *flags: str) -> tuple[bool, str]:
    """Compiles the files; returns if this succeeded, and the messages in plain ASCII."""
    command = [compiler, f"-std={standard}", "-Wall", *flags, f"-I{source.parent}", *header_flags(), "-fsyntax-only"]
    environment = os.environ | {"LC_ALL": "C"}
    result = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False, env=environment)
    return result.returncode == 0, result.stderr


@pytest.fixture(scope="module")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Case], Path]:
    """Writes the file with the error beside the header that it includes."""

    @functools.cache
    def emit(case: Case) -> Path:
        folder = tmp_path_factory.mktemp("wrong")
        shutil.copy(PICTURE, folder)
        generate(case.text, folder, "wrong.yaml")
        return folder / case.emitted

    return emit


def test_there_are_enough_wrong_specs() -> None:
    assert len(SPECS) >= 44


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", SPECS)
def test_the_first_error_shows_the_mistake(name: str, compiler: str, emitted: Callable[[Case], Path]) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    case = SPECS[name]
    fine, output = messages(compiler, COMPILERS[compiler], emitted(case))
    assert not fine, f"it compiles:\n{output}"
    first = FIRST_ERROR.search(output)
    assert first, output
    missing = [text for text in case.errors if text not in first.group()]
    assert not missing, f"{missing} not in:\n{first.group()}"
    lines, (before, most) = output.splitlines(), SHORT[compiler]
    shown = "\n".join(lines[:before])
    assert all(text in shown for text in case.errors), f"not in the first {before} lines:\n{output}"
    assert len(lines) <= most or name.startswith(UNKNOWN_TYPES), f"{len(lines)} lines:\n{output}"


@pytest.mark.parametrize("name", [name for name, case in SPECS.items() if not needs_generic(case)])
def test_a_wrong_spec_does_not_compile_without_generic_either(name: str, emitted: Callable[[Case], Path]) -> None:
    fine, output = messages("gcc", "c99", emitted(SPECS[name]), "-DDLB_NO_GENERIC=1")
    assert not fine, f"it compiles:\n{output}"


@pytest.mark.parametrize(
    ("name", "call", "narrowed"),
    [
        (
            "imports/construct: 64-bit numbers as narrower arguments",
            "picture_wrap(data, {}, {}, byte_strides[0])",
            "picture_wrap(data, m, n, pitch)",
        ),
        (
            "imports/allocate: 64-bit numbers as narrower arguments",
            "picture_create({}, {})",
            "picture_create(m, n)",
        ),
    ],
)
def test_a_variable_of_let_declares_a_narrower_number(name: str, call: str, narrowed: str, tmp_path: Path) -> None:
    text, wide = SPECS[name].text, call.format("shape[0]", "shape[1]")
    lets = [f'{{int {local}: "{value}"}}' for local, value in (("m", "shape[0]"), ("n", "shape[1]"))]
    lets += ['{int pitch: "byte_strides[0]"}'] if "pitch" in narrowed else []
    between = ", " if "allocate: {" in text else "\n      "
    shutil.copy(PICTURE, tmp_path)
    spec = text.replace(f'construct: "{wide}"', f"let: [{', '.join(lets)}]{between}construct: '{narrowed}'")
    generate(spec, tmp_path, "wrong.yaml")
    fine, output = messages("gcc", "c11", tmp_path / "wrong_dlpack.c")
    assert fine, output
