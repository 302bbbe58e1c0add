# SPDX-License-Identifier: MIT
"""Imports an extension module in a child process for each of its calls, which fails; then imports it again.

`python -m starve.imports` compiles the modules; first it checks that names.txt lists all functions that they call.
"""

from __future__ import annotations

import functools
import gc
import json
import math
import os
import random
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starve.control import Control, Fault
from starve.repeat import HANG_SECONDS, describe
from starve.wrappers import BUILD, find_unlisted
from support.build import LIMITED, TOP, compile_c, import_extension, runtime_objects

CHILDREN = 4
"""How many imports run at a time."""
SAMPLE_SHARE = 0.3
"""The part of the time that imports get in a sample."""

Result = dict[str, Any]


@dataclass
class Child:
    """A child process that writes a dict to a pipe."""

    pid: int
    reader: int

    def wait(self) -> tuple[Result, int]:
        """Returns the dict, and the status of the child."""
        with os.fdopen(self.reader, encoding="utf-8") as text:
            written = text.read()
        return json.loads(written or "{}"), os.waitpid(self.pid, 0)[1]


def start_child(act: Callable[[], Result]) -> Child:
    """Calls act() in a child process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reader)
            signal.alarm(HANG_SECONDS)
            result = json.dumps(act())
            os.write(writer, result.encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    return Child(child, reader)


def contents(module: Any) -> list[str]:
    """Returns the names in a module, and those in its classes."""
    names = sorted(vars(module))
    classes = [value for value in vars(module).values() if isinstance(value, type)]
    return [*names, *(f"{one.__name__}.{name}" for one in classes for name in sorted(vars(one)))]


def live_blocks(control: Control) -> dict[str, int]:
    """Returns the sites that have live blocks, and how many."""
    gc.collect()
    counts = enumerate(control.live_blocks(), 1)
    return {control.describe(site): count for site, count in counts if count}


def import_without_fault(control: Control, name: str, path: Path) -> Result:
    """Returns how many calls an import makes, what the module contains, and the live blocks of each site."""
    control.begin()
    module = import_extension(name, path)
    control.end()
    return {"calls": control.all_calls(), "contents": contents(module), "live": live_blocks(control)}


def import_with_fault(control: Control, name: str, path: Path, fault: Fault) -> Result:
    """Returns what an import raises while the fault is set, and what the next import gives."""
    raised, unraisable = [], []
    sys.unraisablehook = lambda args: unraisable.extend(describe(args.exc_value))
    control.begin(fault)
    try:
        import_extension(name, path)
    except Exception as error:
        control.end()
        raised = describe(error)
        error.__traceback__ = None
    failures = control.end()
    site = control.first_failed()
    sys.modules.pop(name, None)
    module = import_extension(name, path)
    return {
        "failures": failures,
        "site": control.describe(site) if site else "",
        "raised": raised,
        "unraisable": unraisable,
        "contents": contents(module),
        "live": live_blocks(control),
    }


def import_with_each_fault(control: Control, name: str, path: Path, deadline: float, seed: str) -> Iterator[Result]:
    """Yields what became of the import with each fault. Until `deadline`, in an order that depends on `seed`."""
    expected, status = start_child(lambda: import_without_fault(control, name, path)).wait()
    if status != 0:
        raise RuntimeError(f"{name} cannot be imported")
    faults = [Fault(0, call, onward) for onward in (False, True) for call in range(1, expected["calls"] + 1)]
    random.Random(seed).shuffle(faults)
    started: deque[tuple[Fault, Child]] = deque()
    while faults or started:
        while faults and len(started) < CHILDREN and time.time() < deadline:
            fault = faults.pop()
            act = functools.partial(import_with_fault, control, name, path, fault)
            started.append((fault, start_child(act)))
        if not started:
            return
        fault, child = started.popleft()
        result, status = child.wait()
        record = {"module": name, "call": fault.call, "onward": fault.onward, "status": status}
        if status == 0:
            live, usual = result.pop("live"), expected["live"]
            record["left"] = [site for site, count in live.items() if count > usual.get(site, 0)]
            record["complete"] = result.pop("contents") == expected["contents"]
        yield {**record, **result}


def check_names(folder: Path) -> None:
    """Exits if the runtime or a generated module calls a function that names.txt does not list."""
    generated = TOP / "generated" / "imaging"
    objects = [*runtime_objects()]
    for name in ("imaging_dlpack", "imaging_module"):
        objects.append(folder / f"{name}.o")
        library = f"-I{TOP / 'examples' / 'imaging'}"
        compile_c(["-c", *LIMITED, f"-I{generated}", library, generated / f"{name}.c"], objects[-1])
    unlisted = find_unlisted(objects)
    if unlisted:
        sys.exit(f"gates/starve/names.txt does not list {', '.join(sorted(unlisted))}")


def builders() -> dict[str, Callable[[Path], Path]]:
    """Returns the modules that are imported, with the functions that compile them."""
    from functions import libraries
    from python import builds

    own = {name: functools.partial(libraries.build, name) for name in ("calls", "outcomes")}
    return {"imaging": builds.imaging, "lab": builds.lab, **own}


def main() -> None:
    """Imports each module with each fault; in a sample, one module until its share of the time is used."""
    started = float(os.environ["STARVE_STARTED"])
    seconds, seed = float(os.environ["STARVE_SECONDS"]), os.environ["STARVE_SEED"]
    control = Control(Path(os.environ["STARVE_LIBRARY"]))
    folder = BUILD / "modules"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    check_names(folder)
    modules = builders()
    if seconds != math.inf:
        name = random.Random(seed).choice(sorted(modules))
        modules = {name: modules[name]}
    deadline = started + SAMPLE_SHARE * seconds
    gc.collect()
    gc.freeze()  # the children then collect their own objects alone
    with open(os.environ["STARVE_RESULTS"], "a", encoding="utf-8") as results:
        for name, build in modules.items():
            path = build(folder)
            for record in import_with_each_fault(control, name, path, deadline, seed):
                results.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
