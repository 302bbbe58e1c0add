"""Dtypes and devices: those of C types and of constants, and the members that tell the type of elements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.types import FAMILIES
from dlpack_bindgen.text.yaml import flow_map, scalar
from dlpack_bindgen.tools.init.declarations import DTYPE, DeclaredType, Enum, Header, Macro, common_words, words

# ---- Dtypes and devices: those of C types, and those that the names of constants suggest ----

_FIXED = {
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float": "float32",
    "double": "float64",
    "unsigned char": "uint8",
    "signed char": "int8",
    "short": "int16",
    "unsigned short": "uint16",
    "int": "int32",
    "unsigned int": "uint32",
    "float _Complex": "complex64",
    "double _Complex": "complex128",
    "_Complex float": "complex64",
    "_Complex double": "complex128",
    "_Bool": "bool",
    "bool": "bool",
}
_BY_NAME = (
    (r"(?:u|uint|unsigned|ui)(8|16|32|64)", r"uint\1"),
    (r"(?:i|int|s|si|sint|signed)(8|16|32|64)", r"int\1"),
    (r"(?:f|float|fp|r|real)(16|32|64)", r"float\1"),
    (r"(?:c|complex|cfloat)(64|128)", r"complex\1"),
    (r"bf16|bfloat16|bfloat", "bfloat16"),
    (r"half|halffloat", "float16"),
    (r"float|single|real", "float32"),
    (r"double|doublereal", "float64"),
    (r"bool|boolean", "bool"),
    (r"uchar|unsignedchar|byte|ubyte|uint8t", "uint8"),
    (r"char|schar|sbyte|signedchar", "int8"),
    (r"short|sint16|shortint", "int16"),
    (r"ushort|unsignedshort", "uint16"),
    (r"int|integer", "int32"),
    (r"uint|unsignedint|unsigned", "uint32"),
    (r"llong|longlong|longlongint", "int64"),
    (r"ullong|ulonglong|unsignedlonglong", "uint64"),
    (r"long|longint", "{c: long}"),
    (r"ulong|unsignedlong", "{c: unsigned long}"),
    (r"cfloat|complexfloat|floatcomplex", "complex64"),
    (r"cdouble|complexdouble|doublecomplex|complex", "complex128"),
)
_DEVICES = (
    (r"cpu|host|hostmemory|mainmemory|ram|system", "cpu"),
    (r"cuda|gpu|nvidia|cudadevice", "cuda"),
    (r"pinned|cudahost|cudapinned", "cuda_host"),
    (r"managed|unified|cudamanaged", "cuda_managed"),
    (r"rocm|hip", "rocm"),
    (r"metal|mps", "metal"),
    (r"opencl|cl", "opencl"),
    (r"vulkan", "vulkan"),
)


_PIXELS = (
    (r"(?:a|l|y|r|g|gray|grey|mono|lum|luma|luminance|alpha|bw)(8|16)", ""),
    (r"(?:gray|grey|mono|luminance|alpha)", ""),
    (r"(?:rgb|bgr)(?:|8|24|888|(16))", "3"),
    (r"(?:rgb|bgr)48", "3"),
    (r"(?:rgba|argb|bgra|abgr|rgbx|xrgb|bgrx|xbgr)(?:|8|32|8888)", "4"),
)
"""Names of formats of pixels, with the bits of a sample and the samples of a pixel. `RGB24` counts only with a comment
such as `24bpp`: libraries store it in 3 bytes or in 4."""
_BITS_OF_CHANNELS = re.compile(r"(?:[argbx][0-9]{1,2})+")
"""Names such as `a8r8g8b8`, with the bits of each channel of a pixel."""
_OTHER_PIXELS = frozenset("dxt etc eac bc astc pvrtc pal palette indexed idx luminance yuv bayer compressed".split())
"""Words before the name of a format that give its pixels another layout: `DXT1_RGB`, `LUMINANCE_ALPHA`."""
_PLANAR = re.compile(r"i4[0-4]{2}|yv12|nv(?:12|21|16|24|42)|yuvj?4[0-4]{2}p")
"""Names of formats whose first plane has a byte for each pixel."""
_BITS_IN_COMMENT = re.compile(r"\b([0-9]+) ?(?:bpp|bits per pixel)\b")


_TIFF = {
    "byte": "uint8",
    "sbyte": "int8",
    "short": "uint16",
    "sshort": "int16",
    "long": "uint32",
    "slong": "int32",
    "float": "float32",
    "double": "float64",
}
"""The types of the TIFF file format, where `SLONG` is the signed `LONG`, with 32 bits on each machine."""


_MOST_BITS = {"bool": 8, "char": 8, "int": 64, "float": 64, "complex": 128}
"""The sizes of the largest dtypes: none has the layout of `long double`."""


def dtype_of_type(element: DeclaredType) -> str | None:
    """Returns the dtype of a C type, as a value of YAML; None for types without one. Types whose size depends on the
    machine stay C types."""
    if not element.is_number or element.kind == "char" or element.bits > _MOST_BITS[element.kind]:
        return None
    fixed = _FIXED.get(element.spelling) or _FIXED.get(element.canonical)
    if fixed is not None and (element.spelling in _FIXED or element.canonical != "long"):
        return fixed
    known = element.spelling if element.spelling in FAMILIES else element.canonical
    return flow_map({"c": known}) if element.kind in ("int", "float") else None


def dtype_of_name(name: str) -> str | None:
    """Returns the dtype that the name of a constant suggests, without the words that it shares with others."""
    return _matched("".join(words(name)), _BY_NAME)


def device_of_name(name: str) -> str | None:
    """Returns the device that the name of a constant suggests."""
    return _matched("".join(words(name)), _DEVICES)


def _matched(name: str, table: Sequence[tuple[str, str]]) -> str | None:
    for pattern, value in table:
        found = re.fullmatch(pattern, name)
        if found:
            return found.expand(value) if "\\" in value else value
    return None


def pixels_of_enum(enum: Enum, has_planes: bool = False) -> list[tuple[str, str, str]]:
    """Returns the constants of an enum whose names suggest a format of pixels, each with the dtype of a sample, and the
    extent of the last axis, or the empty string if a pixel is one sample. `has_planes`: formats with several planes
    count, with a sample of the first one."""
    shared = common_words([name for name, _ in enum.values])
    parts = {name: own_part(name, shared).split() for name, _ in enum.values}
    found: dict[int, tuple[str, str, str]] = {}
    for name, value in enum.values:
        if parts[name] == ["mono"]:  # a bit or a byte
            continue
        pixel = _pixel_of_words(parts[name], has_planes)
        if pixel is not None and _fits_comment(name, pixel, enum.comments.get(name, ""), has_planes):
            found.setdefault(value, (name, *pixel))
    return list(found.values())


def _pixel_of_words(own: Sequence[str], has_planes: bool) -> tuple[str, str] | None:
    whole = "".join(own)
    if has_planes and _PLANAR.fullmatch(whole):
        return "uint8", ""
    if any(map(_BITS_OF_CHANNELS.fullmatch, own[:-1])):
        return _pixel_of_channels(whole)
    is_other = any(word.rstrip("0123456789") in _OTHER_PIXELS for word in own[:-1])
    return _pixel_of_name(whole) or (None if is_other else _pixel_of_name("".join(own[-1:])))


def _pixel_of_channels(name: str) -> tuple[str, str] | None:
    """Returns the pixel with the sum of the bits in a name such as `a8r8g8b8`: one number, or 3 bytes."""
    bits = sum(map(int, re.findall("[0-9]+", name))) if _BITS_OF_CHANNELS.fullmatch(name) else 0
    return {8: ("uint8", ""), 16: ("uint16", ""), 24: ("uint8", "3"), 32: ("uint32", "")}.get(bits)


def _fits_comment(name: str, pixel: tuple[str, str], comment: str, has_planes: bool) -> bool:
    """Returns whether the bits of a pixel are those in a comment, if there are any."""
    said = _BITS_IN_COMMENT.search(comment)
    dtype, samples = pixel
    if said is None:
        return not name.lower().endswith(("rgb24", "bgr24"))
    is_planar = has_planes and "planar" in comment
    return is_planar or int(said[1]) == int(dtype.removeprefix("uint")) * int(samples or "1")


def _pixel_of_name(name: str) -> tuple[str, str] | None:
    for pattern, samples in _PIXELS:
        matched = re.fullmatch(pattern, name)
        if matched:
            bits = next((group for group in matched.groups() if group), "16" if name.endswith("48") else "8")
            return f"uint{bits}", samples
    return None


def own_part(name: str, shared: Sequence[str]) -> str:
    """Returns the words of a constant without those that all constants of its enum share."""
    return " ".join(words(name)[len(shared) :])


def map_of_enum(enum: Enum, by_name: str) -> tuple[dict[str, str], list[str]]:
    """Returns the constants of an enum whose names suggest a dtype (or a device), each with that value, and the names
    of the other constants. Of constants with one value, the first counts."""
    shared = common_words([name for name, _ in enum.values])
    is_tiff = {"short", "sshort", "long", "slong"} <= {own_part(name, shared) for name, _ in enum.values}
    found: dict[str, str] = {}
    other: list[str] = []
    known: set[int] = set()
    for name, value in enum.values:
        part = own_part(name, shared)
        suggested = dtype_of_name(part) if by_name == "dtype" else device_of_name(part)
        suggested = _TIFF.get(part) if is_tiff else suggested
        if suggested is None and by_name == "dtype" and not is_tiff:
            suggested = dtype_of_name(" ".join(part.split()[-2:])) or dtype_of_name(" ".join(part.split()[-1:]))
        if value in known:
            continue
        if suggested is None:
            other.append(name)
        else:
            known.add(value)
            found[name] = suggested
    return found, other


def map_of_macros(macros: Sequence[Macro], kind: str = "int") -> dict[str, str]:
    """Returns the macros that are codes of dtypes, numbers or characters: the largest group of macros whose names begin
    alike and end with a dtype, if at least a fifth of the macros that begin so are dtypes."""
    groups: dict[str, dict[str, str]] = {}
    for macro in macros:
        own = words(macro.name)
        for size in (2, 1):
            suggested = dtype_of_name(" ".join(own[-size:])) if len(own) > size else None
            if suggested is not None and macro.kind == kind:
                groups.setdefault(" ".join(own[:-size]), {})[macro.name] = suggested
                break
    start, largest = max(groups.items(), key=lambda group: len(group[1]), default=("", {}))
    alike = sum(macro.kind == kind and " ".join(words(macro.name)).startswith(f"{start} ") for macro in macros)
    return largest if len(largest) > 1 and 5 * len(largest) >= alike else {}


def unnamed_enum_map(header: Header) -> dict[str, str]:
    """Returns the dtypes of the enum without a name that has most of them, for fields of type `int`."""
    maps = [map_of_enum(each, "dtype")[0] for each in header.enums.values() if not each.spelling]
    largest = max(maps, key=len, default={})
    return largest if len(largest) > 1 else {}


def map_of_characters(header: Header) -> dict[str, str]:
    """Returns the dtypes of constants whose values are letters, for fields of type `char`: macros such as `'f'`, or the
    constants of an enum."""
    found = map_of_macros(header.macros, "char")
    if found:
        return found
    enums = [each for each in header.enums.values() if all(32 < value < 127 for _, value in each.values)]
    maps = [map_of_enum(each, "dtype")[0] for each in enums]
    largest = max(maps, key=len, default={})
    return largest if len(largest) > 1 else {}


def choice(of: str, values: Mapping[str, str]) -> str:
    """Returns a choice `{of, map}` in one line."""
    listed = ", ".join(f"{scalar(key)}: {value}" for key, value in values.items())
    return f"{{of: {scalar(of)}, map: {{{listed}}}}}"


# ---- The members that tell the type of the elements behind a `void *`: enums, integers and characters ----

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
