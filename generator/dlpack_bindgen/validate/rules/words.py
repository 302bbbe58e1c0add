"""Rules for words that have no meaning in C: words of other languages, and names that only other keys provide."""

from __future__ import annotations

import re

from dlpack_bindgen.c import ctext, usage
from dlpack_bindgen.c.names import ARRAYS_OF_AXES
from dlpack_bindgen.c.quote import quotes_hint
from dlpack_bindgen.diagnostics import Code, Diagnostic, shown, within
from dlpack_bindgen.language.functions import FunctionFields
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.language import ClassFields, SpecFields
from dlpack_bindgen.language.requirements import LAYOUTS
from dlpack_bindgen.language.slots import SLOT_NAMES
from dlpack_bindgen.language.values import Items, Leaf, c_fragments
from dlpack_bindgen.validate.structure import Report

_MEANT = {"None": "NULL", "null": "NULL", "nil": "NULL", "True": "1", "False": "0"}
_TRUTHS = {**dict.fromkeys(("yes", "on"), "1"), **dict.fromkeys(("no", "off"), "0")}
_ALONE = {"readonly": _TRUTHS, "data": {"none": "NULL"}, "error": {"none": "NULL"}}
"""Words with a suggested replacement, by key. In other keys they may be enumerators."""
_SPELT = {"and": "&&", "or": "||", "not": "!"}
"""Operators that are words of C only with <iso646.h>."""
_STATEMENTS = frozenset(("if", "else", "for", "while", "do", "switch", "case", "return", "goto", "break", "continue"))
"""Words that begin statements and cannot occur in expressions."""
_OF_X11 = frozenset(("None", "True", "False"))
"""Names that the headers of X11 define."""
_DECLARING = (Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER, Form.PROTOTYPE, Form.ARGUMENT)
_EXPRESSIONS = (Form.EXPRESSION, Form.KEY, Form.CONDITION, Form.OUTCOME)
_OF_ARRAYS = frozenset((*(word.name for word in LAYOUTS), "writable"))
_BEFORE_ARRAYS = (*SLOT_NAMES, "match", "let", "hold", "require", "acquire", "before_read", "properties")
"""Keys of a tensor that describe its arrays."""
_OF_IMPORTS = ("data", "strides", "byte_strides", "readonly", "device_id", "device_code")
_INITIALISED = ("hold", "params", "let")
_CALLED = r"(?a)[a-z_]\w*$"


def check(spec: SpecFields, report: Report) -> None:
    declared = {token.text for _, leaf in c_fragments(spec, forms=_DECLARING) for token in ctext.tokens(leaf.text)}
    includes = spec.include
    if any("X11/" in leaf.text for leaf in (includes.leaves() if includes else ())):
        declared |= _OF_X11
    if any("iso646.h" in leaf.text for leaf in (includes.leaves() if includes else ())):
        declared |= _SPELT.keys()
    for key, leaf in c_fragments(spec):
        is_string = leaf.is_quoted_word and leaf.text not in declared
        if key == "error" and (is_string or ctext.is_prose(leaf.text)):
            report(
                Diagnostic("c-quotes", leaf.span, "YAML has removed the quotes of this string", quotes_hint(leaf.text))
            )
            continue
        _foreign(key, leaf, declared, report)
        if key not in _INITIALISED and leaf.form is not Form.INITIALISER:
            _braces(leaf, report)
    for _, entry in spec.classes():
        _requirements(entry.require, declared, "it belongs in the 'require' of an 'import'", report)
        _scope(entry, report)
    functions = spec.functions
    for _, function in functions.records(FunctionFields) if functions else ():
        _requirements(function.require, declared, "it belongs in 'args', to the array that it is of", report)


