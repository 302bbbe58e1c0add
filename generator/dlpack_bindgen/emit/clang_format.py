"""The runner of clang-format. It uses one exact version: that of `DLB_CLANG_FORMAT`, of the wheel `clang-format`,
or of the system (on `PATH`), in this order.

Formatting differs between versions, and users commit the output. Any other version is therefore refused."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

LINE, LINE_END = "DLB_LINE_", "DLB_LINE_END_"
"""Markers around a string that the formatter must not wrap: `DLB_LINE_(TEXT DLB_LINE_END_)` becomes TEXT when
rendered."""

# ---- Splitting of C files into pieces, which are formatted one by one ----
# The result has the same bytes as the whole file.
# This requires that no piece affects another. clang-format carries state from line to line, but an empty line outside
# all brackets resets most of it. The remaining state has no effect in this style. The style aligns only comments at the
# ends of consecutive lines. It never derives the position of pointers, the line ends or the language from the whole
# file.
# Conditions need care. clang-format formats each branch as a separate file and skips `#if 0`, so no cut lies inside an
# `#if`. Cuts inside an `#ifdef` are safe: the emitted ones have no `#else`, and without it they change nothing.

# A file with some 100 tensors took 64 MiB in one piece and 19 MiB in pieces of this size, and less time. Smaller pieces
# cost more again.
SIZE = 32 * 1024


class Piece(NamedTuple):
    text: str
    formatted: bool


# None of these contains an empty line, so that no cut splits them.
_OPAQUE = r'(?s)/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
_NESTING = r"(?m)[{}]|^#(?:if|endif)\w*"
_GAP = re.compile(r"\n\n+")
_LINKAGE = r"(?sm)^#ifdef __cplusplus\n.*?(?=\n\n|\Z)"
"""A pattern of `extern "C" {` and its end, which are already formatted. Without them, no bracket is open between
functions."""


def cut(text: str, size: int = SIZE) -> list[Piece]:
    """Splits the text into pieces of about `size`, or of one function if that is longer. Joined with empty lines, they
    are the text."""
    if len(text) <= size:
        return [Piece(text, formatted=False)]
    pieces: list[Piece] = []
    end = 0
    for linkage in re.finditer(_LINKAGE, text):
        pieces += _cut(text[end : linkage.start()], size)
        pieces.append(Piece(linkage.group().rstrip("\n") + "\n", formatted=True))
        end = linkage.end()
    return [*pieces, *_cut(text[end:], size)]


def joined(pieces: list[str]) -> str:
    return "\n".join(pieces)


def _cut(text: str, size: int) -> Iterator[Piece]:
    text = text.strip("\n")
    begin = seen = depth = 0
    conditions: list[str] = []
    while gap := _GAP.search(text, max(begin + size, seen)):
        for sign in re.findall(_NESTING, re.sub(_OPAQUE, "", text[seen : gap.start()])):
            if sign in "{}":
                depth += 1 if sign == "{" else -1
            elif sign != "#endif":
                conditions.append(sign)
            elif conditions:
                conditions.pop()
        seen = gap.end()
        if depth == 0 and "#if" not in conditions:
            yield Piece(text[begin : gap.start()] + "\n", formatted=False)
            begin = seen
    if text[begin:]:
        yield Piece(text[begin:] + "\n", formatted=False)


VERSION = "19.1.7"
_ADVICE = f"pip install clang-format=={VERSION}, or set DLB_CLANG_FORMAT to a program of this version"
_NAMES = (f"clang-format-{VERSION.partition('.')[0]}", "clang-format")
"""The names that distributions give the program."""

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
    # A line break after the return type is the last resort.
    "PenaltyReturnTypeOnItsOwnLine": 1000,
    # The user's own code and documentation, and the order of the user's includes, stay unchanged.
    "BreakStringLiterals": False,
    "ReflowComments": False,
    "SortIncludes": "Never",
    # Each assertion stays on one line of any length. Compilers show the first line of a failed assertion, which names
    # tensor and slot.
    "WhitespaceSensitiveMacros": [
        LINE,
        *(
            f"DLB_ASSERT_{what}"
            for what in """
            ALIGNMENT ANY_DATA CAPACITY COMPARED COMPLEX CONVERTS DATA FUNCTION INTEGER KEY KIND LENGTH NOT_CONST
            PASSES POINTER RESULT ROWS SIGNED SIZE STATUS STORAGE STRUCT TABLE VALUE WHOLE
            """.split()
        ),
    ],
    "StatementMacros": ["DLB_STRICT_BEGIN", "DLB_STRICT_END", "Py_BEGIN_ALLOW_THREADS", "Py_END_ALLOW_THREADS"],
}

# A call takes 8 ms to start, and 100 ms per 100,000 characters. Two calls are faster from 20,000 characters on.
_WORTH_A_PROCESS = 16_384


class FormatterError(Exception):
    """Raised if clang-format is missing, has another version, or fails. The message is one line with the remedy."""


class RefusedText(FormatterError):
    """Raised if clang-format refuses a text, because C code of the spec breaks the syntax."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text


