"""Classes of other modules: the types of this module that stand for them."""

from __future__ import annotations

from dlpack_bindgen.bind.binding import ExternalBinding, Struct
from dlpack_bindgen.bind.scope import Names, scope_of
from dlpack_bindgen.spec.spec import Item, Spec
from dlpack_bindgen.text.literals import c_string, comment_lines
from dlpack_bindgen.text.names import STATIC
from dlpack_bindgen.text.types import plain_type


def bind_external(spec: Spec, names: Names, item: Item) -> ExternalBinding:
    """Returns the type that stands for a class of another module."""
    assert item.external is not None
    module, name = item.external.module, item.external.name
    c_name = names.c_name(item.name)
    full_name = f"{module.lstrip('.')}.{name}"
    scope = scope_of(spec.module, c_name, item)
    facts = [f".name = {c_string(full_name)}"]
    if scope.has_state:
        facts.append(f".state = DLB_STORAGE_FOR({scope.state})")
    if item.by_value:
        facts += [f".value = sizeof({item.type})", f".points = DLB_IS_POINTER_TYPE({item.type})"]
    facts += [".release_on = DLB_RELEASE_GIL", ".writable = 1", f".external = &{STATIC}{c_name}_external"]
    imported = f"{name} as {item.name}" if name != item.name else name
    return ExternalBinding(
        c_name=c_name,
        name=item.name,
        comment=comment_lines(f"{item.name}: {item.doc or f'objects of {full_name}.'}"),
        condition=item.condition,
        record=f"{STATIC}{c_name}_external",
        values=", ".join(map(c_string, (module, name, plain_type(item.type)))),
        state=Struct(f"{c_name}_state", scope.members()) if scope.has_state else None,
        facts=tuple(facts),
        imported=f"from {module} import {imported}",
    )
