"""The module of these tests, its plan, runs of generated calls in this process, and libraries that are linked."""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools.try_.calls.episodes import Session
from dlpack_bindgen.tools.try_.calls.steps import Runner
from dlpack_bindgen.tools.try_.plan import plan_of
from support.build import CC, compiler_environment

FOLDER = Path(__file__).resolve().parent
SPEC = (FOLDER / "sampler.yaml").read_text(encoding="utf-8")
SOURCE = (FOLDER / "sampler.c").read_text(encoding="utf-8")
HEADER = (FOLDER / "sampler.h").read_text(encoding="utf-8")


def plan(text: str, name: str = "spec.yaml") -> dict[str, Any]:
    """Returns the plan of a spec."""
    loaded = load(name, text.encode())
    specs, problems = validate([loaded])
    assert not problems, problems
    return plan_of(specs[0])


class Log:
    """Keeps the events in a list."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def write(self, event: dict[str, Any]) -> None:
        self.events.append(json.loads(json.dumps(event)))

    def steps(self, target: str | None = None) -> list[dict[str, Any]]:
        """Returns the steps, or those of the episodes of one target, without their numbers."""
        found = [{**event} for event in self.events if event["event"] == "step"]
        for each in found:
            del each["n"]
        return [each for each in found if target is None or each["episode"].split("#")[0] == target]

    @property
    def targets(self) -> dict[str, Any]:
        found: dict[str, Any] = next(event["targets"] for event in self.events if event["event"] == "targets")
        return found


def run(plans: Sequence[dict[str, Any]], steps: int = 300, **options: Any) -> Log:
    """Runs generated calls of modules that are imported already."""
    log = Log()
    defaults = {"steps": steps, "seed": 1, "at": 0, "only": [], "skip": [], "strings": False}
    runner = Runner(list(plans), log)  # type: ignore[arg-type]
    session = Session(list(plans), runner, log, argparse.Namespace(**{**defaults, **options}))  # type: ignore[arg-type]
    with few_objects():
        session.run()
    return log


def shared_library(folder: Path, name: str, source: str) -> None:
    """Compiles a C file to a shared library, as a library that is only linked."""
    command = [*CC, "-O1", "-g", "-fPIC", "-shared", "-o", f"lib{name}.so", source]
    subprocess.run(command, cwd=folder, env=compiler_environment(), check=True)


@contextmanager
def few_objects() -> Iterator[None]:
    """Hides all objects of the tests from the collector. Each step that collects would look at them."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
