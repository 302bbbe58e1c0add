"""A file has each table of requirements once, however many arrays have these requirements."""

from __future__ import annotations

import re

from dlpack_bindgen.emit.render import render
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load

SPEC = """
module: shared
include: shared.h
tensors:
  One: {type: one, data: self->data, dtype: float32, shape: [self->n], release: one_free(self), IMPORT}
  Two: {type: two, data: self->data, dtype: float32, shape: [self->n], release: two_free(self), IMPORT}
  Rare: {type: rare, data: self->data, dtype: float32, shape: [self->n], release: rare_free(self), if: HAS_RARE, IMPORT}
  Other: {type: other, data: self->data, dtype: int32, shape: [self->n], release: other_free(self), IMPORT}
functions:
  first: {c: "float first(const float *x, int n)", args: {n: {count_of: x}}, if: HAS_FIRST}
  dot: {c: "float dot(const float *x, const float *y, int n)", args: {y: {require: [{count: n}]}, n: {count_of: x}}}
  sum: {c: "float sum(const float *x, int n)", args: {n: {count_of: x}}}
""".replace("IMPORT", "import: {set: {data: data, n: 'shape[0]'}}")


def emitted(suffix: str) -> str:
    specs, problems = validate([load("spec.yaml", SPEC.encode())])
    assert not problems
    return next(file.text for file in render(specs) if file.name.endswith(suffix))


def uses(text: str) -> dict[str, str]:
    """Returns the table that each factory and each operand has, by its name and index."""
    found = {}
    tables = r"^static const (?:dlb_factory|dlb_py_function) (\w+) = \{\n(.*?)^\};"
    for name, body in re.findall(tables, text, re.MULTILINE | re.DOTALL):
        for index, table in enumerate(re.findall(r"\.require = &(\w+)", body)):
            found[f"{name} {index}"] = table
    return found


def test_factories_of_a_condition_share_their_tables() -> None:
    text = emitted("_dlpack.c")
    assert uses(text) == {
        "dl_shared_one_importer 0": "dl_shared_one_import_requirements",
        "dl_shared_two_importer 0": "dl_shared_one_import_requirements",
        "dl_shared_rare_importer 0": "dl_shared_one_import_requirements",
        "dl_shared_other_importer 0": "dl_shared_other_import_requirements",
    }
    assert text.count("static const dlb_requirements ") == 2


def test_functions_share_their_tables() -> None:
    text = emitted("_module.c")
    assert uses(text) == {
        "dl_first_call 0": "dl_first_x_array",
        "dl_dot_call 0": "dl_dot_x_array",
        "dl_dot_call 1": "dl_dot_x_array",
        "dl_sum_call 0": "dl_dot_x_array",
    }
