"""The facts for `templates/slots/match.c.j2`: the keys of a match."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen


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
