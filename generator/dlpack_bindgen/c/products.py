"""Products in C code: the constant factor of an expression, and its other factors."""

from __future__ import annotations

from math import gcd

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.integers import bare_integer
from dlpack_bindgen.c.names import C_KEYWORDS
from dlpack_bindgen.c.types import family
from dlpack_bindgen.frozen import Frozen

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
