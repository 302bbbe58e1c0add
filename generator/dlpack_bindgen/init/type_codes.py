"""The members that tell the type of the elements behind a `void *`: enums, integers and characters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.init.declarations import DeclaredType, Header
from dlpack_bindgen.init.dtypes import choice, map_of_characters, map_of_enum, map_of_macros, unnamed_enum_map
from dlpack_bindgen.init.names import words
from dlpack_bindgen.init.vocabulary import DTYPE

_MOST_CODES = 6
"""The number of constants that a question lists."""
_CODE_ENDINGS = ("typecode", "dtype", "type", "format", "fmt")
_ANY_ELEMENT = ("", "data", "elem", "element", "scalar", "value", "sample")
"""Words of a code that do not tell of which array it is the code."""
_C_TYPES = {
    "float": "float32",
    "double": "float64",
    "int": "int32",
    "short": "int16",
    "unsigned int": "uint32",
    "unsigned short": "uint16",
    "unsigned char": "uint8",
    "signed char": "int8",
}
_SIZED = re.compile(
    r"(?:(?P<before>\d+)[- ]?bits? )?(?P<sign>un|)(?:signed )?(?P<kind>int(?:eger)?|float)(?P<after>8|16|32|64|)(?:_t)?"
)
_PAIR = re.compile(
    r"(?<![\w'])(?:'(?P<quoted>\w)'|(?P<letter>[A-Za-z])|(?P<number>\d{1,3}))\s*(?::|=|->| is | for )\s*"
    r"(?P<type>[A-Za-z0-9][\w -]*?)\s*(?=[,;.)/|]|$|\bor\b|\band\b)"
)
"""A code and its type in a comment, such as `'f': float` or `0 = int16`."""
_LISTED = re.compile(r"(?<![\w'])'?([A-Za-z])'?(?=\s*(?:,|;|/|\||\bor\b|\band\b|:|=|$))")
"""A letter in a list of codes, such as `a, i, f, d`."""
_USUAL = {"b": "int8", "h": "int16", "s": "int16", "i": "int32", "f": "float32", "d": "float64"}


class CodedType(Frozen):
    """The dtype as a choice by the value of a member."""

    value: str
    """The choice in YAML; with a question, an example."""
    guess: str = ""
    question: str = ""
    """The question about the codes; empty if names or a comment decide them."""


def is_type_code(name: str) -> bool:
    """Returns whether a name is that of a type code: `type`, `dtype`, `sampletype`, `value_format`."""
    joined = "".join(words(name.rpartition(".")[2]))
    return joined in DTYPE or joined.endswith(_CODE_ENDINGS)


def thing_of_code(name: str) -> str:
    """Returns the thing whose type a code tells: `cell` for `celltype`; empty for `type` and `dtype`."""
    joined = "".join(words(name.rpartition(".")[2]))
    ending = next((each for each in _CODE_ENDINGS if joined.endswith(each)), "")
    return joined.removesuffix(ending).removesuffix("s") if ending else ""


def describes_data(name: str, data: str) -> bool:
    """Returns whether the name of a code can belong to an array: `sampletype` to any, `celltype` to `cells`."""
    thing = thing_of_code(name)
    return is_type_code(name) and (thing in _ANY_ELEMENT or (len(thing) > 2 and thing in "".join(words(data))))


def coded_type(name: str, expression: str, given: DeclaredType, comment: str, header: Header) -> CodedType | None:
    """Returns the dtypes that the values of a member stand for, by the names of constants or by its comment. If neither
    decides them, the result has a question and an example. Returns None for members that are not codes."""
    if given.kind not in ("enum", "int", "char"):
        return None
    if decided := decided_type(name, expression, given, comment, header):
        return decided
    said = f"; its comment: {comment}" if comment and len(comment) <= 100 else ""
    question = f"which dtype does each value of `{name}` stand for? Complete the map{said}"
    return CodedType(choice(expression, _examples(given, comment, header)), question=question)


def decided_type(name: str, expression: str, given: DeclaredType, comment: str, header: Header) -> CodedType | None:
    """Returns the dtypes of the values of a member, if its comment or the names of constants decide them."""
    if pairs := _pairs(comment, given):
        return CodedType(choice(expression, pairs), f"by the comment of `{name}`; other values are refused")
    enum = header.enums.get(given.declaration)
    other: Sequence[str] = ()
    if enum is not None:
        found, other = map_of_enum(enum, "dtype")
    elif given.kind == "int":
        found = unnamed_enum_map(header) or map_of_macros(header.macros)
    elif given.kind == "char":
        found = map_of_characters(header)
    else:
        return None
    if not found or 2 * len(found) < len(other):
        return None
    left = f"; other values are refused: {', '.join(other[:6])}" if other else ""
    return CodedType(choice(expression, found), f"by the names of the constants{left}")


def _pairs(comment: str, given: DeclaredType) -> dict[str, str]:
    """Returns the codes whose types a comment lists. A list of one pair can be a remark, and decides nothing."""
    found: dict[str, str] = {}
    for pair in _PAIR.finditer(comment):
        dtype = _dtype_of_phrase(pair["type"])
        letter = pair["quoted"] or pair["letter"]
        if dtype is None or bool(letter) != (given.kind == "char"):
            continue
        if found.setdefault(f"'{letter}'" if letter else pair["number"], dtype) != dtype:
            return {}
    return found if len(found) > 1 else {}


def _dtype_of_phrase(phrase: str) -> str | None:
    """Returns the dtype of words that leave no doubt about the size: `float`, `32-bit integer`, `uint8_t`. An `integer`
    can have any size."""
    phrase = " ".join(phrase.lower().split()).removesuffix("s")
    if phrase in _C_TYPES:
        return _C_TYPES[phrase]
    sized = _SIZED.fullmatch(phrase)
    if sized is None or bool(sized["before"]) == bool(sized["after"]):
        return None
    bits = sized["before"] or sized["after"]
    kind = "float" if sized["kind"] == "float" else "uint" if sized["sign"] else "int"
    possible = ("16", "32", "64") if kind == "float" else ("8", "16", "32", "64")
    return f"{kind}{bits}" if bits in possible else None


def _examples(given: DeclaredType, comment: str, header: Header) -> Mapping[str, str]:
    enum = header.enums.get(given.declaration)
    if enum is not None and enum.values:
        dtypes = ("uint8", "int16", "int32", "float32", "float64", "int64")
        return dict(zip((name for name, _ in enum.values[:_MOST_CODES]), dtypes, strict=False))
    if given.kind == "int":
        return {"0": "uint8", "1": "float32"}
    listed = [letter for letter in _LISTED.findall(comment) if letter.lower() in _USUAL]
    return {f"'{letter}'": _USUAL[letter.lower()] for letter in listed or "ifd"}
