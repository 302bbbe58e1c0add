"""Rules about the names of a module."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from dlpack_bindgen.calls.features import FEATURES
from dlpack_bindgen.calls.function_keys import FUNCTION, NAME, TYPE_OF_PROPERTY
from dlpack_bindgen.calls.records import alternatives
from dlpack_bindgen.classes.members import GET, METHODS, NEW, NEW_STRUCT, PROPERTIES, PROPERTY, SET
from dlpack_bindgen.classes.records import NUMBERS, RECORDS, fields_of, table_of
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.shared import IF, PARAMS, PASS, TYPE
from dlpack_bindgen.language.values import C_FORMS, Fields, Items, Leaf, Table, Value, c_fragments, is_record, text_of
from dlpack_bindgen.spec.language import (
    CONSTANTS,
    ENUM,
    FLAGS,
    FUNCTIONS,
    INIT,
    INT_ENUM,
    INT_FLAG,
    MODULE,
    PREFIX,
    TENSOR,
    classes_of,
)
from dlpack_bindgen.tensor.clone import CLONE
from dlpack_bindgen.tensor.dtype import C_OF_DTYPE, DTYPE_OF_C_TYPE
from dlpack_bindgen.tensor.hook_list import RETAIN, SCOPE_NAMES, WORDS_OF_HOOKS
from dlpack_bindgen.tensor.hooks import ACQUIRE, RELEASE
from dlpack_bindgen.tensor.import_parts import PARAMS_OF_MAKING
from dlpack_bindgen.tensor.imports import ALLOCATE_OF_TENSOR, IMPORT_OF_CLASS
from dlpack_bindgen.tensor.parts import COUNT_OF_PARTS, NAME_OF_PART, OF_PART, PARTS
from dlpack_bindgen.tensor.slot import INT64_MAX, range_problems
from dlpack_bindgen.tensor.slots import DTYPE
from dlpack_bindgen.tensor.step_rules import tests
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Code, Diagnostic, Note, Report, UnknownName, listed, shown, within
from dlpack_bindgen.text.fragments import LITERAL, is_variable
from dlpack_bindgen.text.literals import is_floating
from dlpack_bindgen.text.names import (
    ATTRIBUTES,
    CALLED,
    DELETER_ROLES,
    MARK,
    NAMES_BESIDE_TEXT,
    OWN_NAMES,
    STATIC,
    WORDS_OF_CLASSES,
    WORDS_OF_MAKING,
    HeaderNames,
    called_part,
    of_standard_headers,
    snake,
)
from dlpack_bindgen.text.names import METHODS as METHODS_OF_ALL
from dlpack_bindgen.text.types import (
    CType,
    Word,
    family,
    is_unknown,
    normal,
    place_of,
    plain_type,
    split_parameter,
    tags,
    type_names,
    words_of,
)

# ---- Rules for the module itself: distinct Python names, constants, and the code that runs when it is loaded ----

_NOT_FOR_MEMBERS = ("mro", "name", "value")
"""Names that a Python `enum` class reserves."""


def check_module(spec: Fields, report: Report) -> None:
    distinct(_attributes(spec), "the module", report)
    constants = spec[CONSTANTS]
    for _, record in constants.records(INT_ENUM, INT_FLAG) if constants else ():
        _members(record, report)
    for _, value in constants.leaves() if constants else ():
        _integer(value, report)
    numbers = spec[NUMBERS]
    for key, kind in numbers.leaves() if numbers else ():
        _number(key, kind, report)
    for problem in (problem for each in FEATURES for problem in each.problems_of_module(spec)):
        report(problem)
    if init := spec[INIT]:
        tests(init, None, spec, report)


def _number(key: Leaf, kind: Leaf, report: Report) -> None:
    """Reports entries of `numbers` that C already knows or that are not numbers. A struct may be a complex number."""
    known = family(normal(key.text.split()))
    if kind.text == "complex" and key.text.startswith("struct "):
        return
    if known is not None:
        message = f"C knows '{key.text}' already; 'numbers' is about types that only headers know"
        hint = "leave it out; for an array of another dtype write 'require': {require: [{dtype: ...}]}"
        report(Diagnostic("without-effect", key.span, message, hint))
    elif not is_unknown(CType(key.text)) or key.text == "DLTensor":
        report(Diagnostic("c-type", key.span, f"'{key.text}' is not a number type", "leave it out"))


def _attributes(spec: Fields) -> Iterator[tuple[Leaf, str | None]]:
    classes: dict[str, tuple[Leaf, str | None]] = {}
    for name, entry in classes_of(spec):
        # Two classes with one name are reported as a collision of C names.
        classes.setdefault(name.text, (name, text_of(entry[IF])))
    yield from classes.values()
    yield from called(spec[FUNCTIONS])
    constants = spec[CONSTANTS]
    for name, _ in constants.entries if constants else ():
        yield name, None


def called(functions: Table | None) -> Iterator[tuple[Leaf, str | None]]:
    """Yields the names of functions or methods in Python, each with its `if`. Alternatives have one name."""
    entries = functions.records() if functions else ()
    named = [(function[NAME] or key, text_of(function[IF])) for key, function in entries]
    for group in alternatives(named, lambda each: each[0].text, lambda each: each[1]):
        yield next((each for each in group if each[1] is None), group[0])


def distinct(attributes: Iterable[tuple[Leaf, str | None]], where: str, report: Report) -> None:
    """Reports attributes with the same name, unless different `if` conditions select one of them."""
    seen: dict[str, list[tuple[Leaf, str | None]]] = {}
    for name, condition in attributes:
        others = seen.setdefault(name.text, [])
        clash = next((other for other, known in others if condition is None or known in (None, condition)), None)
        if clash is not None:
            message = f"{where} has another '{name.text}'"
            hint = "two of the same name have different 'if'" if condition or others[0][1] else None
            report(Diagnostic("duplicate-name", name.span, message, hint, (Note(clash.span, "first here"),)))
        others.append((name, condition))


def _integer(value: Leaf, report: Report) -> None:
    """Reports constants without a type that are not integers."""
    kind = "float" if is_floating(value.text) else "str" if value.text.startswith('"') else None
    if kind is not None:
        text = f"'{value.text}'" if kind == "str" else value.text
        hint = f"write {{value: {text}, type: {kind}}}"
        report(Diagnostic("bad-integer", value.span, f"'{shown(value.text)}' is not an integer", hint))


def _members(record: Fields, report: Report) -> None:
    members = record[ENUM] or record[FLAGS]
    names = list(members.leaves()) if isinstance(members, Items) else []
    if isinstance(members, Table):
        names = [key for key, _ in members.entries]
    seen: dict[str, Leaf] = {}
    for name in names:
        if name.text in _NOT_FOR_MEMBERS:
            message = f"'{name.text}' is an attribute of every enum"
            report(Diagnostic("reserved-name", name.span, message))
        elif name.text in seen:
            notes = (Note(seen[name.text].span, "first here"),)
            report(Diagnostic("duplicate-name", name.span, f"there are two members '{name.text}'", notes=notes))
        seen.setdefault(name.text, name)


# ---- Rules for tensors and handles of one C type, and for the attributes of their classes ----

_FACTORIES = {"import": "from_dlpack", "allocate": "empty"}
_NO_INTEGERS = frozenset(("float", "double", "bool", "_Bool", "struct", "union"))


class _Entry(Frozen):
    name: Leaf
    fields: Fields

    @property
    def is_tensor(self) -> bool:
        return self.fields.record is TENSOR

    @property
    def type(self) -> str | None:
        return text_of(self.fields[TYPE])


def check_parts(spec: Fields, report: Report) -> None:
    entries = [_Entry(name, fields) for name, fields in classes_of(spec)]
    named = {entry.name.text: entry for entry in entries}
    tensors = tuple(name for name, known in named.items() if known.is_tensor)
    groups: dict[str, list[_Entry]] = {}
    for entry in entries:
        if entry.type is not None:
            groups.setdefault(entry.type, []).append(entry)
    methods = {
        ctype: {snake(entry.name.text): entry.name for entry in group if entry.is_tensor}
        for ctype, group in groups.items()
    }
    for group in groups.values():
        _same_pass(group, report)
        _methods(group, report)
    for entry in entries:
        parts = entry.fields[PARTS]
        for part in parts.records() if parts else ():
            _part(entry, part, named, tensors, report)
            for problem in range_problems(part[COUNT_OF_PARTS], 0, INT64_MAX, "a number of parts is 0 to 2^63 - 1"):
                report(problem)
        _attributes_of_parts(entry, parts, methods.get(entry.type or "", {}), report)


def _passed(entry: _Entry) -> str:
    return text_of(entry.fields[PASS]) or "pointer"


def _same_pass(group: list[_Entry], report: Report) -> None:
    first = group[0]
    for entry in group[1:]:
        if _passed(entry) != _passed(first) and _both_sound(entry, first):
            message = f"'{entry.name.text}' and '{first.name.text}' share a C type, and not the way it is passed"
            notes = (Note(first.fields.place(PASS, first.name.span), "the other one"),)
            report(Diagnostic("pass-differs", entry.fields.place(PASS, entry.name.span), message, notes=notes))


def _both_sound(one: _Entry, other: _Entry) -> bool:
    return all(entry.fields[PASS] or PASS not in entry.fields for entry in (one, other))


def _methods(group: list[_Entry], report: Report) -> None:
    """Reports tensors whose method on the other classes of the C type clashes with an attribute."""
    if len(group) == 1:
        return
    factories = {factory for entry in group for key, factory in _FACTORIES.items() if key in entry.fields.given}
    for entry in group:
        method = snake(entry.name.text)
        if entry.is_tensor and method in ATTRIBUTES | factories:
            message = (
                f"'{entry.name.text}' is a method '{method}' of all classes of its C type, which they have already"
            )
            report(Diagnostic("attribute-clash", entry.name.span, message))


def _part(entry: _Entry, part: Fields, named: dict[str, _Entry], tensors: tuple[str, ...], report: Report) -> None:
    of = part[OF_PART]
    if of is None:
        return
    target = named.get(of.text)
    if target is None or not target.is_tensor:
        message = f"'{of.text}' is {'a handle' if target else 'not a tensor of this spec'}"
        report(Diagnostic("unknown-tensor", of.span, message, facts=UnknownName(of.text, tensors)))
        return
    note = (Note(target.name.span, "the tensor"),)
    if None not in (entry.type, target.type) and entry.type != target.type:
        message = f"'{of.text}' is made of '{target.type}', and this of '{entry.type}': parts are of the same object"
        report(Diagnostic("part-type", of.span, message, notes=note))
    _index(of, target, entry, note, report)


def _index(of: Leaf, target: _Entry, whole: _Entry, note: tuple[Note, ...], report: Report) -> None:
    found, known = _params(target), _params(whole)
    if found is None:
        return
    if not found:
        message = f"'{of.text}' has no parameter for the index of the part"
        report(Diagnostic("part-index", of.span, message, "add for example params: [int index = 0]", note))
        return
    ctype = found[0][0]
    if "*" in ctype or _NO_INTEGERS.intersection(ctype.split()):
        message = f"the first parameter of '{of.text}' is the index, and '{shown(ctype)}' is not an integer type"
        report(Diagnostic("part-index", of.span, message, notes=note))
    inherited = None if known is None else [(name, plain_type(ctype)) for ctype, name, _ in known]
    for ctype, name, value in found[1:]:
        if value is None and inherited is not None and (name, plain_type(ctype)) not in inherited:
            message = f"'{name}' of '{of.text}' has no default, and '{whole.name.text}' has no such param"
            hint = f"give '{whole.name.text}' the param '{shown(f'{ctype} {name}')}' too: its parts get its value"
            report(Diagnostic("part-index", of.span, message, hint, note))


def _params(entry: _Entry) -> list[tuple[str, str, str | None]] | None:
    """Returns the types, names and defaults of the params; None if they are invalid."""
    params = entry.fields[PARAMS]
    if params is None and PARAMS in entry.fields:
        return None
    return [_param(item) for item in (params.items if params else ())]


def _param(item: Value) -> tuple[str, str, str | None]:
    text = ""
    if isinstance(item, Leaf):
        text = item.text
    elif isinstance(item, Fields) and item.entry:
        text = f"{item.entry[0].text} = {item.entry[1].text}"
    found = split_parameter(text)
    return found if isinstance(found, tuple) else ("", "", "")


def _attributes_of_parts(entry: _Entry, parts: Items | None, methods: dict[str, Leaf], report: Report) -> None:
    """Reports clashing attributes of a class. `methods`: the tensors of the same C type, which are methods of the
    class."""
    taken = set(ATTRIBUTES if entry.is_tensor else METHODS_OF_ALL)
    taken |= {factory for key, factory in _FACTORIES.items() if key in entry.fields.given}
    own: list[tuple[Leaf, str | None]] = []
    for part in parts.records() if parts else ():
        if name := part[NAME_OF_PART]:
            own.append((name, None))
    own += _called(entry.fields)
    shown = [name for name, value in _properties(entry.fields) if _shows(value, methods.get(name.text))]
    sound: list[tuple[Leaf, str | None]] = []
    for name, condition in own:
        if name.text in taken:
            message = f"'{name.text}' is another attribute of the class"
            hint = "the key 'close' declares what it runs" if name.text == "close" else None
            report(Diagnostic("attribute-clash", name.span, message, hint))
        elif methods.get(name.text, entry.name) is not entry.name and name not in shown:
            notes = (Note(methods[name.text].span, "the tensor"),)
            message = f"'{name.text}' is the method that makes a '{methods[name.text].text}' already"
            report(Diagnostic("attribute-clash", name.span, message, notes=notes))
        else:
            sound.append((name, condition))
    distinct(sound, f"'{entry.name.text}'", report)


def _called(fields: Fields) -> Iterator[tuple[Leaf, str | None]]:
    """Yields the methods and properties, each with its `if`."""
    yield from called(fields[METHODS])
    for name, value in _properties(fields):
        yield name, text_of(value[IF]) if is_record(value, PROPERTY) else None


def _properties(fields: Fields) -> tuple[tuple[Leaf, Value], ...]:
    return properties.entries if (properties := fields[PROPERTIES]) else ()


def _shows(value: Value, tensor: Leaf | None) -> bool:
    """Returns whether the property replaces the method that makes an object of the tensor."""
    if tensor is None or not is_record(value, PROPERTY):
        return False
    return text_of(value[GET]) == "self" and text_of(value[TYPE_OF_PROPERTY]) == tensor.text


# ---- Rules for records: structs that are elements of arrays ----


def check_records(spec: Fields, report: Report) -> None:
    entries = records.entries if (records := spec[RECORDS]) else ()
    known = {normal(key.text.split()): value for key, value in entries}
    declared = spec[NUMBERS]
    numbers = {normal(key.text.split()) for key, _ in (declared.entries if declared else ())}
    seen: dict[str, Leaf] = {}
    for key, value in entries:
        ctype = normal(key.text.split())
        if ctype in seen:
            message = f"'{ctype}' is another spelling of '{seen[ctype].text}'"
            report(Diagnostic("duplicate-name", key.span, message, notes=(Note(seen[ctype].span, "first here"),)))
        elif ctype in numbers or family(ctype) is not None or not _is_struct(ctype):
            message = f"'{key.text}' is not a struct"
            report(Diagnostic("c-type", key.span, message, "leave it out: a pointer to numbers is an array"))
        seen.setdefault(ctype, key)
        if isinstance(value, Items):
            _fields(value, known, report)
            _cycle(key, ctype, known, report)
    if known:
        _dtypes(spec, known, report)


def _dtypes(spec: Fields, known: Mapping[str, object], report: Report) -> None:
    """Reports records that are only one of several dtypes of a class."""
    for _, tensor in classes_of(spec):
        for dtype in _c_types(tensor):
            ctype = normal((text_of(dtype[C_OF_DTYPE]) or "").split())
            if ctype in known and dtype is not tensor[DTYPE]:
                message = (
                    f"'{ctype}' is a struct in 'records': the elements of a class are always such records, or never"
                )
                report(Diagnostic("bad-dtype", dtype.span, message, "write another class for arrays of records"))


def _c_types(value: Value) -> Iterator[Fields]:
    """Yields all dtypes of C types in a value, at any depth."""
    if is_record(value, DTYPE_OF_C_TYPE):
        yield value
    elif isinstance(value, Fields):
        for inner in value.values.values():
            yield from _c_types(inner)
    elif isinstance(value, Items):
        for inner in value.items:
            yield from _c_types(inner)
    elif isinstance(value, Table):
        for _, inner in value.entries:
            yield from _c_types(inner)


def _is_struct(ctype: str) -> bool:
    return ctype.startswith(("struct ", "union ")) or (is_unknown(CType(ctype)) and "*" not in ctype)


def _fields(items: Items, known: Mapping[str, object], report: Report) -> None:
    """Reports members that are listed twice, and members whose records are unknown."""
    seen: dict[str, Leaf] = {}
    for name, of in fields_of(items):
        if name.text in seen:
            notes = (Note(seen[name.text].span, "first here"),)
            report(Diagnostic("duplicate-name", name.span, f"there are two members '{name.text}'", notes=notes))
        seen.setdefault(name.text, name)
        if of is not None and normal(of.text.split()) not in known:
            hint = f"add it to 'records', or write '{name.text}' alone if it is a number"
            report(Diagnostic("unknown-class", of.span, f"'{of.text}' is not one of the 'records'", hint))


def _cycle(key: Leaf, ctype: str, known: Mapping[str, object], report: Report) -> None:
    """Reports a record that contains itself."""
    inner, found = [ctype], set[str]()
    while inner:
        items = known.get(inner.pop())
        for _, of in fields_of(items) if isinstance(items, Items) else ():
            name = normal(of.text.split()) if of is not None else ""
            if name == ctype:
                report(Diagnostic("c-type", key.span, f"'{key.text}' cannot contain itself"))
                return
            if name and name not in found:
                found.add(name)
                inner.append(name)


# ---- Types that the headers of the library cannot declare, because their text does not have the name ----

_DECLARING = (
    *(Form.CTYPE, Form.STORAGE, Form.PROTOTYPE),
    *(Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER, Form.ARGUMENT),
)
"""Forms of C text that can name a type."""
_UNUSED = ("numbers", "failures")
"""Keys whose types need not be there: emitted C does not use them unless a function does."""


def check_undeclared_types(spec: Fields, headers: HeaderNames, report: Report) -> None:
    for key, value in spec.values.items():
        for leaf in _leaves(value) if key not in _UNUSED else ():
            _check(leaf, headers, report)


def _leaves(value: Value) -> Iterator[Leaf]:
    """Yields all text that can name a type. Skips items with an `if`: the headers of some version lack their types."""
    if isinstance(value, Leaf):
        if value.form in _DECLARING:
            yield value
    elif isinstance(value, Items):
        for item in value.items:
            yield from _leaves(item)
    elif isinstance(value, Table):
        for key, item in value.entries:
            yield from (*_leaves(key), *_leaves(item))
    elif isinstance(value, Fields) and value[IF] is None:
        for item in (*value.values.values(), *(value.entry or ())):
            yield from _leaves(item)


def _check(leaf: Leaf, headers: HeaderNames, report: Report) -> None:
    text = leaf.text.partition("=")[0] if leaf.form is Form.PARAMETER else leaf.text
    words = words_of(text)
    if any(word.text.startswith("__") or word.text == "typeof" for word in words):
        return  # an operator of C or of the compiler, with an expression behind it
    if leaf.form is Form.ARGUMENT and len(words) == 1:
        return  # a word of the language
    for word in type_names(words):
        if word.text not in headers.declared and not of_standard_headers(word.text):
            report(_undeclared(leaf, word, word.text, _with_keyword(word.text, headers), headers))
    for keyword, tag in tags(words):
        keywords = headers.tags.get(tag.text, set())
        is_sure = headers.shows_tags or tag.text not in headers.known
        if keyword not in keywords and is_sure and not of_standard_headers(tag.text):
            other = _with_keyword(tag.text, headers) or (
                f"write '{tag.text}'" if tag.text in headers.declared else None
            )
            report(_undeclared(leaf, tag, f"{keyword} {tag.text}", other, headers))


def _with_keyword(name: str, headers: HeaderNames) -> str | None:
    """Returns the hint for a name that is a tag."""
    keywords = sorted(headers.tags.get(name, ()))
    return f"write '{keywords[0]} {name}'" if keywords else None


def _undeclared(leaf: Leaf, word: Word, shown: str, hint: str | None, headers: HeaderNames) -> Diagnostic:
    several = len(headers.paths) > 1
    where = f"the headers {listed(headers.paths)} do" if several else f"{listed(headers.paths)} does"
    message = f"{where} not declare the type '{shown}'"
    facts = None if hint else UnknownName(shown, headers.types)
    span = within(leaf.span, leaf.text, word.place)
    return Diagnostic("undeclared-type", span, message, hint, cause=shown, facts=facts)


# Rules for emitted C names: they must differ from each other and from the names that the C text of the spec uses.

_MENTIONING = (
    *C_FORMS,
    *(Form.CTYPE, Form.STORAGE, Form.PROTOTYPE),
    *(Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER, Form.ARGUMENT),
)
"""Forms of C text that can use names of a header."""
_NO_NAMES = frozenset((".", "->", "struct", "union", "enum"))
"""Tokens before a name that belongs to another namespace of C."""
_OF_NEW_STRUCTS = ("init", "members", "params", "setters")
"""Suffixes of the function and the further tables of a constructor that makes a struct."""
_OF_MODULES = ("add_types", "import_c_api", "c_api")
_OF_CLASSES = ("own", "wrap", "unwrap", "type")
_OF_IMPORTS = ("from_dlpack", "from_dlpack_legacy")


class _Made(Frozen):
    """An emitted C name and the key that gives it."""

    c_name: str
    key: Leaf
    compared: bool = False
    """Whether another rule, `collisions`, compares the name with the others that have this flag."""


def check_emitted(spec: Fields, report: Report) -> None:
    prefix = text_of(spec[PREFIX] if PREFIX in spec else spec[MODULE])
    if prefix is not None:
        _distinct(spec, prefix, report)
        _mentioned(spec, prefix, report)


def _classes(spec: Fields) -> list[tuple[Leaf, Fields]]:
    """Returns the name and the fields of each class, handles first."""
    return sorted(classes_of(spec), key=lambda named: named[1].record is TENSOR)


# ---- Names of functions that Python calls ----


def _distinct(spec: Fields, prefix: str, report: Report) -> None:
    known: dict[str, _Made] = {}
    pairs: set[tuple[Leaf, Leaf]] = set()
    for made in _emitted_calls(spec, f"{CALLED}{prefix}"):
        first = known.setdefault(made.c_name, made)
        pair = (first.key, made.key)
        if first.key is made.key or pair in pairs:
            continue
        pairs.add(pair)
        if not (first.compared and made.compared):
            message = f"'{made.key.text}' and '{first.key.text}' would both be made into a C name '{made.c_name}'"
            hint = "give a function another key: 'name' declares its name in Python"
            notes = (Note(first.key.span, "the other one"),)
            report(Diagnostic("name-collision", made.key.span, message, hint, notes))


def _emitted_calls(spec: Fields, prefix: str) -> Iterator[_Made]:
    for name, entry in _classes(spec):
        c_name = f"{prefix}_{snake(name.text)}"
        if NEW in entry:
            new = Leaf("new", entry.place(NEW))
            yield from _function(new, f"{c_name}_new", entry[NEW], compared=False)
            if is_record(entry[NEW], NEW_STRUCT):
                yield from (_Made(f"{c_name}_new_{each}", new) for each in _OF_NEW_STRUCTS)
        properties, methods = entry[PROPERTIES], entry[METHODS]
        for key, value in properties.entries if properties else ():
            yield _Made(f"{c_name}_get_{key.text}", key)
            if is_record(value, PROPERTY) and SET in value:
                yield _Made(f"{c_name}_assign_{key.text}", key)
                yield from _function(key, f"{c_name}_set_{key.text}", value[SET])
        for key, method in methods.entries if methods else ():
            yield from _function(key, f"{c_name}_{called_part(key.text)}", method)
    functions = spec[FUNCTIONS]
    for key, function in functions.entries if functions else ():
        yield from _function(key, f"{prefix}_{key.text}", function)


def _function(key: Leaf, c_name: str, fields: Value | None, compared: bool = True) -> Iterator[_Made]:
    yield _Made(c_name, key, compared)
    if is_record(fields, FUNCTION):
        for each in FEATURES:
            if each.suffix and any(own in fields for own in each.keys):
                yield _Made(f"{c_name}{each.suffix}", key)


# ---- Emitted names in C text ----


def _mentioned(spec: Fields, prefix: str, report: Report) -> None:
    emitted = {made.c_name: made.key for made in _emitted(spec, prefix)}
    for _, text in c_fragments(spec, forms=_MENTIONING) if emitted else ():
        for name in _named(text.text) if prefix in text.text else ():
            if name in emitted:
                message = f"'{name}' is the emitted C name of '{emitted[name].text}'"
                hint = f"its names begin with 'prefix': choose another one than '{prefix}'"
                notes = (Note(emitted[name].span, "this one"),)
                span = within(text.span, text.text, place_of(text.text, name))
                report(Diagnostic("name-collision", span, message, hint, notes))
                del emitted[name]


def _named(text: str) -> Iterator[str]:
    before = ""
    for token in ctext.tokens(text):
        if token.kind == "name" and before not in _NO_NAMES:
            yield token.text
        before = token.text


def _emitted(spec: Fields, prefix: str) -> Iterator[_Made]:
    """Yields the names at file scope of the emitted files, except names with a longer prefix."""
    classes = _classes(spec)
    if module := spec[MODULE]:
        for verb in _OF_MODULES:
            yield _Made(f"{prefix}_{verb}", module)
    for ctype, _ in records.entries if (records := spec[RECORDS]) else ():
        yield _Made(table_of(ctype.text, prefix), ctype)
    sharing = Counter(text_of(entry[TYPE]) for _, entry in classes)
    for name, entry in classes:
        c_name = f"{prefix}_{snake(name.text)}"
        for verb in _of_class(entry, sharing[text_of(entry[TYPE])] > 1):
            yield _Made(f"{c_name}_{verb}", name)
        parts = entry[PARTS]
        for part in parts.records() if parts else ():
            if key := part[NAME_OF_PART]:
                yield _Made(f"{c_name}_parts_{key.text}", key)


def _of_class(entry: Fields, shares: bool) -> Iterator[str]:
    """Yields the suffixes of the functions of a class. `shares`: other classes have the same C type."""
    yield from _OF_CLASSES
    if IMPORT_OF_CLASS in entry:
        yield from _OF_IMPORTS
    if (allocate := entry[ALLOCATE_OF_TENSOR]) is not None and PARAMS_OF_MAKING in allocate:
        yield "allocate"
    if entry.record is not TENSOR:
        return
    if ACQUIRE not in entry:
        yield "view"
    shared = RETAIN in entry or CLONE in entry
    moves = RELEASE in entry and not shared
    if not (moves and (shares or PARAMS in entry)):
        yield from ("to_dlpack", "to_dlpack_legacy")
    if shares:
        yield "part"


# ---- Checks for C names that two specs, or two entries of one spec, would both emit ----


def check_collisions(specs: Sequence[Fields], report: Report) -> None:
    modules: dict[str, Leaf] = {}
    emitted: dict[str, tuple[Leaf, bool]] = {}
    for fields in specs:
        module = fields[MODULE]
        if module is not None:
            # Some file systems ignore case.
            first = modules.setdefault(module.text.lower(), module)
            if first is not module:
                message = f"the module '{module.text}' would be written to the same files as another spec's"
                report(_both("module-collision", module, message, first))
                continue
        prefix = fields[PREFIX] or module
        if prefix is None or (PREFIX in fields and not fields[PREFIX]):
            continue
        for name, c_name, is_class in _names(fields, prefix.text):
            other, other_is_class = emitted.setdefault(c_name, (name, is_class))
            # For entries other than classes, `rules.module` and `rules.parts` report duplicate names.
            is_same_leaf = name.text == other.text and name.span.file == other.span.file
            if other is not name and (not is_same_leaf or (is_class and other_is_class)):
                message = f"the C names of '{name.text}' would begin with '{c_name}', like those of '{other.text}'"
                if name.text == other.text:
                    message = f"there is another '{name.text}'"
                report(_both("name-collision", name, message, other))


def _names(fields: Fields, prefix: str) -> Iterator[tuple[Leaf, str, bool]]:
    """Yields each entry of the spec with the prefix of its C names, and whether the entry is a class."""
    for name, entry in classes_of(fields):
        c_name = f"{prefix}_{snake(name.text)}"
        yield name, c_name, True
        yield from _called_names(entry, c_name)
    functions = fields[FUNCTIONS]
    for name, _ in functions.entries if functions else ():
        yield name, f"{CALLED}{prefix}_{name.text}", False
    constants = fields[CONSTANTS]
    for name, _ in constants.records(INT_ENUM, INT_FLAG) if constants else ():
        yield name, f"{STATIC}{prefix}_{snake(name.text)}", False


def _called_names(entry: Fields, c_name: str) -> Iterator[tuple[Leaf, str, bool]]:
    """Yields each method and each setter of a property, with its C name and False: it is not a class."""
    methods, properties = entry[METHODS], entry[PROPERTIES]
    for name, _ in methods.entries if methods else ():
        yield name, f"{CALLED}{c_name}_{name.text}", False
    for name, value in properties.records() if properties else ():
        if SET in value:
            yield name, f"{CALLED}{c_name}_set_{name.text}", False


def _both(code: Code, leaf: Leaf, message: str, other: Leaf) -> Diagnostic:
    return Diagnostic(code, leaf.span, message, notes=(Note(other.span, "the other one"),))


# ---- Names in a spec that equal names of variables in emitted functions ----
# They are types and constants of headers, or variables that the spec declares. The module marks them in all C code of
# the spec. The emitter can then distinguish them from its own variables.

_NAMES = "|".join(sorted(OWN_NAMES | SCOPE_NAMES))
_TOKEN = re.compile(rf"{LITERAL}|(?:(?:->|\.)\s*|\b(?:struct|union|enum)\s+)[A-Za-z_]\w*|\b(?P<name>{_NAMES})\b")
"""A name in C code. Literals, members and tags are skipped, because no variable hides them."""
_BEGINS_TYPE = re.compile(r"\s*\*|\s+[A-Za-z_]")
_DECLARED = re.compile(r"[A-Za-z_]\w*(?=\s*(?:\[[^\]]*\]\s*)?$)")
_TYPES = (Form.CTYPE, Form.STORAGE)
_DECLARATIONS = (Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER, Form.ARGUMENT, Form.PROTOTYPE)
_OF_FUNCTIONS = frozenset(("result", "axis"))
_NO_WORDS: frozenset[str] = frozenset()

_Use = Literal["word", "type", "called", "declared", "value"]


class _Place(NamedTuple):
    name: str
    end: int
    use: _Use


def marked(fields: Fields) -> tuple[Fields, tuple[str, ...], tuple[str, ...]]:
    """Marks the conflicting names in the fields of a spec without mistakes.

    Returns the marked fields, the names that headers define, and the names that only variables of the spec have.
    """
    uses: dict[_Use, set[str]] = {use: set() for use in get_args(_Use)}
    for leaf, words in _leaves_of_spec(fields, WORDS_OF_CLASSES):
        for place in _places(leaf, words) if leaf.form is not Form.PROTOTYPE else ():
            uses[place.use].add(place.name)
    # A word of the language is a variable only where it is used. A plain value is a constant unless it is declared.
    of_headers = uses["type"] | (uses["called"] & (NAMES_BESIDE_TEXT | uses["word"]))
    of_headers |= (uses["value"] - uses["declared"]) & NAMES_BESIDE_TEXT
    declared = (uses["declared"] & (NAMES_BESIDE_TEXT | SCOPE_NAMES)) - of_headers
    if not (of_headers or declared):
        return fields, (), ()
    names = frozenset(of_headers | declared)
    return _of_fields(fields, WORDS_OF_CLASSES, names), tuple(sorted(of_headers)), tuple(sorted(declared))


def _words(key: str, words: frozenset[str]) -> frozenset[str]:
    """Returns the names in scope of the C code below a key of a class."""
    if key in ("import", "allocate"):
        return WORDS_OF_MAKING
    if key in ("deleter", "attach"):
        return words.union(DELETER_ROLES)
    return words | WORDS_OF_HOOKS.get(key, _NO_WORDS)


def _leaves_of_spec(value: Value, words: frozenset[str]) -> Iterator[tuple[Leaf, frozenset[str]]]:
    """Yields all strings outside of functions, each with the words of the language in its scope.

    Functions are skipped, because their variables are renamed when they conflict.
    """
    if isinstance(value, Leaf):
        yield value, words
    elif isinstance(value, Items):
        for item in value.items:
            yield from _leaves_of_spec(item, words)
    elif isinstance(value, Table):
        for name, item in value.entries:
            yield name, words
            yield from _leaves_of_spec(item, words)
    elif isinstance(value, Fields) and not is_record(value, FUNCTION):
        for key, item in value.values.items():
            yield from _leaves_of_spec(item, _words(key, words))
        for leaf in value.entry or ():
            yield leaf, words


def _places(leaf: Leaf, words: frozenset[str]) -> Iterator[_Place]:
    """Yields each conflicting name in a string, with its use. `words` are the words of the language in scope."""
    text, form = leaf.text, leaf.form
    if form is Form.OF_PROTOTYPE:
        if re.fullmatch(_NAMES, text):
            yield _Place(text, len(text), "word" if text in words else "declared")
        return
    if form not in (*C_FORMS, *_TYPES, *_DECLARATIONS, Form.MEMBER):
        return
    begin = len(text.partition("[")[0]) if form is Form.MEMBER else 0
    declaration = text.partition("=")[0] if form is Form.PARAMETER else text if form in _DECLARATIONS else ""
    declared = _DECLARED.search(declaration)
    for match in _TOKEN.finditer(text, begin):
        name = match["name"]
        if name is None:
            continue
        before, after = text[: match.start()], text[match.end() :]
        if form in _TYPES:
            use: _Use = "type"
        elif match.start() < len(declaration):
            is_type = _BEGINS_TYPE.match(after) is not None
            is_last = declared is not None and match.start() == declared.start()
            use = "declared" if is_last or not is_type else "type"
            if form is Form.ARGUMENT and is_last and name in DELETER_ROLES:
                use = "word"
        elif is_variable(before, after):
            use = "word" if name in words else "value"
        else:
            use = "called" if re.match(r"\s*\(", after) else "type"
        yield _Place(name, match.end(), use)


def _of_fields(fields: Fields, words: frozenset[str], names: frozenset[str]) -> Fields:
    words = _OF_FUNCTIONS if is_record(fields, FUNCTION) else words
    values = {key: _of_value(value, _words(key, words), names) for key, value in fields.values.items()}
    entry = fields.entry
    if entry is not None:
        entry = _of_leaf(entry[0], words, names), _of_leaf(entry[1], words, names)
    return Fields(fields.record, values, fields.given, entry, fields.span, fields.has_unknown)


def _of_value(value: Value, words: frozenset[str], names: frozenset[str]) -> Value:
    if isinstance(value, Leaf):
        return _of_leaf(value, words, names)
    if isinstance(value, Items):
        return Items(tuple(_of_value(item, words, names) for item in value.items), value.span, value.count)
    if isinstance(value, Table):
        entries = ((_of_leaf(key, words, names), _of_value(item, words, names)) for key, item in value.entries)
        return Table(tuple(entries), value.span, value.broken)
    return _of_fields(value, words, names) if isinstance(value, Fields) else value


def _of_leaf(leaf: Leaf, words: frozenset[str], names: frozenset[str]) -> Leaf:
    pieces, end = [], 0
    for place in _places(leaf, words):
        if place.name in names and place.use != "word":
            pieces += [leaf.text[end : place.end], MARK]
            end = place.end
    return Leaf("".join([*pieces, leaf.text[end:]]), leaf.span, leaf.form) if pieces else leaf
