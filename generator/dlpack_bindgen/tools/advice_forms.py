"""Hints for values: unknown names and dtypes, values of the wrong form, and YAML that has another meaning."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import abc
from collections.abc import Iterable, Iterator

from dlpack_bindgen.calls.argument_kinds import ARGUMENT
from dlpack_bindgen.classes.methods_and_properties import NEW_STRUCT
from dlpack_bindgen.dlpack import DEVICES, DTYPES
from dlpack_bindgen.language.forms import COMPARISONS, LOGIC, ComparedKey, is_other, normal, sign_of
from dlpack_bindgen.language.keys import (
    Alternatives,
    Form,
    Kind,
    ListOf,
    MapOf,
    Record,
    Single,
    options_of,
    records_of,
    takes_c,
)
from dlpack_bindgen.language.reader import Fits, WrongType, WrongValue, is_list_with_names
from dlpack_bindgen.text import c_checks, ctext, names, yaml
from dlpack_bindgen.text.c_checks import Problem, expression_problem
from dlpack_bindgen.text.diagnostics import Diagnostic, Mend, closest, shown
from dlpack_bindgen.text.types import split_declaration
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar, Sequence, in_flow, list_in_flow, quoted
from dlpack_bindgen.text.yaml_errors import FENCE, NoSpace, Unquoted

# ---- Hints for unknown names: a similar name, or the corresponding word of the spec language ----


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    meant = closest(word, known)
    return f"did you mean '{meant}'?" if meant else None


def meant(text: str, synonyms: abc.Mapping[str, tuple[str, ...]], known: Iterable[str]) -> str | None:
    """Returns the known word that has `text` as a synonym, plural or singular, or None."""
    names = tuple(known)
    word = text.lower()
    return next((name for name in (*synonyms.get(word, ()), f"{word}s", word.removesuffix("s")) if name in names), None)


class NameIndex:
    """An index of the names of a spec, of which there may be many. Names with a similar spelling are neighbours in
    alphabetical order, or in the order of the reversed names. A word is therefore compared with only a few names."""

    _BESIDE = 8

    def __init__(self, names: Iterable[str]) -> None:
        known = [(name.lower(), name) for name in names]
        self._orders = (sorted(known), sorted((lower[::-1], name) for lower, name in known))

    def near(self, word: str) -> list[str]:
        found: dict[str, None] = {}
        lower = word.lower()
        for order, key in zip(self._orders, (lower, lower[::-1]), strict=True):
            place = bisect_left(order, (key, ""))
            found.update((name, None) for _, name in order[max(place - self._BESIDE, 0) : place + self._BESIDE])
        return list(found)


_INTEGERS = frozenset("int uint integer char wchar idx index size ssize long longlong count id len offset dim".split())
"""Words in the names of integer types."""


def with_numbers(hint: str) -> str:
    """Completes an entry of `numbers` in a hint. The name of the C type suggests the kind of number."""
    return re.sub(r"(?<=numbers: \{)(?P<ctype>[^{}]*): \.\.\.(?=\})", _number, hint)


def _number(entry: re.Match[str]) -> str:
    ctype = entry["ctype"]
    words = re.split(r"[\W_\d]+|(?<=[a-z])(?=[A-Z])", ctype)
    is_int = any(word.lower() in _INTEGERS for word in words)
    return f"{ctype}: {'complex' if 'complex' in ctype.lower() else 'int' if is_int else 'float'}"


# ---- Hints for unknown dtypes: names of C, NumPy and PyTorch ----

_NAMES_OF_OTHERS = {
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"s{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{f"{name}{bits}": f"float{bits}" for name in ("f", "fp") for bits in (16, 32, 64)},
    **{f"c{bits}": f"complex{bits}" for bits in (64, 128)},
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    # The codes of NumPy. Codes with another meaning above are omitted.
    **{f"{sign}{size}": f"{name}{8 * size}" for sign, name in (("i", "int"), ("u", "uint")) for size in (1, 2, 4)},
    "f2": "float16",
    "f4": "float32",
    "f8": "float64",
    "c8": "complex64",
    "c16": "complex128",
    "b1": "bool",
    "_Bool": "bool",
    "bf16": "bfloat16",
    "bfloat": "bfloat16",
    "bool_": "bool",
    "byte": "uint8",
    "char": "int8",
    "double": "float64",
    "complex": "complex128",
    "double complex": "complex128",
    "float": "float32",
    "float complex": "complex64",
    "half": "float16",
    "int": "int32",
    "long long": "int64",
    "short": "int16",
    "signed char": "int8",
    "single": "float32",
    "uchar": "uint8",
    "uint": "uint32",
    "unsigned": "uint32",
    "unsigned char": "uint8",
    "unsigned int": "uint32",
    "unsigned long long": "uint64",
    "unsigned short": "uint16",
    "ushort": "uint16",
}


_CODES = frozenset("kDLInt kDLUInt kDLFloat kDLBfloat kDLComplex kDLBool kDLOpaqueHandle".split())
_SIZES_OF_C = frozenset(
    ("long", "unsigned long", "size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "long double", "time_t")
)
"""C types whose size depends on the platform."""
_NUMPY_CODES = {"i": "int", "u": "uint", "f": "float", "c": "complex", "b": "bool"}


def dtype_hint(text: str) -> str | None:
    """Returns a hint for an unknown dtype, such as a name of C, NumPy or PyTorch."""
    if text in _CODES:
        return f"write {{code: {text}, bits: ...}}"
    plain = re.sub(r"^(?:np|numpy|torch|jnp|tf)\.|^const |[ *]+$", "", text)
    if plain in _SIZES_OF_C:
        return f"write {{c: {plain}}}"
    code = re.fullmatch(r"[<=|](?P<kind>[biufc])(?P<size>[0-9]{1,2})", plain)
    if code:
        bits = str(8 * int(code["size"])) if code["kind"] != "b" else ""
        plain = _NUMPY_CODES[code["kind"]] + bits
    plain = _NAMES_OF_OTHERS.get(plain, plain)
    if plain in DTYPES:
        return f"did you mean '{plain}'?"
    longer = [name for name in DTYPES if name.startswith(f"{plain}_")]
    if longer:
        return f"one of {', '.join(longer)}"
    if plain in ("float80", "float96", "float128"):
        return f"write {{code: kDLFloat, bits: {plain.removeprefix('float')}}}"
    return did_you_mean(text, DTYPES)


# Hints for YAML that has another meaning than its author expects, and corrections with which the rest can be read.


def quote_hint(text: str) -> str:
    return f"quote it: {quoted(shown(text))}"


def quoted_string(text: str) -> str:
    """Returns a string of C as a value of YAML, with both quotes."""
    escaped = shown(text).replace("\\", "\\\\").replace('"', '\\"')
    return quoted(f'"{escaped}"')


def unquoted_hint(value: Unquoted) -> str:
    is_message = value.of_key == "error" and re.match(r"[\w' ]+(?:[:?!#,]|$)", value.text)
    hint = f"quote it: {quoted_string(value.text)}" if is_message else quote_hint(value.text)
    if value.key is not None:
        missing = "a ',' is missing before it" if value.in_flow else "it begins a new line"
        return f"if '{value.key}' is a key, {missing}; else {hint}"
    return f"{hint}; a comment begins with '# '" if value.is_prose else hint


def no_space_hint(line: NoSpace) -> str:
    return f"write {line.key}: {shown(line.value)}"


def mend(problems: abc.Sequence[Diagnostic], lines: abc.Sequence[str]) -> list[Mend] | None:
    """Returns the corrections of several mistakes; None if one of the corrections is not clear."""
    mends = [_mend(problem, problem.span.line - 1, lines) for problem in problems]
    found = [each for each in mends if each is not None]
    return found if len(found) == len(mends) else None


def _mend(problem: Diagnostic, number: int, lines: abc.Sequence[str]) -> Mend | None:
    line, start = lines[number], problem.span.column - 1
    raw = line[start : start + problem.span.length]
    if problem.code == "control-character":
        return Mend(number, yaml.plain(line), None)
    if problem.code == "yaml-tab":
        # One space for each tab gives valid indentation, unless other lines are indented with spaces.
        if not line[:start].strip() and any(each.startswith(" ") and each.strip() for each in lines):
            return None
        return Mend(number, line.replace("\t", " "), None)
    if problem.code == "yaml-reserved" and line.startswith(FENCE):
        return Mend(number, "", None)
    facts = problem.facts
    if isinstance(facts, Unquoted) and facts.key is None and facts.text == raw == shown(raw):
        return Mend(number, line[:start] + quoted(raw) + line[start + len(raw) :], start)
    if isinstance(facts, NoSpace):
        return Mend(number, f"{line[: facts.column]} {line[facts.column :]}", facts.column)
    return None


# ---- Hints for single values: names of other tools and languages, and C where the spec expects something else ----

_IF = r"#?\s*(?P<what>if|ifdef|ifndef)\s+(?P<rest>.+)"
_DEFINED = {"ifdef": "defined", "ifndef": "!defined"}
_DEVICES_OF_OTHERS = {"gpu": "cuda", "host": "cpu", "hip": "rocm", "mps": "metal", "sycl": "oneapi", "xpu": "oneapi"}

_AN_ENUM = "write its name: constants: {NAME: {enum: [...]}}"
_YES, _NO = ("true", "allowed"), ("false", "never")
WORDS = {
    **dict.fromkeys(("yes", "on", "true", "1"), _YES),
    **dict.fromkeys(("no", "off", "false", "0"), _NO),
    "copied": ("copy", "allowed"),
    **dict.fromkeys(("double", "real", "number"), ("float",)),
    **dict.fromkeys(("integer", "long", "size_t"), ("int",)),
    **dict.fromkeys(("contiguous", "c_contiguous", "c-contiguous", "packed", "dense"), ("compact",)),
    **dict.fromkeys(("row-major", "row_major", "rowmajor", "row", "rows"), ("C",)),
    **dict.fromkeys(
        ("column-major", "column_major", "col-major", "col_major", "colmajor", "fortran", "column", "columns", "col"),
        ("F", "column_major"),
    ),
}
"""For each word of other tools and languages the words of the spec language that it can mean."""

_OLD_WORD = "texts"
"""The word for strings before version 0.2."""
_NEW_WORD = "it is now called 'strings'"
_ARGUMENT_HABITS = {
    **{word: f"write {{{word}: true}}" for word in ("out", "optional", "writes", "invalidates", "takes")},
    "output": "write {out: true}",
    "enum": _AN_ENUM,
    **dict.fromkeys(("null", "none", "nullable"), "write {optional: true}"),
    **dict.fromkeys(("strs", "strlist", "stringlist", "argv"), "write strings"),
    _OLD_WORD: _NEW_WORD,
    **{name: f"of an array: {{require: [{{dtype: {name}}}]}}; a number is an int, float or complex" for name in DTYPES},
}
_RESULT_HABITS = {
    "enum": _AN_ENUM,
    _OLD_WORD: _NEW_WORD,
    **dict.fromkeys(("void", "none", "null", "nothing"), "write None"),
    **dict.fromkeys(
        ("array", "ndarray", "numpy", "list", "tuple"),
        "memory that the library makes is a tensor: its 'type' is the type of an element, its 'params' give the number",
    ),
}
_OF_METHODS = "tensors of the same object are 'parts'; a method returns other ones"
_PROPERTY_HABITS = {
    **dict.fromkeys(("array", "ndarray", "numpy", "list", "tuple", "tensor"), _OF_METHODS),
    "bytes": "a method returns bytes: returns: {of: bytes, size: ...}",
}
TYPE_HABITS = {"argument": _ARGUMENT_HABITS, "result": _RESULT_HABITS, "property": _PROPERTY_HABITS}
"""Hints for words that are not valid as the type of an argument, a result or a property."""


def _device(text: str) -> str | None:
    kind, _, index = text.partition(":")
    if kind in DEVICES and index.isdecimal():
        return f"write {{type: {kind}, id: {index}}}"
    other = _DEVICES_OF_OTHERS.get(text.lower())
    return f"did you mean '{other}'?" if other else did_you_mean(text, DEVICES)


def _exception(text: str) -> str | None:
    if text in ("IOError", "EnvironmentError"):
        return "write OSError"
    own = re.sub(r"^(?:PyExc_|builtins\.|exceptions\.)", "", text)
    if own in names.EXCEPTIONS:
        return f"write {own}"
    stems = {name.removesuffix("Error"): name for name in names.EXCEPTIONS}
    meant = closest(re.sub(r"(?i)error$", "", text), stems)
    return f"did you mean '{stems[meant]}'?" if meant else None


def _directive(text: str) -> str | None:
    match = re.fullmatch(_IF, ctext.fold(text))
    if match is None:
        return None
    condition = f"{_DEFINED[match['what']]}({match['rest']})" if match["what"] != "if" else match["rest"]
    return f"write {condition}" if c_checks.code_problem(condition, "condition") is None else None


def _key(text: str) -> str | None:
    """Returns a hint for a key such as `== KIND_U8`."""
    first, value = text[:2], text[2:].strip()
    sound = first == "==" and c_checks.expression_problem(value) is None and sign_of(value) is None
    return f"write {value}" if sound else None


def compared_key_hint(key: ComparedKey) -> str | None:
    """Returns a hint with the values that a condition compares by `==`."""
    values = _compared(key.text, key.of)
    if len(values) < 2:
        return f"write {values[0]}" if values else None
    return (
        f"write {{any: {list_in_flow(values)}}}" if key.allows_several else f"write one for each: {', '.join(values)}"
    )


def _compared(text: str, of: str) -> list[str]:
    """Returns the values that a condition compares `of` with by `==`. Returns an empty list for other conditions."""
    found = []
    parts, signs = ctext.split(text, LOGIC)
    for part in parts if "&&" not in signs else []:
        sides, comparisons = ctext.split(part, COMPARISONS)
        others = [side for side in sides if side.replace(" ", "") != of.replace(" ", "")]
        if len(others) != 1 or any(sign != "==" for sign in comparisons):
            return []
        found += others
    return found


_BY_CODE = {
    "unknown-dtype": dtype_hint,
    "unknown-device": _device,
    "unknown-exception": _exception,
    "c-preprocessor": _directive,
    "compared-key": _key,
}
_NAMES = (Form.MODULE, Form.PREFIX, Form.TENSOR, Form.HANDLE, Form.PROPERTY, Form.FUNCTION, Form.CONSTANT)


def value_hint(code: str, value: WrongValue) -> str | None:
    """Returns a hint for a value that is not valid in its form."""
    if code == "bad-identifier":
        return _identifier(value.text, value.form)
    return _BY_CODE[code](value.text) if code in _BY_CODE else None


def _identifier(text: str, form: Form) -> str | None:
    """Returns a hint with a similar name that is valid."""
    target = text.rstrip("* ")
    if form is Form.KIND and target != text and names.is_identifier(target):
        return f"write '{target}', without the '*' of C"
    similar = re.sub(r"[-+. /]+", "_", text).strip("_")
    if form not in _NAMES or isinstance(normal(form, similar), Problem):
        return None
    class_name, dot, method = text.partition(".")
    is_method = dot and form is Form.FUNCTION
    return f"write '{similar}'" + (
        f"; a method stands in the 'methods' of '{class_name}', as '{method}'" if is_method else ""
    )


# ---- Hints for values of the wrong form ----
# The reader tests each suggestion first, so no hint leads to another error.

_LITERAL = re.compile(r"[-+]?\.?[0-9][\w.+-]*")
_MEASURES = re.compile(
    r"len\((?P<given>[A-Za-z_]\w*)\)"
    r"|(?P<of>[A-Za-z_]\w*)\.(?:(?P<what>size|len|length|count|nbytes)(?:\(\))?|(?P<array>shape|strides)\[(?P<axis>[0-9])\])",
    re.ASCII,
)
_READS = re.compile(r"->|\(|^self\.")
"""Signs of a C expression that reads a struct or calls a function. Names never contain them."""
_CONDITIONAL = re.compile(
    r"(?:(?P<of>(?:->|[^?=!<>&|])+?) ?== ?(?P<key>\w+)|(?P<condition>[^?]+?))"
    r" ?\? ?(?P<then>[a-z]\w*) ?: ?(?P<other>[a-z]\w*)",
    re.ASCII,
)
"""Conditional expressions such as `self->kind == KIND_U8 ? uint8 : float32` or `self->is_float ? float32 : uint8`."""
_DEVICE_OF_TORCH = re.compile(r"""(?:torch\.)?device\(["'](\w+)(?::(\d+))?["']\)""", re.ASCII)
_ITEM_WITHOUT_SPACE = re.compile(r"-(?=[A-Za-z_(*])")


def instead(facts: WrongType) -> str | None:
    """Returns a hint for a node of the wrong kind, or None."""
    node, kind, fits = facts.node, facts.kind, facts.fits
    if isinstance(node, Scalar):
        return _instead_of_text(node, kind, fits)
    if isinstance(node, Mapping):
        return _instead_of_mapping(node, kind, fits)
    if isinstance(node, Sequence) and len(node.items) == 1 and not _is_named(kind) and fits(node.items[0], kind):
        return _without_brackets(node.items[0])
    if isinstance(node, Sequence) and _is_named(kind):
        return _instead_of_list(node, kind, fits)
    if (
        isinstance(node, Sequence)
        and len(node.items) > 1
        and takes_c(kind)
        and all(fits(each, kind) for each in node.items)
    ):
        return (
            "one list is enough: write it without the inner brackets"
            if facts.is_item
            else _instead_of_strings(node, kind)
        )
    if isinstance(node, Sequence) and Single(Form.EXCEPTION) in options_of(kind):
        return "one of them, or by the result: {RESULT: EXCEPTION, ..., _: EXCEPTION}"
    if isinstance(node, Sequence) and Single(Form.DTYPE) in options_of(kind) and any(map(_is_choice, records_of(kind))):
        return "write a choice by a value as {of: ..., map: {...}}"
    if isinstance(node, Sequence) and Single(Form.DEVICE) in options_of(kind):
        return _device_and_number(node)
    return None


def _device_and_number(node: Sequence) -> str | None:
    """Returns a hint for a list of a device and its number, such as `[cuda, 0]`."""
    strings = [item.text for item in node.items if isinstance(item, Scalar)]
    if len(strings) != 2 or strings[0] not in DEVICES:
        return None
    return f"write {{type: {strings[0]}, id: {in_flow(strings[1])}}}"


def _is_choice(record: Record) -> bool:
    return record.key("of") is not None and record.key("map") is not None


def _without_brackets(item: Node) -> str:
    entries = item.entries if isinstance(item, Mapping) else ()
    if entries and all(isinstance(value, Scalar) for _, value in entries):
        entries_shown = (
            f"{in_flow(key.text)}: {in_flow(value.text)}" for key, value in entries if isinstance(value, Scalar)
        )
        return f"write {{{', '.join(entries_shown)}}}"
    return "write it without the brackets"


def _instead_of_strings(node: Sequence, kind: Kind) -> str | None:
    strings = [item.text for item in node.items if isinstance(item, Scalar)]
    if any(record.key("enum") for record in records_of(kind)):
        return f"write {{enum: {list_in_flow(strings)}}}"
    if any(isinstance(each, Single) and each.form is Form.STATEMENT for each in options_of(kind)):
        return f"write {in_flow('; '.join(text.rstrip('; ') for text in strings))}"
    return None


def declaration(own: tuple[tuple[Scalar, Node], ...]) -> str | None:
    """Returns a hint that rewrites `{name: plane, type: int, default: 0}` as `{int plane: 0}`."""
    entries = {key.text: value.text for key, value in own if isinstance(value, Scalar)}
    if not entries.keys() >= {"name", "type"} or isinstance(
        split_declaration(f"{entries['type']} {entries['name']}"), Problem
    ):
        return None
    declared = f"{entries['type']} {entries['name']}"
    value = next((entries[key] for key in ("default", "value", "init") if entries.get(key)), None)
    return f"write '{declared}'" if value is None else f"write {{{declared}: {in_flow(value)}}}"


def pointed_to(text: str, root: Mapping | None) -> str | None:
    """Returns a hint with the Python name of a C pointer type such as `const image_t *`.

    The search covers the tensors and handles of `root`. Without `root`, only strings are recognised.
    """
    base = " ".join(word for word in text.replace("*", " ").split() if word != "const")
    if base == "char":
        return "write str"
    entries = root.entries if root else ()
    tables = [table for key, table in entries if key.text in ("tensors", "handles") and isinstance(table, Mapping)]
    found = [
        name.text
        for table in tables
        for name, entry in table.entries
        for key, value in (entry.entries if isinstance(entry, Mapping) else ())
        if key.text == "type" and isinstance(value, Scalar) and value.text == base
    ]
    return f"write {found[0]}" if len(found) == 1 else None


def _is_function(record: Record) -> bool:
    return record.key("c") is not None and record.key("args") is not None


def _as_function(text: str) -> str | None:
    """Returns a hint that declares a function from a prototype, a call or a name."""
    if not isinstance(normal(Form.PROTOTYPE, text), Problem):
        return f"write {{c: {in_flow(text)}}}"
    called = re.fullmatch(r"([A-Za-z_]\w*)(?:\(.*\))?", text)
    if "->" in text and expression_problem(text) is None:
        return "declare the value of an expression in the 'properties'"
    return f"write {{c: ...}}, with the prototype of {called[1]}" if called else None


def _or_new_struct(hint: str | None, records: list[Record]) -> str | None:
    """Adds the other form of a constructor, in which Python makes the struct."""
    is_open = hint is not None and "..." in hint and NEW_STRUCT in records
    return f"{hint}; or {{}} for a struct of zeros, which Python makes" if is_open else hint


def as_record(text: str, among: Alternatives | None) -> str | None:
    """Returns a hint that expresses the string as one of the mappings among the alternatives, or None."""
    records = records_of(among) if among else []
    if any(map(_is_function, records)) and text.lower() not in WORDS and not ctext.change(text):
        return _or_new_struct(_as_function(ctext.fold(text)), records)
    if ARGUMENT in records and (found := _measure(text)):
        return f"write {{{found}}}"
    if ARGUMENT in records and (_LITERAL.fullmatch(text) or re.fullmatch(r"like \w+", text, re.ASCII)):
        return f"write {{default: {in_flow(text)}}}"
    if is_other(text) and any(record.key("any") for record in records):
        return "write '_'"
    if device := _DEVICE_OF_TORCH.fullmatch(text):
        return f"write {{type: {device[1]}, id: {device[2]}}}" if device[2] else f"write {device[1]}"
    if any(record.key("map") for record in records) and (choice := _CONDITIONAL.fullmatch(text)):
        of, key, known, default = choice["of"], choice["key"], choice["then"], choice["other"]
        if of is None:
            of, key, known, default = choice["condition"], "0", default, known
        return f"write {{of: {in_flow(of)}, map: {{{in_flow(key)}: {known}}}, default: {default}}}"
    if any(record.key("map") for record in records) and _READS.search(text) and expression_problem(text) is None:
        return f"write {{of: {in_flow(text)}, map: {{...}}}}"
    return None


def _measure(text: str) -> str | None:
    """Returns the key for a Python expression such as `len(v)` or `v.shape[0]`, or None."""
    match = _MEASURES.fullmatch(text)
    if match is None:
        return None
    if match["array"] is None:
        key = "size_of" if match["what"] == "nbytes" else "count_of"
        return f"{key}: {match['given'] or match['of']}"
    key = "extent_of" if match["array"] == "shape" else "stride_of"
    axis = f", axis: {match['axis']}" if int(match["axis"]) else ""
    return f"{key}: {match['of']}{axis}"


def _instead_of_text(node: Scalar, kind: Kind, fits: Fits) -> str | None:
    text = ctext.fold(node.text)
    records = records_of(kind)
    if any(record.entry for record in records):
        declaration, sign, initialiser = text.partition("=")
        if sign and not isinstance(split_declaration(declaration), Problem):
            return f"write {{{declaration.strip()}: {initialiser.strip(' ;')}}}"
    if any(map(_is_function, records)):
        if text.lower() in WORDS or ctext.change(text):
            return _or_new_struct("write {c: ...}, with the prototype of the C function that does it", records)
        return _or_new_struct(_as_function(text), records)
    if any(record.key("construct") for record in records) and "(" in text and fits(node, Single(Form.EXPRESSION)):
        return f"write {{construct: {in_flow(text)}}}"
    if any(record.key("type") and not record.key("data") and record.key("methods") for record in records):
        return f"write {{type: {in_flow(text)}}}" if fits(node, Single(Form.CTYPE)) else None
    if not _is_list(kind):
        return None
    if Single(Form.PARAMETER) in _item_kinds(kind) and text.isidentifier():
        return f"write [T {text}], with T its C type"
    if node.plain and _ITEM_WITHOUT_SPACE.match(text):
        return "a space belongs between '-' and an item of a list"
    if any(record.key("each") and record.key("ndim") for record in records) and "axis" in ctext.names(text):
        return f"write {{ndim: ..., each: {in_flow(text)}}}"
    quoted_list = re.fullmatch(r"\[(?P<items>.*)\]", text)
    if quoted_list and not node.plain and fits(_sequence(list(_split(quoted_list["items"])), node), kind):
        return "leave out the quotes"
    enumerators = any(isinstance(each, ListOf) and each.item == Single(Form.CONSTANT) for each in options_of(kind))
    if enumerators and not text.isupper():
        return "list its members: [A, B, ...]"
    inner = re.fullmatch(r"\((?P<items>.*)\)", text)
    for each in (inner["items"] if inner else "", text):
        items = list(_split(each))
        if len(items) > 1 and fits(_sequence(items, node), kind):
            return f"write {list_in_flow(items)}"
    if any(record.key("outer") for record in records) and (hint := _strides(text, node, fits)):
        return hint
    return "put [ ] around it" if fits(Sequence((node,), node.span), kind) else None


def _is_named(kind: Kind) -> bool:
    """Returns whether the kind allows a mapping from names."""
    return any(isinstance(each, MapOf) and each.key is not Form.KEY for each in options_of(kind))


def _instead_of_list(node: Sequence, kind: Kind, fits: Fits) -> str:
    """Returns a hint for a list where a mapping from names is expected."""
    names = [item.text for item in node.items if isinstance(item, Scalar)]
    keys = [each.key for each in options_of(kind) if isinstance(each, MapOf)]
    prefix = "self->" if Form.PROPERTY in keys else ""
    entries = tuple((Scalar(name, node.span, False), Scalar(prefix + name, node.span, False)) for name in names)
    if len(names) == len(node.items) > 0 and fits(Mapping(entries, node.span), kind):
        return f"write {{{', '.join(f'{key.text}: {item.text}' for key, item in entries)}}}"
    first = node.items[0] if node.items else None
    fields = {key.text: value for key, value in first.entries} if isinstance(first, Mapping) else {}
    name = fields.get("name")
    return f"names are keys: write '{name.text if isinstance(name, Scalar) else 'NAME'}: ...' in the place of '- ...'"


def _strides(text: str, node: Scalar, fits: Fits) -> str | None:
    word = text.lower()
    order = meant(word, WORDS, ("C", "F"))
    if word == "f" or order == "F":
        return "leave it out, and write 'order: F'"
    if word in ("c", "none", "null", "~", "compact", "contiguous", "packed", "dense", "default") or order:
        return "leave it out: without it an array is compact"
    if not fits(node, Single(Form.EXPRESSION)):
        return None
    return f"write {{outer: {in_flow(text)}}} for padded rows, [{in_flow(text)}] for a single axis"


def _instead_of_mapping(node: Mapping, kind: Kind, fits: Fits) -> str | None:
    only = node.entries[0] if len(node.entries) == 1 else None
    check = _check(*only, fits) if only and any(record.key("expr") for record in _items_of(kind)) else None
    if takes_c(kind):
        bare = only[0] if only and isinstance(only[1], Scalar) and not only[1].text else None
        if bare and Single(Form.INITIALISER) not in options_of(kind) and fits(bare, kind):
            return f"write it without the braces: {in_flow(bare.text)}"
        if only and only[0].text in ("do", "expr", "value", "c") and fits(only[1], kind):
            return f"write it without {{{only[0].text}: }}"
        if check:
            return f"write {check}"
        if node.raw is None:
            return None if only and only[0].text.isidentifier() else "C text that begins with a bracket must be quoted"
        return quote_hint(node.raw) if fits(Scalar(node.raw, node.span, False), kind) else None
    if not _is_list(kind):
        return None
    if check:
        return f"write [{check}]"
    if any(record.key("when") for record in _items_of(kind)) and node.entries:
        return f"write a list, with an item for each: [{{when: {in_flow(node.entries[0][0].text)}, ...}}]"
    if fits(Sequence((node,), node.span), kind):
        return "put [ ] around it"
    items_of_one = Sequence(tuple(Mapping((entry,), node.span) for entry in node.entries), node.span)
    if len(node.entries) > 1 and fits(items_of_one, kind):
        key, value = node.entries[0]
        written = in_flow(value.text) if isinstance(value, Scalar) else "..."
        return f"write a list, with an item for each: [{{{in_flow(key.text)}: {written}}}, ...]"
    if is_list_with_names(node, kind):
        if {key.text for key, _ in node.entries} == {"ndim", "each"}:  # the form of a tensor's shape
            return "the axes are listed here, [n, m]; for an array of any rank write its length: {count: ...}"
        items = [value.text for _, value in node.entries if isinstance(value, Scalar)]
        if len(items) == 1 and ctext.mentions(items[0], "axis"):
            ndim = "ndim: ..., " if any(record.key("ndim") for record in records_of(kind)) else ""
            return f"write {{{ndim}each: {in_flow(items[0])}}}"
        return f"write a list: {list_in_flow(items)}" if fits(_sequence(items, node), kind) else None
    return None


def _check(key: Scalar, value: Node, fits: Fits) -> str | None:
    """Returns `{CONDITION: MESSAGE}` rewritten with the keys `expr` and `message`, or None."""
    if key.text.isidentifier() or not isinstance(value, Scalar) or not fits(key, Single(Form.EXPRESSION)):
        return None
    return f"{{expr: {in_flow(key.text)}, message: {in_flow(value.text)}}}"


def _split(text: str) -> Iterator[str]:
    """Yields the parts between the commas that are outside of brackets and literals."""
    depth = start = 0
    for match in re.finditer(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[(){}\[\],]", text):
        sign = match.group()
        if sign == "," and depth == 0:
            yield text[start : match.start()].strip()
            start = match.end()
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(sign, 0)
        if depth < 0:
            return
    yield text[start:].strip()


def _sequence(items: list[str], node: Node) -> Sequence:
    return Sequence(tuple(Scalar(item, node.span, False) for item in items), node.span)


def _items_of(kind: Kind) -> list[Record]:
    """Returns the records that the kind allows, as a value or as items of a list."""
    lists = [each.item for each in options_of(kind) if isinstance(each, ListOf)]
    return [record for each in (kind, *lists) for record in records_of(each)]


def _item_kinds(kind: Kind) -> list[Kind]:
    return [option for each in options_of(kind) if isinstance(each, ListOf) for option in options_of(each.item)]


def _is_list(kind: Kind) -> bool:
    """Returns whether the first option of the kind is a list."""
    return isinstance(options_of(kind)[0], ListOf)
