"""Functions that Python calls, and properties, as the spec declares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from dlpack_bindgen.calls import argument_reader
from dlpack_bindgen.calls.argument_kind import Argument, ParameterEntry
from dlpack_bindgen.calls.argument_reader import parameters
from dlpack_bindgen.calls.derived_arguments import Measure
from dlpack_bindgen.calls.failures import ERRNO, ERROR_OF_FUNCTION, FINALLY, RAISES, UNDO, status, tested
from dlpack_bindgen.calls.feature import Feature
from dlpack_bindgen.calls.features import FEATURES
from dlpack_bindgen.calls.function_keys import (
    KEYWORD_ONLY,
    MACRO,
    NAME,
    POSITIONAL_ONLY,
    RELEASE_GIL,
    REQUIRE,
    TYPE_OF_PROPERTY,
    C,
)
from dlpack_bindgen.calls.lengths import implied
from dlpack_bindgen.calls.object_params import BoundParam, bound_params
from dlpack_bindgen.calls.result_kind import Result, ResultKind, Value
from dlpack_bindgen.calls.spec_names import Class, Mistake, Names, declared_params
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import DOC, IF
from dlpack_bindgen.language.values import Fields, Leaf, Table, c_fragments, is_true, items_of, needed, text_of
from dlpack_bindgen.tensor.match_rules import has_constant_shape, rank_bounds
from dlpack_bindgen.tensor.requirements import Check, checks
from dlpack_bindgen.text.c_checks import Problem
from dlpack_bindgen.text.diagnostics import Report, Span
from dlpack_bindgen.text.names import is_system_error
from dlpack_bindgen.text.types import CType, Prototype, holds, parse, pointed_to


class Property(Frozen):
    """A property of a class, as the spec declares it."""

    name: str
    get: str
    """A C expression with `self` in scope."""
    kind: ResultKind
    of: str | None = None
    """The enumeration, or the class of the object."""
    set: Call | None = None
    """The setter, which takes the object and the value. It has the name of the property."""
    stored: bool = False
    """Whether assignment stores the value in `get`."""
    doc: str | None = None
    condition: str | None = None

    def shows(self, name: str) -> bool:
        """Returns whether the value is the object itself, as an object of the class with that name."""
        return self.kind.is_object and self.of == name and self.get == "self"


class Derived(Frozen):
    """An argument that is derived from another."""

    entry: ParameterEntry
    argument: Argument
    measure: Measure
    of: Argument | None
    """The other argument; None: it has a mistake, or does not exist."""


# ---- Calls: functions of a spec with their prototypes, arguments, results and features ----

SETTER = "set_"
"""The begin of the keys of setters, before the name of the property."""
_ALL_OTHERS = "_"
_DEFAULT = "RuntimeError"
_DEFAULT_RAISES = ((None, _DEFAULT),)


class Call:
    """A function of the spec: its prototype, its arguments, its result and its features.

    The rules check it. A call without mistakes is what the other steps emit and document.
    """

    def __init__(
        self,
        key: str,
        fields: Fields,
        names: Names,
        prototype: Prototype,
        entries: tuple[ParameterEntry, ...],
        read_arguments: tuple[Argument | None, ...],
        read_result: Result | None,
        self_index: int | None,
        own_class: Class | None,
        property_: Fields | None,
    ) -> None:
        """Creates the call. `entries` and `read_arguments` have one item for each parameter, in the order of the
        prototype. None stands for a reported mistake."""
        self.key = key
        """The key in the spec: unique, and part of the C name."""
        self.fields = fields
        self.names = names
        self.prototype = prototype
        self.entries = entries
        self.read_arguments = read_arguments
        self.read_result = read_result
        self.self_index = self_index
        """The index of the parameter that is the object of a method; None: a function, or a class method."""
        self.own_class = own_class
        """The class of a method."""
        self._property = property_

    # ---- The function ----

    @property
    def place(self) -> Span:
        """Returns the place of the prototype."""
        leaf = self.fields[C]
        return leaf.span if leaf else self.fields.span

    @cached_property
    def name(self) -> str:
        """Returns the name in Python."""
        return self.key.removeprefix(SETTER) if self._property is not None else text_of(self.fields[NAME]) or self.key

    @property
    def condition(self) -> str | None:
        """Returns the `#if` condition."""
        return text_of((self._property or self.fields)[IF])

    @property
    def doc(self) -> str | None:
        return text_of(self.fields[DOC]) or None

    @property
    def is_macro(self) -> bool:
        """Returns whether the header has a macro in the place of the function."""
        return is_true(self.fields[MACRO])

    @property
    def release_gil(self) -> bool:
        return is_true(self.fields[RELEASE_GIL])

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        return tuple(found for each in FEATURES if (found := each.read(self)) is not None)

    # ---- Arguments ----

    @property
    def is_whole(self) -> bool:
        """Returns whether no argument has a mistake."""
        return None not in self.read_arguments

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """Returns the arguments without mistakes: one for each parameter, in order, if there are no mistakes."""
        return tuple(each for each in self.read_arguments if each is not None)

    @cached_property
    def pairs(self) -> list[tuple[ParameterEntry, Argument]]:
        """Returns the arguments without mistakes, each with its entry."""
        pairs = zip(self.entries, self.read_arguments, strict=True)
        return [(each, argument) for each, argument in pairs if argument is not None]

    @cached_property
    def _by_name(self) -> dict[str, Argument]:
        return {each.name: each for each in reversed(self.arguments)}

    def find(self, name: str) -> Argument | None:
        return self._by_name.get(name)

    @property
    def own_object(self) -> Argument | None:
        """Returns the parameter that is the object of a method."""
        return self.read_arguments[self.self_index] if self.self_index is not None else None

    @property
    def receiver(self) -> str | None:
        """Returns the name of the parameter that is the object of a method."""
        return self.own_object.name if self.own_object is not None else None

    def from_python(self) -> tuple[Argument, ...]:
        """Returns the arguments that a Python caller passes, without the object of a method."""
        own = self.own_object
        return tuple(each for each in self.arguments if each is not own and each.kind.is_passed)

    @cached_property
    def given(self) -> tuple[Argument, ...]:
        """Returns these arguments in the order of Python."""
        return tuple(sorted(self.from_python(), key=lambda each: each.name in self.at_end))

    @cached_property
    def at_end(self) -> tuple[str, ...]:
        """Returns the names of the keyword-only parameters. They come last in Python, whatever their order in C.

        `keyword_only` is a list of them, or the name of the first one. After the first, required parameters stay
        positional if the first is optional and all parameters before it are required. C often has a context as its
        last parameter.
        """
        listed = items_of(self.fields[KEYWORD_ONLY])
        if listed:
            return tuple(leaf.text for leaf in listed.leaves())
        given = self.from_python()
        names = [each.name for each in given]
        first = text_of(self.fields[KEYWORD_ONLY])
        if first not in names:
            return ()
        place = names.index(first)
        all_behind = not given[place].kind.may_be_missing or any(each.kind.may_be_missing for each in given[:place])
        return tuple(each.name for each in given[place:] if all_behind or each.kind.may_be_missing)

    @property
    def keyword_only(self) -> int:
        """Returns the number of trailing Python parameters that can only be passed by keyword."""
        return len(self.at_end)

    @property
    def positional_only(self) -> int:
        """Returns the number of leading Python parameters that can only be passed by position."""
        last = text_of(self.fields[POSITIONAL_ONLY])
        return [each.name for each in self.given].index(last) + 1 if last else 0

    @property
    def require(self) -> tuple[Check, ...]:
        """Returns the required conditions on the parameters."""
        return checks(self.fields[REQUIRE])

    @cached_property
    def params(self) -> tuple[BoundParam, ...]:
        """Returns the `params` of returned objects that have their values from the call."""
        return tuple(each for each in bound_params(self) if each.is_passed)

    # ---- Results ----

    @property
    def result(self) -> Result:
        """Returns the result of a call without mistakes."""
        return needed(self.read_result)

    @cached_property
    def returned(self) -> tuple[str, ...]:
        """Returns the values that Python gets, in order: `result` and names of parameters (out-parameters, new outputs
        and arguments). No name: None; one: the value itself; several: a tuple."""
        if self.read_result is None:
            return ()
        return argument_reader.returned(
            self.fields, self.read_result, self.arguments, [each.param.name for each in self.params]
        )

    @cached_property
    def values(self) -> tuple[tuple[str, CType, Value], ...]:
        """Returns the result and the variables that the function fills: names, C types and values."""
        filled = [
            (each.name, pointed_to(each.ctype), value)
            for each in self.arguments
            if (value := each.kind.returned) is not None
        ]
        return (("result", self.prototype.result, self.result), *filled)

    @property
    def sizes(self) -> list[str]:
        """Returns the C expressions of the sizes of the bytes and arrays that C returns."""
        return [text for _, _, value in self.values for text in value.sizes]

    @property
    def returned_sizes(self) -> list[str]:
        """Returns the C expressions of the sizes of the values that Python gets. Others are never evaluated."""
        values = {name: value for name, _, value in self.values}
        return [text for name in self.returned if name in values for text in values[name].sizes]

    def value_of(self, name: str) -> Value | None:
        """Returns the value with a name in `returned`; None: it is another argument."""
        return next((value for each, _, value in self.values if each == name), None)

    def outputs(self) -> list[tuple[str, Value]]:
        """Returns the result and the variables that C fills, with their names."""
        values: list[tuple[str, Value]] = [("result", self.read_result)] if self.read_result is not None else []
        return values + [(each.name, value) for each in self.arguments if (value := each.kind.returned)]

    @cached_property
    def derived(self) -> list[Derived]:
        """Returns the arguments without mistakes that are derived from others."""
        found = [(each, argument, argument.kind.measure) for each, argument in self.pairs]
        return [Derived(each, argument, value, self.find(value.of)) for each, argument, value in found if value]

    def measures(self, of: Argument | None = None) -> list[Measure]:
        """Returns the values that are derived from other arguments, or only from `of`."""
        return [each.measure for each in self.derived if of is None or each.measure.of == of.name]

    @cached_property
    def fragments(self) -> list[tuple[str, Leaf]]:
        """Returns the C source in the fields of the function, each with its key."""
        return list(c_fragments(self.fields))

    @property
    def c_text(self) -> list[str | None]:
        """Returns the C source of the spec that stands in the emitted function; None: a missing key."""
        fragments = [self.ok, self.error, self.errno, self.undo, self.finally_, *self.sizes]
        fragments += [expression for expression, _ in self.raises]
        fragments += [text for check in self.require for text in (check.expr, check.error)]
        for argument in self.arguments:
            kind = argument.kind
            fragments += [argument.ctype.length, kind.default, kind.value, *(code for code, _ in kind.codes)]
            fragments += kind.expressions()
            if not kind.is_list:
                fragments += [kind.require.count, *(kind.require.shape or ())]
        return fragments

    # ---- Classes ----

    def class_of(self, argument: Argument) -> Class | None:
        """Returns the class of an object."""
        return self.names.classes.get(argument.kind.object_class or "")

    def has_shape(self, argument: Argument) -> bool:
        """Returns whether the argument is an array, or an object of a tensor."""
        of = self.class_of(argument)
        return argument.kind.is_array or (of is not None and of.is_tensor)

    def highest_rank(self, argument: Argument) -> int | None:
        """Returns the highest rank that the requirements and the class of the argument allow, or None."""
        of = self.class_of(argument)
        known = rank_bounds(of.fields) if of is not None else None
        highest = min((bounds[1] for bounds in (argument.kind.require.ndim, known) if bounds), default=None)
        return 2 if argument.kind.rows else highest

    def struct_of(self, argument: Argument) -> Class | None:
        """Returns the class of an object that C gets by a pointer to a struct, or None."""
        of, is_pointer = self.class_of(argument), argument.ctype.depth > 0
        return of if of and is_pointer and of.type is not None and not self.names.number(of.type) else None

    def one_struct(self, argument: Argument) -> Class | None:
        """Returns the class of the argument if all its objects have one constant shape, or None. A number beside such a
        struct, for example a `vec *`, can only count structs."""
        of = self.struct_of(argument)
        return of if of is not None and of.is_tensor and has_constant_shape(of.fields) else None

    # ---- Failures ----

    @cached_property
    def ok(self) -> str | None:
        """Returns the test for success: an expression with `%` for the result."""
        return tested(self.fields, self.prototype, self.result, self.names)

    @cached_property
    def status(self) -> str:
        """Returns the value that `ok` tests: the result, or a parameter that the function fills."""
        return needed(status(self.ok, self.arguments))

    @property
    def error(self) -> str | None:
        """Returns the message of a failure, as a C expression."""
        return text_of(self.fields[ERROR_OF_FUNCTION])

    @cached_property
    def raises(self) -> tuple[tuple[str | None, str], ...]:
        """Returns built-in exceptions, each with the status (a C expression) for which it is raised. The last one has
        None."""
        written = self.fields[RAISES]
        if isinstance(written, Leaf):
            return ((None, written.text),)
        if not isinstance(written, Table):
            return _DEFAULT_RAISES
        listed = {result.text: exception.text for result, exception in written.leaves()}
        default = listed.pop(_ALL_OTHERS, _DEFAULT)
        return (*listed.items(), (None, default))

    @cached_property
    def errno(self) -> str | None:
        """Returns the number of an OSError, as a C expression; None or 0: no number.

        A function without the key `errno` reports its failures by the `errno` of C if it takes a path, or maps a result
        to an exception for system errors. After other failures, `errno` has no meaning: a library that polls leaves
        EAGAIN in it.
        """
        takes_path = any(each.kind.is_path for each in self.arguments)
        uses_errno = takes_path or any(
            status is not None and is_system_error(exception) for status, exception in self.raises
        )
        return text_of(self.fields[ERRNO]) or ("errno" if uses_errno else None)

    @property
    def undo(self) -> str | None:
        """Returns the statements that run when the test fails."""
        return text_of(self.fields[UNDO])

    @property
    def finally_(self) -> str | None:
        """Returns the statements that run after the result is a Python object, or after the failure."""
        return text_of(self.fields[FINALLY])

    @property
    def specifies_failures(self) -> bool:
        """Returns whether the spec specifies the handling of failures."""
        fragments = (self.error, self.errno, self.undo)
        return self.raises != _DEFAULT_RAISES or any(text is not None for text in fragments)


# ---- Functions with the same name in Python, which Python calls as one ----

T = TypeVar("T")


def alternatives(
    functions: Iterable[T], name: Callable[[T], str], condition: Callable[[T], str | None]
) -> list[tuple[T, ...]]:
    """Returns groups of functions. Python calls the functions of a group by one name, and the arguments choose.

    Two functions with the same name are in different groups if their `if` differ: the preprocessor chooses one of
    them. If a function of the name has no `if`, all functions of the name form one group.
    """
    named: dict[str, list[T]] = {}
    for each in functions:
        named.setdefault(name(each), []).append(each)
    groups: list[tuple[T, ...]] = []
    for same in named.values():
        by_condition: dict[str | None, list[T]] = {}
        for each in same:
            by_condition.setdefault(condition(each), []).append(each)
        groups += [tuple(same)] if None in by_condition else [tuple(each) for each in by_condition.values()]
    return groups


def groups(calls: Iterable[Call]) -> list[tuple[Call, ...]]:
    """Returns the calls in groups: alternatives, or a single call."""
    return alternatives(calls, lambda each: each.name, lambda each: each.condition)


# ---- The reader of a function ----


def read(
    key: str,
    fields: Fields,
    names: Names,
    own_class: Class | None,
    made: Class | None,
    report: Report,
    property_: Fields | None = None,
) -> Call | None:
    """Reads a function. Returns None if the prototype has mistakes, or if the object of the method is ambiguous.

    `own_class` is the class of a method, `made` that of a constructor. `property_` is the property of a setter. `names`
    keeps the call: a second reading returns it.
    """
    if fields in names.calls:
        return names.calls[fields]
    written = text_of(fields[C])
    prototype = parse(written) if written is not None else None
    if prototype is None or isinstance(prototype, Problem):
        return None
    entries = parameters(fields, prototype, names)
    try:
        own = argument_reader.self_index(entries, own_class, names) if own_class else None
    except Mistake as mistake:
        report(mistake.diagnostic)
        return None
    kind = property_[TYPE_OF_PROPERTY] if property_ is not None else None
    if kind is not None and kind.text in names.enums:
        entries = tuple(_as_property(each, kind) if index != own else each for index, each in enumerate(entries))
    found = [
        argument_reader.argument(each, own_class if index == own else None, report)
        for index, each in enumerate(entries)
    ]
    before = [each for each in found if each is not None and each.kind.returned is None]
    known = {each.name for each in (*before, *(declared_params(own_class) if own_class else ()))}
    read_arguments = implied(entries, found, known)
    read_result = argument_reader.result(fields, prototype, names, made, report)
    call = Call(
        f"{SETTER}{key}" if property_ else key,
        fields,
        names,
        prototype,
        entries,
        read_arguments,
        read_result,
        own,
        own_class,
        property_,
    )
    names.calls[fields] = call
    return call


def _as_property(each: ParameterEntry, kind: Leaf) -> ParameterEntry:
    """Returns the parameter of a setter for an enum property. It has the type of the property if `args` gives none."""
    is_declared = each.name is not None or each.has_entry
    return each if is_declared or not holds(each.parameter.ctype, "int") else replace(each, name=kind)
