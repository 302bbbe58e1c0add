"""Explanations of YAML errors for authors of C expressions, and values of YAML as their author meant them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import yaml
from yaml import MarkedYAMLError

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Code, Diagnostic, Note, Span, shown

# ---- Values in a line of YAML as their author meant them, even if YAML ends them earlier ----
# One line may hold a whole spec, with a mistake in each of its values. The functions therefore avoid a scan of the
# whole line for each mistake. They limit the length of values, and cache the structure of a line.

_LONGEST = 1024
"""The maximum number of characters of a value that are examined. Messages show fewer."""
_NEAREST = 16
"""The number of places before a mistake that are examined as the start of its value."""
_DEPTHS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_BEGINS = re.compile(r"[\[{,:]\s*")
_ALIAS = re.compile(r"\*(\w+)(?=\s*(?:[,\]}]|$))")
_ANCHOR = re.compile(r"(?<![\w)\]])&(\w+)(?=\s+[\w\"'\[{]|\s*$)")


def raw_value(line: str, column: int, flow: bool) -> str:
    """Returns the value at `column` as its author meant it: up to the end of the line, or of the item in `[...]`."""
    end = column + _LONGEST
    if not flow:
        return re.split(r"\s#", line[column:end], maxsplit=1)[0].rstrip()
    depth = 0
    stop = column
    for text, position in ctext.pieces(line, column, end):
        depth += _DEPTHS.get(text, 0)
        if depth < 0 or (depth == 0 and text == ","):
            break
        stop = position + len(text)
        if text in ('"', "'"):
            break
    return line[column:stop]


def call_start(line: str, column: int) -> int | None:
    """Returns the start of a call such as `f(self, &x)`, given the place of its last argument, which YAML reads as a
    separate value."""
    known = _calls(line)
    index = bisect_left(known.brackets, column) - 1
    bracket = known.open_calls[index] if index >= 0 else -1
    start = bisect_right(known.begins, bracket) - 1
    return known.begins[start] if bracket >= 0 and start >= 0 else None


def value_start(line: str, column: int) -> int:
    """Returns the start of the value in `[...]` or `{...}` that contains `column`, even if YAML ends it earlier:
    `a[1] == 2 && b`."""
    begins = _calls(line).begins
    end = bisect_right(begins, column)
    around = (each for each in begins[max(end - _NEAREST, 0) : end][::-1] if column - each < _LONGEST)
    return next((each for each in around if each + len(raw_value(line, each, True)) > column), column)


class _Calls(NamedTuple):
    brackets: list[int]
    """The places of all parentheses."""
    open_calls: list[int]
    """For each parenthesis: the place of the innermost parenthesis that is open after it, or -1."""
    begins: list[int]
    """The places where a value can begin."""


@lru_cache(maxsize=8)
def _calls(line: str) -> _Calls:
    pending: list[int] = []
    found = _Calls([], [], [match.end() for match in _BEGINS.finditer(line)])
    for text, position in ctext.pieces(line, 0, len(line)):
        if text == "(":
            pending.append(position)
        elif text == ")" and pending:
            pending.pop()
        if text in ("(", ")"):
            found.brackets.append(position)
            found.open_calls.append(pending[-1] if pending else -1)
    return found


class Marks:
    """The anchors and aliases of a file, which the author may have intended."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def are_meant(self, raw: str) -> bool:
        """Returns whether `raw` is an alias of an anchor in the file, or a value with an anchor that has an alias."""
        name = re.match(r"[*&](\w+)(?:\s+[\w\"'].*)?$", raw, re.ASCII)
        if name is None or (raw[0] == "*") != (name.end(1) == len(raw)):
            return False
        return name[1] in (self._anchors if raw[0] == "*" else self._aliases)

    @cached_property
    def _aliases(self) -> set[str]:
        return {name for line in self._lines for name in _ALIAS.findall(line)}

    @cached_property
    def _anchors(self) -> set[str]:
        return {name for line in self._lines for name in _ANCHOR.findall(line)}


# ---- Explanations of YAML errors for authors of C expressions ----

_FOUND = r"(?:found character|found|but found|but got) '?(?P<what>.+?)'?(?: that cannot start any token)?$"
_VALUE_START = r"\s*(?:- +)*(?:[^\s:#'\"]+: +)?"
_TRAPS: dict[str, tuple[Code, str]] = {
    "*": ("yaml-alias", "alias"),
    "&": ("yaml-anchor", "anchor"),
    "!": ("yaml-tag", "tag"),
}
WRITE_OUT = "write the value out again"
NO_DIRECTIVES = "YAML directives ('%...') are not part of the spec language"
MOST_MENDS = 100
SCANNED = 500_000
"""The maximum number of characters in all readings that search for further mistakes."""
_LONGEST_KEY = 1024
_NO_SPACE = r"\s*(?:- +)*(?P<key>[A-Za-z][\w-]*):(?P<value>\S.*)"
FENCE = "```"
_OPENERS = {"while parsing a flow sequence": "[", "while parsing a flow mapping": "{"}


