"""Reads `bad.txt`: the specs with a mistake. The folder of each feature has one with the mistakes of the feature.

`tests/README.md` describes the format. A bad spec is refused by the generator, and marks show its diagnostics. A wrong
spec contradicts its header: the generator accepts it, and the first error of the compiler shows the mistake.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
FILE = "bad.txt"
WRONG_FILE = "wrong_dlpack.c"
"""The emitted file in which the compiler finds the mistake of a wrong spec, unless its case names another one."""
PLACE = "..."
"""The line of a base where the lines of a case are added."""
_SECTION = re.compile(r"\[(?:base (?P<base>[a-z0-9 ]+)|(?P<kind>bad|wrong)(?: from (?P<from>[a-z0-9 ]+))?)\]")
_ATTRIBUTE = re.compile(r"(?P<word>in|error|with|escapes)(?:: (?P<text>.+))?")
_MARK = re.compile(r" *\^ (?P<code>[a-z0-9-]+)(?:: (?P<hint>.+))?")
_CHANGE = re.compile(r"(?P<path>/?[^\s#/:-][^:]*):(?: .*)?")
_REMOVAL = "without "


def committed_specs() -> list[Path]:
    """Returns the files of `specs/`, without the known limits beside them."""
    return sorted(path for path in TESTS.parent.glob("specs/*.yaml") if not path.stem.endswith(".limits"))


class MalformedError(ValueError):
    """A `bad.txt` does not have the format that `tests/README.md` describes."""


@dataclass(frozen=True)
class Expected:
    """A diagnostic that a bad spec expects. The hint is a part of the hint of the diagnostic."""

    line: int
    column: int
    code: str
    hint: str | None = None


@dataclass(frozen=True)
class Case:
    """A spec with a mistake. `companions` are the names and the texts of the specs that are checked with it."""

    folder: Path
    sentence: str
    content: bytes
    expected: tuple[Expected, ...] = ()
    companions: tuple[tuple[str, bytes], ...] = ()
    errors: tuple[str, ...] = ()
    emitted: str = WRONG_FILE

    @property
    def feature(self) -> str:
        """Returns the area and the feature, such as `slots/dtype`."""
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def name(self) -> str:
        return f"{self.feature}: {self.sentence}"

    @property
    def text(self) -> str:
        return self.content.decode()


@dataclass
class _Line:
    """A line of a spec. Each mark has a column, which begins with 0, a code, and a hint."""

    text: str
    marks: list[tuple[int, str, str | None]] = field(default_factory=list)

    @property
    def indentation(self) -> int:
        return len(self.text) - len(self.text.lstrip(" "))

    def has_key(self, key: str, indentation: int) -> bool:
        return self.indentation == indentation and re.match(rf"{re.escape(key)}:( |$)", self.text.lstrip()) is not None

    def is_below(self, indentation: int) -> bool:
        """Returns whether the line belongs to the key with this indentation before it."""
        least = indentation if self.text.lstrip().startswith("- ") else indentation + 1
        return self.indentation >= least

    def moved(self, columns: int) -> _Line:
        """Returns the line with another indentation, or without the begin of a path."""
        marks = [(column + columns, code, hint) for column, code, hint in self.marks]
        if any(column < 0 for column, _, _ in marks):
            raise MalformedError(f"a mark of '{self.text.strip()}' does not stand below the last key")
        text = f"{' ' * columns}{self.text}" if columns >= 0 else self.text[-columns:]
        return _Line(text, marks)


@dataclass
class _Block:
    """The lines of a base or of a case, as they stand in the file."""

    number: int
    title: str
    lines: list[_Line] = field(default_factory=list)
    attributes: list[tuple[str, str]] = field(default_factory=list)

    def values(self, word: str) -> tuple[str, ...]:
        return tuple(text for each, text in self.attributes if each == word)


def find_bad_specs() -> list[Case]:
    """Returns the bad specs of all features."""
    return [case for path in sorted(TESTS.glob(f"*/*/{FILE}")) for case in read(path).bad]


def find_wrong_specs() -> dict[str, Case]:
    """Returns the wrong specs of all features by their names."""
    return {case.name: case for path in sorted(TESTS.glob(f"*/*/{FILE}")) for case in read(path).wrong}


def bad_spec(feature: str, sentence: str) -> Case:
    """Returns a bad spec of a feature."""
    (case,) = [case for case in read(TESTS / feature / FILE).bad if case.sentence == sentence]
    return case


@dataclass(frozen=True)
class Cases:
    """The cases of a file."""

    bad: tuple[Case, ...]
    wrong: tuple[Case, ...]


@functools.cache
def read(path: Path) -> Cases:
    """Returns the cases of a file."""
    return read_cases(path, path.read_text(encoding="utf-8"))


def read_cases(path: Path, text: str) -> Cases:
    """Returns the cases of a file, and raises MalformedError with the place of a mistake in its format."""
    try:
        return _Reader(path).cases(text)
    except MalformedError as error:
        raise MalformedError(f"{path}: {error}") from None


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._bases: dict[str, _Block] = {}
        self._used: set[str] = set()
        self._found: dict[str, list[Case]] = {"bad": [], "wrong": []}

    def cases(self, text: str) -> Cases:
        sentences: set[str] = set()
        for kind, base, block in _blocks(text):
            try:
                if kind == "base":
                    self._add_base(block)
                    continue
                if block.title in sentences:
                    raise MalformedError("another case has this sentence")
                sentences.add(block.title)
                self._found[kind].append(self._case(kind, base, block))
            except MalformedError as error:
                raise MalformedError(f"line {block.number}: {error}") from None
        if unused := sorted(self._bases.keys() - self._used):
            raise MalformedError(f"no case uses the base '{unused[0]}'")
        return Cases(tuple(self._found["bad"]), tuple(self._found["wrong"]))

    def _add_base(self, block: _Block) -> None:
        if block.title in self._bases:
            raise MalformedError(f"another base is called '{block.title}'")
        if not block.lines or block.attributes or any(line.marks for line in block.lines):
            raise MalformedError("a base has the lines of a spec, and nothing else")
        if sum(line.text.strip() == PLACE for line in block.lines) > 1:
            raise MalformedError(f"a base has one line '{PLACE}' at most")
        self._bases[block.title] = block

    def _base(self, name: str) -> _Block:
        if name not in self._bases:
            raise MalformedError(f"no base is called '{name}'")
        self._used.add(name)
        return self._bases[name]

    def _case(self, kind: str, base: str, block: _Block) -> Case:
        own = block.lines
        if block.values("escapes"):
            own = [_Line(_unescaped(line.text), line.marks) for line in own]
        lines = _changed(self._base(base).lines, own) if base else own
        expected = _expected(lines)
        errors, emitted = block.values("error"), block.values("in")
        if kind == "bad" and (not expected or errors or emitted):
            raise MalformedError("a bad spec has a mark for each diagnostic, and no error of the compiler")
        if kind == "wrong" and (expected or not errors or len(emitted) > 1 or not lines):
            raise MalformedError("a wrong spec has an error of the compiler, and no mark")
        return Case(
            self._path.parent,
            block.title,
            _content(lines),
            expected,
            tuple((f"{name}.yaml", _content(_without_place(self._base(name).lines))) for name in block.values("with")),
            errors,
            emitted[0] if emitted else WRONG_FILE,
        )


def _content(lines: list[_Line]) -> bytes:
    return "".join(f"{line.text}\n" for line in lines if line.text or not line.marks).encode("utf-8", "surrogateescape")


def _expected(lines: list[_Line]) -> tuple[Expected, ...]:
    return tuple(
        Expected(number, column + 1, code, hint)
        for number, line in enumerate(lines, 1)
        for column, code, hint in line.marks
    )


def _blocks(text: str) -> Iterator[tuple[str, str, _Block]]:
    """Yields the kind of the section, the base that its cases change, and the block of each base and case."""
    kind, base, block = "", "", None
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.startswith(("#", "  #")):
            continue
        if line.startswith("  ") and block is not None:
            if reason := _add_line(block, line):
                raise MalformedError(f"line {number}: {reason}")
            continue
        if block is not None:
            yield kind, base, block
            block = None
        if line.startswith("["):
            section = _SECTION.fullmatch(line)
            if section is None:
                raise MalformedError(
                    f"line {number}: neither [base NAME] nor [bad] nor [wrong], perhaps with from NAME"
                )
            kind, base = section["kind"] or "base", section["from"] or ""
            block = _Block(number, section["base"]) if kind == "base" else None
        elif line:
            if kind not in ("bad", "wrong") or line != line.strip():
                raise MalformedError(f"line {number}: the line belongs to no case")
            block = _Block(number, line)


def _add_line(block: _Block, line: str) -> str | None:
    """Adds a line of the spec or a mark below it (4 spaces), or an attribute (2). Returns a mistake of the line."""
    text, column = line[4:], line.find("^") - 4
    if not line.startswith("    "):
        attribute = _ATTRIBUTE.fullmatch(line[2:])
        if attribute is None or (attribute["word"] == "escapes") != (attribute["text"] is None):
            return f"the attribute '{line.strip()}' is unknown"
        if block.lines:
            return "attributes stand before the lines of the spec"
        block.attributes.append((attribute["word"], attribute["text"] or ""))
    elif text.lstrip().startswith("^"):
        mark = _MARK.fullmatch(text)
        if mark is None:
            return "a mark is '^ CODE' or '^ CODE: HINT'"
        if not block.lines:
            block.lines.append(_Line(""))  # the mark of an empty file
        above = block.lines[-1]
        if block.values("escapes"):
            column = len(_unescaped(above.text[:column]))
        above.marks.append((column, mark["code"], mark["hint"]))
    else:
        block.lines.append(_Line(text))
    return None


def _unescaped(text: str) -> str:
    return text.encode("ascii").decode("unicode_escape")


def _changed(base: list[_Line], own: list[_Line]) -> list[_Line]:
    """Returns the lines of a base with the changes of a case.

    Each change begins with a key. A path from the top of the spec begins with '/'. Other keys stand where the base has
    the line '...': a key that the base has there is replaced, and another one is added.
    """
    lines = [_Line(line.text) for line in base]
    before = [line.text for line in lines]
    paths: set[str] = set()
    for change in _changes(own):
        if change[0].text.startswith(_REMOVAL):
            for key in change[0].text.removeprefix(_REMOVAL).split(", "):
                start, end, _, found = _entry(lines, key)
                if not found or len(change) > 1 or change[0].marks:
                    raise MalformedError(f"the base has no '{key}' to remove")
                del lines[start:end]
            continue
        path = change[0].text.partition(":")[0]
        if path in paths:
            raise MalformedError(f"'{path}' is there twice")
        paths.add(path)
        start, end, indentation, found = _entry(lines, path)
        prefix = path.rpartition("/")[0]
        head = change[0].moved(-len(prefix) - 1) if path.startswith("/") else change[0]
        new = [line.moved(indentation) for line in (head, *change[1:])]
        is_same = found and [line.text for line in new] in (
            [lines[start].text],
            [line.text for line in lines[start:end]],
        )
        if is_same and not any(line.marks for line in new):
            raise MalformedError(f"'{path}' is as in the base")
        lines[start : start + len(new) if is_same else end] = new
    if [line.text for line in lines] == before:
        raise MalformedError("the case changes nothing of the base")
    return _without_place(lines)


def _without_place(lines: list[_Line]) -> list[_Line]:
    return [line for line in lines if line.text.strip() != PLACE]


def _changes(own: list[_Line]) -> Iterator[list[_Line]]:
    """Yields the lines of each change: the deeper lines, and items of a list, belong to the key before them."""
    change: list[_Line] = []
    for line in own:
        if change and (line.text.startswith((" ", "\t", "- ", "#")) or not line.text):
            change.append(line)
            continue
        if change:
            yield change
        if not line.text.startswith(_REMOVAL) and not _CHANGE.fullmatch(line.text):
            raise MalformedError(f"'{line.text}' does not begin with a key that changes")
        change = [line]
    if change:
        yield change


def _entry(lines: list[_Line], path: str) -> tuple[int, int, int, bool]:
    """Returns the lines of an entry, its indentation, and whether it exists: otherwise the place where it is added."""
    if path.startswith("/"):
        *parents, key = path[1:].split("/")
        start, end, indentation = 0, len(lines), 0
        for parent in parents:
            start, end = _search(lines, start, end, indentation, parent)
            if start == end:
                raise MalformedError(f"the base has no '{parent}' of '{path}'")
            start += 1
            indentation = lines[start].indentation if start < end else 0
    else:
        places = [index for index, line in enumerate(lines) if line.text.strip() == PLACE]
        if not places:
            raise MalformedError(f"the base has no line '{PLACE}', where '{path}' stands: write a path from the top")
        indentation, key = lines[places[0]].indentation, path
        start = places[0]
        while start and lines[start - 1].indentation >= indentation:
            start -= 1
        end = places[0]
    first, last = _search(lines, start, end, indentation, key)
    return first, last, indentation, first < last


def _search(lines: list[_Line], start: int, end: int, indentation: int, key: str) -> tuple[int, int]:
    """Returns the lines of an entry of a mapping, or an empty range at the end of the mapping."""
    for first in range(start, end):
        if lines[first].has_key(key, indentation):
            last = first + 1
            while last < end and lines[last].is_below(indentation):
                last += 1
            return first, last
    return end, end
