"""Functions, methods and properties in the stub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dlpack_bindgen.calls.argument_kind import ARRAY, Argument
from dlpack_bindgen.calls.call import Call, Property, groups
from dlpack_bindgen.calls.function_docs import (
    GIVEN,
    Form,
    default_of,
    documented,
    forms,
    has_items,
    may_be_none,
    python_scope,
)
from dlpack_bindgen.tensor.c_names import CNames
from dlpack_bindgen.tensor.item import Item
from dlpack_bindgen.text.literals import python_doc_lines


def stub(function: Call, owner: Item | None, names: CNames) -> tuple[str, ...]:
    """Returns the lines of a `def` with its decorators, one `def` for each overload."""
    overloads = list(_overloads(function, names))
    docs = [shown_doc(function, names.items), *[None] * len(overloads)]
    return _definitions(function, owner, [(*each, doc) for each, doc in zip(overloads, docs, strict=False)])


def _definitions(
    function: Call, owner: Item | None, overloads: Sequence[tuple[list[str], str, str | None]]
) -> tuple[str, ...]:
    """Returns a `def` for each overload: its parameters, result and documentation."""
    in_class = owner is not None
    is_new = owner is not None and owner.new is function
    receiver = [] if not in_class else ["self"] if function.self_index is not None else ["cls"]
    decorators = ["@classmethod"] if in_class and function.self_index is None and not is_new else []
    lines = list[str]()
    for parameters, returned, doc in overloads:
        own = [*receiver, "/"] if receiver and "/" not in parameters and not is_new else receiver
        lines += ["@typing.overload"] if len(overloads) > 1 else []
        lines += [*decorators, *definition("__new__" if is_new else function.name, [*own, *parameters], returned, doc)]
    return tuple(lines)


def _group_stub(group: Sequence[Call], owner: Item | None, names: CNames) -> tuple[str, ...]:
    """Returns the lines of a function, or of alternatives."""
    if len(group) == 1:
        return stub(group[0], owner, names)
    from dlpack_bindgen.calls.alternatives import merged  # imported late: few specs have alternatives

    return _definitions(
        group[0],
        owner,
        merged(
            [
                (parameters, returned, shown_doc(function, names.items))
                for function in group
                for parameters, returned in _overloads(function, names)
            ],
            names,
        ),
    )


def _first_groups(functions: Iterable[Call]) -> list[tuple[Call, ...]]:
    """Returns the groups of functions, of each name the first, because type checkers ignore the preprocessor."""
    chosen: dict[str, tuple[Call, ...]] = {}
    for group in groups(functions):
        chosen.setdefault(group[0].name, group)
    return list(chosen.values())


def _overloads(function: Call, names: CNames) -> Iterator[tuple[list[str], str]]:
    """Yields the parameters and the result of each overload.

    Without an output argument the result is a new output. Otherwise the result has the type of that argument.
    """
    given = function.given
    ways = forms(function)
    free = [each for each in given if each.name in function.returned and _is_free(function, each, names.items)]
    made = {each.name: each for each in free if each.kind.new_output is not None}
    absent = {name: _made_type(function, each, names) for name, each in made.items()}
    if not made:
        chosen = {free[0].name: GIVEN} if len(free) == 1 else {}
        for way in ways:
            yield _parameters(way, chosen, {}, names), returned_type(function, names.items, chosen)
        return
    defaults = ways[0].defaults("")
    first = min(index for index, each in enumerate(given) if each.name in made)
    yield _parameters(ways[0], dict.fromkeys(made, "None"), {}, names), returned_type(function, names.items, absent)
    by_position = first < len(given) - ways[0].by_name
    if len(free) == 1 and not (by_position and any(defaults[:first])):
        chosen = dict.fromkeys(made, GIVEN)
        needed = {each.name: "" for each in free}
        yield _parameters(ways[0], chosen, needed, names), returned_type(function, names.items, chosen)
    else:
        yield _parameters(ways[0], {}, {}, names), returned_type(function, names.items, {})
    for way in ways[1:]:
        types, returned = (dict.fromkeys(made, "None"), absent) if len(made) == 1 else ({}, {})
        yield _parameters(way, types, {}, names), returned_type(function, names.items, returned)


def _made_type(function: Call, argument: Argument, names: CNames) -> str:
    """Returns the type of a new output."""
    of = argument.kind.class_name or names.arrays
    return _type_by_features(function, of) or of or "typing.Any"


def _type_by_features(function: Call, of: str | None) -> str | None:
    """Returns the type of new objects of a class if a feature decides it."""
    return next(filter(None, (each.stub_type(of) for each in function.features)), None)


def _parameters(way: Form, types: Mapping[str, str], defaults: Mapping[str, str], names: CNames) -> list[str]:
    """Returns the parameters of a `def`. `types` and `defaults` override those of the function."""
    given = way.function.given
    shown = [types.get(each.name) or _argument_type(way.function, each, names.items) for each in given]
    values = [defaults.get(each.name, value) for each, value in zip(given, way.defaults(" = "), strict=True)]
    return way.marked([f"{each.name}: {a}{b}" for each, a, b in zip(given, shown, values, strict=True)])


def _is_free(function: Call, argument: Argument, items: Mapping[str, Item]) -> bool:
    """Returns whether Python can pass any kind of array, which is returned unchanged."""
    optional = argument.kind.optional and argument.kind.new_output is None
    of = argument.kind.class_name
    return not optional and _plain_type(function, argument, items) in (ARRAY, f"{of} | {ARRAY}")


def stubs(functions: Iterable[Call], names: CNames) -> tuple[str, ...]:
    """Returns the stubs of functions."""
    return tuple(line for group in _first_groups(functions) for line in _group_stub(group, None, names))


def member_stubs(item: Item, names: CNames) -> tuple[str, ...]:
    """Returns the stubs of the methods and properties of a class."""
    methods = {method.name: method for method in reversed(item.methods)}
    lines = [line for group in _first_groups(item.methods) for line in _group_stub(group, item, names)]
    if "__iter__" not in methods and ("__next__" in methods or has_items(item.methods)):
        items = "" if "__next__" in methods else returned_type(methods["__getitem__"], names.items, {})
        iterator = f"collections.abc.Iterator[{items}]" if items else item.name
        lines.append(f"def __iter__(self, /) -> {iterator}: ...")
    properties = {each.name: each for each in reversed(item.properties)}
    for name in reversed(properties):
        value = _assigned_type(properties[name], names.items)
        lines += ["@property", *definition(name, ["self"], property_type(properties[name]), properties[name].doc)]
        if value is not None:
            lines += [f"@{name}.setter", f"def {name}(self, value: {value}, /) -> None: ..."]
    if item.new is not None:
        lines += stub(item.new, item, names)
    if item.new_struct is not None:
        members = [f"{each.name}: {_assigned_type(each, names.items)} = ..." for each in item.members]
        lines += definition("__new__", ["cls", *members], item.name, item.new_struct.doc)
    return tuple(lines)


def shown_doc(function: Call, items: Mapping[str, Item]) -> str | None:
    """Returns the documentation in the stub, which has the signature already; None: there is none."""
    return documented(function, items) or None


def definition(name: str, parameters: list[str], returned: str, doc: str | None) -> list[str]:
    """Returns the lines of a `def` with its documentation."""
    line = f"def {name}({', '.join(parameters)}) -> {returned}:"
    lines = [line]
    if len(line) > 115:
        lines = [f"def {name}(", *(f"    {parameter}," for parameter in parameters), f") -> {returned}:"]
    if doc is None:
        return [*lines[:-1], f"{lines[-1]} ..."]
    text = python_doc_lines(doc)
    return (
        [*lines, f'    """{text[0]}', *(f"    {each}".rstrip() for each in text[1:]), '    """']
        if len(text) > 1
        else [*lines, f'    """{text[0]}"""']
    )


def returned_type(function: Call, items: Mapping[str, Item], known: Mapping[str, str]) -> str:
    """Returns the result type. `known` maps arguments that are returned unchanged to their types."""
    arguments = {argument.name: argument for argument in function.arguments}
    values = {name: (ctype, value) for name, ctype, value in function.values}
    types = []
    for name in function.returned:
        if name in known:
            types.append(known[name])
        elif name in values:
            ctype, value = values[name]
            text = value.kind.stub_type(value.of, value.count is not None)
            other = _type_by_features(function, value.of)
            text = other or text
            length = arguments[name].ctype.length if name != "result" else None
            if length and value.kind.is_buffer(ctype):
                types.append(text)
                continue
            is_optional = may_be_none(function, name, value) and other is None
            text = f"{text} | None" if is_optional else text
            types.append(_items(text, length) if length else text)
        elif arguments[name].by_address:
            passed = arguments[name].kind.returned_value()
            types.append(passed.kind.stub_type(passed.of) if passed is not None else "int")
        else:
            text, given = _plain_type(function, arguments[name], items), arguments[name].kind
            none = " | None" if given.optional else ""
            # An array argument is returned unchanged.
            types.append(f"{text}{none}" if given.object_class is not None and ARRAY not in text else "typing.Any")
    if len(types) == 1:
        return types[0]
    return f"tuple[{', '.join(types)}]" if types else "None"


def _items(text: str, length: str) -> str:
    """Returns the type of a tuple. Short tuples list all items."""
    return (
        f"tuple[{', '.join([text] * int(length))}]"
        if length.isdecimal() and int(length) <= 16
        else f"tuple[{text}, ...]"
    )


def property_type(each: Property) -> str:
    is_address = each.get == "self" or each.get.lstrip("( ").startswith("&")
    may_be_null = each.kind.may_be_null or (each.kind.is_object and not is_address)
    return f"{each.kind.stub_type(each.of)}{' | None' if may_be_null else ''}"


def _assigned_type(each: Property, items: Mapping[str, Item]) -> str | None:
    if each.set is not None:
        return _argument_type(each.set, each.set.given[0], items)
    if not each.stored:
        return None
    return f"{each.of} | str | int" if each.kind.is_enum else property_type(each)


def _argument_type(function: Call, argument: Argument, items: Mapping[str, Item]) -> str:
    text = _plain_type(function, argument, items)
    return f"{text} | None" if default_of(argument, "").startswith("None") else text


def _plain_type(function: Call, argument: Argument, items: Mapping[str, Item]) -> str:
    return argument.kind.stub_type(python_scope(function, argument, items)) or ""


def gives_back(function: Call, names: CNames) -> bool:
    """Returns whether the stub uses the type variable for returned arguments."""
    return any(GIVEN in returned for _, returned in _overloads(function, names))


def uses_arrays(function: Call) -> bool:
    return any(argument.kind.is_operand for argument in function.arguments)


def uses_sequences(function: Call, names: CNames) -> bool:
    """Returns whether the stub of the function needs the types of sequences and mappings."""
    arguments, kinds = function.arguments, [argument.kind for argument in function.arguments]
    takes_members = any(python_scope(function, each, names.items).may_be_temporary for each in arguments)
    takes_sequences = any(kind.is_pointer or kind.is_list or kind.is_table_of_strings for kind in kinds)
    return takes_members or takes_sequences or has_items([function])


def uses_paths(function: Call) -> bool:
    return any(argument.kind.is_path for argument in function.arguments)
