"""Properties whose values are tensors or handles."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.bind.binding import Getter
from dlpack_bindgen.bind.scope import Names, scope_of
from dlpack_bindgen.results.kind import Target
from dlpack_bindgen.results.object import Member, ObjectResult, StateFacts
from dlpack_bindgen.slots.scope import Variable
from dlpack_bindgen.spec.functions import Property
from dlpack_bindgen.spec.spec import Item, Tensor
from dlpack_bindgen.text.fragments import argument, declaration
from dlpack_bindgen.text.literals import c_string


def is_view(names: Names, item: Item, each: Property) -> bool:
    """Returns whether the value is the same C object, as an instance of a tensor."""
    of = names.items[each.of] if each.kind == "object" and each.of is not None else None
    return isinstance(of, Tensor) and each.shows(of.name) and of.type == item.type


def object_getter(names: Names, item: Item, each: Property, getter: Getter) -> Getter:
    """Returns the getter with the facts about its object, which keeps the object of the property alive."""
    assert each.of is not None
    of, c_name = names.items[each.of], names.c_name(each.of)
    if is_view(names, item, each):
        view = f"dlb_py_child(object, {c_string(each.name)}, &{c_name}_type, NULL, NULL, 0, NULL)"
        return replace(getter, view=view)
    if of.by_value:
        found, passed = declaration(of.type, "outcome"), "outcome"
    else:
        found, passed = declaration(f"const {of.type} *", "outcome"), f"({of.type} *)(uintptr_t)outcome"
    state = None
    if scope_of("", c_name, of).has_state:
        has_defaults = any(param.value is not None for param in of.params)
        state = StateFacts("state", (Member("self", passed),), has_defaults, ())
    constness = f"(DLB_POINTS_TO_WRITABLE({argument(each.get)}) ? 0 : DLB_PY_READS)"
    value = ObjectResult(
        to=Target("answer", is_declared=True),
        of=c_name,
        passed="&state" if state else passed,
        flags=("DLB_PY_OPTIONAL",) if of.by_value else ("DLB_PY_OPTIONAL", constness),
        stored="",
        storage="",
        state=state,
        owner="borrowed",
        function="",
        arrays="",
        kept=("arrays[0]",),
        same=(),
        is_stored_first=False,
    )
    return replace(getter, found=Variable(found, each.get, getter.label), object=value)
