"""Variables for the parameters of a C function that depend on its arrays, and checks between parameters."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from dlpack_bindgen.arguments.string import String
from dlpack_bindgen.arguments.strings import Strings
from dlpack_bindgen.bind.functions.ctypes import pointed_to
from dlpack_bindgen.bind.functions.failures import required
from dlpack_bindgen.bind.functions.fragments import sizes
from dlpack_bindgen.bind.functions.given import STRICT_BEGIN, STRICT_END, given
from dlpack_bindgen.bind.functions.keepers import Keepers
from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.bind.functions.operands import Operands
from dlpack_bindgen.bind.slots import known_dtype
from dlpack_bindgen.c.arithmetic import length
from dlpack_bindgen.c.elements import Element
from dlpack_bindgen.c.fragments import declaration, mentions, negate, operand
from dlpack_bindgen.c.types import declared, family
from dlpack_bindgen.spec.elements import Elements
from dlpack_bindgen.spec.functions import (
    Argument,
    Array,
    Derived,
    DTypeCode,
    Fixed,
    Function,
    Object,
    Objects,
    Out,
    ParamOf,
    Raw,
    capacity,
    fresh,
    is_made_late,
)
from dlpack_bindgen.spec.lengths import expressions, in_order, late_measures, lengths
from dlpack_bindgen.spec.requirements import Check
from dlpack_bindgen.spec.slots import CTypeDType, ListedShape, NamedDType
from dlpack_bindgen.spec.spec import Declaration

_MEASURES = {
    "count": "dlb_py_count(&{place})",
    "size": "dlb_py_size(&{place})",
    "extent": "dlb_py_extent(&{place}, {axis})",
    "stride": "dlb_py_stride(&{place}, {axis})",
    "byte stride": "dlb_py_byte_stride(&{place}, {axis})",
    "flags": "(int64_t){place}.flags",
}


class Variables:
    """The statements in `lines`, which declare the variables and leave the call if a check fails."""

    def __init__(
        self,
        function: Function,
        params: Sequence[Declaration],
        operands: Operands,
        keepers: Keepers,
        facts: str,
        key: str,
        names: Locals,
        storages: Container[str],
        end: Sequence[str],
    ) -> None:
        """Builds the statements.

        `params` are those of the receiver, and `key` is the path of the function in the spec. `storages` holds the
        variables of filled structs. The statements `end` leave the call.
        """
        self._function = function
        self._storages = storages
        self._operands = operands
        self._keepers = keepers
        self._names = names
        self._facts = facts
        self._key = key
        self._end = end
        self._ctypes = {argument.name: argument.ctype for argument in function.arguments}
        self._strings = [argument.name for argument in function.arguments if isinstance(argument.kind, String)]
        self._tables = [argument.name for argument in function.arguments if isinstance(argument.kind, Strings)]
        self._elements = Elements(function.arguments)
        self._lines: list[str] = []
        self._checks: list[str] = []
        """Conditions that leave the call, tested before the next statement."""
        if operands.may_not_overlap:
            self._checks.append(operands.overlap_check(facts))
        self._checks += [check for argument in function.arguments for check in self._like_another(argument)]
        late = late_measures(function.arguments)
        for argument in function.arguments:
            if not is_made_late(argument) and argument not in late and not capacity(argument):
                self._variable(argument)
        for param in params:
            variable = declaration(param.ctype, names[param.name])
            self._lines.append(f"{variable} = {operands.param_of_self(param.name)};")
        first, steps, left = in_order(function.arguments, function.require)
        assert not left, "validation leaves no circle"
        for item in (*first, *(item for step in steps for item in step)):
            self._checks += [
                self._element(element) for text in expressions(item) for element in self._elements.unknown(text)
            ]
            if isinstance(item, Check):
                self._checked()
                test = negate(names.text(item.expr))
                self._lines += [f"if ({test}) {{", required(item, facts, names), *self._end, "}"]
            elif isinstance(item.kind, Fixed):
                if item not in first:
                    self._checked()
                self._lines += given(item, names, item.kind.value, f"{key}.{item.name}")
            elif isinstance(item.kind, Derived):
                self._variable(item)
            elif size := capacity(item):
                self._checked()
                self._lines += self._storage(item, size)
            else:
                self._checks += self._required(item)
                if is_made_late(item):
                    self._checked()
                    self._variable(item)
        self._checks += [
            f'dlb_py_check_strings(&{facts}, {names[each.name]}, "{each.name}", {self._length(each.kind.count)}) != 0'
            for each in function.arguments
            if isinstance(each.kind, Strings) and each.kind.count is not None
        ]
        self._checks += [self._element(element) for text in sizes(function) for element in self._of_size(text)]
        self._checked()
        self.lines = self._lines

    def _of_size(self, text: str | None) -> list[Element]:
        """Returns the elements that the size of returned bytes reads, as far as they are known before the call."""
        late = [argument.name for argument in self._function.arguments if isinstance(argument.kind, Out)]
        found = self._elements.unknown(text) if text is not None else []
        return [
            each
            for each in found
            if not any(mentions((*each.indices, *each.conditions), name) for name in (*late, "result"))
        ]

    def _checked(self) -> None:
        if self._checks:
            several = len(self._checks) > 1
            tests = [f"({check})" if several and " && " in check else check for check in self._checks]
            self._lines += ["", f"if ({' || '.join(tests)}) {{", *self._end, "}"]
            self._checks = []

    def _element(self, element: Element) -> str:
        name, ctype = element.array, self._ctypes[element.array]
        index = element.indices[0]
        for extent, inner in zip(ctype.extents[1:], element.indices[1:], strict=True):
            index = f"({index}) * ({extent}) + ({inner})"
        variable, facts = self._names[name], f"&{self._facts}"
        if name in self._tables:
            test = f'dlb_py_check_string(&{self._facts}, {variable}, "{name}", {self._length(index)}) != 0'
        elif name in self._strings:
            test = f'dlb_py_check_letter({facts}, {variable}, "{name}", {self._length(index)}) != 0'
        else:
            place, size = self._operands.place(name), f"sizeof {variable}{'[0]' * len(element.indices)}"
            test = f'dlb_py_check_element({facts}, &{place}, "{name}", {size}, {self._length(index)}) != 0'
        held = [operand(self._names.text(condition)) for condition in element.conditions]
        return " && ".join([*held, test])

    def _variable(self, argument: Argument) -> None:
        kind, name = argument.kind, self._names[argument.name]
        if isinstance(kind, Object):
            value = f"{self._operands.place(argument.name)}.object"
            if not argument.ctype.pointers:
                base = argument.ctype.base
                held = f"*({base} *){value}"
                value = f"{value} != NULL ? {held} : NULL" if kind.optional else held
            self._lines.append(f"{declared(argument.written or argument.ctype, name)} = {value};")
        elif isinstance(kind, Objects | Array | Raw):
            is_table = isinstance(kind, Array) and kind.rows
            if is_table:
                self._checks.append(f"dlb_py_list_rows(&{self._facts}, {self._operands.within(argument.name)}) != 0")
                self._checked()
            member = "tensor" if isinstance(kind, Raw) else "rows" if is_table else "object"
            variable = declared(argument.written or argument.ctype, name)
            self._lines.append(f"{variable} = {self._operands.place(argument.name)}.{member};")
        elif isinstance(kind, Derived):
            self._lines.append(f"{declared(argument.ctype, name)} = 0;")
            if kind.of in self._tables:
                value = f"dlb_py_string_count({self._names[kind.of]})"
                if kind.plus < 0:
                    self._checks.append(self._least(kind, value))
                self._checks.append(self._measured(kind, name, value))
                return
            place = self._operands.place(kind.of)
            value = _MEASURES["byte stride" if kind.in_bytes else kind.what].format(place=place, axis=kind.axis)
            if kind.in_bytes:
                self._checks.append(f'dlb_py_check_bytes(&{self._facts}, &{place}, "{kind.of}", {kind.axis}) != 0')
            if kind.what == "stride" and not kind.negative and self._runs_backwards(kind.of):
                self._checks.append(f'dlb_py_check_forward(&{self._facts}, &{place}, "{kind.of}", {kind.axis}) != 0')
            if kind.plus < 0 and kind.what != "stride":
                self._checks.append(self._least(kind, value))
            self._checks.append(self._measured(kind, name, value))
        elif isinstance(kind, DTypeCode):
            self._lines += self._code(argument, kind)
        elif isinstance(kind, ParamOf):
            self._lines.append(f"{declared(argument.ctype, name)} = {self._operands.param(kind.of, argument.name)};")
        elif isinstance(kind, Out) and name not in self._storages:
            self._lines.append(self._zeroed(argument))

    def _runs_backwards(self, array: str) -> bool:
        """Returns whether another stride of the array can be negative.

        If not, a requirement already excludes negative strides.
        """
        measures = [each.kind for each in self._function.arguments if isinstance(each.kind, Derived)]
        return any(each.of == array and each.negative for each in measures)

    def _least(self, kind: Derived, value: str) -> str:
        return f'dlb_py_check_least(&{self._facts}, "{kind.of}", {value}, {-kind.plus}) != 0'

    def _measured(self, kind: Derived, name: str, value: str) -> str:
        value += f" {'-' if kind.plus < 0 else '+'} {abs(kind.plus)}" if kind.plus else ""
        return f'DLB_PY_DERIVE(&{self._facts}, "{kind.of}", {name}, {value}) != 0'

    def _code(self, argument: Argument, code: DTypeCode) -> list[str]:
        """Returns statements that set a dtype code. The last case needs no test: others are refused."""
        name, place = self._names[argument.name], self._operands.place(code.of)
        wanted = self._operands.dtypes(code.of)
        arms = [(value, dtype) for value, dtype in code.arms if dtype in wanted]
        lines = [f"{declared(argument.ctype, name)};", STRICT_BEGIN]
        for index, (value, dtype) in enumerate(arms):
            test = f"if (dlb_same_dtype({place}.tensor->dtype, {known_dtype(dtype)}))" if index < len(arms) - 1 else ""
            lines.append(f"{'} else ' if index else ''}{test}{' ' if test else ''}{{")
            lines.append(f"{name} = {self._names.text(value)}; /* {self._key}.{argument.name}.map */")
        return [*lines, "}", STRICT_END]

    def _required(self, argument: Argument) -> Iterator[str]:
        shape, counts = lengths(argument)
        array = f"&{self._facts}, &{self._operands.place(argument.name)}"
        check, make = f'{array}, "{argument.name}"', f"&{self._facts}, {self._operands.within(argument.name)}"
        late = is_made_late(argument)
        if shape:
            called = f"DLB_PY_MAKE_SHAPE({make}" if late else f"DLB_PY_CHECK_SHAPE({check}"
            yield f"{called}, {', '.join(map(self._length, shape))}) != 0"
        for count in counts:
            called = f"dlb_py_make_count({make}" if late and not shape else f"dlb_py_check_count({check}"
            yield f"{called}, {self._length(count)}) != 0"
            late = False

    def _like_another(self, argument: Argument) -> Iterator[str]:
        """Yields the check of an output without a declared length against the array that it is `like`."""
        made = fresh(argument)
        if made is not None and made.like and isinstance(argument.kind, Array) and not any(lengths(argument)):
            place, name = self._operands.place(argument.name), argument.name
            count = f"DLB_INTEGER(dlb_py_count(&{self._operands.place(made.like)}))"
            yield f'dlb_py_check_count(&{self._facts}, &{place}, "{name}", {count}) != 0'

    def _length(self, expression: str) -> str:
        return self._names.text(length(expression, self._ctypes))

    def _storage(self, argument: Argument, size: str) -> list[str]:
        """Returns statements that allocate an object for bytes, characters or elements that C fills."""
        variable, keeper = self._names[argument.name], self._keepers[argument.name]
        name, count = f'&{self._facts}, "{argument.name}"', self._length(size)
        ctype = pointed_to(argument.ctype)
        filled = declared(ctype, f"*{variable}")
        kind = argument.kind
        if isinstance(kind, Out) and isinstance(kind.shape, ListedShape):
            dtype = known_dtype(NamedDType(kind.dtype) if kind.dtype else CTypeDType(ctype.base, kind.is_complex))
            made = f"{name}, {dtype}, {len(kind.shape.extents)}, {count}, sizeof({ctype.base})"
            lines = [
                f"dlb_array *{keeper} = dlb_py_output_array({made});",
                "",
                f"if ({keeper} == NULL) {{",
                *self._end,
                "}",
            ]
            lines.append(f"{filled} = {keeper}->data;")
        else:
            lines = [
                f"PyObject *{keeper} = NULL;",
                f"{filled} = dlb_py_output_bytes({name}, {count}, &{keeper});",
                "",
                f"if ({variable} == NULL) {{",
                *self._end,
                "}",
            ]
        self._end = [self._keepers.dropped(argument.name), *self._end]
        return lines

    def _zeroed(self, argument: Argument) -> str:
        variable, name = pointed_to(argument.ctype), self._names[argument.name]
        if argument.ctype.length:
            return f"{declared(variable, name)}[{self._names.text(argument.ctype.length)}] = {{0}};"
        nothing = "NULL" if variable.pointers else "0" if family(variable.base) else "{0}"
        return f"{declared(variable, name)} = {nothing};"
