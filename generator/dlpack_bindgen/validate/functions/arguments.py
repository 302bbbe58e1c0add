"""Classification of the parameters of a function by their C types and their entries in `args`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dlpack_bindgen.arguments.entry import OUT, ParameterEntry
from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.arguments.kinds import KINDS, WORDS
from dlpack_bindgen.arguments.object import NOT_OF_RECEIVER
from dlpack_bindgen.arguments.objects import passed_by_value
from dlpack_bindgen.language.names import Class, Mistake, Names
from dlpack_bindgen.language.values import is_true
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.text.diagnostics import Report, shown
from dlpack_bindgen.text.types import BYTES, CType, is_unknown

_SELECTORS = tuple(key for kind in KINDS for key in kind.selectors)
"""The keys of parameters that are not the object of a method."""


def self_index(arguments: tuple[ParameterEntry, ...], own_class: Class, names: Names) -> int | None:
    """Returns the index of the parameter that is the object of the method, or None.

    It is the first parameter of the C type of the class that `args` does not declare as something else. If the type is
    a number, a parameter that `args` declares as the class comes first. Raises Mistake if several parameters have the
    number type and `args` names none of them.
    """
    number = names.number(own_class.type or "")
    found = [index for index, each in enumerate(arguments) if _may_be_own(each, own_class, names)]
    named = [index for index in found if arguments[index].name is not None]
    if number is None or named or len(found) < 2:
        return next(iter((named or found) if number else found), None)
    written = [arguments[index].parameter.name for index in found]
    among = ", ".join(f"'{name}'" for name in written)
    message = f"the '{own_class.name.text}' of this method is ambiguous: {among} have its C type"
    hint = f"args: {', or '.join(f'{{{name}: {own_class.name.text}}}' for name in written)}"
    if own_class.by_value:
        hint += f"; if it makes one of them: {{{', '.join(f'{name}: {number}' for name in written)}}}"
    raise Mistake("ambiguous-class", arguments[found[0]].span, message, hint)


def _may_be_own(each: ParameterEntry, own_class: Class, names: Names) -> bool:
    keys = each.fields.given
    others = (*_SELECTORS, *(NOT_OF_RECEIVER if names.number(own_class.type or "") else ()))
    named = each.name is None or each.name.text == own_class.name.text
    is_own = names.is_own(own_class, each.ctype)
    is_own = is_own or (each.name is not None and names.class_type(own_class, each.ctype) is not None)
    return is_own and named and not any(key in keys for key in others)


def argument(each: ParameterEntry, own_class: Class | None, report: Report) -> Argument | None:
    """Returns the argument for a parameter. Returns None if its entry in `args` has a mistake, which is reported.

    `own_class` is the class if the parameter is the object of a method.
    """
    if each.is_broken:
        return None
    by_address, names = _is_by_address(each), each.names
    ctype = written = CType(each.ctype.base) if by_address else each.ctype
    of = names.classes.get(each.name.text) if each.name is not None and not by_address else None
    if of is not None and not is_true(each.fields[OUT]):
        ctype = names.class_types(of, ctype, each.is_counted) or names.class_type(of, ctype) or ctype
    parameter = replace(each.parameter, ctype=ctype)
    try:
        kind = _kind(replace(each, parameter=parameter, own_class=own_class, by_address=by_address))
    except Mistake as mistake:
        if not (each.is_misread and mistake.diagnostic.code == "argument-unclear"):
            report(mistake.diagnostic)
        return None
    restrict = each.parameter.restrict or any(written.restrict)
    if ctype == written:
        return Argument(
            each.parameter.name, ctype, kind, by_address, restrict, default_name=_name_of_default(kind, names)
        )
    return Argument(
        each.parameter.name, ctype, kind.with_written_type(written, each), restrict=restrict, written=written
    )


_KINDS_OF_DEFAULTS = {
    "int": ("int", "bool"),
    "float": ("int", "float", "bool"),
    "complex": ("int", "float", "bool"),
    "bool": ("bool",),
    "str": ("str",),
}
"""The kinds of constants that can be passed, by the type of the parameter. Signatures have no complex constants."""


def _name_of_default(kind: Kind, names: Names) -> str | None:
    """Returns the name in Python of the constant, or of the member of an enum, that is the default; None for a literal.

    A member of the enum of the parameter comes first.
    """
    if kind.default is None or not shown(kind.default).isidentifier():
        return None
    accepted = _KINDS_OF_DEFAULTS.get(kind.default_type or "", ())
    found = [each for each in names.named_values.get(kind.default, ()) if each.kind in accepted]
    own = kind.returned_value() if found else None
    found.sort(key=lambda each: own is None or each.enum is None or each.enum != own[1])
    return found[0].name if found else None


def _is_by_address(each: ParameterEntry) -> bool:
    """Returns whether C takes the address of a declared number, as Fortran does."""
    ctype, names = each.ctype, each.names
    if ctype.depth != 1 or ctype.length is not None or ctype.extents or ctype.is_function or is_true(each.fields[OUT]):
        return False
    named = each.name.text if each.name else ""
    is_declared = named in names.enums or any(
        named in kind.words or any(map(each.fields.value_of, kind.selectors)) for kind in KINDS if kind.has_address
    )
    return is_declared and bool(names.number(ctype.base) or (is_unknown(ctype) and not names.objects(ctype)))


def _kind(entry: ParameterEntry) -> Kind:
    """Returns the kind of the argument: that of its keys, its name, or its C type. Raises Mistake if it has none."""
    found = _first(kind.by_keys(entry) for kind in KINDS)
    if found is None and entry.name is not None:
        named = entry.names.find(entry.name, WORDS, "argument")
        found = _first(kind.by_name(entry, named) for kind in KINDS)
    elif found is None:
        found = _first(kind.by_type(entry) for kind in KINDS)
    if found is None:
        raise _unclear(entry)
    return found


def _first(kinds: Iterable[Kind | None]) -> Kind | None:
    return next((kind for kind in kinds if kind is not None), None)


def _unclear(entry: ParameterEntry) -> Mistake:
    """Returns the mistake for a type without a kind."""
    ctype, base = entry.ctype, entry.ctype.base
    if ctype.depth == 1 and (of := entry.names.objects(CType(base))):
        return passed_by_value(entry, of[0])
    entry.names.refuse(ctype, entry.span)
    if ctype.depth > 1:
        return entry.unclear("is a pointer to pointers: a list of objects, or an 'out'", _hint_for_pointers(entry))
    number = f"; a number type: numbers: {{{base}: ...}} at the top"
    structs = f"; an array of structs: records: {{{base}: [MEMBER, ...]}} at the top"
    may_be_struct = ctype.depth == 1 and (is_unknown(ctype) or base.startswith("struct "))
    hint = (
        "a number: 'out: true'; an array: {require: [{dtype: ...}]}; a constant: 'value'; an object: a handle"
        f"{'' if ' ' in base else number}"
        f"{'; a string: str' if ctype.reads and is_unknown(ctype) else ''}"
        f"{structs if may_be_struct else ''}"
    )
    return entry.unclear(f"is unknown: '{base}' is not a tensor, a handle or a number", hint, base)


def _hint_for_pointers(entry: ParameterEntry) -> str | None:
    ctype, base, name = entry.ctype, entry.ctype.base, entry.parameter.name
    rows = f"rows of an array of two axes: args: {{{name}: rows}}"
    string = f"a string that C gives: {{{name}: {{out: true}}}}; "
    strings = f"several strings that Python gives: {{{name}: strings}}"
    if ctype.depth == 2 and not ctype.reads and base in BYTES:
        others = f"a string: {{{name}: {{out: true}}}}; {strings}" if base == "char" else rows
        owned = f"bytes that C makes: args: {{{name}: {{of: bytes, out: true, size: ...}}}}"
        return f"{owned}, and their release in 'finally'; {others}"
    if base == "char":
        return f"{'' if ctype.pointers[-1] else string}{strings}" if ctype.depth == 2 else None
    return rows if entry.names.number(base) not in (None, "char") else None
