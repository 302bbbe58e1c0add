# SPDX-License-Identifier: MIT
"""Builds and runs the examples of docs/constructs.md, docs/using.md and docs/init.md, and validates the other YAML of
constructs.md.

An example is a header in C, a complete spec and a Python listing, in this order. `tests/pages` has the libraries.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load
from support.build import TOP, build_extension, build_module, import_extension
from support.listings import answered

LIBRARIES = TOP / "tests" / "pages"
IMAGES = TOP / "examples" / "imaging"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def listings(page: str) -> list[tuple[str, str]]:
    """Returns the language and the text of each listing of a page."""
    return FENCE.findall((TOP / "docs" / page).read_text(encoding="utf-8"))


def examples() -> dict[str, tuple[str, str, str]]:
    """Returns the header, the spec and the Python listing of each example, by the name of its module."""
    found = {}
    for page in ("constructs.md", "using.md", "init.md"):
        all_listings = listings(page)
        for (c, header), (_, spec), (_, python) in zip(all_listings, all_listings[1:], all_listings[2:], strict=False):
            if c == "c" and (name := re.match(r"module: (\w+)\n", spec)):
                found[name[1]] = header, spec, python
    return found


EXAMPLES = examples()
FRAGMENTS = [text for language, text in listings("constructs.md") if language == "yaml" and "module:" not in text]


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in ("imaging", "more")])
def test_an_example_gives_the_answers_of_its_page(name: str, tmp_path: Path) -> None:
    header, spec, python = EXAMPLES[name]
    build_module(name, spec, tmp_path, header, (LIBRARIES / f"{name}.c").read_text(encoding="utf-8"))
    assert answered(python) == python


def test_the_images_give_the_answers_of_their_page(tmp_path: Path) -> None:
    """The example has two listings: the struct, and a function."""
    using = listings("using.md")
    (function,) = (text for language, text in using if language == "yaml" and text.startswith("functions:\n  blur:"))
    (calls,) = (text for language, text in using if language == "python" and "imaging.blur(" in text)
    _, spec, python = EXAMPLES["imaging"]
    sources = [IMAGES / "image.c", IMAGES / "image_ops.c"]
    path = build_extension("imaging", spec + function, tmp_path, sources=sources, flags=[f"-I{IMAGES}"])
    import_extension("imaging", path)
    assert answered(python + calls) == python + calls


def test_two_modules_give_the_answers_of_their_page(tmp_path: Path) -> None:
    """The second module uses a class of the first one."""
    for name in ("lib", "more"):
        header, spec, _ = EXAMPLES[name]
        build_module(name, spec, tmp_path, header, (LIBRARIES / f"{name}.c").read_text(encoding="utf-8"))
    python = EXAMPLES["more"][2]
    assert answered(python) == python


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=range(len(FRAGMENTS)))
def test_a_fragment_is_valid(fragment: str) -> None:
    """A fragment has keys of a tensor, and keys of the spec."""
    plan = {"type": "plan", "release": "plan_free(self)"}
    tensor = {"type": "T", "data": "self->data", "dtype": "uint8", "shape": ["3"], "release": "lib_free(self)"}
    spec: dict[str, Any] = {"module": "m", "tensors": {"T": tensor}, "handles": {"Plan": plan}}
    for key, value in yaml.load(fragment, yaml.BaseLoader).items():
        if key in ("handles", "tensors"):
            spec[key] |= value
        elif key in ("arrays", "functions"):
            spec[key] = value
        else:
            tensor[key] = value
    _, problems = validate([load("m.yaml", json.dumps(spec).encode())])
    assert [(problem.code, problem.message) for problem in problems] == []
