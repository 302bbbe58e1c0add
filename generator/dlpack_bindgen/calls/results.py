"""The results of a call: the values that it returns, in order. The kind of each value converts it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.feature import replaced
from dlpack_bindgen.calls.lifetimes import (
    Storage,
    ctype_of,
    is_in_storage,
    is_unique,
    may_refer_to,
    may_return,
    object_type,
)
from dlpack_bindgen.calls.number import NUMBERS
from dlpack_bindgen.calls.result_kind import (
    EarlierObjects,
    EmittedValue,
    Param,
    PossibleArgument,
    Result,
    ReturnableArgument,
    Target,
    Value,
)
from dlpack_bindgen.dlpack import MAX_NDIM
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.c_names import scope_of
from dlpack_bindgen.tensor.item import RELEASES_NOTHING
from dlpack_bindgen.tensor.shape import EachShape, Shape
from dlpack_bindgen.text.expressions import excludes_null
from dlpack_bindgen.text.fragments import Piece, integer, mentions, replace_names
from dlpack_bindgen.text.types import CType, declared, family

if TYPE_CHECKING:
    from dlpack_bindgen.calls.emitted_function import Body


# ---- Results besides values: an argument, or a tuple of several results ----


class TupleResult(Frozen):
    """Several results."""

    to: Target
    values: str
    """The variable with the objects."""
    count: int


class ArgumentResult(Frozen):
    """An argument that the call returns."""

    to: Target
    argument: str
    arguments_and_index: str
    """The array of all arguments and the index, as C arguments."""


# ---- The values of a call ----


class Results:
    """The values of one call. Kinds of results ask it about the emitted function."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self._call = body.call
        self._ctypes = {name: ctype for name, ctype, _ in body.call.values}
        self.storage = body.own("storage")

    def place(self, name: str) -> str:
        """Returns an array or an object, as a C expression."""
        return self.body.place(name).argument

    @cached_property
    def storages(self) -> list[Storage]:
        """Returns the storages of structs that are returned by value, or filled."""
        found = []
        for emitted in self.emitted.values():
            if not emitted.value.kind.is_object or not emitted.value.of:
                continue
            of, ctype = self.body.class_of(emitted.value.of), emitted.ctype.base
            if emitted.value.may_be_struct and emitted.written is not None:
                found.append(Storage(ctype, self.storage_of(emitted.name), of, emitted.written.base))
            elif self.is_in_storage(emitted.ctype, emitted.value.of):
                variable = self.storage if emitted.name == "result" else emitted.variable
                found.append(Storage(ctype, variable, of))
        return found

    def numbers(self) -> Iterator[tuple[str, str, str]]:
        """Yields the name, C type and kind of each returned number whose C type must be that kind."""
        for emitted in self.emitted.values():
            if number := emitted.value.kind.number:
                yield emitted.name, declared(emitted.ctype, ""), number

    def uses_result(self) -> bool:
        """Returns whether C source, the test of the call or Python reads the result of C."""
        function = self._call
        fragments = [function.error, function.errno, function.undo, function.finally_, *function.returned_sizes]
        fragments += [status for status, _ in function.raises]
        tested = function.ok is not None and function.status == "result"
        return tested or "result" in function.returned or mentions([*fragments, function.ok], "result")

    def pieces(self, to: Target) -> tuple[Piece, ...]:
        """Returns the pieces that set the target to a new reference, or to NULL with an exception."""
        returned = self._call.returned
        if not returned:
            return (Piece("calls/results", "nothing", to),)
        if len(returned) == 1:
            return (self._made(returned[0], to),)
        values = self.body.own("values")
        targets = [Target(f"{values}[{index}]") for index in range(len(returned))]
        items = [self._made(name, target) for name, target in zip(returned, targets, strict=True)]
        found = TupleResult(to, values, len(returned))
        return (Piece("calls/results", "values", found), *items, Piece("calls/results", "tuple", found))

    def is_one_value(self) -> bool:
        """Returns whether the last statement makes the result, so that the function can return it at once.

        Otherwise the result depends on tests for arguments that C can return.
        """
        returned = self._call.returned
        return len(returned) != 1 or not self.same(returned[0])

    def _made(self, name: str, to: Target) -> Piece:
        emitted = self.emitted.get(name)
        if emitted is None:
            found = ArgumentResult(to, self.place(name), self.body.place(name).arguments_and_index)
            made = Piece("calls/results", "argument", found)
            return replaced(self._call.features, self.body.argument(name), made, self.body)
        emitted = replace(emitted, to=to)
        return emitted.kind.buffer_piece(emitted) if emitted.length else emitted.kind.piece(emitted)

    @cached_property
    def emitted(self) -> dict[str, EmittedValue]:
        """Returns the returned values, without arrays and objects that were arguments or are new outputs."""
        return {name: value for name in self._call.returned if (value := self._emitted(name)) is not None}

    def _emitted(self, name: str) -> EmittedValue | None:
        value, argument = self._call.value_of(name), self._call.find(name)
        if argument is not None and argument.by_address:
            value = argument.kind.returned_value() or Result(NUMBERS[family(argument.ctype.base) or "int"])
            ctype = argument.ctype
        elif value is not None:
            ctype = self._ctypes[name]
        else:
            return None
        return EmittedValue(
            results=self,
            name=name,
            variable=self.body.variable(name),
            ctype=ctype_of(value, ctype),
            written=ctype if value.class_type is not None else None,
            value=value,
            to=Target(""),
            length=(argument.ctype.length or "") if argument is not None else "",
        )

    # ---- What a kind of result may ask ----

    def axis(self) -> str:
        """Returns the variable for the number of an axis."""
        return self.body.own("axis") if self._call.find("axis") else "axis"

    def integer(self, expression: str) -> str:
        """Returns a C expression of the spec as an integer of the runtime."""
        return integer(self.body.text(expression))

    def extent(self, shape: EachShape, axis: str) -> str:
        """Returns the extent of an axis."""
        return integer(self.body.text(replace_names(shape.each, {"axis": axis})))

    def owner(self, name: str) -> str:
        """Returns the variable that owns the memory that C has filled; empty: there is none."""
        argument = self.body.argument(name)
        return self.body.owner(argument) if argument.kind.capacity else ""

    def excludes_null(self, name: str) -> bool:
        """Returns whether the test for success excludes that a value is NULL."""
        ok = self._call.ok
        return ok is not None and excludes_null(ok, "%" if name == "result" else name)

    def addresses(self, shape: Shape) -> tuple[str, ...]:
        """Returns the variables with extents that C returns by address."""
        values = self._call.values
        found = [name for name, _, each in values if not each.kind.is_returned and mentions(shape.expressions, name)]
        return tuple(map(self.body.variable, found))

    def capacity_in_axes(self, shape: EachShape) -> str:
        """Returns the capacity of the array that the extents are read from."""
        outputs = [each for each in self.body.arguments if each.kind.returned is not None]
        lengths = [each.ctype.length or "" for each in outputs if mentions([shape.each], each.name)]
        counts = [int(length) for length in lengths if length.isdecimal()]
        return str(min(counts)) if counts and min(counts) < MAX_NDIM else "DLB_MAX_NDIM"

    def is_param(self, name: str) -> bool:
        """Returns whether an argument is a param of an object."""
        return self.body.argument(name).kind.param_owner is not None

    def is_in_storage(self, ctype: CType, of: str) -> bool:
        """Returns whether the memory of a new object stores a struct of the type."""
        return is_in_storage(ctype, self.body.items[of])

    def storage_of(self, name: str) -> str:
        """Returns the variable with the memory for a value whose type may be a struct."""
        return self.storage if name == "result" else self.body.own(f"storage_of_{name}")

    def params(self, name: str, of: str) -> tuple[Param, ...] | None:
        """Returns the params of a returned object; None: objects of its class have no state."""
        item = self.body.items[of]
        if not scope_of("", self.body.class_of(of), item).has_state:
            return None
        bound = [(each.param.name, each.source) for each in self._call.params if each.returned == name]
        reported = {
            param: self.body.variable(param) if source is None else self.body.param(source, param)
            for param, source in bound
        }
        return tuple(Param(each.name, reported.get(each.name, ""), each.value is not None) for each in item.params)

    def same(self, name: str) -> tuple[PossibleArgument, ...]:
        """Returns the arguments that a returned object can be."""
        value = self._call.value_of(name)
        if value is None:
            return ()
        ctype = object_type(self._call, name)
        found = may_return(self._call, name, value, self.body.items) if value.kind.is_object else []
        return tuple(self._test(name, ctype, value, argument) for argument in found)

    def returnable(self, name: str) -> tuple[ReturnableArgument, ...]:
        """Returns the arguments that an object of a returned list can be."""
        value = self._call.value_of(name)
        assert value is not None
        arguments = may_return(self._call, name, value, self.body.items)
        if not arguments and (referred := self._referred(name)):
            arguments = [self.body.argument(each) for each in referred]
        return tuple(self._returnable(argument, value) for argument in arguments)

    def _returnable(self, argument: Argument, value: Value) -> ReturnableArgument:
        kind = argument.kind
        part = "DLB_PY_EACH_ITEM" if kind.is_list else "DLB_PY_PARAM" if kind.param_owner else "DLB_PY_OBJECT_ITSELF"
        return ReturnableArgument(
            argument=self.place(kind.param_owner or argument.name),
            part=part,
            is_same=kind.class_name == value.of,
            param=self.body.variable(argument.name) if kind.param_owner else "",
        )

    def earlier(self, name: str) -> tuple[EarlierObjects, ...]:
        """Returns the results that are made before this one, and that can have the same objects."""
        returned, values = self._call.returned, self.body.own("values")
        value = self._call.value_of(name)
        if value is None or name not in returned or not self.is_unique(name):
            return ()
        return tuple(
            self._earlier(each, f"{values}[{index}]")
            for index, each in enumerate(returned[: returned.index(name)])
            if (other := self._call.value_of(each)) is not None and other.of == value.of and self.is_unique(each)
        )

    def _earlier(self, name: str, made: str) -> EarlierObjects:
        emitted = self.emitted[name]
        if emitted.kind.is_object:
            return EarlierObjects(f"&{emitted.variable}", integer("1"), "1", False, made)
        return EarlierObjects(emitted.variable, emitted.count, emitted.length or "SIZE_MAX", True, made)

    def is_unique(self, name: str) -> bool:
        """Returns whether each object of a value has one owner."""
        value = self._call.value_of(name)
        return value is not None and is_unique(self._call, name, value, self.body.items)

    def is_by_value(self, of: str) -> bool:
        """Returns whether C passes objects of a class by value."""
        return self.body.items[of].by_value

    def may_refer(self, name: str) -> bool:
        """Returns whether a returned object can refer to memory of an argument."""
        return bool(self._referred(name))

    def _referred(self, name: str) -> list[str]:
        value = self._call.value_of(name)
        assert value is not None
        return may_refer_to(self._call, name, value, self.body.items)

    def _test(self, name: str, ctype: CType, value: Value, argument: Argument) -> PossibleArgument:
        """Returns the test after the call whether C has returned the argument."""
        kind, returned, given = argument.kind, self.body.variable(name), self.body.variable(argument.name)
        assert value.of is not None
        place = self.place(kind.param_owner or argument.name)
        again = kind.class_name == value.of
        if kind.is_list:
            item = self.body.own(f"item_of_{argument.name}{'' if name == 'result' else f'_as_{name}'}")
            by_value = self.is_by_value(value.of)
            return PossibleArgument(f"{item} != NULL", item, again, place, returned, by_value, value.may_be_struct)
        item_class = self.body.items[value.of]
        if is_in_storage(ctype, item_class):
            address = given if argument.ctype.pointers else f"&{given}"
            test = f"dlb_is_same_struct(&{returned}, {address}, sizeof {returned})"
        elif ctype.pointers and not value.may_be_struct:
            test = f"{returned} == {given}"
        elif again and item_class.release != RELEASES_NOTHING:
            test = f"DLB_IS_SAME_VALUE({returned}, {given})"
        else:  # such values can be equal numbers that are not objects
            test = f"DLB_IS_SAME_OBJECT({returned}, {given})"
        if kind.optional:
            test = f"{place}.object != NULL && {test}"
        return PossibleArgument(test, f"&{place}", again)