class Unquoted(Frozen):
    """The facts about a string that YAML reads in another way. In quotes, it reads the string as it is written."""

    text: str
    key: str | None = None
    """A word in the string that may be the key of the next entry."""
    in_flow: bool = False
    is_prose: bool = False
    of_key: str | None = None
    """The key before the string."""


class NoSpace(Frozen):
    """The facts about a line without a space between a key and its value."""

    key: str
    value: str
    column: int
    """The column of the value, from 0."""


class LastScalar(Frozen):
    """The last scalar before the error, with lines and columns from 0."""

    line: int
    column: int
    end_line: int
    plain: bool
    lone_key: bool
    """Whether the scalar is a key without a value, as in `{dims[axis]: x}`, which YAML ends before the bracket."""


def trap(file: str, line_number: int, column: int, line: str, marks: Marks, flow: bool) -> Diagnostic:
    """Reports a value whose first character has a meaning in YAML: `*self->buf`, `&x`, `!writable`."""
    raw = raw_value(line, column, flow) or line[column : column + 1]
    code, name = _TRAPS[line[column]]
    message = f"'{shown(raw)}' would be a YAML {name}"
    span = Span(file, line_number + 1, column + 1, len(raw))
    if marks.are_meant(raw):
        return Diagnostic(code, span, message, WRITE_OUT)
    if flow and (call := call_start(line, column)) is not None:
        return Diagnostic(code, span, message, facts=Unquoted(raw_value(line, call, True)))
    start = value_start(line, column) if flow else column
    whole = raw if start == column else raw_value(line, start, True)
    span = Span(file, line_number + 1, start + 1, len(whole))
    return Diagnostic(code, span, message, facts=Unquoted(whole))


def explain(
    error: MarkedYAMLError, file: str, lines: Sequence[str], last: LastScalar | None, opening: tuple[int, int] | None
) -> Diagnostic:
    """Explains an error of the parser. `opening` is the place of the innermost `[` or `{` that is still open."""
    return _Explainer(error, file, lines, last, opening).explain()


