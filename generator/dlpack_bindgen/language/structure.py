"""The reader that converts nodes to values by the declared keys, with the checks of single values."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable

from dlpack_bindgen.dlpack import DEVICES, DTYPES, FIRST_LATER_DEVICE, LAST_LATER_DEVICE, LATER_DEVICES, number
from dlpack_bindgen.language.expand import are_whole
from dlpack_bindgen.language.facts import (
    ComparedKey,
    UnknownKey,
    UnknownOption,
    UnknownWord,
    WrongEntry,
    WrongType,
    WrongValue,
)
from dlpack_bindgen.language.kinds import (
    MAX_RANK,
    VERSION,
    Alternatives,
    Anything,
    Form,
    Integer,
    Kind,
    ListOf,
    Lookup,
    MapOf,
    Option,
    Record,
    Single,
    Words,
    description,
    options_of,
    records_of,
    takes_c,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Unread, Value
from dlpack_bindgen.text import ctext, names
from dlpack_bindgen.text.ctext import Problem
from dlpack_bindgen.text.diagnostics import (
    Advisor,
    Code,
    Diagnostic,
    GetAdvisor,
    Note,
    Report,
    Reporting,
    Span,
    UnknownName,
    closest,
    shown,
    within,
)
from dlpack_bindgen.text.names import is_keyword
from dlpack_bindgen.text.types import split_declaration, split_output, split_parameter, split_variable, type_problem
from dlpack_bindgen.text.yaml import Broken, Mapping, Node, Scalar, Sequence

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
    report: Callable[[Diagnostic], None],
    alone: bool = False,
    otherwise: str = "with 'of: 1' keys can be conditions",
) -> None:
    """Reports a key that is a condition.

    `alone` tells whether `{any: [...]}` is valid there. `otherwise` is the hint if the key contains no value.
    """
    sign = sign_of(key.text)
    if sign is None:
        return
    what = "makes a condition of it" if sign in LOGIC else "compares already"
    message = f"a key is compared with the value, and this '{sign}' {what}"
    report(Diagnostic("compared-key", key.span, message, otherwise, facts=ComparedKey(key.text, of, alone)))


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


def _text(text: str) -> str | Problem:
    return text


def _version(text: str) -> str | Problem:
    if text == str(VERSION):
        return text
    if re.fullmatch(r"[1-9][0-9]{0,8}", text):
        message = f"this spec is written in version {text} of the language; this dlpack-bindgen knows version {VERSION}"
        return Problem("newer-version", message, "install a newer dlpack-bindgen")
    return Problem("bad-version", f"'{shown(text)}' is not a version of the spec language", f"write {VERSION}")


def _expression(text: str) -> str | Problem:
    return ctext.expression_problem(text) or ctext.fold(text)


def _key(text: str) -> str | Problem:
    return key_problem(ctext.fold(text)) or _expression(text)


def _statement(text: str) -> str | Problem:
    found = ctext.statement_problem(text)
    if found is not None:
        return found
    statement = ctext.fold(text).rstrip("; ")
    return statement or ctext.empty_problem("statement")


def _directive(text: str) -> str | Problem:
    directive = re.fullmatch(r"#?\s*(if|ifdef|ifndef)\s+.+", ctext.fold(text))
    if directive:
        return Problem("c-preprocessor", f"only the condition behind '#if' is expected, without '{directive[1]}'")
    if re.search(r"\bsizeof\b", text):
        message = "the preprocessor does not know types or 'sizeof'"
        return Problem(
            "c-preprocessor", message, "ask for a limit, such as INT_MAX == 2147483647, or a macro of the library"
        )
    return ctext.directive_problem(text) or ctext.fold(text)


def _initialiser(text: str) -> str | Problem:
    return _expression(text) if ctext.fold(text) else ""


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
        return ctext.expression_problem(text) or member
    if not ctext.is_member(member):
        hint = "write the path behind 'self->', for example: width, size[0], info.rows"
        return Problem("c-member", f"'{shown(text)}' is not a member that can be set", hint)
    return member


def _field(text: str) -> str | Problem:
    if names.is_identifier(text) and text not in names.C_KEYWORDS:
        return text
    hint = "a part of a member is not listed alone, and the compiler knows the length of an array"
    return Problem("bad-identifier", f"'{shown(text)}' is not the name of a member of a struct", hint)


_OF_FUNCTIONS = "function name"


def _identifier(text: str, what: str) -> str | Problem:
    if "${" in text:
        return ctext.expression_problem(text) or text
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
        return ctext.expression_problem(text) or text
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
    from dlpack_bindgen.text import types

    parsed = types.parse(text)
    return parsed if isinstance(parsed, Problem) else ctext.fold(text)


def _kind(text: str) -> str | Problem:
    """Accepts the name of a class, an enum or a word. `spec.functions` checks whether it is known."""
    if names.is_identifier(text):
        return text
    return _identifier(text, "class, enum or word")


def _of_prototype(text: str) -> str | Problem:
    return text if names.is_identifier(text) else _identifier(text, "parameter")


def _exception(text: str) -> str | Problem:
    if text in names.EXCEPTIONS:
        return text
    if "${" in text:
        return ctext.expression_problem(text) or text
    hint = "one of Python's own: ValueError, RuntimeError, KeyError, ..."
    return Problem("unknown-exception", f"'{shown(text)}' is not an exception that a call can raise", hint)


def _python_name(text: str, what: str) -> str | Problem:
    """Accepts a public name in Python.

    C has the name only with a prefix or not at all, so the name may also be a macro of the library.
    """
    if text in names.SPECIAL and what == _OF_FUNCTIONS:
        return text
    if re.fullmatch("__[a-z]+__", text) and what == _OF_FUNCTIONS:
        known = ", ".join(names.SPECIAL)
        hint = f"the known ones are: {known}"
        return Problem("reserved-name", f"'{text}' is not a special method that a C function can implement", hint)
    if text.startswith("_"):
        return Problem("reserved-name", f"'{shown(text)}' begins with '_', which makes a Python name private")
    if keyword.iskeyword(text):
        return Problem("keyword-name", f"'{text}' is a keyword of Python", f"write '{text}_'")
    return text if names.is_identifier(text) else _identifier(text, what)


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
    Form.TEXT: _text,
    Form.EXPRESSION: _expression,
    Form.KEY: _key,
    Form.STATEMENT: _statement,
    Form.CONDITION: ctext.ok_condition,
    Form.OUTCOME: ctext.outcome,
    Form.DIRECTIVE: _directive,
    Form.INITIALISER: _initialiser,
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
    Form.FUNCTION: lambda text: _python_name(text, _OF_FUNCTIONS),
    Form.PROTOTYPE: _prototype,
    Form.KIND: _kind,
    Form.VALUE: lambda text: text if names.is_identifier(text) else _identifier(text, "enum or word"),
    Form.OF_PROTOTYPE: _of_prototype,
    Form.EXCEPTION: _exception,
    Form.CONSTANT: lambda text: _python_name(text, "name of a constant"),
}


# ---- Reader that converts nodes to values by the declaration of the language ----
# It reports every mistake of structure and of single values. It omits broken values, which later rules never see.

MAX_TEXT = 3500
"""The limit of one value in bytes. Values become part of string literals in C, together with a message."""


def read(root: Mapping, spec: Record, report: Report, advisor: GetAdvisor = Advisor) -> Fields | None:
    """Reads a file. `spec` declares the keys at the top."""
    value = _Reader(root, spec, report, advisor).read(root, spec)
    return value if isinstance(value, Fields) else None


def fits(root: Mapping, node: Node, kind: Kind) -> bool:
    """Returns whether a node of the spec is a value of that kind without mistakes."""
    found: list[Diagnostic] = []
    return _Reader(root, None, found.append, Advisor).read(node, kind) is not None and not found


class _Reader(Reporting):
    def __init__(self, root: Mapping, spec: Record | None, report: Report, advisor: GetAdvisor) -> None:
        """Creates a reader. `spec` declares the keys of the root; None: only a part is read."""
        self._root = root
        self._spec = spec
        self._emit = report
        self._advisor = advisor
        maps = next((value for key, value in root.entries if key.text == "maps"), None)
        self._maps = {key.text: table for key, table in maps.entries} if isinstance(maps, Mapping) else {}
        """The top-level `maps` of the spec, to which slots refer by name."""
        self._looked_up: dict[tuple[str, int], Value | None] = {}
        self._inner: set[int] = set()
        """The ids of lists that are items of other lists."""

    def read(self, node: Node, kind: Kind) -> Value | None:
        if isinstance(node, Broken):
            return None
        if isinstance(kind, Anything):
            return Unread(node.span)
        if isinstance(kind, Alternatives):
            return self._alternative(node, kind)
        if isinstance(kind, Lookup):
            return self._lookup(node, kind) if isinstance(node, Scalar) else self.read(node, kind.table)
        if isinstance(kind, ListOf) and kind.lone and not isinstance(node, Sequence) and not _is_empty(node):
            item = self.read(node, kind.item)
            return Items((item,) if item else (), node.span, 1)
        if isinstance(kind, (Single, Words, Integer)):
            if isinstance(node, Scalar):
                return self._scalar(node, kind)
        elif isinstance(kind, ListOf):
            if isinstance(node, Sequence):
                return self._list(node, kind)
        elif isinstance(node, Mapping):
            return self._map(node, kind) if isinstance(kind, MapOf) else self._record(node, kind)
        self._mismatch(node, kind)
        return None

    def _mismatch(self, node: Node, kind: Kind) -> None:
        if _is_empty(node):
            self._report("empty-value", node.span, f"the value is missing; expected {description(kind)}")
            return
        found = "a list" if isinstance(node, Sequence) else "a mapping"
        if isinstance(node, Scalar):
            found = f"'{shown(node.text)}'"
        facts = WrongType(node, kind, self._fits, id(node) in self._inner)
        self._report("wrong-type", node.span, f"expected {description(kind)}, found {found}", facts=facts)

    def _fits(self, node: Node, kind: Kind) -> bool:
        found: list[Diagnostic] = []
        return _Reader(self._root, self._spec, found.append, self._advisor).read(node, kind) is not None and not found

    def _alternative(self, node: Node, kind: Alternatives) -> Value | None:
        if isinstance(node, Mapping):
            records = [option for option in kind.options if isinstance(option.kind, Record)]
            table = next((option.kind for option in kind.options if isinstance(option.kind, MapOf)), None)
            if table is not None:
                return self._map(node, table)
            if not any(_takes(option.kind, key.text) for key, _ in node.entries for option in records):
                is_c = takes_c(kind) and any(not key.text.isidentifier() for key, _ in node.entries)
                if is_c or self._is_list_with_names(node, kind):
                    self._mismatch(node, kind)
                    return None
            option = self._record_option(node, records)
            if option is not None:
                return self.read(node, option.kind)
            if records:
                return None
        if isinstance(node, Sequence):
            return self._list_option(node, kind)
        fitting = [option.kind for option in kind.options if isinstance(option.kind, (Single, Words, Integer))]
        if not fitting or not isinstance(node, Scalar) or _is_empty(node):
            self._mismatch(node, kind)
            return None
        for candidate in fitting[:-1]:
            if isinstance(candidate, Words) and candidate.has(node.text):
                return self.read(node, candidate)
        return self._scalar(node, fitting[-1], kind)

    def _is_list_with_names(self, node: Mapping, kind: Alternatives) -> bool:
        """Returns whether a mapping of unknown keys stands where a list is expected: `{height: self->height}`."""
        return is_list_with_names(node, kind) and all(
            self._advisor().meant_key(key.text, known_keys(kind)) is None for key, _ in node.entries
        )

    def _list_option(self, node: Sequence, kind: Alternatives) -> Value | None:
        lists = [option.kind for option in kind.options if isinstance(option.kind, ListOf)]
        of_mappings = any(isinstance(item, Mapping) for item in node.items)
        if not lists or (len(lists) == 1 and isinstance(lists[0].item, Record) and node.items and not of_mappings):
            self._mismatch(node, kind)
            return None
        if of_mappings and len(lists) > 1 and self._mapped(node, lists):
            return None
        if len(lists) > 1:
            lists = [known for known in lists if isinstance(known.item, Record) == of_mappings]
        return self.read(node, lists[0])

    def _mapped(self, node: Sequence, lists: list[ListOf]) -> bool:
        """Reports mappings in a list of single values. Returns False if the list may hold records with their keys."""
        message = next((known.if_mapped for known in lists if known.if_mapped), None)
        records = [known.item for known in lists if isinstance(known.item, Record)]
        mappings = [item for item in node.items if isinstance(item, Mapping)]
        keys = [key.text for item in mappings for key, _ in item.entries]
        if message is None or any(record.key(key) for record in records for key in keys):
            return False
        for item in mappings:
            self._report("wrong-type", item.span, message, "leave out the [ ]" if len(node.items) == 1 else None)
        return True

    def _record_option(self, node: Mapping, options: list[Option]) -> Option | None:
        keys = [key.text for key, _ in node.entries]
        for option in options:
            if option.tag in keys or len(options) == 1:
                return option
        tags = tuple(option.tag for option in options if option.tag)
        other = next((option for option in options if option.tag is None), None)
        if other is not None and not (_is_entry(other.kind) and all(map(str.isidentifier, keys))):
            return other
        if other is not None and not any(self._advisor().meant_key(key, tags) for key in keys):
            return other
        expected = " or ".join(f"{{{tag}: ...}}" for tag in tags)
        if tags and keys:
            message = f"expected {expected}, found {{{shown(keys[0])}: ...}}"
            self._report("unknown-key", node.entries[0][0].span, message, facts=UnknownOption(node, tags))
        elif tags:
            self._report("missing-key", node.span, f"expected {expected}, found an empty mapping")
        return None

    def _lookup(self, node: Scalar, kind: Lookup) -> Value | None:
        if _is_empty(node):
            self._mismatch(node, kind)
            return None
        table = self._maps.get(node.text)
        if table is None:
            message = f"there is no map '{shown(node.text)}' in the top-level 'maps'"
            self._report("unknown-map", node.span, message, facts=UnknownName(node.text, tuple(self._maps)))
            return None
        key = (node.text, id(kind))
        if key not in self._looked_up:
            # A map that is not a mapping is reported at its own place.
            self._looked_up[key] = self._map(table, kind.table) if isinstance(table, Mapping) else None
        return self._looked_up[key]

    def _scalar(
        self,
        node: Scalar,
        kind: Single | Words | Integer,
        among: Alternatives | None = None,
        otherwise: str | None = None,
        key: str | None = None,
    ) -> Leaf | None:
        """Reads a scalar as `kind`, one of the alternatives `among`. `otherwise` is the hint if there is no other, and
        `key` is the key of the value."""
        if _is_empty(node) and kind != Single(Form.INITIALISER):
            self._mismatch(node, kind)
        elif len(node.text.encode()) > MAX_TEXT:
            message = f"a value of {len(node.text.encode())} bytes, and C takes string literals of 4095 at most"
            self._report("too-long", node.span, message, f"at most {MAX_TEXT} bytes, so that messages fit")
        elif isinstance(kind, Single):
            value = normal(kind.form, node.text)
            if not isinstance(value, Problem):
                return Leaf(value, node.span, kind.form)
            if self._is_padded(value.code, node, lambda text: not isinstance(normal(kind.form, text), Problem)):
                return None
            span = within(node.span, node.text, value.place)
            facts = WrongValue(node.text, kind.form, among, self._root, key, value.facts)
            self._report(value.code, span, value.message, value.hint or otherwise, facts=facts)
        elif isinstance(kind, Words):
            if kind.has(node.text):
                return Leaf(node.text, node.span)
            if self._is_padded("unknown-word", node, kind.has):
                return None
            message = f"expected {description(kind)}, found '{shown(node.text)}'"
            words = tuple(word.name for word in kind.words)
            self._report("unknown-word", node.span, message, kind.otherwise, facts=UnknownWord(node.text, words, among))
        elif kind.has(node.text):
            return Leaf(node.text, node.span)
        else:
            message = f"expected {description(kind)}, found '{shown(node.text)}'"
            self._report("bad-integer", node.span, message)
        return None

    def _is_padded(self, code: Code, node: Scalar, is_sound: Callable[[str], bool]) -> bool:
        """Reports a quoted value that is valid without its outer spaces. Other messages would not show the spaces."""
        text = node.text.strip()
        if text == node.text or not is_sound(text):
            return False
        where = "before" if node.text[:1].isspace() else "behind"
        self._report(code, node.span, f"there is a space too much {where} '{shown(text)}'")
        return True

    def _list(self, node: Sequence, kind: ListOf) -> Items | None:
        if len(node.items) < kind.least or (kind.most is not None and len(node.items) > kind.most):
            if kind.most == MAX_RANK:
                message = f"{len(node.items)} axes; a tensor has at most {MAX_RANK}"
                self._report("rank-too-high", node.span, message)
            else:
                limit = f", of {kind.most} at most" if kind.most and len(node.items) > kind.most > kind.least else ""
                message = f"expected {kind.what}{limit}, found {len(node.items)} items"
                self._report("wrong-length", node.span, message, None if node.items else kind.if_empty)
            return None
        self._inner.update(id(item) for item in node.items if isinstance(item, Sequence))
        values = [self.read(item, kind.item) for item in node.items]
        return Items(tuple(value for value in values if value is not None), node.span, len(values))

    def _map(self, node: Mapping, kind: MapOf) -> Table | None:
        if not node.entries:
            self._report("wrong-length", node.span, f"expected {kind.what}, found an empty one")
            return None
        if kind.most is not None and len(node.entries) > kind.most:
            message = f"expected {kind.what}, of {kind.most} at most, found {len(node.entries)}"
            self._report("wrong-length", node.span, message)
            return None
        keys = [key for key, item in node.entries if isinstance(kind.value, Record) and _is_key(kind.value, key, item)]
        if isinstance(kind.value, Record) and len(keys) == len(node.entries) > 1:
            message = f"the name of {kind.value.what} is missing, and these are the keys of one"
            self._report(
                "unknown-key", keys[0].span, message, "write 'Name: {...}' around them, or indent them below it"
            )
            return None
        read = [(key.text, self._pair(key, item, kind)) for key, item in node.entries]
        broken = tuple(text for text, entry in read if entry is None)
        return Table(tuple(entry for _, entry in read if entry is not None), node.span, broken)

    def _pair(self, key: Scalar, item: Node, kind: MapOf) -> tuple[Leaf, Value] | None:
        if isinstance(kind.value, Record) and _is_key(kind.value, key, item):
            message = f"'{key.text}' is a key of {kind.value.what}, and a name is expected here"
            self._report("unknown-key", key.span, message, "indent it as far as the keys that it belongs to")
            return None
        name = self._scalar(key, Single(kind.key), otherwise=kind.otherwise if kind.key is Form.KEY else None)
        if isinstance(kind.value, Single) and isinstance(item, Scalar):
            value: Value | None = self._scalar(item, kind.value, key=key.text)
        else:
            value = self.read(item, kind.value)
        return (name, value) if name is not None and value is not None else None

    def _record(self, node: Mapping, kind: Record) -> Fields:
        given = {key.text: key.span for key, _ in node.entries if kind.key(key.text)}
        values: dict[str, Value] = {}
        own: list[tuple[Scalar, Node]] = []
        for key, item in node.entries:
            declared = kind.key(key.text)
            if declared is None:
                own.append((key, item))
            elif (value := self.read(item, declared.kind)) is not None:
                values[key.text] = value
        meant = [self._unknown(key, kind) for key, _ in own] if kind.entry is None else []
        self._demands(node, kind, given, meant)
        unread = 0
        for (key, item), name in zip(own, meant, strict=False):
            value = self._value_of_misspelt_key(key, item, name, kind) if name and name not in given else None
            if name and value is not None:
                values[name], given[name] = value, key.span
            elif kind is not self._spec or isinstance(item, Mapping):
                unread += 1
        return Fields(kind, values, given, self._entry(node, kind, own), node.span, unread > 0)

    def _value_of_misspelt_key(self, key: Scalar, item: Node, meant: str, kind: Record) -> Value | None:
        """Reads the value of a misspelt key as that of the key that was meant, so that later checks do not miss it.
        Mistakes in the sections of a spec are reported; the values of other keys must be without mistakes."""
        declared = kind.key(meant)
        is_section = kind is self._spec and are_whole(item)
        is_misspelt = closest(key.text, [each.name for each in kind.keys]) == meant
        if declared and (is_section or (is_misspelt and self._fits(item, declared.kind))):
            return self.read(item, declared.kind)
        return None

    def _entry(self, node: Mapping, kind: Record, own: list[tuple[Scalar, Node]]) -> tuple[Leaf, Leaf] | None:
        if kind.entry is None:
            return None
        if len(own) != 1:
            span = own[1][0].span if own else node.span
            declared = re.split(r"[;.]", kind.entry.doc)[0].replace("`", "'")
            message = f"{kind.what} has one entry, {declared}"
            self._report("wrong-length", span, message, "write a list item for each", facts=WrongEntry(tuple(own)))
            return None
        key, item = own[0]
        name = self._scalar(key, Single(kind.entry.key))
        value = self.read(item, kind.entry.value)
        return (name, value) if name is not None and isinstance(value, Leaf) else None

    def _demands(self, node: Mapping, kind: Record, given: dict[str, Span], meant: list[str | None]) -> None:
        """Reports missing and conflicting keys. Keys in `meant` are not missing: unknown keys probably mean them. A
        missing key of `one_of` is not reported if every unknown key already has a hint."""
        known = {*given, *meant}
        for key in kind.keys:
            if key.required and known.isdisjoint((key.name, key.unless)):
                other = f" (or a '{key.unless}' that sets it)" if key.unless else ""
                self._report("missing-key", node.span, f"{kind.what} needs the key '{key.name}'{other}")
            if key.needs and key.name in given and known.isdisjoint(key.needs.keys):
                names = " or ".join(f"'{name}'" for name in key.needs.keys)
                message = f"'{key.name}' needs {names} beside it: {key.needs.why}"
                self._report("needs-key", given[key.name], message, key.needs.hint)
        chosen = [name for name in given if name in kind.one_of]
        if kind.one_of and not chosen and known.isdisjoint(kind.one_of) and (given or None in meant or not meant):
            names = " or ".join(f"'{name}'" for name in kind.one_of)
            self._report("missing-key", node.span, f"{kind.what} needs the key {names}")
        if kind.some_of and known.isdisjoint(kind.some_of):
            names = ", ".join(f"'{name}'" for name in kind.some_of[:-1])
            message = f"{kind.what} needs at least one of the keys {names} and '{kind.some_of[-1]}'"
            self._report("missing-key", node.span, message)
        for extra in chosen[1:]:
            self._excludes(given, extra, chosen[0])
        for pair in kind.exclusive:
            if given.keys() >= set(pair):
                first, second = sorted(pair, key=list(given).index)
                self._excludes(given, second, first)

    def _excludes(self, given: dict[str, Span], extra: str, first: str) -> None:
        notes = (Note(given[first], "the other one"),)
        self._report("exclusive-keys", given[extra], f"'{extra}' and '{first}' exclude each other", notes=notes)

    def _unknown(self, key: Scalar, kind: Record) -> str | None:
        """Reports an unknown key. Returns the key that was probably meant, such as KEY for `KEY:VALUE`, or None."""
        known = tuple(each.name for each in kind.keys)
        if self._is_padded("unknown-key", key, lambda text: text in known):
            return key.text.strip()
        message = f"'{shown(key.text)}' is not a key of {kind.what}"
        self._report("unknown-key", key.span, message, facts=UnknownKey(key.text, known))
        return self._advisor().meant_key(key.text, known)


def is_list_with_names(node: Mapping, kind: Kind) -> bool:
    """Returns whether a mapping without known keys stands where a list of single values is expected."""
    values = bool(node.entries) and all(isinstance(value, Scalar) and value.text for _, value in node.entries)
    known = known_keys(kind) if values and isinstance(options_of(kind)[0], ListOf) else None
    return known is not None and not any(key.text in known for key, _ in node.entries)


def known_keys(kind: Kind) -> tuple[str, ...]:
    return tuple(key.name for record in records_of(kind) for key in record.keys)


def _takes(kind: Kind, text: str) -> bool:
    return isinstance(kind, Record) and (kind.entry is not None or kind.key(text) is not None)


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.plain and not node.text


def _is_key(record: Record, key: Scalar, item: Node) -> bool:
    """Returns whether a key of the record stands in the place of a name. A key with a mapping may be a name."""
    return record.key(key.text) is not None and not (isinstance(item, Mapping) and not is_keyword(key.text))


def _is_entry(kind: Kind) -> bool:
    if isinstance(kind, Alternatives):
        return any(_is_entry(option.kind) for option in kind.options)
    return isinstance(kind, Record) and kind.entry is not None
