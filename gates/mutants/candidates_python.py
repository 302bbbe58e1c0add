# SPDX-License-Identifier: MIT
"""Finds expressions and statements of Python that can be changed, by its own parser."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from candidates import COMPARISONS, Candidate, changed_number
from mutants import line_starts

SWAPPED = {**COMPARISONS, "in": "not in", "not in": "in", "is": "is not", "is not": "is"}
# A sum of these has no difference: such a mutant would only raise TypeError.
SEQUENCES = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)


class Finder:
    """Walks through one file."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.starts = line_starts(text)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Returns where a node begins and ends, in bytes."""
        return (
            self.starts[node.lineno - 1] + node.col_offset,  # type: ignore[attr-defined]
            self.starts[node.end_lineno - 1] + node.end_col_offset,  # type: ignore[attr-defined]
        )

    def made(self, node: ast.AST, operator: str, new: bytes, shape: str = "expression") -> Candidate:
        return Candidate(*self.span(node), operator, shape, new)

    def source(self, node: ast.AST) -> bytes:
        start, end = self.span(node)
        return self.text[start:end]

    def walk(self, node: ast.AST) -> Iterator[Candidate]:
        """Yields the candidates in a node, without annotations, decorators, patterns and formatted strings."""
        if isinstance(node, (ast.JoinedStr, ast.pattern, ast.Import, ast.ImportFrom, ast.Assert)):
            return
        if isinstance(node, ast.If) and b"TYPE_CHECKING" in self.source(node.test):
            return
        yield from self.own(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self.walk(child)

    def own(self, node: ast.AST) -> Iterator[Candidate]:
        match node:
            case ast.Compare(ops=[_], left=left, comparators=[right]):
                yield from self.swapped(node, left, right, SWAPPED, "comparison")
            case ast.BoolOp(values=[left, right, *_]):
                yield from self.swapped(node, left, right, {"and": "or", "or": "and"}, "and, or")
            case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
                if not any(_is_sequence(side) for side in (left, right)):
                    yield from self.swapped(node, left, right, {"+": "-", "-": "+"}, "sum")
            case ast.If(test=test) | ast.IfExp(test=test):
                yield self.made(test, "negated condition", b"not (" + self.source(test) + b")")
            case ast.comprehension(ifs=[test]):
                yield self.made(test, "negated filter", b"not (" + self.source(test) + b")")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self.made(node, "removed not", b"bool(" + self.source(operand) + b")")
            case ast.Expr(value=ast.Call()):
                yield self.made(node, "deleted call", b"", "statement")
            case ast.FunctionDef(returns=returns):
                yield from self.returned(node, returns)
            case ast.Constant(value=bool(value)):
                yield self.made(node, "changed constant", str(not value).encode())
            case ast.Constant(value=int()):
                number = changed_number(self.source(node))
                if number is not None:
                    yield self.made(node, "changed constant", number)

    def swapped(
        self, node: ast.AST, left: ast.AST, right: ast.AST, table: dict[str, str], name: str
    ) -> Iterator[Candidate]:
        """Yields the node with another operator between its first two operands."""
        start, end = self.span(node)
        after_left, before_right = self.span(left)[1], self.span(right)[0]
        between = self.text[after_left:before_right]
        bare = between.strip(b" \n()\\")
        new = table.get(bare.decode())
        if new is not None:
            changed = between.replace(bare, new.encode(), 1)
            yield self.made(node, name, self.text[start:after_left] + changed + self.text[before_right:end])

    def returned(self, function: ast.FunctionDef, returns: ast.AST | None) -> Iterator[Candidate]:
        """Yields the returned values of functions of which the annotation shows another possible value."""
        declared = b"" if returns is None else self.source(returns)
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
                if declared == b"bool":
                    yield self.made(node.value, "other return value", b"not (" + self.source(node.value) + b")")
                elif declared.endswith(b"| None"):
                    yield self.made(node.value, "other return value", b"None")
                elif declared == b"str":
                    yield self.made(node.value, "other return value", b'""')
                elif declared.startswith(b"list["):
                    yield self.made(node.value, "other return value", b"[]")
                elif declared.startswith(b"tuple[") and declared.endswith(b", ...]"):
                    yield self.made(node.value, "other return value", b"()")
                elif declared.startswith(b"Iterator"):
                    yield self.made(node.value, "other return value", b"iter(())")


def _is_sequence(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(left=left, right=right):
            return _is_sequence(left) or _is_sequence(right)
        case ast.Constant(value=str() | bytes()):
            return True
        case ast.Call(func=ast.Attribute(attr="join")):
            return True
    return isinstance(node, SEQUENCES)


def find(text: bytes) -> list[Candidate]:
    """Returns the candidates of a file."""
    return list(Finder(text).walk(ast.parse(text)))
