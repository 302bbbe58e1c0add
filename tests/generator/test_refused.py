"""C text that no rule refuses, but the formatter: its places in the spec are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from dlpack_bindgen.emit import clang_format
from generator.command import SPEC, here, names

__all__ = ["here"]

REFUSES = """#!/bin/sh
[ "$1" = --version ] && { echo clang-format version 19.1.7; exit 0; }
for file; do case "$file" in *.c) if grep -q '%s' "$file"; then exit 1; fi ;; esac; done
"""


def refused(directory: Path, spec: str, pattern: str, monkeypatch: pytest.MonkeyPatch, *options: str) -> int:
    """Runs `generate` with a formatter that refuses every file in which there is a line like `pattern`."""
    binary = directory.parent / f"{directory.name}-format"
    binary.write_text(REFUSES % pattern)
    binary.chmod(0o755)
    monkeypatch.setattr(clang_format, "_find_binary", lambda: binary)
    clang_format._checked_binary.cache_clear()
    (directory / "tiny.yaml").write_text(spec)
    try:
        return main(["generate", "tiny.yaml", *(options or ("-o", "out"))])
    finally:
        clang_format._checked_binary.cache_clear()


@pytest.mark.parametrize("options", [("-o", "out"), ("--stdout", "tiny_dlpack.c"), ("--check", "-o", "out")])
def test_c_text_that_the_formatter_refuses_alone_is_named(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    spec = SPEC.replace("[self->size]", "[self->odd + 1]")
    assert refused(here, spec, "self->odd", monkeypatch, *options) == 1
    out, err = capsys.readouterr()
    assert (out, names(here)) == ("", ["tiny.yaml"])
    assert [line for line in err.splitlines() if "error" in line] == [
        "tiny.yaml:9:13: error: clang-format cannot read tiny_dlpack.c: its brackets may be unbalanced: "
        "brackets, quotes or operators of this C text do not fit together",
        "dlpack-bindgen: error: 1 error, nothing was written",
    ]


def test_c_text_that_is_refused_only_together_is_named_in_notes(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refused(here, SPEC, "_describe(", monkeypatch) == 1
    err = capsys.readouterr().err
    assert [line.partition(": clang")[0] for line in err.splitlines() if line.startswith("tiny.yaml")] == [
        "tiny.yaml:7:11: error",
        "tiny.yaml:9:13: note: or of this one",
        "tiny.yaml:10:14: note: or of this one",
    ]


def test_refused_c_text_of_a_variant_has_its_place(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = SPEC.replace("  Tiny:\n", "  Tiny${N}:\n    variants: [{N: 1}, {N: 2}]\n").replace(
        "self->size", "self->size / ${N}"
    )
    assert refused(here, spec, "self->size / 2", monkeypatch) == 1
    assert "tiny.yaml:10:13: " in capsys.readouterr().err
