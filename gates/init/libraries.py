# SPDX-License-Identifier: MIT
"""Reads the libraries of `make init-report`: their headers, their objects, and the arrays that are expected of these.

`PYTHONPATH=gates python -m init.libraries [NAME ...]` checks the expected arrays, without the generator. A C program
makes each object. It compares each value with the element that the library itself returns, and with the memory at the
expected strides.
"""

from __future__ import annotations

import functools
import itertools
import operator
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
LIBRARIES = HERE / "libraries"
COMPILER = "gcc"

C_TYPES = {
    "int8": "int8_t",
    "uint8": "uint8_t",
    "int16": "int16_t",
    "uint16": "uint16_t",
    "int32": "int32_t",
    "uint32": "uint32_t",
    "int64": "int64_t",
    "uint64": "uint64_t",
    "float32": "float",
    "float64": "double",
    "complex64": "float complex",
    "complex128": "double complex",
}
"""Maps each dtype to its C type."""


@dataclass(frozen=True)
class Array:
    """An array. Its strides count elements, and its values are in row-major order."""

    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    values: tuple[complex, ...]
    readonly: bool

    def reversed(self) -> Array:
        """Returns the transposed array, which shows the same memory with its axes in reverse order."""
        places = itertools.product(*(range(n) for n in reversed(self.shape)))
        values = tuple(self.values[_flat(tuple(reversed(place)), self.shape)] for place in places)
        return replace(self, shape=self.shape[::-1], strides=self.strides[::-1], values=values)

    def equals(self, other: Array) -> bool:
        """Returns whether the arrays are equal. Strides of axes with fewer than two elements have no meaning."""
        return replace(self, strides=()) == replace(other, strides=()) and all(
            a == b for a, b, extent in zip(self.strides, other.strides, self.shape, strict=True) if extent > 1
        )


@dataclass(frozen=True)
class Object:
    """An array of one C object. `new` and `read` complete the names of the functions of `objects.c`."""

    name: str
    doc: str
    c_type: str
    new: str
    read: str
    expected: tuple[Array, ...]
    """The arrays that are right. The first is the one whose elements `at_READ()` returns."""
    copied: bool
    """The export is a copy, because no strides describe the memory."""


@dataclass(frozen=True)
class Library:
    """One folder of `libraries/`."""

    folder: Path
    title: str
    note: str
    package: str
    header: str
    pkg_config: str | None
    cflags: tuple[str, ...]
    link: tuple[str, ...]
    objects: tuple[Object, ...]

    @property
    def name(self) -> str:
        return self.folder.name

    def compiler_flags(self) -> list[str] | None:
        """Returns the compiler flags; None if pkg-config does not know the library."""
        return self._flags("--cflags", self.cflags)

    def linker_flags(self) -> list[str] | None:
        """Returns the linker flags; None if pkg-config does not know the library."""
        return self._flags("--libs", self.link)

    def _flags(self, option: str, own: tuple[str, ...]) -> list[str] | None:
        if self.pkg_config is None:
            return list(own)
        run = subprocess.run(["pkg-config", option, self.pkg_config], capture_output=True, text=True, check=False)
        return [*shlex.split(run.stdout), *own] if run.returncode == 0 else None

    def is_installed(self) -> bool:
        """Returns whether the compiler finds the header."""
        flags = self.compiler_flags()
        if flags is None:
            return False
        source = f"#include <{self.header}>\n"
        command = [COMPILER, *flags, "-E", "-x", "c", "-o", "/dev/null", "-"]
        return subprocess.run(command, input=source, capture_output=True, text=True, check=False).returncode == 0


def load(names: list[str]) -> list[Library]:
    """Returns the libraries of these names, or all libraries if there are no names."""
    return [_library(path) for path in sorted(LIBRARIES.iterdir()) if not names or path.name in names]


def _library(folder: Path) -> Library:
    content = yaml.safe_load((folder / "library.yaml").read_text())
    known = {"library", "note", "package", "header", "pkg_config", "cflags", "link", "objects"}
    if unknown := set(content) - known:
        raise ValueError(f"{folder.name}/library.yaml: unknown keys {sorted(unknown)}")
    return Library(
        folder=folder,
        title=content["library"],
        note=content.get("note", ""),
        package=content["package"],
        header=content["header"],
        pkg_config=content.get("pkg_config"),
        cflags=tuple(content.get("cflags", ())),
        link=tuple(content.get("link", ())),
        objects=tuple(_object(name, value) for name, value in content["objects"].items()),
    )


