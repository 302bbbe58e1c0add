"""docs/constructs.md is complete, and its YAML is valid."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load
from support.build import TOP

PAGE = (TOP / "docs" / "constructs.md").read_text(encoding="utf-8")
FAMILIES = {"X": 8, "S": 14, "D": 7, "V": 3, "O": 10, "M": 2, "R": 3, "Y": 1, "I": 9}
CODES = [f"{family}{number}" for family, count in FAMILIES.items() for number in range(1, count + 1)]
ROWS = re.findall(r"^\| (\w*) \| .*? \| (.*) \|$", PAGE, re.MULTILINE)
DOCUMENTED = [(code, keys) for code, row in ROWS if (keys := re.findall(r"`([\w-]+: .*?)`", row))]


@pytest.mark.parametrize("code", CODES)
def test_the_page_has_every_construct(code: str) -> None:
    assert code in {row for row, _ in ROWS}


def test_the_page_has_no_other_codes() -> None:
    assert {row for row, _ in ROWS} <= {*CODES, ""}
    assert len(DOCUMENTED) >= len(CODES) - 3


@pytest.mark.parametrize(
    ("code", "keys"), [each for each in DOCUMENTED if each[1]], ids=[f"{c}:{s}"[:40] for c, s in DOCUMENTED if s]
)
def test_documented_keys_are_a_valid_spec(code: str, keys: list[str]) -> None:
    tensor: dict[str, Any] = {"type": "T", "data": "self->data", "dtype": "uint8", "shape": ["self->n", "3"]}
    for text in keys:
        for key, value in yaml.load(text, yaml.BaseLoader).items():
            if code == "I6":
                tensor.setdefault("import", {"set": {"data": "data"}})[key] = value
            else:
                tensor[key] = value
    if {"retain", "clone", "import"}.intersection(tensor):
        tensor.setdefault("release", "lib_free(self)")
    if code == "I7":
        tensor["dtype"] = {"of": "self->type", "map": {"LIB_U8": "uint8"}}
    if "sync" in tensor:
        tensor["device"] = "cuda"
    tensors = {"Image${N}" if "variants" in tensor else "Image": tensor}
    if "parts" in tensor:
        plane = {"type": "T", "data": "d", "dtype": "uint8", "shape": [], "params": ["int i"]}
        tensors["Plane"] = {**plane, "release": "lib_free(self)"}
    spec = json.dumps({"module": "m", "tensors": tensors})
    _, problems = validate([load("m.yaml", spec.encode())])
    assert [(problem.code, problem.message) for problem in problems] == []
