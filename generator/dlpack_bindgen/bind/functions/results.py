"""Conversion of results, output parameters and arrays to Python objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dlpack_bindgen.bind.accepts import MAX_NDIM
from dlpack_bindgen.bind.functions.ctypes import pointed_to
from dlpack_bindgen.bind.functions.keepers import Keepers
from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.bind.functions.operands import Operands
from dlpack_bindgen.bind.functions.references import may_refer_to
from dlpack_bindgen.bind.functions.returned import Tests, ctype_of
from dlpack_bindgen.bind.functions.storages import Storage, is_in_storage
from dlpack_bindgen.bind.scope import scope_of
from dlpack_bindgen.bind.slots import known_dtype
from dlpack_bindgen.c.fragments import integer, is_number, mentions, python_object, replace_names
from dlpack_bindgen.c.reads import excludes_null
from dlpack_bindgen.c.types import CType, declared, family
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.functions import Function, Out, ParamOf, ParamOfMade, Result, capacity
from dlpack_bindgen.spec.slots import CTypeDType, EachShape, FixedDType, ListedShape, NamedDType, Shape
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


def _typed(name: str, ctype: CType, kind: str, value: Result | Out) -> _Value:
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

    def storages(self) -> list[Storage]:
        """Returns the storages of structs that are returned by value, or filled."""
        values = [(name, value) for name in self._function.returned if (value := self._value(name)) is not None]
        return [
            Storage(
                self.storage if name == "result" else self._variables[name], value.ctype.base, self._classes[value.of]
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

    def lines(self, answer: str) -> list[str]:
        """Returns the statements that set `answer` to a new reference, or to NULL with an exception."""
        returned = self._function.returned
        if not returned:
            return [f"{answer} = Py_NewRef(Py_None);"]
        if len(returned) == 1:
            return self._converted(returned[0], answer)
        values = self._own("values")
        lines = [f"PyObject *{values}[{len(returned)}];", ""]
        for index, name in enumerate(returned):
            lines += self._converted(name, f"{values}[{index}]")
        return [*lines, f"{answer} = dlb_py_tuple({values}, {len(returned)});"]

    def _value(self, name: str) -> _Value | None:
        """Returns the value of a name, or None for an array that was an argument or is a new output."""
        function = self._function
        if name == "result":
            result = function.result
            assert result.kind is not None
            ctype = function.prototype.result
            return _typed("result", ctype, result.kind, result)
        argument = self._arguments[name]
        out = argument.kind
        if argument.by_address:
            kind, of = out.returned_value() or (family(argument.ctype.base) or "int", None)
            return _Value(name, argument.ctype, kind, of)
        if not isinstance(out, Out):
            return None
        return _typed(name, pointed_to(argument.ctype), out.kind, out)

    def _declared_value(self, name: str) -> Result | Out:
        declared = self._function.result if name == "result" else self._arguments[name].kind
        assert isinstance(declared, Result | Out)
        return declared

    def _converted(self, name: str, target: str) -> list[str]:
        value = self._value(name)
        if value is None:
            return [f"{target} = dlb_py_argument_object(&{self._operands.place(name)});"]
        argument = self._arguments.get(name)
        length = argument.ctype.length if argument is not None else None
        if length and (value.kind in ("bytes", "array") or (value.kind == "str" and not value.ctype.pointers)):
            return [f"{target} = {self._storage(value)};"]
        if length:
            return self._items_of(value, length, target)
        if value.kind == "object":
            return self._object(value, target)
        if value.kind == "array":
            return self._array(value, target)
        if value.kind == "bytes":
            assert value.size is not None
            size = integer(self._variables.text(value.size))
            converted = f"dlb_py_from_bytes({self._variables[name]}, {size})"
            return [f"{target} = {self._unless_null(value, converted, mentions([value.size], name))};"]
        if value.count is not None:
            counted = (
                f"dlb_py_from_counted_strings({self._variables[name]}, {integer(self._variables.text(value.count))})"
            )
            return [f"{target} = {counted};"]
        return [f"{target} = {self._unless_null(value, self._number(value, self._variables[name]))};"]

    def _unless_null(self, value: _Value, converted: str, asks: bool = False) -> str:
        """Returns an expression for a value that can be NULL. With `asks`, `converted` cannot handle NULL."""
        name, function = self._variables[value.name], self._function
        never = function.ok is not None and excludes_null(function.ok, "%" if value.name == "result" else value.name)
        if never or not (asks or value.required):
            return converted
        what = f'"{function.name}", "{value.name}"'
        otherwise = f"dlb_py_refuse_null({what})" if value.required else "Py_NewRef(Py_None)"
        return f"{name} != NULL ? {converted} : {otherwise}"

    def _array(self, value: _Value, target: str) -> list[str]:
        """Returns the statements that copy the memory behind a pointer, or make an array that refers to it."""
        assert value.of is not None and value.shape is not None
        facts = f"&{self._classes[value.of]}_type, {self._variables[value.name]}"
        facts += f", {known_dtype(value.dtype)}"
        if value.borrow is None:
            called, facts = "copy", f"{facts}, {int(value.optional)}"
        else:
            within = "NULL" if value.borrow == "static" else f"&{self._operands.place(value.borrow)}"
            wanted = {"DLB_PY_OPTIONAL": value.optional, "DLB_PY_READS": value.ctype.pointers[0]}
            flags = " | ".join(name for name, is_set in wanted.items() if is_set) or "0"
            called, facts = "borrowed", f"{facts}, {within}, {flags}"
        type_of = f"&{self._classes[value.of]}_type"
        # C can leave the extents unset if the pointer is NULL.
        known = " && ".join(f"{self._variables[name]} != NULL" for name in self._addresses(value.shape))
        nothing = f"dlb_py_returned_null({type_of}, {int(value.optional)})"
        if isinstance(value.shape, ListedShape):
            extents = ", ".join(integer(self._variables.text(extent)) for extent in value.shape.extents)
            made = f"DLB_PY_{called.upper()}_ARRAY({facts}, {extents})"
            return [f"{target} = {f'{known} ? {made} : {nothing}' if known else made};"]
        ndim, shape = self._own(f"ndim_of_{value.name}"), self._own(f"shape_of_{value.name}")
        axis = self._own("axis") if "axis" in self._arguments else "axis"
        each = self._variables.text(replace_names(value.shape.each, {"axis": axis}))
        rank = integer(self._variables.text(value.shape.ndim))
        ranked = f"dlb_py_rank({type_of}, {rank}, {self._most(value.shape)})"
        made = f"dlb_py_{called}_array({facts}, {ndim}, {shape})"
        return [
            f"dlb_integer {shape}[DLB_MAX_NDIM];",
            f"const int {ndim} = {f'{known} ? {ranked} : 0' if known else ranked};",
            "",
            f"for (int {axis} = 0; {axis} < {ndim}; {axis}++) {{",
            f"{shape}[{axis}] = {integer(each)};",
            "}",
            f"{target} = {f'{known} ? {made} : {nothing}' if known else made};",
        ]

    def _addresses(self, shape: Shape) -> list[str]:
        """Returns the extents that C returns by address."""
        outs = [(each.name, each.kind) for each in self._function.arguments if isinstance(each.kind, Out)]
        return [name for name, out in outs if out.kind == "private" and mentions(shape.expressions, name)]

    def _most(self, shape: EachShape) -> str:
        """Returns the capacity in axes of the array that the extents are read from."""
        outs = [each for each in self._function.arguments if isinstance(each.kind, Out)]
        lengths = [each.ctype.length or "" for each in outs if mentions([shape.each], each.name)]
        counts = [int(length) for length in lengths if length.isdecimal()]
        return str(min(counts)) if counts and min(counts) < MAX_NDIM else "DLB_MAX_NDIM"

    def _storage(self, value: _Value) -> str:
        """Returns the filled part of a buffer, within its capacity."""
        variable, is_string = self._variables[value.name], value.kind == "str"
        if capacity(self._arguments[value.name]):
            keeper = self._keepers[value.name]
            if is_string:
                return f"dlb_py_from_string_within({variable}, (size_t)PyBytes_Size({keeper}))"
            if isinstance(value.shape, ListedShape):
                extents = ", ".join(integer(self._variables.text(extent)) for extent in value.shape.extents)
                return f"DLB_PY_FILLED_ARRAY(&{self._classes[value.of or '']}_type, &{keeper}, {extents})"
            size = self._variables.text(value.size) if value.size is not None else None
            return f"dlb_py_take_bytes(&{keeper}, {integer(size)})" if size is not None else f"Py_NewRef({keeper})"
        if is_string:
            return f"DLB_PY_STRING({variable})"
        if value.size is None:
            return f"dlb_py_from_bytes({variable}, DLB_INTEGER(sizeof {variable}))"
        return f"dlb_py_from_bytes_within({variable}, sizeof {variable}, {integer(self._variables.text(value.size))})"

    def _items_of(self, value: _Value, length: str, target: str) -> list[str]:
        """Returns the statements that convert the numbers of an array to a tuple.

        Short tuples are built without a loop.
        """
        array, variable = self._variables[value.name], self._own(f"items_of_{value.name}")
        if is_number(length) and int(length) <= _FEW:
            items = ", ".join(self._number(value, f"{array}[{i}]") for i in range(int(length)))
            return [f"PyObject *{variable}[] = {{ {items} }};", f"{target} = dlb_py_tuple({variable}, {length});"]
        index, count = self._own("item"), f"sizeof {array} / sizeof {array}[0]"
        return [
            f"PyObject *{variable}[{count}];",
            f"for (size_t {index} = 0; {index} < {count}; {index}++) {{",
            f"{variable}[{index}] = {self._number(value, f'{array}[{index}]')};",
            "}",
            f"{target} = dlb_py_tuple({variable}, (Py_ssize_t)({count}));",
        ]

    def _number(self, value: _Value, text: str) -> str:
        if value.kind == "enum":
            assert value.of is not None
            return f"dlb_py_from_enum(&{self._enums[value.of]}, (int64_t){text})"
        return python_object(value.kind, text, value.ctype.base)

    def _object(self, value: _Value, target: str) -> list[str]:
        assert value.of is not None
        item, c_name = self._items[value.of], self._classes[value.of]
        lines = []
        passed = self._variables[value.name]
        in_storage = is_in_storage(value.ctype, item)
        if value.name == "result" and in_storage:
            lines.append(f"*{self.storage} = {passed};")
            passed = self.storage
        if value.written is not None or (value.ctype.pointers and value.ctype.pointers[0]):
            passed = f"({value.ctype.base}{' *' if value.ctype.pointers else ''})(uintptr_t){passed}"
        if scope_of("", c_name, item).has_state:
            variable = self._own(f"made_{value.name}")
            lines += self._state(value, item, c_name, variable, passed)
            passed = f"&{variable}"
        wanted = {
            "DLB_PY_OPTIONAL": value.optional,
            "DLB_PY_IN_STORAGE": in_storage,
            "DLB_PY_READS": value.written.reads if value.written is not None else value.ctype.reads,
        }
        if value.written is not None and not value.written.pointers:
            wanted[f"DLB_PY_READS_IF_CONST({value.written.base})"] = True
        flags = " | ".join(name for name, is_set in wanted.items() if is_set) or "0"
        kept = self._arguments[value.keeps[0]].kind if len(value.keeps) == 1 else None
        if may_refer_to(self._function, value.ctype, self._declared_value(value.name), self._items):
            given = f"&{self._facts}, {self._operands.arrays}, {self.all_of(value.keeps) if value.keeps else 'NULL, 0'}"
            call = f"dlb_py_adopt_referring(&{c_name}_type, {passed}, {given}, {flags})"
        elif isinstance(kept, ParamOf):
            call = f"dlb_py_adopt_beside(&{c_name}_type, {passed}, &{self._operands.place(kept.of)}, {flags})"
        elif kept is not None:
            call = f"dlb_py_adopt_keeping(&{c_name}_type, {passed}, &{self._operands.place(value.keeps[0])}, {flags})"
        elif value.keeps:
            call = f"dlb_py_adopt_keeping_all(&{c_name}_type, {passed}, {self.all_of(value.keeps)}, {flags})"
        elif value.borrow is None:
            call = f"dlb_py_adopt(&{c_name}_type, {passed}, {flags})"
        else:
            within = "NULL" if value.borrow == "static" else f"&{self._operands.place(value.borrow)}"
            call = f"dlb_py_borrowed_result(&{c_name}_type, {passed}, {within}, {flags})"
        again = self._given.of(value.name, value.ctype, self._declared_value(value.name))
        if not again:
            return [*lines, f"{target} = {call};"]
        head = [f"{target};"] if target.startswith("PyObject *") else []
        head += [line for each in again for line in each.before]
        if not all(each.again for each in again):
            head, lines = [*head, *lines], []
        left = [f"dlb_free_storage(&{c_name}_type, {self.storage});"] if in_storage else []
        target = target.removeprefix("PyObject *")
        for index, each in enumerate(again):
            view = f"dlb_py_borrowed_result(&{c_name}_type, {passed}, {each.place}, {flags})"
            head.append(f"{'} else ' if index else ''}if ({each.test}) {{")
            head += left if each.again else []
            head.append(f"{target} = {f'dlb_py_argument_object({each.place})' if each.again else view};")
        return [*head, "} else {", *lines, f"{target} = {call};", "}"]

    def all_of(self, names: tuple[str, ...]) -> str:
        """Returns the locations of several parameters, and their number."""
        kinds = [(name, self._arguments[name].kind) for name in names]
        places = dict.fromkeys(
            self._operands.place(kind.of if isinstance(kind, ParamOf) else name) for name, kind in kinds
        )
        return f"(dlb_py_argument *const[]){{ {', '.join(f'&{place}' for place in places)} }}, {len(places)}"

    def _state(self, value: _Value, item: Tensor | Handle, c_name: str, variable: str, made: str) -> list[str]:
        """Returns the state of a returned object. `params` have their defaults, unless the function reports a value."""
        own = {param.name: self._param(param) for param in self._function.params if param.returned == value.name}
        defaults = any(param.value is not None and param.name not in own for param in item.params)
        late = [each.name for each in item.params if each.name in own and each.value is not None] if defaults else []
        early = [param.name for param in item.params if param.name in own and param.name not in late]
        first = [("self", made), *((name, own[name]) for name in early)]
        lines = [f"struct {c_name}_state {variable} = {{ {', '.join(f'.{name} = {text}' for name, text in first)} }};"]
        if defaults:
            lines.append(f"{c_name}_type.defaults(&{variable});")
        return [*lines, *(f"{variable}.{name} = {own[name]};" for name in late)]

    def _param(self, param: ParamOfMade) -> str:
        return self._variables[param.name] if param.source is None else self._operands.param(param.source, param.name)
