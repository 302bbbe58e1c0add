"""The declarations in preprocessed headers: functions, types, members of structs and constants, each with its place.

Only errors need them. A declaration that the scanner does not understand is skipped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dlpack_bindgen.frozen import Frozen

_MARKER = re.compile(r'#(?:line)? *(\d+) "((?:[^"\\]|\\.)*)"')
_DEFINE = re.compile(r"#define ([A-Za-z]\w*)(?:\(|[ \t]+\S)")
_TOKEN = re.compile(r"""[A-Za-z_]\w*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\.?\d[\w.]*|->|\.\.\.|[^\s\w]""")
_ATTRIBUTES = frozenset(
    "__attribute__ __attribute __asm__ __asm asm _Alignas alignas __declspec _Static_assert".split()
)
_SKIPPED = frozenset("__extension__ __inline __inline__ inline static extern __restrict restrict _Noreturn".split())
_KEYWORDS = frozenset("struct union enum const volatile typedef unsigned signed int char short long void".split())
_DEPTH = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_RECORDS = ("struct", "union")
_NO_BODY = "{}"


class Declared(Frozen):
    """A declaration at file scope."""

    name: str
    text: str
    """The C code in one line, without a body."""
    file: str
    line: int
    column: int


class _Word(Frozen):
    text: str
    file: str = ""
    line: int = 0
    column: int = 0


Words = Sequence[_Word]


class Declarations:
    def __init__(self, preprocessed: str) -> None:
        """Reads the output of a preprocessor, with its line markers."""
        self.functions: dict[str, Declared] = {}
        self.types: dict[str, Declared] = {}
        self.values: dict[str, Declared] = {}
        """Constants of enumerations and variables."""
        self.macros: set[str] = set()
        self._members: dict[str, Words] = {}
        """The bodies of structs, by their tags (`struct point`) and by the names of their types."""
        self._aliases: dict[str, str] = {}
        for declaration in _declarations(self._words(preprocessed)):
            self._add(declaration)

    def members(self, ctype: str, path: Sequence[str] = ()) -> list[str]:
        """Returns the names of the members of a struct, or of the struct that a path of its members leads to."""
        body = self._body(ctype)
        for name in path:
            body = next((self._body_of(each) for each in _members(body) if each.name == name), ())
        return [each.name for each in _members(body)]

    def is_same(self, ctype: str, other: str) -> bool:
        """Returns whether a name of a type stands for another type."""
        names = {ctype}
        while ctype in self._aliases and self._aliases[ctype] not in names:
            ctype = self._aliases[ctype]
            names.add(ctype)
        return other in names

    def parameters(self, function: str) -> list[str]:
        """Returns the names of the parameters of a function; an empty string for a parameter without a name."""
        declared = self.functions.get(function)
        if declared is None:
            return []
        _, _, rest = declared.text.partition(f"{function}(")
        return [_last_name(each) for each in rest.rpartition(")")[0].split(",")]

    def _words(self, text: str) -> list[_Word]:
        words: list[_Word] = []
        file, line = "", 0
        for row in text.splitlines():
            marker = _MARKER.match(row)
            if marker is not None:
                file, line = marker[2].replace("\\\\", "\\"), int(marker[1])
                continue
            if row.startswith("#"):
                define = _DEFINE.match(row)
                if define is not None:
                    self.macros.add(define[1])
            else:
                words += [_Word(each.group(), file, line, each.start() + 1) for each in _TOKEN.finditer(row)]
            line += 1
        return words

    def _add(self, words: Words) -> None:
        is_typedef = words[0].text == "typedef"
        for tag, body in _bodies(words):
            if tag.startswith("enum"):
                self.values |= {each.text: _declared(each, [each]) for each in _constants(body)}
            elif tag:
                self._members.setdefault(tag, body)
        for tag, word in _tags(words):
            self.types.setdefault(tag, _declared(word, words, tag))
        head = _without_bodies(words)
        name = _declared_name(head)
        if name is None:
            return
        declared = _declared(name, head)
        if is_typedef:
            self.types[name.text] = declared
            bodies = [body for _, body in _bodies(words)]
            if bodies and words[1].text in _RECORDS:
                self._members.setdefault(name.text, bodies[0])
            if len(words) > 3 and words[1].text in _RECORDS and words[3].text == "{":
                self._aliases[name.text] = f"{words[1].text} {words[2].text}"
            elif not bodies:
                self._aliases[name.text] = " ".join(each.text for each in head[1:-1] if each is not name)
        elif _is_called(head, name):
            self.functions.setdefault(name.text, declared)
        else:
            self.values.setdefault(name.text, declared)

    def _body(self, ctype: str) -> Words:
        seen: set[str] = set()
        name = _plain(ctype)
        while name not in self._members and name in self._aliases and name not in seen:
            seen.add(name)
            name = _plain(self._aliases[name])
        return self._members.get(name, ())

    def _body_of(self, member: _Member) -> Words:
        return member.body or self._body(member.ctype)


# ---- Words of C: declarations, bodies and names ----


def _declarations(words: Iterable[_Word]) -> Iterator[Words]:
    """Yields the declarations at file scope. The body of a function belongs to it."""
    found: list[_Word] = []
    depth = 0
    has_parameters = False
    for word in words:
        if not depth and word.text in _SKIPPED:
            continue
        found.append(word)
        depth += _DEPTH.get(word.text, 0)
        has_parameters |= word.text == "(" and depth == 1 and found[0].text != "typedef"
        ends = word.text == ";" or (word.text == "}" and has_parameters and not _is_record(found))
        if depth <= 0 and ends:
            depth = 0
            if len(found) > 1:
                yield _without_attributes(found)
            found, has_parameters = [], False


def _is_record(words: Words) -> bool:
    """Returns whether a declaration begins with the body of a struct, a union or an enumeration."""
    texts = [each.text for each in words[: 1 + next(n for n, each in enumerate(words) if each.text == "{")]]
    return any(each in texts for each in ("struct", "union", "enum")) and ")" not in texts


def _without_attributes(words: Words) -> list[_Word]:
    found: list[_Word] = []
    index = 0
    while index < len(words):
        if words[index].text in _ATTRIBUTES:
            index = _behind(words, index + 1)
        else:
            found.append(words[index])
            index += 1
    return found or list(words[-1:])


def _behind(words: Words, index: int) -> int:
    """Returns the index behind the brackets that open at `index`, or `index`."""
    if index >= len(words) or _DEPTH.get(words[index].text, 0) < 1:
        return index
    depth = 0
    while index < len(words):
        depth += _DEPTH.get(words[index].text, 0)
        index += 1
        if depth == 0:
            break
    return index


def _bodies(words: Words) -> Iterator[tuple[str, Words]]:
    """Yields the tag and the body of each struct, union and enumeration, also of those in others."""
    for index, word in enumerate(words):
        if word.text in (*_RECORDS, "enum"):
            tag = words[index + 1].text if index + 1 < len(words) else ""
            start = index + 1 if tag == "{" else index + 2
            if start < len(words) and words[start].text == "{":
                yield (
                    "" if tag == "{" and word.text != "enum" else f"{word.text} {tag}",
                    words[start + 1 : _behind(words, start) - 1],
                )


def _tags(words: Words) -> Iterator[tuple[str, _Word]]:
    for index, word in enumerate(words[:-1]):
        following = words[index + 1].text
        if word.text in (*_RECORDS, "enum") and following.isidentifier():
            yield f"{word.text} {following}", words[index + 1]


def _constants(body: Words) -> Iterator[_Word]:
    """Yields the names of the constants of an enumeration."""
    starts = True
    depth = 0
    for word in body:
        if starts and word.text.isidentifier():
            yield word
        depth += _DEPTH.get(word.text, 0)
        starts = word.text == "," and depth == 0


def _without_bodies(words: Words) -> list[_Word]:
    """Returns the words with `{}` in the place of each body."""
    found: list[_Word] = []
    index = 0
    while index < len(words):
        if words[index].text == "{":
            found.append(_Word(_NO_BODY))
            index = _behind(words, index)
        else:
            found.append(words[index])
            index += 1
    return found


def _declared_name(words: Words) -> _Word | None:
    """Returns the name that a declaration without bodies declares: `f` of `int f(int a)`, `(*f)(int)` or `f[3]`."""
    for index, word in enumerate(words):
        if word.text == "(":
            inner = words[index + 1 : _behind(words, index) - 1]
            if index and words[index - 1].text.isidentifier() and words[index - 1].text not in _KEYWORDS:
                return words[index - 1]
            return _declared_name([*inner, _Word(";")])
        if word.text in ("[", ";", "=", ":", ","):
            before = words[index - 1] if index else None
            is_name = before is not None and before.text.isidentifier() and before.text not in _KEYWORDS
            is_tag = index > 1 and words[index - 2].text in (*_RECORDS, "enum")
            return before if is_name and not is_tag else None
    return None


def _is_called(words: Words, name: _Word) -> bool:
    index = next(n for n, each in enumerate(words) if each is name)
    return index + 1 < len(words) and words[index + 1].text == "(" and index > 0 and words[0].text != "typedef"


class _Member(Frozen):
    name: str
    ctype: str
    body: Words
    """The body of a struct that is declared in place."""


def _members(body: Words) -> Iterator[_Member]:
    """Yields the members of a struct. The members of a struct without a name count."""
    start = index = 0
    while index < len(body):
        if _DEPTH.get(body[index].text, 0) > 0:
            index = _behind(body, index)
            continue
        if body[index].text == ";":
            yield from _of_declaration(body[start : index + 1])
            start = index + 1
        index += 1


def _of_declaration(words: Words) -> Iterator[_Member]:
    bodies = [body for _, body in _bodies(words)]
    head = _without_bodies(words)
    if bodies and [each.text for each in head[-2:]] == [_NO_BODY, ";"]:
        yield from _members(bodies[0])
        return
    pieces: list[list[_Word]] = [[]]
    depth = 0
    for word in head:
        depth += _DEPTH.get(word.text, 0)
        if word.text == "," and depth == 0:
            pieces.append([])
        else:
            pieces[-1].append(word)
    for piece in pieces:
        name = _declared_name([*piece, _Word(";")])
        if name is not None:
            ctype = " ".join(each.text for each in pieces[0] if each is not name and each.text not in (";", "*"))
            yield _Member(name.text, ctype, bodies[0] if bodies else ())


def _declared(name: _Word, words: Words, tag: str = "") -> Declared:
    return Declared(tag or name.text, _code([each.text for each in words]), name.file, name.line, name.column)


def _code(tokens: Sequence[str]) -> str:
    text = " ".join(tokens).rstrip(" ;").removesuffix(f" {_NO_BODY}")
    text = re.sub(r" ?([(\[]) ?", r"\1", text)
    text = re.sub(r" ([)\],])", r"\1", text)
    text = re.sub(r"\* (?=[\w*)])", "*", text)
    return re.sub(r"(?<=\w)\(\*", " (*", text)


def _plain(ctype: str) -> str:
    """Returns a C type without qualifiers, pointers and extents."""
    words = [each for each in re.findall(r"\w+", re.sub(r"\[.*?\]", "", ctype)) if each not in ("const", "volatile")]
    return " ".join(words)


def _last_name(parameter: str) -> str:
    names = re.findall(r"[A-Za-z_]\w*", re.sub(r"\[.*?\]", "", parameter))
    return names[-1] if len(names) > 1 and names[-1] not in _KEYWORDS else ""
