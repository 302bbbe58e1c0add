# SPDX-License-Identifier: MIT
"""Runs the state machines of `machines.py` on modules that it builds, until its time has passed.

Each round runs one machine with a seed of its own. `objects.py --machine NAME --seed N` repeats a round, and searches
for a shorter example, which can take minutes.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import traceback
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

import rounds
from candidates import TOP
from machines import MACHINES
from relations.lifetimes import test_keepers, test_moved_memory
from sharing import MODULES, STEPS
from support.build import build_extension, build_module, import_extension

EXAMPLES = 5
"""Runs of a machine in one round."""
SETTINGS = settings(
    max_examples=EXAMPLES,
    stateful_step_count=40,
    deadline=None,
    database=None,
    print_blob=False,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def build_modules(folder: Path) -> None:
    """Builds the three modules, and imports them."""
    library = TOP / "examples" / "imaging"
    sources = sorted(library.glob("*.c"))
    spec = (TOP / "specs" / "imaging.yaml").read_text(encoding="utf-8")
    path = build_extension("imaging", spec, folder, sources=sources, flags=[f"-I{library}"])
    MODULES["imaging"] = import_extension("imaging", path)
    for name, test in (("shifting", test_moved_memory), ("netted", test_keepers)):
        (folder / name).mkdir()
        source = getattr(test, "SOURCE", None)
        MODULES[name] = build_module(name, test.SPEC, folder / name, test.HEADER, source)


def run_round(name: str, number: int, shrinks: bool) -> bool:
    """Runs a machine with a seed; prints a failure and returns False. `shrinks`: searches for a shorter example."""
    chosen = settings(SETTINGS, phases=[Phase.generate, Phase.shrink]) if shrinks else SETTINGS
    print(f"{name} {number}", file=sys.stderr, flush=True)  # the last line tells the round that crashed
    try:
        run_state_machine_as_test(seed(number)(MACHINES[name]), settings=chosen)
    except Exception:
        print(f"FINDING: {name}:\n{traceback.format_exc()}")
        print(f"  to repeat: {sys.argv[0]} --machine {name} --seed {number}", flush=True)
        return False
    return True


def main() -> None:
    parser = rounds.parser(__doc__)
    parser.add_argument("--machine", choices=MACHINES, help="runs one round of this machine")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        build_modules(Path(folder))
    gc.freeze()  # the machines search for garbage often: only their own objects are looked at
    names = [options.machine] if options.machine else list(MACHINES)

    def run(number: int) -> bool:
        return run_round(names[(number - options.seed) % len(names)], number, options.machine is not None)

    done, findings = rounds.run_rounds(options, run, 1 if options.machine else None)
    counts = {"runs": done * EXAMPLES, "steps": sum(STEPS.values()), "findings": findings}
    rounds.end(options, counts, f"{counts}; steps: {dict(STEPS.most_common())}")


if __name__ == "__main__":
    main()
