"""Special methods as type slots, such as `len(x)`, `x[i]` and `x(...)`, with the signatures that CPython requires."""

from __future__ import annotations

from collections.abc import Mapping

from dlpack_bindgen.bind.binding import FunctionBinding, SlotsBinding
from dlpack_bindgen.bind.scope import function as bound

_UNARY = "PyObject *{name}(PyObject *self)", "return {called}(self, NULL);"
_SIMPLE = {
    "__len__": ("Py_sq_length", "Py_ssize_t {name}(PyObject *self)", "return dlb_py_as_length({called}(self, NULL));"),
    "__bool__": ("Py_nb_bool", "int {name}(PyObject *self)", "return dlb_py_as_truth({called}(self, NULL));"),
    "__int__": ("Py_nb_int", *_UNARY),
    "__index__": ("Py_nb_index", *_UNARY),
    "__float__": ("Py_nb_float", *_UNARY),
    "__str__": ("Py_tp_str", *_UNARY),
    "__repr__": ("Py_tp_repr", *_UNARY),
    "__iter__": ("Py_tp_iter", *_UNARY),
    "__next__": ("Py_tp_iternext", *_UNARY),
    "__call__": (
        "Py_tp_call",
        "PyObject *{name}(PyObject *self, PyObject *args, PyObject *kwargs)",
        "return dlb_py_called({called}, self, args, kwargs);",
    ),
    "__getitem__": (
        "Py_mp_subscript",
        "PyObject *{name}(PyObject *self, PyObject *key)",
        "return {called}(self, &key, 1, NULL);",
    ),
    "__contains__": (
        "Py_sq_contains",
        "int {name}(PyObject *self, PyObject *value)",
        "return dlb_py_as_truth({called}(self, &value, 1, NULL));",
    ),
}


def bind_slots(methods: Mapping[str, FunctionBinding], has_items: bool) -> SlotsBinding:
    """Returns the slots of a class.

    `methods` maps names in Python to bindings. With `has_items`, the class is a sequence.
    """
    functions, entries = [], []

    def add(slot: str, head: str, *lines: str, called: str) -> None:
        name = f"{called}_{slot.removeprefix('Py_')}"
        functions.append(bound(f"static {head.format(name=name)}", [line.format(called=called) for line in lines]))
        entries.append(f"{{{slot}, DLB_PY_SLOT({name})}}")

    for special, (slot, head, line) in _SIMPLE.items():
        if special in methods:
            add(slot, head, line, called=methods[special].c_name)
    if has_items:
        head, line = (
            "PyObject *{name}(PyObject *self, Py_ssize_t index)",
            "return dlb_py_item_at({called}, self, index);",
        )
        add("Py_sq_item", head, line, called=methods["__getitem__"].c_name)
    if "__iter__" not in methods and ("__next__" in methods or has_items):
        own = "PyObject_SelfIter" if "__next__" in methods else "PySeqIter_New"  # the iterator stops at an IndexError
        entries.append(f"{{Py_tp_iter, DLB_PY_SLOT({own})}}")
    made = [methods[name] for name in ("__setitem__", "__delitem__") if name in methods]
    if made:
        head = "int {name}(PyObject *self, PyObject *key, PyObject *value)"
        add("Py_mp_ass_subscript", head, *_assigned(methods), called=made[0].c_name)
    return SlotsBinding(tuple(functions), tuple(entries))


def _assigned(methods: Mapping[str, FunctionBinding]) -> list[str]:
    """Returns the function that sets an item, or deletes it if the value is NULL."""
    delete, store = methods.get("__delitem__"), methods.get("__setitem__")
    deleted = f"dlb_py_as_done({delete.c_name}(self, &key, 1, NULL))" if delete else 'dlb_py_does_not(self, "deletion")'
    lines = ["if (value == NULL) {{", f"return {deleted};", "}}"]
    if store is None:
        return [*lines, 'return dlb_py_does_not(self, "assignment");']
    return [
        "PyObject *const args[] = {{key, value}};",
        "",
        *lines,
        f"return dlb_py_as_done({store.c_name}(self, args, 2, NULL));",
    ]
