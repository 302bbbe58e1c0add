"""The readers of arguments and results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from dlpack_bindgen.calls.argument_kind import OUT, Argument, Kind, ParameterEntry
from dlpack_bindgen.calls.argument_kinds import ARGUMENT, ARGUMENT_WORDS, KINDS
from dlpack_bindgen.calls.array import is_shape
from dlpack_bindgen.calls.derived_arguments import CODE_OF, COUNT_OF
from dlpack_bindgen.calls.failures import FINALLY, is_status
from dlpack_bindgen.calls.function_keys import ARGS, REQUIRE, RETURNS, C
from dlpack_bindgen.calls.object import NOT_OF_RECEIVER, passed_by_value
from dlpack_bindgen.calls.result_kind import HIDDEN, OF, SHAPE_OF_RESULT, Result, Source, Value
from dlpack_bindgen.calls.result_kinds import RESULT, RESULT_WORDS, by_type, completed, selected
from dlpack_bindgen.calls.spec_names import Class, Mistake, Names
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import (
    Fields,
    Items,
    Leaf,
    c_fragments,
    condition_of,
    is_record,
    is_true,
    is_whole,
    items_of,
    text_of,
)
from dlpack_bindgen.tensor.requirements import CHECK, EXPR
from dlpack_bindgen.tensor.steps import OK
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Report, Span, shown, within
from dlpack_bindgen.text.fragments import mentions
from dlpack_bindgen.text.types import BYTES, CType, Prototype, declared, is_unknown, place_of

# ---- Reader for the parameters of a function, with their entries in `args` ----

_ORDERS = ("<", "<=", "==", ">", ">=", "!=")


def parameters(function: Fields, prototype: Prototype, names: Names) -> tuple[ParameterEntry, ...]:
    """Returns the parameters of a function, each with its entry in `args`."""
    args = function[ARGS]
    unread = ARGS in function and args is None
    entries = {key.text: (key, value) for key, value in (args.entries if args else ())}
    ending = text_of(function[FINALLY]) or ""
    bounded = _bounded(function[REQUIRE])
    records = [record for _, record in args.records()] if args else []
    coded = {text_of(record[CODE_OF]) for record in records}
    counted = {text_of(record[COUNT_OF]) for record in records}
    shapes = _shapes(function, records)
    found = []
    for parameter in prototype.parameters:
        name, entry = parameter.name, entries.get(parameter.name)
        place, value = (entry[0].span, entry[1]) if entry else (span_of(function, name), None)
        is_broken = unread or (args is not None and name in args.broken) or (value is not None and not is_whole(value))
        has_entry = isinstance(value, Fields)
        span = place if value is None or has_entry else value.span
        fields = value if isinstance(value, Fields) else Fields(ARGUMENT, {}, {}, None, span, False)
        of = value if isinstance(value, Leaf) else fields[OF]
        found.append(
            ParameterEntry(
                parameter,
                of,
                fields,
                has_entry,
                span,
                names,
                is_bounded=name in bounded,
                is_in_finally=ctext.mentions(ending, name),
                is_coded=name in coded,
                is_counted=name in counted,
                is_extent=shapes is None or name in shapes,
                is_broken=is_broken,
            )
        )
    return tuple(found)


def _shapes(function: Fields, entries: Sequence[Fields]) -> set[str] | None:
    """Returns the names in the shapes of returned arrays, or None if a shape has mistakes."""
    records: list[Fields] = [entry for entry in entries if is_true(entry[OUT])]
    if is_record(returns := function[RETURNS], RESULT):
        records.append(returns)
    shapes = [record[SHAPE_OF_RESULT] for record in records if SHAPE_OF_RESULT in record]
    if not all(map(is_shape, shapes)):
        return None
    return {name for shape in shapes if shape for _, leaf in c_fragments(shape) for name in ctext.names(leaf.text)}


def _bounded(conditions: Items | None) -> set[str]:
    """Returns the names that the conditions limit from above, alone or as part of an expression."""
    expressions = [leaf.text for leaf in conditions.leaves()] if conditions else []
    expressions += [text_of(fields[EXPR]) or "" for fields in conditions.records(CHECK)] if conditions else []
    found: set[str] = set()
    for text in expressions:
        for part in ctext.split(text, ("&&",))[0]:
            sides, signs = ctext.split(part, _ORDERS)
            for sign, less, more in zip(signs, sides, sides[1:], strict=False):
                found.update(ctext.names(less) if sign in ("<", "<=", "==") else ())
                found.update(ctext.names(more) if sign in (">", ">=", "==") else ())
            if not signs:
                found.update(ctext.names(part))  # a macro or a function of the library may limit them
    return found


def span_of(function: Fields, name: str) -> Span:
    """Returns the place of a parameter in the prototype."""
    written = function[C]
    return within(written.span, written.text, place_of(written.text, name)) if written else function.span


def written_at(function: Fields) -> Span:
    """Returns the place of the prototype."""
    written = function[C]
    return written.span if written else function.span


# ---- Classification of the parameters of a function by their C types and their entries in `args` ----

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
    found = [each for each in names.named_values.get(kind.default, ()) if each.type in accepted]
    own = kind.returned_value() if found else None
    found.sort(key=lambda each: own is None or each.enum is None or each.enum != own.of)
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
        named = entry.names.find(entry.name, ARGUMENT_WORDS, "argument")
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


# ---- Reader for results of functions, by their C types and the keys `ok` and `returns` ----

NOTHING = Result(HIDDEN)
_OR_NOTHING = "or 'returns: None', or the parameters that are returned"
_MEMBER = r"%\s*\.\s*[A-Za-z_]"


def result(function: Fields, prototype: Prototype, names: Names, made: Class | None, report: Report) -> Result | None:
    """Returns the result of a function. Returns None if it has a mistake, which is reported.

    `made` is the class if the function is a constructor.
    """
    if RETURNS in function and function[RETURNS] is None:
        return None
    try:
        return _Reader(function, prototype, names, made).result()
    except Mistake as mistake:
        report(mistake.diagnostic)
        return None


def returned(function: Fields, found: Result, arguments: Sequence[Argument], params: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of all returned values in order.

    `params` are the values with which returned objects are made. They are not returned by themselves.
    """
    listed = items_of(function[RETURNS])
    if listed:
        return tuple(leaf.text for leaf in listed.leaves())
    if text_of(function[RETURNS]) == "None":
        return ()
    values: list[tuple[str, Value]] = [("result", found)]
    values += [(each.name, each.kind.returned) for each in arguments if each.kind.returned is not None]
    sizes = [(name, text) for name, value in values for text in value.sizes]
    is_size = found.kind.is_integer and mentions([size for of, size in sizes if of != "result"], "result")
    own = ("result",) if found.kind.is_returned and not is_size else ()
    found_out = [each.name for each in arguments if _is_returned(each) and not _is_size(each, sizes)]
    found_out = [name for name in found_out if not is_status(text_of(condition_of(function[OK])), name)]
    return own + tuple(name for name in found_out if name not in params)


