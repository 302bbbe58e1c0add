"""Parts of `import` and `allocate`: one module for each with its keys, rules and C, and no part knows another one."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from pathlib import Path

import pytest

from dlpack_bindgen.imports.part import Part
from dlpack_bindgen.imports.parts import PARTS
from dlpack_bindgen.language.making import ALLOCATE, IMPORT
from dlpack_bindgen.resources import resource_folder
from generator.test_homes_of_kinds import PACKAGE, imported

FOLDER = PACKAGE / "imports"
MODULES = [type(part).__module__ for part in PARTS]


def name_of(part: Part) -> str:
    return type(part).__module__.rpartition(".")[2]


def test_each_part_is_in_the_list() -> None:
    defining = {
        f"dlpack_bindgen.imports.{path.stem}"
        for path in FOLDER.glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
        if any(isinstance(each, ast.Name) and each.id == "Part" for each in node.bases)
    }
    assert defining == set(MODULES)
    assert len(set(MODULES)) == len(MODULES)


def test_the_records_have_the_keys_of_all_parts() -> None:
    own = [key.name for part in PARTS for key in part.keys]
    assert len(set(own)) == len(own)
    assert set(own) <= {key.name for key in IMPORT.keys}
    of_allocations = {key.name for part in PARTS if part.is_of_allocations for key in part.keys}
    assert of_allocations == set(own) & {key.name for key in ALLOCATE.keys}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_only_the_list_knows_the_parts(path: Path) -> None:
    """`make` has the facts for the whole function, and so for the storage."""
    others = {*MODULES, "dlpack_bindgen.imports.parts"}
    if path.stem == "make":
        others.remove("dlpack_bindgen.imports.storage")
    if path.stem != "parts":
        assert imported(path) & others == set()


@pytest.mark.parametrize("part", PARTS, ids=name_of)
def test_a_part_that_prints_c_has_a_template_of_its_own(part: Part) -> None:
    """Code of the spec, as in `init` and `destroy`, has no template here: it consists of steps. `cast` is a
    requirement."""
    source = inspect.getsource(sys.modules[type(part).__module__])
    assert set(re.findall(r'"imports/(\w+)"', source)) <= {name_of(part)}
    if name_of(part) not in ("init", "construct", "attach", "destroy", "cast"):
        assert (resource_folder("templates") / "imports" / f"{name_of(part)}.c.j2").exists()
