"""How time and memory of the generator grow: `python benchmarks/generator/bench.py [--quick]`.

Each line is one run of the command in a process of its own, the best of a few. Beside it stand the two things that no
implementation could leave out: PyYAML reading the same text, and clang-format on what is written, in one process each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

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
READ = "import sys, yaml\nfor path in sys.argv[1:]:\n    with open(path) as file:\n        list(yaml.parse(file))\n"
FORMAT = (
    "import sys\nfrom pathlib import Path\nfrom dlpack_bindgen.clang_format import format_files\n"
    "format_files([(path, Path(path).read_text()) for path in sys.argv[1:]], 1)\n"
)
START = "import dlpack_bindgen.render, dlpack_bindgen.validate\n"


@dataclass(frozen=True)
class Run:
    seconds: float
    cpu: float
    mebibytes: float


def run(command: list[str], times: int) -> Run:
    """The best times of a few, children included, and the most memory that the process or one of them took."""
    runs = []
    for _ in range(times):
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{command[:4]} failed")
        runs.append(Run(time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
    return Run(min(each.seconds for each in runs), min(each.cpu for each in runs), max(each.mebibytes for each in runs))


def write_specs(folder: Path, specs: int, tensors: int) -> list[str]:
    paths = []
    for number in range(specs):
        body = "".join(TENSOR.format(index=index) for index in range(tensors))
        path = folder / f"m{number}.yaml"
        path.write_text(f"module: m{number}\ninclude: [image.h]\ntensors:\n{body}", encoding="utf-8")
        paths.append(str(path))
    return paths


def line(specs: int, tensors: int, start: float) -> None:
    count = specs * tensors
    times = 5 if count <= 10 else 3 if count <= 100 else 1
    python = [sys.executable, "-c"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_specs(folder, specs, tensors)
        generate = [sys.executable, "-m", "dlpack_bindgen", "generate", *paths, "-o"]
        whole = run([*generate, str(folder / "out")], times)
        one = run([*generate, str(folder / "one"), "-j", "1"], times)
        reading = run([*python, READ, *paths], times)
        written = sorted(str(path) for path in (folder / "out").glob("*.[ch]"))
        formatting = run([*python, FORMAT, *written], times)
        print(
            f"{specs:5d} {tensors:7d} {whole.seconds:9.2f} {one.seconds:9.2f} {one.cpu:9.2f} "
            f"{1000 * (one.cpu - start) / count:9.2f} {one.mebibytes:9.1f} {reading.cpu:9.2f} "
            f"{formatting.cpu:9.2f} {formatting.mebibytes:9.1f} {one.cpu / (reading.cpu + formatting.cpu):7.2f}",
            flush=True,
        )


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    start = run([sys.executable, "-c", START], 5).cpu
    print(f"Python {sys.version.split()[0]}, {len(os.sched_getaffinity(0))} cores; {start:.2f} s to start and import\n")
    print("specs tensors  seconds:  with one      CPU ms/tensor  peak MiB  CPU alone:            MiB   times")
    print("         each   default   process   seconds (no start)              PyYAML  clang-f.  clang-f.    both")
    sizes = [(1, 1), (1, 10), (1, 100)]
    for specs, tensors in sizes if quick else [*sizes, (1, 1000), (10, 3), (100, 3), (300, 3)]:
        line(specs, tensors, start)


if __name__ == "__main__":
    main()
