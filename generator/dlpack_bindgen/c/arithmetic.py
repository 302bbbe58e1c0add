"""Checked arithmetic for the lengths in a spec: in the types of the parameters, `rows * cols` may overflow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.fragments import integer
from dlpack_bindgen.c.literals import is_floating
from dlpack_bindgen.c.names import C_KEYWORDS
from dlpack_bindgen.c.types import CType, family

_SUMS = {"+": "dlb_plus", "-": "dlb_minus"}
_PRODUCTS = {"*": "dlb_times", "/": "dlb_over", "%": "dlb_modulo"}
_EXACT = _SUMS | _PRODUCTS
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_MEMBERS = frozenset({".", "->"})
_WIDE = frozenset("int long unsigned signed size_t ssize_t ptrdiff_t int64_t uint64_t intptr_t uintptr_t".split())
"""The words of types that serve as casts only to widen the arithmetic of a length."""

_Params = Mapping[str, CType]


class _Unclear(Exception):
    """Raised for expressions that only C can parse: `(name) - 1` may be a cast, and compilers have extensions."""


def length(expression: str, params: _Params) -> str:
    """Returns `expression` as a dlb_integer. Sums, products and negations report overflow, also in the branches of
    `?:`. C evaluates calls, indices and other operators. C evaluates the whole expression if it contains a
    floating-point number."""
    seen = ctext.tokens(expression)
    if any(_is_fraction(token, params) for token in seen):
        return integer(f"(int64_t)({expression})")
    try:
        return _length(_Piece(expression, 0, len(seen)), params)
    except _Unclear:
        return integer(expression)


def _is_fraction(token: ctext.Token, params: _Params) -> bool:
    if token.kind == "number":
        return is_floating(token.text)
    ctype = params.get(token.text) if token.kind == "name" else None
    return ctype is not None and not ctype.pointers and family(ctype.base) in ("float", "complex")


class _Piece:
    """A range of the tokens of an expression."""

    def __init__(self, source: str, start: int, end: int) -> None:
        self._source, self._start, self._end = source, start, end
        self.signs = [token.text for token in ctext.tokens(source)[start:end]]
        self.kinds = [token.kind for token in ctext.tokens(source)[start:end]]

    def __len__(self) -> int:
        return len(self.signs)

    def cut(self, start: int, end: int) -> _Piece:
        return _Piece(self._source, self._start + start, self._start + end)

    def __str__(self) -> str:
        spans = ctext.spans(self._source)[self._start : self._end]
        return self._source[spans[0][0] : spans[-1][1]] if spans else ""

    def closing(self, opening: int) -> int:
        """Returns the index of the bracket that closes the bracket at `opening`."""
        depth = 0
        for place in range(opening, len(self)):
            depth += (self.signs[place] in _OPENING) - (self.signs[place] in _CLOSING)
            if depth == 0:
                return place
        raise _Unclear


def _length(piece: _Piece, params: _Params) -> str:
    while piece.signs[:1] == ["("] and piece.closing(0) == len(piece) - 1:
        piece = piece.cut(1, len(piece) - 1)
    places = list(_binary(piece, params))
    signs = {piece.signs[place] for place in places}
    if "?" in signs:
        return _choice(piece, places, params)
    for operators in (_SUMS, _PRODUCTS) if signs <= _EXACT.keys() else ():
        for place in reversed(places):
            if (sign := piece.signs[place]) in operators:
                left = _length(piece.cut(0, place), params)
                return f"{operators[sign]}({left}, {_length(piece.cut(place + 1, len(piece)), params)})"
    return integer(str(piece)) if signs else _unary(piece, params)


def _choice(piece: _Piece, places: list[int], params: _Params) -> str:
    question = next(place for place in places if piece.signs[place] == "?")
    depth = 0
    for colon in (place for place in places if place >= question):
        depth += {"?": 1, ":": -1}.get(piece.signs[colon], 0)
        if depth == 0:
            break
    else:
        raise _Unclear
    first, second = piece.cut(question + 1, colon), piece.cut(colon + 1, len(piece))
    return f"({piece.cut(0, question)} ? {_length(first, params)} : {_length(second, params)})"


def _unary(piece: _Piece, params: _Params) -> str:
    """Returns the length for an expression without binary operators outside brackets."""
    if not len(piece):
        raise _Unclear
    sign, rest = piece.signs[0], piece.cut(1, len(piece))
    if sign == "+":
        return _length(rest, params)
    if sign == "-" and rest.kinds != ["number"]:
        return f"dlb_minus(DLB_INTEGER(0), {_length(rest, params)})"
    if sign == "(":
        behind = piece.closing(0) + 1
        inside = piece.signs[1 : behind - 1]
        if behind < len(piece) and piece.signs[behind] == "(" and _WIDE.issuperset(inside):
            return _length(piece.cut(behind, len(piece)), params)
    return integer(str(piece))


def _binary(piece: _Piece, params: _Params) -> Iterator[int]:
    """Yields the indices of binary operators outside brackets."""
    is_value = False
    place = 0
    while place < len(piece):
        sign, kind = piece.signs[place], piece.kinds[place]
        if sign in _OPENING:
            closing = piece.closing(place)
            behind = piece.signs[closing + 1 : closing + 2]
            is_called = place > 0 and piece.kinds[place - 1] == "name"
            is_value = sign != "(" or is_called or not _is_cast(piece.cut(place + 1, closing), behind, params)
            place = closing
        elif kind == "sign":
            if is_value and sign not in _MEMBERS:
                yield place
            is_value = False
        else:
            is_value = sign not in C_KEYWORDS
        place += 1


def _is_cast(inside: _Piece, behind: list[str], params: _Params) -> bool:
    """Returns whether parentheses around `inside` are a cast of the tokens after them. Raises _Unclear if only C can
    tell."""
    if not len(inside) or not all(
        kind == "name" or sign == "*" for kind, sign in zip(inside.kinds, inside.signs, strict=True)
    ):
        return False
    if inside.signs[-1] == "*" or all(map(_names_type, inside.signs)):
        return True
    alone = inside.signs[0]
    known = len(inside) > 1 or alone in params or alone.isupper()
    if not known and behind and behind[0] in ("+", "-", "*", "&"):
        raise _Unclear
    return False


def _names_type(word: str) -> bool:
    return word in C_KEYWORDS or family(word) is not None or word.endswith("_t")
