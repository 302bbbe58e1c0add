"""The slots in their order, the match that chooses between them, their keys, and what relates their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import prod

from dlpack_bindgen import dlpack
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import (
    EXPRESSION,
    IF,
    KEY,
    MAX_ARMS,
    Alternatives,
    Anything,
    Form,
    Key,
    ListOf,
    Lookup,
    MapOf,
    Option,
    Record,
    Word,
    Words,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value
from dlpack_bindgen.tensor.data_and_device import ByteOffsetSlot, DataSlot, Device, DeviceSlot, ReadonlySlot, is_member
from dlpack_bindgen.tensor.dtype import CTypeDType, DType, DTypeSlot, FixedDType
from dlpack_bindgen.tensor.shape import ListedShape, Order, OrderSlot, Shape, ShapeSlot
from dlpack_bindgen.tensor.slot import Conditional, Reading, Slot, alternatives, cases
from dlpack_bindgen.tensor.strides import Strides, StridesSlot
from dlpack_bindgen.text.fragments import ALWAYS, Assertion, equals, is_call, is_number
from dlpack_bindgen.text.literals import c_string, joined

# ---- The list of the slots, and their values ----

SLOTS: tuple[Slot, ...] = (
    DTypeSlot(),
    DeviceSlot(),
    ShapeSlot(),
    OrderSlot(),
    StridesSlot(),
    DataSlot(),
    ByteOffsetSlot(),
    ReadonlySlot(),
)
BY_NAME = {slot.name: slot for slot in SLOTS}


class Slots(Frozen):
    """The slots of a tensor outside its matches, or of one arm of a match; None: not set here."""

    dtype: DType | Conditional[DType] | None = None
    device: Device | Conditional[Device] | None = None
    shape: Shape | Conditional[Shape] | None = None
    order: Order | Conditional[Order] | None = None
    strides: Strides | Conditional[Strides] | None = None
    data: str | Conditional[str] | None = None
    byte_offset: str | Conditional[str] | None = None
    readonly: str | Conditional[str] | None = None

    def names(self) -> tuple[str, ...]:
        """Returns the names of the slots that are set."""
        return tuple([name for name, value in vars(self).items() if value is not None])

    def fragments(self) -> list[str | None]:
        """Returns all C source of the slots."""
        found: list[str | None] = []
        for name, value in vars(self).items():
            for each in alternatives(value):
                found += BY_NAME[name].fragments(each)
        return found


# ---- The keys of choices between values of one slot ----

DEFAULT_BESIDE = "'default:' beside the 'map' covers all other values"


def map_of(value: Alternatives | Anything, values: str) -> MapOf:
    """Returns the form of a mapping from keys to values. `values`: the plural of the values."""
    return MapOf(Form.KEY, value, f"a mapping from C expressions to {values}", MAX_ARMS, DEFAULT_BESIDE)


_ANY_VALUE = Anything("the value of a slot")
"""Stands for the values of a slot, until the key of the slot has them."""
OF_CHOICE = Key[Leaf](
    "of", EXPRESSION, "The C expression whose value is searched in `map`, such as `self->type`.", required=True
)
MAP_OF_CHOICE = Key[Table](
    "map",
    _ANY_VALUE,
    "C expressions and the value for each, or the name of such a mapping in `maps`.",
    required=True,
    details=(
        "A key is compared with the value of `of`: by `==`, or by `strcmp` if the key is a string literal.",
        "A character or a string has the quotes of C within those of YAML: `{of: self->code, map: "
        "{\"'i'\": int32, \"'f'\": float32}}`, `{of: self->format, map: {'\"f\"': float32}}`.",
        "With `of: 1`, keys can be conditions.",
    ),
)
DEFAULT_OF_CHOICE = Key[Value]("default", _ANY_VALUE, "The value of the slot if no key matches.")


def choice(plain: tuple[Option, ...], values: str, further: tuple[Key, ...]) -> Record:
    """Returns the form of the choice `{of, map}` among values of the forms `plain`. `values`: their plural."""
    value = Alternatives(plain)
    return Record(
        what="a choice {of, map}",
        doc="The value of one slot, looked up by a C expression. If no key matches and there is no `default`, the "
        "result is a BufferError.",
        keys=(
            OF_CHOICE,
            replace(MAP_OF_CHOICE, kind=Lookup(map_of(value, values))),
            replace(DEFAULT_OF_CHOICE, kind=value),
            *further,
        ),
    )


# ---- The keys of a tensor for its slots, and the keys of a match ----


def _slot(slot: Slot) -> tuple[Key[Value], Key[Value]]:
    """Returns two keys for a slot: one for a tensor, and one for an arm. An arm takes no choice `{of, map}`."""
    name, doc, plain = slot.name, slot.doc, slot.forms
    by_preprocessor = Option(cases(plain), "Chosen by the preprocessor.")
    at_run_time = Option(choice(plain, slot.values, slot.further), "Chosen at run time.", tag="of")
    any_form = Alternatives((*plain, at_run_time, by_preprocessor))
    required = slot.unless is not None
    whole = Key[Value](name, any_form, doc, required, slot.default, unless=slot.unless, details=slot.details)
    return whole, Key[Value](name, Alternatives((*plain, by_preprocessor)), doc, details=slot.details)


_KEYS = tuple(_slot(each) for each in SLOTS)
SLOT_KEYS = tuple(whole for whole, _ in _KEYS)
DTYPE, DEVICE, SHAPE, ORDER, STRIDES, DATA, BYTE_OFFSET, READONLY = SLOT_KEYS
_ARM_SLOTS = tuple(within for _, within in _KEYS)
SLOT_NAMES = tuple(key.name for key in SLOT_KEYS)
REQUIRED_SLOTS = tuple(key.name for key in SLOT_KEYS if key.required)
MAP = map_of(_ANY_VALUE, "values")
"""The form of an entry of `maps`."""

ANY = Key[Items]("any", ListOf(KEY, "a list of keys", least=1), "The keys.", required=True)
CODE_OF_ANY = Key[Leaf](
    "code", KEY, "The key that `code` or `device_code` has in an import that chooses the arm.", default="the first key"
)
ANY_OF = Record(what="a set {any}", doc="Several keys. The value must match one key.", keys=(ANY, CODE_OF_ANY))
_WHEN = (
    Option(KEY, "A C expression that the value must be equal to; `_` matches every value."),
    Option(ANY_OF, "Several keys. The value must match one key.", tag="any"),
)
WHEN = Key[Leaf | Items | Fields](
    "when",
    Alternatives((*_WHEN, Option(ListOf(Alternatives(_WHEN), "a list of keys", least=1), "One key for each `of`."))),
    "The values that the arm matches: a key, `_` (every value) or `{any: [...]}`. With several expressions "
    "in `of`, a list of such values.",
    required=True,
)
IMPORT_OF_ARM = Key[Leaf](
    "import",
    Words(
        (
            Word("true", "If an array fits several arms, imports choose this one."),
            Word("false", "Imports never choose this arm."),
        )
    ),
    "Whether an import may choose the arm for an array.",
    default="`true` if the array fits no other arm",
)
OF_MATCH = Key[Items](
    "of",
    ListOf(EXPRESSION, "a list of C expressions", least=1, lone=True),
    "The C expression whose value selects the arm, or a list of expressions.",
    required=True,
)
ARMS = Key[Items](
    "arms",
    ListOf(
        Record(
            what="an arm",
            doc="The slots for some values of `of`. A slot that the arm does not set comes from the tensor.",
            keys=(WHEN, IMPORT_OF_ARM, replace(IF, doc="The condition of the `#if` around the arm."), *_ARM_SLOTS),
        ),
        "a list of arms",
        least=1,
        most=MAX_ARMS,
    ),
    "The slots for each value.",
    required=True,
)
DEFAULT_OF_MATCH = Key[Fields](
    "default",
    Record(what="a default", doc="The slots for a value that no arm matches.", keys=_ARM_SLOTS),
    "The slots if no arm matches.",
)
MATCH = Record(
    what="a match",
    doc="Sets several slots at once, by the value of one or more C expressions. The first arm that matches is "
    "chosen. If no arm matches and there is no `default`, the result is a BufferError.",
    keys=(OF_MATCH, ARMS, DEFAULT_OF_MATCH),
)


# ---- The records of matches ----


class Arm(Frozen):
    """An arm of a match: `{when: KEY, slot: ..., import: true}`."""

    when: tuple[tuple[str, ...] | None, ...]
    """The accepted keys for each value of `of` (several keys: `{any: [...]}`); None: `_`, which accepts every value."""
    slots: Slots
    imports: bool | None = None
    """True: imports prefer the arm. False: imports never use it. None: imports use it if it fits."""
    condition: str | None = None
    """The condition of the `#if` around the arm."""
    codes: tuple[str | None, ...] = ()
    """The key beside `any` for each value of `of`, or None; empty: no set has one."""

    def code(self, place: int) -> str | None:
        """Returns the key that an import gives a new object for a value of `of`; None for `_`."""
        named = self.codes[place] if self.codes else None
        return named or next(iter(self.when[place] or ()), None)

    @property
    def in_words(self) -> str:
        """The accepted keys for each value of `of`."""
        found = ["any value" if keys is None else joined(keys) for keys in self.when]
        return " / ".join(found)

    def test(self, values: Sequence[str], reading: Reading) -> str:
        """Returns the condition for the arm, as a C expression. `values` are compared with the keys."""
        parts = []
        for value, keys in zip(values, self.when, strict=True):
            if keys is not None:
                tests = [equals(value, reading.text(key)) for key in keys]
                several = len(tests) > 1 and sum(keys is not None for keys in self.when) > 1
                parts.append(f"({' || '.join(tests)})" if several else " || ".join(tests))
        return " && ".join(parts) or ALWAYS


class Match(Frozen):
    """`match: {of, arms, default}`, or a slot `{of, map, default}`. C code compares keys with `==`, and string literals
    with `strcmp`."""

    of: tuple[str, ...]
    arms: tuple[Arm, ...]
    default: Slots | None = None
    """The slots for values without an arm; None: such a value raises BufferError."""

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slots that any arm sets, in the order of `Slots`. No other match sets them."""
        every = [arm.slots for arm in self.arms] + ([self.default] if self.default else [])
        named = {name for slots in every for name in slots.names()}
        return tuple([name for name in Slots.__annotations__ if name in named])

    @property
    def place(self) -> str:
        """Returns the key of the spec that has the match."""
        return self.slots[0] if len(self.slots) == 1 else "match"

    def _keys(self, place: int) -> list[str]:
        return [key for arm in self.arms for key in arm.when[place] or ()]

    def calls_once(self, place: int) -> bool:
        """Returns whether C must store the result of a call, because it compares it with several keys."""
        certain = any(arm.when[place] and arm.condition is None for arm in self.arms)
        return is_call(self.of[place]) and certain and len(self._keys(place)) > 1

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        """Yields assertions that the values can be compared with their first keys."""
        for place, of in enumerate(self.of):
            key = next(iter(self._keys(place)), "0")
            if key == "0":  # 0 also compares with pointers
                yield reading.asserted("VALUE", f"{self.place}.of", of, "comparable")
            else:
                what = f"comparable with {key}"
                yield reading.asserted("KEY", f"{self.place}.of", of, what, reading.argument(key))

    def report(self, reading: Reading) -> tuple[str, tuple[str, ...]]:
        """Returns the function of the runtime that refuses values without an arm, and its last arguments."""
        shown = c_string(", ".join(self.slots))
        macros = ["DLB_STRING_VALUE" if self._has_strings(place) else "DLB_VALUE" for place in range(len(self.of))]
        values = [reading.quoting(macro, of) for macro, of in zip(macros, self.of, strict=True)]
        if len(values) == 1:
            return "dlb_view_unmapped", (shown, values[0])
        return "dlb_view_unmatched", (shown, f"(const dlb_integer[]){{{', '.join(values)}}}", str(len(values)))

    def _has_strings(self, place: int) -> bool:
        return any(key.endswith('"') for key in self._keys(place))


