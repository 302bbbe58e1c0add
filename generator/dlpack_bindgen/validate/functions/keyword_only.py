"""The parameters that Python gives by name only."""

from __future__ import annotations

from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.rules.made import may_be_missing
from dlpack_bindgen.validate.values import Fields


def by_name(function: Fields, call: Call) -> tuple[str, ...]:
    """Those of the list; or the first one and all behind it. Python has them at the end, wherever C has them.

    A parameter behind the first one that must be given stays positional, where no parameter before it may be left out
    by position: C has its context last."""
    listed = function.items("keyword_only")
    if listed:
        return tuple(leaf.text for leaf in listed.leaves())
    given = call.from_python()
    names = [each.name for each in given]
    first = function.text("keyword_only")
    if first not in names:
        return ()
    place = names.index(first)
    all_behind = not may_be_missing(given[place]) or any(map(may_be_missing, given[:place]))
    return tuple(each.name for each in given[place:] if all_behind or may_be_missing(each))