def tabs(file: str, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yields a diagnostic for each line in which YAML fails at a tab. YAML stops at the first such line. The others are
    found by reading again without the lines found so far."""
    rest = [*lines]
    for _ in range(min(MOST_MENDS, 1 + SCANNED // (1 + sum(map(len, lines))))):
        try:
            for _ in yaml.scan("\n".join(rest), Loader=yaml.SafeLoader):
                pass
            return
        except MarkedYAMLError as error:
            mark = error.problem_mark
            if mark is None or mark.line >= len(rest) or rest[mark.line][mark.column : mark.column + 1] != "\t":
                return
            yield tab(file, mark.line, mark.column, lines[mark.line])
            rest[mark.line] = rest[mark.line].replace("\t", " ")
        except (yaml.YAMLError, ValueError, OverflowError):
            return


def tab(file: str, line_number: int, column: int, line: str) -> Diagnostic:
    before, after = line[:column].strip(), line[column:].strip()
    hint: str | None = "write a space"
    if not before:
        where, hint = "is used for indentation", None
    elif not after:
        where, hint = "ends this line", "remove it"
    elif after.startswith("#"):
        where = "stands before a comment"
    elif before[-1] in ":,[{-":
        where = f"follows '{before[-1]}'"
    elif after[0] in ",]}":
        where = f"stands before '{after[0]}'"
    else:
        where = "stands in an unquoted value"
    message = f"a tab {where}; YAML allows only spaces there"
    return Diagnostic("yaml-tab", Span(file, line_number + 1, column + 1), message, hint)


class _Explainer:
    def __init__(
        self,
        error: MarkedYAMLError,
        file: str,
        lines: Sequence[str],
        last: LastScalar | None,
        opening: tuple[int, int] | None,
    ) -> None:
        self.file = file
        self.lines = lines
        self.opening = opening
        self.flow = opening is not None
        self.context = error.context or ""
        self.problem = error.problem or ""
        mark = error.problem_mark or error.context_mark
        self.line, self.column = (mark.line, mark.column) if mark else (0, 0)
        start = error.context_mark or mark
        self.start_line, self.start_column = (start.line, start.column) if start else (0, 0)
        self.here = lines[self.line] if self.line < len(lines) else ""
        self.last = last
        found = re.search(_FOUND, self.problem)
        self.found = found["what"] if found else ""

    def explain(self) -> Diagnostic:
        if "cannot start any token" in self.problem:
            return self._reserved()
        if self.context in ("while scanning an alias", "while scanning an anchor"):
            return self._trap(self.start_line, self.start_column, self.flow)
        if "directive" in self.context or "directive" in self.problem or "incompatible YAML" in self.problem:
            return self._at("yaml-directive", self.line, 0, NO_DIRECTIVES)
        if " tag" in self.context or "tag handle" in self.problem:
            return self._trap(self.start_line, self.start_column, self.flow)
        if "block scalar" in self.context:
            return self._value("yaml-block", self.start_line, self.start_column, "starts a block string in YAML")
        if "quoted scalar" in self.context:
            return self._quotes()
        if "<document start>" in self.problem:
            message = "something follows the end of the document ('...'): one spec per file"
            return self._at("yaml-documents", self.line, self.column, message)
        if not self.flow and (start := self._trap_start()) is not None:
            return self._trap(self.line, start, False)
        if (start := self._bracket_start()) is not None:
            return self._value(
                "yaml-flow", self.line, start, "begins with a bracket, and YAML ends it at the other one"
            )
        if self.context in _OPENERS:
            return self._in_flow()
        return self._in_block()

    def _trap(self, line: int, column: int, flow: bool) -> Diagnostic:
        return trap(self.file, line, column, self.lines[line], Marks(self.lines), flow)

    def _reserved(self) -> Diagnostic:
        char = self.here[self.column : self.column + 1]
        if char == "\t":
            return tab(self.file, self.line, self.column, self.here)
        if self.here.startswith(FENCE):
            return self._at("yaml-reserved", self.line, 0, "a fence of Markdown, which is not YAML", "delete this line")
        found = self._value("yaml-reserved", self.line, self.column, f"starts with '{char}': no unquoted value may")
        if not self.flow:
            return found
        if (call := call_start(self.here, self.column)) is not None:
            return replace(found, facts=Unquoted(raw_value(self.here, call, True)))
        start = value_start(self.here, self.column)
        return found if start == self.column else self._value("yaml-flow", self.line, start, self._ended_by("["))

    def _ended_by(self, sign: str) -> str:
        return f"has a '{sign}' inside, which ends an unquoted value in a '[...]' or '{{...}}' of YAML"

    def _quotes(self) -> Diagnostic:
        if "escape" in self.problem or "hexadecimal" in self.problem:
            column = self.here.rfind("\\", 0, self.column + 1)
            hint = "double the backslash, or use single quotes, in which it means nothing"
            message = "YAML does not know this escape in a double-quoted value"
            return self._at("yaml-syntax", self.line, max(column, 0), message, hint)
        return self._at("yaml-syntax", self.start_line, self.start_column, "this quote is never closed")

    def _in_flow(self) -> Diagnostic:
        opener = _OPENERS[self.context]
        if self.found == "<stream end>":
            return self._unclosed((self.start_line, self.start_column))
        last = self.last
        opening = Note(self._span(self.start_line, self.start_column), f"the '{opener}'")
        if self.found in ("]", "}"):
            message = f"'{self.found}' cannot close a '{opener}'"
            return Diagnostic("yaml-syntax", self._span(self.line, self.column), message, notes=(opening,))
        if last is None or last.line != self.line or self.line != self.start_line:
            message = f"the '{opener}' of line {self.start_line + 1} is still open, and this does not fit into it"
            hint = "is a closing bracket or a ',' missing?"
            return Diagnostic("yaml-syntax", self._span(self.line, self.column), message, hint, (opening,))
        key = 1 + max(self.here.rfind(sign, 0, self.column) for sign in ",{[")
        key += len(self.here) - key - len(self.here[key:].lstrip())
        if self.found == ":" and self.column - key > _LONGEST_KEY:
            return self._long_key(self.line, key)
        if self.found == ":":
            return self._value("yaml-colon", last.line, last.column, "has a ':' inside, which YAML reads as a key")
        if not last.plain:
            return self._value("yaml-syntax", last.line, last.column, "goes on after its closing quote")
        between = self.here[self.column : self.column + 1]
        call = call_start(self.here, last.column)
        return self._value("yaml-flow", last.line, last.column if call is None else call, self._ended_by(between))

    def _unclosed(self, opening: tuple[int, int]) -> Diagnostic:
        line, column = opening
        return self._at("yaml-syntax", line, column, f"this '{self.lines[line][column]}' is never closed")

    def _in_block(self) -> Diagnostic:
        last = self.last
        if "mapping values are not allowed" in self.problem and last is not None and last.end_line == self.line:
            return self._colon(last)
        if "could not find expected ':'" in self.problem:
            return self._no_key()
        if self.opening and self.found == "<stream end>":
            return self._unclosed(self.opening)
        if "expected the node content" in self.problem and self.flow and self.found == ",":
            message = "an item is empty: nothing is before this ','"
            return self._at("empty-value", self.line, self.column, message, "remove it, or write the item")
        if "expected the node content" in self.problem:
            return self._value("yaml-reserved", self.line, self.column, "starts with a sign that no unquoted value may")
        if "sequence entries are not allowed" in self.problem:
            message = "a list item ('- ') cannot stand here: begin the list on a line of its own, or quote the C text"
            return self._at("yaml-syntax", self.line, self.column, message)
        if "mapping keys are not allowed" in self.problem:
            return self._at("yaml-syntax", self.line, self.column, "'? ' begins a complex key: quote C text")
        if "expected <block end>" in self.problem:
            return self._unfitting()
        message = ", ".join(part for part in (self.context, self.problem) if part)
        return self._at("yaml-syntax", self.line, self.column, f"YAML cannot read this: {message}")

    def _no_key(self) -> Diagnostic:
        line = self.lines[self.start_line]
        if re.match(rf"[^:]{{{_LONGEST_KEY}}}", line[self.start_column :]):
            return self._long_key(self.start_line, self.start_column)
        message = "this line is neither 'key: value' nor a list item"
        match = re.fullmatch(_NO_SPACE, line.rstrip())
        facts = NoSpace(match["key"], match["value"], match.start("value")) if match else None
        return Diagnostic("yaml-syntax", self._span(self.start_line, self.start_column), message, facts=facts)

    def _long_key(self, line: int, column: int) -> Diagnostic:
        return self._at("yaml-syntax", line, column, f"a key has at most {_LONGEST_KEY} characters in YAML")

    def _colon(self, last: LastScalar) -> Diagnostic:
        if last.line == self.line and self.column - last.column > _LONGEST_KEY:
            return self._long_key(last.line, last.column)
        if last.line != self.line and re.fullmatch(_NO_SPACE, self.lines[last.line].rstrip()):
            self.start_line, self.start_column = last.line, last.column
            return self._no_key()
        if last.line != self.line:
            message = f"this line is indented as if it continued the value that starts on line {last.line + 1}"
            return self._at("yaml-syntax", self.line, len(self.here) - len(self.here.lstrip()), message)
        if not last.plain:
            return self._value("yaml-syntax", last.line, last.column, "goes on after its closing quote")
        return self._value("yaml-colon", last.line, last.column, "has a ': ' inside, which YAML reads as a key")

    def _unfitting(self) -> Diagnostic:
        last = self.last
        if self.found == "<scalar>" and last is not None and last.end_line == self.line and not last.plain:
            return self._value("yaml-syntax", last.line, last.column, "goes on after its closing quote")
        if self.found in ("]", "}", ","):
            return self._at("yaml-syntax", self.line, self.column, f"this '{self.found}' closes nothing: quote C text")
        message = f"this line does not fit the indentation of the lines since line {self.start_line + 1}"
        return self._at("yaml-syntax", self.line, self.column, message)

    def _bracket_start(self) -> int | None:
        """Returns the start of `[a][0]`, where YAML reads the first bracket as its own and fails at the second."""
        before = self.here[: self.column].rstrip()
        if not before.endswith(("]", "}")) or self.found in ("]", "}", ",", ":", "<stream end>", ""):
            return None
        depth = 0
        for column in range(len(before) - 1, -1, -1):
            depth += {"]": 1, "}": 1, "[": -1, "{": -1}.get(before[column], 0)
            if depth == 0:
                return column
        return None

    def _trap_start(self) -> int | None:
        """Returns the start of a value such as `!(x) ? y`, where YAML fails long after the sign that it misreads."""
        match = re.match(_VALUE_START, self.here)
        column = match.end() if match else 0
        return column if column < self.column and self.here[column : column + 1] in tuple(_TRAPS) else None

    def _value(self, code: Code, line: int, column: int, message: str) -> Diagnostic:
        raw = raw_value(self.lines[line], column, self.flow) or self.lines[line][column : column + _LONGEST_KEY]
        if self.last is not None and self.last.lone_key and (line, column) == (self.last.line, self.last.column):
            raw = re.split(r"(?<=\S):(?:\s|$)", raw, maxsplit=1)[0]
        span = Span(self.file, line + 1, column + 1, max(len(raw), 1))
        key = re.search(r"^[^?]*\s([a-z_]\w*):\s", raw) if code == "yaml-colon" else None
        before = re.search(r"([a-z_]\w*):\s+$", self.lines[line][:column])
        facts = Unquoted(raw, key[1] if key else None, self.flow, of_key=before[1] if before else None)
        return Diagnostic(code, span, f"'{shown(raw)}' {message}", facts=facts)

    def _at(self, code: Code, line: int, column: int, message: str, hint: str | None = None) -> Diagnostic:
        return Diagnostic(code, self._span(line, column), message, hint)

    def _span(self, line: int, column: int) -> Span:
        return Span(self.file, line + 1, column + 1)