def _is_size(argument: Argument, sizes: Sequence[tuple[str, str]]) -> bool:
    """Returns whether the argument is only the size of another value. An array has more elements than a size reads."""
    value = argument.kind.returned
    is_array = value is not None and value.kind.is_array
    return not is_array and mentions([size for of, size in sizes if of != argument.name], argument.name)


def _is_returned(argument: Argument) -> bool:
    value = argument.kind.returned
    return value.kind.is_returned if value is not None else argument.kind.new_output is not None


class _Reader(Frozen):
    """The reader of the result of one function."""

    function: Fields
    prototype: Prototype
    names: Names
    made: Class | None

    def result(self) -> Result:
        returns = self.function[RETURNS]
        if isinstance(returns, Items):
            mentioned = any(leaf.text == "result" for leaf in returns.leaves())
            return self._by_type(returns.span) if mentioned else NOTHING
        if is_record(returns, RESULT) and (of := returns[OF]):
            return self._named(of, returns)
        if isinstance(returns, Leaf) and returns.text != "None":
            return self._named(returns, None)
        if (
            returns is not None
            or self.prototype.result == CType("void")
            or is_status(text_of(condition_of(self.function[OK])))
        ):
            return NOTHING
        plain = self.prototype.result.depth == 0 and not self.names.objects(self.prototype.result)
        if plain and re.search(_MEMBER, text_of(condition_of(self.function[OK])) or ""):
            return NOTHING  # the result is a struct, and `ok` tests its member
        return self._by_type(span_of(self.function, self.prototype.name))

    def _source(self, span: Span, fields: Fields | None) -> Source:
        named = [each.name for each in self.prototype.parameters if self.names.objects(each.ctype)]
        borrow_source = None if not named else named[0] if len(named) == 1 else "PARAM"
        result = self.prototype.result
        fields = fields or Fields(RESULT, {}, {}, None, span, False)
        return Source(result, self.names, span, fields, constructed=self.made, borrow_source=borrow_source)

    def _named(self, name: Leaf, record: Fields | None) -> Result:
        """Returns the result for a type in `returns`, and its other keys."""
        values = ["result", *(each.name for each in self.prototype.parameters)]
        if name.text in values and not self.names.has(name, RESULT_WORDS):
            hint = f"write [{name.text}]"
            if name.text != "result":
                hint += "; 'result' beside it stands for the value that the function returns"
            raise Mistake(
                "unknown-class", name.span, "this is the kind of the result; parameters are returned in a list", hint
            )
        named, source = self.names.find(name, RESULT_WORDS, "result"), self._source(name.span, record)
        kind = selected(named, source)
        value = kind.by_name(named, source)
        if value is None:
            self.names.refuse(source.ctype, name.span)
            raise source.mistake(f"the C function does not return '{name.text}'", kind.hint(source))
        found = Result(**completed(value, source))
        if record is not None and not found.kind.has_objects:
            self._only_of_objects(record, found)
        return found

    def _only_of_objects(self, returns: Fields, found: Result) -> None:
        for key in ("keeps",) if found.kind.is_array else ("borrow", "owned", "keeps", "optional"):
            if key in returns.given and not (found.required and key == "optional"):
                message = f"'{key}' belongs to tensors and handles: everything else is copied"
                hint = "a string that is NULL is None without it" if key == "optional" else None
                raise Mistake("without-effect", returns.given[key], message, hint)

    def _by_type(self, span: Span) -> Result:
        ctype = self.prototype.result
        source = self._source(span, None)
        if (found := by_type(source)) is not None:
            return Result(**completed(found, source))
        if ctype == CType("void"):
            raise Mistake("result-type", span, f"'{self.prototype.name}' returns nothing")
        self.names.refuse(ctype, span)
        pointed = self.names.meant(CType(ctype.base)) if ctype.depth == 1 else []
        for each in pointed:
            message = f"'{each.name.text}' is passed by value, as '{ctype.base}', and this is a pointer to one"
            hint = f"leave 'pass: value' of '{each.name.text}' out if C always has pointers"
            raise Mistake("result-type", span, message, hint)
        message = f"the type '{declared(ctype, '')}' of the result is unknown"
        hint = f"declare a handle or a tensor of this C type; {_OR_NOTHING}"
        if ctype.depth == 1 and ctype.base == "char":
            message = "the owner of this string is not declared"
            hint = "'returns: str' copies it; 'finally: free(result)' ends it"
            if FINALLY in self.function:
                hint = "'returns: str' copies it"
        elif ctype.depth == 2 and ctype.base == "char":
            hint = "'returns: strings' copies a table that NULL ends; 'finally' frees it; "
            hint += "{of: strings, count: N} copies N"
        elif ctype.depth == 2 and (listed := self.names.objects(CType(ctype.base, (False,)))):
            hint = f"a table of {listed[0].name.text}: 'returns: {{of: {listed[0].name.text}, count: N}}'"
        elif ctype.depth == 1 and ctype.base == "void":
            hint = "elements: 'returns: {of: array, dtype: ..., shape: [...]}'; bytes: {of: bytes, size: N}; "
            hint += f"an object: a handle 'type: void'; {_OR_NOTHING}"
        elif ctype.depth == 0 and "(" not in ctype.base:
            hint = f"declare a handle or a tensor of this C type with 'pass: value'; {_OR_NOTHING}"
        elif ctype.depth == 1 and self.names.number(ctype.base):
            hint = "returns: {of: array, shape: [...]} copies it, and with 'borrow' shows it; a tensor 'type: "
            hint += f"{ctype.base}', whose 'params' give its size, is memory of its own"
            of = next((of for each in self.prototype.parameters for of in self.names.objects(each.ctype)), None)
            if of is not None:
                hint = f"a part of '{of.name.text}' is a tensor of its C type, with this call as its 'data'; {hint}"
        raise Mistake("result-type", span, message, hint)
