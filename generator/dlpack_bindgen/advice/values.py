"""Hints for single values: names of other tools and languages, and C where the spec expects something else."""

from __future__ import annotations

import re

from dlpack_bindgen.advice import dtypes
from dlpack_bindgen.advice.names import did_you_mean
from dlpack_bindgen.dlpack import DEVICES, DTYPES
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.text import ctext, names
from dlpack_bindgen.text.ctext import Problem
from dlpack_bindgen.text.diagnostics import closest
from dlpack_bindgen.text.yaml import list_in_flow
from dlpack_bindgen.validate import conditions
from dlpack_bindgen.validate.facts import ComparedKey, WrongValue
from dlpack_bindgen.validate.lexical import normal

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
    return f"write {condition}" if ctext.directive_problem(condition) is None else None


def _key(text: str) -> str | None:
    """Returns a hint for a key such as `== KIND_U8`."""
    first, value = text[:2], text[2:].strip()
    sound = first == "==" and ctext.expression_problem(value) is None and conditions.sign_of(value) is None
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
    parts, signs = ctext.split(text, conditions.LOGIC)
    for part in parts if "&&" not in signs else []:
        sides, comparisons = ctext.split(part, conditions.COMPARISONS)
        others = [side for side in sides if side.replace(" ", "") != of.replace(" ", "")]
        if len(others) != 1 or any(sign != "==" for sign in comparisons):
            return []
        found += others
    return found


_BY_CODE = {
    "unknown-dtype": dtypes.hint,
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
