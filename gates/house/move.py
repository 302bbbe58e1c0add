# SPDX-License-Identifier: MIT
"""Moves modules of the generator into the packages of `rooms.py`, without another change.

    .venv/bin/python gates/house/move.py PACKAGE ...    moves all modules of these packages: `text emit tools`
    .venv/bin/python gates/house/move.py --plan         prints the imports and the circles of the whole plan

The modules of one file are joined in the order of the plan; but each one follows those that it needs at import. All
imports, the names of modules in strings and pages, and the list of mutants are rewritten. ruff then sorts the imports
and formats the files. The command can be repeated on a later state of the repository: modules that have been moved are
left alone, and a file that exists already is extended. It needs `make .venv/.extra-lint`.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import json
import re
import shutil
import subprocess
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import rooms
from scopes import Scope, Use, names_in

TOP = Path(__file__).resolve().parents[2]
PACKAGE = TOP / "generator" / "dlpack_bindgen"
NAME = "dlpack_bindgen"
MUTANTS = "gates/mutants/mutants.jsonl"
VERDICTS = "gates/mutants/baseline.tsv"
HISTORY = (
    "CHANGELOG.md",
    "docs/reliability.md",
    "gates/results/",
    "gates/house/",
    "gates/mutants/mutants.jsonl",
    VERDICTS,
)
"""Texts about the past, and those that are rewritten otherwise."""
BUILTINS = frozenset(dir(builtins))
COMMENT: dict[str, Any] = {"width": 120, "initial_indent": "# ", "subsequent_indent": "# ", "break_on_hyphens": False}


class MoveError(Exception):
    """The plan cannot be carried out as it is."""


# ---- Files ----


class Edit(NamedTuple):
    start: int
    end: int
    text: str


class Chunk(NamedTuple):
    """A statement at the top of a file, with the comments before it and the docstring after it, in bytes."""

    start: int
    end: int
    names: tuple[str, ...]
    blank: int
    """The number of empty lines before it."""
    is_main: bool
    """Whether it is the `if __name__ == "__main__"` of a file."""


class Origin(NamedTuple):
    """What a name of a file stands for."""

    module: str
    """The module of the generator that defines it, without the name of the package."""
    name: str | None
    """None: the module itself."""


class Binding(NamedTuple):
    """A name that an import of a module of the generator binds."""

    origin: Origin
    alias: ast.alias
    statement: ast.ImportFrom
    scope: Scope


class Source:
    """A Python file of the repository, as it is before the moves."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = path.read_bytes()
        inside = path.is_relative_to(PACKAGE)
        self.module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts) if inside else None

    @property
    def label(self) -> str:
        return self.path.relative_to(TOP).as_posix()

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.data)

    @cached_property
    def names(self) -> tuple[Scope, list[Use]]:
        return names_in(self.tree)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        for line in self.data.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def start(self, node: ast.AST) -> int:
        return self.line_starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        return self.line_starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]

    def line_end(self, node: ast.AST) -> int:
        """Returns the end of the last line of a node, with a comment on this line."""
        end = self.data.find(b"\n", self.end(node))
        return len(self.data) if end < 0 else end

    @property
    def docstring(self) -> str | None:
        return ast.get_docstring(self.tree)

    @cached_property
    def header(self) -> list[ast.stmt]:
        """The docstring and the imports of the file."""
        return [node for index, node in enumerate(self.tree.body) if _is_header(node, index)]

    @cached_property
    def chunks(self) -> list[Chunk]:
        found: list[Chunk] = []
        before = 0
        header = set(map(id, self.header))
        for node in self.tree.body:
            end = self.line_end(node)
            if id(node) in header:
                before = end
                continue
            text = self.data[before:end]
            start = before + len(text) - len(text.lstrip(b"\n "))
            blank = text[: start - before].count(b"\n") - 1
            names = tuple(sorted(names_in(ast.Module([node], []))[0].bound))
            is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if is_docstring and found:
                found[-1] = found[-1]._replace(end=end)
            else:
                found.append(Chunk(start, end, names, blank, _is_main(node)))
            before = end
        rest = self.data[before:].strip()
        if rest and found:
            found[-1] = found[-1]._replace(end=before + len(self.data[before:].rstrip()))
        return found

    @cached_property
    def own_names(self) -> set[str]:
        return {name for chunk in self.chunks for name in chunk.names}


