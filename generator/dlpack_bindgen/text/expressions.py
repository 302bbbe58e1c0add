"""Expressions of C: products, indices, the elements that code reads, and checked arithmetic."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import gcd
from typing import Literal, NamedTuple

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.ctext import Token, tokens
from dlpack_bindgen.text.fragments import integer
from dlpack_bindgen.text.literals import bare_integer, integer_value, is_floating
from dlpack_bindgen.text.names import C_KEYWORDS
from dlpack_bindgen.text.types import CType, family

# ---- Products in C code: the constant factor of an expression, and its other factors ----

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_SUMS = frozenset("+-")
_FACTORS = frozenset(("*", "<<"))
_ENDS = frozenset(("name", "number", "literal"))
_MOST_SHIFT = 62


class Product(Frozen):
    """A product such as `8 * self->columns`, with the coefficient 8 and one factor. The coefficient of a sum divides
    each of its terms."""

    coefficient: int
    factors: tuple[str, ...] = ()

    @property
    def constant(self) -> int | None:
        """The value of a constant expression, or None."""
        return None if self.factors else self.coefficient


def product(text: str) -> Product:
    """Splits `text` into coefficient and factors. An expression that is neither a product nor a sum is one factor."""
    return _product(list(ctext.tokens(text)))


def _product(seen: list[ctext.Token]) -> Product:
    seen = _bare(seen)
    places = _operators(seen)
    signs = {seen[place].text for place in places}
    if signs & _SUMS and signs <= _SUMS | _FACTORS:
        return _sum(seen, [place for place in places if seen[place].text in _SUMS])
    if signs and signs <= _FACTORS:
        return _multiplied(seen, places)
    value = bare_integer("".join(token.text for token in seen)) if len(seen) <= 2 else None
    return Product(1, (_text(seen),)) if value is None else Product(value)


def _sum(seen: list[ctext.Token], places: list[int]) -> Product:
    terms = [_product(part) for part in _split(seen, places)]
    if all(term.constant is not None for term in terms):
        total = terms[0].coefficient
        for place, term in zip(places, terms[1:], strict=True):
            total += term.coefficient if seen[place].text == "+" else -term.coefficient
        return Product(total)
    return Product(gcd(*(term.coefficient for term in terms)), (_text(seen),))


def _multiplied(seen: list[ctext.Token], places: list[int]) -> Product:
    first, *others = _split(seen, places)
    coefficient, factors = _product(first).coefficient, list(_product(first).factors)
    for place, part in zip(places, others, strict=True):
        found = _product(part)
        if seen[place].text == "*":
            coefficient *= found.coefficient
            factors += found.factors
        elif found.constant is not None and 0 <= found.constant <= _MOST_SHIFT:
            coefficient <<= found.constant
        else:
            factors.append(f"1 << {_text(part)}")
    return Product(coefficient, tuple(sorted(factors)))


def _bare(seen: list[ctext.Token]) -> list[ctext.Token]:
    """Strips outer parentheses, casts to numbers, and a sign before parentheses or names."""
    while seen:
        closing = _closing(seen, 0) if seen[0].text == "(" else -1
        inside = seen[1:closing]
        if closing == len(seen) - 1:
            seen = inside
        elif closing > 0 and _is_number_type(inside) and not _operators(seen[closing + 1 :]):
            seen = seen[closing + 1 :]
        elif seen[0].text in _SUMS and len(seen) > 1 and seen[1].kind != "number" and not _operators(seen):
            seen = seen[1:]
        else:
            break
    return seen


def _is_number_type(inside: list[ctext.Token]) -> bool:
    words = [token.text for token in inside]
    known = all(word in C_KEYWORDS or word.endswith("_t") or family(word) is not None for word in words)
    return bool(words) and known and all(token.kind == "name" for token in inside)


def _operators(seen: list[ctext.Token]) -> list[int]:
    """Returns the indices of binary operators outside brackets."""
    places: list[int] = []
    is_value = False
    place = 0
    while place < len(seen):
        token = seen[place]
        if token.text in _OPENING:
            closing = _closing(seen, place)
            is_cast = token.text == "(" and not is_value and _is_number_type(seen[place + 1 : closing])
            is_value = not is_cast
            place = closing
        elif token.text in ("->", "."):
            is_value = False
        elif token.kind == "sign" and is_value:
            places.append(place)
            is_value = False
        else:
            is_value = token.kind in _ENDS and token.text != "sizeof"
        place += 1
    return places


def _closing(seen: list[ctext.Token], opening: int) -> int:
    depth = 0
    for place in range(opening, len(seen)):
        depth += (seen[place].text in _OPENING) - (seen[place].text in _CLOSING)
        if depth == 0:
            return place
    return len(seen) - 1


def _split(seen: list[ctext.Token], places: list[int]) -> list[list[ctext.Token]]:
    borders = [-1, *places, len(seen)]
    return [seen[borders[i] + 1 : borders[i + 1]] for i in range(len(borders) - 1)]


def _text(seen: list[ctext.Token]) -> str:
    return " ".join(token.text for token in seen)


# ---- Indices in C code: the elements that they select ----

_CHOOSE = frozenset(("?", "&&", "||", "if", "for", "while", "switch", "sizeof", "_Generic"))
"""Operators and keywords before code that C may skip."""
_END = Token("sign", "")


class LiteralIndex(NamedTuple):
    array: str
    value: int
    certain: bool
    """Whether C always reads the element, whatever the code before it yields."""

    @property
    def shown(self) -> str:
        return f"{self.array}[{self.value}]"


def literal_indices(text: str, arrays: frozenset[str]) -> Iterator[LiteralIndex]:
    """Yields each `NAME[3]` and `NAME[-1]` of one of the `arrays`."""
    seen = tokens(text) if "[" in text else ()
    certain = True
    for place, token in enumerate(seen):
        certain = certain and token.text not in _CHOOSE
        before = seen[place - 1].text if place else ""
        if token.text in arrays and before not in (".", "->"):
            value = _index(seen, place + 1)
            if isinstance(value, int):
                yield LiteralIndex(token.text, value, certain and before != "&")


def indices(text: str, name: str) -> Iterator[int | Literal["none", "some"]]:
    """Yields one item for each use of `name`: the number in `name[3]`, `some` for another index, `none` without an
    index."""
    seen = tokens(text) if name in text else ()
    for place, token in enumerate(seen):
        member = place > 0 and seen[place - 1].text in (".", "->")
        if token.text == name and token.kind == "name" and not member:
            yield _index(seen, place + 1)


def _index(seen: tuple[Token, ...], place: int) -> int | Literal["none", "some"]:
    """Returns the index in the brackets at `place`: its number, `some` for another index, `none` without brackets."""
    bracket, *inside = (*seen[place : place + 4], *[_END] * 4)[:4]
    if bracket.text != "[":
        return "none"
    strings = [token.text for token in inside]
    length = strings.index("]") if "]" in strings else 0
    value = integer_value("".join(strings[:length]))
    return "some" if value is None else value


# ---- The elements of arrays that C code reads, and the conditions of the reads ----

_CLOSING_OF = {"(": ")", "[": "]", "{": "}"}
_COMPARED = frozenset("== != < > <= >= && || !".split())
"""Operators whose result is a number even if an operand is a pointer."""


class Element(NamedTuple):
    """An element `NAME[3][i]`. C reads it if all `conditions` hold."""

    array: str
    indices: tuple[str, ...]
    conditions: tuple[str, ...]


class Reads(NamedTuple):
    elements: tuple[Element, ...]
    """The elements, each after those that its indices and conditions read."""
    hidden: tuple[str, ...]
    """The arrays that C reads through another pointer: `*(x + 1)`, `((char *)x)[1]`, `*(int *)x->data`."""


def reads(text: str, arrays: Mapping[str, int], tensors: Collection[str] = ()) -> Reads:
    """Returns the elements that C code reads. `arrays`: names of arrays, each with the number of indices of an element;
    `tensors`: names of tensors, which are read through `->data`."""
    if not any(ctext.mentions(text, name) for name in (*arrays, *tensors)):
        return Reads((), ())
    scan = _Scan(text, arrays, tensors)
    scan.value(0, len(scan.signs), ())
    return Reads(tuple(dict.fromkeys(scan.elements)), tuple(dict.fromkeys(scan.hidden)))


class _Scan:
    def __init__(self, text: str, arrays: Mapping[str, int], tensors: Collection[str]) -> None:
        self._text = text
        self._seen = ctext.tokens(text)
        self._spans = ctext.spans(text)
        self._arrays = arrays
        self._tensors = tensors
        self.signs = [token.text for token in self._seen]
        self.elements: list[Element] = []
        self.hidden: list[str] = []
        self._pointers: set[int] = set()
        """The places where an array is used as a pointer to elements."""

    def value(self, start: int, end: int, conditions: tuple[str, ...]) -> None:
        """Scans an expression between two places. Adds the conditions under which C evaluates each operand."""
        places = self._outside(start, end)
        for sign in (",", "?", "||", "&&"):
            found = [place for place in places if self.signs[place] == sign]
            if not found:
                continue
            place = found[0] if sign == "?" else found[-1]
            self.value(start, place, conditions)
            if sign == "?":
                colon = self._colon(place, [each for each in places if each > place], end)
                self.value(place + 1, colon, (*conditions, self._part(start, place)))
                self.value(colon + 1, end, (*conditions, f"!({self._part(start, place)})"))
            else:
                tested = self._part(start, place)
                more = {"||": (f"!({tested})",), "&&": (tested,)}.get(sign, ())
                self.value(place + 1, end, (*conditions, *more))
            return
        self._plain(start, end, conditions)

    def _plain(self, start: int, end: int, conditions: tuple[str, ...]) -> None:
        place = start
        while place < end:
            sign = self.signs[place]
            if sign == "sizeof":
                place = ctext.behind_operand(self._seen, place + 1)
            elif sign in _CLOSING_OF:
                closing = self._closing(place)
                self.value(place + 1, closing, conditions)
                self._group(place, closing)
                place = closing + 1
            elif sign in self._arrays and self._before(place) not in (".", "->"):
                place = self._array(place, conditions)
            elif sign in self._tensors and self.signs[place + 1 : place + 3] == ["->", "data"]:
                place = self._data(place)
            else:
                place += 1

    def _array(self, place: int, conditions: tuple[str, ...]) -> int:
        """Scans a use of an array, and returns the place after it."""
        array, behind = self.signs[place], place + 1
        indices: list[str] = []
        while behind < len(self.signs) and self.signs[behind] == "[" and len(indices) < self._arrays[array]:
            closing = self._closing(behind)
            self.value(behind + 1, closing, conditions)
            indices.append(self._part(behind + 1, closing))
            behind = closing + 1
        before = self._first(place) - 1
        while before >= 0 and self.signs[before] == "*" and len(indices) < self._arrays[array]:
            if before != place - 1 and ")" in self.signs[before + 1 : place]:  # the pointer is cast
                self.hidden.append(array)
                return behind
            indices.append("0")
            before -= 1
        if self.signs[behind : behind + 1] == ["->"] and len(indices) < self._arrays[array]:
            indices.append("0")
        is_address = before >= 0 and self.signs[before] == "&" and not self._is_value(before - 1)
        if len(indices) < self._arrays[array]:
            self._pointers.add(place)
        elif not is_address:
            self.elements.append(Element(array, tuple(indices), conditions))
        return behind

    def _data(self, place: int) -> int:
        """Scans a use of `->data`, and returns the place after it. The pointer has no type, so C must cast it before it
        reads elements."""
        self._pointers.add(place)
        if self.signs[max(self._first(place) - 1, 0)] == "*":
            self.hidden.append(self.signs[place])
        return place + 3

    def _group(self, opening: int, closing: int) -> None:
        """Records the arrays that are read through a pointer in parentheses."""
        if self.signs[opening] != "(" or (opening and self._seen[opening - 1].kind == "name"):
            return
        inside = self._outside(opening + 1, closing)
        first = self._first(opening)
        is_read = (first and self.signs[first - 1] == "*") or self.signs[closing + 1 : closing + 2] in (["["], ["->"])
        if not is_read or any(self.signs[place] in _COMPARED for place in inside):
            return
        self.hidden += [self.signs[place] for place in inside if place in self._pointers]

    def _first(self, place: int) -> int:
        """Returns the place of the first cast before `place`."""
        while self._before(place) == ")":
            opening = self._opening(place - 1)
            inside = self.signs[opening + 1 : place - 1]
            is_type = bool(inside) and all(each.isidentifier() or each == "*" for each in inside)
            if not is_type or (opening and self._seen[opening - 1].kind == "name"):
                break
            if "*" not in inside:  # a cast of a number, which is already read
                break
            place = opening
        return place

    def _is_value(self, place: int) -> bool:
        return place >= 0 and (self._seen[place].kind != "sign" or self.signs[place] in (")", "]"))

    def _before(self, place: int) -> str:
        return self.signs[place - 1] if place else ""

    def _outside(self, start: int, end: int) -> list[int]:
        """Returns the places outside brackets."""
        found, place = [], start
        while place < end:
            found.append(place)
            place = self._closing(place) + 1 if self.signs[place] in _CLOSING_OF else place + 1
        return found

    def _colon(self, question: int, places: list[int], end: int) -> int:
        depth = 1
        for place in places:
            depth += {"?": 1, ":": -1}.get(self.signs[place], 0)
            if depth == 0:
                return place
        return end

    def _closing(self, opening: int) -> int:
        depth = 0
        for place in range(opening, len(self.signs)):
            depth += (self.signs[place] in _CLOSING_OF) - (self.signs[place] in _CLOSING_OF.values())
            if depth == 0:
                return place
        return len(self.signs) - 1

    def _opening(self, closing: int) -> int:
        depth = 0
        for place in range(closing, -1, -1):
            depth += (self.signs[place] in _CLOSING_OF.values()) - (self.signs[place] in _CLOSING_OF)
            if depth == 0:
                return place
        return 0

    def _part(self, start: int, end: int) -> str:
        return self._text[self._spans[start][0] : self._spans[end - 1][1]] if start < end else ""


# ---- Reads through pointers that may be NULL, in C code ----

_FOLLOWS = ("->", "[")
_TESTS = ("?", "&&", "||", "!=", "==")
_ASKS = ("if", "while")


def reads_unasked(text: str, name: str) -> bool:
    """Returns whether C code dereferences `name` but never compares it with NULL. Operands of `sizeof` do not count."""
    if name not in ctext.evaluated_names(text):
        return False
    signs = ["", *(token.text for token in ctext.evaluated(text)), "", ""]
    places = [place for place, sign in enumerate(signs) if sign == name and signs[place - 1] not in (".", "->")]
    return any(_follows(signs, place) for place in places) and not any(_is_asked(signs, place) for place in places)


def excludes_null(condition: str, name: str) -> bool:
    """Returns whether a condition clearly excludes NULL for `name`, which may be `%`."""
    parts, signs = ctext.split(condition, ("&&", "||", "?", ","))
    tests = [[name], [name, "!=", "NULL"], [name, "!=", "0"], ["NULL", "!=", name]]
    return not {"||", "?", ","}.intersection(signs) and any(
        [token.text for token in ctext.tokens(part)] in tests for part in parts
    )


def _follows(signs: list[str], place: int) -> bool:
    while signs[place - 1] == "(" and signs[place + 1] == ")" and place > 1 and not signs[place - 2].isidentifier():
        signs = [*signs[: place - 1], signs[place], *signs[place + 2 :]]
        place -= 1
    before = signs[place - 2]
    is_product = before.isalnum() or before.isidentifier() or before in (")", "]")
    return signs[place + 1] in _FOLLOWS or (signs[place - 1] == "*" and not is_product)


def _is_asked(signs: list[str], place: int) -> bool:
    before, behind = signs[place - 1], signs[place + 1]
    is_condition = before == "(" and behind == ")" and signs[place - 2] in _ASKS
    ends_condition = before in ("&&", "||") and behind == ")"
    return behind in _TESTS or before in ("!", "!=", "==") or is_condition or ends_condition


# ---- Checked arithmetic for the lengths in a spec: in the types of the parameters, `rows * cols` may overflow ----

_SUM_FUNCTIONS = {"+": "dlb_plus", "-": "dlb_minus"}
_PRODUCTS = {"*": "dlb_times", "/": "dlb_over", "%": "dlb_modulo"}
_EXACT = _SUM_FUNCTIONS | _PRODUCTS
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
    for operators in (_SUM_FUNCTIONS, _PRODUCTS) if signs <= _EXACT.keys() else ():
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
