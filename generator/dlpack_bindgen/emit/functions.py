"""Binding of methods, properties, constructors, constants, enumerations and module initialisation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dlpack_bindgen.calls.binding import FunctionBinding
from dlpack_bindgen.calls.call import Call, groups
from dlpack_bindgen.calls.records import Property
from dlpack_bindgen.calls.result_kinds import SCALARS
from dlpack_bindgen.calls.signature import has_complex, has_items, takes_errno
from dlpack_bindgen.calls.stub import value_type
from dlpack_bindgen.classes.members import Getter, PropertyBinding, Slot
from dlpack_bindgen.emit.binding import ConstantBinding, EnumBinding, InitAction
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.c_names import CNames, constants_of_state, enum_table, table_name
from dlpack_bindgen.tensor.item import Action, Item
from dlpack_bindgen.tensor.slot import Scope
from dlpack_bindgen.tensor.steps import status_assertion
from dlpack_bindgen.text.fragments import mentions, negate, replace_result, statements
from dlpack_bindgen.text.literals import c_strings
from dlpack_bindgen.text.names import CALLED, SPECIAL


def bind_function(names: CNames, function: Call, owner: Item | None = None, fast: bool = False) -> FunctionBinding:
    from dlpack_bindgen.calls import body  # imported late: many specs have no functions

    return body.bind_function(names, function, owner, fast)


def bind_functions(names: CNames, functions: Sequence[Call], owner: Item | None = None) -> tuple[FunctionBinding, ...]:
    """Returns the bindings of functions or methods. Those of one name are followed by the function that chooses."""
    return tuple(binding for group in groups(functions) for binding in _bind_group(names, group, owner))


def _bind_group(names: CNames, group: tuple[Call, ...], owner: Item | None) -> tuple[FunctionBinding, ...]:
    if len(group) == 1:
        return (bind_function(names, group[0], owner, fast=group[0].name == "__call__"),)
    from dlpack_bindgen.calls import alternatives  # imported late: few specs have alternatives

    return alternatives.bind_alternatives(names, group, owner)


def bind_slots(item: Item, methods: Sequence[FunctionBinding]) -> tuple[Slot, ...]:
    if not any(function.name in SPECIAL for function in item.methods):
        return ()
    from dlpack_bindgen.classes import members  # imported late: few specs have special methods

    called = [method for method in methods if method.entry]
    named = {group[0].name: method for group, method in zip(groups(item.methods), called, strict=True)}
    return members.bind_slots(named, has_items(item.methods))


def bind_new(names: CNames, scope: Scope, item: Item) -> FunctionBinding | None:
    if item.new is not None:
        return bind_function(names, item.new, item, fast=True)
    if item.new_struct is not None:
        from dlpack_bindgen.classes.members import bind_new_struct  # imported late: few specs have such constructors

        return bind_new_struct(scope, item, item.new_struct)
    return None


def self_operand(names: CNames, scope: Scope, item: Item) -> str:
    """Returns the operand entry for the object of a property; empty: no property needs the operand."""
    objects = [each for each in item.properties if each.kind == "object"]
    views = [each for each in objects if _is_view(names, item, each)]
    if len(views) == len(item.properties):
        return ""
    fragments = [each.get for each in item.properties]
    asked = any(mentions(fragments, param.name) for param in item.params)
    flags = ", .flags = DLB_PY_KEPT" if asked or len(views) < len(objects) else ""
    return f"{{ .param = -1, .type = &{scope.c_name}_type{flags} }}"


def bind_properties(names: CNames, scope: Scope, item: Item) -> tuple[PropertyBinding, ...]:
    return tuple(_property(names, scope, item, each) for each in item.properties)


def _property(names: CNames, scope: Scope, item: Item, each: Property) -> PropertyBinding:
    uses_self = mentions([each.get], "self")
    getter = Getter(
        c_name=f"{CALLED}{scope.c_name}_get_{each.name}",
        function=table_name(item, "self"),
        type=scope.type,
        has_copy=uses_self and scope.by_value,
        has_pointer=uses_self and not scope.by_value,
        params=constants_of_state(scope.c_name, item, "arrays[0]", each.get),
        made=_made(names, each),
        label=scope.label(f"properties.{each.name}"),
    )
    if each.kind == "object":
        from dlpack_bindgen.classes.members import object_getter  # imported late: few specs have such properties

        getter = object_getter(names, item, each, getter)
    setter = _setter(names, scope, item, each)
    setter_name = f"{CALLED}{scope.c_name}_assign_{each.name}"
    doc = c_strings(each.doc or _doc(getter, each))
    return PropertyBinding(
        name=each.name,
        getter=getter,
        setter=setter,
        setter_name=setter_name,
        entry=f'{{"{each.name}", {getter.c_name}, {setter_name if setter is not None else "NULL"}, {doc}, NULL}}',
        condition=_condition(names, item, each),
    )


def _doc(getter: Getter, each: Property) -> str:
    if getter.view:
        return f"This object, seen as {each.of}."
    return f"`{each.get.replace('self->', '').replace('self.', '')}` of the C object."


def _is_view(names: CNames, item: Item, each: Property) -> bool:
    from dlpack_bindgen.classes.members import is_view  # imported late: few specs have such properties

    return is_view(names, item, each)


def _condition(names: CNames, item: Item, each: Property) -> str | None:
    """Returns the `#if` condition of the property and of the class of its value."""
    of = names.items[each.of].condition if each.kind == "object" and each.of is not None else None
    found = [text for text in (each.condition, of if of != item.condition else None) if text is not None]
    return " && ".join(f"({text})" for text in found) if len(found) > 1 else next(iter(found), None)


def _made(names: CNames, each: Property) -> str:
    """Returns the call that makes the object of Python from a number, a string or a member of an enumeration."""
    if each.kind == "object":
        return ""
    if each.kind == "str":
        return f"DLB_PY_STRING({each.get})"
    return SCALARS[each.kind].made(each.get, table=names.enums.get(each.of or "", ""))


def _setter(names: CNames, scope: Scope, item: Item, each: Property) -> FunctionBinding | None:
    if each.stored:
        from dlpack_bindgen.classes import members  # imported late: many specs have no such properties

        return members.bind_member(names, scope, item, each)
    return None if each.set is None else bind_function(names, each.set, item)


def bind_enums(spec: Spec) -> tuple[EnumBinding, ...]:
    return tuple(
        EnumBinding(
            each.name,
            enum_table(spec.prefix, each.name),
            "IntFlag" if each.flags else "IntEnum",
            "DLB_PY_INT_FLAG" if each.flags else "DLB_PY_INT_ENUM",
            each.members,
        )
        for each in spec.enums
    )


def bind_constants(spec: Spec) -> tuple[ConstantBinding, ...]:
    return tuple(
        ConstantBinding(each.name, SCALARS[each.kind].made(each.value), value_type(each.kind, None))
        for each in spec.constants
    )


def bind_init(spec: Spec) -> tuple[InitAction, ...]:
    return tuple(_action(spec.module, each) for each in spec.init)


def _action(module: str, action: Action) -> InitAction:
    if action.ok is None:
        return InitAction(module, tuple(statements(action.do)))
    return InitAction(
        module=module,
        called=action.do,
        assertion=status_assertion(action.do, action.ok, "init") if action.by_spec else None,
        fails=negate(replace_result(action.ok, "result")),
        error=action.error or "",
        failed=f"{action.do} failed",
    )


def headers(spec: Spec) -> tuple[str, ...]:
    """Returns the C headers that the bodies of functions need."""
    functions = list(called(spec))
    kinds: list[str] = [each.kind for item in spec.items for each in item.properties]
    kinds += [each.kind for each in spec.constants]
    found = []
    if "complex" in kinds or any(has_complex(function) for function in functions):
        found.append("<complex.h>")
    if any(takes_errno(function) for function in functions):
        found.append("<errno.h>")
    return tuple(found)


def last_slots(functions: Iterable[Call]) -> str:
    """Returns the last slots of the module, which declare whether it supports running without the GIL."""
    kinds = [argument.kind for function in functions for argument in function.arguments]
    needs_gil = any(kind.needs_own for kind in kinds)
    return f"DLB_PY_LAST_MODULE_SLOTS{'_WITH_GIL' if needs_gil else ''}"


def called(spec: Spec) -> Iterable[Call]:
    """Yields all functions that Python calls."""
    yield from spec.functions
    for item in spec.items:
        yield from item.methods
        yield from (each.set for each in item.properties if each.set is not None)
        if item.new is not None:
            yield item.new
