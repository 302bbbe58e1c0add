"""The keys for the slots of a tensor, and for the choices between several values of a slot."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import EXPRESSION as EXPRESSION
from dlpack_bindgen.language.kinds import MAX_RANK as MAX_RANK
from dlpack_bindgen.language.kinds import (
    Alternatives,
    Form,
    Key,
    ListOf,
    Lookup,
    MapOf,
    Option,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.values import Attribute, Fields, Value, items, leaf, table
from dlpack_bindgen.slots.slot import Slot
from dlpack_bindgen.slots.slots import SLOTS as ALL_SLOTS
from dlpack_bindgen.slots.slots import SlotFields as SlotFields

MAX_ARMS = 1000

DIRECTIVE = Single(Form.DIRECTIVE)
KEY = Single(Form.KEY)
DEFAULT_BESIDE = "'default:' beside the 'map' covers all other values"


class ChoiceFields(Fields):
    of = leaf()
    map = table()
    default = Attribute[Value]()
    id = leaf()


class CaseFields(Fields):
    if_ = leaf()
    value = Attribute[Value]()


class AnyFields(Fields):
    any = items()


class ArmFields(SlotFields):
    """An arm, or the default of a match."""

    when = Attribute[Value]()
    import_ = leaf()
    if_ = leaf()


class MatchFields(Fields):
    of = items()
    arms = items()
    default = Attribute[ArmFields]()


# ---- Choices ----


def _choice(plain: tuple[Option, ...], values: str, further: tuple[Key, ...]) -> Record:
    value = Alternatives(plain)
    return Record(
        what="a choice {of, map}",
        fields=ChoiceFields,
        doc="The value of one slot, looked up by a C expression. If no key matches and there is no `default`, the "
        "result is a BufferError.",
        keys=(
            Key(
                "of",
                EXPRESSION,
                "The C expression whose value is searched in `map`, such as `self->type`.",
                required=True,
            ),
            Key(
                "map",
                Lookup(MapOf(Form.KEY, value, f"a mapping from C expressions to {values}", MAX_ARMS, DEFAULT_BESIDE)),
                "C expressions and the value for each, or the name of such a mapping in `maps`.",
                required=True,
                details=(
                    "A key is compared with the value of `of`: by `==`, or by `strcmp` if the key is a string literal.",
                    "With `of: 1`, keys can be conditions.",
                ),
            ),
            Key("default", value, "The value of the slot if no key matches."),
            *further,
        ),
    )


def _cases(plain: tuple[Option, ...]) -> ListOf:
    return ListOf(
        Record(
            what="a case {if, value}",
            fields=CaseFields,
            doc="A value for one condition of the preprocessor. The last case may omit the condition.",
            keys=(
                Key("if", DIRECTIVE, "The condition, as written after `#if`."),
                Key("value", Alternatives(plain), "The value of the slot.", required=True),
            ),
        ),
        "a list of {if, value}",
        least=1,
    )


def _slot(slot: Slot) -> tuple[Key, Key]:
    """Returns two keys for a slot: one for a tensor, and one for an arm. An arm takes no choice `{of, map}`."""
    name, doc, plain = slot.name, slot.doc, slot.forms
    cases = Option(_cases(plain), "Chosen by the preprocessor.")
    choice = Option(_choice(plain, slot.values, slot.further), "Chosen at run time.", tag="of")
    alternatives = Alternatives((*plain, choice, cases))
    required = slot.unless is not None
    whole = Key(name, alternatives, doc, required, slot.default, unless=slot.unless, details=slot.details)
    return whole, Key(name, Alternatives((*plain, cases)), doc, details=slot.details)


_KEYS = tuple(_slot(each) for each in ALL_SLOTS)
SLOTS = tuple(whole for whole, _ in _KEYS)
ARM_SLOTS = tuple(within for _, within in _KEYS)
SLOT_NAMES = tuple(key.name for key in SLOTS)
REQUIRED_SLOTS = tuple(key.name for key in SLOTS if key.required)


# ---- Matches ----

_ANY = Record(
    what="a set {any}",
    fields=AnyFields,
    doc="Several keys. The value must match one key.",
    keys=(Key("any", ListOf(KEY, "a list of keys", least=1), "The keys.", required=True),),
)
_WHEN = (
    Option(KEY, "A C expression that the value must be equal to; `_` matches every value."),
    Option(_ANY, "Several keys. The value must match one key.", tag="any"),
)
ARM = Record(
    what="an arm",
    fields=ArmFields,
    doc="The slots for some values of `of`. A slot that the arm does not set comes from the tensor.",
    keys=(
        Key(
            "when",
            Alternatives(
                (*_WHEN, Option(ListOf(Alternatives(_WHEN), "a list of keys", least=1), "One key for each `of`."))
            ),
            "The values that the arm matches: a key, `_` (every value) or `{any: [...]}`. With several expressions in "
            "`of`, a list of such values.",
            required=True,
        ),
        Key(
            "import",
            Words(
                (
                    Word("true", "If an array fits several arms, imports choose this one."),
                    Word("false", "Imports never choose this arm."),
                )
            ),
            "Whether an import may choose the arm for an array.",
            default="`true` if the array fits no other arm",
        ),
        Key("if", DIRECTIVE, "The condition of the `#if` around the arm."),
        *ARM_SLOTS,
    ),
)
MATCH = Record(
    what="a match",
    fields=MatchFields,
    doc="Sets several slots at once, by the value of one or more C expressions. The first arm that matches is chosen. "
    "If no arm matches and there is no `default`, the result is a BufferError.",
    keys=(
        Key(
            "of",
            ListOf(EXPRESSION, "a list of C expressions", least=1, lone=True),
            "The C expression whose value selects the arm, or a list of expressions.",
            required=True,
        ),
        Key("arms", ListOf(ARM, "a list of arms", least=1, most=MAX_ARMS), "The slots for each value.", required=True),
        Key(
            "default",
            Record(
                what="a default", fields=ArmFields, doc="The slots for a value that no arm matches.", keys=ARM_SLOTS
            ),
            "The slots if no arm matches.",
        ),
    ),
)
