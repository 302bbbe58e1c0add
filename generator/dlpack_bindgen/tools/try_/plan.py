"""The plan of generated calls: everything that Python can call in a module, as JSON for `calls`.

`plan_of` reads the model of a valid spec. A plan names the functions, methods and members of a module, the values that
each parameter accepts, and the classes that each call returns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.call import Call, Property
from dlpack_bindgen.calls.function_docs import accepted_dtypes, has_items, python_scope
from dlpack_bindgen.calls.lifetimes import kept_arguments
from dlpack_bindgen.classes.class_docs import made_of_arrays
from dlpack_bindgen.classes.emitted_class import EmittedClass
from dlpack_bindgen.classes.methods_and_properties import EmittedProperty
from dlpack_bindgen.classes.related import View
from dlpack_bindgen.emit.module import Module
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.accepts import layouts, outcomes, ranks
from dlpack_bindgen.tensor.dtype import CTypeDType
from dlpack_bindgen.tensor.item import Allocate, Declaration, Import, Item, Tensor
from dlpack_bindgen.tensor.params import ObjectParams, for_python, python_type
from dlpack_bindgen.tensor.requirements import Check, Requirements
from dlpack_bindgen.tensor.shape import ListedShape
from dlpack_bindgen.text.fragments import EmittedFunction
from dlpack_bindgen.text.names import MARK, SPECIAL
from dlpack_bindgen.text.types import is_address
from dlpack_bindgen.tools.try_.calls.dtypes import DTYPE_TABLE, is_defined_by_headers

VERSION = 1
"""The version of the format of plans."""

Json = dict[str, Any]


# ---- The plan of a module ----


def plan_of(module: Module | Spec) -> Json:
    """Returns the plan of a module."""
    found = _Plan(module if isinstance(module, Module) else Module(module)).whole()
    plain: Json = json.loads(json.dumps(found).replace(MARK, ""))
    return plain


_ADDRESSES = frozenset(("uintptr_t", "intptr_t"))
"""Integers that C may use as addresses."""
_DESCRIPTOR = re.compile(r"(?:\w+_)?(?:fd|filedes|fildes|descriptor)")
"""Names of integers that are files of the process."""
_SHADOW_PREFIX = re.compile(r"self(?:->|\.)(\w+)")


class _Plan:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._names = module.names
        self._items: Mapping[str, Item] = module.names.items

    def whole(self) -> Json:
        spec = self._module.spec
        targets = [self._call(each, None) for each in _calls(self._module.functions)]
        for each in self._module.classes:
            targets += self._of_class(each)
        return {
            "plan": VERSION,
            "module": spec.module,
            "enums": {
                each.name: {"members": [name for name, _ in each.members], "flags": each.flags} for each in spec.enums
            },
            "records": {each.ctype: each.table for each in spec.records},
            "classes": {item.name: self._class(item) for item in spec.items},
            "targets": _with_unique_names(targets),
        }

    # ---- Classes ----

    def _class(self, item: Item) -> Json:
        tensor = item if isinstance(item, Tensor) else None
        found: Json = {"tensor": tensor is not None}
        if item.name == self._module.spec.arrays:
            found["plain"] = True
        if item.external is not None:
            found["external"] = {"module": item.external.module, "name": item.external.name}
        if item.import_ is not None:
            found["array"] = self._made_of(made_of_arrays(item), item.import_)
        if tensor is not None:
            found["extents"] = _members_of_shape(tensor)
        return found

    def _made_of(self, tensor: Tensor, made: Import | Allocate) -> Json:
        """Returns the arrays that an import accepts, or the shape and dtype of new memory."""
        require = made.require
        low, high = ranks(tensor, require)
        shape = tensor.slots.shape
        is_listed = isinstance(shape, ListedShape) and not any("shape" in match.slots for match in tensor.matches)
        constants = [_constant(each) for each in shape.extents] if is_listed and isinstance(shape, ListedShape) else []
        found: Json = {
            "dtypes": list(require.dtypes) or _dtypes(tensor),
            "ndim": [low, high],
            "hints": _integers([*_expressions(require.checks), *(str(each) for each in constants if each is not None)]),
        }
        if any(each is not None for each in constants):
            found["shape"] = [None if each is None else str(each) for each in constants]
        if isinstance(made, Import):
            words = layouts(tensor, require)
            found["layout"] = _layout(words)
            found["writes"] = "DLB_WRITABLE" in words
        orders = set(outcomes(tensor, "order"))
        found["order"] = "F" if orders == {"F"} else "C"
        return found

    # ---- Functions ----

    def _call(self, function: EmittedFunction, owner: Item | None) -> Json:
        call: Call = function.own.call
        is_new = owner is not None and owner.new is call
        key = call.key
        kind = "new" if is_new else "function" if owner is None else "special" if call.name in SPECIAL else "method"
        if kind == "method" and call.self_index is None:
            kind = "class method"
        python = owner.name if is_new and owner is not None else call.name
        name = python if owner is None or is_new else f"{owner.name}.{python}"
        found = self._target(name, kind, function.c_name, owner)
        found["python"] = python
        found["key"] = key if owner is None or is_new else f"{owner.name}.{key}"
        found["params"] = [self._param(call, each) for each in call.given]
        found["derived"] = {
            each.argument.name: {
                "of": each.measure.of,
                "what": each.measure.what,
                "axis": each.measure.axis,
                "plus": each.measure.plus,
            }
            for each in call.derived
        }
        found["returns"] = self._returned(call)
        found["hints"] = _integers([text for text in call.c_text if text])
        receiver = call.own_object
        found["self"] = receiver.name if receiver is not None else None
        if receiver is not None and receiver.kind.takes:
            found["takes_self"] = True
        if receiver is not None and receiver.kind.invalidates:
            found["invalidates_self"] = True
        if call.condition is not None:
            found["if"] = call.condition
        return self._with_reason(found)

    def _target(self, name: str, kind: str, function: str, owner: Item | None) -> Json:
        of = owner.name if owner is not None else None
        return {
            "name": name,
            "kind": kind,
            "function": function,
            "class": of,
            "python": name.rpartition(".")[2],
            "key": name,
            "params": [],
            "returns": [],
        }

    def _with_reason(self, target: Json) -> Json:
        """Returns the target, with the reason why generated calls leave it out, if there is one."""
        for param in target["params"]:
            reason = _reason(param)
            if reason is not None:
                target["reason"] = reason
                break
        return target

    def _returned(self, call: Call) -> list[str | None]:
        """Returns the classes of the values that Python gets; None: a value without a class."""
        found: list[str | None] = []
        values = {name: value for name, _, value in call.values}
        for name in call.returned:
            if name in values:
                value = values[name]
                found.append(value.of if value.kind.has_objects or value.kind.is_array else None)
            else:
                argument = call.find(name)
                of = argument.kind.class_name if argument is not None else None
                found.append(of or (self._names.arrays if argument is not None and argument.kind.new_output else None))
        return found

    def _param(self, call: Call, argument: Argument) -> Json:
        kind = argument.kind
        found: Json = {
            "name": argument.name,
            "is": kind.call_value,
            "ctype": argument.ctype.base,
        }
        if kind.may_be_missing:
            found["missing"] = True
        if kind.optional:
            found["none"] = True
        names = [each.name for each in call.given]
        if names.index(argument.name) < call.positional_only:
            found["positional"] = True
        if argument.name in call.at_end:
            found["keyword"] = True
        if kind.call_value == "enum":
            value = kind.returned_value()
            found["of"] = value.of if value is not None else None
        if kind.call_value == "array":
            found["array"] = self._array(call, argument)
        if kind.class_name is not None:
            found.update(self._object(call, argument, kind.class_name))
        return found

    def _array(self, call: Call, argument: Argument) -> Json:
        """Returns the arrays that an argument accepts."""
        kind, require = argument.kind, argument.kind.requirements(call.measures(argument))
        dtypes = [_dtype(each) for each in accepted_dtypes(call, argument)]
        found: Json = {
            "dtypes": ["bytes"] if kind.is_bytes else list(dict.fromkeys(dtypes)),
            "layout": "compact" if kind.is_pointer and not require.layout else _layout(require.layout),
            "writes": kind.writes,
            **self._required(require),
        }
        if kind.rows or require.strided:
            found["layout"] = "strided"
        if require.inner_compact or (kind.is_dltensor and not require.layout):
            found["layout"] = _layout(require.layout)
        if any(each.what == "stride" for each in call.measures(argument)) and not require.inner_compact:
            found["layout"] = "positive" if require.nonnegative_strides else "any"
        if found.get("ndim") is None and not kind.is_dltensor:
            found["likely"] = 1
        scope = python_scope(call, argument, self._items)
        if scope.takes_numbers:
            found["numbers"] = True
        if kind.takes:
            found["takes"] = True
        if kind.takes or argument.name in kept_arguments(call):
            found["kept"] = True
        return found

    def _required(self, require: Requirements) -> Json:
        found: Json = {
            "ndim": list(require.ndim) if require.ndim is not None else None,
            "order": require.order,
        }
        if require.shape is not None:
            found["shape"] = list(require.shape)
        if require.count is not None:
            found["count"] = require.count
        return found

    def _object(self, call: Call, argument: Argument, of: str) -> Json:
        scope, item, kind = python_scope(call, argument, self._items), self._items[of], argument.kind
        found: Json = {"of": of, "writes": kind.writes}
        if kind.invalidates:
            found["invalidates"] = True
        if scope.is_importable and item.import_ is not None:
            arrays = self._made_of(made_of_arrays(item), item.import_)
            arrays["writes"] = kind.writes
            if kind.require.dtypes:
                arrays["dtypes"] = list(kind.require.dtypes)
            if kind.require.ndim is not None:
                low, high = kind.require.ndim
                arrays["ndim"] = [max(low, arrays["ndim"][0]), min(high, arrays["ndim"][1])]
            if kind.require.shape is not None:
                arrays["shape"] = list(kind.require.shape)
            if kind.require.count is not None:
                arrays["count"] = kind.require.count
            found["array"] = arrays
        if scope.imported_number is not None:
            found["numbers"] = scope.imported_number
        if scope.members is not None:
            found["members"] = [self._value(each) for each in item.properties if each.name in scope.members]
        if kind.takes:
            found["takes"] = True
        if argument.ctype.length and argument.ctype.length.isdecimal():
            found["length"] = int(argument.ctype.length)
        return found

    def _value(self, each: Property) -> Json:
        """Returns the value that an assignment to a property accepts."""
        if each.set is not None and each.set.given:
            return {**self._param(each.set, each.set.given[0]), "name": each.name}
        found: Json = {
            "name": each.name,
            "is": "enum" if each.kind.is_enum else each.kind.number or "",
            "ctype": "",
        }
        if each.kind.is_enum:
            found["of"] = each.of
        return found

    # ---- Members of a class ----

    def _of_class(self, emitted: EmittedClass) -> Iterator[Json]:
        item = emitted.item
        if item.condition is not None:
            yield from ({**each, "if": item.condition} for each in self._members(emitted))
        else:
            yield from self._members(emitted)

    def _members(self, emitted: EmittedClass) -> Iterator[Json]:
        item, of = emitted.item, emitted.item.name
        if emitted.new is not None:
            yield self._call(emitted.new, item) if item.new is not None else self._new_struct(emitted)
        if item.import_ is not None:
            yield self._import(emitted)
        if emitted.tensor is not None and emitted.tensor.allocate is not None:
            yield self._allocate(emitted, emitted.tensor.allocate)
        for function in _calls(emitted.methods):
            yield self._call(function, item)
        if has_items(item.methods) or any(each.name in ("__iter__", "__next__") for each in item.methods):
            yield {**self._target(f"{of}()", "iteration", "", item), "returns": self._items_returned(item)}
        for each in emitted.properties:
            yield from self._property(emitted, each)
        for view in emitted.views:
            yield self._view(emitted, view)
        for part in item.parts:
            found = self._target(
                f"{of}.{part.name}",
                "getter",
                f"dl_{emitted.scope.c_name}_get_{part.name}",
                item,
            )
            yield {**found, "returns": [part.of]}
        if emitted.tensor is not None and item.import_ is not None and not item.import_.params:
            for kind in ("pickle", "to"):
                yield {**self._target(f"{of}.{kind}", kind, "", item), "returns": [of]}
        yield self._target(f"{of}.close", "close", "", item)
        yield self._target(f"{of}.with", "with", "", item)

    def _items_returned(self, item: Item) -> list[str | None]:
        named = {each.name: each for each in item.methods}
        for name in ("__next__", "__getitem__", "__iter__"):
            if name in named:
                return self._returned(named[name])
        return []

    def _new_struct(self, emitted: EmittedClass) -> Json:
        item = emitted.item
        found = self._target(
            item.name,
            "new",
            emitted.new.c_name if emitted.new is not None else "",
            item,
        )
        found["params"] = [{**self._value(each), "missing": True, "keyword": True} for each in item.members]
        found["returns"] = [item.name]
        return self._with_reason(found)

    def _import(self, emitted: EmittedClass) -> Json:
        item = emitted.item
        made = item.import_
        assert made is not None
        found = self._target(f"{item.name}.from_dlpack", "import", "", item)
        array = self._made_of(made_of_arrays(item), made)
        first = {"name": "x", "is": "array", "ctype": "", "positional": True, "array": array}
        copy = {
            "name": "copy",
            "is": "bool",
            "ctype": "",
            "keyword": True,
            "missing": True,
            "none": True,
        }
        named = {each.name for each in made.params}
        found["params"] = [first, *self._params(made.params), *([copy] if "copy" not in named else [])]
        found["returns"] = [item.name]
        return self._with_reason(found)

    def _allocate(self, emitted: EmittedClass, made: Allocate) -> Json:
        tensor = emitted.tensor
        assert tensor is not None
        found = self._target(f"{tensor.name}.empty", "allocate", "", tensor)
        array = self._made_of(tensor, made)
        shape = {"name": "shape", "is": "shape", "ctype": "", "array": array}
        dtype = {"name": "dtype", "is": "dtype", "ctype": "", "keyword": True, "array": array}
        if emitted.default_dtype is not None:
            dtype["missing"] = True
        found["params"] = [shape, dtype, *self._params(made.params)]
        found["returns"] = [tensor.name]
        return self._with_reason(found)

    def _params(self, params: Sequence[Declaration]) -> list[Json]:
        """Returns the params of an import, an allocation or a view."""
        known = self._objects(params)
        found = []
        for each in for_python(params, known):
            param: Json = {"name": each.name, "ctype": each.ctype, "keyword": True}
            if each.name in known:
                param.update({"is": "object", "of": known[each.name].name, "writes": False})
                if each.value is not None:
                    param["none"] = True
            else:
                word = python_type(each.ctype)
                param["is"] = "address" if is_address(each.ctype) else "string" if word == "str" else word
            if each.value is not None:
                param["missing"] = True
            found.append(param)
        return found

    def _objects(self, params: Sequence[Declaration]) -> ObjectParams:
        from dlpack_bindgen.tensor.params import objects

        return objects(params, self._items.values())

    def _property(self, emitted: EmittedClass, each: EmittedProperty) -> Iterator[Json]:
        item, own = emitted.item, each.own
        name = f"{item.name}.{own.name}"
        found = self._target(name, "getter", f"py_{emitted.scope.c_name}_get_{own.name}", item)
        found["returns"] = [own.of if own.kind.has_objects else None]
        if own.condition is not None:
            found["if"] = own.condition
        yield found
        if each.setter is not None:
            setter = self._target(f"{name}=", "setter", each.setter.c_name, item)
            setter["python"] = own.name
            setter["params"] = [self._value(own)]
            if own.condition is not None:
                setter["if"] = own.condition
            yield self._with_reason(setter)

    def _view(self, emitted: EmittedClass, view: View) -> Json:
        item = emitted.item
        found = self._target(f"{item.name}.{view.method}", "method", "", item)
        params = self._params(view.asked)
        found["params"] = [{key: value for key, value in each.items() if key != "keyword"} for each in params]
        found["returns"] = [view.of.name]
        found["self"] = "self"
        if view.condition is not None:
            found["if"] = view.condition
        return self._with_reason(found)


# ---- Dtypes that only the compiler knows ----


def dtype_table(plan: Json) -> str:
    """Returns the end of the C code of a module: a table of the dtypes of the C types that only the headers define. The
    generated calls read it: `calls/dtypes.py`."""
    entries: dict[str, None] = {}
    for target in plan["targets"]:
        for name in _unknown_c_types(target):
            ctype, _, number = name.removeprefix("c:").partition(":")
            lines = [f"DLB_TRY_{'COMPLEX_' if number == 'complex' else ''}DTYPE({ctype})"]
            if target.get("if"):
                lines = [f"#if {target['if']}", *lines, "#endif"]
            entries["\n".join(lines)] = None
    if not entries:
        return ""
    begin = f"DLB_TRY_DTYPES_BEGIN({DTYPE_TABLE}{plan['module'].replace('.', '_')})"
    return "\n".join(["", '#include "checked/dtypes.h"', begin, *entries, "DLB_TRY_DTYPES_END", ""])


def _unknown_c_types(value: Any) -> Iterator[str]:
    """Yields the C types of arrays, as plans write them, of which only the headers know the dtypes."""
    if isinstance(value, Mapping):
        for name in value.get("dtypes", ()):
            if name.startswith("c:") and is_defined_by_headers(name[2:].partition(":")[0]):
                yield name
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from _unknown_c_types(each)


# ---- Helpers ----


def _calls(functions: Iterable[EmittedFunction]) -> Iterator[EmittedFunction]:
    """Yields the functions of single calls, also those of alternatives, and not the functions that choose."""
    yield from (each for each in functions if each.template == "function")


def _reason(param: Json) -> str | None:
    """Returns why generated calls cannot pass a parameter, or None."""
    name, word, ctype = param["name"], param["is"], param["ctype"]
    if word in ("path", "address", ""):
        return f"'{name}' is {'a path or a file' if word == 'path' else 'an address' if word else 'of an unknown kind'}"
    if word == "int" and ctype in _ADDRESSES:
        return f"'{name}' may be an address"
    if word == "int" and _DESCRIPTOR.fullmatch(name):
        return f"'{name}' is a file descriptor"
    return None


def _with_unique_names(targets: Sequence[Json]) -> list[Json]:
    """Returns the targets. Alternatives, which have one name in Python, are named by their keys."""
    names = [each["name"] for each in targets]
    found: list[Json] = []
    taken = {name for name in names if names.count(name) == 1}
    for each in targets:
        if names.count(each["name"]) > 1:
            name, number = each["key"], 2
            while name in taken:
                name, number = f"{each['key']}#{number}", number + 1
            taken.add(name)
            each = {**each, "name": name}
        found.append(each)
    return found


def _dtypes(tensor: Tensor) -> list[str]:
    """Returns the dtypes that the slot can have; empty: only the run time knows them."""
    found = [_dtype(each) for each in outcomes(tensor, "dtype")]
    return [] if "" in found else list(dict.fromkeys(found))


def _dtype(dtype: Any) -> str:
    """Returns a dtype as plans write it: `float32`, or `c:long` for that of a C type; empty: the run time knows it."""
    if isinstance(dtype, CTypeDType):
        number = f":{dtype.number}" if dtype.number is not None else ""
        return f"record:{dtype.record.ctype}" if dtype.record is not None else f"c:{dtype.ctype}{number}"
    return dtype.name if getattr(dtype, "words", None) is not None else ""


def _layout(flags: Sequence[str]) -> str:
    """Returns the word for the layouts that are accepted."""
    if "DLB_COMPACT" in flags:
        return "compact"
    if "DLB_INNER_COMPACT" in flags:
        return "inner"
    return "positive" if "DLB_NONNEGATIVE_STRIDES" in flags else "any"


def _members_of_shape(tensor: Tensor) -> dict[str, int]:
    """Returns the members of the struct that are extents, each with its axis."""
    shape = tensor.slots.shape
    if not isinstance(shape, ListedShape):
        return {}
    found = ((_SHADOW_PREFIX.fullmatch(text.strip()), axis) for axis, text in enumerate(shape.extents))
    return {match[1]: axis for match, axis in found if match is not None}


def _constant(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def _expressions(checks: Sequence[Check]) -> list[str]:
    return [each.expr for each in checks]


_MOST_HINT = 64


def _integers(texts: Iterable[str]) -> list[int]:
    """Returns the small integers in C code, which are likely extents or values."""
    found = {int(each) for text in texts for each in re.findall(r"(?<![\w.])\d{1,2}(?![\w.])", text)}
    return sorted(each for each in found if 1 < each <= _MOST_HINT)
