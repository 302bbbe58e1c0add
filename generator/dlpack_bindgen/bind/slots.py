"""The statements that fill one slot of a view."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dlpack_bindgen.bind.assertions import HOST_DEVICES, NAMED_UNITS, conditional, is_member, rank_of
from dlpack_bindgen.bind.slot_values import alternatives
from dlpack_bindgen.c.arrays import Within, within
from dlpack_bindgen.c.fragments import argument, arrays_by_axis, dtype_literal, is_truth, negate, quoting, replace_names
from dlpack_bindgen.c.places import is_own_member
from dlpack_bindgen.dlpack import device_type
from dlpack_bindgen.slots.dtype import constant
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.slots.values import (
    Conditional,
    CTypeDType,
    Device,
    DType,
    EachShape,
    EachStrides,
    FixedDType,
    ListedShape,
    ListedStrides,
    Order,
    OuterStride,
    RowPointers,
    Shape,
    Slots,
    Strides,
)

StridesInUnits = EachStrides | ListedStrides | OuterStride

RANK = "view->tensor->ndim"
DTYPE = "view->tensor->dtype"
ITEMSIZE = f"dlb_itemsize({DTYPE})"


class SlotLines:
    """Emitter of the statements for slots.

    `rank` is the fixed number of axes, or None. `least` is the smallest number of axes.
    """

    def __init__(self, scope: Scope, rank: int | None, least: int) -> None:
        self._early: dict[Within, None] = {}
        """Data pointers into arrays of the struct that are set before the layout is known."""
        self._scope = scope
        self._rank = rank
        self._least = least

    def of(self, slots: Slots, run: list[str], pending: list[str], is_optional: bool = False) -> list[str]:
        """Returns the statements of the stages in `run`.

        `pending` holds these stages and all later ones. With `is_optional`, the preprocessor can leave the statements
        out.
        """
        later = [stage for stage in pending if stage not in run]
        is_known = not {"dtype", "shape", "layout"} & set(later)
        is_last = is_known and "byte_offset" not in pending
        lines: list[str] = []
        skip = False
        for stage in run:
            if stage == "dtype":
                lines += conditional(slots.dtype, self._dtype, self._missing("dtype"))
            elif stage == "device":
                lines += conditional(_otherwise(slots.device, Device("cpu")), self._device)
            elif stage == "shape" and "layout" in run and _in_one_loop(slots):
                assert isinstance(slots.shape, EachShape) and isinstance(slots.strides, EachStrides)
                lines += self._rank_line(slots.shape, slots.strides)
                stride = self._stride("axis", slots.strides, slots.strides.each, slots.dtype)
                lines += self._loop([self._extent("axis", slots.shape.each), stride])
                lines += self._reversals(slots.order, strides=True)
                skip = True
            elif stage == "shape":
                lines += conditional(slots.shape, self._shape, self._missing("shape"))
            elif stage == "layout" and not skip:
                lines += self._layout(slots)
            elif stage == "rows":
                lines += self._rows(slots)
            elif stage == "data":
                lines += conditional(slots.data, lambda data: self._data(data, slots, is_last), self._missing("data"))
                if not is_last and not is_optional:
                    self._note_early(slots.data)
            elif stage == "byte_offset":
                lines += conditional(slots.byte_offset, lambda e: [f"dlb_byte_offset(view, {self._integer(e)});"])
            elif stage == "readonly":
                lines += conditional(slots.readonly, self._readonly)
        if "dtype" in run and len(run) > 1 and any("itemsize" in line for line in lines):
            return [replace_names(line, {"itemsize": ITEMSIZE}) for line in lines]
        return lines

    def _missing(self, slot: str) -> list[str]:
        return [f'#error "{self._scope.name}.{slot}: no condition of the spec holds here"']

    def _argument(self, expression: str) -> str:
        return argument(self._scope.text(expression))

    def _integer(self, expression: str) -> str:
        return quoting("DLB_INTEGER", expression, self._scope.text(expression))

    def _readonly(self, expression: str) -> list[str]:
        text = self._scope.text(expression)
        return [f"dlb_readonly(view, {text if is_truth(text) else f'({text}) != 0'});"]

    def _dtype(self, dtype: DType) -> list[str]:
        if isinstance(dtype, FixedDType):
            return [f"{DTYPE} = {dtype_literal(dtype.numbers)};"]
        if isinstance(dtype, CTypeDType):
            return [f"{DTYPE} = {dtype.value};"]
        parts = ", ".join(self._integer(part) for part in (dtype.code, dtype.bits, dtype.lanes))
        return [f"dlb_dtype(view, {parts});"]

    def _device(self, device: Device) -> list[str]:
        if device.type == "cpu":
            return ["view->tensor->device = DLB_CPU;"]
        name = device_type(device.type)
        if device.id is None or device.type in HOST_DEVICES:  # dlpack.h: host memory has device id 0
            return [f"view->tensor->device = (DLDevice){{{name}, 0}};"]
        return [f"dlb_device(view, {name}, {self._integer(device.id)});"]

    def _shape(self, shape: Shape) -> list[str]:
        if isinstance(shape, ListedShape):
            lines = [] if self._rank is not None else [f"dlb_rank(view, DLB_INTEGER({len(shape.extents)}));"]
            return lines + [self._extent(str(axis), extent) for axis, extent in enumerate(shape.extents)]
        return [*self._rank_line(shape, None), *self._loop([self._extent("axis", shape.each)])]

    def _rank_line(self, shape: EachShape, strides: EachStrides | None) -> list[str]:
        """Returns statements that set the rank and check it against the arrays of the struct."""
        rank = self._integer(shape.ndim)
        fragments = [shape.each, *([strides.each] if strides is not None else [])]
        arrays = list(dict.fromkeys(array for text in fragments for array in arrays_by_axis(text)))
        if not arrays:
            return [f"dlb_rank(view, {rank});"]
        return [f"DLB_RANK_WITHIN(view, {rank}, {self._scope.text(array)});" for array in arrays]

    def _extent(self, axis: str, extent: str) -> str:
        return f"dlb_extent(view, {axis}, {self._integer(extent)});"

    def _loop(self, lines: list[str]) -> list[str]:
        return [f"for (int axis = 0; axis < {RANK}; axis++) {{", *lines, "}"]

    def _stride(self, axis: str, strides: StridesInUnits, stride: str, dtype: DType | Conditional[DType] | None) -> str:
        unit = strides.unit
        if unit == "bytes":
            return f"dlb_byte_stride(view, {known_dtype(dtype)}, {axis}, {self._integer(stride)});"
        if unit in NAMED_UNITS:
            setter = {"elements": "dlb_stride", "bits": "dlb_bit_stride"}[unit]
            return f"{setter}(view, {axis}, {self._integer(stride)});"
        return f"dlb_unit_stride(view, {axis}, {self._integer(stride)}, {self._integer(unit)});"

    # ---- Layout ----

    def _layout(self, slots: Slots) -> list[str]:
        return conditional(_otherwise(slots.order, "C"), lambda order: self._ordered(slots, order))

    def _ordered(self, slots: Slots, order: Order) -> list[str]:
        axes = rank_of(slots.shape) if slots.shape is not None else self._rank
        if slots.strides is None:
            return self._compact(order, axes)
        if isinstance(slots.strides, Conditional) and slots.strides.otherwise is None:
            strides = slots.strides
            lines = conditional(strides, lambda value: self._strided(value, order, axes, slots))
            return [*lines[:-1], "#else", *self._compact(order, axes), "#endif"]
        return conditional(slots.strides, lambda value: self._strided(value, order, axes, slots))

    def _compact(self, order: Order, axes: int | None) -> list[str]:
        rank = RANK if axes is None else axes
        if order == "F":
            return [f"dlb_compact_fortran(view, {rank});"]
        return [*self._reversals(order, strides=False), f"dlb_compact(view, {rank});"]

    def _reversals(self, order: Order | Conditional[Order] | None, strides: bool) -> list[str]:
        def lines(each: Order) -> list[str]:
            if each != "reversed":
                return []
            extents = f"dlb_reverse(view->tensor->shape, {RANK});"
            return [extents, *([f"dlb_reverse(view->tensor->strides, {RANK});"] if strides else [])]

        return conditional(order, lines)

    def _stride_capacity(self, shape: object, strides: EachStrides) -> list[str]:
        """Checks the rank against arrays of strides that are not read with the extents."""
        known = arrays_by_axis(shape.each) if isinstance(shape, EachShape) else ()
        rank = self._integer(shape.ndim) if isinstance(shape, EachShape) else f"DLB_INTEGER({RANK})"
        arrays = [array for array in dict.fromkeys(arrays_by_axis(strides.each)) if array not in known]
        return [f"DLB_RANK_WITHIN(view, {rank}, {self._scope.text(array)});" for array in arrays]

    def _strided(self, strides: Strides, order: Order, axes: int | None, slots: Slots) -> list[str]:
        compact = self._compact(order, axes)
        if isinstance(strides, RowPointers):
            return compact
        if isinstance(strides, OuterStride):
            return [*compact, *self._unless(strides.compact_when, self._outer(strides, order, axes, slots.dtype))]
        if isinstance(strides, EachStrides):
            capacity = [] if axes is not None else self._stride_capacity(slots.shape, strides)
            lines = [*capacity, *self._loop([self._stride("axis", strides, strides.each, slots.dtype)])]
        else:
            items = enumerate(strides.items)
            lines = [self._stride(str(axis), strides, stride, slots.dtype) for axis, stride in items]
        lines += self._reversals(order, strides=True)
        if strides.compact_when is None:
            return lines
        return [f"if ({self._scope.text(strides.compact_when)}) {{", *compact, "} else {", *lines, "}"]

    def _unless(self, condition: str | None, lines: list[str]) -> list[str]:
        if condition is None or not lines:
            return lines
        return [f"if ({negate(self._scope.text(condition))}) {{", *lines, "}"]

    def _outer(
        self, strides: OuterStride, order: Order, axes: int | None, dtype: DType | Conditional[DType] | None
    ) -> list[str]:
        if axes is not None:
            axis = str(axes - 1) if order == "F" else "0"
            return [self._stride(axis, strides, strides.outer, dtype)] if axes > 0 else []
        axis = f"{RANK} - 1" if order == "F" else "0"
        line = self._stride(axis, strides, strides.outer, dtype)
        return [line] if self._least > 0 else [f"if ({RANK} > 0) {{", line, "}"]

    def _data(self, data: str, slots: Slots, is_last: bool) -> list[str]:
        """Returns the statements that set the data pointer. With `is_last`, strides and byte offset are already set."""
        tables = [each.rows for each in alternatives(slots.strides) if isinstance(each, RowPointers)]
        first = next((rows for rows in tables if data in (f"{rows}[0]", f"*{rows}")), None)
        if first is not None:
            return [f"DLB_FIRST_ROW(view, {self._argument(first)});"]
        if is_last and is_member(data):
            return [f"DLB_DATA_MEMBER(view, {self._argument(data)});"]
        line = f"DLB_DATA(view, {self._argument(data)});"
        found = within(data)
        if found is None:
            return [line]
        return [line, *([self._stays_within(found)] if is_last else [])]

    def _note_early(self, data: str | Conditional[str] | None) -> None:
        found = within(data) if isinstance(data, str) else None
        if found is not None and is_own_member(found.member):
            self._early[found] = None

    def _stays_within(self, pointer: Within) -> str:
        return f"DLB_STAYS_WITHIN(view, {self._members(pointer)});"

    def _members(self, pointer: Within) -> str:
        return f"{self._scope.text(pointer.member)}, {argument(self._scope.text(pointer.array))}"

    def last(self, is_chosen: bool) -> list[str]:
        """Returns the deferred checks that data stays within its array.

        With `is_chosen`, a match chooses the data pointer.
        """
        if not self._early:
            return []
        if not is_chosen:
            return [self._stays_within(each) for each in self._early]
        lines = [f"DLB_REACHES(&reach, view, {self._members(each)});" for each in self._early]
        return ["{", "dlb_reach reach = {0, NULL, 0};", *lines, "dlb_reach_end(&reach, view);", "}"]

    def _rows(self, slots: Slots) -> list[str]:
        def lines(strides: Strides, axis: str) -> list[str]:
            if not isinstance(strides, RowPointers):
                return []
            line = quoting("DLB_ROWS", strides.rows, self._scope.text(strides.rows), "view", axis)
            return self._unless(strides.compact_when, [f"{line};"])

        def ordered(order: Order) -> list[str]:
            axis = f"{RANK} - 1" if order == "F" else "0"
            return conditional(slots.strides, lambda strides: lines(strides, axis))

        return conditional(_otherwise(slots.order, "C"), ordered)


def known_dtype(dtype: DType | Conditional[DType] | None) -> str:
    """Returns the dtype as a constant for the compiler if it is fixed, or else the dtype of the view."""
    return constant(dtype) if isinstance(dtype, FixedDType | CTypeDType) else DTYPE


def _otherwise(value: Any, default: object) -> Any:
    """Returns the value of a slot with a default. The default also applies if no branch of a condition holds."""
    if isinstance(value, Conditional):
        return value if value.otherwise is not None else replace(value, otherwise=default)
    return default if value is None else value


def _in_one_loop(slots: Slots) -> bool:
    return (
        isinstance(slots.shape, EachShape)
        and isinstance(slots.strides, EachStrides)
        and slots.strides.compact_when is None
    )
