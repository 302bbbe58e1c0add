"""The rules know each name of the emitted C at file scope: they report C text of a spec that mentions such a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import yaml

from compile.test_emitted import SPECS, emitted
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load

DEFINED = re.compile(r"^(?!static_assert|typedef)[A-Za-z_][\w *]*?\b(\w+)\s*[(\[=;]", re.MULTILINE)
STATIC = re.compile(r"^(?:DLB_FLATTEN )?static [\w *]*?\b(\w+)\s*[(\[=;]", re.MULTILINE)
AT_ONCE = 30
"""The number of names that fit into one value of a spec."""


def told(text: str, names: list[str]) -> Iterator[str]:
    """Yields the names that the generator reports when the C text of an additional handle mentions them."""
    changed = yaml.load(text, Loader=yaml.BaseLoader)  # `null` is no text of C
    changed.setdefault("handles", {})["Mention"] = {"type": "mention", "release": f"end(self, {', '.join(names)})"}
    _, problems = validate([load("changed.yaml", yaml.safe_dump(changed).encode())])
    for problem in problems:
        found = re.match(r"'(\w+)' is the emitted C name of '", problem.message)
        assert found, problem
        yield found[1]


@pytest.mark.parametrize("name", SPECS)
def test_static_names_differ_from_names_of_the_library(name: str) -> None:
    sources = (text for output, text in emitted(name).items() if output.endswith(".c"))
    names = {each for text in sources for each in STATIC.findall(text)}
    assert len(names) > 5
    assert {each for each in names if not each.startswith(("dl_", "py_"))} == set()


@pytest.mark.parametrize("name", SPECS)
def test_rules_know_every_name_that_the_output_defines(name: str) -> None:
    text = SPECS[name].read_text(encoding="utf-8")
    (spec,), _ = validate([load(f"{name}.yaml", text.encode())])
    defined = {
        each
        for output, emitted_text in emitted(name).items()
        if not output.endswith(".pyi")
        for each in DEFINED.findall(emitted_text)
        if each.startswith(f"{spec.prefix}_")
    }
    names = sorted(defined)
    assert len(names) > 5
    known = {each for i in range(0, len(names), AT_ONCE) for each in told(text, names[i : i + AT_ONCE])}
    assert known == defined
