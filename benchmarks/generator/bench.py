"""The generator's time and memory against its targets: `python benchmarks/generator/bench.py [--quick]`.

Beside each run of the command stand the things that no implementation could leave out: a Python that imports Jinja2 and
PyYAML, PyYAML reading the same text, and one call of clang-format on what is written. All of them run in turn, round
after round, each in a process of its own; modules are compiled beforehand, as an installation has them. The ratios are
of CPU seconds, children included, so that they hold on a busy machine as well.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from dlpack_bindgen.emit.clang_format import STYLE, _checked_binary

TENSOR = """\
  Image{index}:
    type: image{index}_t
    doc: A picture of kind {index}.
    require: [{{expr: self->pixels != NULL, message: the picture is empty}}]
    let: [{{int h: image_height(self)}}, {{int w: image_width(self)}}]
    data: self->pixels
    strides: {{outer: self->pitch, unit: bytes}}
    match:
      of: self->format
      arms:
        - {{when: FORMAT_GRAY, dtype: uint8, shape: [h, w], import: true}}
        - {{when: FORMAT_RGB, dtype: uint8, shape: [h, w, 3]}}
        - {{when: FORMAT_REAL, dtype: float32, shape: [h, w]}}
    retain: image_ref(self)
    release: image_unref(self)
    import:
      require: [writable, inner_compact]
      let: [{{int h: "shape[0]"}}, {{int w: "shape[1]"}}, {{int pitch: "byte_strides[0]"}}]
      construct: "image_around(data, code, h, w, pitch, deleter, user)"
      ok: "!= NULL"
      deleter: [user]
"""
START = "import jinja2, yaml\n"
READ = "import sys, yaml\nfor path in sys.argv[1:]:\n    with open(path) as file:\n        list(yaml.parse(file))\n"


@dataclass(frozen=True)
class Run:
    seconds: float
    cpu: float
    mebibytes: float


@dataclass(frozen=True)
class Line:
    """The medians of what was run side by side for one size."""

    tensors: int
    runs: dict[str, Run]

    def ratio(self, name: str, *others: str) -> float:
        return self.runs[name].cpu / sum(self.runs[other].cpu for other in others)

    def per_tensor(self) -> float:
        return 1000 * (self.runs["write"].cpu - self.runs["start"].cpu) / self.tensors


def run(command: list[str], environment: dict[str, str]) -> Run:
    """With the most memory that the process or one of its children took."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command[:4]} failed")
    return Run(time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def median(runs: list[Run]) -> Run:
    return Run(
        statistics.median(each.seconds for each in runs),
        statistics.median(each.cpu for each in runs),
        max(each.mebibytes for each in runs),
    )


def measure(tensors: int, rounds: int, folder: Path, environment: dict[str, str]) -> Line:
    body = "".join(TENSOR.format(index=index) for index in range(tensors))
    spec, out, new = folder / "m.yaml", folder / "out", folder / "new"
    spec.write_text(f"module: m\ninclude: [image.h]\ntensors:\n{body}", encoding="utf-8")
    generate = [sys.executable, "-m", "dlpack_bindgen", "generate", str(spec), "-o"]
    shutil.rmtree(out, ignore_errors=True)
    run([*generate, str(out)], environment)
    written = sorted(str(path) for path in out.glob("*.[ch]"))
    commands = {
        "write": [*generate, str(new), "-j", "1"],
        "check": [*generate, str(out), "-j", "1", "--check"],
        "start": [sys.executable, "-c", START],
        "read": [sys.executable, "-c", READ, str(spec)],
        "format": [str(_checked_binary()), f"--style={json.dumps(STYLE)}", *written],
        "parallel": [*generate, str(new)],
    }
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            shutil.rmtree(new, ignore_errors=True)
            runs[name].append(run(command, environment))
    return Line(tensors, {name: median(some) for name, some in runs.items()})


def verdicts(lines: list[Line]) -> bool:
    one, before, last = lines[0], lines[-2], lines[-1]
    seconds = {name: each.seconds for name, each in last.runs.items()}
    ours = [line.runs[name] for line in lines for name in ("write", "check", "parallel")]
    rows = [
        ("1 tensor: CPU, times that of start and format", one.ratio("write", "start", "format"), 1.5),
        (f"{last.tensors} tensors: CPU, times that of read and format", last.ratio("write", "read", "format"), 1.5),
        (f"CPU per tensor, times that of {before.tensors}", last.per_tensor() / before.per_tensor(), 1.1),
        *((f"{line.tensors} tensors: check, times write", line.ratio("check", "write"), 1.05) for line in lines),
        (f"{last.tensors} tensors: seconds by default, times -j 1", seconds["parallel"] / seconds["write"], 1.0),
        ("MiB of the process or a child", max(each.mebibytes for each in ours), 200),
    ]
    for what, found, most in rows:
        print(f"{what:50} {found:7.2f}  at most {most:6.2f}  {'holds' if found <= most else 'MISSED'}")
    return all(found <= most for _, found, most in rows)


def main() -> None:
    sizes = {1: 15, 10: 9, 100: 3} if "--quick" in sys.argv[1:] else {1: 25, 10: 15, 100: 9, 1000: 3}
    print(f"Python {sys.version.split()[0]}, {len(os.sched_getaffinity(0))} cores\n")
    print("tensors  CPU ms: write    check | start     read  format | seconds: -j 1  default | peak MiB  CPU ms/tensor")
    lines = []
    with tempfile.TemporaryDirectory() as name:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": f"{name}/compiled"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for tensors, rounds in sizes.items():
            line = measure(tensors, rounds, Path(name), environment)
            lines.append(line)
            cpu = {name: 1000 * each.cpu for name, each in line.runs.items()}
            print(
                f"{tensors:7d} {cpu['write']:14.0f} {cpu['check']:8.0f} |{cpu['start']:6.0f} {cpu['read']:8.0f} "
                f"{cpu['format']:7.0f} |{line.runs['write'].seconds:14.2f} {line.runs['parallel'].seconds:8.2f} |"
                f"{line.runs['parallel'].mebibytes:9.0f} {line.per_tensor():14.1f}",
                flush=True,
            )
    print()
    sys.exit(not verdicts(lines))


if __name__ == "__main__":
    main()
