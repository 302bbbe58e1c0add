"""The elements of arrays that C code reads, and the conditions of the reads."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from dlpack_bindgen.c import ctext

_CLOSING = {"(": ")", "[": "]", "{": "}"}
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
            elif sign in _CLOSING:
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
            place = self._closing(place) + 1 if self.signs[place] in _CLOSING else place + 1
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
            depth += (self.signs[place] in _CLOSING) - (self.signs[place] in _CLOSING.values())
            if depth == 0:
                return place
        return len(self.signs) - 1

    def _opening(self, closing: int) -> int:
        depth = 0
        for place in range(closing, -1, -1):
            depth += (self.signs[place] in _CLOSING.values()) - (self.signs[place] in _CLOSING)
            if depth == 0:
                return place
        return 0

    def _part(self, start: int, end: int) -> str:
        return self._text[self._spans[start][0] : self._spans[end - 1][1]] if start < end else ""
