"""Templates print fields of the bindings and nothing else: their syntax trees, and what happens to every field."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import pkgutil
import re
import types
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jinja2 import Environment, TemplateSyntaxError, meta, nodes
from jinja2.exceptions import UndefinedError

import dlpack_bindgen
from dlpack_bindgen import arguments, hooks, imports, results, slots, steps
from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Place, Scope
from dlpack_bindgen.arguments.kind import Kind, PythonScope
from dlpack_bindgen.arguments.kinds import KINDS
from dlpack_bindgen.arguments.measure import Measure
from dlpack_bindgen.arguments.requirements import Check, NewOutput, Requirements
from dlpack_bindgen.bind import binding, functions
from dlpack_bindgen.bind.binding import Binding
from dlpack_bindgen.c.assertion import Assertion
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.imports.making import Making
from dlpack_bindgen.render.render import C_TEMPLATES, STUB_TEMPLATE, environment_of_templates
from dlpack_bindgen.resources import resource_folder
from dlpack_bindgen.results.kind import Param, Recognized, ResultScope, Source
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.slots import scope
from dlpack_bindgen.slots.axes import AxisStep
from dlpack_bindgen.slots.conditional import Conditional
from dlpack_bindgen.slots.layout import Layout
from dlpack_bindgen.slots.match import Arm, Match
from dlpack_bindgen.slots.reading import Reading, SlotValue
from dlpack_bindgen.slots.slots import Slots
from dlpack_bindgen.slots.statements import Block, Branch
from dlpack_bindgen.steps.declared import Declared
from dlpack_bindgen.steps.flow import Reporter


def modules_of(*packages: ModuleType) -> list[ModuleType]:
    names = [
        f"{package.__name__}.{each.name}" for package in packages for each in pkgutil.iter_modules(package.__path__)
    ]
    return [importlib.import_module(name) for name in names]


def is_record(item: object) -> bool:
    return isinstance(item, type) and issubclass(item, Frozen) and item is not Frozen


OUTPUTS = [*C_TEMPLATES, STUB_TEMPLATE]
FOLDER = resource_folder("templates")
TEMPLATES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.j2"))
PARTS = [name for name in TEMPLATES if "/" in name]
"""The templates of arguments and results, and of what concerns several arguments."""
PARTS_OF_CLASSES = (
    "describe",
    "factory",
    "fast_paths",
    "function",
    "getter",
    "hooks",
    "init",
    "records",
    "setter",
    "special_methods",
    "steps",
)
ARGUMENTS = [name.removesuffix(".c.j2") for name in PARTS if name.startswith("arguments/") and "scalars" not in name]
HANDED_ON = {
    Making,
    scope.Scope,
    Reporter,
    Scope,
    PythonScope,
    Measure,
    Value,
    Check,
    Requirements,
    NewOutput,
    Param,
    ResultScope,
    ParameterEntry,
    Source,
    Recognized,
}
HANDED_ON |= {AxisStep, Declared, Reading, Layout, Conditional, Slots, Arm, Match}
"""Records that the steps hand to each other. Templates do not get them."""
ALL_RECORDS = {
    record
    for module in (binding, *modules_of(arguments, functions, hooks, imports, results, slots, steps))
    for name, record in (("Assertion", Assertion), ("Piece", Piece), *vars(module).items())
    if is_record(record)
    and not name.startswith("_")
    and not issubclass(record, Kind | SlotValue)
    and record not in HANDED_ON
    if record.__module__ in (module.__name__, Assertion.__module__, Piece.__module__)
}
RECORDS = {record.__name__: record for record in ALL_RECORDS}
NOT_PRINTED = {"is_condition", "follows_checks", "member"}
"""Fields for the order and the layout of what is printed, and for the tables of the runtime."""
CHOSEN = {"form": "unary", "measure": "extent", "owner": "keeping"}
"""Fields that choose a macro, each with one of the choices."""
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
    macros = {"caller", *(macro.name for macro in tree.find_all(nodes.Macro))}
    choices = {node.target.name for node in tree.find_all(nodes.Assign) if is_choice(node)} | {"templates"}
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
    if not isinstance(node, nodes.Getitem) or not isinstance(node.arg, nodes.Getattr):
        return False
    return (isinstance(node.node, nodes.Name) and node.node.name in choices) or is_chosen(node.node, choices)


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
    undeclared = meta.find_undeclared_variables(parsed(source(template))) - {"templates"}
    assert undeclared == ({"b"} if template in OUTPUTS else set())


def inputs(template: str) -> dict[str, str]:
    """The arguments of the macros, as the comment at the top names them, with their records: `a: Facts. c: Call.`"""
    comment = source(template).splitlines()[0]
    assert comment.startswith("{#") and comment.endswith("#}")
    return dict(re.findall(r"\b(\w): (?:an? )?([A-Z]\w+)", comment))


def own_facts(template: str) -> type[Frozen] | None:
    """The facts that only one kind of argument has."""
    found = re.search(r"\ba: Facts(?: with|, with) (\w+)", source(template).splitlines()[0])
    return RECORDS[found[1]] if found is not None else None


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_comment_names_the_input(template: str) -> None:
    found = inputs(template)
    assert set(found.values()) <= set(RECORDS)
    if template in PARTS or template.removesuffix(".c.j2") in PARTS_OF_CLASSES:
        of_macros = {each.name for macro in parsed(source(template)).find_all(nodes.Macro) for each in macro.args}
        assert {name for name in of_macros if len(name) == 1} <= set(found)
    else:
        assert "Binding" in source(template).splitlines()[0]


def test_each_record_has_a_name_of_its_own() -> None:
    assert len(RECORDS) == len(ALL_RECORDS)


def fields_and_properties() -> set[str]:
    found = set()
    for cls in RECORDS.values():
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


NAMES = ("Piece", "Statement")
FOLDERS = ("arguments", "bind", "hooks", "imports", "results", "slots", "steps")


def pieces_of_generator() -> set[tuple[str, str]]:
    """The templates and macros that `Piece(...)` names in the source of the generator."""
    found = set()
    package = Path(dlpack_bindgen.__file__).parent
    for path in (path for folder in FOLDERS for path in (package / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Piece":
                template, macros = node.args[:2]
                assert isinstance(template, ast.Constant), f"{path}:{node.lineno}: the template is no constant"
                found |= {(template.value, macro) for macro in constants(macros)}
    return found


def constants(node: ast.expr) -> list[str]:
    """The strings of which an expression chooses one."""
    if isinstance(node, ast.IfExp):
        return [*constants(node.body), *constants(node.orelse)]
    assert isinstance(node, ast.Constant) and isinstance(node.value, str)
    return [node.value]


PIECES = sorted(pieces_of_generator())


def pieces_in(*folders: str) -> list[tuple[str, str]]:
    return [piece for piece in PIECES if piece[0].startswith(tuple(f"{folder}/" for folder in folders))]


BLOCKS = ("preprocessed", "chain", "chosen", "loop_over_axes")
PIECES_OF_CALLS = pieces_in("arguments", "functions", "results")
PIECES_OF_CLASSES = [piece for piece in pieces_in("hooks") if piece[0] != "hooks/before_read"]
PIECES_OF_STEPS = [piece for piece in PIECES if piece not in PIECES_OF_CALLS + PIECES_OF_CLASSES]


def pieces_of(record: type[Frozen]) -> list[tuple[str, str]]:
    """The pieces that a record can have."""
    if record is binding.ClassBinding:
        return PIECES_OF_CLASSES
    return PIECES_OF_CALLS if record.__module__.startswith("dlpack_bindgen.bind.") else PIECES_OF_STEPS


@cache
def macros_of(template: str) -> dict[str, nodes.Macro]:
    return {macro.name: macro for macro in parsed(source(f"{template}.c.j2")).find_all(nodes.Macro)}


def made(kind: Any, full: bool, pieces: list[tuple[str, str]] = PIECES_OF_CALLS) -> Any:
    """A value of the annotated type, as much or as little as it can be. `pieces`: those that its template can print."""
    origin, of = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and Block in typing.get_args(of[0]):
        return made_statements(pieces) if full else ()
    if origin in (typing.Union, types.UnionType):
        return made(next(a for a in of if a is not type(None)), full, pieces) if full else None
    if origin is tuple and of[0] is Facts:
        return tuple(map(made_facts, ARGUMENTS)) if full else ()
    if origin is tuple and of[0] is Piece:
        return tuple(made_piece(*each, full=all_set) for each in pieces for all_set in (True, False)) if full else ()
    if origin is tuple:
        return (made(of[0], full, pieces), made(of[0], full, pieces)) if full else ()
    if kind is Piece:
        return made_piece(*pieces[0], full)
    if kind is binding.Slot:
        return binding.Slot("slot", "unary", "name", "called", *(("store", "delete") if full else ()))
    if is_record(kind):
        return made_record(kind, full)
    return {str: "text", int: 7, bool: full, object: None}[kind]


def made_record(record: type[Frozen], full: bool, **changes: object) -> Any:
    hints = {name: hint for name, hint in typing.get_type_hints(record).items() if name not in changes}
    chosen = {name: CHOSEN[name] for name, hint in hints.items() if hint is str and name in CHOSEN}
    values = {name: made(hint, full, pieces_of(record)) for name, hint in hints.items()} | chosen
    return record(**values, **changes)


def made_statements(pieces: list[tuple[str, str]]) -> tuple[Any, ...]:
    """All pieces, and one of each block with few statements and with none."""
    few = (made_piece(*pieces[0], full=False),)
    guarded, plain = Branch("text", few, "text"), Branch("text", few)
    blocks = [Block(form, (guarded, plain), few, "text") for form in BLOCKS]
    blocks += [Block(form, (plain, guarded)) for form in BLOCKS]
    return (*(made_piece(*each, full=full) for each in pieces for full in (True, False)), *blocks)


@cache
def made_facts(template: str, full: bool = True) -> Any:
    """Facts of an argument. Kinds with a macro `read` have `read_arguments`, and those with `declare` a variable."""
    own, macros = own_facts(f"{template}.c.j2"), macros_of(template)
    return made_record(
        Facts,
        full,
        template=template,
        own=made_record(own, full) if own is not None else None,
        place=made_record(Place, full),
        read_arguments="text" if "read" in macros else "",
        is_declared_first="declare" in macros,
        is_converted="passed" in macros,
    )


@cache
def made_piece(template: str, macro: str, full: bool) -> Any:
    (argument,) = macros_of(template)[macro].args
    record = RECORDS[inputs(f"{template}.c.j2")[argument.name]]
    facts = made_facts(template, full) if record is Facts else made_record(record, full)
    return made_record(Piece, full, template=template, macro=macro, facts=facts)


def bindings() -> Iterator[Binding]:
    """Full, bare, and bare with classes and their parts that are full or bare."""
    full, bare = made(Binding, True), made(Binding, False)
    yield full
    yield bare
    of, factory = made(binding.ClassBinding, False), made(binding.FactoryBinding, False)
    yield dataclasses.replace(bare, classes=(of,))
    yield dataclasses.replace(full, classes=(of, full.classes[0]))
    yield dataclasses.replace(bare, classes=(dataclasses.replace(of, importer=factory, allocator=factory),))
    child, parts, describe = (made(kind, False) for kind in (binding.Child, binding.PartsBinding, binding.Description))
    few = dataclasses.replace(of, describe=describe, children=(child,), parts=(parts,))
    yield dataclasses.replace(bare, classes=(few,))


@pytest.mark.parametrize("template", OUTPUTS)
@pytest.mark.parametrize("number", range(6))
def test_nothing_is_undefined(template: str, number: int) -> None:
    given = [*bindings()][number]
    text = environment_of_templates().get_template(template).render(b=given)
    for sound in ("Py_None", "-> None", "= None", "| None"):
        text = text.replace(sound, "")
    assert "None" not in text


def test_undefined_fields_are_errors() -> None:
    environment = environment_of_templates()
    for text in ("{{ b.nothing }}", "{% if b.nothing %}{% endif %}", "{% for x in b.nothing %}{% endfor %}"):
        with pytest.raises(UndefinedError):
            environment.from_string(text).render(b=made(Binding, True))


def reached(templates: set[str]) -> set[str]:
    """The templates, and those that they import."""
    found = {node.template.value for name in templates for node in parsed(source(name)).find_all(nodes.Import)}
    return templates if found <= templates else reached(templates | found)


def test_templates_are_found_and_parse() -> None:
    chosen = {template for template, _ in PIECES}
    chosen |= {f"arguments/{kind.__module__.rpartition('.')[2]}" for kind in KINDS}
    assert reached({*OUTPUTS, *(f"{name}.c.j2" for name in chosen)}) == set(TEMPLATES)
    with pytest.raises(TemplateSyntaxError):
        Environment().parse("{% if %}")