# ---- The relation between data, dtype and shape: the memory behind the data must be able to hold the elements ----

_INTEGERS = ("kDLInt", "kDLUInt", "kDLBool")
_FLOATS = ("kDLFloat", "kDLBfloat", "kDLComplex")
_UNLESS = " (cast it to void * if its type does not matter)"


def type_of_data(data: str, dtypes: Sequence[object], reading: Reading) -> Iterator[Assertion]:
    """Yields the assertion on the type of the data. `dtypes` is empty if the dtypes are unknown."""
    fixed = [dtype for dtype in dtypes if isinstance(dtype, FixedDType)]
    if len(dtypes) == 1 and fixed:
        numbers = fixed[0].numbers
        what = f"a pointer to {fixed[0].name}"
        yield reading.asserted("DATA", "data", data, what, numbers.code, str(numbers.bits))
    elif len(dtypes) == 1 and isinstance(dtypes[0], CTypeDType):
        ctype = dtypes[0].ctype
        what = f"a pointer to {ctype}"
        yield reading.asserted("DATA", "data", data, what, dtypes[0].code, f"8 * sizeof({ctype})")
    elif len(fixed) == len(dtypes) > 1 and all(each.numbers.code in (*_INTEGERS, *_FLOATS) for each in fixed):
        widths = map(str, _widths([each.numbers for each in fixed]))
        yield reading.asserted("ANY_DATA", "data", data, _holder(fixed), *widths)
    else:
        yield reading.asserted("POINTER", "data", data, "a pointer")


