"""Matches, which choose between slots by keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from dlpack_bindgen.c.assertion import Assertion
from dlpack_bindgen.c.fragments import ALWAYS, equals, is_call
from dlpack_bindgen.c.quote import c_string
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.reading import Reading
from dlpack_bindgen.slots.slots import Slots


class Key(Frozen):
    """A variable for the result of a call that is compared with several keys."""

    name: str
    value: str
    """The call, as a C expression."""
    label: str


class OneWay(Frozen):
    """An arm of a match that no import can restore."""


class RestoredKey(Frozen):
    """The assignment of a key in an import."""

    variable: str
    key: str
    """A C expression."""


class Arm(Frozen):
    """An arm of a match: `{when: KEY, slot: ..., import: true}`."""

    when: tuple[tuple[str, ...] | None, ...]
    """The accepted keys for each value of `of` (several keys: `{any: [...]}`); None: `_`, which accepts every value."""
    slots: Slots
    imports: bool | None = None
    """True: imports prefer the arm. False: imports never use it. None: imports use it if it fits."""
    condition: str | None = None
    """The condition of the `#if` around the arm."""

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
