"""The section about the life of objects: who owns them, and which C code runs when."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.bind.doc_comments import owning
from dlpack_bindgen.explain.layout import INDENT, listed, table, wrapped
from dlpack_bindgen.hooks.hooks import HOOKS
from dlpack_bindgen.spec.spec import RELEASES_NOTHING, Item, Tensor


def ownership(item: Item, c_name: str) -> Iterator[str]:
    """Yields the lines about owners and hooks. `c_name`: the first part of the names of the C functions."""
    if item.release == RELEASES_NOTHING:
        yield from wrapped("The C object needs no cleanup: no code runs after its last use.", INDENT)
    else:
        made = owning(item, "a Python object")
        yield from wrapped(f"In C, {c_name}_wrap(self) {made[0].lower()}{made[1:]}", INDENT)
    if item.release not in (None, RELEASES_NOTHING):
        yield from wrapped("Python owns the object that a function returns, unless the function borrows it.", INDENT)
    yield from _closing(item)
    hooks = [hook for hook in HOOKS if hook.is_of_handles or isinstance(item, Tensor)]
    given = [(hook, code) for hook in hooks if (code := hook.code(item))]
    for hook, code in given:
        yield ""
        yield from wrapped(f"{hook.key.name}: {hook.moment}", INDENT)
        yield from listed(code, f"{INDENT}{INDENT}")
        for remark in hook.remarks(item):
            yield from wrapped(remark, f"{INDENT}{INDENT}")
    if item.parts:
        yield ""
        yield from wrapped("Parts, which are views that keep the object alive:", INDENT)
        rows = [(part.name, f"a tuple of {part.of}", f"as many as {part.count}") for part in item.parts]
        yield from table(rows, f"{INDENT}{INDENT}")


def _closing(item: Item) -> Iterator[str]:
    """Yields the lines about `close()` while arrays or objects use the memory of the object."""
    yield from wrapped("Arrays and objects that use its memory keep the object alive.", INDENT)
    if item.close is not None:
        yield from wrapped("close() is refused meanwhile with a BufferError, if Python owns the object.", INDENT)
    else:
        yield from wrapped("They stay valid after close() and after a with block.", INDENT)
