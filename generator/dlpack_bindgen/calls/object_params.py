"""Params of the objects that a call makes: of results, and by the factories of arguments, `import` for an array and
`allocate` for a new output.

The value of a param comes from the argument of that name and C type. Without such an argument, it is the object of a
method, if that has the C type. Otherwise it comes from the objects of the call that were made with a param of that name
and C type.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import DEFAULT, Argument, Kind, ParameterEntry
from dlpack_bindgen.calls.feature import Feature
from dlpack_bindgen.calls.spec_names import Class, Declared, Names, declared_among, declared_params
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Fields, text_of
from dlpack_bindgen.tensor.import_parts import PARAMS_OF_MAKING
from dlpack_bindgen.tensor.imports import factories_of
from dlpack_bindgen.tensor.item import Import
from dlpack_bindgen.tensor.requirements import COPY_OF_ARGUMENT
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.fragments import Table
from dlpack_bindgen.text.literals import joined
from dlpack_bindgen.text.types import CType, becomes, declared

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body


class FactoryParam(Frozen):
    """A source of a param of the import, or of the allocation, by which an argument becomes an object."""

    argument: str
    verb: str
    """`import` or `allocate`."""
    index: int
    """The index of the param."""
    source: str
    """The argument with the value."""
    of_object: str | None = None
    """The param with the value, with which the object of the source was made; None: the source itself is the value."""


class FactoryParams(Feature, Frozen):
    params: tuple[FactoryParam, ...]
    """In the order of preference."""

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        """Yields arrays and new outputs whose factories have params for which the call has no values."""
        for each, argument in call.pairs:
            for verb, making in _factories(call, argument):
                missing = _missing(call, argument, verb)
                if verb == "allocate" and missing:
                    place = each.place(DEFAULT)
                    message = (
                        f"no new '{argument.kind.class_name}' can be made: {_why(call, argument, verb, missing[0])}"
                    )
                    hint = "give the param a default, or leave 'default' out"
                    note = Note(making.span, "the allocation")
                    yield Diagnostic("default-made", place, message, hint, (note,))
                elif verb == "import" and text_of(each.fields[COPY_OF_ARGUMENT]) == "allowed":
                    yield from _copy(call, each, argument, missing)

    @classmethod
    def read(cls, call: Call) -> FactoryParams | None:
        params = tuple(_params(call))
        return cls(params) if params else None

    def of(self, argument: Argument) -> list[FactoryParam]:
        return [each for each in self.params if each.argument == argument.name]

    def flags(self, argument: Argument, body: Body) -> Iterator[str]:
        """Yields the flag of an array that becomes an object which a factory of another argument needs."""
        is_source = any(each.source == argument.name and each.of_object is None for each in self.params)
        item = body.items.get(argument.kind.object_class or "")
        if is_source and item is not None and item.import_ is not None and argument.name != body.receiver:
            yield "DLB_PY_REFERRED"

    def handed(self, argument: Argument, body: Body) -> list[str]:
        return [each.source for each in self.of(argument)]

    def tables(self, argument: Argument, body: Body) -> Iterator[Table]:
        if found := self.of(argument):
            entries = tuple(f"{{ {', '.join(_members(each, argument, body))} }}" for each in found)
            yield Table("const dlb_py_param_source", _table(argument, body), entries, is_array=True)

    def members_of(self, argument: Argument, body: Body) -> Iterator[str]:
        if found := self.of(argument):
            yield f".sources = {_table(argument, body)}"
            yield f".source_count = {len(found)}"


def has_params(call: Call, argument: Argument, made: Import) -> bool:
    """Returns whether the call has the required params of the import."""
    found = [each.index for each in _of_import(call, argument)]
    return all(index in found or param.value is not None for index, param in enumerate(made.params))


def params_in_words(call: Call, argument: Argument) -> str:
    """Returns the params of the import of an array that the call has, in words."""
    found, own = _of_import(call, argument), call.receiver
    named = {
        each.index: "this object" if each.source == own else f"`{each.source}`"
        for each in found
        if each.of_object is None
    }
    for each in found:
        if each.of_object is not None and each.index not in named:
            owners = [f"`{other.source}`" for other in found if other.index == each.index]
            named[each.index] = f"the `{each.of_object}` of {'this object' if each.source == own else joined(owners)}"
    return " and ".join(named.values())


def _of_import(call: Call, argument: Argument) -> list[FactoryParam]:
    found = next((each for each in call.features if isinstance(each, FactoryParams)), None)
    return [each for each in found.of(argument) if each.verb == "import"] if found is not None else []


def _table(argument: Argument, body: Body) -> str:
    return f"{body.tables}_{argument.name}_sources"


def _members(param: FactoryParam, argument: Argument, body: Body) -> Iterator[str]:
    """Yields the members of a source."""
    if param.verb == "allocate":
        yield ".allocates = 1"
    yield f".param = {param.index}"
    if body.operand(param.source) < 0:
        yield ".operand = -1"
        yield f".at = {body.variables_of(argument).index(param.source)}"
        return
    yield f".operand = {body.operand(param.source)}"
    if param.of_object is not None:
        source = next(each for each in body.arguments if each.name == param.source)
        params = [each.name for each in body.items[source.kind.class_name or ""].params]
        yield f".at = {1 + params.index(param.of_object)}"


def _params(call: Call) -> Iterator[FactoryParam]:
    """Yields the sources of all params, in the order of preference."""
    for argument in call.arguments:
        for verb, making in _factories(call, argument):
            for index, param in enumerate(declared_among(making[PARAMS_OF_MAKING])):
                for source, of_object in _sources(call, argument, param):
                    yield FactoryParam(argument.name, verb, index, source.name, param.name if of_object else None)


def _missing(call: Call, argument: Argument, verb: str) -> list[Declared]:
    """Returns the required params of the factory for which the call has no value."""
    return [
        param
        for each, making in _factories(call, argument)
        for param in declared_among(making[PARAMS_OF_MAKING])
        if each == verb and param.required and not _sources(call, argument, param)
    ]


def _factories(call: Call, argument: Argument) -> Iterator[tuple[str, Fields]]:
    """Yields the factories of the class that the call uses for the argument, each with its key."""
    kind = argument.kind
    of = call.names.classes.get(kind.class_name or "")
    takes_arrays = not kind.needs_own and argument is not call.own_object
    for verb, making in factories_of(of.fields) if of is not None else ():
        if (verb == "import" and takes_arrays) or (verb == "allocate" and kind.new_output is not None):
            yield verb, making


def _sources(call: Call, argument: Argument, param: Declared) -> list[tuple[Argument, bool]]:
    """Returns the arguments with the value of the param, each with whether its object has the value as a param."""
    named = call.find(param.name)
    if named is not None and named is not argument and not named.kind.is_list and _is_same(named.ctype, param.ctype):
        if named.kind.is_operand and named.kind.object_class is not None:
            return [(named, False)]
        if named.kind.is_read_early and not named.kind.takes and not _is_late(call, named.kind):
            return [(named, False)]
        owner = call.find(named.kind.param_owner or "")
        if owner is not None and owner is not argument:
            return [(owner, True)]
    receiver = call.own_object
    if receiver is not None and receiver is not argument and _is_same(receiver.ctype, param.ctype):
        return [(receiver, False)]
    found = [each for each in call.arguments if each is not argument and _has_param(call.class_of(each), param)]
    return [(each, True) for each in found if receiver not in found or each is receiver]


def _has_param(of: Class | None, param: Declared) -> bool:
    return of is not None and any(
        each.name == param.name and _is_same(each.ctype, param.ctype) for each in declared_params(of)
    )


def _is_same(ctype: CType, wanted: CType) -> bool:
    """Returns whether both types differ by `const` only. A factory takes the object itself, whatever the call does."""
    if ctype.length is not None or ctype.extents:
        return False
    return (ctype.base, ctype.depth) == (wanted.base, wanted.depth)


def _is_late(call: Call, kind: Kind) -> bool:
    """Returns whether the default value depends on other arguments: it is known too late."""
    default = kind.default
    return default is not None and any(ctext.mentions(default, each.name) for each in call.arguments)


def _copy(call: Call, each: ParameterEntry, argument: Argument, missing: list[Declared]) -> Iterator[Diagnostic]:
    """Yields a `copy` where no array is copied. `missing`: the params for which the call has no value."""
    place, of = each.place(COPY_OF_ARGUMENT), argument.kind.class_name or ""
    if missing:
        given = "".join(f", {param.name}=..." for param in missing)
        message = f"no array is taken here: {_why(call, argument, 'import', missing[0])}"
        hint = f"leave 'copy' out: Python gives {of}.from_dlpack(x{given})"
        yield Diagnostic("without-effect", place, message, hint)
    elif argument.kind.writes and _has_params(call, argument):
        message = f"an array becomes a '{of}' of its own, from which nothing is copied back"
        yield Diagnostic("without-effect", place, message, "leave 'copy' out: such arrays are refused")


def _has_params(call: Call, argument: Argument) -> bool:
    return any(
        verb == "import" and any(declared_among(making[PARAMS_OF_MAKING]))
        for verb, making in _factories(call, argument)
    )


def _why(call: Call, argument: Argument, verb: str, param: Declared) -> str:
    """Returns why the call has no value for the param."""
    name, wanted = param.name, declared(param.ctype, "").strip()
    named = call.find(name)
    has = f"'{call.prototype.name}' has no parameter of that name"
    if named is not None and named is not argument:
        has = f"the parameter '{name}' is a '{declared(named.ctype, '').strip()}'"
        if named.kind.object_class is None and not named.kind.is_read_early:
            has = f"the value of the parameter '{name}' is known too late"
    return f"its '{verb}' needs the '{wanted}' '{name}', and {has}"


# ---- Values for the `params` of objects that a function returns ----
# Each value comes from a parameter of the same name and type, or from an object argument that was made with it. The
# result must keep that argument alive if the value is an object.


class ResultParams(Feature):
    """The params of the objects that a function returns."""

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        """Yields returned objects without a required param, if all arguments are valid."""
        if not call.is_whole:
            return
        spans = {"result": call.place, **{each.parameter.name: each.span for each in call.entries}}
        for bound in bound_params(call):
            param, of = bound.param, bound.of.name.text
            if bound.is_passed or not param.required:
                continue
            made = f"'{call.prototype.name}' makes a '{of}'"
            message = f"'{param.name}' is required, and {made} without it"
            hint = "give it a default, or the function a parameter of that name and type"
            hint += ", or an object that has it" if bound.is_plain else ""
            given = call.find(bound.source or param.name)
            if given is not None and not given.kind.ends_with_call and given.kind.can_be_kept:
                where = f"returns: {{of: {of}, " if bound.returned == "result" else "{out: true, "
                hint = f"an object must outlive the result: write '{where}keeps: {given.name}}}', or give it a default"
            elif given is not None and given.kind.ends_with_call:
                hint = "give it a default: strings and arrays live until the call ends"
            notes = (Note(param.leaf.span, "the parameter"),)
            yield Diagnostic("param-unset", spans[bound.returned], message, hint, notes)


class BoundParam(Frozen):
    """One of the `params` of a returned object, and where its value comes from."""

    returned: str
    """`result`, or the name of an out-parameter."""
    of: Class
    param: Declared
    is_passed: bool
    """Whether the function has a value for it."""
    is_plain: bool
    """Whether it is passed by value and is not an object. An object argument can provide it without being kept."""
    source: str | None = None
    """The object parameter that provides the value if no parameter has this name."""


def bound_params(call: Call) -> Iterator[BoundParam]:
    """Yields the `params` of all returned objects."""
    names = call.names
    for returned, of, kept in _objects(call):
        if (found := names.classes.get(of or "")) is None:
            continue
        for param in declared_params(found):
            argument, source = call.find(param.name), None
            if argument is None and param.required:
                made_with = [each.name for each in call.arguments if _was_made_with(each.kind, param, names)]
                source = made_with[0] if len(made_with) == 1 else None
            plain = _is_plain(param.ctype, names)
            passed = argument is not None and _has(argument, param.ctype) and _lasts(argument, kept, names)
            passed = passed or (source is not None and (plain or source in kept))
            yield BoundParam(returned, found, param, passed, plain, source)


def _is_plain(ctype: CType, names: Names) -> bool:
    return not ctype.depth and not names.objects(ctype)


def _was_made_with(given: Kind, param: Declared, names: Names) -> bool:
    of = names.classes.get(given.object_class or "")
    if of is None or given.may_be_missing or given.takes:
        return False
    return any(each.name == param.name and each.ctype == param.ctype for each in declared_params(of))


def _objects(call: Call) -> Iterator[tuple[str, str | None, tuple[str, ...]]]:
    """Yields each returned object: its name, its class, and the parameters that it keeps alive."""
    for name, value in call.outputs():
        if value.kind.is_object:
            yield name, value.of, (value.borrow,) if value.borrow else value.keeps


def _has(argument: Argument, ctype: CType) -> bool:
    """Returns whether the argument has the type, or points to a variable of the type that the function fills."""
    if argument.kind.returned is not None:
        target = CType(argument.ctype.base, argument.ctype.pointers[:-1])
        return argument.ctype.length is None and becomes(target, ctype)
    return becomes(argument.ctype, ctype)


def _lasts(argument: Argument, kept: tuple[str, ...], names: Names) -> bool:
    """Returns whether the value of the argument stays valid after the call."""
    return argument.kind.is_valid_after_call(argument.name, kept, not _is_plain(argument.ctype, names))
