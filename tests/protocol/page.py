# SPDX-License-Identifier: MIT
"""The tables of docs/protocol.md: each row is a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from support.build import TOP

PAGE = TOP / "docs" / "protocol.md"


NO_SUCH_THING = "\N{EN DASH}"
"""The cell of a combination that cannot be."""


class Row:
    """A row: some cells say what is done, the others what comes of it."""

    def __init__(self, table: str, cells: Mapping[str, str]) -> None:
        self.table = table
        self.cells = cells
        self.unread = set(cells)

    def __getitem__(self, column: str) -> str:
        self.unread.discard(column)
        return self.cells[column]

    def expect(self, seen: Mapping[str, str]) -> None:
        """Compares what is seen with the cells of these columns, in which `…` stands for any text."""
        wrong = {column: text for column, text in seen.items() if not agrees(self[column], text)}
        assert wrong == {}, {column: self[column] for column in wrong}

    def __str__(self) -> str:
        return " | ".join(self.cells.values())


def agrees(cell: str, text: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, cell.split("…"))), text, re.DOTALL) is not None


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]


def read(text: str) -> dict[str, list[Row]]:
    """Returns the tables of a page by their headings; a heading has at most one table."""
    tables: dict[str, list[Row]] = {}
    heading, columns = "", None
    for line in text.splitlines():
        if line.startswith("#"):
            heading, columns = line.lstrip("# "), None
        elif not line.startswith("|"):
            columns = None
        elif columns is None:
            columns = _cells(line)
            assert heading not in tables, f"two tables under {heading!r}"
            tables[heading] = []
        elif not line.startswith("|---"):
            cells = _cells(line)
            assert len(cells) == len(columns), line
            tables[heading].append(Row(heading, dict(zip(columns, cells, strict=True))))
    return tables


TABLES = read(PAGE.read_text(encoding="utf-8"))


def rows(table: str) -> Callable[..., Any]:
    """Parametrizes a test over a table: its argument `row` is each row of the table."""
    return pytest.mark.parametrize("row", TABLES[table], ids=str)


def arguments(cell: str) -> tuple[list[Any], dict[str, Any]]:
    """Parses the arguments of a call in Python. Returns the positional and the keyword arguments."""
    call = ast.parse(f"f({cell})", mode="eval").body
    assert isinstance(call, ast.Call)
    positional = [ast.literal_eval(value) for value in call.args]
    return positional, {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}


def keywords(row: Row, *columns: str) -> dict[str, Any]:
    """Returns keyword arguments from these columns of a row; an empty cell gives no argument."""
    return {column: ast.literal_eval(row[column]) for column in columns if row[column]}


def message_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def outcome(call: Callable[[], str]) -> str:
    """Returns the result of the call, or the type and the message of its exception."""
    try:
        return call()
    except BaseException as error:
        return message_of(error)


def kind_of(text: str) -> str:
    """Returns an outcome without the message of an exception."""
    return text.split(":")[0]
