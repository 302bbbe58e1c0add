"""Templates print fields of records and answers of features, and compute nothing: their syntax trees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from jinja2 import meta, nodes
from jinja2.exceptions import UndefinedError

import dlpack_bindgen
from dlpack_bindgen.emit.render import C_TEMPLATES, STUB_TEMPLATE, environment_of_templates
from dlpack_bindgen.resources import resource_folder
from dlpack_bindgen.text.fragments import Piece

PACKAGE = Path(dlpack_bindgen.__file__).parent
OUTPUTS = [*C_TEMPLATES, STUB_TEMPLATE]
FOLDER = resource_folder("templates")
TEMPLATES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.j2"))
BUILDING = (nodes.Concat, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow)
LOGIC = (nodes.Compare, nodes.And, nodes.Or, nodes.Not, nodes.Test, nodes.Assign, nodes.AssignBlock)
PARTS = {"own", "body", "kind"}
"""The fields of a `Part` and of an emitted argument whose methods a template may call."""
FILTERS = {"join", "length", "c_string", "labels_placed", "laid_out"}


def source(template: str) -> str:
    return (FOLDER / template).read_text(encoding="utf-8")


def parsed(text: str) -> nodes.Template:
    return environment_of_templates().parse(text)


def problems(text: str) -> Iterator[str]:
    """Yields whatever is more than a loop, an if, a macro call, a field or a question."""
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
            isinstance(node, nodes.Call)
            and not is_question(node.node)
            and not is_macro(node.node, macros, imported(tree), choices)
        ):
            yield place


def imported(tree: nodes.Template) -> set[str]:
    return {node.target for node in tree.find_all(nodes.Import)}


def is_choice(node: nodes.Node) -> bool:
    """Tells if the name stands for templates or macros of which a field chooses one."""
    if not isinstance(node, nodes.Assign) or not isinstance(node.node, nodes.Dict):
        return False
    return all(isinstance(item.key, nodes.Const) and isinstance(item.value, nodes.Name) for item in node.node.items)


def is_chosen(node: nodes.Expr, choices: set[str]) -> bool:
    if not isinstance(node, nodes.Getitem) or not isinstance(node.arg, nodes.Getattr):
        return False
    return (isinstance(node.node, nodes.Name) and node.node.name in choices) or is_chosen(node.node, choices)


def is_question(called: nodes.Expr) -> bool:
    """Returns whether a method of the feature or of the emitted function is called, such as `p.own.tables(p.body)`."""
    return isinstance(called, nodes.Getattr) and isinstance(called.node, nodes.Getattr) and called.node.attr in PARTS


def is_macro(called: nodes.Expr, macros: set[str], imports: set[str], choices: set[str]) -> bool:
    """Tells if the call is of a macro of this or another file, perhaps chosen by a field."""
    if isinstance(called, nodes.Name):
        return called.name in macros
    if isinstance(called, nodes.Getattr) and isinstance(called.node, nodes.Name):
        return called.node.name in imports
    return is_chosen(called.node if isinstance(called, nodes.Getattr) else called, choices)


@pytest.mark.parametrize("template", TEMPLATES)
def test_templates_have_no_logic(template: str) -> None:
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
def test_filters_operators_and_lookups_are_logic(text: str) -> None:
    assert [*problems(text)] != []


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_module_is_the_only_input(template: str) -> None:
    undeclared = meta.find_undeclared_variables(parsed(source(template))) - {"templates"}
    assert undeclared == ({"module"} if template in OUTPUTS else set())


def inputs(template: str) -> dict[str, str]:
    """Returns the arguments of the macros with their records, as the first comment names them: `a: Facts. c: Call.`"""
    comment = source(template).splitlines()[0]
    assert comment.startswith("{#") and comment.endswith("#}")
    return dict(re.findall(r"\b(\w): (?:an? )?([A-Z]\w+)", comment))


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_first_comment_names_the_arguments_of_the_macros(template: str) -> None:
    found = inputs(template)
    assert set(found.values()) <= classes()
    arguments = {each.name for macro in parsed(source(template)).find_all(nodes.Macro) for each in macro.args}
    assert {name for name in arguments if len(name) == 1} <= set(found)


@cache
def sources() -> list[ast.Module]:
    return [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]


def classes() -> set[str]:
    return {node.name for tree in sources() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def attributes_in_templates() -> set[str]:
    return {node.attr for name in TEMPLATES for node in parsed(source(name)).find_all(nodes.Getattr)}


def test_each_field_of_a_record_is_read() -> None:
    """A template or the generator reads the field, perhaps by the name of a key."""
    nodes_of_python = [node for tree in sources() for node in ast.walk(tree)]
    in_python = {node.attr for node in nodes_of_python if isinstance(node, ast.Attribute)}
    in_python |= {node.value for node in nodes_of_python if isinstance(node, ast.Constant)}
    fields = {
        f"{each.name}.{field.target.id}"
        for tree in sources()
        for each in ast.walk(tree)
        if isinstance(each, ast.ClassDef)
        for field in each.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    }
    read = in_python | attributes_in_templates()
    assert sorted(field for field in fields if field.partition(".")[2] not in read) == []


# ---- Names of templates and macros ----


def pieces_of_generator() -> Iterator[tuple[Path, ast.Call]]:
    """Yields the calls of `Piece` in the source of the generator."""
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        origins = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        for node in ast.walk(tree) if Piece.__module__ in origins else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Piece":
                yield path, node


def constants(node: ast.expr) -> list[str]:
    """Returns the strings of which an expression chooses one."""
    if isinstance(node, ast.IfExp):
        return [*constants(node.body), *constants(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) else []


def test_a_piece_names_a_macro_of_a_template() -> None:
    wrong = []
    for path, node in pieces_of_generator():
        (template,), macros = constants(node.args[0]), constants(node.args[1])
        known = {macro.name for macro in parsed(source(f"{template}.c.j2")).find_all(nodes.Macro)}
        wrong += [f"{path}:{node.lineno}: {template} has no {macro}" for macro in macros if macro not in known]
    assert wrong == []


def reached(templates: set[str]) -> set[str]:
    """Returns the templates, and those that they import."""
    found = {node.template.value for name in templates for node in parsed(source(name)).find_all(nodes.Import)}
    return templates if found <= templates else reached(templates | found)


def test_the_generator_names_each_template_or_another_template_imports_it() -> None:
    strings = {node.value for tree in sources() for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    named = {f"{each}.c.j2" for each in strings if isinstance(each, str)} & set(TEMPLATES)
    assert reached({*OUTPUTS, *named}) == set(TEMPLATES)


def test_undefined_fields_are_errors() -> None:
    environment, piece = environment_of_templates(), Piece("template", "macro", None)
    for text in ("{{ b.nothing }}", "{% if b.nothing %}{% endif %}", "{% for x in b.nothing %}{% endfor %}"):
        with pytest.raises(UndefinedError):
            environment.from_string(text).render(b=piece)
