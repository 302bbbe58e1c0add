"""Detection of operators without an operand. Possible types, designators and macro arguments are accepted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from dlpack_bindgen.c.names import C_KEYWORDS

if TYPE_CHECKING:
    from dlpack_bindgen.c.ctext import Token

_PREFIX = frozenset("+ - * & ! ~ ++ --".split())
_COMPARISONS = frozenset("== != < > <= >=".split())
_COMPOUND = frozenset("+ - * / % & | ^ << >>".split())
SPELT_OPERATORS = frozenset("and or not compl bitand bitor xor not_eq and_eq or_eq xor_eq".split())
"""The operators of <iso646.h>."""
_OF_TYPES = frozenset("sizeof _Alignof alignof".split())
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class Missing(NamedTuple):
    place: int
    """The index of the token that lacks an operand."""
    is_left: bool
    """Whether the left operand is missing."""


def missing(seen: Sequence[Token], what: str, tested: bool = False) -> Missing | None:
    """Returns the first operator that lacks an operand, or None. `tested`: `%` is a result, which a comparison may omit
    on its left."""
    if any(token.text.strip("_") == "asm" for token in seen):
        return None
    return _Scan(seen, what, tested).run()


class _Scan:
    def __init__(self, seen: Sequence[Token], what: str, tested: bool) -> None:
        self._seen = seen
        self._statement = what == "statement"
        self._tested = tested
        self._open: list[int] = []
        self._wanting: int | None = None
        """The operator whose right operand is still to come."""
        self._begins = True
        """Whether an expression begins here."""

    def run(self) -> Missing | None:
        index = 0
        while index < len(self._seen):
            if self._seen[index].text.startswith("__has_"):  # `__has_include(<image.h>)`
                index = self._behind(index + 1)
                self._value()
                continue
            if found := self._token(index):
                return found
            index += 1
        if self._wanting is not None:
            return self._nothing_behind(self._wanting)
        return self._nothing_behind(len(self._seen) - 1) if self._text(-1) == "," else None

    def _token(self, index: int) -> Missing | None:
        token = self._seen[index]
        before = self._text(index - 1) if index else ""
        if before == "->" and token.kind != "name":
            return self._nothing_behind(index - 1)
        if before == "." and token.kind == "literal":
            return self._nothing_behind(index - 1)
        if token.kind in ("name", "number", "literal"):
            self._operand(index)
        elif token.text in _OPENING:
            self._open.append(index)
            self._start()
        elif token.text in _CLOSING:
            found = self._end(index)
            self._open.pop()
            self._value()
            return found
        elif token.text in (",", ";"):
            found = self._end(index)
            self._start()
            return found
        elif token.text in ("++", "--") and not self._lacks():
            pass
        elif not self._lacks():
            self._operator(index)
        else:
            return self._unary(index, before)
        return None

    def _operand(self, index: int) -> None:
        text = self._text(index)
        if text in _OF_TYPES:
            self._want(index)
        else:
            self._value()
            # Anything may follow a keyword: `const *`, `return -1`, `a and *b`.
            self._begins = text in C_KEYWORDS or text in SPELT_OPERATORS

    def _unary(self, index: int, before: str) -> Missing | None:
        """Handles a sign in a place where a value is expected."""
        text = self._text(index)
        if text in _PREFIX:
            self._want(index)
        elif self._is_spared(index, before):
            self._value()
        elif text == "=" and self._wanting == index - 1 and before in _COMPOUND:
            self._want(index)
        elif (self._begins and self._is_after_word(index)) or (text == ":" and before in ("?", "*")):
            self._operator(index)
        elif text in (*_COMPARISONS, "=") and index == 0 and self._tested:
            self._want(index)
        else:
            return Missing(index, True)
        return None

    def _operator(self, index: int) -> None:
        # A ':' in a statement may end a label, which needs no operand.
        self._want(None if self._text(index) == ":" and self._statement else index)

    def _is_spared(self, index: int, before: str) -> bool:
        """Returns whether a sign stands alone: `%` for the result, `...`, a designator, an operator as a macro
        argument."""
        text = self._text(index)
        if text == ".":
            around = "".join(token.text for token in self._seen[max(index - 2, 0) : index + 3])
            if "..." in around:
                return self._may_be_dots(index)
            return self._wanting is None and before in ("{", ",", "(")
        if text == "%":
            return self._tested
        following = self._text(index + 1) if index + 1 < len(self._seen) else ""
        return bool(self._open) and before in ("(", ",") and following in (",", ")") and self._is_call()

    def _may_be_dots(self, index: int) -> bool:
        """Returns whether `...` may stand here: at the end of parameters, or as a range in braces."""
        behind = next((token.text for token in self._seen[index:] if token.text != "."), "")
        return behind == ")" or any(self._text(place) == "{" for place in self._open)

    def _is_after_word(self, index: int) -> bool:
        return index > 0 and self._seen[index - 1].kind == "name"

    def _end(self, index: int) -> Missing | None:
        """Checks the operands before a closing bracket, a ',' or a ';'."""
        text = self._text(index)
        if self._wanting is not None and not (text in (")", ",") and self._is_type(self._wanting)):
            return self._nothing_behind(self._wanting)
        before = self._text(index - 1) if index else ""
        if before == "," and text != "}" and not self._is_macro():
            return self._nothing_behind(index - 1)
        if text == "," and before in ("", "(", "[", "{", ";") and not self._is_macro():
            return Missing(index, True)
        if text == "]" and before == "[" and len(self._open) == 1 and not self._statement and index > 1:
            return Missing(index - 1, False)
        return None

    def _is_type(self, index: int) -> bool:
        """Returns whether the `*` at `index` may end a type, as in `(image_t **)`."""
        while index >= 0 and self._text(index) == "*":
            index -= 1
        if index < 0 or index == self._wanting:
            return False
        token = self._seen[index]
        member = index > 0 and self._text(index - 1) in (".", "->")
        return (token.kind == "name" and not member) or token.text in ("(", ")", ",")

    def _is_call(self) -> bool:
        place = self._open[-1]
        return self._text(place) == "(" and place > 0 and self._seen[place - 1].kind == "name"

    def _is_macro(self) -> bool:
        """Returns whether the current parentheses may have empty arguments, as a macro's may."""
        return bool(self._open) and self._is_call() and not any(map(str.islower, self._text(self._open[-1] - 1)))

    def _lacks(self) -> bool:
        return self._begins or self._wanting is not None

    def _start(self) -> None:
        self._begins, self._wanting = True, None

    def _value(self) -> None:
        self._begins, self._wanting = False, None

    def _want(self, index: int | None) -> None:
        self._begins, self._wanting = index is None, index

    def _nothing_behind(self, index: int) -> Missing:
        return Missing(index, False)

    def _text(self, index: int) -> str:
        return self._seen[index].text

    def _behind(self, index: int) -> int:
        """Returns the index after the parentheses that begin at `index`."""
        depth = 0
        while index < len(self._seen):
            depth += {"(": 1, ")": -1}.get(self._text(index), 0)
            index += 1
            if depth <= 0:
                break
        return index
