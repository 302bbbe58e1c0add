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

from dlpack_bindgen.bind import binding
from dlpack_bindgen.bind.binding import Binding
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.render.render import C_TEMPLATES, STUB_TEMPLATE, environment_of_templates
from dlpack_bindgen.resources import resource_folder


def is_record(item: object) -> bool:
    return isinstance(item, type) and issubclass(item, Frozen) and item is not Frozen


OUTPUTS = [*C_TEMPLATES, STUB_TEMPLATE]
TEMPLATES = sorted(path.name for path in resource_folder("templates").iterdir())
RECORDS = [item for item in vars(binding).values() if is_record(item)]
BUILDING = (nodes.Concat, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow)
LOGIC = (nodes.Compare, nodes.And, nodes.Or, nodes.Not, nodes.Test, nodes.Assign, nodes.AssignBlock)
FILTERS = {"join", "length"}


def source(template: str) -> str:
    return (resource_folder("templates") / template).read_text(encoding="utf-8")


def problems(text: str) -> Iterator[str]:
    """Whatever is more than a loop, an if, a macro call or a field."""
    tree = Environment().parse(text)
    macros = {macro.name for macro in tree.find_all(nodes.Macro)}
    for node in tree.find_all(nodes.Node):
        place = f"line {node.lineno}: {type(node).__name__}"
        if isinstance(node, (*BUILDING, *LOGIC)):
            yield place
        elif isinstance(node, nodes.Filter) and node.name not in FILTERS:
            yield f"{place} {node.name}"
        elif isinstance(node, nodes.Getitem) or (isinstance(node, nodes.Call) and not is_macro(node.node, macros)):
            yield place


def is_macro(called: nodes.Expr, macros: set[str]) -> bool:
    """One of another file, or of the same."""
    if isinstance(called, nodes.Name):
        return called.name in macros
    return isinstance(called, nodes.Getattr) and isinstance(called.node, nodes.Name) and called.node.name == "m"


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
        "{{ range(3) }}",
    ],
)
def test_what_counts_as_logic(text: str) -> None:
    assert [*problems(text)] != []


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_binding_is_the_only_input(template: str) -> None:
    undeclared = meta.find_undeclared_variables(Environment().parse(source(template)))
    assert undeclared == ({"b"} if template in OUTPUTS else set())


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_comment_says_what_goes_in(template: str) -> None:
    first = source(template).splitlines()[0]
    assert first.startswith("{#") and first.endswith("#}")
    assert "Binding" in first


def fields_and_properties() -> set[str]:
    found = set()
    for cls in RECORDS:
        found |= set(cls.__annotations__)
        found |= {name for name, value in vars(cls).items() if isinstance(value, property)}
    return found


def printed_fields() -> set[str]:
    found = set()
    for template in TEMPLATES:
        for node in Environment().parse(source(template)).find_all(nodes.Getattr):
            if not (isinstance(node.node, nodes.Name) and node.node.name in ("m", "loop")):
                found.add(node.attr)
    return found


def test_templates_print_every_field_and_nothing_else() -> None:
    assert printed_fields() == fields_and_properties()


# ---- Every optional field set, and every one unset ----


def made(kind: Any, full: bool) -> Any:
    """A value of the annotated type, as much or as little as it can be."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return made(next(a for a in arguments if a is not type(None)), full) if full else None
    if origin is tuple:
        return (made(arguments[0], full), made(arguments[0], full)) if full else ()
    if is_record(kind):
        return kind(**{name: made(hint, full) for name, hint in typing.get_type_hints(kind).items()})
    return {str: "text", int: 7, bool: full}[kind]


def bindings() -> Iterator[Binding]:
    """Full, bare, and bare with classes and their parts that are full or bare."""
    full, bare = made(Binding, True), made(Binding, False)
    yield full
    yield bare
    of, maker = made(binding.ClassBinding, False), made(binding.MakerBinding, False)
    yield dataclasses.replace(bare, classes=(of,))
    yield dataclasses.replace(full, classes=(of, full.classes[0]))
    yield dataclasses.replace(bare, classes=(dataclasses.replace(of, importer=maker, allocator=maker),))
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
    assert {*OUTPUTS, "macros.j2"} == set(TEMPLATES)
    with pytest.raises(TemplateSyntaxError):
        Environment().parse("{% if %}")
