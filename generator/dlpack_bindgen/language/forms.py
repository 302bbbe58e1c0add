"""The forms of single values: for each form, the check and the normal form of a string."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator

from dlpack_bindgen.dlpack import DEVICES, DTYPES, FIRST_LATER_DEVICE, LAST_LATER_DEVICE, LATER_DEVICES, number
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import VERSION, Form
from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.text import c_checks, ctext, names
from dlpack_bindgen.text.c_checks import Problem
from dlpack_bindgen.text.diagnostics import Diagnostic, shown
from dlpack_bindgen.text.types import (
    parse,
    split_declaration,
    split_output,
    split_parameter,
    split_variable,
    type_problem,
)


class ComparedKey(Frozen):
    """A key that is a condition. The values of `of` are compared with it."""

    text: str
    of: str
    allows_several: bool
    """Whether `{any: [...]}` is valid there."""


# ---- Checks for keys of mappings ----
# A key is compared with a value by `==`, so it must not be a comparison itself.

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
LOGIC = ("&&", "||")
_OTHERS = ("default", "else", "*")
"""Keys that other tools use for all remaining values."""
_TRUTHS = ("1", "true")


def key_problem(text: str) -> Problem | None:
    """Returns the problem of a string that is never valid as a key, or None."""
    if text in _OTHERS:
        return Problem("compared-key", f"a key is compared with the value, and '{text}' is not a value")
    first = ctext.tokens(text)[0].text if text else ""
    if first not in COMPARISONS:
        return None
    return Problem("compared-key", f"a key is compared with the value by '==', and this begins with '{first}'")


def is_other(text: str) -> bool:
    return text in _OTHERS


def sign_of(text: str) -> str | None:
    """Returns the first comparison or logical operator of the string. Returns None without one or with a `?`."""
    _, signs = ctext.split(text, (*COMPARISONS, *LOGIC, "?"))
    return signs[0] if signs and "?" not in signs else None


def is_truth(of: str) -> bool:
    """Returns whether `of` is a truth value. Then keys can be conditions, as with `of: 1`."""
    return of in _TRUTHS or of.startswith("!") or sign_of(of) is not None


def compared(
    key: Leaf,
    of: str,
    alone: bool = False,
    otherwise: str = "with 'of: 1' keys can be conditions",
) -> Iterator[Diagnostic]:
    """Yields the mistake of a key that is a condition.

    `alone` tells whether `{any: [...]}` is valid there. `otherwise` is the hint if the key contains no value.
    """
    if (sign := sign_of(key.text)) is None:
        return
    what = "makes a condition of it" if sign in LOGIC else "compares already"
    message = f"a key is compared with the value, and this '{sign}' {what}"
    yield Diagnostic("compared-key", key.span, message, otherwise, facts=ComparedKey(key.text, of, alone))


# ---- Checks and normal forms of single values ----

_Rule = Callable[[str], str | Problem]

_LICENSE = r"[A-Za-z0-9.+:()-]+(?: [A-Za-z0-9.+:()-]+)*"
_INCLUDE = re.compile(
    r"""<(?P<system>[^<>"'\\\s][^<>"'\\\r\n]*)>|(?P<mark>"?)(?P<local>[^<>"'\\\s][^<>"'\\\r\n]*)(?P=mark)"""
)
_HEADER = r"""<[^<>]+>|"[^"]+"|[^<>"'\s]+\.(?:h|H|hh|hpp|hxx)"""


def normal(form: Form, text: str) -> str | Problem:
    """Returns the normal form of a value, or the problem of the value."""
    return _RULES[form](text)


def _version(text: str) -> str | Problem:
    if text == str(VERSION):
        return text
    if re.fullmatch(r"[1-9][0-9]{0,8}", text):
        message = f"this spec is written in version {text} of the language; this dlpack-bindgen knows version {VERSION}"
        return Problem("newer-version", message, "install a newer dlpack-bindgen")
    return Problem("bad-version", f"'{shown(text)}' is not a version of the spec language", f"write {VERSION}")


def _expression(text: str) -> str | Problem:
    return c_checks.expression_problem(text) or ctext.fold(text)


def _statement(text: str) -> str | Problem:
    return (
        c_checks.code_problem(text, "statement") or ctext.fold(text).rstrip("; ") or c_checks.empty_problem("statement")
    )


def _ctype(text: str) -> str | Problem:
    return type_problem(text) or ctext.fold(text)


def _storage(text: str) -> str | Problem:
    """Accepts a type, or the call of a macro such as `CFI_CDESC_T(15)`."""
    if re.match(r"\s*[A-Za-z_]\w*\s*\(", text, re.ASCII) and text.rstrip().endswith(")"):
        return _expression(text)
    return _ctype(text)


def _with_name(split: Callable[[str], tuple[str, str] | tuple[str, str, object] | Problem]) -> _Rule:
    """Returns the reader of a declaration whose name must not be reserved. `split` returns the type and the name."""

    def normal_declaration(text: str) -> str | Problem:
        declared = split(text)
        return declared if isinstance(declared, Problem) else _taken(declared[1]) or ctext.fold(text)

    return normal_declaration


def _argument(text: str) -> str | Problem:
    if text in names.DELETER_ROLES:
        return text
    declared = split_declaration(text)
    if isinstance(declared, Problem):
        hint = "'data', 'user', 'object', or a C declaration such as 'size_t length'"
        return Problem(declared.code, f"'{shown(text)}' is not an argument of a deleter", hint)
    name = declared[1]
    return (None if name in names.DELETER_ROLES else _taken(name)) or ctext.fold(text)


def _taken(name: str) -> Problem | None:
    if name in names.STANDARD_MACROS or names.is_reserved(name):
        return Problem("reserved-name", f"'{name}' belongs to the C implementation or to the runtime")
    return None


def _member(text: str) -> str | Problem:
    member = ctext.fold(text)
    if "${" in member:
        return c_checks.expression_problem(text) or member
    if not ctext.is_member(member):
        hint = "write the path behind 'self->', for example: width, size[0], info.rows"
        return Problem("c-member", f"'{shown(text)}' is not a member that can be set", hint)
    return member


def _field(text: str) -> str | Problem:
    if names.is_identifier(text) and text not in names.C_KEYWORDS:
        return text
    hint = "a part of a member is not listed alone, and the compiler knows the length of an array"
    return Problem("bad-identifier", f"'{shown(text)}' is not the name of a member of a struct", hint)


def _identifier(text: str, what: str) -> str | Problem:
    if "${" in text:
        return c_checks.expression_problem(text) or text
    if not names.is_identifier(text):
        message = f"'{shown(text)}' is not a {what}: only ASCII letters, digits and '_', and no digit first"
        return Problem("bad-identifier", message)
    if names.is_keyword(text):
        return Problem("keyword-name", f"'{text}' is a keyword of C, C++ or Python", f"write '{text}_'")
    if names.is_reserved(text):
        return Problem("reserved-name", f"'{text}' belongs to the C implementation or to the runtime")
    return text


def _public(text: str, what: str) -> str | Problem:
    if text.startswith("_"):
        return Problem("reserved-name", f"'{shown(text)}' begins with '_', which makes a Python name private")
    return _identifier(text, what)


def _origin(text: str) -> str | Problem:
    """Returns the name of a module, with or without a class: `package.module:Name`."""
    if re.fullmatch(r"\.*[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(:[A-Za-z_]\w*)?", text, re.ASCII):
        return text
    message = f"'{shown(text)}' is not the name of a module of Python"
    return Problem("bad-identifier", message, "for example: package.module, .module, or module:Name")


def _map(text: str) -> str | Problem:
    if names.is_identifier(text):
        return text
    message = f"'{shown(text)}' is not a name: only ASCII letters, digits and '_', and no digit first"
    return Problem("bad-identifier", message)


def _license(text: str) -> str | Problem:
    if re.fullmatch(_LICENSE, text):
        return text
    hint = "for example: MIT-0, BSD-3-Clause OR GPL-2.0-or-later"
    return Problem("bad-license", f"'{shown(text)}' is not an SPDX license expression", hint)


def _include(text: str) -> str | Problem:
    headers = re.split(r"[,;\s]+", text.strip())
    if len(headers) > 1 and all(re.fullmatch(_HEADER, header) for header in headers):
        hint = f"write [{', '.join(headers)}]"
        return Problem("bad-include", "several headers are a list, with a ',' between them", hint)
    match = _INCLUDE.fullmatch(text)
    if match is None or "//" in text or "/*" in text or "??" in text:
        hint = "for example: image.h, <gsl/gsl_matrix.h>"
        return Problem("bad-include", f"'{shown(text)}' cannot stand behind #include", hint)
    return f"<{match['system'].strip()}>" if match["system"] else f'"{match["local"].strip()}"'


def _dtype(text: str) -> str | Problem:
    if text in DTYPES:
        return text
    if "${" in text:
        return c_checks.expression_problem(text) or text
    return Problem("unknown-dtype", f"unknown dtype '{shown(text)}'")


def _device(text: str) -> str | Problem:
    value = number(text)
    if text in DEVICES or (value is not None and FIRST_LATER_DEVICE <= value <= LAST_LATER_DEVICE):
        return text
    if value is not None:
        numbers = f"numbers from {FIRST_LATER_DEVICE} to {LAST_LATER_DEVICE}"
        advice = f"DLPack 1.3 names its devices; a newer dlpack.h has {numbers}"
        return Problem("unknown-device", f"unknown device {text}", advice)
    if text in LATER_DEVICES:
        return Problem("unknown-device", f"DLPack 1.3 has no device '{text}'", f"write {LATER_DEVICES[text]}")
    return Problem("unknown-device", f"unknown device '{shown(text)}'")


def _prototype(text: str) -> str | Problem:
    parsed = parse(text)
    return parsed if isinstance(parsed, Problem) else ctext.fold(text)


def _reference(text: str, what: str) -> str | Problem:
    """Accepts each identifier. `spec.functions` checks whether it is known."""
    return text if names.is_identifier(text) else _identifier(text, what)


def _exception(text: str) -> str | Problem:
    if text in names.EXCEPTIONS:
        return text
    if "${" in text:
        return c_checks.expression_problem(text) or text
    hint = "one of Python's own: ValueError, RuntimeError, KeyError, ..."
    return Problem("unknown-exception", f"'{shown(text)}' is not an exception that a call can raise", hint)


def _function(text: str) -> str | Problem:
    if text in names.SPECIAL:
        return text
    if re.fullmatch("__[a-z]+__", text):
        hint = f"the known ones are: {', '.join(names.SPECIAL)}"
        return Problem("reserved-name", f"'{text}' is not a special method that a C function can implement", hint)
    return _python_name(text, "function name")


def _python_name(text: str, what: str) -> str | Problem:
    """Accepts a public name in Python.

    C has the name only with a prefix or not at all, so the name may also be a macro of the library.
    """
    if text.startswith("_"):
        return Problem("reserved-name", f"'{shown(text)}' begins with '_', which makes a Python name private")
    if keyword.iskeyword(text):
        return Problem("keyword-name", f"'{text}' is a keyword of Python", f"write '{text}_'")
    return _reference(text, what)


_RULES: dict[Form, _Rule] = {
    Form.VERSION: _version,
    Form.MODULE: lambda text: _identifier(text, "module name"),
    Form.PREFIX: lambda text: _identifier(text, "C identifier"),
    Form.TENSOR: lambda text: _public(text, "tensor name"),
    Form.HANDLE: lambda text: _public(text, "handle name"),
    Form.ORIGIN: _origin,
    Form.PROPERTY: lambda text: _public(text, "property name"),
    Form.MAP: _map,
    Form.LICENSE: _license,
    Form.INCLUDE: _include,
    Form.TEXT: lambda text: text,
    Form.EXPRESSION: _expression,
    Form.KEY: lambda text: key_problem(ctext.fold(text)) or _expression(text),
    Form.STATEMENT: _statement,
    Form.CONDITION: c_checks.ok_condition,
    Form.OUTCOME: c_checks.outcome,
    Form.DIRECTIVE: lambda text: c_checks.directive_problem(text) or ctext.fold(text),
    Form.INITIALISER: lambda text: _expression(text) if ctext.fold(text) else "",
    Form.CTYPE: _ctype,
    Form.STORAGE: _storage,
    Form.DECLARATION: _with_name(split_declaration),
    Form.OUTPUT: _with_name(split_output),
    Form.VARIABLE: _with_name(split_variable),
    Form.PARAMETER: _with_name(split_parameter),
    Form.ARGUMENT: _argument,
    Form.MEMBER: _member,
    Form.FIELD: _field,
    Form.DTYPE: _dtype,
    Form.DEVICE: _device,
    Form.FUNCTION: _function,
    Form.PROTOTYPE: _prototype,
    Form.KIND: lambda text: _reference(text, "class, enum or word"),
    Form.VALUE: lambda text: _reference(text, "enum or word"),
    Form.OF_PROTOTYPE: lambda text: _reference(text, "parameter"),
    Form.EXCEPTION: _exception,
    Form.CONSTANT: lambda text: _python_name(text, "name of a constant"),
}
