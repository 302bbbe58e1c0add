# SPDX-License-Identifier: MIT
"""The checked build with AddressSanitizer: each fault of a spec is found, and no design that is right is reported."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dlpack_bindgen.tools.config import cflags, python_cflags
from runtime.checked.builds import HERE, STRICT, compile_shared
from support.build import RUNTIME, SUFFIX, generate

LIBASAN = subprocess.run(
    ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=False
).stdout.strip() if shutil.which("gcc") else ""  # fmt: skip
pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not Path(LIBASAN).is_absolute(), reason="needs gcc with AddressSanitizer"
)
FLAGS = "-std=c11 -O1 -fno-omit-frame-pointer -DDLB_CHECKED -fsanitize=address".split()
Events = list[dict[str, Any]]


@pytest.fixture(scope="session")
def shed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the layer and a module, and returns their folder."""
    made = tmp_path_factory.mktemp("shed")
    includes = [*cflags(), *(f"-isystem{flag.removeprefix('-I')}" for flag in python_cflags())]
    checks = [RUNTIME / "checked" / f"{name}.c" for name in ("checked", "memory_map", "memory_asan")]
    layer = made / "libdlb_checked_asan.so"
    compile_shared(layer, "-std=gnu11", "-O2", *STRICT, "-DDLB_CHECKED", *includes, *checks, compiler=["gcc"])
    for name in ("shed.h", "shed.c"):
        shutil.copy(HERE / name, made)
    written = generate((HERE / "shed.yaml").read_text(), made)
    sources = [*(path for path in written if path.suffix == ".c"), made / "shed.c"]
    runtime = [RUNTIME / f"dlb_{name}.c" for name in ("core", "object", "call")]
    link = [f"-L{made}", "-ldlb_checked_asan", f"-Wl,-rpath,{made}"]
    compile_shared(made / f"shed{SUFFIX}", *FLAGS, *includes, f"-I{made}", *sources, *runtime, *link, compiler=["gcc"])
    return made


PRELUDE = """
import array, ctypes, gc, os, sys
sys.path.insert(0, os.environ["SHED"])
import shed
from shed import *
def floats(*values): return array.array("d", values)
def shorts(n): return array.array("h", [0] * n)
"""


def events(shed: Path, code: str, tmp_path: Path, **environment: str) -> Events:
    """Runs the code, and returns the lines of the log."""
    log = tmp_path / "log"
    own = {
        "LD_PRELOAD": LIBASAN,
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "PYTHONMALLOC": "malloc",
        "DLB_CHECKED_LOG": str(log),
        "SHED": str(shed),
    }
    subprocess.run(
        [sys.executable, "-c", PRELUDE + code],
        env={**os.environ, **own, **environment},
        capture_output=True,
        check=False,
        timeout=120,
    )
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def findings(found: Events) -> list[tuple[str, str]]:
    """Returns the check of each finding, and the function or the class."""
    return [
        (each["check"], str(each.get("function") or each.get("class")).removeprefix("py_shed_").removeprefix("shed."))
        for each in found
        if each["event"] == "finding"
    ]


