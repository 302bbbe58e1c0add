"""Instructions per turn of our rows and the baseline's: `python benchmarks/instructions/instructions.py [--where ROW]`.

One process under callgrind does all rows, each with two numbers of turns: the difference is what a turn takes, without
what stands around the loop. The counts do not depend on what else the machine does, so that two commits can be
compared. Writes `build/bench/instructions-VERSION.json`. `--where` lists the functions in which the instructions of a
row are, as the last run found them; it may be repeated.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import shutil
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "exchange"))
import builds
import table
from titles import FLOOR, TITLES

HERE = Path(__file__).resolve().parent
FOLDER = builds.FOLDER / "callgrind"
SHAPE = (48, 64, 3)
WARM, FEW, MANY = 200, 1000, 3000
SIDES = ("ours", "abi3", "baseline", FLOOR)
Counts = dict[str, dict[str, float]]


def worker() -> None:
    """Runs each case under callgrind, with few and with many turns."""
    import rows
    import sides

    field = sides.gather(SHAPE, peers=False)
    meter = sides.load("meter", builds.extension("meter", [HERE / "meter.c"]))
    gc.disable()
    for case in rows.all_cases(field, SHAPE):
        if case.side in SIDES:
            case.loop(WARM)
            for turns in (FEW, MANY):
                meter.zero()
                case.loop(turns)
                meter.dump(f"{case.row}|{case.side}|{turns}")


def run() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={FOLDER / 'out'}"]
    environment = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    builds.command([*tool, sys.executable, Path(__file__).resolve(), "--worker"], **environment)


def dumps() -> dict[tuple[str, str, int], Path]:
    """The files by row, side and number of turns."""
    found = {}
    for path in FOLDER.glob("out.*"):
        label = re.search(r"^desc: Trigger: Client Request: (.*)\|(.*)\|(\d+)$", path.read_text(), re.MULTILINE)
        if label is not None:
            found[label[1], label[2], int(label[3])] = path
    return found


def total(path: Path) -> int:
    line = re.search(r"^(?:totals|summary): (\d+)", path.read_text(), re.MULTILINE)
    assert line is not None, path
    return int(line[1])


def per_turn() -> Counts:
    files = dumps()
    counts: Counts = {}
    for (row, side, turns), path in sorted(files.items()):
        if turns == MANY:
            counts.setdefault(row, {})[side] = (total(path) - total(files[row, side, FEW])) / (MANY - FEW)
    return counts


def functions(path: Path) -> dict[str, float]:
    """Instructions of a turn by function, about: what stands around the loop is in them, the frames outside are not."""
    found: dict[str, float] = {}
    text = builds.command(["callgrind_annotate", "--threshold=100", "--auto=no", path])
    for count, name in re.findall(r"^ *([\d,]+) +\([ \d.]+%\) +(?:\S*?:)?(\S+)", text, re.MULTILINE):
        found[name] = found.get(name, 0) + int(count.replace(",", "")) / MANY
    return {name: cost for name, cost in found.items() if 1 <= cost < total(path) / MANY}


def where(row: str) -> str:
    files = dumps()
    parts = []
    for side in SIDES:
        if (row, side, MANY) in files:
            costs = functions(files[row, side, MANY])
            lines = [[name, f"{cost:.0f}"] for name, cost in costs.items()]
            parts.append(f"{row}, {TITLES[side]}\n\n{table.markdown(['function', 'instructions'], lines)}")
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--where", action="append", default=[], metavar="ROW", help="of the last run")
    options = parser.parse_args()
    if options.worker:
        worker()
        return
    if options.where:
        print("\n\n".join(where(row) for row in options.where))
        return
    run()
    counts = per_turn()
    path = builds.OUTPUT / f"instructions-{builds.VERSION}.json"
    path.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    print(table.instructions(counts))


if __name__ == "__main__":
    main()
