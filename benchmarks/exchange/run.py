"""One run of the benchmark with this Python: `python benchmarks/exchange/run.py [--quick]`.

Builds everything in `build/bench`, measures, prints the tables, and writes `build/bench/VERSION.json`, of which
document.py makes the page in docs; a quick run writes `quick-VERSION.json`.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import importlib.metadata
import json
import platform
import sys
from dataclasses import asdict
from pathlib import Path

import tomllib

import builds
import measure
import memory
import rows
import sides
import table

sys.path.append(str(Path(__file__).resolve().parent.parent / "classes"))
import classes

SHAPE = (48, 64, 3)


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def versions() -> dict[str, str]:
    found = {name: importlib.metadata.version(name) for name in ("numpy", "torch", "apache-tvm-ffi", "nanobind")}
    for peer, package in {"pyo3": "pyo3-dlpack", "dlpark": "dlpark"}.items():
        locked = tomllib.loads((builds.BENCHMARKS / "peers" / peer / "Cargo.lock").read_text(encoding="utf-8"))
        found |= {each["name"]: each["version"] for each in locked["package"] if each["name"] == package}
    for name, compiler in {"cc": builds.CC, "c++": builds.CXX, "rustc": ["rustc"]}.items():
        with contextlib.suppress(builds.BuildError):  # then a peer is missing, which the table says
            found[name] = builds.command([*compiler, "--version"]).partition("\n")[0]
    return found


def as_json(results: dict[str, dict[str, measure.Time]]) -> dict[str, dict[str, dict[str, float]]]:
    return {row: {side: asdict(time) for side, time in found.items()} for row, found in results.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds, one class: whether everything runs")
    parser.add_argument("--rounds", type=int, help="how often each case is measured")
    options = parser.parse_args()
    rounds = options.rounds or (5 if options.quick else 300)
    measure.require_one_thread()
    compiled = classes.measure_all([1] if options.quick else [1, 100])
    field = sides.gather(SHAPE)
    rows.check_results(field, SHAPE)
    measure.pin()
    nanoseconds = 2e5 if options.quick else 1e6
    results = {
        "python": platform.python_version(),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "processor": processor(),
        "rounds": rounds,
        "versions": versions(),
        "failed": field.failed,
        "memory": memory.all_growths(field),
        "rows": as_json(measure.measure(rows.all_cases(field, SHAPE), rounds, nanoseconds)),
        "sizes": as_json(measure.measure(rows.sizes(field), min(rounds, 20), nanoseconds)),
        "classes": compiled,
    }
    measure.require_one_thread()
    with measure.second_thread():
        results["rows"] |= as_json(measure.measure(rows.counted_cases(field, SHAPE), rounds, nanoseconds))
    path = builds.OUTPUT / f"{'quick-' if options.quick else ''}{builds.VERSION}.json"
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(table.report(results))


if __name__ == "__main__":
    main()
