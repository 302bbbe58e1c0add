"""Runs the one exact clang-format that all output is formatted with, from the wheel `clang-format`.

Formatting differs between versions, and the output is committed: any other version is refused, and `PATH` is never
searched.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

VERSION = "19.1.7"

STYLE = {
    "BasedOnStyle": "LLVM",
    "Language": "Cpp",
    "IndentWidth": 4,
    "ContinuationIndentWidth": 4,
    "ColumnLimit": 100,
    "UseTab": "Never",
    "LineEnding": "LF",
    "BreakBeforeBraces": "Linux",
    "PointerAlignment": "Right",
    "DerivePointerAlignment": False,
    "QualifierAlignment": "Leave",
    "AlignEscapedNewlines": "Left",
    "AllowShortFunctionsOnASingleLine": "None",
    "AllowShortIfStatementsOnASingleLine": "Never",
    "AllowShortBlocksOnASingleLine": "Never",
    "AllowShortLoopsOnASingleLine": False,
    "AllowShortCaseLabelsOnASingleLine": False,
    "AllowShortEnumsOnASingleLine": False,
    "IndentPPDirectives": "None",
    "IndentExternBlock": "NoIndent",
    "IndentGotoLabels": False,
    "MaxEmptyLinesToKeep": 1,
    "InsertNewlineAtEOF": True,
    # A return type on its own line is worse than any other break.
    "PenaltyReturnTypeOnItsOwnLine": 1000,
    # The user's own text (expressions, documentation) and the order of the user's includes stay as they are.
    "BreakStringLiterals": False,
    "ReflowComments": False,
    "SortIncludes": "Never",
    # On one line, however long: compilers show the first line of a failed assertion, and it names tensor and slot.
    "WhitespaceSensitiveMacros": ["DLB_ASSERT_INTEGER", "DLB_ASSERT_POINTER", "DLB_ASSERT_SIGNED"],
}


class FormatterError(Exception):
    """clang-format is missing, is another version, or refused its input; one line that says what to do."""


def format_files(texts: Sequence[tuple[str, str]]) -> list[str]:
    """Formats C texts, each given with the name that an error should mention, in one call of clang-format."""
    if not texts:
        return []
    binary = _checked_binary()
    try:
        with tempfile.TemporaryDirectory(prefix="dlpack-bindgen-") as folder:
            return _format_in(Path(folder), binary, texts)
    except OSError as error:
        raise FormatterError(f"cannot run clang-format {VERSION}: {error.strerror or error}") from error


def _format_in(folder: Path, binary: Path, texts: Sequence[tuple[str, str]]) -> list[str]:
    # Always `.c`: in a `.h`, clang-format would guess between C and Objective-C.
    paths = [folder / f"{index}.c" for index in range(len(texts))]
    for path, (_, text) in zip(paths, texts, strict=True):
        path.write_bytes(text.encode())
    if _run(binary, folder, paths, "-i").returncode != 0:
        raise FormatterError(_why_refused(binary, folder, paths, [name for name, _ in texts]))
    return [path.read_bytes().decode() for path in paths]


def _why_refused(binary: Path, folder: Path, paths: Sequence[Path], names: Sequence[str]) -> str:
    for path, name in zip(paths, names, strict=True):
        result = _run(binary, folder, [path])
        if result.returncode != 0:
            return f"clang-format cannot make sense of {name}: {_first_line(result.stderr) or 'unbalanced brackets?'}"
    return "clang-format failed"


def _run(binary: Path, folder: Path, paths: Sequence[Path], *options: str) -> subprocess.CompletedProcess[str]:
    names = [path.name for path in paths]
    command = [str(binary), *options, "--fail-on-incomplete-format", f"--style={json.dumps(STYLE)}", *names]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False)


@functools.cache
def _checked_binary() -> Path:
    """The binary of the installed wheel, asked once per process which version it is."""
    advice = f"pip install clang-format=={VERSION}"
    binary = _find_binary()
    if binary is None:
        raise FormatterError(f"clang-format {VERSION} is not installed beside dlpack-bindgen: {advice}")
    try:
        result = subprocess.run([str(binary), "--version"], capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise FormatterError(f"{binary} cannot be run ({error.strerror or error}): {advice}") from error
    found = re.search(r"\bversion (\S+)", result.stdout)
    if result.returncode != 0 or found is None:
        raise FormatterError(f"{binary} does not tell its version ({_first_line(result.stderr)}): {advice}")
    if found[1] != VERSION:
        raise FormatterError(f"clang-format {VERSION} is needed, but {binary} is version {found[1]}: {advice}")
    return binary


def _find_binary() -> Path | None:
    package = importlib.util.find_spec("clang_format")
    for folder in (package and package.submodule_search_locations) or ():
        for name in ("clang-format", "clang-format.exe"):
            binary = Path(folder, "data", "bin", name)
            if binary.is_file():
                return binary
    return None


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
