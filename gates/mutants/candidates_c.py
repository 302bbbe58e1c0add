# SPDX-License-Identifier: MIT
"""Finds fragments of C that can be changed, in the bodies of functions, with tree-sitter. Macros are not expanded."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_c
from tree_sitter import Language, Node, Parser

from candidates import COMPARISONS, Candidate, changed_number

PARSER = Parser(Language(tree_sitter_c.language()))
SWAPPED = {**COMPARISONS, "&&": "||", "||": "&&", "+": "-", "-": "+"}
NAMES = {"<": "comparison", ">": "comparison", "=": "comparison", "!": "comparison", "+": "sum", "-": "sum"}
RETURNED = {b"0": b"-1", b"-1": b"0", b"true": b"false", b"false": b"true"}
NESTED = {"preproc_else", "preproc_elif", "linkage_specification"}
# Constant expressions, and code that is not run.
SKIPPED = {
    *("ERROR", "enum_specifier", "struct_specifier", "array_declarator", "gnu_asm_expression", "sizeof_expression"),
    *("attribute_specifier", "bitfield_clause", "initializer_list", "string_literal", "comment", "preproc_def"),
    *("preproc_function_def", "preproc_call", "subscript_designator", "static_assert_declaration"),
}


def find(text: bytes) -> list[Candidate]:
    """Returns the candidates of a file."""
    found: list[Candidate] = []
    for function in _functions(PARSER.parse(text).root_node):
        body = function.child_by_field_name("body")
        if body is not None and not function.has_error:
            found += _of_node(body, text, function)
    return found


def _functions(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.type == "function_definition":
            yield child
        elif child.type.startswith("preproc_if") or child.type in NESTED:
            yield from _functions(child)


def _of_node(node: Node, text: bytes, function: Node) -> Iterator[Candidate]:
    if node.type in SKIPPED or _is_static(node, text):
        return
    yield from _own(node, text, function)
    for child in node.children:
        if node.type == "case_statement" and child == node.child_by_field_name("value"):
            continue
        if node.type.startswith("preproc_") and child == node.child_by_field_name("condition"):
            continue
        yield from _of_node(child, text, function)


def _is_static(node: Node, text: bytes) -> bool:
    return node.type == "declaration" and any(
        child.type == "storage_class_specifier" and text[child.start_byte : child.end_byte] == b"static"
        for child in node.children
    )


def _own(node: Node, text: bytes, function: Node) -> Iterator[Candidate]:
    here = text[node.start_byte : node.end_byte]
    if node.type == "binary_expression":
        yield from _binary(node, text)
    elif node.type == "unary_expression" and here.startswith(b"!"):
        yield Candidate(node.start_byte, node.end_byte, "removed !", "expression", b"!!" + here[1:])
    elif node.type == "if_statement":
        condition = node.child_by_field_name("condition")
        if condition is not None:
            inner = text[condition.start_byte + 1 : condition.end_byte - 1]
            new = b"!(" + inner + b")"
            yield Candidate(condition.start_byte + 1, condition.end_byte - 1, "negated condition", "expression", new)
    elif node.type == "expression_statement" and node.named_children:
        kind = node.named_children[0].type
        if kind == "call_expression":
            yield Candidate(node.start_byte, node.end_byte, "deleted call", "statement", b"")
        elif kind == "assignment_expression":
            yield Candidate(node.start_byte, node.end_byte, "deleted assignment", "statement", b"")
    elif node.type == "return_statement" and node.named_children:
        yield from _returned(node.named_children[0], text, function)
    elif node.type == "number_literal" and (number := changed_number(here)) is not None:
        yield Candidate(node.start_byte, node.end_byte, "changed constant", "expression", number)


def _binary(node: Node, text: bytes) -> Iterator[Candidate]:
    operator = node.child_by_field_name("operator")
    if operator is None or operator.type not in SWAPPED:
        return
    before, after = text[node.start_byte : operator.start_byte], text[operator.end_byte : node.end_byte]
    name = NAMES.get(operator.type[0], "&& and ||")
    if name not in NAMES.values():
        before, after = b"(" + before.rstrip() + b") ", b" (" + after.lstrip() + b")"
    new = before + SWAPPED[operator.type].encode() + after
    yield Candidate(node.start_byte, node.end_byte, name, "expression", new)


def _returned(value: Node, text: bytes, function: Node) -> Iterator[Candidate]:
    here = text[value.start_byte : value.end_byte]
    returned = function.child_by_field_name("type")
    declarator = function.child_by_field_name("declarator")
    if returned is None or declarator is None:
        return
    if here in RETURNED:
        new = RETURNED[here]
    elif declarator.type == "pointer_declarator":
        new = b"NULL"
    elif text[returned.start_byte : returned.end_byte] == b"bool":
        new = b"!(" + here + b")"
    else:
        return
    if here != b"NULL":
        yield Candidate(value.start_byte, value.end_byte, "other return value", "expression", new)
