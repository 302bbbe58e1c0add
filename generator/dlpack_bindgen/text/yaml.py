"""The loader of YAML: it returns nodes with source positions, or all reasons for a failure.

The nodes are built from the parser's events without recursion, so that no input can exhaust the stack. Nothing is
resolved, merged or expanded: later steps see the content exactly as written."""

from __future__ import annotations

import re
from collections import abc
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from itertools import islice
from typing import NamedTuple

import yaml

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import (
    Advisor,
    Code,
    Diagnostic,
    GetAdvisor,
    Note,
    Piece,
    Reporting,
    Span,
    shown,
    split_lines,
    within,
)
from dlpack_bindgen.text.yaml_errors import (
    MOST_MENDS,
    NO_DIRECTIVES,
    SCANNED,
    WRITE_OUT,
    LastScalar,
    Marks,
    Unquoted,
    explain,
    raw_value,
    tabs,
    trap,
)

# ---- The nodes of a YAML file, with source positions ----
# Scalars are strings as written, never resolved.


class Scalar(Frozen):
    text: str
    span: Span
    plain: bool
    """Whether the scalar has no quotes and is not a block scalar."""


class Sequence(Frozen):
    items: tuple[Node, ...]
    span: Span
    raw: str | None = field(default=None, compare=False, repr=False)
    """The source of a list that is written as `[...]` on one line."""


class Mapping(Frozen):
    entries: tuple[tuple[Scalar, Node], ...]
    span: Span
    raw: str | None = field(default=None, compare=False, repr=False)
    """The source of a mapping that is written as `{...}` on one line."""


class Broken(Frozen):
    """A node with a mistake that is already reported. Later steps ignore it."""

    span: Span


Node = Scalar | Sequence | Mapping | Broken


# ---- Spelling of strings as scalars of YAML ----

_FLOW_SIGNS = re.compile(r"[,\[\]{}#:]|^[*&!%@`|>'\"]|^[-?](?: |$)")


def quoted(text: str) -> str:
    """Returns `text` as a quoted YAML scalar."""
    if "'" in text and not re.search(r'["\\]', text):
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def list_in_flow(items: list[str]) -> str:
    return f"[{', '.join(map(in_flow, items))}]"


def in_flow(text: str) -> str:
    """Returns the string as a YAML scalar within `[...]` or `{...}`, quoted where necessary."""
    return quoted(text) if not text or _FLOW_SIGNS.search(text) else text


