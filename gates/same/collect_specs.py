# SPDX-License-Identifier: MIT
"""A pytest plugin that collects the specs of the tests.

`SAME_SPECS` is the folder for the specs. Each file there is a JSON list of pairs: the name of a YAML file and its
content. A list has one pair, or several if a test validates several files together. With `SAME_STOPS`, the plugin stops
each test after the spec is loaded and validated.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dlpack_bindgen.emit import render as render_module
from dlpack_bindgen.spec import check as validate_module
from dlpack_bindgen.text import yaml as load_module
from same.run import WITHOUT

FOLDER = Path(os.environ["SAME_SPECS"])
STOPS = "SAME_STOPS" in os.environ
MAX_BYTES = 200_000
"""The tests load longer specs only to measure time and memory."""


class SpecIsCollected(Exception):
    """Stops a test: the rest of the test does not matter here."""


def stop_test(*_: Any, **__: Any) -> Any:
    """Replaces functions that run after the validation of a spec."""
    raise SpecIsCollected


def write_specs(files: Sequence[tuple[str, bytes]]) -> None:
    """Writes a list of YAML files to the folder. Its name is a hash, so that equal lists share a file."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").removeprefix("tests/")
    if sum(len(content) for _, content in files) <= MAX_BYTES and not test.startswith(WITHOUT):
        pairs = json.dumps([[Path(name).name, content.decode("latin-1")] for name, content in files])
        (FOLDER / f"{hashlib.sha1(pairs.encode()).hexdigest()[:16]}.json").write_text(pairs, encoding="utf-8")


def replace_functions() -> None:
    """Replaces `load`, `validate` and `render` of the generator. Tests import them later than this plugin."""
    load, validate = load_module.load, validate_module.validate

    def load_and_write(name: str, content: bytes, *advisor: Any) -> Any:
        write_specs([(name, content)])
        return load(name, content, *advisor)

    def validate_and_write(loaded: Sequence[Any], *advisor: Any) -> Any:
        if len(loaded) > 1:
            write_specs([(each.file, each.text.encode()) for each in loaded])
        return validate(loaded, *advisor)

    load_module.load, validate_module.validate = load_and_write, validate_and_write
    if STOPS:
        render_module.render = stop_test


def pytest_collection_finish() -> None:
    """Stops tests that start a process. The worker processes of pytest are already running."""
    if STOPS:
        subprocess.Popen.__init__ = stop_test  # type: ignore[method-assign]


FOLDER.mkdir(parents=True, exist_ok=True)
replace_functions()
