# SPDX-License-Identifier: MIT
"""Exports the objects of a library with emitted C functions, and compares the exports with the expected arrays."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from init.libraries import COMPILER, Array, Library, Object

SECONDS = 20

PROGRAM = r"""
#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_element(const char *at, DLDataType dtype)
{
    int bytes = dtype.bits / 8;
    long double real = 0, imaginary = 0;
    if (dtype.code == kDLFloat || dtype.code == kDLComplex) {
        int part = dtype.code == kDLComplex ? bytes / 2 : bytes;
        for (int i = 0; i < bytes / part; i++) {
            long double value = 0;
            float single;
            double wide;
            if (part == 4) { memcpy(&single, at + i * part, 4); value = single; }
            if (part == 8) { memcpy(&wide, at + i * part, 8); value = wide; }
            if (i == 0) real = value; else imaginary = value;
        }
        printf("[%.17Lg, %.17Lg]", real, imaginary);
        return;
    }
    uint64_t number = 0;
    memcpy(&number, at, (size_t)(bytes < 8 ? bytes : 8));
    if (dtype.code == kDLInt && bytes < 8 && (number >> (8 * bytes - 1)))
        number |= ~UINT64_C(0) << (8 * bytes);
    if (dtype.code == kDLInt)
        printf("%lld", (long long)number);
    else
        printf("%llu", (unsigned long long)number);
}

static void print_elements(const DLTensor *t, int axis, const char *at, int *count)
{
    if (axis == t->ndim) {
        printf("%s", (*count)++ ? ", " : "");
        print_element(at, t->dtype);
        return;
    }
    for (int64_t i = 0; i < t->shape[axis]; i++)
        print_elements(t, axis + 1, at + i * t->strides[axis] * (t->dtype.bits / 8), count);
}

