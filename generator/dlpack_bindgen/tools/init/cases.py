"""Members of a struct that may change what its array is: bits, formats, planes, packed or complex data, the order of
the axes. The draft requires the case that it describes, and asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.draft import Answer
from dlpack_bindgen.tools.init.declarations import DeclaredType, Header, words
from dlpack_bindgen.tools.init.dtypes import map_of_enum


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


BITS = _set("bits bpp depth bitdepth bitsperpixel bitspersample bitspercomponent bitsperchannel bitcount nbits")
"""Words of a number of bits."""
WORDS_OF_ROW = _set("wpl wordsperline wordsperrow widthwords rowwords")
"""Words of a number of machine words in a row."""
KINDS = _set("format fmt class mode layout coding encoding pixfmt pixelformat colorspace kind type classtype")
"""Last words of a code for what the data is."""
SURE_KINDS = _set("format fmt layout coding encoding pixfmt pixelformat colorspace")
"""Those that are about the data even if they are plain integers."""
PARTS = _set("channels nchannels components ncomponents ncomp comps bands planes nplanes numplanes samplesperpixel spp")
"""Words of a number of samples of a pixel, or of planes."""
OFF = _set(
    "complex split planar packed compressed encoded encrypted sparse indexed paletted palettized transposed tiled"
)
"""Words of a flag that the data is something else."""
ORDER = "order"
"""The name that stands for the order of the axes in a question."""
BY_ROWS, BY_COLUMNS = "C", "F"


class Attribute(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def expression(self) -> str: ...
    @property
    def type(self) -> DeclaredType: ...
    @property
    def comment(self) -> str: ...


class Case(Frozen):
    """A condition under which the description of an array is right."""

    name: str
    """The member, or `order`."""
    condition: str
    """Empty if nothing is known to be right: the array is a question."""
    message: str
    value: str = ""
    """The value of the member in this case; several are separated by commas."""


def cases(
    attributes: Sequence[Attribute], used: frozenset[str], dtypes: frozenset[str], bits: int, header: Header
) -> Iterator[Case]:
    """Yields the cases that an array describes. `used` are the expressions that describe it, `dtypes` its dtypes, and
    `bits` is the size of an element; 0: it varies."""
    for each in attributes:
        own = words(each.name)
        joined, last = "".join(own), own[-1] if own else ""
        comment = each.comment.lower()
        if not each.type.is_integer or "." in each.name:
            continue
        if each.expression in used:
            if joined in BITS and bits == 8:
                yield Case(each.name, f"{each.expression} == 1", f"{each.name} is not 1, and may count bits", "1")
            continue
        if joined in WORDS_OF_ROW or "words/line" in comment or "words per line" in comment:
            yield Case(each.name, "", f"`{each.name}` counts the words of a row, so that a row may have gaps")
        elif joined in BITS or last in BITS or (len(joined) == 1 and ("bpp" in comment or " bits" in comment)):
            condition = f"{each.expression} == {bits}" if bits else ""
            yield Case(each.name, condition, f"{each.name} is not {bits}", str(bits) if bits else "")
        elif set(own) & OFF:
            yield Case(each.name, f"{each.expression} == 0", f"{each.name} is set", "0")
        elif joined in PARTS or last in PARTS:
            yield Case(each.name, f"{each.expression} == 1", f"{each.name} is not 1", "1")
        elif last in KINDS or joined in KINDS:
            yield from _of_code(each, last, dtypes, header)


def _of_code(each: Attribute, last: str, dtypes: frozenset[str], header: Header) -> Iterator[Case]:
    """Yields the case of a code: the constants whose names fit the dtypes of the array."""
    enum = header.enums.get(each.type.declaration)
    found = map_of_enum(enum, "dtype")[0] if enum is not None else {}
    fitting = [constant for constant, dtype in found.items() if dtype in dtypes]
    if fitting:
        condition = " || ".join(f"{each.expression} == {constant}" for constant in fitting)
        yield Case(each.name, condition, f"{each.name} is another one", ", ".join(fitting))
    elif (enum is not None and (found or last in SURE_KINDS)) or (enum is None and last in SURE_KINDS):
        yield Case(each.name, "", f"`{each.name}` may tell what the data is")


def unknown_order(extents: Sequence[str], rank: str) -> Case:
    """Returns the case of an array of several axes about whose order nothing is known. `rank` is the expression of a
    rank that varies."""
    if rank:
        condition = f"{rank} <= 1"
    else:
        long = [f"({each} > 1)" for each in extents]
        condition = f"{' + '.join(long)} <= 1"
    return Case(ORDER, condition, "the order of the axes is not known", BY_ROWS)


def answered(case: Case, answers: Mapping[str, Answer], expression: str) -> Case | None:
    """Returns the case after the answers of a person; None: there is no condition any more."""
    answer = answers.get(case.name)
    if answer is None or (answer.word != "any" and not answer.value):
        return case
    if answer.word == "any" or case.name == ORDER:
        return None
    values = [value.strip() for value in answer.value.split(",")]
    condition = " || ".join(f"{expression} == {value}" for value in values)
    return Case(case.name, condition, f"{case.name} is not {' or '.join(values)}", answer.value)
