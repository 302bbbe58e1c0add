"""Conversion of results, output parameters and arrays to Python objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dlpack_bindgen.arguments.kind import Piece
from dlpack_bindgen.bind.functions.keepers import Keepers
from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.bind.functions.operands import Operands
from dlpack_bindgen.bind.functions.references import may_refer_to
from dlpack_bindgen.bind.functions.returned import Tests, ctype_of
from dlpack_bindgen.bind.functions.storages import StorageFacts, is_in_storage
from dlpack_bindgen.bind.scope import scope_of
from dlpack_bindgen.c.fragments import integer, is_number, mentions, python_object, replace_names
from dlpack_bindgen.c.reads import excludes_null
from dlpack_bindgen.c.types import CType, declared, family, pointed_to
from dlpack_bindgen.dlpack import MAX_NDIM
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.facts import (
    ArgumentResult,
    ArrayResult,
    BytesResult,
    FilledResult,
    ItemsResult,
    LoopFacts,
    Member,
    NoResult,
    NullFacts,
    NumberResult,
    ObjectResult,
    StateFacts,
    StringsResult,
    Target,
    TupleResult,
)
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.slots.dtype import constant
from dlpack_bindgen.slots.values import CTypeDType, EachShape, FixedDType, ListedShape, NamedDType, Shape
from dlpack_bindgen.spec.functions import Function, ParamOfMade, capacity
from dlpack_bindgen.spec.spec import Handle, Tensor

_FEW = 16
"""Tuples with at most this many items are built without a loop."""


class _Value(Frozen):
    """One returned value: a variable of a C type."""

    name: str
    ctype: CType
    kind: str
    of: str | None
    borrow: str | None = None
    keeps: tuple[str, ...] = ()
    optional: bool = False
    required: bool = False
    size: str | None = None
    count: str | None = None
    shape: Shape | None = None
    dtype: FixedDType | CTypeDType | None = None
    written: CType | None = None
    """The type of the variable, if the prototype names the pointer type differently."""


def _typed(name: str, ctype: CType, kind: str, value: Value) -> _Value:
    dtype = NamedDType(value.dtype) if value.dtype else CTypeDType(ctype.base, value.is_complex)
    written = ctype if value.twin else None
    facts = (value.optional, value.required, value.size, value.count, value.shape, dtype, written)
    return _Value(name, ctype_of(value, ctype), kind, value.of, value.borrow, value.keeps, *facts)


class Results:
    def __init__(
        self,
        function: Function,
        items: Mapping[str, Tensor | Handle],
        classes: Mapping[str, str],
        enums: Mapping[str, str],
        operands: Operands,
        own: Callable[[str], str],
        variables: Locals,
        keepers: Keepers,
        facts: str,
    ) -> None:
        self._function = function
        self._items = items
        self._classes = classes
        self._enums = enums
        self._operands = operands
        self._own = own
        """Function that returns a variable name that no parameter has."""
        self._variables = variables
        self._keepers = keepers
        self._facts = facts
        """The table of the function."""
        self._given = Tests(function, items, operands, own, variables)
        self._arguments = {argument.name: argument for argument in function.arguments}
        self.storage = own("storage")
        """The variable for the storage of a result by value."""

    def storages(self, label: str) -> list[StorageFacts]:
        """Returns the storages of structs that are returned by value, or filled. A compiler shows `label`."""
        values = [(name, value) for name in self._function.returned if (value := self._value(name)) is not None]
        return [
            StorageFacts(
                type=value.ctype.base,
                variable=self.storage if name == "result" else self._variables[name],
                of=self._classes[value.of],
                label=label,
            )
            for name, value in values
            if value.kind == "object" and value.of is not None and is_in_storage(value.ctype, self._items[value.of])
        ]

    def kinds(self) -> Iterator[tuple[str, str, str]]:
        """Yields the name, C type and kind of each returned number."""
        for name in self._function.returned:
            value = self._value(name)
            if value is not None and value.kind in ("int", "float", "complex", "char", "enum"):
                yield name, declared(value.ctype, ""), "int" if value.kind == "enum" else value.kind

    def uses_result(self, fragments: list[str | None]) -> bool:
        function = self._function
        tested = function.ok is not None and function.status == "result"
        return tested or "result" in function.returned or mentions(fragments, "result")

    def pieces(self, to: Target) -> tuple[Piece, ...]:
        """Returns the pieces that set the target to a new reference, or to NULL with an exception."""
        returned = self._function.returned
        if not returned:
            return (Piece("results/nothing", "made", NoResult(to)),)
        if len(returned) == 1:
            return (self._converted(returned[0], to),)
        values = self._own("values")
        targets = [Target(f"{values}[{index}]") for index in range(len(returned))]
        items = [self._converted(name, target) for name, target in zip(returned, targets, strict=True)]
        facts = TupleResult(to, values, len(returned))
        return (Piece("results/tuple", "declared", facts), *items, Piece("results/tuple", "made", facts))

    def is_one_value(self) -> bool:
        """Returns whether the last statement makes the result, so that the function can return it at once.

        Otherwise the result depends on tests for arguments that C can return.
        """
        returned = self._function.returned
        value = self._value(returned[0]) if len(returned) == 1 else None
        if value is None or value.kind != "object":
            return True
        return not self._given.of(value.name, value.ctype, self._declared_value(value.name))

    def _value(self, name: str) -> _Value | None:
        """Returns the value of a name, or None for an array that was an argument or is a new output."""
        function = self._function
        if name == "result":
            result = function.result
            assert result.kind is not None
            ctype = function.prototype.result
            return _typed("result", ctype, result.kind, result)
        argument = self._arguments[name]
        if argument.by_address:
            kind, of = argument.kind.returned_value() or (family(argument.ctype.base) or "int", None)
            return _Value(name, argument.ctype, kind, of)
        out = argument.kind.returned
        return _typed(name, pointed_to(argument.ctype), out.kind or "", out) if out is not None else None

    def _declared_value(self, name: str) -> Value:
        declared = self._function.value_of(name)
        assert declared is not None
        return declared

    def _converted(self, name: str, to: Target) -> Piece:
        value = self._value(name)
        if value is None:
            return Piece("results/argument", "made", ArgumentResult(to, self._operands.place(name)))
        argument = self._arguments.get(name)
        length = argument.ctype.length if argument is not None else None
        if length and (value.kind in ("bytes", "array") or (value.kind == "str" and not value.ctype.pointers)):
            return self._storage(value, to)
        if length:
            return self._items_of(value, length, to)
        if value.kind == "object":
            return self._object(value, to)
        if value.kind == "array":
            return self._array(value, to)
        variable = self._variables[name]
        if value.kind == "bytes":
            assert value.size is not None
            null = self._null(value, mentions([value.size], name))
            return Piece("results/bytes", "made", BytesResult(to, variable, self._integer(value.size), null))
        if value.count is not None:
            return Piece("results/strings", "made", StringsResult(to, variable, self._integer(value.count)))
        return Piece("results/number", "made", NumberResult(to, self._number(value, variable), self._null(value)))

    def _integer(self, expression: str) -> str:
        return integer(self._variables.text(expression))

    def _null(self, value: _Value, asks: bool = False) -> NullFacts | None:
        """Returns the conversion of a NULL, if C can return one. With `asks`, the other conversion cannot handle it."""
        function = self._function
        never = function.ok is not None and excludes_null(function.ok, "%" if value.name == "result" else value.name)
        if never or not (asks or value.required):
            return None
        return NullFacts(self._variables[value.name], function.name, value.name, value.required)

    def _array(self, value: _Value, to: Target) -> Piece:
        """Returns the copy of the memory behind a pointer, or an array that refers to it."""
        assert value.of is not None and value.shape is not None and value.dtype is not None
        shape, loop = value.shape, None
        wanted = {"DLB_PY_OPTIONAL": value.optional, "DLB_PY_READS": bool(value.ctype.pointers[0])}
        if isinstance(shape, EachShape):
            axis = self._own("axis") if "axis" in self._arguments else "axis"
            loop = LoopFacts(
                ndim=self._own(f"ndim_of_{value.name}"),
                shape=self._own(f"shape_of_{value.name}"),
                axis=axis,
                extent=integer(self._variables.text(replace_names(shape.each, {"axis": axis}))),
                rank=self._integer(shape.ndim),
                most=self._most(shape),
            )
        facts = ArrayResult(
            to=to,
            of=self._classes[value.of],
            variable=self._variables[value.name],
            dtype=constant(value.dtype),
            is_copy=value.borrow is None,
            is_optional=value.optional,
            within=self._operands.place(value.borrow) if value.borrow not in (None, "static") else "",
            flags=tuple(name for name, is_set in wanted.items() if is_set) or ("0",),
            known=tuple(self._variables[name] for name in self._addresses(shape)),
            extents=tuple(map(self._integer, shape.extents)) if isinstance(shape, ListedShape) else (),
            loop=loop,
        )
        return Piece("results/array", "made", facts)

    def _addresses(self, shape: Shape) -> list[str]:
        """Returns the extents that C returns by address."""
        values = self._function.values()
        return [name for name, _, each in values if each.kind == "private" and mentions(shape.expressions, name)]

    def _most(self, shape: EachShape) -> str:
        """Returns the capacity in axes of the array that the extents are read from."""
        outs = [each for each in self._function.arguments if each.kind.returned is not None]
        lengths = [each.ctype.length or "" for each in outs if mentions([shape.each], each.name)]
        counts = [int(length) for length in lengths if length.isdecimal()]
        return str(min(counts)) if counts and min(counts) < MAX_NDIM else "DLB_MAX_NDIM"

    def _storage(self, value: _Value, to: Target) -> Piece:
        """Returns the filled part of a buffer, within its capacity."""
        owner, shape = "", value.shape
        if capacity(self._arguments[value.name]):
            owner = self._keepers.get(value.name)
        is_array = bool(owner) and isinstance(shape, ListedShape)
        facts = FilledResult(
            to=to,
            variable=self._variables[value.name],
            owner=owner,
            of=self._classes[value.of] if value.of else "",
            extents=tuple(map(self._integer, shape.expressions)) if is_array and shape is not None else (),
            size=self._integer(value.size) if value.size is not None else "",
        )
        return Piece("results/filled", "string" if value.kind == "str" else "array" if is_array else "bytes", facts)

    def _items_of(self, value: _Value, length: str, to: Target) -> Piece:
        """Returns the conversion of the numbers of an array to a tuple.

        Short tuples are built without a loop.
        """
        array, items = self._variables[value.name], self._own(f"items_of_{value.name}")
        if is_number(length) and int(length) <= _FEW:
            values = tuple(self._number(value, f"{array}[{i}]") for i in range(int(length)))
            return Piece("results/items", "few", ItemsResult(to, array, items, int(length), values))
        index = self._own("item")
        facts = ItemsResult(to, array, items, 0, (), index, self._number(value, f"{array}[{index}]"))
        return Piece("results/items", "many", facts)

    def _number(self, value: _Value, text: str) -> str:
        if value.kind == "enum":
            assert value.of is not None
            return f"dlb_py_from_enum(&{self._enums[value.of]}, (int64_t){text})"
        return python_object(value.kind, text, value.ctype.base)

    def _object(self, value: _Value, to: Target) -> Piece:
        assert value.of is not None
        item, c_name = self._items[value.of], self._classes[value.of]
        passed, state = self._variables[value.name], None
        in_storage = is_in_storage(value.ctype, item)
        stored = passed if value.name == "result" and in_storage else ""
        if stored:
            passed = self.storage
        if value.written is not None or (value.ctype.pointers and value.ctype.pointers[0]):
            passed = f"({value.ctype.base}{' *' if value.ctype.pointers else ''})(uintptr_t){passed}"
        if scope_of("", c_name, item).has_state:
            state = self._state(value, item, self._own(f"made_{value.name}"), passed)
            passed = f"&{state.variable}"
        wanted = {
            "DLB_PY_OPTIONAL": value.optional,
            "DLB_PY_IN_STORAGE": in_storage,
            "DLB_PY_READS": value.written.reads if value.written is not None else value.ctype.reads,
        }
        if value.written is not None and not value.written.pointers:
            wanted[f"DLB_PY_READS_IF_CONST({value.written.base})"] = True
        same = tuple(self._given.of(value.name, value.ctype, self._declared_value(value.name)))
        owner, kept = self._owner_of(value)
        facts = ObjectResult(
            to=to,
            of=c_name,
            passed=passed,
            flags=tuple(name for name, is_set in wanted.items() if is_set) or ("0",),
            stored=stored,
            storage=self.storage if in_storage else "",
            state=state,
            owner=owner,
            function=self._facts,
            arrays=self._operands.arrays,
            kept=kept,
            same=same,
            is_stored_first=not all(each.is_same for each in same),
        )
        return Piece("results/object", "given_or_made" if same else "made", facts)

    def _owner_of(self, value: _Value) -> tuple[str, tuple[str, ...]]:
        """Returns how an object is kept alive, as a macro of the template, and the arguments for it."""
        if may_refer_to(self._function, value.ctype, self._declared_value(value.name), self._items):
            return "referring", self.places(value.keeps)
        if len(value.keeps) == 1:
            is_beside = self._arguments[value.keeps[0]].kind.param_owner is not None
            return "beside" if is_beside else "keeping", self.places(value.keeps)
        if value.keeps:
            return "keeping_all", self.places(value.keeps)
        if value.borrow is None:
            return "owned", ()
        return "borrowed", () if value.borrow == "static" else (self._operands.place(value.borrow),)

    def places(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Returns the places of several parameters, each once."""
        kinds = [(name, self._arguments[name].kind) for name in names]
        return tuple(dict.fromkeys(self._operands.place(kind.param_owner or name) for name, kind in kinds))

    def _state(self, value: _Value, item: Tensor | Handle, variable: str, made: str) -> StateFacts:
        """Returns the state of a returned object. `params` have their defaults, unless the function reports a value."""
        own = {param.name: self._param(param) for param in self._function.params if param.returned == value.name}
        has_defaults = any(param.value is not None and param.name not in own for param in item.params)
        late = [each.name for each in item.params if each.name in own and each.value is not None and has_defaults]
        early = [param.name for param in item.params if param.name in own and param.name not in late]
        return StateFacts(
            variable=variable,
            early=(Member("self", made), *(Member(name, own[name]) for name in early)),
            has_defaults=has_defaults,
            late=tuple(Member(name, own[name]) for name in late),
        )

    def _param(self, param: ParamOfMade) -> str:
        return self._variables[param.name] if param.source is None else self._operands.param(param.source, param.name)