static int print_export(int status, const DLManagedTensorVersioned *m, const dlb_error *error)
{
    if (status != 0) {
        printf("{\"refused\": \"");
        for (const char *c = error->message; *c != '\0'; c++)
            printf(*c == '"' || *c == '\\' ? "\\%c" : (unsigned char)*c < ' ' ? " " : "%c", *c);
        printf("\"}\n");
        return 0;
    }
    const DLTensor *t = &m->dl_tensor;
    printf("{\"code\": %d, \"bits\": %d, \"lanes\": %d, \"device\": %d, \"flags\": %llu, \"axes\": [", t->dtype.code,
           t->dtype.bits, t->dtype.lanes, (int)t->device.device_type, (unsigned long long)m->flags);
    int64_t size = 1, compact[64];
    for (int i = t->ndim - 1; i >= 0; i--) {
        compact[i] = size;
        size *= t->shape[i];
    }
    for (int i = 0; i < t->ndim; i++)
        printf("%s[%lld, %lld]", i ? ", " : "", (long long)t->shape[i],
               (long long)(t->strides != NULL ? t->strides[i] : compact[i]));
    printf("], \"size\": %lld", (long long)size);
    fflush(stdout);
    DLTensor strided = *t;
    if (t->strides == NULL)
        strided.strides = compact;
    int count = 0;
    printf(", \"values\": [");
    if (size < 10000 && t->dtype.bits >= 8 && t->device.device_type == kDLCPU)
        print_elements(&strided, 0, (const char *)t->data + t->byte_offset, &count);
    printf("]}\n");
    return 0;
}
"""


@dataclass(frozen=True)
class Export:
    """The export of one object. `difference` is the empty string if the export is right."""

    name: str
    difference: str

    @property
    def is_right(self) -> bool:
        return not self.difference


@dataclass(frozen=True)
class ExportFunction:
    """A C function `NAME_to_dlpack(self, more parameters, out, error)` of an emitted header."""

    name: str
    self_type: str
    parameters: int
    """The number of further parameters between the object and `out`."""


def export_functions(header: str) -> list[ExportFunction]:
    """Returns the export functions that an emitted header declares."""
    found = re.findall(r"\bint (\w+)_to_dlpack\(([^;]*?),\s*DLManagedTensorVersioned \*\*out", header)
    functions = []
    for name, parameters in found:
        first, *others = re.sub(r"/\*.*?\*/", "", parameters, flags=re.DOTALL).split(",")
        functions.append(ExportFunction(name, re.sub(r"\bself\b", "", first).strip(), len(others)))
    return functions


def run(library: Library, generated: Path, flags: Sequence[str], runtime: Sequence[str]) -> tuple[Export, ...]:
    """Exports each object of a library with each class of its C type. Returns the best export of each object."""
    if not library.objects:
        return ()
    (header,) = generated.glob("*_dlpack.h")
    functions = export_functions(header.read_text())
    program = generated / "exports"
    problem = _compile(library, generated, header.name, functions, flags, runtime, program)
    if problem:
        return tuple(Export(thing.name, f"the program does not compile: {problem}") for thing in library.objects)
    return tuple(
        _best(thing, [_export(program, number, index) for index in range(len(functions))])
        for number, thing in enumerate(library.objects)
    )


def _compile(
    library: Library,
    generated: Path,
    header: str,
    functions: Sequence[ExportFunction],
    flags: Sequence[str],
    runtime: Sequence[str],
    program: Path,
) -> str:
    source = generated / "exports.c"
    source.write_text(program_source(library, header, functions))
    emitted = generated / header.replace("_dlpack.h", "_dlpack.c")
    command = [
        COMPILER, "-g", "-w", "-fmax-errors=1", f"-I{generated}", f"-I{library.folder}", *flags,
        *(library.compiler_flags() or []), source, emitted, *runtime, "-o", program,
        *(library.linker_flags() or []), "-lm", "-lpthread",
    ]  # fmt: skip
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in compiled.stderr.splitlines() if "error" in line or "undefined" in line]
    # Names of folders differ from run to run, and the linker's quotes would be Markdown.
    return "" if compiled.returncode == 0 else re.sub(r"/\S*/", "", (lines or ["no message"])[0]).replace("`", "'")


def program_source(library: Library, header: str, functions: Sequence[ExportFunction]) -> str:
    """Returns a C program. Its arguments are the numbers of an object and of an export function."""
    cases = "".join(
        f"    if (object == {number} && function == {index}) {{ {_call(thing, function)} }}\n"
        for number, thing in enumerate(library.objects)
        for index, function in enumerate(functions)
    )
    return (
        f'#include "{header}"\n#include "objects.c"\n{PROGRAM}\n'
        "int main(int argc, char **argv)\n{\n"
        "    int object = atoi(argv[1]), function = atoi(argv[2]);\n"
        "    DLManagedTensorVersioned *out = NULL;\n    dlb_error error = {0};\n"
        f"{cases}    return argc;\n}}\n"
    )


def _call(thing: Object, function: ExportFunction) -> str:
    """Returns the statements that make an object and export it, or that report another C type."""
    kind = function.self_type
    same = " || ".join(
        f"__builtin_types_compatible_p({kind}, {other})"
        for other in (f"{thing.c_type} *", f"const {thing.c_type} *", thing.c_type)
    )
    # A typedef can hide a pointer, and a small struct can be passed by value.
    by_pointer = f"__builtin_types_compatible_p({kind}, {thing.c_type} *)"
    argument = "(void *)it" if kind.endswith("*") else f"*({kind} *)({by_pointer} ? (void *)&it : (void *)it)"
    zeros = ", 0" * function.parameters
    return (
        f'if (!({same})) {{ puts("{{}}"); return 0; }} {thing.c_type} *it = new_{thing.new}(); '
        f"int status = {function.name}_to_dlpack({argument}{zeros}, &out, &error); "
        "return print_export(status, out, &error);"
    )


def _export(program: Path, number: int, index: int) -> dict[str, Any]:
    """Exports one object with one function. Returns what the program printed; an empty dict for another C type."""
    command = [program, str(number), str(index)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return {"refused": "the export does not end"}
    if done.returncode:
        return {"refused": f"the export ends the process with status {done.returncode}"}
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def _best(thing: Object, results: Sequence[dict[str, Any]]) -> Export:
    """Returns a right export if there is one, else the first export, with its difference."""
    differences = [difference(thing, result) for result in results if result]
    if not differences:
        return Export(thing.name, f"no class of the type {thing.c_type}")
    return Export(thing.name, "" if "" in differences else differences[0])


def difference(thing: Object, result: dict[str, Any]) -> str:
    """Returns the difference between an export and the closest expected array; the empty string if there is none."""
    if "refused" in result:
        return f"refused: {result['refused']}"
    if result["device"] != 1:
        return f"the device type is {result['device']}"
    if bool(result["flags"] & 2) != thing.copied:
        return "the export is not a copy" if thing.copied else "the export is a copy"
    array = exported_array(result)
    if any(array.equals(expected) for expected in thing.expected):
        return ""
    return _first_difference(array, thing.expected[0])


def exported_array(result: dict[str, Any]) -> Array:
    """Returns the array of an export."""
    names = {0: "int", 1: "uint", 2: "float", 5: "complex", 6: "bool"}
    dtype = f"{names.get(result['code'], 'code ')}{result['bits']}"
    if result["lanes"] != 1:
        dtype += f"x{result['lanes']}"
    values = tuple(_value(value, dtype) for value in result["values"])
    shape = tuple(extent for extent, _ in result["axes"])
    strides = tuple(stride for _, stride in result["axes"])
    return Array(dtype, shape, strides, values, readonly=bool(result["flags"] & 1))


def _value(printed: Any, dtype: str) -> complex:
    if not isinstance(printed, list):
        return int(printed)
    return complex(*printed) if dtype.startswith("complex") else float(printed[0])


def _first_difference(array: Array, expected: Array) -> str:
    for name in ("dtype", "shape", "strides", "readonly", "values"):
        found, wanted = getattr(array, name), getattr(expected, name)
        if found != wanted:
            if name == "readonly":
                return "read-only" if found else "writable, but the data is const"
            return f"{name} {_shown(found)} instead of {_shown(wanted)}"
    return "another array"


def _shown(value: Any) -> str:
    if not isinstance(value, tuple):
        return str(value)
    shown = ", ".join(map(str, value[:6]))
    return f"[{shown}{', ...' if len(value) > 6 else ''}]"
