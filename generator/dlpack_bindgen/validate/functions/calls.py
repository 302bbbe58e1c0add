"""Functions of a spec with their prototypes, arguments and results."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.kind import OtherArgument
from dlpack_bindgen.arguments.measure import Measure
from dlpack_bindgen.c.problem import Problem
from dlpack_bindgen.c.prototype import parse
from dlpack_bindgen.c.types import CType, Prototype, holds
from dlpack_bindgen.diagnostics import Diagnostic, Span
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.functions import FunctionFields
from dlpack_bindgen.language.names import Class, Mistake, Names
from dlpack_bindgen.language.values import Leaf, is_true, text_of
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.spec.functions import Argument, Result
from dlpack_bindgen.validate import conditions
from dlpack_bindgen.validate.functions import arguments, results
from dlpack_bindgen.validate.functions.declared import declared_params
from dlpack_bindgen.validate.functions.lengths import implied
from dlpack_bindgen.validate.functions.parameters import parameters
from dlpack_bindgen.validate.ranks import has_constant_shape, rank_bounds
from dlpack_bindgen.validate.structure import Report


class Call(Frozen):
    function: FunctionFields
    place: Span
    prototype: Prototype
    entries: tuple[ParameterEntry, ...]
    """All parameters, in the order of the prototype."""
    arguments: tuple[Argument | None, ...]
    """One item for each parameter. None stands for a reported mistake."""
    result: Result | None
    """The result. None stands for a reported mistake."""
    self_index: int | None
    names: Names
    releases_gil: bool

    def sound(self) -> tuple[Argument, ...]:
        return self._sound

    @cached_property
    def pairs(self) -> list[tuple[ParameterEntry, Argument]]:
        """Returns the arguments without mistakes, each with its entry."""
        pairs = zip(self.entries, self.arguments, strict=True)
        return [(each, argument) for each, argument in pairs if argument is not None]

    @cached_property
    def returned(self) -> tuple[str, ...]:
        """Returns the names of the values that Python gets: `result` and parameters."""
        from dlpack_bindgen.validate.functions.bound_params import bound_params

        if self.result is None:
            return ()
        params = [each.name for each in bound_params(self, self.names) if each.passed]
        return results.returned(self.function, self.result, self.sound(), params)

    def outputs(self) -> list[tuple[str, Value]]:
        """Returns the result and the variables that C fills, with their names."""
        values: list[tuple[str, Value]] = [("result", self.result)] if self.result is not None else []
        return values + [(each.name, value) for each in self.sound() if (value := each.kind.returned)]

    def measures(self, of: str | None = None) -> list[Measure]:
        """Returns the values that are derived from other arguments, or only from `of`."""
        found = [value for each in self.sound() if (value := each.kind.measure)]
        return found if of is None else [value for value in found if value.of == of]

    @cached_property
    def _sound(self) -> tuple[Argument, ...]:
        return tuple(each for each in self.arguments if each is not None)

    @cached_property
    def _by_name(self) -> dict[str, Argument]:
        return {each.name: each for each in reversed(self._sound)}

    def find(self, name: str) -> Argument | None:
        return self._by_name.get(name)

    def class_of(self, argument: OtherArgument) -> Class | None:
        """Returns the class of an object."""
        return self.names.classes.get(argument.kind.object_class or "")

    def has_shape(self, argument: OtherArgument) -> bool:
        of = self.class_of(argument)
        return argument.kind.is_array or (of is not None and of.is_tensor)

    def highest_rank(self, argument: OtherArgument) -> int | None:
        """Returns the highest rank that the requirements and the class of the argument allow, or None."""
        of = self.class_of(argument)
        known = rank_bounds(of.fields) if of is not None else None
        highest = min((bounds[1] for bounds in (argument.kind.require.ndim, known) if bounds), default=None)
        return 2 if argument.kind.rows else highest

    def struct_of(self, argument: OtherArgument) -> Class | None:
        """Returns the class of an object that C gets by a pointer to a struct, or None."""
        of, is_pointer = self.class_of(argument), argument.ctype.depth > 0
        return of if of and is_pointer and of.type is not None and not self.names.number(of.type) else None

    def one_struct(self, argument: OtherArgument) -> Class | None:
        """Returns the class of the argument if all its objects have one constant shape, or None. A number beside such a
        struct, for example a `vec *`, can only count structs."""
        of = self.struct_of(argument)
        return of if of is not None and of.is_tensor and has_constant_shape(of.fields) else None

    def is_one_struct(self, argument: OtherArgument) -> bool:
        return self.one_struct(argument) is not None

    def params(self, of: str) -> dict[str, CType]:
        return {param.name: param.ctype for param in declared_params(self.names.classes[of])}

    def key_problems(self, key: Leaf, of: str, otherwise: str) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        conditions.compared(key, of, found.append, otherwise=otherwise)
        return found

    def from_python(self) -> tuple[Argument, ...]:
        """Returns the arguments that a Python caller passes, without the object of a method."""
        own = self.arguments[self.self_index] if self.self_index is not None else None
        return tuple(each for each in self.sound() if each is not own and each.kind.is_passed)


def read(
    function: FunctionFields,
    names: Names,
    own_class: Class | None,
    made: Class | None,
    report: Report,
    kind: Leaf | None = None,
) -> Call | None:
    """Reads a function. Returns None if the prototype has mistakes, or if the object of the method is ambiguous.

    `own_class` is the class of a method, `made` that of a constructor. `kind` is the type of a property that is set.
    """
    written = text_of(function.c)
    prototype = parse(written) if written is not None else None
    if prototype is None or isinstance(prototype, Problem):
        return None
    entries = parameters(function, prototype, names)
    try:
        own = arguments.self_index(entries, own_class, names) if own_class else None
    except Mistake as mistake:
        report(mistake.diagnostic)
        return None
    if kind is not None and kind.text in names.enums:
        entries = tuple(_as_property(each, kind) if index != own else each for index, each in enumerate(entries))
    found = [
        arguments.argument(each, own_class if index == own else None, report) for index, each in enumerate(entries)
    ]
    before = [each for each in found if each is not None and each.kind.returned is None]
    known = [each.name for each in (*before, *(declared_params(own_class) if own_class else ()))]
    leaf = function.c
    return Call(
        function=function,
        place=leaf.span if leaf else function.span,
        prototype=prototype,
        entries=entries,
        arguments=implied(entries, found, known),
        result=results.result(function, prototype, names, made, report),
        self_index=own,
        names=names,
        releases_gil=is_true(function.release_gil),
    )


def _as_property(each: ParameterEntry, kind: Leaf) -> ParameterEntry:
    """Returns the parameter of a setter for an enum property. It has the type of the property if `args` gives none."""
    is_declared = each.name is not None or each.has_entry
    return each if is_declared or not holds(each.parameter.ctype, "int") else replace(each, name=kind)
