"""The generated C of a spec, and the string of the spec behind each place in it.

A compiler gets the C as the templates print it: each statement stands on a line of its own, and a label or a message
names its key. Lines without a label belong to the class or the function that their C names contain."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from dlpack_bindgen.emit.render import render_unformatted
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import Form
from dlpack_bindgen.language.values import C_FORMS, Fields, Items, Leaf, Table, Value
from dlpack_bindgen.spec.check import fields_of
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Span, split_lines, within
from dlpack_bindgen.text.names import SPECIAL, called_part, snake
from dlpack_bindgen.text.yaml import Loaded
from dlpack_bindgen.tools.compiler_messages import Place

# ---- The strings of a spec, and the paths by which labels name them ----


class Node:
    """A value of the spec: a mapping, a list or a string, with its name."""

    def __init__(self, name: str, key: Leaf | None, value: Value, parent: Node | None) -> None:
        """Reads the values below. `key` is the key in the file, if the author of the spec chose it."""
        self.name = name
        self.key = key
        self.value = value
        self.parent = parent
        self.children = [Node(*each, self) for each in _named_values(value)]

    @property
    def span(self) -> Span:
        return self.key.span if self.key is not None else self.value.span

    def above(self) -> Iterator[Node]:
        """Yields the node and all nodes that contain it."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def below(self) -> Iterator[Node]:
        """Yields the node and all nodes in it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.below()

    def strings(self) -> list[Leaf]:
        """Returns the key and the value, as far as they are strings."""
        return [each for each in (self.key, self.value) if isinstance(each, Leaf)]

    def find(self, path: str) -> tuple[Node, str]:
        """Returns the node at the end of a path such as `import.set.n` or `shape[0]`. Paths omit tables such as
        `tensors` and `methods`. Returns the last known node, and the unknown rest of the path."""
        level = [self]
        for _ in range(_OMITTED if path else 0):
            level = [child for node in level for child in node.children]
            fitting = [child for child in level if _begins_path(child.name, path)]
            if fitting:
                best = max(fitting, key=lambda child: len(child.name))
                return best.find(path[len(best.name) :].removeprefix("."))
        return self, path


_OMITTED = 3
"""The levels in which the next name of a path is looked for."""


def _begins_path(name: str, path: str) -> bool:
    return name != "" and path.startswith(name) and path[len(name) : len(name) + 1] in ("", ".", "[")


def _named_values(value: Value) -> Iterator[tuple[str, Leaf | None, Value]]:
    if isinstance(value, Fields):
        for name, item in value.values.items():
            yield name, None, item
        if value.entry is not None:
            declaration, item = value.entry
            yield _last_name(declaration.text), declaration, item
    elif isinstance(value, Table):
        for key, item in value.entries:
            yield key.text, key, item
    elif isinstance(value, Items):
        for index, item in enumerate(value.items):
            yield f"[{index}]", None, item


def _last_name(declaration: str) -> str:
    names = re.findall(r"[A-Za-z_]\w*", declaration.partition("[")[0])
    return names[-1] if names else declaration


# ---- Generated files, and the string of the spec behind a place in them ----

_LABEL = re.compile(r"/\* (?P<path>[A-Za-z_]\w*(?:[.\[]\S*)?)(?: \(.*?\))? \*/")
_ASSERTED = re.compile(r'DLB_ASSERT_\w+\(.*"(?P<message>(?P<path>[A-Za-z_]\w*(?:[.\[][^\s:]*)?): .*)"\)[;]')
_CLASS = re.compile(r"/\* ---- (\w+) ---- \*/")
_WORD = re.compile(r"[A-Za-z_]\w*")
_MEMBER = re.compile(r"(?:->|\.)\s*(?=[A-Za-z_])")
_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')


class Found(Frozen):
    """A string of the spec, with the part of it that an error is about."""

    node: Node
    leaf: Leaf | None
    """None for a value without a string, such as a class."""
    part: tuple[int, int] | None = None
    """The begin and the length of the part. None: the whole string."""
    is_guess: bool = False
    """Whether the string only stands in the same line."""


class Generated:
    """The C files of one spec, for a compiler."""

    def __init__(self, loaded: Loaded, spec: Spec) -> None:
        fields = fields_of(loaded)
        if fields is None:
            raise AssertionError("a spec with mistakes is not compiled")
        self._source = split_lines(loaded.text)
        self.module = spec.module
        self.files = render_unformatted(spec)
        self.root = Node("", None, fields, None)
        self._lines = {file.name: file.text.split("\n") for file in self.files}

    def write(self, folder: Path) -> list[Path]:
        """Writes the files, and returns the paths of those that are compiled."""
        for file in self.files:
            (folder / file.name).write_text(file.text, encoding="utf-8")
        return [folder / file.name for file in self.files if file.name.endswith(".c")]

    def has(self, place: Place) -> bool:
        name = os.path.basename(place.file)
        return name in self._lines and 0 < place.line <= len(self._lines[name])

    def line(self, place: Place) -> str:
        return self._lines[os.path.basename(place.file)][place.line - 1]

    def find(self, place: Place, names: Sequence[str]) -> Found | None:
        """Returns the string of the spec behind a place in the files. `names` are the names in the message. Returns
        None if no string explains the line."""
        asserted = self.asserted(place)
        names = [*names, *(_WORD.findall(asserted.partition(": ")[2].partition(" ")[0]) if asserted else ())]
        path = self._path(place)
        node, rest = self.root.find(path)
        if path and node is not self.root:
            names = [*_WORD.findall(rest)[:1], *names]
            found = self._best(place, names, node)
            # One line can have the code of two keys, such as `ok` and `error`; its label names one of them.
            above = [*node.above()][1:-2] if asserted is None else []
            around = (self._best(place, names, each) for each in above)
            found = next((each for each in (found, *around) if each is not None and not each.is_guess), found)
            if found is not None:
                return replace(found, is_guess=False)
            leaf = next((leaf for each in node.below() for leaf in reversed(each.strings())), None)
            return Found(node, leaf)
        of_owners = [found for owner in self._owners(place) if (found := self._best(place, names, owner)) is not None]
        return next((each for each in of_owners if not each.is_guess), next(iter(of_owners), None))

    def span(self, found: Found, part: tuple[int, int] | None = None) -> Span:
        """Returns the place in the file of a string, or of a part of it, given by its begin and length."""
        leaf, part = found.leaf, part or found.part
        if leaf is None or part is None:
            return leaf.span if leaf is not None else found.node.span
        span = within(leaf.span, leaf.text, part)
        text = leaf.text[part[0] : part[0] + part[1]]
        if self._text_at(span) == text or leaf.span.lines:
            return span
        # The reader has completed the string: it reads `== OK` as `% == OK`.
        start = self._text_at(leaf.span).find(text)
        return replace(leaf.span, column=leaf.span.column + start, length=part[1]) if start >= 0 else leaf.span

    def _text_at(self, span: Span) -> str:
        line = self._source[span.line - 1] if span.line <= len(self._source) else ""
        return line[span.column - 1 : span.column - 1 + span.length]

    def owner(self, place: Place) -> Node | None:
        """Returns the class or the function to which a line belongs."""
        return next(iter(self._owners(place)), None)

    def head(self, place: Place) -> str:
        """Returns the first line of the C function or table around a place."""
        return self._heads[os.path.basename(place.file)][place.line - 1]

    def asserted(self, place: Place) -> str | None:
        """Returns the message of the assertion in a line."""
        match = _ASSERTED.fullmatch(self.line(place))
        return match["message"].replace('\\"', '"') if match is not None else None

    def _best(self, place: Place, names: Sequence[str], node: Node) -> Found | None:
        """Returns the string of a node that explains an error best. The values of a mapping go before its keys."""
        line, column = self.line(place), place.column - 1
        subject = (self.asserted(place) or "").partition(": ")[2]
        if line.startswith("DLB_", column):
            column = -1  # a macro of the runtime, whose arguments are the code of the spec
        best: tuple[int, int] | None = None
        found = None
        for each in node.below():
            for rank, leaf in enumerate(each.strings()):
                score, part = _likeness(leaf.text, line, column, names)
                if subject and len(leaf.text) > 1 and _is_in(leaf.text, subject) and score < 3 * _LONGEST:
                    score, part = 2 * _LONGEST + len(leaf.text), None
                score = score if leaf.form in _OF_C else min(score, 1)
                if score and (best is None or (score, rank) > best):
                    best, found = (score, rank), Found(each, leaf, part, score < _LONGEST)
        return found

    def _path(self, place: Place) -> str:
        """Returns the path that labels a line, or an empty string."""
        lines = self._lines[os.path.basename(place.file)]
        line = lines[place.line - 1]
        asserted = _ASSERTED.fullmatch(line)
        if asserted is not None:
            return asserted["path"]
        labels = list(_LABEL.finditer(line))
        if labels:
            return next((each for each in labels if each.start() >= place.column - 1), labels[-1])["path"]
        # The label of a long line stands above it; that of a long condition, below it.
        around = [lines[place.line - 2]] if place.line > 1 else []
        around += [lines[place.line]] if line.endswith("{") and place.line < len(lines) else []
        alone = [match for each in around if (match := _LABEL.fullmatch(each))]
        return alone[-1]["path"] if alone else ""

    def _owners(self, place: Place) -> list[Node]:
        """Returns the classes, functions and constants to which a line belongs, the best one first."""
        lines = self._lines[os.path.basename(place.file)]
        start, name = place.line - 1, ""
        head = self.head(place)
        for line in reversed(lines[:start]):
            section = _CLASS.fullmatch(line)
            if section is not None:
                name = section[1]
                break
        words = "_" + "_".join(_WORD.findall(head)) + "_"
        scored: list[tuple[int, int, Node]] = []
        for number, owner in enumerate(self._all_owners):
            score = 0 if owner is self.root else sum(len(part) + 1 for part in _c_parts(owner) if f"_{part}_" in words)
            is_of_class = any(each.name == name for each in owner.above())
            scored.append((-score - (1 if is_of_class else 0), number, owner))
        named = [owner for score, _, owner in sorted(scored, key=lambda each: each[:2]) if score or owner is self.root]
        return [*(owner for owner in named if owner is not self.root), self.root]

    @cached_property
    def _all_owners(self) -> list[Node]:
        """All classes, functions, methods, properties and constants; the whole spec comes last."""
        found: list[Node] = []
        for table in self.root.children:
            if not isinstance(table.value, Table):
                continue
            for entry in table.children:
                members = [each for each in entry.children if isinstance(each.value, Table)]
                found += [member for each in members for member in each.children]
                found.append(entry)
        return [*found, self.root]

    @cached_property
    def _heads(self) -> dict[str, list[str]]:
        """The first line of the declaration around each line."""
        return {name: list(_heads(lines)) for name, lines in self._lines.items()}


def _heads(lines: Sequence[str]) -> Iterator[str]:
    depth, head = 0, ""
    for line in lines:
        code = _LITERAL.sub('""', line)
        if depth == 0 and code not in ("{", ""):
            head = line
        depth += sum({"{": 1, "(": 1, "}": -1, ")": -1}.get(sign, 0) for sign in code)
        yield head


def _c_parts(owner: Node) -> list[str]:
    """Returns the parts of C names that an entry of the spec gives: of its class, and of its own name."""
    return [called_part(each.name) if each.name in SPECIAL else snake(each.name) for each in owner.above() if each.key]


def _likeness(text: str, line: str, column: int, names: Sequence[str]) -> tuple[int, tuple[int, int] | None]:
    """Returns how well a string of the spec explains an error in a line of C, and the part of the string that the error
    is about. 0: not at all. A column of -1 stands for the whole line."""
    start = _covering(text, line, column) if column >= 0 else None
    if start is not None:
        operator = _MEMBER.match(line, column)
        column = operator.end() if operator is not None else column
        word = _WORD.match(line, column)
        length = len(word.group()) if word is not None else 1
        return 3 * _LONGEST + min(len(text), _LONGEST - 1), (column - start, length)
    words = _words(text)
    at = _WORD.match(line, column) if column >= 0 else None
    for score, name in ((2, at.group() if at is not None else ""), *((1, name) for name in names)):
        if name in words:
            return (score + 1) * _LONGEST - min(len(text), _LONGEST - 1), words[name]
    return (min(len(text), _LONGEST - 1), None) if column < 0 and _is_in(text, line) else (0, None)


_LONGEST = 100_000
_OF_C = (
    *C_FORMS,
    *(Form.CTYPE, Form.STORAGE, Form.PROTOTYPE, Form.DIRECTIVE, Form.INCLUDE, Form.MEMBER, Form.FIELD),
    *(Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER, Form.ARGUMENT),
    *(Form.DTYPE, Form.KIND, Form.VALUE),
)
"""The forms of strings that stand in the generated C. Names of Python explain a line only if no other string does."""


def _is_in(text: str, line: str) -> bool:
    start = line.find(text)
    while start >= 0 and not _is_word_at(line, start, text):
        start = line.find(text, start + 1)
    return start >= 0 and text != ""


def _covering(text: str, line: str, column: int) -> int | None:
    """Returns the begin of the text in the line if it stands there around the column."""
    start = line.rfind(text, 0, column + len(text))
    return start if start >= 0 and start <= column < start + len(text) and _is_word_at(line, start, text) else None


def _is_word_at(line: str, start: int, text: str) -> bool:
    before, after = line[start - 1 : start], line[start + len(text) : start + len(text) + 1]
    begins = not (before.isidentifier() or before.isdigit()) or not text[:1].isidentifier()
    return begins and (not (after.isidentifier() or after.isdigit()) or not text[-1:].isalnum())


def _words(text: str) -> dict[str, tuple[int, int]]:
    """Returns the names in C code, each with its first place."""
    found: dict[str, tuple[int, int]] = {}
    for (start, end), token in zip(ctext.spans(text), ctext.tokens(text), strict=False):
        if token.kind == "name":
            found.setdefault(token.text, (start, end - start))
    return found
