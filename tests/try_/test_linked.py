# SPDX-License-Identifier: MIT
"""Findings about a library that is only linked, or that runs under valgrind."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from dlpack_bindgen.cli import main
from try_.builds import shared_library

HEADER = """
#pragma once
#include <stddef.h>
typedef struct bank { const float *taps[4]; size_t counts[4]; int count; } bank;
bank *bank_new(void);
void bank_free(bank *b);
int bank_add(bank *b, const float *taps, size_t count);
double bank_total(const bank *b);
void bank_rows(int rows, int columns, unsigned char *out);
void bank_halves(int count, unsigned char *out);
"""
SOURCE = """
#include "bank.h"
#include <stdlib.h>
bank *bank_new(void) { return calloc(1, sizeof(bank)); }
void bank_free(bank *b) { free(b); }
int bank_add(bank *b, const float *taps, size_t count)
{
    if (b->count == 4) return -1;
    b->taps[b->count] = taps;
    b->counts[b->count++] = count;
    return 0;
}
double bank_total(const bank *b)
{
    double sum = 0;
    for (int i = 0; i < b->count; i++) {
        for (size_t k = 0; k < b->counts[i]; k++) sum += b->taps[i][k];
    }
    return sum;
}
void bank_rows(int rows, int columns, unsigned char *out) /* each row is padded to 4 bytes */
{
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < columns; k++) out[i * ((columns + 3) / 4 * 4) + k] = (unsigned char)k;
    }
}
void bank_halves(int count, unsigned char *out)
{
    for (int i = 0; i < count / 2; i++) out[i] = (unsigned char)i;
}
"""
SPEC = """
dlpack-bindgen: 1
module: bank
include: [bank.h]
arrays: Array
handles:
  Bank:
    type: bank
    release: bank_free(self)
    new: {c: "bank *bank_new(void)"}
    methods:
      add:
        c: "int bank_add(bank *b, const float *taps, size_t count)"
        args: {count: {count_of: taps}, b: {keeps: taps, replaces: true}}
        ok: == 0
      total: {c: "double bank_total(const bank *b)"}
functions:
  rows:
    c: "void bank_rows(int rows, int columns, unsigned char *out)"
    args: {out: {require: [{count: "rows * ((columns + 3) / 4 * 4)"}], default: new}}
    require: [{expr: "rows > 0 && columns > 0", message: no rows}]
  halves:
    c: "void bank_halves(int count, unsigned char *out)"
    args: {out: {require: [{count: count}], default: new}}
    require: [{expr: "count > 1", message: too few}]
"""


@pytest.fixture(autouse=True)
def bank(try_folder: Path) -> None:
    """Writes the files of the library to the working directory."""
    for name, text in (("bank.h", HEADER), ("bank.c", SOURCE), ("bank.yaml", SPEC)):
        (try_folder / name).write_text(text)
    shared_library(try_folder, "bank", "bank.c")


def refuted(*options: str) -> list[dict[str, Any]]:
    """Returns the claims that the report refutes."""
    main(["try", "bank.yaml", "--json", "out.json", *options, "--", "-L.", "-lbank", "-I."])
    claims = json.loads(Path("out.json").read_text())["claims"]
    return [each for each in claims if each["state"] == "refuted"]


def test_c_that_reads_a_replaced_array_is_refuted() -> None:
    [finding] = refuted("--only", "Bank", "--calls", "200")
    assert (finding["check"], finding["subject"], finding["argument"]) == ("used-later", "Bank.add", "taps")


def test_c_that_keeps_all_arrays_is_right() -> None:
    Path("bank.yaml").write_text(SPEC.replace(", replaces: true", ""))
    assert refuted("--only", "Bank", "--calls", "200") == []


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
def test_bytes_that_pad_rows_are_not_left_out() -> None:
    Path("use.py").write_text(
        "import bank\n"
        "for rows, columns in ((1, 1), (2, 3), (3, 5)):\n"
        "    bank.rows(rows, columns)\n"
        "for count in (2, 4, 6):\n"
        "    bank.halves(count)\n"
    )
    [finding] = refuted("--memcheck", "--calls", "0", "--with", "use.py")
    assert (finding["check"], finding["subject"], finding["argument"]) == ("undefined", "halves", "out")
