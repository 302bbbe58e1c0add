"""The stubs of the small libraries agree with the modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.names import snake
from dlpack_bindgen.text.yaml import load
from structs.libraries import NAMES, spec_of
from structs.modules import Loader
from support.stubs import check_stubs

pytest.importorskip("mypy")


def conditional(name: str) -> list[str]:
    """Returns the classes that the C compiler may have left out, and the methods that are named after them."""
    specs, _ = validate([load(f"{name}.yaml", spec_of(name).encode())])
    classes = [each.name for spec in specs for each in (*spec.tensors, *spec.handles) if each.condition is not None]
    return [rf"{name}\.(.*\.)?({each}|{snake(each)})(\..*)?" for each in classes]


@pytest.mark.parametrize("library", ["gcc"], indirect=True)
def test_stubs_agree_with_the_modules(library: Loader, tmp_path: Path) -> None:
    modules = {name: library(name).path for name in NAMES}
    check_stubs(modules, tmp_path, (each for name in NAMES for each in conditional(name)))
