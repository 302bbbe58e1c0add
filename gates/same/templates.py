# SPDX-License-Identifier: MIT
"""`make same-templates`: changes each line of each template, and reports the changes that no spec of the tests shows.

A first run of all specs records the lines that each spec executes. Each line is then changed, and the specs that
execute it run again, until the output of one of them differs.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from jinja2 import DictLoader, Environment, nodes
from jinja2.visitor import NodeTransformer

from dlpack_bindgen.emit import render
from dlpack_bindgen.resources import resource_folder
from same.record import run_generator
from same.run import Files, base, differences

_MACRO = re.compile(r"\{%-? macro (\w+)\(")
MAX_SPECS = 60
"""The number of specs that run again with a changed line, at most."""
Line = tuple[str, int]
"""A line of a template: the name of the template, and the number of the line."""
Change = tuple[Line, str, list[Path]]
"""A line, the changed line, and the specs to run."""
executed: set[Line] = set()
"""The lines that the current spec has executed."""


# ---- Templates that record their executed lines ----


class RecordLines(NodeTransformer):
    """Inserts calls of `record_lines` into the syntax tree of a template."""

    def __init__(self, template: str) -> None:
        self.template = template

    def _call(self, line: int, count: int = 1) -> nodes.Output:
        arguments = [nodes.Const(self.template), nodes.Const(line), nodes.Const(count)]
        call = nodes.Call(nodes.Name("record_lines", "load"), arguments, [], None, None)
        return nodes.Output([call], lineno=line)

    def visit_Output(self, node: nodes.Output) -> list[nodes.Node]:
        parts: list[nodes.Node] = []
        for part in node.nodes:
            count = part.data.rstrip("\n").count("\n") + 1 if isinstance(part, nodes.TemplateData) else 1
            parts += [self._call(part.lineno, count), nodes.Output([part], lineno=part.lineno)]
        return parts

    def visit_If(self, node: nodes.If) -> list[nodes.Node]:
        for branch in node.elif_:  # the syntax allows no call before an `elif`
            branch.body = self._transformed(branch.body)
        return self._with_branches(node)

    def visit_Assign(self, node: nodes.Assign) -> list[nodes.Node]:
        last = max(each.lineno for each in node.find_all(nodes.Node))
        return [self._call(node.lineno, last - node.lineno + 2), node]  # the end of the tag can have its own line

    def visit_For(self, node: nodes.For) -> list[nodes.Node]:
        return self._with_branches(node)

    def visit_CallBlock(self, node: nodes.CallBlock) -> list[nodes.Node]:
        node.body = self._transformed(node.body)
        return [self._call(node.lineno), node]

    def _with_branches(self, node: nodes.If | nodes.For) -> list[nodes.Node]:
        node.body, node.else_ = self._transformed(node.body), self._transformed(node.else_)
        return [self._call(node.lineno), node]

    def _transformed(self, parts: list[nodes.Node]) -> list[nodes.Node]:
        visited = [self.visit(part) for part in parts]
        return [node for found in visited for node in (found if isinstance(found, list) else [found])]


class RecordingEnvironment(Environment):
    """Compiles templates that record their executed lines."""

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template: nodes.Template = RecordLines(name or "").visit(super()._parse(source, name, filename))
        template.set_environment(self)
        return template


class ChangedEnvironment(Environment):
    """Has its own copy of the templates, which `is_noticed` changes."""


def record_lines(template: str, line: int, count: int) -> str:
    """Records that a template executes `count` lines from `line` on. Returns the empty string, which is printed."""
    executed.update((template, number) for number in range(line, line + count))
    return ""


# ---- Runs of the generator ----


def read_templates() -> dict[str, str]:
    """Returns the templates of the working tree by name."""
    folder = Path(resource_folder("templates"))
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.j2"))}


@functools.cache
def environment_of(cls: type[Environment]) -> tuple[Environment, dict[str, str]]:
    """Returns a Jinja environment with the settings of the generator, and its templates. A change of the dictionary
    has an effect in the next run."""
    templates = read_templates()
    environment = cls(loader=DictLoader(templates), undefined=render.StrictUndefined, **render._SYNTAX)
    environment.globals["record_lines"] = record_lines
    render.add_filters(environment)
    return environment, templates


def run(path: Path, environment: Environment) -> Files:
    """Runs the generator on a spec, with the templates of an environment."""
    # A template keeps the templates that it has imported. Forget them, so that a change of them has an effect.
    for template in environment.cache.values() if environment.cache is not None else ():
        template._module = None
    environment.globals["templates"].clear()
    render.environment_of_templates = lambda: environment
    return run_generator(path)


def lines_of(path: Path) -> set[Line]:
    """Returns the lines of templates that a spec executes."""
    executed.clear()
    run(path, environment_of(RecordingEnvironment)[0])
    return set(executed)


@functools.lru_cache(maxsize=200)
def unchanged_output(path: Path) -> Files:
    """Returns the output for a spec with unchanged templates."""
    return run(path, environment_of(Environment)[0])


# ---- Changes ----


def changed_line(line: str) -> str | None:
    """Returns a changed line. Negates a condition or the argument of a `call`, empties a loop, disables an `else`, and
    removes all other lines. Returns None for lines without an effect of their own, such as `{% endif %}`."""
    if match := re.match(r"(\s*\{%-? (?:el)?if )(.*?)( -?%\}.*)$", line, re.DOTALL):
        return f"{match[1]}not ({match[2]}){match[3]}"
    if match := re.match(r"(\s*\{%-? call [\w.]+\()(.*?)(\) -?%\}.*)$", line, re.DOTALL):
        return f"{match[1]}not ({match[2]}){match[3]}"
    if re.match(r"\s*\{%-? else -?%\}\s*$", line):
        return line.replace("else", "elif false")
    if match := re.match(r"(\s*\{%-? for \w+(?:, \w+)* in )(.*?)( -?%\}.*)$", line, re.DOTALL):
        return f"{match[1]}[]{match[3]}"
    if re.match(r"\s*(\{%.*%\}|\{#.*|.*#\})?\s*$", line):
        return None
    return "\n"


def is_noticed(change: Change) -> bool:
    """Applies a change. Returns whether the output of one of the specs differs."""
    (template, number), changed, paths = change
    environment, templates = environment_of(ChangedEnvironment)
    unchanged = templates[template]
    lines = unchanged.splitlines(keepends=True)
    lines[number - 1] = changed
    templates[template] = "".join(lines)
    try:
        return any(differences({"": unchanged_output(path)}, {"": run(path, environment)}) for path in paths)
    finally:
        templates[template] = unchanged


def changes(users: dict[Line, list[Path]]) -> Iterator[Change]:
    """Yields a change for each line that has an effect. `users` maps each line to the specs that execute it."""
    for template, source in read_templates().items():
        first_lines = {found[1]: source.count("\n", 0, found.end()) + 2 for found in _MACRO.finditer(source)}
        for number, line in enumerate(source.splitlines(keepends=True), 1):
            if (changed := changed_line(line)) is not None:
                # A statement shows its effect in specs that execute the next line, too.
                inside = users[template, number + 1] if line.lstrip().startswith("{%") else []
                specs = [*inside[: MAX_SPECS // 2], *users[template, number]]
                if chosen := re.match(r'\s*"\w+": (\w+),$', line):
                    specs = users[template, first_lines[chosen[1]]]  # few specs use an entry of a dictionary of macros
                yield (template, number), changed, specs[:MAX_SPECS]


def main() -> None:
    """Prints the lines that no spec executes or whose change no spec shows. Exits with 1 if there are any."""
    paths = sorted(base()[2].glob("*.json"))
    users: dict[Line, list[Path]] = defaultdict(list)
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for path, lines in zip(paths, pool.map(lines_of, paths, chunksize=16), strict=True):
            for line in lines:
                users[line].append(path)
        all_changes = list(changes(users))
        noticed = pool.map(is_noticed, all_changes, chunksize=4)
    templates = read_templates()
    missed = 0
    for ((template, number), _, specs), is_seen in zip(all_changes, noticed, strict=True):
        if not is_seen:
            missed += 1
            reason = "no spec shows the change" if specs else "no spec executes the line"
            print(f"{template}:{number}: {reason}: {templates[template].splitlines()[number - 1].strip()}")
    print(f"{len(all_changes):,} lines changed, {missed} changes missed")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
