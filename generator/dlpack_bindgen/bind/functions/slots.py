"""Special methods as type slots, such as `len(x)`, `x[i]` and `x(...)`."""

from __future__ import annotations

from collections.abc import Mapping

from dlpack_bindgen.bind.binding import FunctionBinding, Slot

_SIMPLE = {
    "__len__": ("Py_sq_length", "length"),
    "__bool__": ("Py_nb_bool", "truth"),
    "__int__": ("Py_nb_int", "unary"),
    "__index__": ("Py_nb_index", "unary"),
    "__float__": ("Py_nb_float", "unary"),
    "__str__": ("Py_tp_str", "unary"),
    "__repr__": ("Py_tp_repr", "unary"),
    "__iter__": ("Py_tp_iter", "unary"),
    "__next__": ("Py_tp_iternext", "unary"),
    "__call__": ("Py_tp_call", "call"),
    "__getitem__": ("Py_mp_subscript", "subscript"),
    "__contains__": ("Py_sq_contains", "contains"),
}


def bind_slots(methods: Mapping[str, FunctionBinding], has_items: bool) -> tuple[Slot, ...]:
    """Returns the slots of a class.

    `methods` maps names in Python to bindings. With `has_items`, the class is a sequence.
    """
    found = [_slot(*slot, methods[special].c_name) for special, slot in _SIMPLE.items() if special in methods]
    if has_items:
        found.append(_slot("Py_sq_item", "item", methods["__getitem__"].c_name))
    if "__iter__" not in methods and ("__next__" in methods or has_items):
        own = "PyObject_SelfIter" if "__next__" in methods else "PySeqIter_New"  # the iterator stops at an IndexError
        found.append(Slot("Py_tp_iter", "", own, ""))
    store, delete = (methods[name].c_name if name in methods else "" for name in ("__setitem__", "__delitem__"))
    if store or delete:
        name = f"{store or delete}_mp_ass_subscript"
        found.append(Slot("Py_mp_ass_subscript", "assignment", name, store or delete, store, delete))
    return tuple(found)


def _slot(slot: str, form: str, called: str) -> Slot:
    return Slot(slot, form, f"{called}_{slot.removeprefix('Py_')}", called)
