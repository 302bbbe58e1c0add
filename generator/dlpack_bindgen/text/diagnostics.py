"""Diagnostics for mistakes in a spec: the place, the problem and the remedy. They are printed in gcc's format, so
that editors can jump to the place. Other modules guess what the author meant: they extend the class `Advisor`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal, NamedTuple

from dlpack_bindgen.frozen import Frozen

Code = Literal[
    # the file and its YAML
    "file-too-large",
    "not-utf8",
    "control-character",
    "empty-file",
    "not-a-mapping",
    "too-deep",
    "yaml-syntax",
    "yaml-tab",
    "yaml-alias",
    "yaml-anchor",
    "yaml-tag",
    "yaml-reserved",
    "yaml-block",
    "yaml-colon",
    "yaml-comment",
    "yaml-flow",
    "yaml-split",
    "yaml-directive",
    "yaml-documents",
    "yaml-merge-key",
    "duplicate-key",
    "non-scalar-key",
    # the structure
    "newer-version",
    "bad-version",
    "unknown-key",
    "missing-key",
    "exclusive-keys",
    "needs-key",
    "wrong-type",
    "wrong-length",
    "empty-value",
    "too-long",
    "unknown-word",
    "bad-integer",
    "unknown-map",
    "variant-keys",
    "variant-substitution",
    "variants-too-large",
    # single values
    "bad-identifier",
    "keyword-name",
    "reserved-name",
    "unknown-dtype",
    "unknown-device",
    "bad-license",
    "bad-include",
    "bad-ok",
    "c-empty",
    "c-quotes",
    "c-brackets",
    "c-conditional",
    "c-semicolon",
    "c-comma",
    "c-number",
    "c-operator",
    "compared-key",
    "c-condition",
    "stray-word",
    "c-comment",
    "c-backslash",
    "c-preprocessor",
    "c-substitution",
    "c-character",
    "c-type",
    "c-declaration",
    "c-member",
    "c-assignment",
    "c-prototype",
    "unknown-exception",
    # combinations of values
    "array-value",
    "array-kept",
    "pointer-not-set",
    "stream-too-early",
    "const-not-set",
    "static-lifetime",
    "case-order",
    "when-length",
    "when-any",
    "code-without-key",
    "unreachable-arm",
    "param-unset",
    "slot-set-twice",
    "arm-incomplete",
    "itemsize-too-early",
    "used-too-early",
    "out-of-scope",
    "statement-with-ok",
    "required-after-optional",
    "never-called",
    "code-index",
    "code-not-invertible",
    "deleter-missing",
    "deleter-unused",
    "deleter-without-user",
    "unknown-tensor",
    "part-type",
    "part-index",
    "attribute-clash",
    "pass-differs",
    "axis-outside-each",
    "rank-too-high",
    "negative-extent",
    "divided",
    "bad-dtype",
    "rank-contradiction",
    "strides-rank",
    "strides-need-each",
    "sub-byte-strides",
    "stride-unit",
    "index-out-of-rank",
    "dtype-contradiction",
    "code-without-map",
    "ambiguous-code",
    "mixed-keys",
    "undeclared-type",
    "unknown-class",
    "unknown-parameter",
    "ambiguous-class",
    "callback",
    "argument-unclear",
    "argument-length",
    "argument-type",
    "without-effect",
    "argument-count",
    "argument-order",
    "default-made",
    "invalidates-released",
    "measure-of",
    "code-of",
    "control-flow",
    "param-of",
    "result-type",
    "null-pointer",
    "result-owner",
    "released-twice",
    "method-self",
    "special-method",
    "constructor-result",
    "setter-value",
    "missing-destroy",
    "import-incomplete",
    "frees-our-memory",
    "duplicate-requirement",
    "duplicate-name",
    "name-collision",
    "module-collision",
    # the key `draft`
    "unknown-question",
    "unknown-answer",
    "answered-twice",
    "not-asked",
    # messages of the C compiler about generated code, and about headers of the library
    "compiler",
    "header",
]
"""The codes of all mistakes. The tests have a bad spec for each code."""

_WINDOW = 200
_ELLIPSIS = "..."
_MOST_LISTED = 32
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


class Variant(Frozen):
    """One of several tensors that `variants` make from the same lines of a spec."""

    file: str
    line: int
    column: int
    length: int
    count: int
    """The number of variants."""


class Span(Frozen):
    """A range of one line. `line` and `column` count from 1, columns in characters."""

    file: str
    line: int
    column: int
    length: int = 1
    variant: Variant | None = field(default=None, compare=False, repr=False)
    """The variant in which the mistake was found."""
    lines: tuple[Piece, ...] = field(default=(), compare=False, repr=False)
    """The lines of a value that spans several lines, each with its place."""


class Piece(NamedTuple):
    line: int
    column: int
    text: str


def within(span: Span, text: str, place: tuple[int, int] | None) -> Span:
    """Returns the span of a place in `text`, the value of the whole `span`. Returns `span` if the file spells the value
    differently. Quotes and line breaks are allowed."""
    if span.lines and place:
        return _in_lines(span, text, place)
    quotes = (span.length - len(text)) // 2
    known = span.length == len(text) or (span.length == len(text) + 2 and span.variant is None)
    return replace(span, column=span.column + quotes + place[0], length=place[1]) if place and known else span


def _in_lines(span: Span, text: str, place: tuple[int, int]) -> Span:
    """Returns the span of a place in a value of several lines. Each line must occur in `text`, which escape sequences
    prevent."""
    end = 0
    found = span
    for line, column, piece in span.lines:
        start = text.find(piece, end)
        if start < 0:
            return span
        end = start + len(piece)
        if start <= place[0] < end:
            length = min(place[1], end - place[0])
            found = replace(span, line=line, column=column + place[0] - start, length=length, lines=())
    return found


class Note(Frozen):
    span: Span
    message: str


class Diagnostic(Frozen):
    code: Code
    """The stable kebab-case name of the kind of mistake, such as `unknown-key`."""
    span: Span
    message: str
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    cause: str | None = None
    """The common cause elsewhere of mistakes that are found in several places."""
    facts: object = field(default=None, compare=False, repr=False)
    """The record of the facts that the check knows about the mistake. `advice` derives a hint from it."""


Report = Callable[[Diagnostic], None]
"""Takes a mistake."""


class Reporting:
    """The base class of checks that report diagnostics one by one."""

    _emit: Callable[[Diagnostic], None]

    def _report(
        self,
        code: Code,
        span: Span,
        message: str,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
        facts: object = None,
    ) -> None:
        self._emit(Diagnostic(code, span, message, hint, notes, facts=facts))


def split_lines(text: str) -> list[str]:
    """Splits `text` into lines as YAML does. Unlike `str.splitlines`, it does not split at form feeds."""
    return _LINE_BREAK.split(text)


def shown(text: str, limit: int = 60) -> str:
    """Returns `text` for one line of a message: printable, and at most `limit` characters long."""
    if len(text) > limit:
        text = text[: limit - len(_ELLIPSIS)] + _ELLIPSIS
    return _printable(" ".join(text.split()))


def listed(names: Sequence[str]) -> str:
    """Returns the names in quotes, cut to a readable number."""
    quoted = ", ".join(f"'{name}'" for name in names[:_MOST_LISTED])
    return f"{quoted} and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else quoted


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorts the diagnostics by their places. Those in headers keep the order of the compiler, and come first."""

    def place(each: Diagnostic) -> tuple[str | int, ...]:
        return () if each.code == "header" else (each.span.file, each.span.line, each.span.column)

    return sorted(diagnostics, key=place)


