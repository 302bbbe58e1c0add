"""The terminal: exit codes, stdout, and reports on stderr, with colours or as JSON."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TextIO

if TYPE_CHECKING:
    from dlpack_bindgen.text.diagnostics import Diagnostic, Span


# ---- The exit codes, the exception that ends a command, access to stdout as bytes, and words for a shell ----
# All commands share them.

OK, STALE_OR_INVALID, FAILED = 0, 1, 2


class Failure(Exception):
    """Ends the program with exit code 2 and one line of message."""


def print_line(text: str) -> None:
    # Bytes keep a path in another encoding unchanged.
    print_bytes(os.fsencode(text + "\n"))


def print_bytes(data: bytes) -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def discard_stdout() -> None:
    """Redirects stdout to the null device, so that Python does not fail to flush it again at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def shell_word(text: str) -> str:
    """Returns the text as one word of a command that can be pasted into a shell."""
    if text.isprintable():
        return shlex.quote(text)
    # Octal escapes always have three digits. `report` would show unprintable characters in Python's way.
    word = ""
    for byte in os.fsencode(text):
        char = chr(byte)
        word += f"\\{char}" if char in "'\\" else char if 32 <= byte < 127 else f"\\{byte:03o}"
    return f"$'{word}'"


# Reports of problems and failures on stderr: for people, with colours on a terminal, or for tools, as one JSON object
# per line.

Format = Literal["gcc", "json"]

_NO_PLACE: Mapping[str, str | int | None] = dict.fromkeys(("file", "line", "column", "end_column"))


class Report(Protocol):
    def problems(self, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> None:
        """Reports all problems of the specs; `sources` maps files to their text."""

    def failure(self, message: str) -> None:
        """Reports in one line why the command fails."""

    def note(self, message: str) -> None:
        """Reports in one line what the user should know about a command that goes on."""


def report_as(form: Format) -> Report:
    return _Json() if form == "json" else _Text()


class _Text:
    def problems(self, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> None:
        from dlpack_bindgen.text import diagnostics as gcc

        shown = gcc.render(diagnostics, sources).rstrip("\n")
        _say("\n".join(_coloured(line) for line in shown.split("\n")) if _has_colours(sys.stderr) else shown)
        self.failure(f"{len(diagnostics)} error{'s' if len(diagnostics) > 1 else ''}, nothing was written")

    def failure(self, message: str) -> None:
        self._line("error", message)

    def note(self, message: str) -> None:
        self._line("note", message)

    def _line(self, severity: str, message: str) -> None:
        line = f"dlpack-bindgen: {severity}: {_one_line(message)}"
        _say(_coloured(line) if _has_colours(sys.stderr) else line)


class _Json:
    """A report in JSON. docs/editors.md documents the fields of a line."""

    def problems(self, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> None:
        from dlpack_bindgen.text.diagnostics import in_order

        for diagnostic in in_order(diagnostics):
            notes = [{"message": note.message, **_place(note.span)} for note in diagnostic.notes]
            self._line("error", diagnostic.code, diagnostic.message, diagnostic.hint, _place(diagnostic.span), notes)

    def failure(self, message: str) -> None:
        self._line("error", None, message)

    def note(self, message: str) -> None:
        self._line("note", None, message)

    def _line(
        self,
        severity: str,
        code: str | None,
        message: str,
        hint: str | None = None,
        place: Mapping[str, str | int | None] = _NO_PLACE,
        notes: Sequence[Mapping[str, str | int | None]] = (),
    ) -> None:
        # ASCII only, so that no encoding and no line separator can damage the output.
        line = {"severity": severity, "code": code, "message": message, "hint": hint, **place, "notes": list(notes)}
        _say(json.dumps(line))


def _place(span: Span) -> dict[str, str | int | None]:
    return {"file": span.file, "line": span.line, "column": span.column, "end_column": span.column + span.length}


def _say(text: str) -> None:
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def _one_line(message: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)


# ---- Colours, as in gcc ----

_BOLD, _RED, _CYAN, _GREEN, _PLAIN = "\x1b[1m", "\x1b[1;31m", "\x1b[1;36m", "\x1b[1;32m", "\x1b[0m"
_QUOTED = r" *\d+ \| "
_MARKED = r" {6}\| "
_HEAD = r"(?P<place>.+?:\d+:\d+|dlpack-bindgen): (?P<severity>error|note): "


def _has_colours(stream: TextIO | None) -> bool:
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def _coloured(line: str) -> str:
    """Adds colours to one line of a message, according to its form."""
    marked, head = re.match(_MARKED, line), re.match(_HEAD, line)
    if marked:
        return f"{marked.group()}{_GREEN}{line[marked.end() :]}{_PLAIN}"
    if head is None or re.match(_QUOTED, line):
        return line
    colour = _RED if head["severity"] == "error" else _CYAN
    return f"{_BOLD}{head['place']}:{_PLAIN} {colour}{head['severity']}:{_PLAIN} {line[head.end() :]}"
