"""Templates print fields of the bindings and nothing else: their syntax trees, and what happens to every field."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterator
from typing import Any

import pytest
from jinja2 import Environment, TemplateSyntaxError, meta, nodes
from jinja2.exceptions import UndefinedError

from dlpack_bindgen.arguments.enumeration import EnumFacts
from dlpack_bindgen.arguments.kind import Facts, Lines, TypeAssertion
from dlpack_bindgen.arguments.number import NumberFacts
from dlpack_bindgen.arguments.string import StringFacts
from dlpack_bindgen.arguments.strings import StringsFacts
from dlpack_bindgen.bind import binding
from dlpack_bindgen.bind.binding import Binding
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.render.render import C_TEMPLATES, STUB_TEMPLATE, environment_of_templates
from dlpack_bindgen.resources import resource_folder


def is_record(item: object) -> bool:
    return isinstance(item, type) and issubclass(item, Frozen) and item is not Frozen


OUTPUTS = [*C_TEMPLATES, STUB_TEMPLATE]
FOLDER = resource_folder("templates")
TEMPLATES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.j2"))
OWN_FACTS = {
    "enumeration": EnumFacts,
    "lines": Lines,
    "number": NumberFacts,
    "string": StringFacts,
    "strings": StringsFacts,
}
"""The facts that only one kind of argument has, by the template of the kind."""
RECORDS = [*(item for item in vars(binding).values() if is_record(item)), TypeAssertion, *OWN_FACTS.values()]
NOT_PRINTED = {"names"}
"""Fields for the layout of what is printed."""
BUILDING = (nodes.Concat, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow)
LOGIC = (nodes.Compare, nodes.And, nodes.Or, nodes.Not, nodes.Test, nodes.Assign, nodes.AssignBlock)
FILTERS = {"join", "length", "c_string", "labels_placed", "laid_out"}


def source(template: str) -> str:
    return (FOLDER / template).read_text(encoding="utf-8")


def parsed(text: str) -> nodes.Template:
    return environment_of_templates().parse(text)


def problems(text: str) -> Iterator[str]:
    """Whatever is more than a loop, an if, a macro call or a field."""
    tree = parsed(text)
    macros = {macro.name for macro in tree.find_all(nodes.Macro)}
    choices = {node.target.name for node in tree.find_all(nodes.Assign) if is_choice(node)}
    for node in tree.find_all(nodes.Node):
        place = f"line {node.lineno}: {type(node).__name__}"
        if isinstance(node, (*BUILDING, *LOGIC)) and not is_choice(node):
            yield place
        elif isinstance(node, nodes.Filter) and node.name not in FILTERS:
            yield f"{place} {node.name}"
        elif (isinstance(node, nodes.Getitem) and not is_chosen(node, choices)) or (
            isinstance(node, nodes.Call) and not is_macro(node.node, macros, imported(tree), choices)
        ):
            yield place


def imported(tree: nodes.Template) -> set[str]:
    return {node.target for node in tree.find_all(nodes.Import)}


def is_choice(node: nodes.Node) -> bool:
    """A name for templates, or macros, of which a field chooses one."""
    if not isinstance(node, nodes.Assign) or not isinstance(node.node, nodes.Dict):
        return False
    return all(isinstance(item.key, nodes.Const) and isinstance(item.value, nodes.Name) for item in node.node.items)


def is_chosen(node: nodes.Expr, choices: set[str]) -> bool:
    is_item = isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Getattr)
    return is_item and isinstance(node.node, nodes.Name) and node.node.name in choices


def is_macro(called: nodes.Expr, macros: set[str], imports: set[str], choices: set[str]) -> bool:
    """One of another file, or of the same, perhaps chosen by a field."""
    if isinstance(called, nodes.Name):
        return called.name in macros
    if isinstance(called, nodes.Getattr) and isinstance(called.node, nodes.Name):
        return called.node.name in imports
    return is_chosen(called.node if isinstance(called, nodes.Getattr) else called, choices)


@pytest.mark.parametrize("template", TEMPLATES)
def test_no_logic(template: str) -> None:
    assert [*problems(source(template))] == []


@pytest.mark.parametrize(
    "text",
    [
        "{% if b.x is defined %}{% endif %}",
        "{{ b.x | default('y') }}",
        "{{ b.x | d('y') }}",
        "{{ b.x | upper }}",
        "{{ b.x ~ 'y' }}",
        "{{ b.x + 1 }}",
        "{{ b.x * 2 }}",
        "{{ b.x % 2 }}",
        "{{ 'a%s' % b.x }}",
        "{% if b.x == 'y' %}{% endif %}",
        "{% if not b.x %}{% endif %}",
        "{% if b.x and b.y %}{% endif %}",
        "{% set y = b.x %}",
        "{{ b.x.replace('a', 'b') }}",
        "{{ 'x{}'.format(b.x) }}",
        "{{ b.x[0] }}",
        "{{ b['x'] }}",
        "{% set choice = {'x': b} %}{{ choice['x'] }}",
        "{% set choice = {'x': b.x} %}",
        "{{ range(3) }}",
    ],
)
def test_what_counts_as_logic(text: str) -> None:
    assert [*problems(text)] != []


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_binding_is_the_only_input(template: str) -> None:
    undeclared = meta.find_undeclared_variables(parsed(source(template)))
    assert undeclared == ({"b"} if template in OUTPUTS else set())


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_comment_names_the_input(template: str) -> None:
    first = source(template).splitlines()[0]
    assert first.startswith("{#") and first.endswith("#}")
    assert "Binding" in first or "Facts" in first


def fields_and_properties() -> set[str]:
    found = set()
    for cls in RECORDS:
        found |= set(cls.__annotations__)
        found |= {name for name, value in vars(cls).items() if isinstance(value, property)}
    return found


def printed_fields() -> set[str]:
    found = set()
    for template in TEMPLATES:
        tree = parsed(source(template))
        for node in tree.find_all(nodes.Getattr):
            is_named = isinstance(node.node, nodes.Name) and node.node.name in {"loop", *imported(tree)}
            if not is_named and not isinstance(node.node, nodes.Getitem):
                found.add(node.attr)
    return found


def test_templates_print_every_field_and_nothing_else() -> None:
    assert printed_fields() | NOT_PRINTED == fields_and_properties()


# ---- Every optional field set, and every one unset ----


def made(kind: Any, full: bool) -> Any:
    """A value of the annotated type, as much or as little as it can be."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return made(next(a for a in arguments if a is not type(None)), full) if full else None
    if origin is tuple and arguments[0] is Facts:
        return tuple(made_facts(template, full) for template in OWN_FACTS) if full else ()
    if origin is tuple:
        return (made(arguments[0], full), made(arguments[0], full)) if full else ()
    if kind is Facts:
        return made_facts("number", full)
    if kind is binding.Slot:
        return binding.Slot("slot", "unary", "name", "called", *(("store", "delete") if full else ()))
    if is_record(kind):
        return kind(**{name: made(hint, full) for name, hint in typing.get_type_hints(kind).items()})
    return {str: "text", int: 7, bool: full}[kind]


