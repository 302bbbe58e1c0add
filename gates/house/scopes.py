# SPDX-License-Identifier: MIT
"""Finds the scope of each name in a Python file."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field


@dataclass(eq=False)
class Scope:
    """A file, a class, a function or a comprehension, with the names that it binds."""

    kind: str
    parent: Scope | None = None
    bound: set[str] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)
    of_file: set[str] = field(default_factory=set)
    """The names of `global` statements."""

    def owner(self, name: str) -> Scope | None:
        """Returns the scope to which a name belongs that is used here; None for a built-in name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.of_file:
                return scope.file()
            if name in scope.bound and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None

    def file(self) -> Scope:
        """Returns the scope of the file."""
        return self if self.parent is None else self.parent.file()


@dataclass(eq=False)
class Use:
    """A place where a name stands: as an expression, or as the name of a definition, an import or a parameter."""

    name: str
    node: ast.AST
    scope: Scope
    parent: ast.AST
    is_deferred: bool
    """Whether the import of the file does not evaluate it: it stands in the body of a function or in an annotation."""


class _Reader:
    def __init__(self) -> None:
        self.uses: list[Use] = []
        self._deferred = 0

    def read(self, node: ast.AST, scope: Scope, parent: ast.AST) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._function(node, scope, parent)
            case ast.ClassDef():
                self._bind(node.name, node, scope, parent)
                for each in (*node.decorator_list, *node.bases, *node.keywords):
                    self.read(each, scope, node)
                own = Scope("class", scope)
                for statement in node.body:
                    self.read(statement, own, node)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self._comprehension(node, scope)
            case ast.Name():
                if isinstance(node.ctx, ast.Load):
                    self._add(node.id, node, scope, parent)
                else:
                    self._bind(node.id, node, scope, parent)
            case ast.NamedExpr():
                around = scope
                while around.kind == "comprehension" and around.parent is not None:
                    around = around.parent
                self._bind(node.target.id, node.target, around, node)
                self.read(node.value, scope, node)
            case ast.AnnAssign():
                self.read(node.target, scope, node)
                self._later(node.annotation, scope, node)
                if node.value is not None:
                    self.read(node.value, scope, node)
            case ast.Global():
                scope.of_file.update(node.names)
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    self._bind(alias.asname or alias.name.split(".")[0], alias, scope, node)
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar():
                if node.name is not None:
                    self._bind(node.name, node, scope, parent)
                self._children(node, scope)
            case ast.MatchMapping():
                if node.rest is not None:
                    self._bind(node.rest, node, scope, parent)
                self._children(node, scope)
            case _:
                self._children(node, scope)

    def _add(self, name: str, node: ast.AST, scope: Scope, parent: ast.AST) -> None:
        self.uses.append(Use(name, node, scope, parent, self._deferred > 0))

    def _bind(self, name: str, node: ast.AST, scope: Scope, parent: ast.AST) -> None:
        if name not in scope.of_file:
            scope.bound.add(name)
        self._add(name, node, scope, parent)

    def _later(self, node: ast.AST, scope: Scope, parent: ast.AST) -> None:
        self._deferred += 1
        self.read(node, scope, parent)
        self._deferred -= 1

    def _children(self, node: ast.AST, scope: Scope) -> None:
        for each in ast.iter_child_nodes(node):
            self.read(each, scope, node)

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope, parent: ast.AST
    ) -> None:
        arguments = node.args
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        given += [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
        if not isinstance(node, ast.Lambda):
            self._bind(node.name, node, scope, parent)
            for decorator in node.decorator_list:
                self.read(decorator, scope, node)
            if node.returns is not None:
                self._later(node.returns, scope, node)
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self.read(default, scope, node)
        own = Scope("function", scope)
        for each in given:
            if each.annotation is not None:
                self._later(each.annotation, scope, node)
            own.parameters.add(each.arg)
            self._bind(each.arg, each, own, node)
        for statement in [node.body] if isinstance(node, ast.Lambda) else node.body:
            self._later(statement, own, node)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope) -> None:
        own = Scope("comprehension", scope)
        for index, each in enumerate(node.generators):
            self.read(each.iter, own if index else scope, each)
            self.read(each.target, own, each)
            for condition in each.ifs:
                self.read(condition, own, each)
        for value in [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]:
            self.read(value, own, node)


def names_in(tree: ast.Module) -> tuple[Scope, list[Use]]:
    """Returns the scope of a file, and each place where a name stands."""
    scope, reader = Scope("file"), _Reader()
    for node in tree.body:
        reader.read(node, scope, tree)
    return scope, reader.uses
