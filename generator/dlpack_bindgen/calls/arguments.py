"""The arguments of a call: rules about their entries in `args`, their defaults and their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.calls import lifetimes
from dlpack_bindgen.calls.argument_kind import DEFAULT, Argument, ParameterEntry, kept
from dlpack_bindgen.calls.argument_kinds import KINDS
from dlpack_bindgen.calls.feature import Feature
from dlpack_bindgen.calls.function_keys import ARGS, KEYWORD_ONLY, POSITIONAL_ONLY, RETURNS
from dlpack_bindgen.calls.lengths import is_open, lengths
from dlpack_bindgen.calls.object import BORROW
from dlpack_bindgen.calls.result_kind import OPTIONAL
from dlpack_bindgen.calls.result_kinds import RESULT
from dlpack_bindgen.calls.spec_names import declared_params
from dlpack_bindgen.language.keys import MAX_RANK, PARAMETER
from dlpack_bindgen.language.values import Items, Leaf, is_record, is_true, items_of, leaf_of
from dlpack_bindgen.tensor import accepts
from dlpack_bindgen.tensor.accepts import possible_dtypes
from dlpack_bindgen.tensor.imports import ALLOCATE_OF_TENSOR
from dlpack_bindgen.tensor.match_rules import rank_bounds
from dlpack_bindgen.tensor.requirements import REQUIRE_OF_ARGUMENT, NewOutput
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Span, UnknownName, listed

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


class Arguments(Feature):
    """The entries of `args`, and the order of the arguments in Python."""

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        yield from _unknown_parameters(call)
        for each, argument in call.pairs:
            yield from argument.kind.problems(each, argument.ctype, call)
            yield from _default(each, argument, call)
            yield from _requirements(each, argument, call)
        if call.is_whole:
            yield from _order(call)
        yield from _listed_arguments(call)
        yield from _returned(call)


# ---- Rules for the entries of `args`: those for defaults, and for requirements ----

_REFERENCES = tuple(key.name for kind in KINDS for key in kind.keys if key.kind is PARAMETER)
"""Keys of an argument whose value is another parameter."""
_MEASURED = ("shape", "count")


def _default(each: ParameterEntry, argument: Argument, call: Call) -> Iterator[Diagnostic]:
    if not each.has_entry:
        return
    if is_true(each.fields[OPTIONAL]) and DEFAULT in each.fields:
        message = "with a default, it is optional already"
        yield Diagnostic("without-effect", each.place(OPTIONAL), message)
    if (made := argument.kind.new_output) is not None:
        yield from _new_outputs(each, argument, made, call)
    elif default := each.fields[DEFAULT]:
        yield from _names_in_default(default, each, call)


def _names_in_default(default: Leaf, each: ParameterEntry, call: Call) -> Iterator[Diagnostic]:
    """Yields names in a default that are not numbers or strings before it. Its own name may be a type of C."""
    earlier = [call.find(other.parameter.name) for other in call.entries[: call.entries.index(each)]]
    read = {argument.name for argument in earlier if argument and argument.kind.is_read_early}
    others = {other.parameter.name for other in call.entries}
    if call.own_object is not None and (of := call.class_of(call.own_object)) is not None:
        others |= {param.name for param in declared_params(of)}  # read after the numbers
    others.discard(each.parameter.name)
    for name in ctext.names(default.text):
        if name in others and name not in read:
            message = f"'{name}' is not known here: a default can use the numbers and strings before it"
            yield Diagnostic("used-too-early", default.span, message)
            return


def _requirements(each: ParameterEntry, argument: Argument, call: Call) -> Iterator[Diagnostic]:
    required = each.fields[REQUIRE_OF_ARGUMENT]
    of = call.names.classes.get(argument.kind.class_name or "")
    problems: list[Diagnostic] = []
    accepts.check_requirements(required, of.fields if of else None, problems.append)
    yield from problems
    for record in required.records() if required else ():
        key = next((key for key in _MEASURED if key in record.given), None)
        is_counted = argument.kind.is_table_of_strings and key == "count"
        if key is not None and not is_counted and not call.has_shape(argument):
            message = f"'{argument.name}' is not an array, of which '{key}' could be required"
            yield Diagnostic("measure-of", record.given[key], message)


# ---- Rules for `default: like PARAM` and `default: new`: arrays and objects that are new if Python omits them ----

_ALIGNMENT = 64
"""The alignment of a new array in bytes, as in `dlb_array` in the runtime."""


def _new_outputs(each: ParameterEntry, argument: Argument, made: NewOutput, call: Call) -> Iterator[Diagnostic]:
    name, kind, place = argument.name, argument.kind, (each.fields[DEFAULT] or each.fields).span
    names = [each.parameter.name for each in call.entries]
    model = call.find(made.like or "")
    if made.like is not None and made.like not in names:
        message = f"'{call.prototype.name}' has no parameter '{made.like}'"
        yield Diagnostic("unknown-parameter", place, message, facts=UnknownName(made.like, names))
        return
    if (problem := _without_class(argument, call, place)) is not None:
        yield problem
        return
    found: tuple[str, str | None] | None = None
    if not kind.writes:
        found = "a new array has no content, and the function only reads it", None
    elif model is not None and (other := model.kind.new_output) is not None:
        hint: str | None = f"args: {{{name}: {{require: [{{shape: [...]}}], default: new}}}}"
        if other.like is not None:
            hint = f"write 'default: like {other.like}'"
        if other.like in (name, model.name):
            hint = None
        found = f"'{made.like}' is made by default itself, and is not there yet", hint
    elif model is not None and (not call.has_shape(model) or model.kind.may_be_missing):
        found = f"'{made.like}' is not an array, or not always there", None
    elif kind.is_array:
        found = _unknown_array(each, argument, call, made.like is None)
    elif made.like is None:
        found = _unknown_object(argument, call)
    if found is not None:
        yield Diagnostic("default-made", place, *found)


def _without_class(argument: Argument, call: Call, place: Span) -> Diagnostic | None:
    """Returns the problem of a new output whose class does not exist, or makes no objects."""
    name = argument.kind.object_class
    if name is None:
        message, hint = "an object that is made here must have a class", "write at the top: 'arrays: Array'"
        is_missing = call.names.arrays is None
        return Diagnostic("default-made", place, message, hint, cause="arrays") if is_missing else None
    of = call.names.classes[name]
    message = f"no new '{name}' can be made: it has no 'allocate'"
    hint = f"declare 'allocate' in '{name}'; or args: {{{argument.name}: {{out: true}}}} if C fills an empty struct"
    notes = (Note(of.name.span, "the class"),)
    return None if of.allocates else Diagnostic("default-made", place, message, hint, notes, cause=name)


def _unknown_array(
    each: ParameterEntry, argument: Argument, call: Call, is_required: bool
) -> tuple[str, str | None] | None:
    """Returns the message and the hint about a new array with an unknown shape or dtype. `is_required`: `require` must
    declare both."""
    name, require = argument.name, argument.kind.require
    dtypes = require.dtypes or (("its C type",) if argument.kind.element else ())
    shape, counts = lengths(argument)
    least = max([require.ndim[0] if require.ndim else 0, *(value.axis + 1 for value in call.measures(argument))])
    if require.devices is not None and "cpu" not in require.devices:
        return "a new array is on the CPU, which is not accepted", None
    if require.align is not None and require.align > _ALIGNMENT:
        return f"a new array is aligned to {_ALIGNMENT} bytes, not to {require.align}", None
    if is_required and not shape and not counts:
        if is_open(each, argument, call.read_arguments):
            return None  # reported with the lengths
        return f"the shape of a new '{name}' is not declared", _with_requirements(name, "{shape: [...]}")
    if is_required and not shape and least > 1:
        return _too_few_lengths(name, least)
    if is_required and len(dtypes) != 1:
        return f"the dtype of a new '{name}' is not declared", _with_requirements(name, "{dtype: ...}, ...")
    return None


def _unknown_object(argument: Argument, call: Call) -> tuple[str, str | None] | None:
    """Returns the message and the hint about a new object with an unknown shape or dtype."""
    name, of = argument.name, call.names.classes[argument.kind.object_class or ""]
    shape, counts = lengths(argument)
    least, greatest = rank_bounds(of.fields) or (0, MAX_RANK)
    dtypes = argument.kind.require.dtypes or possible_dtypes(of.fields, of.fields[ALLOCATE_OF_TENSOR])
    if not shape and not counts:
        return f"the shape of a new '{name}' is not declared", _with_requirements(name, "{shape: [...]}")
    if not shape and not least <= 1 <= greatest:
        return _too_few_lengths(name, least)
    if len(dtypes) != 1:
        message = f"the dtype of a new '{name}' is not declared: '{of.name.text}' has several"
        return message, _with_requirements(name, "{dtype: ...}, ...")
    return None


def _too_few_lengths(name: str, axes: int) -> tuple[str, str]:
    message = f"'{name}' has {axes} axes, and a 'count' does not give their lengths"
    return message, _with_requirements(name, "{shape: [...]}", "")


def _with_requirements(name: str, required: str, otherwise: str = ", or 'default: like PARAM'") -> str:
    """Returns a hint that declares the requirements of a new output."""
    return f"args: {{{name}: {{require: [{required}], default: new}}}}{otherwise}"


# ---- Rules for the order of arguments in Python: required before optional ones, by position before by name ----


def _order(call: Call) -> Iterator[Diagnostic]:
    """Yields required arguments after optional ones. New outputs may stand anywhere."""
    spans = {each.parameter.name: each.span for each in call.entries}
    optional, before, late, after = list[str](), list[str](), list[str](), ""
    for argument in call.from_python():
        if argument.name in call.at_end or argument.kind.new_output is not None:
            continue
        if argument.kind.may_be_missing:
            optional.append(argument.name)
        elif optional:
            before, late, after = optional.copy(), [*late, argument.name], after or optional[-1]
    if late:
        message = f"'{late[0]}' is required, and comes after '{after}', which is optional"
        notes = (Note(spans[after], "it may be left out"), *(Note(spans[n], f"so must '{n}'") for n in late[1:]))
        default = "them defaults" if late[1:] else "it a default"
        hint = f"give {default}, or write 'keyword_only: [{', '.join(before)}]'"
        yield Diagnostic("required-after-optional", spans[late[0]], message, hint, notes)


def _listed_arguments(call: Call) -> Iterator[Diagnostic]:
    function = call.fields
    given = [argument.name for argument in call.from_python()]
    known = {argument.name for argument in call.arguments}
    last, first = function[POSITIONAL_ONLY], leaf_of(function[KEYWORD_ONLY])
    listed = items_of(function[KEYWORD_ONLY])
    leaves = listed.leaves() if listed else ()
    for leaf in (last, first, *leaves):
        if leaf is not None and leaf.text in known and leaf.text not in given:
            yield Diagnostic("argument-order", leaf.span, f"Python does not give '{leaf.text}'")
    for place, leaf in enumerate(leaves):
        if leaf.text in [each.text for each in leaves[:place]]:
            yield Diagnostic("argument-order", leaf.span, f"'{leaf.text}' is listed twice")
        elif last is not None and leaf.text == last.text:
            yield Diagnostic("argument-order", leaf.span, f"'{leaf.text}' can only be given by position")
    if last is None or first is None or not {last.text, first.text} <= set(given):
        return
    if given.index(first.text) <= given.index(last.text):
        notes = (Note(last.span, "the last one by position"),)
        yield Diagnostic("argument-order", first.span, f"'{first.text}' can be given by position", notes=notes)


# ---- Rules for names of parameters, in `args` and in other keys ----


def _unknown_parameters(call: Call) -> Iterator[Diagnostic]:
    """Yields names that should be parameters of the prototype, and are not."""
    function, args = call.fields, call.fields[ARGS]
    mentioned = [key for key, _ in args.entries] if args else []
    for _, record in args.records() if args else ():
        mentioned += [leaf for key in _REFERENCES if isinstance(leaf := record.value_of(key), Leaf)]
        mentioned += kept(record)
    returns = function[RETURNS]
    if isinstance(returns, Items):
        mentioned += [leaf for leaf in returns.leaves() if leaf.text != "result"]
    elif is_record(returns, RESULT):
        mentioned += [*kept(returns), *([leaf] if (leaf := returns[BORROW]) else [])]
    mentioned += [leaf for leaf in (function[POSITIONAL_ONLY], function[KEYWORD_ONLY]) if isinstance(leaf, Leaf)]
    by_name = items_of(function[KEYWORD_ONLY])
    mentioned += by_name.leaves() if by_name else ()
    known = dict.fromkeys(each.name for each in call.prototype.parameters)
    unknown = [leaf for leaf in mentioned if leaf.text not in known]
    if any(leaf.text == "static" for leaf in unknown):
        borrowed = lifetimes.borrowed(call.fields)
        unknown = [leaf for leaf in unknown if leaf.text != "static" or leaf not in borrowed]
    if not unknown:
        return
    has = f": it has {listed([*known])}" if known else ""
    for leaf in unknown:
        message = f"'{call.prototype.name}' has no parameter '{leaf.text}'{has}"
        yield Diagnostic("unknown-parameter", leaf.span, message, facts=UnknownName(leaf.text, known))


def _returned(call: Call) -> Iterator[Diagnostic]:
    """Yields duplicates in `returns`, and parameters that cannot be returned."""
    listed = items_of(call.fields[RETURNS])
    seen: dict[str, Leaf] = {}
    for leaf in listed.leaves() if listed else ():
        argument = call.find(leaf.text)
        if leaf.text in seen:
            notes = (Note(seen[leaf.text].span, "first here"),)
            yield Diagnostic("duplicate-name", leaf.span, f"'{leaf.text}' is returned twice", notes=notes)
        elif argument is not None and not (argument.by_address or argument.kind.is_returnable):
            message = f"'{leaf.text}' is not changed by the function"
            yield Diagnostic("result-type", leaf.span, message, "declare 'out: true' for a parameter that it fills")
        elif argument is not None and (value := argument.kind.returned) and not value.kind.is_returned:
            message = f"the type of '{leaf.text}' is unknown to Python"
            yield Diagnostic("result-type", leaf.span, message, "declare a handle of its type to return it")
        seen.setdefault(leaf.text, leaf)
