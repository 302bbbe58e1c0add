"""The parameters of a C function that depend on its arrays, as variables, and what must hold between them."""

from __future__ import annotations

from collections.abc import Container, Iterator

from dlpack_bindgen.bind.functions.ctypes import pointed_to
from dlpack_bindgen.bind.functions.given import STRICT_BEGIN, STRICT_END, given, joined
from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.bind.functions.operands import Operands
from dlpack_bindgen.bind.slots import known_dtype
from dlpack_bindgen.c.arithmetic import length
from dlpack_bindgen.c.types import declared, family
from dlpack_bindgen.spec.functions import (
    Argument,
    Array,
    DTypeCode,
    Fixed,
    Function,
    Measure,
    Object,
    Objects,
    Out,
    ParamOf,
    Raw,
)
from dlpack_bindgen.spec.lengths import Stage, in_order, lengths

_MEASURES = {
    "count": "dlb_py_count(&{place})",
    "size": "dlb_py_size(&{place})",
    "extent": "dlb_py_extent(&{place}, {axis})",
    "stride": "dlb_py_stride(&{place}, {axis})",
    "flags": "(int64_t){place}.flags",
}


class Variables:
    """`stages` have lines that declare them, and conditions under which the call cannot be made."""

    def __init__(
        self, function: Function, operands: Operands, facts: str, key: str, names: Locals, rooms: Container[str]
    ) -> None:
        """`key`: what the spec calls the function; `rooms`: the variables of structs that are filled."""
        self._rooms = rooms
        self._operands = operands
        self._names = names
        self._facts = facts
        self._key = key
        self._ctypes = {argument.name: argument.ctype for argument in function.arguments}
        self._lines: list[str] = []
        self._checks: list[str] = []
        for argument in function.arguments:
            self._variable(argument)
        self.stages = [self._stage(stage) for stage in in_order(function.arguments)[0]]

    def _stage(self, stage: Stage) -> tuple[list[str], list[str]]:
        lines, checks, self._lines, self._checks = self._lines, self._checks, [], []
        for argument in stage.values:
            assert isinstance(argument.kind, Fixed)
            lines += given(argument, self._names, argument.kind.value, f"{self._key}.{argument.name}")
        for argument in stage.checked:
            checks.extend(self._required(argument))
        return joined(lines), checks

    def _variable(self, argument: Argument) -> None:
        kind, name = argument.kind, self._names[argument.name]
        if isinstance(kind, Object):
            value = f"{self._operands.place(argument.name)}.object"
            by_value = not argument.ctype.pointers
            self._lines.append(
                f"{argument.ctype.base} {name} = *({argument.ctype.base} *){value};"
                if by_value
                else f"{declared(argument.ctype, name)} = {value};"
            )
        elif isinstance(kind, Objects | Array | Raw):
            member = "tensor" if isinstance(kind, Raw) else "object"
            self._lines.append(f"{declared(argument.ctype, name)} = {self._operands.place(argument.name)}.{member};")
        elif isinstance(kind, Measure):
            self._lines.append(f"{declared(argument.ctype, name)} = 0;")
            value = _MEASURES[kind.what].format(place=self._operands.place(kind.of), axis=kind.axis)
            if kind.plus < 0 and kind.what != "stride":
                self._checks.append(f'dlb_py_check_least(&{self._facts}, "{kind.of}", {value}, {-kind.plus}) != 0')
            value += f" {'-' if kind.plus < 0 else '+'} {abs(kind.plus)}" if kind.plus else ""
            self._checks.append(f'DLB_PY_MEASURE(&{self._facts}, "{kind.of}", {name}, {value}) != 0')
        elif isinstance(kind, DTypeCode):
            self._lines += self._code(argument, kind)
        elif isinstance(kind, ParamOf):
            self._lines.append(f"{declared(argument.ctype, name)} = {self._operands.param(kind.of, argument.name)};")
        elif isinstance(kind, Out) and name not in self._rooms:
            self._lines.append(self._zeroed(argument))

    def _code(self, argument: Argument, code: DTypeCode) -> list[str]:
        """The last one needs no test: other dtypes have been refused."""
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
        place = f'&{self._facts}, &{self._operands.place(argument.name)}, "{argument.name}"'
        if shape:
            yield f"DLB_PY_CHECK_SHAPE({place}, {', '.join(map(self._length, shape))}) != 0"
        for count in counts:
            yield f"dlb_py_check_count({place}, {self._length(count)}) != 0"

    def _length(self, expression: str) -> str:
        return self._names.text(length(expression, self._ctypes))

    def _zeroed(self, argument: Argument) -> str:
        variable, name = pointed_to(argument.ctype), self._names[argument.name]
        if argument.ctype.length:
            return f"{declared(variable, name)}[{self._names.text(argument.ctype.length)}] = {{0}};"
        nothing = "NULL" if variable.pointers else "0" if family(variable.base) else "{0}"
        return f"{declared(variable, name)} = {nothing};"