def merged(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorts the diagnostics and merges duplicates. A mistake in several variants is reported once. If other variants
    lack it, a note names the first variant. A mistake with one cause is reported at its first place, and a note counts
    the others."""
    found: dict[Diagnostic, list[Variant]] = {}
    for diagnostic in diagnostics:
        variants = found.setdefault(diagnostic, [])
        if diagnostic.span.variant is not None and diagnostic.span.variant not in variants[-1:]:
            variants.append(diagnostic.span.variant)
    mistakes: dict[object, list[Diagnostic]] = {}
    for diagnostic in in_order(_with_variant(diagnostic, variants) for diagnostic, variants in found.items()):
        cause = diagnostic.cause
        mistake = diagnostic if cause is None else (diagnostic.span.file, diagnostic.code, cause)
        mistakes.setdefault(mistake, []).append(diagnostic)
    return [_with_places(several) for several in mistakes.values()]


def _with_places(several: list[Diagnostic]) -> Diagnostic:
    first, *others = several
    if not others:
        return first
    more = f", and at {len(others) - 1} other place{'s' if len(others) > 2 else ''}" if len(others) > 1 else ""
    return replace(first, notes=(*first.notes, Note(others[0].span, f"here as well{more}")))


def _with_variant(diagnostic: Diagnostic, variants: list[Variant]) -> Diagnostic:
    if not variants or len(variants) == variants[0].count:
        return diagnostic
    first = variants[0]
    note = Note(Span(first.file, first.line, first.column, first.length), "in this variant")
    return replace(diagnostic, notes=(*diagnostic.notes, note))


def render(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> str:
    """Returns all `diagnostics` in the order of file, line and column. Each has its source line if `sources` (file ->
    text) has it."""
    lines = {file: split_lines(text) for file, text in sources.items()}
    out: list[str] = []
    for diagnostic in in_order(diagnostics):
        hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
        out += _block("error", diagnostic.span, diagnostic.message + hint, lines)
        for note in diagnostic.notes:
            out += _block("note", note.span, note.message, lines)
    return "".join(line + "\n" for line in out)


def _block(severity: str, span: Span, message: str, lines: Mapping[str, Sequence[str]]) -> list[str]:
    head = _printable(f"{span.file}:{span.line}:{span.column}: {severity}: {message}")
    source = lines.get(span.file, ())
    if not 1 <= span.line <= len(source) or not source[span.line - 1] or source[span.line - 1].isspace():
        return [head]
    shown_line, caret = _snippet(source[span.line - 1], span.column - 1, span.length)
    return [head, f"{span.line:5d} | {shown_line}", f"      | {caret}"]


def _snippet(line: str, start: int, length: int) -> tuple[str, str]:
    if len(line) > _WINDOW:
        begin = max(0, min(start - _WINDOW // 2, len(line) - _WINDOW))
        end = begin + _WINDOW
        before = _ELLIPSIS if begin else ""
        after = _ELLIPSIS if end < len(line) else ""
        length = min(length, end - start)
        line = before + line[begin:end] + after
        start += len(before) - begin
    line = _printable(line)
    # Both lines begin with a prefix of equal width, so that a copied tab reaches the same tab stop.
    indent = "".join("\t" if char == "\t" else " " * _width(char) for char in line[:start])
    marked = sum(_width(char) for char in line[start : start + length])
    return line, f"{indent}^{'~' * (max(marked, 1) - 1)}"


def _width(char: str) -> int:
    import unicodedata  # only mistakes need it

    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _printable(text: str) -> str:
    """Replaces unprintable characters, so that hostile input cannot send escape sequences to the terminal."""
    return "".join(char if char == "\t" or char.isprintable() else "\ufffd" for char in text)


# ---- Comparison of a misspelled name with the known names ----


def closest(word: str, known: Iterable[str]) -> str | None:
    """Returns the known word that is probably meant by an abbreviation or a misspelling, or None."""
    from difflib import get_close_matches  # only mistakes need it

    word = word.lower()
    names = {name.lower(): name for name in known}
    if word in names:
        return names[word]
    whole = [name for name in names if len(word) > 2 and name.startswith(word)]
    matches = whole or get_close_matches(word, [name for name in names if _may_be(word, name)], n=1, cutoff=2 / 3)
    return names[matches[0]] if len(matches) == 1 else None


def _may_be(word: str, name: str) -> bool:
    """Returns whether `word` may be a misspelling of `name`. Digits distinguish words (uint24 is not uint4). The first
    letter distinguishes short words (xpu is not cpu)."""
    digits = sorted(filter(str.isdigit, name))
    if digits not in ([], sorted(filter(str.isdigit, word))):
        return False
    return max(len(word), len(name)) > 3 or word[:1] == name[:1] or sorted(word) == sorted(name)


# ---- The interface between the checks and the advice about mistakes ----
# The checks are complete without advice.


class UnknownName(Frozen):
    """The facts about a name that is not among the known names of the spec."""

    name: str
    known: Collection[str]


class Mend(NamedTuple):
    """A corrected line. `shifts`: the column from which it differs from the file."""

    line: int
    text: str
    shifts: int | None


class Advisor:
    """Answers the questions that a mistake raises. This class answers none of them; `tools.advice` guesses."""

    def advised(self, diagnostic: Diagnostic) -> Diagnostic:
        """Returns the diagnostic with a hint that is derived from its facts."""
        return diagnostic

    def meant_key(self, key: str, known: Sequence[str]) -> str | None:
        """Returns the known key that replaces the unknown `key`.

        The key is then not reported as missing, and the reader prefers an interpretation that has the key.
        """
        return None

    def mends(self, problems: Sequence[Diagnostic], lines: Sequence[str]) -> list[Mend] | None:
        """Returns corrections with which YAML can read the rest of the file; None if they are not clear."""
        return None


GetAdvisor = Callable[[], Advisor]
"""Returns the advisor. Only mistakes call it, so that other runs need not import `advice`."""