def _foreign(key: str, leaf: Leaf, declared: set[str], report: Report) -> None:
    text = leaf.text
    if "this" in text and "this" not in declared and (found := re.search(r"\bthis\s*(?:->|\.)\s*(?=\w)", text)):
        if any(token.text == "this" for token in ctext.tokens(text)):
            member = re.match(r"\w+", text[found.end() :])
            hint = f"write self->{member.group()}" if member else None
            _report(leaf, "this", "'this' is not a word of C: the object is 'self'", hint, report)
        return
    meant = _ALONE.get(key, {}).get(text) if text not in declared else None
    if meant:
        _report(leaf, text, f"'{text}' is not a word of C", f"write {meant}", report)
        return
    if leaf.form in _EXPRESSIONS and "{" not in text:
        word = next((token.text for token in ctext.tokens(text) if token.text in _STATEMENTS), None)
        if word is not None:
            _report(leaf, word, f"'{word}' begins a statement, and a C expression is expected", _choice(text), report)
            return
    if re.search(r"\b(?:and|or|not)\b", text):
        for token, (start, end) in zip(ctext.tokens(text), ctext.spans(text), strict=False):
            if token.text in _SPELT and token.text not in declared:
                message = f"'{token.text}' is a word of C only with <iso646.h>"
                hint = f"write {_SPELT[token.text]}, or include <iso646.h>"
                report(Diagnostic("stray-word", within(leaf.span, text, (start, end - start)), message, hint))
                return
    for name in ctext.names(text):
        if name in _MEANT and name not in declared:
            _report(leaf, name, f"'{name}' is not a word of C", f"write {_MEANT[name]}", report)
            return


def _choice(text: str) -> str | None:
    """Returns a hint with the C form of Python's conditional expression, or None."""
    plain = text.removeprefix("return ")
    found = re.fullmatch(r"(?P<then>[^{}]+?) if (?P<test>[^{}]+?) else (?P<other>[^{}]+)", plain)
    if found is None or " if " in found["other"]:
        return f"write {plain}" if plain != text and found is None else None
    other = "NULL" if found["other"].strip() == "None" else found["other"].strip()
    return f"write {found['test'].strip()} ? {found['then'].strip()} : {other}"


def _braces(leaf: Leaf, report: Report) -> None:
    """Reports `{self}`, as in format strings of other languages. Initialisers and macro arguments may use braces."""
    if "{" not in leaf.text:
        return
    for match in re.finditer(r"\{\s*(?P<inner>[A-Za-z_]\w*(?:(?:->|\.)\w+)*)\s*\}", leaf.text, re.ASCII):
        before = leaf.text[: match.start()].rstrip()
        called = before.endswith("(") and re.search(_CALLED, before[:-1])
        if (not before or called) and '"' not in leaf.text:
            message = f"'{shown(match[0])}': braces are not replaced in C text"
            plain = leaf.text.replace(match[0], match["inner"])
            _report(leaf, match[0], message, f"write {shown(plain)}", report)
            return


def _requirements(listed: Items | None, declared: set[str], hint: str, report: Report) -> None:
    for leaf in listed.leaves() if listed else ():
        if leaf.text in _OF_ARRAYS and leaf.text not in declared:
            message = f"'{leaf.text}' belongs to an array argument, and is not a condition in C"
            _report(leaf, leaf.text, message, hint, report)


def _scope(entry: ClassFields, report: Report) -> None:
    allocate = entry.allocate
    for _, leaf in c_fragments(allocate) if allocate else ():
        name = next((name for name in _OF_IMPORTS if usage.mentions(leaf.text, name)), None)
        if name:
            message = f"'{name}' is known in 'import' only: 'allocate' makes an object with memory of its own"
            _report(leaf, name, message, None, report, "out-of-scope")
    variables = (leaf.text for key in _INITIALISED if key in entry.values for _, leaf in _variables(entry, key))
    own = {word for text in variables for word in re.findall(r"\w+", text)}
    arrays = [name for name in ARRAYS_OF_AXES if name not in own]
    for key in _BEFORE_ARRAYS:
        value = entry.values.get(key)
        for _, leaf in c_fragments(value, key) if value else ():
            words = [token.text for token in ctext.tokens(leaf.text)]
            name = next((name for name in arrays if usage.mentions(leaf.text, name)), None)
            if name and words[words.index(name) + 1 : words.index(name) + 2] == ["["]:
                message = f"'{name}' is known in 'import' and 'allocate' only"
                hint = "write the member of the struct"
                _report(leaf, name, message, hint, report, "out-of-scope")


def _variables(entry: ClassFields, key: str) -> list[tuple[str, Leaf]]:
    """Returns the declarations of variables in the value of a key."""
    return c_fragments(entry.values[key], key, (Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER))


def _report(leaf: Leaf, what: str, message: str, hint: str | None, report: Report, code: Code = "stray-word") -> None:
    start = leaf.text.find(what)
    report(Diagnostic(code, within(leaf.span, leaf.text, (start, len(what))), message, hint))
