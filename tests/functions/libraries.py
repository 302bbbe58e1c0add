"""The libraries of this folder as extension modules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from support.build import build_extension

HERE = Path(__file__).resolve().parent
SPECS = {
    "calls": "calls_values",
    "outcomes": "calls_results",
    "things": "calls_classes",
    "named": "calls_names",
    "contexts": "contexts",
    "codes": "codes",
}
"""Modules, and the files that they are made of."""


def spec_of(module: str) -> str:
    return (HERE / f"{SPECS[module]}.yaml").read_text(encoding="utf-8")


def build(module: str, folder: Path, *, flags: Sequence[str] = (), sources: Sequence[Path] = ()) -> Path:
    """Builds a module; `sources` are additional C files."""
    own = HERE / f"{SPECS[module]}.c"
    return build_extension(module, spec_of(module), folder, sources=[own, *sources], flags=[f"-I{HERE}", *flags])