WRONG = {
    "a constant array that is exported as writable": (
        "Lamp().__dlpack__(max_version=(1, 0))", [("readonly-memory", "Lamp")]),
    "bytes behind the memory": ("text()", [("bytes-outside", "text")]),
    "an access before the array": ("before(floats(1, 2))", [("beyond", "before")]),
    "an argument that C frees": ("free(floats(1, 2))", [("bad-access", "free")]),
    "the end of an output, in every call": (
        "for n in (4, 6, 8): half(shorts(n))", [("end-kept", "half")]),
    "memory of a living export": (
        "p = Pot(3)\na = p.__dlpack__(max_version=(1, 0))\np.spill()", [("moved", "pot_spill")]),
    "a second owner": (
        "c = Crane()\np = Pot(3)\nc.lift(p)\nq = c.load()\ndel p\ndel q", [("second-owner", "crane_load")]),
    "an object that C uses after its release": (
        "c = Crane()\np = Pot(3)\nc.lift(p)\ndel p\nc.weigh()", [("used-released", "Pot")]),
    "a method that frees its object": ("p = Pot(3)\np.smash()\ndel p", [("freed-before-release", "Pot")]),
    "the end of a new array that becomes a result": ("one_more(3)", [("beyond", "one_more")]),
    "a string on the stack": ("shed.print(12)", [("bad-access", "print")]),
    "a result that is copied": ("p = Pot(3)\ncopied_numbers(p)", [("bytes-outside", "copied_numbers")]),
    "a result that shows memory of an object": (
        "p = Pot(3)\na = p.numbers().__dlpack__(max_version=(1, 0))", [("export-outside", "pot_numbers")]),
    "a signal": ("shed.end()", [("signal", "end")]),
}  # fmt: skip
RIGHT = {
    "counted references": "p = Purse()\na = p.coin()\nb = p.coin()\nkeep = a.__dlpack__()\ndel a\ndel b, p, keep",
    "a borrowed object": "p = Pot(3)\nq = p.same_borrowed()\nkeep = q.__dlpack__()\ndel p, q, keep",
    "shared elements": (
        "for i in range(3):\n s = Share()\n t = s.again()\n keep = [x.__dlpack__() for x in (s, t)]\n"
        " del keep, s\n u = t.again()\n del t, u"
    ),
    "a pool": "for i in range(3):\n s = [Slip() for i in range(9)]\n keep = [x.__dlpack__() for x in s]\n del s, keep",
    "a part that moves": "w = Window()\na = w.__dlpack__()\nw.slide(3)\nb = w.__dlpack__()\nw.slide(1)",
    "constant elements": "DimLamp().__dlpack__(max_version=(1, 0))",
    "no elements": "a = Pot(0).__dlpack__()\ntotal(floats())\ntwice(floats())",
    "equal arguments": "x = floats(1, 2, 3)\nshift(x, x)\nassert list(x) == [2, 3, 4]",
    "arguments that overlap in part": (
        "x = floats(*range(6))\nm = memoryview(x)\nshift(m[1:], m[:5])\nassert list(x) == list(range(6)), x\n"
        "shift(m[:5], m[1:])\nassert list(x) == [2, 3, 4, 5, 6, 5], x"
    ),
    "outputs that count": "for i in range(4): tally(bytes([1, 1, 2]))",
    "outputs of which one element is set": "for i in range(8): mark(i % 5, 5)",
    "a new array of a call within a call": (
        "class Number:\n def __index__(self):\n  assert memoryview(first_half(2))[0] == 1\n  return 4\n"
        "assert list(memoryview(first_half(Number())))[:2] == [1, 2]"
    ),
    "bytes of the whole memory": "assert len(text_of_16()) == 16",
    "lists of numbers": "assert total([1, 2, 3]) == 6\nassert total((4.0,)) == 4",
    "an output that is given": "x = floats(1, 2, 3)\ntwice(x)\nassert list(x) == [2, 4, 6]",
    "an object that C uses while it lives": "c = Crane()\np = Pot(3)\nc.lift(p)\nassert c.weigh() == 3",
    "a child of fork()": (
        "p = Pot(3)\nif os.fork() == 0:\n del p\n total(floats(1, 2))\n sys.exit()\nos.wait()\ntotal(floats(1))"
    ),
    "many objects": "p = [Pot(2) for i in range(2000)]\na = [x.__dlpack__() for x in p]\ntotal(floats(1))\ndel p, a",
    "threads": (
        "import threading\ndef work():\n for i in range(200):\n  p = Pot(3)\n  a = p.__dlpack__()\n"
        "  total(floats(1, 2))\n"
        "t = [threading.Thread(target=work) for i in range(4)]\n[x.start() for x in t]\n[x.join() for x in t]"
    ),
}


@pytest.mark.parametrize("name", [name for name, (_, expected) in WRONG.items() if expected is not None])
def test_a_fault_is_found(shed: Path, tmp_path: Path, name: str) -> None:
    code, expected = WRONG[name]
    assert findings(events(shed, code, tmp_path)) == expected


@pytest.mark.parametrize("pattern", ["0", "1"])
@pytest.mark.parametrize("name", [name for name, code in RIGHT.items() if code])
def test_a_right_design_is_not_reported(shed: Path, tmp_path: Path, name: str, pattern: str) -> None:
    end = "\nprint('end', file=open(os.environ['DLB_CHECKED_LOG'] + '.end', 'w'))"
    found = events(shed, RIGHT[name] + end, tmp_path, DLB_CHECKED_PATTERN=pattern)
    assert findings(found) == []
    assert (tmp_path / "log.end").exists(), "the code did not reach its end"


def test_an_output_with_unset_elements_needs_two_calls(shed: Path, tmp_path: Path) -> None:
    code = "for n in (4, 5, 3): slopes(floats(*[i * i for i in range(n)]))"
    (found,) = [each for each in events(shed, code, tmp_path, DLB_CHECKED_PATTERN="1") if each["event"] == "finding"]
    assert (found["check"], found["argument"], found["kept"]) == ("unset", "out", 1)


