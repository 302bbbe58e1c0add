"""Loading and validation of specs, with advice about their mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text import yaml as plain_load
from dlpack_bindgen.text.diagnostics import Advisor, Diagnostic
from dlpack_bindgen.text.yaml import Loaded
from dlpack_bindgen.validate import validate as plain_validate
from dlpack_bindgen.validate.validate import GetHeaders


def _advisor() -> Advisor:
    from dlpack_bindgen.advice.advisor import GuessingAdvisor  # imported only for mistakes

    return GuessingAdvisor()


def load(file: str, data: bytes) -> Loaded:
    return plain_load.load(file, data, _advisor)


def validate(loaded: Sequence[Loaded], headers: GetHeaders | None = None) -> tuple[list[Spec], list[Diagnostic]]:
    return plain_validate.validate(loaded, cache(_advisor), headers)
