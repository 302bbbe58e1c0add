"""The step from bindings to formatted text, through the templates. It makes no decisions."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dlpack_bindgen.bind.bind import bind
from dlpack_bindgen.bind.binding import LINE, LINE_END, Binding
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.render import own_names
from dlpack_bindgen.render.clang_format import format_files
from dlpack_bindgen.render.layout import labels_placed, laid_out
from dlpack_bindgen.render.shadowed import qualified
from dlpack_bindgen.render.template_cache import TemplateCache
from dlpack_bindgen.resources import resource_folder
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.literals import c_string

C_TEMPLATES = {
    "dlpack.h.j2": "{module}_dlpack.h",
    "dlpack.c.j2": "{module}_dlpack.c",
    "module.c.j2": "{module}_module.c",
}
STUB_TEMPLATE = "stub.pyi.j2"
STUB_NAME = "{module}.pyi"
_SYNTAX: dict[str, Any] = {
    "autoescape": False,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
}
_LINE = re.compile(rf"{LINE}\((.*?) {LINE_END}\);?")


class OutputFile(Frozen):
    name: str
    text: str


def output_names(module: str) -> list[str]:
    """Returns the names of the output files of one spec."""
    return [*(name.format(module=module) for name in C_TEMPLATES.values()), STUB_NAME.format(module=module)]


def have_functions(specs: Sequence[Spec]) -> bool:
    """Returns whether a module of these specs calls functions, so that it needs the whole runtime."""
    return any(bind(spec).has_calls for spec in specs)


def render(specs: Sequence[Spec], jobs: int | None = None) -> list[OutputFile]:
    """Returns the files of all specs, in the order of the specs. `jobs` limits the number of formatting processes."""
    environment = environment_of_templates()
    bindings = [bind(spec) for spec in specs]
    c_files = [
        (name.format(module=binding.module), _named(_fill(environment, template, binding), spec))
        for spec, binding in zip(specs, bindings, strict=True)
        for template, name in C_TEMPLATES.items()
    ]
    formatted = dict(zip((name for name, _ in c_files), format_files(c_files, jobs), strict=True))
    files = []
    for binding in bindings:
        for name in C_TEMPLATES.values():
            name = name.format(module=binding.module)
            files.append(OutputFile(name, _tidy(_keep_format(_unmark(formatted[name])))))
        files.append(OutputFile(STUB_NAME.format(module=binding.module), stub(binding)))
    return files


def stub(binding: Binding) -> str:
    """Returns the text of the stub."""
    return qualified(_tidy(own_names.unmarked(_fill(environment_of_templates(), STUB_TEMPLATE, binding))))


@functools.cache
def environment_of_templates() -> Environment:
    """Returns the Jinja environment. It keeps the compiled templates for further specs of the process."""
    cache = TemplateCache(_SYNTAX)
    environment = Environment(
        loader=FileSystemLoader(resource_folder("templates")),
        bytecode_cache=cache,
        undefined=StrictUndefined,
        **_SYNTAX,
    )
    add_filters(environment)
    return environment


class _Templates(dict[str, dict[str, object]]):
    """The macros of the templates of pieces. The key is the name of the template without `.c.j2`."""

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self._environment = environment

    def __missing__(self, name: str) -> dict[str, object]:
        found = self[name] = vars(self._environment.get_template(f"{name}.c.j2").module)
        return found


def add_filters(environment: Environment) -> None:
    """Adds the filters of the templates. `c_string` quotes a text for C, and the others lay out bodies of functions.

    Adds `templates` as well, in which a template finds the macros of a piece."""
    environment.filters |= {"c_string": c_string, "labels_placed": labels_placed, "laid_out": laid_out}
    environment.globals["templates"] = _Templates(environment)


def _fill(environment: Environment, template: str, binding: Binding) -> str:
    return environment.get_template(template).render(b=binding)


def _named(text: str, spec: Spec) -> str:
    """Renames variables that would hide a name of the spec."""
    names = spec.names_of_headers, spec.declared_names
    return own_names.resolved(text, *names) if any(names) else text


def _unmark(text: str) -> str:
    """Removes the macro that keeps lines whole."""
    return _LINE.sub(r"\1", text)


def _keep_format(text: str) -> str:
    """Adds a comment below the banner that tells the user's own clang-format, of any version, to skip the file."""
    return text.replace("*/\n", "*/\n/* clang-format off */\n", 1)


def _tidy(text: str) -> str:
    """Removes trailing blanks, and empty lines after `{`, before `}` or beside another one. The text ends with one
    newline."""
    text = "\n".join([line.rstrip(" \t") for line in text.split("\n")])
    text = re.sub(r"\n{3,}", "\n\n", text)
    text = text.replace("{\n\n", "{\n")
    text = re.sub(r"\n(\n *\})", r"\1", text)
    return text.strip("\n") + "\n"