def format_files(files: Sequence[tuple[str, str]], jobs: int | None = None) -> list[str]:
    """Formats C files, each given as a name for errors and its text. Runs one process, or one per core (at most `jobs`)
    if there is enough text."""
    if not files:
        return []
    binary = _checked_binary()
    try:
        with tempfile.TemporaryDirectory(prefix="dlpack-bindgen-") as folder:
            return _format_in(Path(folder), binary, files, jobs or _cores())
    except OSError as error:
        raise FormatterError(f"cannot run clang-format {VERSION}: {error.strerror or error}") from error


def _cores() -> int:
    """Returns the number of cores that this process may use. In a container they are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _format_in(folder: Path, binary: Path, files: Sequence[tuple[str, str]], jobs: int) -> list[str]:
    wholes = [cut(text) for _, text in files]
    named = [
        (name, piece.text)
        for (name, _), pieces in zip(files, wholes, strict=True)
        for piece in pieces
        if not piece.formatted
    ]
    # Always `.c`: for `.h`, clang-format would guess between C and Objective-C.
    paths = [folder / f"{index}.c" for index in range(len(named))]
    for path, (_, text) in zip(paths, named, strict=True):
        path.write_bytes(text.encode())
    if not _format_all(binary, folder, _shares(paths, [len(text) for _, text in named], jobs)):
        _check_version(binary)
        raise _why_refused(binary, folder, list(zip(paths, named, strict=True)))
    done = iter(paths)
    return [
        joined([piece.text if piece.formatted else next(done).read_bytes().decode() for piece in pieces])
        for pieces in wholes
    ]


def _shares(paths: Sequence[Path], sizes: Sequence[int], jobs: int) -> list[list[Path]]:
    """Divides the files into shares of about equal size, one for each process."""
    count = max(1, min(jobs, len(paths), sum(sizes) // _WORTH_A_PROCESS))
    shares: list[list[Path]] = [[] for _ in range(count)]
    loads = [0] * count
    for size, path in sorted(zip(sizes, paths, strict=True), key=lambda each: -each[0]):
        lightest = loads.index(min(loads))
        shares[lightest].append(path)
        loads[lightest] += size
    return shares


def _format_all(binary: Path, folder: Path, shares: Sequence[Sequence[Path]]) -> bool:
    """Formats the files in place, all shares in parallel. Returns whether all processes succeeded."""
    with contextlib.ExitStack() as stack:
        started = [stack.enter_context(_start(binary, folder, share)) for share in shares]
        statuses = [process.wait() for process in started]
    return not any(statuses)


def _why_refused(binary: Path, folder: Path, named: Sequence[tuple[Path, tuple[str, str]]]) -> FormatterError:
    for path, (name, text) in named:
        result = _run(binary, folder, path)
        if result.returncode != 0:
            reason = _first_line(result.stderr) or "its brackets may be unbalanced"
            return RefusedText(f"clang-format cannot read {name}: {reason}", text)
    return FormatterError("clang-format failed")


def _start(binary: Path, folder: Path, paths: Sequence[Path]) -> subprocess.Popen[bytes]:
    command = _command(binary, paths, "-i")
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _run(binary: Path, folder: Path, path: Path) -> subprocess.CompletedProcess[str]:
    command = _command(binary, [path])
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False)


def _command(binary: Path, paths: Sequence[Path], *options: str) -> list[str]:
    names = [path.name for path in paths]
    return [str(binary), *options, "--fail-on-incomplete-format", f"--style={json.dumps(STYLE)}", *names]


@functools.cache
def _checked_binary() -> Path:
    """Returns the binary, after one check of its version per process. For the installed wheel, the metadata suffices;
    running the binary takes 3 ms."""
    binary = _find_binary()
    if binary is None:
        raise FormatterError(f"clang-format {VERSION} is not installed: {_ADVICE}")
    if not any((site / f"clang_format-{VERSION}.dist-info").is_dir() for site in binary.parents[3:4]):
        _check_version(binary)
    return binary


def _check_version(binary: Path) -> None:
    found = _version(binary)
    if found != VERSION:
        raise FormatterError(f"clang-format {VERSION} is needed, but {binary} is version {found}: {_ADVICE}")


def _version(binary: Path) -> str:
    try:
        result = subprocess.run([str(binary), "--version"], capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise FormatterError(f"{binary} cannot be run ({error.strerror or error}): {_ADVICE}") from error
    found = re.search(r"\bversion (\d+\.\d+\.\d+)", result.stdout)
    if result.returncode != 0 or found is None:
        raise FormatterError(f"{binary} does not tell its version ({_first_line(result.stderr)}): {_ADVICE}")
    return found[1]


def _find_binary() -> Path | None:
    chosen = os.environ.get("DLB_CLANG_FORMAT")
    if chosen:
        return Path(shutil.which(chosen) or chosen)
    package = importlib.util.find_spec("clang_format")
    for folder in (package and package.submodule_search_locations) or ():
        for name in ("clang-format", "clang-format.exe"):
            binary = Path(folder, "data", "bin", name)
            if binary.is_file():
                return binary
    return _installed()


def _installed() -> Path | None:
    """Returns the program of the system, if it has the right version."""
    for name in _NAMES:
        path = shutil.which(name)
        with contextlib.suppress(FormatterError):
            if path is not None and _version(Path(path)) == VERSION:
                return Path(path)
    return None


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
