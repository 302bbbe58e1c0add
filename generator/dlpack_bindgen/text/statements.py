"""Statements: those of a spec are complete, and those of the emitted C are pieces and assertions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.ctext import Token, tokens
from dlpack_bindgen.text.names import C_KEYWORDS, STATEMENT_KEYWORDS

# ---- Pieces of an emitted function ----
# Features yield them; drivers put them in order; templates print them.


class Piece(Frozen):
    """A statement or a condition of an emitted function: a macro of a template, and its facts."""

    template: str
    """The template, such as `functions/lengths`."""
    macro: str
    facts: object
    is_condition: bool = False
    """Whether it is a C expression that is true if the call must end."""
    conditions: tuple[str, ...] = ()
    """C expressions of the spec under which the condition is tested."""
    is_enclosed: bool = False
    """Whether parentheses enclose the condition."""
    follows_checks: bool = False
    """Whether a statement needs the conditions before it to be tested."""


class Owner(Frozen):
    """A variable that owns memory, and is released when the call ends."""

    variable: str
    is_array: bool = False
    """Whether it is a `dlb_array`. Otherwise it is an object of Python, or NULL."""
    storage_of: str = ""
    """The C name of the class whose struct the memory holds; empty: the variable is not the memory of a struct."""
    freed: Piece | None = None
    """The statement that frees memory that is not a Python object; None: the runtime releases it."""


class Step(Frozen):
    """A statement before the call of the C function, or conditions under which the emitted function returns there."""

    statement: Piece | None
    conditions: tuple[Piece, ...] = ()
    failure: Piece | None = None
    """The statement that raises the exception, if the conditions raise none."""
    owners: tuple[Owner, ...] = ()
    """The owners that the function releases before it returns."""
    follows_blank_line: bool = False
    """Whether an empty line separates the conditions from the statements before."""
    label: str = ""
    """A comment with the key of the conditions."""


class Table(Frozen):
    """A static table that the runtime reads."""

    type: str
    """The C type of the table, or of its entries if it is an array."""
    name: str
    entries: tuple[str, ...]
    is_array: bool = False


# ---- Assertions about types that only the compiler knows ----


class Assertion(Frozen):
    """`DLB_ASSERT_KIND(lib_int, INTEGER, "message");`."""

    name: str
    """The end of the name of the macro: `KIND`."""
    arguments: tuple[str, ...]
    message: str
    """The message, which quotes the spec."""


# ---- Completeness checks for statements of a spec, so that none of them joins the emitted C around it ----

_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_OPENING.values())
_LEAVING = ("return", "goto")
_LOOPS = frozenset(("for", "while"))
_CONDITION = "write 'if (...) { ... }', or a function of yours"


class Misplaced(NamedTuple):
    """A word that leaves the emitted code, or belongs to a statement outside the spec's code."""

    message: str
    hint: str


def misplaced(text: str) -> Misplaced | None:
    """Finds a word that leaves the code, or that C takes as a part of a statement around it: `else`, `case`, `break`.

    The brackets must be balanced. A call without `;` before a statement is a macro: it may expand to a loop or an `if`.
    """
    seen = tokens(text)
    for token in seen:
        if token.text in _LEAVING:
            message = f"'{token.text}' would leave the emitted function, which has more to do behind this"
            return Misplaced(message, _CONDITION)
    return _Reader(seen, _ends(seen)).statements(0, len(seen), ())


def ends_with_block(text: str) -> bool:
    """Returns whether the code ends with a block, so that no `;` is needed after its last `}`."""
    seen = tokens(text)
    if not seen or seen[-1].text != "}":
        return False
    start = {end: begin for begin, end in _ends(seen).items()}
    begin = start[len(seen) - 1]
    before = seen[begin - 1].text if begin else ""
    if before == ")":
        called = start[begin - 1] - 1
        return called >= 0 and seen[called].kind == "name" and seen[called].text not in ("return", "sizeof")
    return before in ("", ";", "{", "}", "else", "do", ":")


def _ends(seen: Sequence[Token]) -> dict[int, int]:
    """Returns the index of the closing bracket for each opening bracket."""
    pending: list[int] = []
    found: dict[int, int] = {}
    for index, token in enumerate(seen):
        if token.text in _OPENING:
            pending.append(index)
        elif token.text in _CLOSING:
            found[pending.pop()] = index
    return found