def _is_main(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and b"__name__" in ast.unparse(node.test).encode()


def _is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not node.orelse


def _is_header(node: ast.stmt, index: int) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and index == 0:
        return True
    if _is_type_checking(node):
        assert isinstance(node, ast.If)
        return all(isinstance(each, ast.Import | ast.ImportFrom) for each in node.body)
    return isinstance(node, ast.Import | ast.ImportFrom)


class Repository:
    """All Python files of the repository, and what the names in them stand for."""

    def __init__(self) -> None:
        listed = _git("ls-files", "-co", "--exclude-standard")
        self.texts = [TOP / name for name in listed if (TOP / name).is_file()]
        paths = [path for path in self.texts if path.suffix == ".py" and not path.is_relative_to(TOP / "gates/house")]
        self.sources = [source for source in map(Source, paths) if source.module or NAME.encode() in source.data]
        self.modules = {source.module: source for source in self.sources if source.module is not None}

    def origin(self, module: str, name: str) -> Origin:
        """Returns what `from dlpack_bindgen.MODULE import NAME` imports."""
        full = f"{module}.{name}" if module else name
        if full in self.modules or f"{full}.__init__" in self.modules:
            return Origin(full, None)
        source = self.modules.get(module)
        if source is None or name in source.own_names:
            return Origin(module, name)
        for binding in self.bindings(source):
            if binding.scope is source.names[0] and (binding.alias.asname or binding.alias.name) == name:
                return binding.origin
        return Origin(module, name)

    def bindings(self, source: Source) -> list[Binding]:
        found = []
        for use in source.names[1]:
            statement = use.parent
            if not isinstance(statement, ast.ImportFrom) or statement.module is None or statement.level:
                continue
            first, _, rest = statement.module.partition(".")
            if first == NAME:
                assert isinstance(use.node, ast.alias)
                found.append(Binding(self.origin(rest, use.node.name), use.node, statement, use.scope))
        return found


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=TOP, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


# ---- The plan ----


@dataclass
class Part:
    """The definitions of one old module that go to one new file."""

    source: Source
    chunks: list[Chunk]
    new: str
    left_out: list[Chunk] = field(default_factory=list)
    """Constants that another part defines in the same way."""
    texts: dict[Chunk, bytes] = field(default_factory=dict)
    """Other texts of constants."""

    @property
    def old(self) -> str:
        assert self.source.module is not None
        return self.source.module

    @property
    def stem(self) -> str:
        return self.old.rsplit(".", 1)[-1]

    def has(self, position: int) -> bool:
        return any(chunk.start <= position < chunk.end for chunk in self.chunks)


@dataclass
class Plan:
    """Which definition goes to which file, and with which name."""

    repository: Repository
    files: dict[str, list[Part]] = field(default_factory=dict)
    homes: dict[tuple[str, str], str] = field(default_factory=dict)
    """The new module of a definition (old module, name)."""
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    """The new names of definitions (old module, name)."""
    whole: dict[str, str] = field(default_factory=dict)
    """The new module of an old one, or of most of it."""
    reports: list[str] = field(default_factory=list)

    def home(self, origin: Origin) -> Origin:
        """Returns where a definition or a module is after the moves."""
        if origin.name is None:
            return Origin(self.whole.get(origin.module, origin.module), None)
        key = (origin.module, origin.name)
        return Origin(
            self.homes.get(key, self.whole.get(origin.module, origin.module)), self.names.get(key, origin.name)
        )

    def is_moved(self, origin: Origin) -> bool:
        return self.home(origin) != origin


def make_plan(repository: Repository, packages: Sequence[str]) -> Plan:
    plan = Plan(repository)
    single: dict[str, set[str]] = defaultdict(set)
    for file in rooms.FILES.values():
        for part in file.parts:
            module, _, name = part.partition(":")
            if name:
                single[module.replace("/", ".")].add(name)
    for new, file in rooms.FILES.items():
        is_named = new in packages or (new.split("/")[0] in packages and new not in rooms.LATER)
        if packages and not is_named:
            continue
        target = new.replace("/", ".")
        parts = []
        listed = [part.replace("/", ".") for part in file.parts]
        if target in repository.modules and target not in [part.partition(":")[0] for part in listed]:
            listed.insert(0, target)
        for each in listed:
            module, _, name = each.partition(":")
            source = repository.modules.get(module)
            if source is None:
                continue
            apart = single[module] if not name else set()
            chunks = [
                chunk
                for chunk in source.chunks
                if (name in chunk.names if name else not any(own in apart for own in chunk.names))
            ]
            if name and not chunks and target not in repository.modules:
                raise MoveError(f"{module} has no definition {name}")
            if not name:
                plan.whole[module] = target
            for chunk in chunks:
                plan.homes.update({(module, own): target for own in chunk.names})
            parts.append(Part(source, chunks, target))
        if parts and [part.old for part in parts] != [target]:
            plan.files[target] = parts
        elif parts:
            plan.whole.pop(target, None)
    for target, parts in plan.files.items():
        plan.files[target] = _in_order(parts)
    _same_constants(plan)
    _rename(plan)
    return plan


def _in_order(parts: list[Part]) -> list[Part]:
    """Returns the parts in an order in which each one follows those that it needs at import."""
    defined = {
        (part.old, name): (index, chunk)
        for index, part in enumerate(parts)
        for chunk in part.chunks
        for name in chunk.names
    }
    repository_names: dict[int, dict[str, tuple[str, str]]] = {}
    for part in parts:
        table = {name: (part.old, name) for name in part.source.own_names}
        for node in part.source.header:
            for each in ast.walk(node):
                if isinstance(each, ast.ImportFrom) and (each.module or "").startswith(f"{NAME}."):
                    for alias in each.names:
                        module = (each.module or "").partition(".")[2]
                        table[alias.asname or alias.name] = (module, alias.name)
        repository_names[id(part.source)] = table

    def needed(part: Part, chunk: Chunk, deferred: bool) -> Iterator[tuple[str, str]]:
        table = repository_names[id(part.source)]
        for use in part.source.names[1]:
            if not isinstance(use.node, ast.Name) or not use_is_global(use):
                continue
            if chunk.start <= part.source.start(use.node) < chunk.end and (deferred or not use.is_deferred):
                found = table.get(use.name)
                if found is None:
                    continue
                parent = use.parent
                module = ".".join(filter(None, found))
                if isinstance(parent, ast.Attribute) and (module, parent.attr) in defined:
                    yield module, parent.attr
                elif found in defined:
                    yield found

    def use_is_global(use: Use) -> bool:
        owner = use.scope.owner(use.name)
        return owner is not None and owner.kind == "file"

    needs: list[set[int]] = []
    direct: list[set[int]] = []
    for index, part in enumerate(parts):
        seen: set[tuple[str, str]] = set()
        waiting = [each for chunk in part.chunks for each in needed(part, chunk, deferred=False)]
        direct.append({defined[each][0] for each in waiting} - {index})
        while waiting:
            each = waiting.pop()
            if each in seen:
                continue
            seen.add(each)
            at, chunk = defined[each]
            waiting += needed(parts[at], chunk, deferred=True)
        needs.append({defined[each][0] for each in seen} - {index})
    order: list[int] = []
    while len(order) < len(parts):
        left = [index for index in range(len(parts)) if index not in order]
        free = [index for index in left if needs[index] <= set(order)]
        # A function that is called at import perhaps calls less than it names.
        free = free or [index for index in left if direct[index] <= set(order)]
        if not free:
            raise MoveError(f"these modules need each other at import: {', '.join(parts[index].old for index in left)}")
        order.append(free[0])
    return [parts[index] for index in order]


def _same_constants(plan: Plan) -> None:
    """Leaves out a private constant that another part defines in the same way. The longer text stays."""
    for target, parts in plan.files.items():
        found: dict[tuple[tuple[str, ...], str], tuple[Part, Chunk]] = {}
        for part in parts:
            for chunk in list(part.chunks):
                statement = ast.parse(part.source.data[chunk.start : chunk.end]).body[0]
                private = all(name.startswith("_") for name in chunk.names) and isinstance(statement, ast.Assign)
                if not private:
                    continue
                first = found.setdefault((chunk.names, ast.dump(statement)), (part, chunk))
                if first[0] is part:
                    continue
                part.chunks.remove(chunk)
                part.left_out.append(chunk)
                for name in chunk.names:
                    plan.homes.pop((part.old, name))
                text = part.source.data[chunk.start : chunk.end]
                if len(text) > len(first[0].source.data[first[1].start : first[1].end]):
                    first[0].texts[first[1]] = text
                plan.reports.append(f"{target}: one {', '.join(chunk.names)} for {first[0].old} and {part.old}")


def _rename(plan: Plan) -> None:
    """Chooses another name for each definition whose name another definition of the new file has."""
    for target, parts in plan.files.items():
        taken: dict[str, str] = {}
        used = {
            use.name
            for part in parts
            for use in part.source.names[1]
            if use.scope.owner(use.name) is None and use.name in BUILTINS
        }
        wished = {
            (part.old, name): rooms.NAMES[f"{part.old.replace('.', '/')}:{name}"]
            for part in parts
            for chunk in part.chunks
            for name in chunk.names
            if f"{part.old.replace('.', '/')}:{name}" in rooms.NAMES
        }
        for part in parts:
            for name in sorted(name for chunk in part.chunks for name in chunk.names):
                new = wished.get((part.old, name), name)
                if new in taken or (new in used and new in BUILTINS):
                    new = f"{name}_{part.stem}"
                    first = taken.get(name, "Python")
                    plan.reports.append(f"{target}: {part.old}:{name} -> {new} ({first} has the name)")
                if new in taken:
                    raise MoveError(f"{target}: no name for {part.old}:{name}")
                taken[new] = part.old
                if new != name:
                    plan.names[part.old, name] = new


# ---- Rewriting ----


class Import(NamedTuple):
    """A name that a file imports."""

    module: str
    """With the name of the package; empty for `import X`."""
    name: str
    alias: str | None
    checking: bool
    """Whether only type checkers import it."""


class Wanted(NamedTuple):
    """A use of a name that an import at the top of a file binds."""

    use: Use
    node: ast.AST
    """What is replaced: the name, or an attribute of it."""


class Writer:
    """Rewrites one file in its old form: all names that the moves change."""

    def __init__(self, plan: Plan, source: Source, own: str | None) -> None:
        self.plan = plan
        self.source = source
        self.own = own
        """The new module, if the file is a part of one."""
        self.edits: list[Edit] = []
        self.bindings = {
            (id(each.scope), each.alias.asname or each.alias.name): each for each in plan.repository.bindings(source)
        }

    def replace(self, node: ast.AST, old: str, new: str) -> None:
        """Replaces a name or an attribute."""
        start, end = self.source.start(node), self.source.end(node)
        if self.source.data[start:end].decode() != old:
            for start, end in self._in_f_string(node, old):
                self._add(Edit(start, end, new))
            return
        self._add(Edit(start, end, new))

    def _add(self, edit: Edit) -> None:
        if edit not in self.edits:
            self.edits.append(edit)

    def _in_f_string(self, node: ast.AST, old: str) -> Iterator[tuple[int, int]]:
        """Finds a name in an f-string: before Python 3.12, the places of its nodes are wrong."""
        around: ast.AST | None = node
        while around is not None and not isinstance(around, ast.JoinedStr):
            around = self.source.parents.get(around)
        if around is None:
            raise MoveError(f"{self.source.label}: no '{old}' at line {getattr(node, 'lineno', 0)}")
        outer = self.source.parents.get(around)
        while isinstance(outer, ast.JoinedStr | ast.FormattedValue):
            around, outer = outer, self.source.parents.get(outer)
        begin, stop = self.source.start(around), self.source.end(around)
        found = False
        for match in re.finditer(rb"(?<![\w.])" + re.escape(old.encode()) + rb"(?!\w)", self.source.data[begin:stop]):
            before = self.source.data[begin : begin + match.start()]
            if before.count(b"{") > before.count(b"}"):
                found = True
                yield begin + match.start(), begin + match.end()
        if not found:
            raise MoveError(f"{self.source.label}: no '{old}' in the f-string at line {getattr(node, 'lineno', 0)}")

    def definition_name(self, node: ast.AST, name: str, new: str) -> None:
        start = self.source.data.index(name.encode(), self.source.start(node))
        self._add(Edit(start, start + len(name.encode()), new))

    def uses_of(self, binding: Binding) -> list[Use]:
        name = binding.alias.asname or binding.alias.name
        return [
            use
            for use in self.source.names[1]
            if use.name == name and isinstance(use.node, ast.Name) and use.scope.owner(name) is binding.scope
        ]

    def rename_own(self, has: Part | None) -> None:
        """Gives the definitions of the file their new names."""
        module = self.source.module
        for use in self.source.names[1]:
            owner = use.scope.owner(use.name)
            if module is None or owner is None or owner.kind != "file" or use.name not in self.source.own_names:
                continue
            new = self.plan.names.get((module, use.name))
            if new is None:
                continue
            hidden = use.scope.owner(new)
            if hidden is not None and hidden.kind != "file":
                raise MoveError(f"{self.source.label}: the new name {new} is hidden by a variable of a function")
            if isinstance(use.node, ast.Name):
                self.replace(use.node, use.name, new)
            elif isinstance(use.node, ast.FunctionDef | ast.ClassDef):
                self.definition_name(use.node, use.name, new)
            else:
                raise MoveError(f"{self.source.label}: cannot rename {use.name} in {type(use.node).__name__}")

    def text(self, start: int, end: int) -> bytes:
        """Returns a range of the file with its edits."""
        out, at = [], start
        for edit in sorted(edit for edit in self.edits if start <= edit.start < end):
            if edit.start < at:
                raise MoveError(f"{self.source.label}: two edits of one place: {edit}")
            out += [self.source.data[at : edit.start], edit.text.encode()]
            at = edit.end
        return b"".join([*out, self.source.data[at:end]])

    # ---- Imports ----

    def resolve(self, binding: Binding, taken: dict[str, object]) -> list[Import]:
        """Rewrites the uses of an imported name, and returns the imports that they need.

        `taken` maps the names of the file to what they stand for.
        """
        plan, origin = self.plan, binding.origin
        local = binding.alias.asname or binding.alias.name
        uses = self.uses_of(binding)
        home = plan.home(origin)
        checking = _under_type_checking(self.source, binding.statement)
        if origin.name is not None:
            return self._definition(binding, home, local, uses, taken, checking)
        attributes = [self.source.parents.get(use.node) for use in uses]
        bare = [use for use, parent in zip(uses, attributes, strict=True) if not _is_attribute(parent, use.node)]
        if home.module == self.own:
            if bare:
                raise MoveError(f"{self.source.label}: the module {local} is used as an object in its own file")
            return self._direct(binding, uses, taken, checking)
        if home == origin:
            return self._module(binding, home, local, uses, taken, checking)
        attrs = {parent.attr for parent in attributes if isinstance(parent, ast.Attribute)}
        is_clear = all("_" in name.strip("_") or name.upper() == name or name[:1].isupper() for name in attrs)
        if not bare and is_clear and home.module.rsplit(".", 1)[-1] != local:
            found = self._direct(binding, uses, taken, checking, try_only=True)
            if found is not None:
                return found
        return self._module(binding, home, local, uses, taken, checking)

    def _free(self, name: str, thing: object, uses: list[Use], old: str, taken: dict[str, object]) -> bool:
        """Whether a name can stand for a thing at all of these uses."""
        if taken.get(name, thing) != thing:
            return False
        if name == old:
            return True
        if name in BUILTINS:
            return False

        def stands_for_it(owner: Scope | None) -> bool:
            if owner is None:
                return True
            if owner.kind == "file":
                return taken.get(name) == thing
            binding = self.bindings.get((id(owner), name))
            return binding is not None and self.plan.home(binding.origin) == thing

        return all(stands_for_it(use.scope.owner(name)) for use in uses)

    def _definition(
        self, binding: Binding, home: Origin, local: str, uses: list[Use], taken: dict[str, object], checking: bool
    ) -> list[Import]:
        assert home.name is not None
        if home.module == self.own:
            self._rewrite(uses, local, home.name, own=True)
            return []
        wishes = [local, home.name] if binding.alias.asname else [home.name]
        wishes.append(f"{home.module.rsplit('.', 1)[-1]}_{home.name.strip('_')}")
        for wish in wishes:
            if self._free(wish, home, uses, local, taken):
                if wish not in (home.name, binding.alias.asname):
                    self.plan.reports.append(f"{self.source.label}: {home.module}:{home.name} as {wish}")
                taken[wish] = home
                self._rewrite(uses, local, wish)
                return [Import(_full(home.module), home.name, wish if wish != home.name else None, checking)]
        raise MoveError(f"{self.source.label}: no free name for {home}")

    def _rewrite(self, uses: list[Use], local: str, new: str, own: bool = False) -> None:
        if local == new:
            return
        for use in uses:
            owner = use.scope.owner(new)
            if own and owner is not None and owner.kind != "file":
                raise MoveError(f"{self.source.label}: '{new}' is hidden by a variable at {_line(use)}")
            self.replace(use.node, local, new)

    def _module(
        self, binding: Binding, home: Origin, local: str, uses: list[Use], taken: dict[str, object], checking: bool
    ) -> list[Import]:
        package, _, last = _full(home.module).rpartition(".")
        wishes = [last] if binding.alias.asname is None else [local, last]
        for wish in dict.fromkeys([*wishes, local, f"{last}_module"]):
            if self._free(wish, home, uses, local, taken):
                if wish != last and wish != binding.alias.asname:
                    self.plan.reports.append(f"{self.source.label}: {home.module} as {wish}")
                taken[wish] = home
                for use in uses:
                    parent = self.source.parents.get(use.node)
                    if isinstance(parent, ast.Attribute) and _is_attribute(parent, use.node):
                        new = self.plan.home(Origin(binding.origin.module, parent.attr))
                        if new.module != home.module:
                            raise MoveError(f"{self.source.label}: {parent.attr} leaves {binding.origin.module}")
                        if wish != local or new.name != parent.attr:
                            self.replace(parent, f"{local}.{parent.attr}", f"{wish}.{new.name}")
                    else:
                        self._rename_string(use, binding.origin.module)
                        if wish != local:
                            self.replace(use.node, local, wish)
                return [Import(package, last, wish if wish != last else None, checking)]
        raise MoveError(f"{self.source.label}: no free name for the module {home.module}")

    def _rename_string(self, use: Use, module: str) -> None:
        """Renames the string in `monkeypatch.setattr(module, "name", ...)`."""
        call = self.source.parents.get(use.node)
        if isinstance(call, ast.Call) and len(call.args) > 1 and isinstance(call.args[1], ast.Constant):
            name = call.args[1].value
            new = self.plan.names.get((module, name)) if isinstance(name, str) else None
            if new is not None:
                start = self.source.start(call.args[1]) + 1
                self._add(Edit(start, start + len(name.encode()), new))

    def _direct(
        self, binding: Binding, uses: list[Use], taken: dict[str, object], checking: bool, try_only: bool = False
    ) -> list[Import] | None:
        """Replaces `module.name` by `name`."""
        local = binding.alias.asname or binding.alias.name
        by_name: dict[str, list[tuple[Use, ast.Attribute]]] = defaultdict(list)
        for use in uses:
            parent = self.source.parents.get(use.node)
            assert isinstance(parent, ast.Attribute)
            by_name[parent.attr].append((use, parent))
        imports = []
        homes = {name: self.plan.home(Origin(binding.origin.module, name)) for name in by_name}
        for name, places in by_name.items():
            home = homes[name]
            assert home.name is not None
            if home.module != self.own and not self._free(home.name, home, [use for use, _ in places], "", taken):
                if try_only:
                    return None
                raise MoveError(f"{self.source.label}: the name {home.name} is not free")
            for use, _ in places:
                owner = use.scope.owner(home.name)
                if owner is not None and owner.kind != "file":
                    if try_only:
                        return None
                    self._make_way(use, home.name, owner)
        for name, places in by_name.items():
            home = homes[name]
            assert home.name is not None
            for _, parent in places:
                self.replace(parent, f"{local}.{name}", home.name)
            if home.module != self.own:
                taken[home.name] = home
                imports.append(Import(_full(home.module), home.name, None, checking))
        return imports

    def _make_way(self, use: Use, name: str, owner: Scope) -> None:
        """Renames a local variable that hides a name of the new file, as the plan says."""
        new = rooms.VARIABLES.get(f"{(self.source.module or '').replace('.', '/')}:{name}")
        if new is None:
            raise MoveError(f"{self.source.label}: '{name}' is hidden by a variable at {_line(use)}")
        if name in owner.parameters:
            raise MoveError(f"{self.source.label}: '{name}' is hidden by a parameter at {_line(use)}")
        for each in self.source.names[1]:
            if each.name == name and each.scope.owner(name) is owner:
                if not isinstance(each.node, ast.Name):
                    raise MoveError(f"{self.source.label}: cannot rename the variable '{name}' at {_line(use)}")
                self.replace(each.node, name, new)


def _full(module: str) -> str:
    return f"{NAME}.{module}" if module else NAME


def _line(use: Use) -> str:
    return f"line {getattr(use.node, 'lineno', '?')}"


def _is_attribute(parent: ast.AST | None, node: ast.AST) -> bool:
    return isinstance(parent, ast.Attribute) and parent.value is node


def _under_type_checking(source: Source, statement: ast.stmt) -> bool:
    parent = source.parents.get(statement)
    return isinstance(parent, ast.If) and _is_type_checking(parent)


def _printed(imports: Iterable[Import], indent: str = "") -> list[str]:
    grouped: dict[str, set[str]] = defaultdict(set)
    lines = []
    for each in imports:
        name = each.name if each.alias is None else f"{each.name} as {each.alias}"
        if each.module:
            grouped[each.module].add(name)
        else:
            lines.append(f"{indent}import {name}")
    lines += [f"{indent}from {module} import {', '.join(sorted(names))}" for module, names in sorted(grouped.items())]
    return lines


def rewrite_in_place(plan: Plan, source: Source) -> bytes | None:
    """Returns the new text of a file that stays where it is; None if nothing changes."""
    writer = Writer(plan, source, None)
    taken: dict[str, object] = {name: Origin(source.module or "", name) for name in source.names[0].bound}
    statements: dict[int, list[Binding]] = defaultdict(list)
    for (_, local), binding in writer.bindings.items():
        if binding.scope is source.names[0]:
            taken[local] = plan.home(binding.origin)
        if plan.is_moved(binding.origin):
            statements[id(binding.statement)].append(binding)
    _statements(writer, statements, taken)
    return writer.text(0, len(source.data)) if writer.edits else None


def _statements(writer: Writer, statements: dict[int, list[Binding]], taken: dict[str, object]) -> None:
    """Rewrites the import statements that have moved names, where they are."""
    for moved in statements.values():
        statement = moved[0].statement
        imports: list[Import] = []
        names = {id(each.alias) for each in moved}
        for binding in moved:
            local = binding.alias.asname or binding.alias.name
            is_at_top = binding.scope is writer.source.names[0]
            others = taken if is_at_top else {name: thing for name, thing in taken.items() if name != local}
            imports += writer.resolve(binding, others)
        for alias in statement.names:
            if id(alias) not in names:
                imports.append(Import(statement.module or "", alias.name, alias.asname, False))
        start, end = writer.source.start(statement), writer.source.end(statement)
        line = writer.source.data.rfind(b"\n", 0, start) + 1
        indent = writer.source.data[line:start].decode()
        lines = _printed(imports, indent)
        if lines:
            writer._add(Edit(start, end, "\n".join(lines).removeprefix(indent)))
        else:  # with its line, its comment and the empty line after it
            stop = writer.source.line_end(statement) + 1
            while writer.source.data[stop : stop + 1] == b"\n":
                stop += 1
            writer._add(Edit(line, stop, ""))


def joined(plan: Plan, target: str, parts: list[Part]) -> tuple[str, dict[str, Writer]]:
    """Returns the text of a new file, and the writers of its old modules."""
    writers = {id(part.source): Writer(plan, part.source, target) for part in parts}
    taken: dict[str, object] = {}
    for part in parts:
        for chunk in part.chunks:
            for name in chunk.names:
                new = plan.home(Origin(part.old, name))
                taken[new.name or ""] = new
    imports: list[Import] = []
    sources = {id(part.source): part.source for part in parts}
    # A definition of the generator keeps its name; then the imports of other packages follow.
    for source in sources.values():
        for (_, local), binding in writers[id(source)].bindings.items():
            at_top = binding.scope is source.names[0] and _used(source, binding, parts)
            if at_top and binding.origin.name is not None and binding.alias.asname is None:
                home = plan.home(binding.origin)
                taken.setdefault(home.name or local, home)
    for source in sources.values():
        for statement in (node for node in ast.walk(source.tree) if isinstance(node, ast.Import | ast.ImportFrom)):
            imports += _foreign(source, statement, parts, taken, writers[id(source)])
    # Then the names that stay as they are, so that others make way.
    for source in sources.values():
        writer = writers[id(source)]
        writer.rename_own(None)
        imports += _own_of_others(plan, source, parts, target, taken, writer)
    top = [
        (source, binding)
        for source in sources.values()
        for binding in writers[id(source)].bindings.values()
        if binding.scope is source.names[0] and _used(source, binding, parts)
    ]
    for source, binding in sorted(top, key=lambda each: each[1].origin.name is None):
        imports += writers[id(source)].resolve(binding, taken)
    at_top = {each.module for each in imports if not each.checking}
    for source in sources.values():
        writer = writers[id(source)]
        statements: dict[int, list[Binding]] = defaultdict(list)
        for binding in writer.bindings.values():
            if binding.scope is source.names[0] or not _within(source, binding.statement, parts):
                continue
            home = plan.home(binding.origin)
            lifts = home.name is not None and f"{NAME}.{home.module}" in at_top and home.module != target
            if lifts and not _has_comment(source, binding.statement):
                imports += writer.resolve(binding, taken)
                statements.setdefault(id(binding.statement), [])
            elif plan.is_moved(binding.origin):
                statements[id(binding.statement)].append(binding)
        _lifted(writer, {key for key, found in statements.items() if not found})
        _statements(writer, {key: found for key, found in statements.items() if found}, taken)
    text = _file_text(plan, target, parts, writers, imports)
    return text, {source.module or "": writers[key] for key, source in sources.items()}


def _has_comment(source: Source, statement: ast.stmt) -> bool:
    return b"#" in source.data[source.end(statement) : source.line_end(statement)]


def _lifted(writer: Writer, statements: set[int]) -> None:
    for node in ast.walk(writer.source.tree):
        if id(node) in statements:
            assert isinstance(node, ast.ImportFrom)
            start = writer.source.data.rfind(b"\n", 0, writer.source.start(node)) + 1
            stop = writer.source.line_end(node) + 1
            while writer.source.data[stop : stop + 1] == b"\n":
                stop += 1
            writer._add(Edit(start, stop, ""))


def _within(source: Source, node: ast.AST, parts: list[Part]) -> bool:
    return any(part.source is source and part.has(source.start(node)) for part in parts)


def _used(source: Source, binding: Binding, parts: list[Part]) -> bool:
    """Whether one of the parts uses a name that an import of the whole file binds."""
    name = binding.alias.asname or binding.alias.name
    return any(
        use.name == name and use.scope.owner(name) is binding.scope and _within(source, use.node, parts)
        for use in source.names[1]
        if isinstance(use.node, ast.Name)
    )


def _own_of_others(
    plan: Plan, source: Source, parts: list[Part], target: str, taken: dict[str, object], writer: Writer
) -> list[Import]:
    """Imports what a part uses of its old module, and what now is in another file."""
    imports = []
    for use in source.names[1]:
        owner = use.scope.owner(use.name)
        if use.name not in source.own_names or owner is None or owner.kind != "file":
            continue
        if not isinstance(use.node, ast.Name) or not _within(source, use.node, parts):
            continue
        home = plan.home(Origin(source.module or "", use.name))
        if home.module != target and home.name is not None:
            if taken.setdefault(home.name, home) != home:
                raise MoveError(f"{target}: the name {home.name} is not free")
            imports.append(Import(_full(home.module), home.name, None, False))
    return imports


def _foreign(
    source: Source, statement: ast.stmt, parts: list[Part], taken: dict[str, object], writer: Writer
) -> list[Import]:
    """Returns the imports of the standard library and of other packages at the top of a file."""
    if not isinstance(statement, ast.Import | ast.ImportFrom) or statement not in _top_imports(source):
        return []
    module = statement.module or "" if isinstance(statement, ast.ImportFrom) else ""
    if module.partition(".")[0] == NAME or module == "__future__":
        return []
    found = []
    for alias in statement.names:
        local = (alias.asname or alias.name).split(".")[0]
        used = any(
            use.name == local and use.scope.owner(local) is source.names[0] and _within(source, use.node, parts)
            for use in source.names[1]
            if isinstance(use.node, ast.Name)
        )
        if used:
            thing = ("other", module, alias.name)
            if taken.setdefault(local, thing) != thing:
                found.append(_qualified(source, module, alias, parts, taken, writer))
                continue
            found.append(Import(module, alias.name, alias.asname, _under_type_checking(source, statement)))
    return found


def _qualified(
    source: Source, module: str, alias: ast.alias, parts: list[Part], taken: dict[str, object], writer: Writer
) -> Import:
    """Writes `abc.Sequence` for a `Sequence` whose name another definition of the new file has."""
    package, _, last = module.rpartition(".")
    thing = ("other", package, last)
    if alias.asname or taken.setdefault(last, thing) != thing:
        raise MoveError(f"{source.label}: the imported name {alias.asname or alias.name} is not free")
    for use in source.names[1]:
        if use.name != alias.name or not isinstance(use.node, ast.Name) or not _within(source, use.node, parts):
            continue
        if use.scope.owner(use.name) is source.names[0]:
            writer.replace(use.node, use.name, f"{last}.{use.name}")
    return Import(package, last, None, False)


def _top_imports(source: Source) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for node in source.header:
        found += node.body if isinstance(node, ast.If) else [node]
    return found


def _file_text(plan: Plan, target: str, parts: list[Part], writers: dict[int, Writer], imports: list[Import]) -> str:
    runtime = {each._replace(checking=False) for each in imports if not each.checking}
    checking = {each._replace(checking=False) for each in imports if each.checking} - runtime
    checking -= {each for each in checking if each.module == f"{NAME}.{target}"}
    if checking:
        runtime.add(Import("typing", "TYPE_CHECKING", None, False))
    spec = rooms.FILES.get(target.replace(".", "/"))
    existing = next((part.source.docstring for part in parts if part.old == target), None)
    docstring = (spec.docstring if spec else None) or existing or parts[0].source.docstring or ""
    alone = len({part.old for part in parts}) == 1
    if alone and not (spec and spec.docstring):
        docstring = parts[0].source.docstring or docstring
    lines = [f'"""{docstring}"""', "", "from __future__ import annotations", "", *_printed(sorted(runtime, key=str))]
    if checking:
        lines += ["", "if TYPE_CHECKING:", *_printed(sorted(checking, key=str), "    ")]
    text = "\n".join(lines) + "\n"
    last: list[str] = []
    for part in parts:
        writer = writers[id(part.source)]
        first = True
        for chunk in part.chunks:
            body = part.texts.get(chunk, writer.text(chunk.start, chunk.end)).decode().rstrip()
            if first and not alone and part.old != target and (spec is None or part.old not in spec.without_heading):
                heading = _heading(part)
                body = f"{heading}\n\n{body}" if heading else body
            if chunk.is_main:
                last.append(body)
                continue
            text += "\n" * (3 if first else min(chunk.blank, 2) + 1) + body
            first = False
    return "\n\n\n".join([text, *last]).rstrip() + "\n"


def _heading(part: Part) -> str:
    """Returns the docstring of the old module as a comment. Single definitions have none."""
    docstring = (part.source.docstring or "").strip()
    if len(part.chunks) + len(part.left_out) != len(part.source.chunks) or not docstring:
        return ""
    first, _, rest = docstring.partition("\n\n")
    title, _, more = " ".join(first.split()).partition(". ")
    title = title.removesuffix(".")
    lines = [f"# ---- {title} ----"] if len(title) <= 108 else textwrap.wrap(f"{title}.", **COMMENT)
    for paragraph in filter(None, [more, *rest.split("\n\n")]):
        lines += textwrap.wrap(" ".join(paragraph.split()), **COMMENT)
    return "\n".join(lines)


# ---- Names of modules in strings, comments and pages ----


def texts_rewritten(plan: Plan, text: str) -> str:
    """Rewrites the names and the paths of moved modules."""
    moved = {old: new for old, new in plan.whole.items() if old != new}
    if not moved:
        return text

    def by_name(match: re.Match[str]) -> str:
        parts = match["name"].split(".")
        for count in range(len(parts), 0, -1):
            module, rest = ".".join(parts[:count]), parts[count:]
            if module in moved:
                if rest:
                    home = plan.home(Origin(module, rest[0]))
                    return f"{match['before']}{home.module}.{'.'.join([home.name or '', *rest[1:]])}{match['after']}"
                return f"{match['before']}{moved[module]}{match['after']}"
        return match.group()

    def by_path(match: re.Match[str]) -> str:
        module = match["path"].replace("/", ".")
        if not match["before"] and "." not in module:  # a file of any folder
            return match.group()
        return f"{match['before']}{moved[module].replace('.', '/')}.py" if module in moved else match.group()

    text = re.sub(rf"(?P<before>\b{NAME}\.)(?P<name>[a-z_]\w*(?:\.\w+)*)(?P<after>)", by_name, text)
    text = re.sub(r"(?P<before>`)(?P<name>[a-z_]\w*(?:\.[A-Za-z_]\w*)+)(?P<after>(?:\(\))?`)", by_name, text)
    path = rf"(?P<before>(?<![\w/.-])(?:(?:generator/)?{NAME}/)?|/{NAME}/)(?P<path>[a-z_]+(?:/[a-z_]+)*)\.py\b"
    return re.sub(path, by_path, text)


def _phrases(plan: Plan, label: str, text: str) -> str:
    """Replaces the sentences of the plan."""
    moved = {new.split(".")[0] for new in plan.files}
    for phrase in rooms.PHRASES:
        if phrase.file != label or phrase.package not in moved:
            continue
        if phrase.old in text:
            text = text.replace(phrase.old, phrase.new)
        elif phrase.new not in text:
            plan.reports.append(f"{label}: not found: {phrase.old!r}")
    return text


# ---- The list of mutants ----


def mutants_rewritten(
    plan: Plan, writers: dict[str, Writer], old: Sequence[dict[str, object]]
) -> list[dict[str, object]]:
    """Returns the mutants with the new files, lines and names. A mutant whose line is not found keeps it."""
    rewritten = []
    for mutant in old:
        mutant = dict(mutant)
        module = str(mutant["file"]).removeprefix(f"generator/{NAME}/").removesuffix(".py").replace("/", ".")
        writer = writers.get(module)
        if writer is not None:
            _move_mutant(plan, writer, module, mutant)
        rewritten.append(mutant)
    return rewritten


def _places(data: bytes, context: bytes, column: int, fragment: bytes) -> list[tuple[int, int]]:
    found, begin = [], 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        bare = line.strip()
        offset = begin + line.find(bare) + column
        if bare == context and data.startswith(fragment, offset):
            found.append((number, offset))
        begin += len(line)
    return found


def _move_mutant(plan: Plan, writer: Writer, module: str, mutant: dict[str, object]) -> None:
    context, fragment = str(mutant["context"]).encode(), str(mutant["old"]).encode()
    column = int(str(mutant["column"]))
    data = writer.source.data
    here = _places(data, context, column, fragment)
    same = [place for place in here if place[0] == mutant["line"]]
    nth = int(str(mutant["nth"]))
    target = plan.whole.get(module, module)
    place = same[0] if same else here[nth] if len(here) == mutant["equal"] else None
    if place is not None:
        offset = place[1]
        start = offset - column
        stop = data.find(b"\n", offset)
        for part in plan.files.get(target, []) + [each for parts in plan.files.values() for each in parts]:
            if part.source is writer.source and part.has(offset):
                target = part.new
                break
        edited = writer.text(start, stop).strip()
        before = writer.text(start, offset)
        changed = writer.text(offset, offset + len(fragment)).decode()
        new = str(mutant["new"])
        for edit in writer.edits:
            if offset <= edit.start < offset + len(fragment):
                new = new.replace(data[edit.start : edit.end].decode(), edit.text)
        path = PACKAGE / (target.replace(".", "/") + ".py")
        found = _places(path.read_bytes(), edited, len(before), changed.encode())
        if found:
            index = nth if len(found) == len(here) else 0
            mutant.update(line=found[index][0], column=len(before), old=changed, new=new, context=edited.decode())
            mutant.update(nth=index, equal=len(found))
        else:
            plan.reports.append(f"mutant {mutant['id']}: its line has another form in {target}")
    mutant["file"] = f"generator/{NAME}/{target.replace('.', '/')}.py"


def move_mutants(plan: Plan, writers: dict[str, Writer]) -> None:
    listed = (TOP / MUTANTS).read_text(encoding="utf-8").splitlines()
    mutants = mutants_rewritten(plan, writers, [json.loads(line) for line in listed])
    lines = (json.dumps(mutant, ensure_ascii=False) + "\n" for mutant in mutants)
    (TOP / MUTANTS).write_text("".join(lines), encoding="utf-8")
    by_id = {str(mutant["id"]): mutant for mutant in mutants}
    before = {str(each["id"]): each for each in map(json.loads, listed)}
    rows = []
    for row in (TOP / VERDICTS).read_text(encoding="utf-8").splitlines():
        cells = row.split("\t")
        own = before.get(cells[0])
        if own is not None and own != by_id[cells[0]] and len(cells) > 2 and cells[2].startswith(f"generator/{NAME}/"):
            cells[2] = f"{by_id[cells[0]]['file']}:{by_id[cells[0]]['line']}"
        rows.append("\t".join(cells) + "\n")
    (TOP / VERDICTS).write_text("".join(rows), encoding="utf-8")


# ---- The imports of the plan ----


class Edge(NamedTuple):
    """An import of one file of the plan by another."""

    user: str
    used: str
    name: str
    how: str
    """`top`, `late` (in a function) or `types` (only for type checkers)."""
    old_user: str
    old_used: str


def edges(plan: Plan) -> list[Edge]:
    """Returns the imports between the files of the plan. Modules without a place in it are files of their own."""
    found = []
    for source in plan.repository.sources:
        if source.module is None or source.path.name == "__init__.py":
            continue
        parts = [part for each in plan.files.values() for part in each if part.source is source]
        parts = parts or [Part(source, source.chunks, source.module)]
        for binding in plan.repository.bindings(source):
            name = binding.alias.asname or binding.alias.name
            how = "types" if _under_type_checking(source, binding.statement) else "top"
            how = how if binding.scope is source.names[0] else "late"
            for use in source.names[1]:
                if use.name != name or not isinstance(use.node, ast.Name) or use.scope.owner(name) is not binding.scope:
                    continue
                parent = source.parents.get(use.node)
                origin = binding.origin
                if origin.name is None and isinstance(parent, ast.Attribute) and parent.value is use.node:
                    origin = Origin(origin.module, parent.attr)
                home = plan.home(origin)
                for part in parts:
                    if part.has(source.start(use.node)) and home.module != part.new:
                        found.append(Edge(part.new, home.module, home.name or "", how, source.module, origin.module))
    return sorted(set(found))


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Returns the groups of files that import each other, by Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def print_plan(plan: Plan) -> None:
    """Prints the modules without a place, the imports to the right, and the circles."""
    placed = set(plan.whole)
    missing = [module for module in plan.repository.modules if module not in placed and "__init__" not in module]
    print("without a place:", " ".join(sorted(missing)))
    for target, parts in plan.files.items():
        lines = sum(
            part.source.data[chunk.start : chunk.end].count(b"\n") + 2 for part in parts for chunk in part.chunks
        )
        print(f"  {target:28} {lines:5} lines: {' '.join(part.old for part in parts)}")
    order = list(rooms.ORDER)
    all_edges = edges(plan)
    right: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in all_edges:
        user, used = edge.user.split(".")[0], edge.used.split(".")[0]
        if user in order and used in order and order.index(used) > order.index(user):
            right[edge.user, edge.used].append(edge)
    print(f"imports to the right: {len(right)} pairs of files")
    for (user, used), found in sorted(right.items()):
        names = sorted({f"{edge.name}" + ("" if edge.how == "top" else f" ({edge.how})") for edge in found})
        print(f"  {user} -> {used}: {', '.join(names)}")
    for kinds in (("top",), ("top", "late", "types")):
        graph: dict[str, set[str]] = defaultdict(set)
        for edge in all_edges:
            if edge.how in kinds:
                graph[edge.user].add(edge.used)
        print(f"circles of imports ({', '.join(kinds)}):")
        for group in circles(graph):
            print(f"  {len(group)}: {' '.join(group)}")


# ---- The command ----


def carry_out(plan: Plan) -> None:
    """Writes the new files, deletes the old ones, and rewrites everything else."""
    repository = plan.repository
    moved = {part.old: part.source for parts in plan.files.values() for part in parts}
    new_texts: dict[Path, bytes] = {}
    writers: dict[str, Writer] = {}
    for target, parts in plan.files.items():
        text, used = joined(plan, target, parts)
        writers.update(used)
        new_texts[PACKAGE / (target.replace(".", "/") + ".py")] = text.encode()
    for source in repository.sources:
        if source.module in moved:
            left = [
                chunk
                for chunk in source.chunks
                if not any(
                    part.source is source and (part.has(chunk.start) or chunk in part.left_out)
                    for found in plan.files.values()
                    for part in found
                )
            ]
            if left:
                raise MoveError(f"{source.label}: these definitions stay: {[chunk.names for chunk in left]}")
            continue
        found = rewrite_in_place(plan, source)
        if found is not None:
            new_texts[source.path] = found
    for source in moved.values():
        source.path.unlink()
    touched = set()
    for path, data in new_texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        touched.add(path)
    _packages(plan)
    for path in {*repository.texts, *new_texts}:
        label = path.relative_to(TOP).as_posix()
        if not path.is_file() or label.startswith((*HISTORY, "generated/")) or label == MUTANTS:
            continue
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        rewritten = _phrases(plan, label, texts_rewritten(plan, text))
        if rewritten != text:
            path.write_bytes(rewritten.encode())
            touched.add(path)
    _format(sorted(path for path in touched if path.suffix == ".py" and path.is_file()))
    move_mutants(plan, writers)


def _packages(plan: Plan) -> None:
    """Writes the `__init__` of new folders, and deletes folders that have no other module."""
    for target in plan.files:
        folder = PACKAGE
        for name in target.split(".")[:-1]:
            folder /= name
            path = folder / "__init__.py"
            if not path.exists():
                label = folder.relative_to(PACKAGE).as_posix()
                path.write_text(f'"""{rooms.PACKAGES[label]}"""\n', encoding="utf-8")
    for folder in sorted({part.source.path.parent for parts in plan.files.values() for part in parts}, reverse=True):
        left = {path.name for path in folder.iterdir()} - {"__pycache__", "__init__.py"}
        if folder != PACKAGE and not left:
            shutil.rmtree(folder)


def _format(paths: list[Path]) -> None:
    ruff = [str(TOP / ".venv/bin/python"), "-m", "ruff"]
    files = [str(path) for path in paths]
    for command in (["check", "--quiet", "--select", "I", "--fix"], ["format", "--quiet"]):
        if subprocess.run([*ruff, *command, *files], cwd=TOP).returncode:
            raise MoveError("ruff refuses the new files")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="the folders of the new files")
    parser.add_argument("--plan", action="store_true", help="print the imports and circles of the whole plan")
    options = parser.parse_args()
    if not options.packages and not options.plan:
        parser.error("name a package, or --plan")
    repository = Repository()
    try:
        plan = make_plan(repository, options.packages)
        if options.plan:
            print_plan(plan)
            return
        carry_out(plan)
    except MoveError as error:
        sys.exit(f"move.py: {error}")
    print("\n".join(sorted(set(plan.reports))))


if __name__ == "__main__":
    main()
