# SPDX-License-Identifier: MIT
"""Finds the specs of the repository that import arrays, with the C libraries that they describe."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests"))

# The specs that are files of their own.
SPEC_FILES = (
    "specs/*.yaml",
    "docs/examples/*.yaml",
    "benchmarks/subject/*.yaml",
    "tests/functions/*.yaml",
    "tests/structs/libraries/*/*.yaml",
)
# The folders whose modules hold specs as strings.
SPEC_MODULES = (
    "tests/arguments",
    "tests/classes",
    "tests/compile",
    "tests/functions",
    "tests/hooks",
    "tests/imports",
    "tests/packaging",
    "tests/python",
    "tests/relations",
    "tests/results",
    "tests/runtime",
    "tests/slots",
    "tests/spec",
    "tests/structs",
)
# Libraries of the system: options of pkg-config, or of the linker.
SYSTEM = {
    "specs/avframe.yaml": "libavutil",
    "specs/cairo.yaml": "cairo",
    "specs/fftw.yaml": "-lfftw3 -lfftw3f -lm",
    "specs/gdkpixbuf.yaml": "gdk-pixbuf-2.0",
    "specs/gsl.yaml": "-lgsl -lgslcblas -lm",
    "specs/nrrd.yaml": "-lteem",
    "tests/structs/libraries/fftw/fftw.yaml": "-lfftw3 -lfftw3f -lm",
}
# Files that hold the library of a spec, and are not named as its headers are.
LIBRARIES = TOP / "gates" / "fuzz" / "libraries"
MORE_SOURCES = {
    "tests/functions/arrays.yaml": TOP / "tests/functions/arrays_bare.c",
    "tests/functions/demands.yaml": TOP / "tests/functions/arrays_bare.c",
    "tests/runtime/test_import.py:FITS": LIBRARIES / "narrow.c",
    "tests/runtime/test_legacy.py:LEGACY": TOP / "tests/runtime/grid.c",
    "tests/runtime/test_fast_paths.py:TAKEN": LIBRARIES / "sample.c",
    "tests/runtime/test_fast_paths.py:WAYS": LIBRARIES / "sample.c",
}


@dataclass(frozen=True)
class Candidate:
    """A spec that may import arrays, and the files that its library is made of."""

    origin: str
    """The path of the spec in the repository, and the name of the string if it is not a file of its own."""
    text: str
    folder: Path
    """Its headers are here, unless `header` has the text of one."""
    header: str | None = None
    sources: tuple[Path, ...] = ()
    source: str | None = None
    """The text of a source file, if the library has no files."""
    compile_flags: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()

    @property
    def symbol(self) -> str:
        """Returns an identifier of C that no other candidate has."""
        return re.sub(r"\W", "_", self.origin)


def _flags(origin: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the flags of compiler and linker for a library of the system."""
    option = SYSTEM.get(origin, "")
    if option == "" or option.startswith("-l"):
        return (), tuple(shlex.split(option))
    found = [
        subprocess.run(["pkg-config", which, option], capture_output=True, text=True, check=False).stdout
        for which in ("--cflags", "--libs")
    ]
    return tuple(shlex.split(found[0])), tuple(shlex.split(found[1]))


def _sources_of(path: Path, text: str, origin: str) -> tuple[Path, ...]:
    """Returns the C files of the library: all in its folder, or those with the name of the spec or of a header."""
    if path.parent.parent.name == "libraries":
        return tuple(sorted(path.parent.glob("*.c")))
    if path.parent.name == "specs":
        return ()
    stems = [path.stem, *re.findall(r"(\w+)\.h\b", text)]
    named = (path.parent / f"{stem}.c" for stem in dict.fromkeys(stems))
    found = [source for source in named if source.exists()]
    return (*found, *([MORE_SOURCES[origin]] if origin in MORE_SOURCES else []))


def _from_files() -> Iterator[Candidate]:
    for pattern in SPEC_FILES:
        for path in sorted(path for path in TOP.glob(pattern) if not path.stem.endswith(".limits")):
            text = path.read_text(encoding="utf-8")
            origin = str(path.relative_to(TOP))
            folder, sources = path.parent, _sources_of(path, text, origin)
            if path.stem in ("imaging", "subject"):
                folder = TOP / ("examples/imaging" if path.stem == "imaging" else "benchmarks/subject")
                sources = tuple(sorted(folder.glob("image*.c"))) + tuple(sorted(folder.glob("subject.c")))
            compile_flags, link_flags = _flags(origin)
            yield Candidate(origin, text, folder, sources=sources, compile_flags=compile_flags, link_flags=link_flags)


def _import_test(path: Path) -> ModuleType | None:
    """Imports a module of the tests; returns None if it cannot be imported alone."""
    name = ".".join(path.relative_to(TOP / "tests").with_suffix("").parts)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception:
        return None
    return module


def _from_modules() -> Iterator[Candidate]:
    seen: set[str] = set()
    for folder in SPEC_MODULES:
        for path in sorted((TOP / folder).rglob("*.py")):
            module = _import_test(path)
            for name, text in vars(module).items() if module is not None else ():
                if not (isinstance(text, str) and re.search(r"^module:", text, re.MULTILINE)) or text in seen:
                    continue
                seen.add(text)
                origin = f"{path.relative_to(TOP)}:{name}"
                header = getattr(module, f"{name}_HEADER", getattr(module, "HEADER", None))
                sources = _sources_of(path, text, origin)
                source = None if sources else getattr(module, "SOURCE", None)
                yield Candidate(
                    origin,
                    text,
                    path.parent,
                    header=header if isinstance(header, str) else None,
                    sources=sources,
                    source=source if isinstance(source, str) else None,
                )


def find_specs() -> list[Candidate]:
    """Returns all specs of the repository."""
    return [*_from_files(), *_from_modules()]


def find_candidates() -> list[Candidate]:
    """Returns all specs of the repository that mention an import."""
    return [each for each in find_specs() if "import:" in each.text]