def made_facts(template: str, full: bool) -> Facts:
    hints = typing.get_type_hints(Facts)
    values = {name: made(hint, full) for name, hint in hints.items() if name not in ("template", "own")}
    if template == "lines":
        values |= {"declaration": "", "place": ""}
    return Facts(template=template, own=made(OWN_FACTS[template], full), **values)


def bindings() -> Iterator[Binding]:
    """Full, bare, and bare with classes and their parts that are full or bare."""
    full, bare = made(Binding, True), made(Binding, False)
    yield full
    yield bare
    of, factory = made(binding.ClassBinding, False), made(binding.FactoryBinding, False)
    yield dataclasses.replace(bare, classes=(of,))
    yield dataclasses.replace(full, classes=(of, full.classes[0]))
    yield dataclasses.replace(bare, classes=(dataclasses.replace(of, importer=factory, allocator=factory),))
    child, parts, function = (made(kind, False) for kind in (binding.Child, binding.PartsBinding, binding.Function))
    few = dataclasses.replace(of, describe=function, functions=(function,), children=(child,), parts=(parts,))
    yield dataclasses.replace(bare, classes=(few,))


@pytest.mark.parametrize("template", OUTPUTS)
@pytest.mark.parametrize("number", range(6))
def test_nothing_is_undefined(template: str, number: int) -> None:
    given = [*bindings()][number]
    text = environment_of_templates().get_template(template).render(b=given)
    assert "None" not in text.replace("-> None", "").replace("= None", "").replace("| None", "")


def test_undefined_fields_are_errors() -> None:
    environment = environment_of_templates()
    for text in ("{{ b.nothing }}", "{% if b.nothing %}{% endif %}", "{% for x in b.nothing %}{% endfor %}"):
        with pytest.raises(UndefinedError):
            environment.from_string(text).render(b=made(Binding, True))


def test_templates_are_found_and_parse() -> None:
    parts = {"macros.j2", "function.c.j2", "setter.c.j2", "special_methods.c.j2", "arguments/scalars.c.j2"}
    assert {*OUTPUTS, *parts, *(f"arguments/{name}.c.j2" for name in OWN_FACTS)} == set(TEMPLATES)
    with pytest.raises(TemplateSyntaxError):
        Environment().parse("{% if %}")