class _Reader:
    """A reader of statements. Its lists name incomplete statements: `if`, `loop`, `switch`, `do`, `macro`, `else`.
    After the substatement, an `if` is renamed to `then`, and a `do` to `done`."""

    def __init__(self, seen: Sequence[Token], ends: dict[int, int]) -> None:
        self._seen = seen
        self._ends = ends

    def statements(self, index: int, end: int, around: tuple[str, ...]) -> Misplaced | None:
        """Finds a misplaced word between two indices. `around`: the kinds of the enclosing statements."""
        pending: list[str] = []
        while index < end:
            text = self._text(index)
            if pending and pending[-1] == "then":
                pending.pop()
                if text == "else":
                    pending.append("else")
                    index += 1
                else:
                    _complete(pending)
                continue
            kinds = (*around, *pending)
            if found := self._alone(index, kinds):
                return found
            if text == "while" and pending and pending[-1] == "done":
                pending.pop()
                index = self._behind(index + 1)
                index += self._text(index) == ";"
                _complete(pending)
            elif text in ("if", "switch") or text in _LOOPS:
                pending.append("loop" if text in _LOOPS else text)
                index = self._behind(index + 1)
            elif text == "do":
                pending.append("do")
                index += 1
            elif text in ("case", "default"):
                index = self._behind_label(index, end)
            elif text == "{":
                if found := self.statements(index + 1, self._ends[index], (*kinds, "block")):
                    return found
                index = self._ends[index] + 1
                _complete(pending)
            elif self._is_macro(index, end):
                pending.append("macro")
                index = self._ends[index + 1] + 1
            else:
                stop = self._behind_expression(index, end)
                if found := self._inside(index, stop, kinds):
                    return found
                index = stop
                _complete(pending)
        _complete(pending)
        return Misplaced("a 'do' has no 'while'", "do { ... } while (...)") if {"do", "done"} & {*pending} else None

    def _alone(self, index: int, kinds: tuple[str, ...]) -> Misplaced | None:
        """Finds a misplaced word at the beginning of a statement."""
        text = self._text(index)
        following = self._text(index + 1)
        if text == "else":
            return Misplaced("this 'else' has no 'if'", "if (...) { ... } else { ... }")
        if text in ("case", "default") and not {"switch", "macro"} & {*kinds}:
            return Misplaced(f"this '{text}' has no 'switch'", f"switch (...) {{ {text} ... }}")
        if text == "break" and not {"switch", "loop", "do", "macro"} & {*kinds}:
            return Misplaced("this 'break' has no loop", _CONDITION)
        if text == "continue" and not {"loop", "do", "macro"} & {*kinds}:
            return Misplaced("this 'continue' has no loop", _CONDITION)
        is_label = self._seen[index].kind == "name" and following == ":" and text not in C_KEYWORDS
        if is_label and not kinds:  # inside a statement of the spec, a label is harmless
            return Misplaced(f"'{text}:' is a label, and nothing may jump to it", "leave it out")
        return None

    def _is_macro(self, index: int, end: int) -> bool:
        """Returns whether a call precedes a statement without `;`: `LIST_FOREACH(item, list) { ... }`."""
        if self._seen[index].kind != "name" or self._text(index) in C_KEYWORDS or self._text(index + 1) != "(":
            return False
        behind = self._ends[index + 1] + 1
        if behind >= end:
            return False
        token = self._seen[behind]
        text = token.text
        return text == "{" or text in STATEMENT_KEYWORDS or (token.kind == "name" and "_" not in text[:1])

    def _behind(self, index: int) -> int:
        """Returns the index after the parentheses that open at `index`, or `index` if there are none."""
        return self._ends[index] + 1 if self._text(index) == "(" else index

    def _behind_label(self, index: int, end: int) -> int:
        chosen = 0
        while index < end:
            text = self._text(index)
            if text in _OPENING:
                index = self._ends[index]
            chosen += text == "?"
            if text == ":" and chosen == 0:
                return index + 1
            chosen -= text == ":"
            index += 1
        return end

    def _behind_expression(self, index: int, end: int) -> int:
        """Returns the index after the next `;`."""
        while index < end:
            text = self._text(index)
            index = self._ends[index] + 1 if text in _OPENING else index + 1
            if text == ";":
                break
        return index

    def _inside(self, index: int, end: int, kinds: tuple[str, ...]) -> Misplaced | None:
        """Searches an expression for statements in `({ ... })`, function bodies, and words after a macro."""
        while index < end:
            text = self._text(index)
            if text == "{" and self._is_body(index):
                hint = "define it in a header, and call it here"
                return Misplaced("this defines a function, and calls nothing", hint)
            if text == "(" and self._text(index + 1) == "{":
                if found := self.statements(index + 2, self._ends[index + 1], kinds):
                    return found
                index = self._ends[index]
            elif text in ("break", "continue") or (text == "else" and not {"if", "macro"} & {*kinds}):
                found = self._alone(index, kinds)  # after a macro
                if found:
                    return found
            index += 1
        return None

    def _is_body(self, index: int) -> bool:
        """Returns whether a `{` begins a function body: it follows `TYPE NAME(...)`."""
        if index == 0 or self._text(index - 1) != ")":
            return False
        begin = next(start for start, end in self._ends.items() if end == index - 1)
        if begin < 2 or self._seen[begin - 1].kind != "name" or self._text(begin - 1) in C_KEYWORDS:
            return False
        before = self._seen[begin - 2]
        return before.text == "*" or (before.kind == "name" and before.text not in STATEMENT_KEYWORDS)

    def _text(self, index: int) -> str:
        return self._seen[index].text if index < len(self._seen) else ""


def _complete(pending: list[str]) -> None:
    """Completes a statement, and the pending statements that end with it."""
    while pending and pending[-1] in ("else", "loop", "switch"):
        pending.pop()
    if pending and pending[-1] in ("if", "macro"):
        pending[-1] = "then"
    elif pending and pending[-1] == "do":
        pending[-1] = "done"
