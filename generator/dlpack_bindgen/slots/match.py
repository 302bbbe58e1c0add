"""Matches, which choose between slots by keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import (
    EXPRESSION,
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
from dlpack_bindgen.language.shared import IF
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value
from dlpack_bindgen.slots.reading import Reading
from dlpack_bindgen.slots.slots import Slots
from dlpack_bindgen.text.fragments import ALWAYS, equals, is_call
from dlpack_bindgen.text.literals import c_string, joined
from dlpack_bindgen.text.statements import Assertion

# ---- Keys ----

DEFAULT_BESIDE = "'default:' beside the 'map' covers all other values"


ANY = Key[Items]("any", ListOf(KEY, "a list of keys", least=1), "The keys.", required=True)
CODE_OF_ANY = Key[Leaf](
    "code",
    KEY,
    "The key that `code` or `device_code` has in an import that chooses the arm.",
    default="the first key",
)
ANY_OF = Record(
    what="a set {any}",
    doc="Several keys. The value must match one key.",
    keys=(
        ANY,
        CODE_OF_ANY,
    ),
)
_WHEN = (
    Option(KEY, "A C expression that the value must be equal to; `_` matches every value."),
    Option(ANY_OF, "Several keys. The value must match one key.", tag="any"),
)


def map_of(value: Alternatives | Anything, values: str) -> MapOf:
    """Returns the form of a mapping from keys to values. `values`: the plural of the values."""
    return MapOf(Form.KEY, value, f"a mapping from C expressions to {values}", MAX_ARMS, DEFAULT_BESIDE)


_ANY_VALUE = Anything("the value of a slot")
"""Stands for the values of the slot, which the key of each slot has."""
OF_CHOICE = Key[Leaf](
    "of",
    EXPRESSION,
    "The C expression whose value is searched in `map`, such as `self->type`.",
    required=True,
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
ARMS = Key[Items]("arms", Anything("a list of arms"), "The slots for each value.", required=True)
DEFAULT_OF_MATCH = Key[Fields]("default", Anything("an arm"), "The slots if no arm matches.")


def match(slots: tuple[Key, ...]) -> Record:
    """Returns the keys of a match. `slots`: the keys of the slots in an arm."""
    arm = Record(
        what="an arm",
        doc="The slots for some values of `of`. A slot that the arm does not set comes from the tensor.",
        keys=(
            WHEN,
            IMPORT_OF_ARM,
            replace(IF, doc="The condition of the `#if` around the arm."),
            *slots,
        ),
    )
    return Record(
        what="a match",
        doc="Sets several slots at once, by the value of one or more C expressions. The first arm that matches is "
        "chosen. If no arm matches and there is no `default`, the result is a BufferError.",
        keys=(
            OF_MATCH,
            replace(ARMS, kind=ListOf(arm, "a list of arms", least=1, most=MAX_ARMS)),
            replace(
                DEFAULT_OF_MATCH,
                kind=Record(what="a default", doc="The slots for a value that no arm matches.", keys=slots),
            ),
        ),
    )


# ---- Records ----


class MatchedValue(Frozen):
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