# Scalars of a spec are taken as written, so that only the syntax decides about quotes.
_PLAIN_START = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`]|[-?:](?=\S)")


def scalar(value: str, in_brackets: bool = True) -> str:
    """Returns a scalar, in quotes if YAML needs them. `in_brackets`: it stands in `[...]` or `{...}`."""
    plain = (
        _PLAIN_START.match(value) is not None
        and value == value.strip()
        and value.isprintable()
        and ": " not in value
        and " #" not in value
        and not value.endswith(":")
        and not (in_brackets and set(value) & set(",[]{}:\"'"))
    )
    if plain:
        return value
    if value.isprintable():
        return "'" + value.replace("'", "''") + "'" if '"' in value or "\\" in value else f'"{value}"'
    return '"' + re.sub(r"[^ !#-\[\]-~]", lambda found: f"\\U{ord(found[0]):08x}", value) + '"'


def flow_list(items: Iterable[str]) -> str:
    """Returns a list of scalars in brackets."""
    return "[" + ", ".join(map(scalar, items)) + "]"


def flow_map(entries: abc.Mapping[str, str]) -> str:
    """Returns a mapping of scalars in braces."""
    listed = ", ".join(f"{scalar(key)}: {scalar(value)}" for key, value in entries.items())
    return f"{{{listed}}}"


# ---- Checks for invisible Unicode spaces, which YAML and C do not accept as spaces ----
# They come from pasted text.

_SPACE = re.compile("[\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000]")
_INDENTATION = re.compile(f"[ \t]*(?P<space>{_SPACE.pattern})")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_PROSE = ("doc", "message")
"""The keys whose values are prose."""
_MOST = 100

Report = Callable[[Diagnostic], None]


def plain(text: str) -> str:
    return _SPACE.sub(" ", text)


def in_lines(file: str, lines: abc.Sequence[str], failed: int) -> Iterator[Diagnostic]:
    """Yields diagnostics for spaces that prevent YAML from reading a file. These are in indentation, in the line of
    the failure (`failed`, from 0), or in the line before."""
    for number, line in enumerate(lines):
        found = _INDENTATION.match(line)
        start = found.start("space") if found else None
        if start is None and number in (failed - 1, failed) and (match := _SPACE.search(_COMMENT.sub("", line))):
            start = match.start()
        if start is not None:
            yield _problem(Span(file, number + 1, start + 1), line[start])


def replaced(node: Node, report: Report) -> Node:
    """Replaces such spaces by ASCII spaces in all values except prose, and reports each changed value."""
    if isinstance(node, Scalar):
        return _scalar(node, report)
    if isinstance(node, Sequence):
        return Sequence(tuple(replaced(item, report) for item in node.items), node.span, node.raw)
    if isinstance(node, Mapping):
        return Mapping(tuple(_entry(key, value, report) for key, value in node.entries), node.span, node.raw)
    return node


def _entry(key: Scalar, value: Node, report: Report) -> tuple[Scalar, Node]:
    is_prose = key.text in _PROSE and isinstance(value, Scalar)
    return _scalar(key, report), value if is_prose else replaced(value, report)


def _scalar(node: Scalar, report: Report) -> Scalar:
    match = _SPACE.search(node.text)
    if match is None:
        return node
    report(_problem(within(node.span, node.text, (match.start(), 1)), match.group()))
    return Scalar(plain(node.text).strip(), node.span, node.plain)


def _problem(span: Span, char: str) -> Diagnostic:
    import unicodedata  # only mistakes need it

    message = f"U+{ord(char):04X} ({unicodedata.name(char).lower()}) is not a space for YAML and C"
    return Diagnostic("control-character", span, message, "write a space, or nothing")


MAX_BYTES = 1024 * 1024
MAX_DEPTH = 32

# The control characters, and two further groups. YAML and editors would count line separators differently. Signs that
# reorder text on the screen would let a spec look different from its content.
_CONTROL = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
_COMMENT_START = re.compile(r"\s+#")
_DOC = re.compile(r"\bdoc:\s*$")


class Loaded(Frozen):
    file: str
    root: Mapping | None
    text: str
    diagnostics: tuple[Diagnostic, ...]


def load(file: str, data: bytes, advisor: GetAdvisor = Advisor) -> Loaded:
    """Loads the spec in `data`. `file` is the name in messages. `root` is None if the file does not contain a readable
    mapping."""
    if len(data) > MAX_BYTES:
        message = f"the file has {len(data)} bytes; a spec has at most {MAX_BYTES // 1024 // 1024} MiB"
        return Loaded(file, None, "", (Diagnostic("file-too-large", Span(file, 1, 1), message),))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:2]:
        found = Diagnostic("not-utf8", Span(file, 1, 1), "this is UTF-16, and a spec is UTF-8", "save it as UTF-8")
        return Loaded(file, None, "", (found,))
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = split_lines(data[: error.start].decode("utf-8").removeprefix("\ufeff"))
        span = Span(file, len(before), len(before[-1]) + 1)
        message = f"byte 0x{data[error.start]:02x} is not UTF-8, which a spec must be"
        return Loaded(file, None, data.decode("utf-8", "replace"), (Diagnostic("not-utf8", span, message),))
    control = _control(text)
    if control is not None:
        before = split_lines(text[: control.start()])
        span = Span(file, len(before), len(before[-1]) + 1)
        return Loaded(file, None, text, (_control_character(span, control.group()),))
    root, diagnostics = _read(file, text, advisor)
    if root is not None and not _is_printable(text):
        root = replaced(root, diagnostics.append)
    return Loaded(file, root if isinstance(root, Mapping) else None, text, tuple(diagnostics))


def _read(file: str, text: str, advisor: GetAdvisor) -> tuple[Node | None, list[Diagnostic]]:
    """Reads the nodes and the diagnostics of a file. YAML stops at the first line that it cannot read. If the advisor
    knows a correction, the rest is read from a corrected copy, so that one run reports all mistakes."""
    lines = split_lines(text)
    known: list[Diagnostic] = []
    mended: set[int] = set()
    shifted: dict[int, int] = {}
    for left in reversed(range(min(MOST_MENDS, 1 + SCANNED // (1 + len(text))))):
        builder = _Builder(file, lines, shifted)
        builder.run(text)
        is_open = builder.fatal and left and len(known) + len(builder.fatal) < MOST_MENDS
        mends = advisor().mends(builder.fatal, lines) if is_open else None
        # Further mistakes in a corrected line follow from the first one.
        found = [each for each in builder.diagnostics if each.span.line - 1 not in mended]
        if not mends or any(each.line in mended for each in mends):
            break
        known += builder.fatal
        mended.update(each.line for each in mends)
        for each in mends:
            lines[each.line] = each.text
            if each.shifts is not None:
                shifted[each.line] = each.shifts
        text = "\n".join(lines)
    return builder.root, [*known, *(each for each in found if each not in known)]


def _is_printable(text: str) -> bool:
    return text.replace("\n", "").isprintable()


def _control(text: str) -> re.Match[str] | None:
    # All control characters are unprintable. Few files need the pattern, which is slow to compile.
    return None if _is_printable(text) else re.search(_CONTROL, text)


def _control_character(span: Span, char: str) -> Diagnostic:
    return Diagnostic("control-character", span, f"the control character U+{ord(char):04X} is not allowed in a spec")


class _Place(NamedTuple):
    """A line and a column, counted from 0 like the marks of YAML."""

    line: int
    column: int


def _start(event: yaml.Event) -> _Place:
    return _Place(event.start_mark.line, event.start_mark.column) if event.start_mark else _Place(0, 0)


def _end(event: yaml.Event) -> _Place:
    return _Place(event.end_mark.line, event.end_mark.column) if event.end_mark else _start(event)


class _Frame:
    """A list or mapping that is not closed yet."""

    def __init__(self, start: _Place, flow: bool, mapping: bool, broken: bool) -> None:
        self.start = start
        self.flow = flow
        self.mapping = mapping
        self.broken = broken
        self.nodes: list[Node] = []
        """The items of a list, or alternating keys and values of a mapping."""


class _Builder(Reporting):
    def __init__(self, file: str, lines: list[str], shifted: dict[int, int]) -> None:
        """Prepares the builder. `shifted` maps each corrected line to the column where it begins to differ from the
        file. Values after that column are left out."""
        self.file = file
        self.lines = lines
        self._marks = Marks(lines)
        self.diagnostics: list[Diagnostic] = []
        self._emit = self.diagnostics.append
        self.fatal: list[Diagnostic] = []
        """The diagnostics after which YAML could not continue."""
        self._shifted = shifted
        self.root: Node | None = None
        self._stack: list[_Frame] = []
        self._last: yaml.ScalarEvent | None = None
        self._is_lone_key = False
        """Whether the last scalar is a key of `{...}` or `[...]` without a value."""
        self._reached: yaml.Event | None = None

    def run(self, text: str) -> None:
        try:
            for event in yaml.parse(text, Loader=yaml.SafeLoader):
                if not self._take(event):
                    return
                self._reached = event
        except yaml.MarkedYAMLError as error:
            self._syntax_error(explain(error, self.file, self.lines, self._last_scalar(), self._opening()))
        except (yaml.YAMLError, ValueError, OverflowError):
            # PyYAML fails to check some numbers: "\UFFFFFFFF", %YAML 1.99999...
            message = "a number follows here that YAML cannot read"
            reached = _end(self._reached) if self._reached else _Place(0, 0)
            self._syntax_error(Diagnostic("yaml-syntax", self._at(reached), message))
        else:
            if self.root is None or (isinstance(self.root, Scalar) and self.root.plain and not self.root.text):
                self._report("empty-file", Span(self.file, 1, 1), "the file is empty; a spec begins with 'module:'")
            elif not isinstance(self.root, (Mapping, Broken)):
                self._report("not-a-mapping", self.root.span, "a spec is a mapping of keys such as 'module: NAME'")

    def _syntax_error(self, diagnostic: Diagnostic) -> None:
        self.root = None
        strange = list(islice(in_lines(self.file, self.lines, diagnostic.span.line - 1), _MOST))
        if strange:
            self.diagnostics += strange
            self.fatal += strange
            return
        for each in (diagnostic, *(tabs(self.file, self.lines) if diagnostic.code == "yaml-tab" else ())):
            # `*p + 1` gives an alias and then an error. The error follows from the alias.
            first = next((known for known in self.diagnostics if known.span.line == each.span.line), None)
            if first is None:
                self.diagnostics.append(each)
            if (first or each) not in self.fatal:
                self.fatal.append(first or each)

    def _take(self, event: yaml.Event) -> bool:
        """Handles an event, and returns whether to continue."""
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close(self._stack.pop(), _end(event))
        elif isinstance(event, yaml.CollectionStartEvent):
            if len(self._stack) == MAX_DEPTH:
                self._report("too-deep", self._at(_start(event)), f"lists and mappings nest deeper than {MAX_DEPTH}")
                self.root = None
                return False
            marked = event.anchor is not None or event.tag is not None
            if marked:
                self._collection_mark(event)
            mapping = isinstance(event, yaml.MappingStartEvent)
            self._stack.append(_Frame(_start(event), bool(event.flow_style), mapping, broken=marked))
        elif isinstance(event, yaml.DocumentStartEvent):
            return self._document(event)
        elif isinstance(event, yaml.AliasEvent):
            self._add(self._trap(_start(event)))
        return True

    def _document(self, event: yaml.DocumentStartEvent) -> bool:
        if self.root is not None:
            self._report("yaml-documents", self._at(_start(event), 3), "a second document begins: one spec per file")
            return False
        if event.version or event.tags:
            self._report("yaml-directive", self._at(_start(event)), NO_DIRECTIVES)
        return True

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        start, end = _start(event), _end(event)
        self._is_lone_key = event.style is None and start == end and self._last is not None
        if not self._is_lone_key:
            self._last = event
        if event.anchor is not None or event.tag is not None:
            self._add(self._trap(start))
            return
        span = self._span(start, end)
        if end.line > start.line:
            span = replace(span, lines=tuple(self._pieces(event, start, end)))
        node = Scalar(event.value, span, event.style is None)
        if self._is_shifted(start, start):
            broken = True
        elif node.plain:
            broken = self._is_cut_off(node, end)
        else:
            # An escape sequence can make characters that are not allowed in the file itself.
            control = _control(node.text)
            broken = control is not None
            if control is not None:
                self.diagnostics.append(_control_character(node.span, control.group()))
        self._add(Broken(node.span) if broken else node)

    def _pieces(self, event: yaml.ScalarEvent, start: _Place, end: _Place) -> Iterator[Piece]:
        is_quoted = event.style in ("'", '"')
        first = start.line + (event.style in ("|", ">"))
        for number in range(first, min(end.line + 1, len(self.lines))):
            line = self.lines[number]
            begin = start.column + is_quoted if number == start.line else 0
            text = line[begin : end.column - is_quoted] if number == end.line else line[begin:]
            piece = text.strip(" \t")
            if piece:
                yield Piece(number + 1, begin + text.index(piece) + 1, piece)

    def _is_shifted(self, start: _Place, end: _Place) -> bool:
        return any((line, column) <= end for line, column in self._shifted.items() if line >= start.line)

    def _last_scalar(self) -> LastScalar | None:
        if self._last is None:
            return None
        start, end = _start(self._last), _end(self._last)
        return LastScalar(start.line, start.column, end.line, self._last.style is None, self._is_lone_key)

    def _is_cut_off(self, node: Scalar, end: _Place) -> bool:
        """Reports a value that a ' #' cuts off in the middle of a call or a string: `doc: Format #1 of them`."""
        if end.line >= len(self.lines):
            return False
        line = self.lines[end.line]
        if not _COMMENT_START.match(line, end.column):
            return False
        rest = line[end.column :].rstrip()
        cut_off = ctext.open_parentheses(node.text) > 0 >= ctext.open_parentheses(node.text + rest)
        is_doc = _DOC.search(line[: node.span.column - 1]) is not None and node.span.line == end.line + 1
        cut_off = cut_off or (is_doc and rest.lstrip()[1:2].strip() != "")
        if cut_off:
            facts = Unquoted(node.text + rest, is_prose=is_doc)
            self._report("yaml-comment", node.span, "' #' starts a comment, which cuts this value off", facts=facts)
        return cut_off

    def _add(self, node: Node) -> None:
        if not self._stack:
            self.root = node
            return
        frame = self._stack[-1]
        is_key = frame.mapping and len(frame.nodes) % 2 == 0
        if is_key and isinstance(node, (Sequence, Mapping)):
            self._report("non-scalar-key", node.span, "a key must be a single value", "quote C text that has brackets")
            node = Broken(node.span)
        frame.nodes.append(node)

    def _close(self, frame: _Frame, end: _Place) -> None:
        span = self._span(frame.start, end)
        if not frame.flow:
            span = frame.nodes[0].span if frame.nodes else self._at(frame.start)
        elif self._is_shifted(frame.start, end) or self._split_calls(frame):
            frame.broken = True
        if frame.broken:
            self._add(Broken(span))
        elif frame.mapping:
            entries = self._entries(frame.nodes)
            # Keys of a merged mapping must not be reported as missing. The top level is still read.
            merged = self._stack and any(isinstance(key, Scalar) and key.text == "<<" for key in frame.nodes[::2])
            self._add(Broken(span) if merged else Mapping(entries, span, self._raw(frame, end)))
        else:
            self._add(Sequence(tuple(frame.nodes), span, self._raw(frame, end)))

    def _raw(self, frame: _Frame, end: _Place) -> str | None:
        line, column = frame.start
        return self.lines[line][column : end.column] if frame.flow and line == end.line else None

    def _entries(self, nodes: list[Node]) -> tuple[tuple[Scalar, Node], ...]:
        entries: dict[str, tuple[Scalar, Node]] = {}
        for key, value in zip(nodes[::2], nodes[1::2], strict=True):
            if not isinstance(key, Scalar):
                continue
            if key.plain and key.text == "<<":
                self._report("yaml-merge-key", key.span, "the spec language has no merge keys ('<<')", WRITE_OUT)
            elif key.text in entries:
                first = Note(entries[key.text][0].span, "first here")
                self._report("duplicate-key", key.span, f"the key '{shown(key.text)}' is given twice", notes=(first,))
            else:
                entries[key.text] = (key, value)
        return tuple(entries.values())

    def _split_calls(self, frame: _Frame) -> bool:
        """Reports each `{k: f(a, b)}`, which YAML reads as two keys, and returns whether there is one. An open
        parenthesis before the comma reveals it."""
        pieces = [node for node in frame.nodes if isinstance(node, Scalar) and node.plain and node.text]
        if not any("(" in piece.text for piece in pieces):
            return False
        found = False
        begin = depth = 0
        for index, piece in enumerate(pieces):
            balance = ctext.open_parentheses(piece.text)
            if depth <= 0:
                begin, depth = index, balance
                continue
            depth += balance
            if depth <= 0:
                found = True
                whole = ", ".join(part.text for part in pieces[begin : index + 1])
                message = f"YAML splits '{shown(whole)}' at the comma, since '[...]' and '{{...}}' end a value there"
                self._report("yaml-split", pieces[begin].span, message, facts=Unquoted(whole))
        return found

    def _collection_mark(self, event: yaml.CollectionStartEvent) -> None:
        code: Code = "yaml-anchor" if event.anchor is not None else "yaml-tag"
        name = code.removeprefix("yaml-")
        start = _start(event)
        mark = raw_value(self.lines[start.line], start.column, flow=False).split()[0]
        message = f"'{shown(mark)}' is a YAML {name}, which the spec language does not have"
        self._report(code, self._at(start, len(mark)), message, WRITE_OUT)

    def _trap(self, mark: _Place) -> Broken:
        diagnostic = trap(
            self.file, mark.line, mark.column, self.lines[mark.line], self._marks, self._opening() is not None
        )
        self.diagnostics.append(diagnostic)
        return Broken(diagnostic.span)

    def _opening(self) -> _Place | None:
        """Returns the place of the innermost `[` or `{` that is still open."""
        return self._stack[-1].start if self._stack and self._stack[-1].flow else None

    def _span(self, start: _Place, end: _Place) -> Span:
        """Returns the span from `start` to `end`, or to the end of the first line."""
        stop = end.column if end.line == start.line else len(self.lines[start.line].rstrip())
        return self._at(start, max(stop - start.column, 1))

    def _at(self, mark: _Place, length: int = 1) -> Span:
        return Span(self.file, mark.line + 1, mark.column + 1, length)
