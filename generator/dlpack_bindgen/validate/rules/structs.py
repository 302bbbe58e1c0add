"""Rules for numbers beside a pointer to a struct: C may get one object, or an array of structs."""

from __future__ import annotations

from dlpack_bindgen.arguments.derived import UNIT
from dlpack_bindgen.arguments.measure import Measure
from dlpack_bindgen.language.requirements import REQUIRE_OF_ARGUMENT
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.text.diagnostics import Report, Reporting, Span
from dlpack_bindgen.text.names import suggests
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.lengths import is_count
from dlpack_bindgen.validate.ranks import rank_bounds


def check(call: Call, report: Report) -> None:
    rules = _Structs(call, report)
    rules.measures()
    rules.required()
    rules.beside()


class _Structs(Reporting):
    def __init__(self, call: Call, report: Report) -> None:
        self._call = call
        self._emit = report
        self._pairs = call.pairs

    def measures(self) -> None:
        for each, argument in self._pairs:
            kind = argument.kind.measure
            of = self._call.find(kind.of) if kind is not None else None
            if kind is None or not kind.is_length or of is None:
                continue
            span = each.fields.values[kind.key].span
            is_object = of.kind.is_dltensor or self._call.struct_of(of) is not None
            if UNIT in each.fields and not is_object:
                message = f"'{of.name}' is not an object that C gets by a pointer to its struct"
                hint = "leave 'unit' out: it is about strides, and about numbers beside such objects"
                self._report("without-effect", each.place(UNIT), message, hint)
            elif (one := self._call.one_struct(of)) is not None:
                size = f"sizeof({one.type})" if kind.what == "size" else "'1'"
                always = f"'{argument.name}' would be the same for each '{one.name.text}'"
                message = f"{always}: it may be the number of objects at '{of.name}'"
                self._report("measure-of", span, message, _several(f"{argument.name}: {{value: {size}}}"))
            elif is_object and UNIT not in each.fields and self._may_count_structs(argument, kind, of):
                self._unclear(span, argument.name, of, kind.key, kind.what == "size")

    def required(self) -> None:
        """Reports required numbers of elements that C also gets: they may be numbers of structs. With `default: new`,
        the spec declares the shape of one object."""
        numbers = {argument.name for _, argument in self._pairs if argument.kind.is_number}
        for each, argument in self._pairs:
            is_struct = argument.kind.is_dltensor or self._call.struct_of(argument) is not None
            is_one = argument.kind.is_made_late or self._call.is_one_struct(argument)
            if not is_struct or not each.has_entry or is_one:
                continue
            required = argument.kind.require
            count = required.count or (required.shape[0] if required.shape and len(required.shape) == 1 else None)
            if count in numbers and count is not None and self._may_be_several(argument, count):
                self._unclear(each.place(REQUIRE_OF_ARGUMENT), count, argument, "count" if required.count else "shape")

    def beside(self) -> None:
        """Reports a number beside one struct if its name suggests a number of structs."""
        own = self._call.self_index
        structs = {
            argument.name: of
            for place, argument in enumerate(self._call.read_arguments)
            if place != own and argument is not None and (of := self._call.one_struct(argument)) is not None
        }
        for place, (each, number) in enumerate(self._pairs):
            near = self._pairs[max(0, place - 1) : place + 2]
            beside = [argument.name for _, argument in near if argument.name in structs]
            if is_count(each, number) and beside:
                one = structs[beside[0]].name.text
                message = f"'{number.name}' may be the number of objects at '{beside[0]}', which is one '{one}'"
                hint = _several(f"{number.name}: {{value: '1'}}", f"; {{{number.name}: int}} if not")
                self._report("argument-count", each.span, message, hint)

    def _may_count_structs(self, number: Argument, kind: Measure, of: Argument) -> bool:
        """Returns whether C may get an array of structs. Parameters for several axes or a stride show one object."""
        if any(each.axis > 0 or each.what == "stride" for each in self._call.measures(of.name)):
            return False
        if kind.what == "size":
            return suggests(number.name, "number")
        return self._may_be_several(of, number.name)

    def _may_be_several(self, of: Argument, number: str) -> bool:
        """Returns whether a number beside the object may count objects. For objects with at least two axes, only the
        names in the prototype suggest this."""
        found = self._call.class_of(of)
        known = rank_bounds(found.fields) if found is not None else None
        least = max((bounds[0] for bounds in (known, of.kind.require.ndim) if bounds), default=0)
        return least < 2 or suggests(of.name, "several structs") or suggests(number, "number of objects")

    def _unclear(self, span: Span, number: str, of: Argument, key: str, in_bytes: bool = False) -> None:
        what = f"'{of.kind.object_class or of.ctype.base}' structs"
        unit = "bytes" if in_bytes else "elements"
        measure = "size_of" if in_bytes else key if key.endswith("_of") else "count_of"
        message = f"'{number}' may be the number of {what} at '{of.name}', but '{key}' counts the {unit} of one object"
        one = f"args: {{{number}: {{{measure}: {of.name}, unit: {unit}}}}} if C has one object"
        structs = f"{{{number}: {{value: '1'}}}} if C counts structs"
        numbers = f"{{of: array, require: [{{dtype: ...}}, {{shape: [{number}, N]}}]}}"
        hint = f"{one}; {structs}; if the structs hold only numbers, an array of them is {numbers}; others need a C "
        hint += "function that takes a list of pointers"
        self._report("measure-of", span, message, hint)


def _several(one: str, otherwise: str = "") -> str:
    """Returns a hint with the declarations for one struct and for several structs."""
    return (
        f"for one object: args: {{{one}}}; an array of such structs needs a C function that takes 'void *'{otherwise}"
    )
