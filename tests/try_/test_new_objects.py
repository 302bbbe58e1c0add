"""Objects that the module makes from an array or a shape: they show what they were made from, and leave no memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dlpack_bindgen.cli import main
from try_.builds import shared_library

HEADER = """
#pragma once
#include <stddef.h>
typedef struct band { double *samples; size_t count; int owner; } band;
band *band_new(size_t count);
band *band_wrap(double *samples, size_t count);
band *band_none(double *samples);
void band_free(band *b);
int band_check(int level);
"""
SOURCE = """
#include "band.h"
#include <stdlib.h>
band *band_wrap(double *samples, size_t count)
{
    band *b = malloc(sizeof *b);
    if (b) *b = (band){samples, count, 0};
    return b;
}
band *band_none(double *samples) { return NULL; }
band *band_new(size_t count)
{
    band *b = band_wrap(calloc(count + 1, sizeof(double)), count);
    if (b) b->owner = 1;
    return b;
}
void band_free(band *b)
{
    if (b->owner) free(b->samples);
    free(b);
}
int band_check(int level) { return level < 100000 ? -1 : 0; }
"""
SPEC = """
dlpack-bindgen: 1
module: band
include: [band.h]
functions:
  check: {c: "int band_check(int level)", returns: int}
tensors:
  Band:
    type: band
    data: self->samples
    dtype: float64
    shape: [self->count]
    release: band_free(self)
    allocate:
      construct: "band_new((size_t)shape[0])"
      ok: "!= NULL"
    import:
      require: [writable, compact]
      construct: "band_wrap(data, (size_t)shape[0])"
      ok: "!= NULL"
      destroy: band_free(self)
"""
WAYS = [["band.c"], ["-L.", "-lband"]]


@pytest.fixture(autouse=True)
def band(try_folder: Path) -> None:
    """Writes the files of the library to the working directory."""
    (try_folder / "band.h").write_text(HEADER)
    (try_folder / "band.c").write_text(SOURCE)
    shared_library(try_folder, "band", "band.c")


def found(of: list[str], old: str = "", new: str = "", calls: int = 150) -> list[dict[str, Any]]:
    """Returns the findings about the spec, in which `new` stands for `old`."""
    assert old in SPEC
    Path("band.yaml").write_text(SPEC.replace(old, new, 1) if old else SPEC)
    main(["try", "band.yaml", "--calls", str(calls), "--json", "out.json", "--", *of, "-I."])
    claims = json.loads(Path("out.json").read_text())["claims"]
    return [each for each in claims if each["state"] in ("refuted", "notice")]


@pytest.mark.parametrize("of", WAYS)
def test_the_right_spec_has_no_findings(of: list[str]) -> None:
    assert found(of) == []


@pytest.mark.parametrize("of", WAYS)
def test_an_import_with_half_of_the_elements_is_refuted(of: list[str]) -> None:
    [finding] = found(of, "band_wrap(data, (size_t)shape[0])", "band_wrap(data, (size_t)shape[0] / 2)")
    assert (finding["check"], finding["subject"], finding["key"]) == ("made-differs", "Band", "import")
    assert "instead of" in finding["evidence"]


def test_an_allocation_with_half_of_the_elements_is_refuted() -> None:
    [finding] = found(WAYS[1], "band_new((size_t)shape[0])", "band_new((size_t)shape[0] / 2)")
    assert (finding["check"], finding["key"]) == ("made-differs", "allocate")


def test_an_import_of_later_elements_is_refuted() -> None:
    old, new = "band_wrap(data, (size_t)shape[0])", "band_wrap((double *)data + 1, (size_t)shape[0])"
    assert "made-differs" in {each["check"] for each in found(WAYS[1], old, new)}


@pytest.mark.parametrize("of", WAYS)
def test_an_import_that_is_never_destroyed_is_refuted(of: list[str]) -> None:
    [finding] = found(of, "destroy: band_free(self)", "destroy: none")
    assert (finding["check"], finding["subject"], finding["key"]) == ("leak", "Band", "import")
    assert "24 bytes of each new object" in finding["text"]


def test_an_import_that_always_fails_is_a_notice() -> None:
    [finding] = found(WAYS[1], "band_wrap(data, (size_t)shape[0])", "band_none(data)")
    assert (finding["state"], finding["check"], finding["key"]) == ("notice", "never-returned", "import")


def test_a_function_that_always_fails_is_a_notice() -> None:
    old = 'check(int level)", returns: int'
    [finding] = found(WAYS[1], old, 'check(int level)", ok: == 0, raises: ValueError', calls=250)
    assert (finding["state"], finding["check"], finding["subject"]) == ("notice", "never-returned", "check")