def test_a_new_output_is_zero_where_c_sets_nothing(shed: Path, tmp_path: Path) -> None:
    code = "import struct\nassert list(memoryview(slopes(floats(1, 3)))) == [2, 0]"
    assert findings(events(shed, code, tmp_path, DLB_CHECKED_PATTERN="1")) == []


def test_a_finding_has_what_a_report_needs(shed: Path, tmp_path: Path) -> None:
    code = "c = Crane()\np = Pot(3)\nc.lift(p)\ndel p\nc.weigh()"
    (found,) = [each for each in events(shed, code, tmp_path) if each["event"] == "finding"]
    assert found["passed"] == {"function": "py_shed_crane_lift", "argument": "load"}
    assert (found["by"], found["in"], found["symbol"]) == ("py_shed_pot_new", "py_shed_crane_weigh", "crane_weigh")


def finding(shed: Path, tmp_path: Path, code: str, **environment: str) -> dict[str, Any]:
    """Returns the only finding of the code."""
    (tmp_path / "log").unlink(missing_ok=True)
    (found,) = [each for each in events(shed, code, tmp_path, **environment) if each["event"] == "finding"]
    return found


def test_a_call_that_freed_its_object_is_named(shed: Path, tmp_path: Path) -> None:
    found = finding(shed, tmp_path, "p = Pot(3)\np.smash()\nPot(2).spill()\ndel p")
    assert found["passed"] == {"function": "py_shed_pot_smash", "argument": "self"}
    assert (found["freed"], found["failed"]) == (1, 0)


def test_a_running_call_that_freed_its_object_is_named(shed: Path, tmp_path: Path) -> None:
    found = finding(shed, tmp_path, "c = Crane()\np = Pot(3)\nc.lift(p)\np.smash()\nc.weigh()")
    assert found["passed"] == {"function": "py_shed_pot_smash", "argument": "self"}


def test_a_new_array_with_unset_elements_is_reported(shed: Path, tmp_path: Path) -> None:
    code = "for n in (4, 6, 8): first_half(n)"
    found = finding(shed, tmp_path, code, DLB_CHECKED_PATTERN="1")
    assert (found["check"], found["argument"], found["kept"], found["of"]) == ("unset", "out", 4, 8)


def test_a_new_array_has_zeros_where_c_sets_nothing(shed: Path, tmp_path: Path) -> None:
    code = "assert list(memoryview(first_half(4))) == [1, 2, 0, 0]"
    assert findings(events(shed, code, tmp_path, DLB_CHECKED_PATTERN="1")) == []


def test_a_variable_on_the_stack_is_named(shed: Path, tmp_path: Path) -> None:
    found = finding(shed, tmp_path, "shed.print(12)")
    assert (found["kind"], found["variable"], found["symbol"]) == ("stack-buffer-overflow", "out", "shed_print")


def test_a_copied_array_is_not_reported_as_bytes(shed: Path, tmp_path: Path) -> None:
    assert finding(shed, tmp_path, "p = Pot(3)\ncopied_numbers(p)")["array"] == 1
    assert finding(shed, tmp_path, "text()")["array"] == 0


def test_a_log_tells_that_a_finding_explains_the_end(shed: Path, tmp_path: Path) -> None:
    for code, ends in (("shed.end()", 1), ("before(floats(1, 2))", 1), ("copied_numbers(Pot(3))", 1), ("Pot(3)", 0)):
        (tmp_path / "log").unlink(missing_ok=True)
        assert sum(each["event"] == "ends" for each in events(shed, code, tmp_path)) == ends, code


def test_counts_survive_the_process(shed: Path, tmp_path: Path) -> None:
    found = events(shed, "total(floats(1))\ntotal(floats(2))\nshed.end()", tmp_path)
    counts = {
        (each["check"], each.get("argument")): each["count"]
        for each in found
        if each["event"] == "confirmed" and each["subject"] == "py_shed_total"
    }
    assert counts == {("calls", None): 2, ("unchanged", "x"): 2, ("unused-later", "x"): 2, ("within", "x"): 2}


def test_an_array_without_a_shadow_has_a_name_too(shed: Path, tmp_path: Path) -> None:
    """An array that overlaps another one in part gets to C itself; a later access is found by its address."""
    code = "x = memoryview(floats(*range(4)))\nshift(x[1:], x[:3])"
    assert findings(events(shed, code, tmp_path)) == []


def test_the_layer_calls_no_function_of_python(shed: Path) -> None:
    done = subprocess.run(
        ["nm", "-D", "--undefined-only", shed / "libdlb_checked_asan.so"], capture_output=True, text=True, check=True
    )
    assert not [line for line in done.stdout.splitlines() if line.split()[-1].startswith(("Py", "_Py"))]
