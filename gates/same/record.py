# SPDX-License-Identifier: MIT
"""Runs the generator on a folder of specs, and records the results: `python record.py FOLDER RESULTS`.

`PYTHONPATH` chooses the generator. RESULTS gets one line of JSON for each spec, with the emitted files before
clang-format, or with the messages. `make same` records an older commit with the script of that commit, which knows the
modules of its generator.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import traceback
from pathlib import Path

from dlpack_bindgen.emit import render
from dlpack_bindgen.text import diagnostics
from dlpack_bindgen.tools.generate import load, validate

render.format_files = lambda files, jobs=None: [code for _, code in files]


def run_generator(path: Path) -> dict[str, str]:
    """Runs the generator on a file of `collect_specs`. Returns the emitted files by name. If the generator refuses the
    specs, returns its `messages`. If it fails, returns the exception as `failure`."""
    try:
        loaded = [
            load(name, content.encode("latin-1")) for name, content in json.loads(path.read_text(encoding="utf-8"))
        ]
        specs, problems = validate(loaded)
        if problems:
            return {"messages": diagnostics.render(problems, {each.file: each.text for each in loaded})}
        return {file.name: file.text for file in render.render(specs)}
    except Exception:
        return {"failure": traceback.format_exc().splitlines()[-1]}


def record_spec(path: Path) -> str:
    """Returns the line of JSON for one spec."""
    return json.dumps({"spec": path.stem, **run_generator(path)})


def main() -> None:
    """Records all specs of the folder, in one process per core."""
    folder, results = map(Path, sys.argv[1:])
    with multiprocessing.Pool(os.cpu_count()) as pool:
        lines = pool.map(record_spec, sorted(folder.glob("*.json")), chunksize=16)
    results.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