def _widths(dtypes: list[dlpack.DType]) -> tuple[int, int]:
    """Returns the width of floating-point elements that can hold all dtypes, and the width of integers.

    A width of 0 means that no type can.
    """
    parts = {each.bits // (2 if each.code == "kDLComplex" else 1) for each in dtypes}
    floats = parts.pop() if len(parts) == 1 and all(each.code in _FLOATS for each in dtypes) else 0
    whole = all(each.code in _INTEGERS or each.bits <= 16 for each in dtypes)
    return floats, max(each.bits for each in dtypes) if whole else 0


def _holder(dtypes: list[FixedDType]) -> str:
    names = list(dict.fromkeys(dtype.name for dtype in dtypes))
    several = f"{', '.join(names[:-1])} and {names[-1]}" if 1 < len(names) < 5 else f"{len(names)} dtypes"
    what = names[0] if len(names) == 1 else several
    return f"a pointer to elements of {what} (cast it to void * if it is one)"


def capacity(slots: Slots, reading: Reading) -> Iterator[Assertion]:
    """Yields assertions that an array of the struct can hold a compact shape of literal extents and its rows."""
    shape, dtype, data = slots.shape, slots.dtype, slots.data
    if not isinstance(shape, ListedShape) or not isinstance(dtype, FixedDType) or not isinstance(data, str):
        return
    if slots.strides is not None or slots.byte_offset is not None or not is_member(data):
        return
    bits = dtype.numbers.bits * dtype.numbers.lanes
    last = shape.extents[-1] if slots.order is None and len(shape.extents) == 2 else ""
    if is_number(last) and int(last) > 0:
        what = f"rows of {last} elements of {dtype.name}, if it has any{_UNLESS}"
        yield reading.asserted("ROWS", "shape", data, what, str(int(last) * bits // 8), verb="have")
    if all(is_number(extent) and int(extent) > 0 for extent in shape.extents):
        elements = prod(int(extent) for extent in shape.extents)
        what = f"storage for {elements} elements of {dtype.name}{_UNLESS}"
        yield reading.asserted("CAPACITY", "shape", data, what, str(elements * bits // 8), verb="have")
