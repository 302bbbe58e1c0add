"""Validates specs of a few lines."""

from __future__ import annotations

import re

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.item import Import, Tensor
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools.explain import explained


def spec(text: str, file: str = "specs/imaging.yaml") -> Spec:
    specs, diagnostics = validate([load(file, text.encode())])
    assert diagnostics == []
    return specs[0]


def explanation(text: str, name: str | None = None, file: str = "probe.yaml") -> str:
    """Returns what `explain` prints about a spec, or about one of its names."""
    return explained(load(file, text.encode()), spec(text, file), name)


def tensor(slots: str) -> Tensor:
    """Returns the validated tensor with these slots, and with defaults for required slots that are missing."""
    base = {"type": "t", "data": "self->p", "dtype": "int8", "shape": "[self->n]"}
    lines = [f"{key}: {value}" for key, value in base.items() if not re.search(rf"^{key}:", slots, re.MULTILINE)]
    body = "\n".join(f"    {line}" for line in [*lines, *slots.splitlines()])
    return spec(f"module: m\ntensors:\n  T:\n{body}\n").tensors[0]


def importing(text: str) -> Import:
    """Returns the validated import of a tensor that has `release: t_free(self)`."""
    made = tensor(f"release: t_free(self)\nimport: {text}").import_
    assert made is not None
    return made
