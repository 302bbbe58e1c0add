"""Runs generated calls, or steps of an earlier run.

python calls PLAN.json... [--path DIR]... [--steps N] [--at N] [--seed S] [--only NAME]... [--skip NAME]...
             [--strings]
python calls PLAN.json... [--path DIR]... --replay STEPS.json
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import os
import sys

if not __package__:
    # `python calls` runs this file outside of a package. Its neighbours must be imported from one nevertheless: as
    # modules of their own, such as `text`, they would hide modules of the user.
    _folder = os.path.dirname(os.path.abspath(__file__))
    _spec = importlib.util.spec_from_file_location(
        "dlb_calls", os.path.join(_folder, "__init__.py"), submodule_search_locations=[_folder]
    )
    assert _spec is not None
    sys.modules["dlb_calls"] = importlib.util.module_from_spec(_spec)
    __package__ = "dlb_calls"

from .episodes import Session
from .steps import Log, Runner, replay


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Calls built modules by their plans.")
    parser.add_argument("plans", nargs="+")
    parser.add_argument("--path", action="append", default=[], help="a folder with modules")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--at", type=int, default=0, help="the number of the first episode")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--strings", action="store_true")
    parser.add_argument("--replay", help="a file with steps")
    options = parser.parse_args(arguments)
    # Programs that the library starts must not load the sanitizer, and no file of this folder is a module of its own.
    os.environ.pop("LD_PRELOAD", None)
    sys.path[:1] = options.path
    plans = []
    for path in options.plans:
        with open(path, encoding="utf-8") as file:
            own = json.load(file)
        plans += own.get("plans", [own])
    log = Log()
    try:
        runner = Runner(plans, log)
    except ImportError as error:  # a library is missing, or the linker did not find a function
        sys.exit(f"the module cannot be imported: {error}")
    gc.collect()
    gc.freeze()
    if options.replay is None:
        Session(plans, runner, log, options).run()
        return
    with open(options.replay, encoding="utf-8") as file:
        steps = json.load(file)
    replay(runner, steps)
    runner.variables.clear()
    gc.collect()
    gc.collect()
    log.write({"event": "end"})


if __name__ == "__main__":
    main()
