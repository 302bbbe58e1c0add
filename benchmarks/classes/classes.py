"""How long one class and a hundred take to compile, and how large they are: ours, nanobind's, PyO3's.

`seconds` is what changes with the classes, their own files and the link; `library` what is compiled once beside them.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template

import builds

HERE = Path(__file__).resolve().parent
FOLDER = builds.FOLDER / "classes"
TIMES = 7
"""How often one class is compiled, of which the least counts; a hundred once."""
FLAGS = ["-Os", "-DNDEBUG", "-fPIC", "-ffunction-sections", "-fdata-sections"]
"""Of nanobind_add_module(), for ours too."""
SMALL = ["-fvisibility=hidden", "-fno-asynchronous-unwind-tables"]
"""Of ours: the former is nanobind's as well; the latter cannot be, since C++ throws (docs/using.md)."""


@dataclass(frozen=True)
class Compiled:
    seconds: float
    library: float
    stripped: int
    """Bytes."""


def timed(commands: Sequence[Sequence[str | Path]], **environment: str) -> float:
    begin = time.perf_counter()
    for words in commands:
        builds.command(words, **environment)
    return time.perf_counter() - begin


def least(count: int, build: Callable[[], float]) -> float:
    return min(build() for _ in range(TIMES if count == 1 else 1))


def compiled(folder: Path, count: int, compiler: list[str], library: list[Path], own: list[Path]) -> Compiled:
    """A module of the files that change with the classes, and of those that do not."""
    subject = folder / "subject.o"
    builds.command([*builds.CC, *FLAGS, "-c", builds.SUBJECT / "subject.c", "-o", subject])
    target = folder / "classes.so"
    steps: list[list[str | Path]] = [[*compiler, "-c", file, "-o", made(folder, file)] for file in (*library, *own)]
    objects = [made(folder, file) for file in (*library, *own)]
    link: list[str | Path] = [*compiler, "-shared", "-Wl,--gc-sections", *objects, subject, "-o", target]
    once = timed(steps[: len(library)])
    seconds = least(count, lambda: timed([*steps[len(library) :], link]))
    return Compiled(seconds, once, stripped(target))


def made(folder: Path, source: Path) -> Path:
    return folder / f"{source.stem}.o"


def stripped(module: Path) -> int:
    """Of a copy: cargo would link again what was changed."""
    copy = module.with_suffix(".stripped")
    shutil.copy(module, copy)
    builds.command(["strip", copy])
    return copy.stat().st_size


def repeated(name: str, count: int) -> str:
    template = Template((HERE / name).read_text(encoding="utf-8"))
    return "\n".join(template.substitute(N=number) for number in range(count))


def module_text(suffix: str, count: int, call: str) -> str:
    template = Template((HERE / f"module.{suffix}").read_text(encoding="utf-8"))
    calls = "\n".join(f"    {call.format(number)}" for number in range(count))
    return template.substitute(classes=repeated(f"class.{suffix}", count), calls=calls)


def ours(folder: Path, count: int) -> Compiled:
    spec = folder / "classes.yaml"
    spec.write_text(
        f"module: classes\ninclude: [classes.h]\ntensors:\n{repeated('class.yaml', count)}", encoding="utf-8"
    )
    types = "".join(f"typedef picture_t picture{number}_t;\n" for number in range(count))
    (folder / "classes.h").write_text(f'#include "subject.h"\n{types}', encoding="utf-8")
    builds.bindgen("generate", spec, "-o", folder)
    flags = ["-std=c11", *FLAGS, *SMALL, *builds.bindgen("config", "--cflags", "--python-cflags")]
    runtime = [Path(source) for source in builds.bindgen("config", "--sources")]
    own = [folder / "classes_dlpack.c", folder / "classes_module.c"]
    return compiled(folder, count, [*builds.CC, *flags, f"-I{folder}", f"-I{builds.SUBJECT}"], runtime, own)


def nanobind(folder: Path, count: int) -> Compiled:
    source = folder / "classes.cpp"
    source.write_text(module_text("cpp", count, "add{}(m);"), encoding="utf-8")
    flags = [*FLAGS, *builds.nanobind_flags(), *builds.python_flags()]
    library = builds.package("nanobind") / "src" / "nb_combined.cpp"
    return compiled(folder, count, [*builds.CXX, *flags, f"-I{builds.SUBJECT}"], [library], [source])


def pyo3(folder: Path, count: int) -> Compiled:
    """With pyo3-dlpack, whose crates are the library."""
    peer = builds.BENCHMARKS / "peers" / "pyo3"
    (folder / "src").mkdir(exist_ok=True)
    manifest = (peer / "Cargo.toml").read_text(encoding="utf-8").replace('name = "peer_pyo3"', 'name = "classes"')
    (folder / "Cargo.toml").write_text(manifest, encoding="utf-8")
    lock = (peer / "Cargo.lock").read_text(encoding="utf-8").replace('name = "peer_pyo3"', 'name = "classes"')
    (folder / "Cargo.lock").write_text(lock, encoding="utf-8")
    source = folder / "src" / "lib.rs"
    build = FOLDER / "cargo"
    shutil.rmtree(build, ignore_errors=True)
    words: list[str | Path] = ["cargo", "build", "--release", "--manifest-path", folder / "Cargo.toml"]
    environment = {"PYO3_PYTHON": sys.executable, "CARGO_TARGET_DIR": str(build)}
    source.write_text("", encoding="utf-8")
    builds.command(["cargo", "fetch", "--manifest-path", folder / "Cargo.toml"])
    library = timed([words], **environment)

    def rebuild() -> float:
        source.write_text(module_text("rs", count, "m.add_class::<Picture{}>()?;"), encoding="utf-8")
        return timed([words], **environment)

    return Compiled(least(count, rebuild), library, stripped(build / "release" / "libclasses.so"))


def measure_all(counts: Sequence[int]) -> dict[str, dict[str, dict[str, float]]]:
    """By side and number of classes; what cannot be built is left out, since its peer's row says so."""
    sides: dict[str, Callable[[Path, int], Compiled]] = {"ours": ours, "nanobind": nanobind, "pyo3": pyo3}
    results: dict[str, dict[str, dict[str, float]]] = {}
    for name, build in sides.items():
        for count in counts:
            folder = FOLDER / f"{name}-{count}"
            folder.mkdir(parents=True, exist_ok=True)
            try:
                results.setdefault(name, {})[str(count)] = asdict(build(folder, count))
            except builds.BuildError as error:
                print(f"{name}: {error}", file=sys.stderr)
    return results
