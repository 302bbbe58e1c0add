# SPDX-License-Identifier: MIT
"""Every row of the tables in docs/protocol.md is tested."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from protocol.page import TABLES, Row, agrees, read
from protocol.sheets import HERE


def test_each_table_of_the_page_is_tested() -> None:
    executed = [re.findall(r'^@rows\("(.+)"\)$', path.read_text(), re.MULTILINE) for path in HERE.glob("test_*.py")]
    assert Counter(title for titles in executed for title in titles) == Counter(TABLES.keys())


@pytest.mark.parametrize("table", TABLES)
def test_no_two_rows_of_a_table_are_equal(table: str) -> None:
    assert [row for row, count in Counter(map(str, TABLES[table])).items() if count > 1] == []


def test_rows_are_read_with_their_columns() -> None:
    tables = read("# One\n\n| a | `b` |\n|---|---|\n| `1` | |\n| | x, `y` |\n\n## Two\n| c |\n|---|\n| 2 |\ntext\n")
    assert {title: [dict(row.cells) for row in rows] for title, rows in tables.items()} == {
        "One": [{"a": "1", "b": ""}, {"a": "", "b": "x, y"}],
        "Two": [{"c": "2"}],
    }


@pytest.mark.parametrize("text", ["# One\n| a |\n\n| b |\n", "# One\n| a | b |\n|---|---|\n| 1 |\n"])
def test_a_malformed_table_is_an_error(text: str) -> None:
    with pytest.raises(AssertionError):
        read(text)


@pytest.mark.parametrize(
    ("cell", "text", "same"),
    [
        ("a.b", "a.b", True),
        ("a.b", "axb", False),
        ("a", "ab", False),
        ("", "a", False),
        ("a…c", "a\nbc", True),
        ("a…c", "abcd", False),
    ],
)
def test_cells_are_exact_but_for_ellipses(cell: str, text: str, same: bool) -> None:
    assert agrees(cell, text) is same


def test_a_row_lists_its_columns_that_were_not_read() -> None:
    row = Row("table", {"a": "1", "b": "2", "c": "3"})
    row.expect({"a": "1"})
    assert row["b"] == "2"
    assert row.unread == {"c"}
    with pytest.raises(AssertionError):
        row.expect({"c": "4"})