def _object(name: str, content: dict[str, Any]) -> Object:
    known = {
        "doc",
        "type",
        "new",
        "read",
        "dtype",
        "shape",
        "strides",
        "values",
        "readonly",
        "copied",
        "either_order",
        "alternatives",
    }
    if unknown := set(content) - known:
        raise ValueError(f"object {name}: unknown keys {sorted(unknown)}")
    readonly = content.get("readonly", False)
    arrays = [_array(each, readonly) for each in (content, *content.get("alternatives", ()))]
    if content.get("either_order", False):
        arrays.append(arrays[0].reversed())
    return Object(
        name=name,
        doc=content["doc"],
        c_type=content["type"],
        new=content.get("new", name),
        read=content.get("read", name),
        expected=tuple(arrays),
        copied=content.get("copied", False),
    )


def _array(content: dict[str, Any], readonly: bool) -> Array:
    shape = tuple(content["shape"])
    values = tuple(_leaves(content["values"]))
    if len(values) != functools.reduce(operator.mul, shape, 1) or _shape(content["values"]) != shape:
        raise ValueError(f"{content['doc']}: the values do not have the shape {list(shape)}")
    return Array(content["dtype"], shape, tuple(content["strides"]), values, readonly)


def _leaves(values: Any) -> Iterator[complex]:
    if isinstance(values, list):
        for value in values:
            yield from _leaves(value)
    else:
        yield complex(values) if isinstance(values, str) else values


def _shape(values: Any) -> tuple[int, ...]:
    return (len(values), *_shape(values[0])) if isinstance(values, list) else ()


def _flat(place: tuple[int, ...], shape: tuple[int, ...]) -> int:
    return functools.reduce(lambda flat, axis: flat * axis[1] + axis[0], zip(place, shape, strict=True), 0)


# ---- The check of the expected arrays ----


def checking_program(library: Library) -> str:
    """Returns a C program that compares each expected array with the library's own view of the object."""
    lines = ['#include "objects.c"', "#include <complex.h>", "#include <stdint.h>", "#include <stdio.h>"]
    lines += ["static int wrong;", *(_checking_function(each) for each in library.objects)]
    calls = "".join(f"    check_{each.name}();\n" for each in library.objects)
    return "\n".join([*lines, f"int main(void)\n{{\n{calls}    return wrong;\n}}\n"])


def _checking_function(thing: Object) -> str:
    lines = [
        f"static void check_{thing.name}(void)",
        "{",
        f"    {thing.c_type} *object = new_{thing.new}();",
        '    if (object == NULL) { printf("%s: not made\\n", "' + thing.name + '"); wrong = 1; return; }',
        f"    const void *first = first_{thing.read}(object);",
    ]
    for number, array in enumerate(thing.expected):
        c_type = C_TYPES[array.dtype]
        for place in itertools.product(*(range(n) for n in array.shape)):
            value = array.values[_flat(place, array.shape)]
            offset = sum(i * stride for i, stride in zip(place, array.strides, strict=True))
            where = f"{thing.name}[{', '.join(map(str, place))}]"
            constant = (
                f"({c_type})({value.real!r} + {value.imag!r} * I)"
                if isinstance(value, complex)
                else f"({c_type}){value!r}"
            )
            if not thing.copied:
                lines.append(
                    f"    if (((const {c_type} *)first)[{offset}] != {constant})"
                    f' {{ printf("{where} of array {number}: other memory\\n"); wrong = 1; }}'
                )
            if number == 0:
                index = f"(const size_t[]){{{', '.join(map(str, place)) or '0'}}}"
                lines.append(
                    f"    if (({c_type})at_{thing.read}(object, {index}) != {constant})"
                    f' {{ printf("{where}: other element\\n"); wrong = 1; }}'
                )
    return "\n".join([*lines, "}", ""])


def check(library: Library) -> str:
    """Returns the difference between the expected arrays and the library; the empty string if there is none."""
    flags, link = library.compiler_flags(), library.linker_flags()
    assert flags is not None
    assert link is not None
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "check.c"), Path(folder, "check")
        source.write_text(checking_program(library))
        command = [
            COMPILER,
            "-g",
            "-w",
            "-fmax-errors=3",
            "-fsanitize=address,undefined",
            f"-I{library.folder}",
            *flags,
            source,
            "-o",
            program,
            *link,
            "-lm",
        ]
        # A library that is preloaded is for the Python process, and not for the compiler or the program.
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        compiled = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if compiled.returncode:
            return compiled.stderr
        # Objects live until the end of the program.
        run = subprocess.run(
            [program], capture_output=True, text=True, check=False, env={"ASAN_OPTIONS": "detect_leaks=0"}
        )
        return "" if run.returncode == 0 else f"{run.stdout}{run.stderr}" or f"exit status {run.returncode}"


def main(names: list[str]) -> int:
    """Checks the libraries of these names, or all of them. Returns the exit status."""
    if shutil.which(COMPILER) is None:
        print(f"there is no {COMPILER}")
        return 1
    failures = 0
    for library in load(names):
        if not library.is_installed():
            print(f"{library.name}: not installed: apt install {library.package}")
            continue
        difference = check(library)
        failures += bool(difference)
        print(f"{library.name}: {difference or 'as expected'}")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
