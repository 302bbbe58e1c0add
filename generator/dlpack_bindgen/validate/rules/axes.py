"""Rules for parameters that are extents and strides of the axes of an array."""

from __future__ import annotations

from dlpack_bindgen.arguments.derived import AXIS, STRIDE_OF, UNIT
from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.measure import Measure
from dlpack_bindgen.dlpack import DTYPES
from dlpack_bindgen.language.values import Fields, text_of
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.spec.lengths import lengths
from dlpack_bindgen.text.diagnostics import Code, Diagnostic, Report, Span
from dlpack_bindgen.text.names import suggests, suggests_other_axis
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.lengths import is_stride, is_undeclared_integer

_BYTES = frozenset(("char", "signed char", "unsigned char", "int8_t", "uint8_t", "bool", "_Bool"))


def check(call: Call, report: Report) -> None:
    rules = _Axes(call, report)
    rules.twice()
    rules.missing()
    rules.beside()
    rules.strides()
    rules.units()


class _Axes:
    def __init__(self, call: Call, report: Report) -> None:
        self._emit = report
        self._call = call
        self._pairs = call.pairs
        self._measures = call.measures()
        self._measured: dict[tuple[str, int], list[ParameterEntry]] = {}
        for each, argument in self._pairs:
            value = argument.kind.measure
            if value is not None and value.what == "extent":
                self._measured.setdefault((value.of, value.axis), []).append(each)

    def twice(self) -> None:
        """Reports two parameters for the extent of one axis if both leave out `axis`."""
        for (of, axis), found in self._measured.items():
            silent = [each for each in found if each.has_entry and AXIS not in each.fields]
            if len(silent) > 1:
                first, second = (each.parameter.name for each in silent[:2])
                message = f"'{first}' and '{second}' are both the extent of axis {axis} of '{of}'"
                hint = (
                    f"args: {{{second}: {{extent_of: {of}, axis: {axis + 1}}}}}; write 'axis: {axis}' if that is meant"
                )
                self._report(silent[1].span, message, hint)

    def missing(self) -> None:
        """Reports arrays with a parameter for some extents, but not for all."""
        counted = [kind.of for kind in self._measures if kind.what in ("count", "size")]
        for each, argument in self._pairs:
            if not argument.kind.is_pointer:
                continue
            ndim = argument.kind.require.ndim or self._ndim_measured(argument.name)
            declared = each.name is not None or argument.name in counted or _has_length(argument)
            if declared or ndim[0] != ndim[1]:
                continue
            axes = [self._measured.get((argument.name, axis)) for axis in range(ndim[0])]
            if any(axes) and None in axes:
                extents = ", ".join(found[0].parameter.name if found else "N" for found in axes)
                message = f"the extent of axis {axes.index(None)} of '{argument.name}' is not declared, and C needs it"
                hint = f"args: {{{argument.name}: {{require: [{{shape: [{extents}]}}]}}}}; {{of: array}} if it does"
                self._report(each.span, message, hint)

    def beside(self) -> None:
        """Reports an integer whose name suggests the other axis of an array with only one declared extent."""
        measures = [(argument.name, argument.kind.measure) for _, argument in self._pairs]
        for each, argument in self._pairs if self._measures else ():
            if not is_undeclared_integer(each, argument):
                continue
            for name, kind in measures:
                named = suggests_other_axis(argument.name, name)
                if not named or kind is None or kind.what not in ("extent", "count"):
                    continue
                if len(self._call.measures(kind.of)) > 1:
                    continue
                if not any(array.name == kind.of and _is_open(array) for _, array in self._pairs):
                    continue
                message = f"'{argument.name}' may be the extent of another axis of '{kind.of}': Python could give more"
                axes = f"{name}: {{extent_of: {kind.of}}}, {argument.name}: {{extent_of: {kind.of}, axis: 1}}"
                self._report(each.span, message, f"args: {{{axes}}}; {{{argument.name}: int}} if not")
                break

    def _ndim_measured(self, array: str) -> tuple[int, int]:
        """Returns the rank that the parameters for extents and strides imply, as a lower and an upper bound."""
        axes = [kind.axis for kind in self._measures if kind.of == array and kind.what in ("extent", "stride")]
        return max(axes, default=-1) + 1, max(axes, default=-1) + 1

    def strides(self) -> None:
        """Reports integers that are probably strides. With a wrong stride C reads beyond the end of the array."""
        array = None
        for each, argument in self._pairs:
            if argument.kind.is_pointer:
                array = argument.name
            elif array is not None and is_stride(each, argument):
                name = argument.name
                message = (
                    f"'{name}' may be a stride of '{array}': Python could give more, and C would go on beyond its end"
                )
                unit = ", unit: bytes" if suggests(name, "stride in bytes") else ""
                hint = f"args: {{{name}: {{stride_of: {array}{unit}}}}}, or {{value: '1'}}; {{{name}: int}} if not"
                self._report(each.span, message, hint)

    def units(self) -> None:
        """Reports derived strides and lengths whose name suggests another unit than the declared unit."""
        arrays = {argument.name: argument for _, argument in self._pairs}
        for each, argument in self._pairs:
            kind = argument.kind.measure
            if kind is None or not each.has_entry or kind.of not in arrays or _has_bytes(arrays[kind.of]):
                continue
            if kind.what != "stride":
                self._unit_of_length(argument.name, kind, each.fields, arrays[kind.of])
            elif not text_of(each.fields[UNIT]):
                self._unit_of_stride(argument.name, kind.of, each.fields, arrays[kind.of])

    def _unit_of_stride(self, name: str, of: str, record: Fields, array: Argument) -> None:
        if suggests(name, "stride in bytes"):
            message = f"'{name}' may count bytes: it gets elements, which may be larger in '{of}'"
        elif _has_several_sizes(array):
            message = f"'{name}' may count bytes: it gets elements, which have several sizes in '{of}'"
        else:
            return
        hint = "write 'unit: bytes'; 'unit: elements' if they are meant"
        self._report((record[STRIDE_OF] or record).span, message, hint, "stride-unit")

    def _unit_of_length(self, name: str, kind: Measure, record: Fields, array: Argument) -> None:
        if array.ctype.base == "void":
            return
        for what, other, unit, is_other in (
            (
                "size",
                "count_of",
                "elements",
                suggests(name, "number of elements"),
            ),
            ("count", "size_of", "bytes", suggests(name, "stride in bytes")),
        ):
            if kind.what == what and is_other:
                message = f"'{name}' may count {unit}: those of '{kind.of}' are '{array.ctype.base}'"
                if suggests(name, "bytes from row to row"):
                    other = "unit: bytes, stride_of"
                hint = (
                    f"write {{{other}: {kind.of}}}; if not, call it something else: the header need not have its name"
                )
                self._report(record.given[kind.key], message, hint)

    def _report(self, span: Span, message: str, hint: str, code: Code = "argument-length") -> None:
        self._emit(Diagnostic(code, span, message, hint))


def _has_bytes(argument: Argument) -> bool:
    """Returns whether each element is known to have one byte."""
    kind = argument.kind
    if not kind.is_pointer:
        return not kind.is_array
    bits = [dtype.bits * dtype.lanes for name in kind.require.dtypes if (dtype := DTYPES.get(name))]
    return set(bits) == {8} if bits else argument.ctype.base in _BYTES


def _has_several_sizes(argument: Argument) -> bool:
    """Returns whether the size of the elements can differ between calls."""
    kind = argument.kind
    if not kind.is_array:
        return False
    known = [DTYPES[name] for name in kind.require.dtypes if name in DTYPES]
    sizes = {dtype.bits * dtype.lanes for dtype in known}
    return len(sizes) > 1 or not (kind.require.dtypes or kind.own_dtype(argument.ctype))


def _is_open(argument: Argument) -> bool:
    return argument.kind.is_pointer and not argument.kind.rows and not _has_length(argument)


def _has_length(argument: Argument) -> bool:
    return any(lengths(argument)) or bool(argument.ctype.extents) or argument.ctype.length is not None
