"""Properties that store the assigned value in the struct itself."""

from __future__ import annotations

from itertools import pairwise

from dlpack_bindgen.bind.binding import FunctionBinding, Table
from dlpack_bindgen.bind.scope import Names, Scope, param_of
from dlpack_bindgen.bind.scope import function as bound
from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.fragments import constant, has_members, mentions, replace_names
from dlpack_bindgen.c.names import CALLED
from dlpack_bindgen.c.places import is_own_member
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.functions import Property
from dlpack_bindgen.spec.spec import Handle, Tensor


class _Kind(Frozen):
    """Conversion and storage of one kind of value."""

    param: str
    """The entry of a table. `{name}` stands for the name of the property."""
    declared: str
    """The declaration of the variable `{given}`."""
    read: str
    """The call that reads the value: the suffix of the runtime function, and its last arguments."""
    store: str
    """The suffix of the macro that stores the value, and the stored expression."""
    stored: str = "{given}"


_OBJECT = 'DLB_PY_OBJECT_PARAM("{name}", 1)'
_SIGNED = "dlb_signed(NULL, {given})"
_KINDS = {
    "int": _Kind(_OBJECT, "dlb_integer {given} = {{0, 1, NULL}};", "integer({place}, &{given})", "INTEGER"),
    "float": _Kind('DLB_PY_PARAM(double, "{name}", 1)', "double {given} = 0;", "number({place}, &{given})", "FLOAT"),
    "bool": _Kind('DLB_PY_PARAM(bool, "{name}", 1)', "bool {given} = 0;", "number({place}, &{given})", "BOOL"),
    "complex": _Kind(
        _OBJECT, "double complex {given} = 0;", "complex({place}, &{given}, sizeof {given} / 2)", "COMPLEX"
    ),
    "char": _Kind(_OBJECT, "char {given} = 0;", "char({place}, &{given})", "INTEGER", _SIGNED),
    "enum": _Kind(
        _OBJECT, "int64_t {given} = 0;", "enum({place}, &{enum}, &{given}, sizeof {given})", "INTEGER", _SIGNED
    ),
}


def bind_member(names: Names, scope: Scope, item: Tensor | Handle, each: Property) -> FunctionBinding:
    """Returns the setter function of a property."""
    c_name = f"{CALLED}{scope.c_name}_set_{each.name}"
    facts = f"{c_name}_function"
    kind = _KINDS[each.kind]
    taken = _taken(scope, item, each)
    own = {name: _free(name, taken) for name in ("object", "args", "nargs", "kwnames", "arrays", "given", "fits")}
    words = {
        "name": each.name,
        "given": own["given"],
        "place": f"&{facts}, 0, {own['args']}",
        "enum": names.enums[each.of] if each.of is not None else "",
    }
    stored = kind.stored.format(**words)
    place, variables = _place(scope, item, each, f"{own['arrays']}[0]")
    taking = f"dlb_py_take(&{facts}, {own['object']}, {own['args']}, {own['arrays']})"
    lines = (
        f"dlb_py_argument {own['arrays']}[1];",
        kind.declared.format(**words),
        f"int {own['fits']};",
        "",
        f"(void){own['nargs']};",
        f"(void){own['kwnames']};",
        f"if (dlb_py_read_{kind.read.format(**words)} != 0 || {taking} != 0) {{",
        "return NULL;",
        "}",
        *variables,
        "",
        f"DLB_PY_STORE_{kind.store}({own['fits']}, {place}, {stored});{scope.label(f'properties.{each.name}.set')}",
        f"return dlb_py_end(&{facts}, {own['arrays']}, dlb_py_stored(&{facts}, {own['args']}[0], {own['fits']}));",
    )
    head = (
        f"static PyObject *{c_name}(PyObject *{own['object']}, PyObject *const *{own['args']}, "
        f"Py_ssize_t {own['nargs']}, PyObject *{own['kwnames']})"
    )
    return FunctionBinding(
        c_name=c_name,
        tables=_tables(c_name, scope, item, each, kind.param.format(**words)),
        function=bound(head, lines),
        entry="",
        condition=each.condition,
    )


def _taken(scope: Scope, item: Tensor | Handle, each: Property) -> set[str]:
    """Returns the names that have another meaning in the body."""
    tokens = (ctext.Token("sign", ""), *ctext.tokens(each.get))
    said = {token.text for before, token in pairwise(tokens) if before.text not in ("->", ".")}
    types = [scope.type, *(param.ctype for param in item.params)]
    return said.union(*(text.split() for text in types))


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _tables(c_name: str, scope: Scope, item: Tensor | Handle, each: Property, param: str) -> tuple[Table, ...]:
    kept = " | DLB_PY_KEPT" if any(mentions([each.get], param.name) for param in item.params) else ""
    changes = "DLB_PY_SETS" if is_own_member(each.get) else "DLB_PY_WRITES"
    operand = f"{{ .param = -1, .type = &{scope.c_name}_type, .flags = {changes}{kept} }}"
    facts = (
        f'.name = "{each.name}"',
        f".params = {c_name}_params",
        ".count = 1",
        ".positional = 1",
        f".operands = {c_name}_operands",
        ".operand_count = 1",
    )
    return (
        Table(f"const dlb_py_operand {c_name}_operands[]", (operand,)),
        Table(f"const dlb_param {c_name}_params[]", (param,)),
        Table(f"const dlb_py_function {c_name}_function", facts),
    )


def _place(scope: Scope, item: Tensor | Handle, each: Property, array: str) -> tuple[str, list[str]]:
    """Returns the location of the member, and the variables that it needs.

    An object passed by value is stored in the Python object.
    """
    lines = []
    place = each.get
    if not scope.by_value:
        lines.append(f"{scope.type} *self = {array}.object;")
    elif has_members(place, "self"):
        lines.append(f"{scope.type} *self = {array}.object;")
        place = replace_names(place, {"self": "(*self)"})
    else:
        lines.append(f"{scope.type} self = *({scope.type} *){array}.object;")
    if not mentions([place], "self"):
        lines = []
    for param in item.params:
        if mentions([each.get], param.name):
            lines.append(f"{constant(param.ctype, param.name)} = {param_of(scope.c_name, array, param.name)};")
    return place, lines
