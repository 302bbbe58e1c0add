"""Pointers of a struct that its slots dereference. If such a pointer is NULL, the object cannot be described."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from dlpack_bindgen.slots.conditional import Conditional
from dlpack_bindgen.slots.shape import EachShape
from dlpack_bindgen.slots.slots import Slots
from dlpack_bindgen.slots.strides import EachStrides

_CHAIN = re.compile(r"\bself(?:\s*(?:->|\.)\s*\w+|\s*\[\s*\d+\s*\])+")
_UNREAD = re.compile(r"\b(?:sizeof|_Alignof)\s*\([^()]*\)")
_CHOOSES = re.compile(r"\?|&&|\|\|")
"""Operators with conditional evaluation. The spec itself then decides on the access."""


def pointers(fragments: Iterable[str | None]) -> Iterator[str]:
    """Yields the dereferenced pointers, such as `self->storage` for `self->storage->data`, in the order of access."""
    for text in fragments:
        for chain in _CHAIN.finditer(_UNREAD.sub("", text)) if text and not _CHOOSES.search(text) else ():
            for arrow in re.finditer("->", chain.group()):
                pointer = chain.group()[: arrow.start()].rstrip()
                if pointer != "self":
                    yield pointer


def always_read(slots: Slots) -> list[str | None]:
    """Returns the C source that is read from every object with these slots.

    It excludes reads for each axis, since the rank can be 0.
    """
    strides = slots.strides
    left = [name for name in slots.names() if isinstance(getattr(slots, name), Conditional)]
    if isinstance(slots.shape, EachShape):
        return [slots.shape.ndim, *always_read(replace(slots, shape=None))]
    if isinstance(strides, EachStrides):
        left.append("strides")
    if strides is not None and not isinstance(strides, Conditional) and strides.compact_when is not None:
        left.append("strides")
    return replace(slots, **dict.fromkeys(left)).fragments()


def is_tested(pointer: str, fragments: Iterable[str | None]) -> bool:
    """Returns whether the spec tests the pointer itself."""
    written = re.compile(rf"{re.escape(pointer)}(?!\s*(?:->|\.|\[|\w))")
    return any(text is not None and written.search(text) for text in fragments)
