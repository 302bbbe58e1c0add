"""The command `try`: its exit codes, its processes, and its report as text and as JSON."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from dlpack_bindgen.cli import main
from dlpack_bindgen.tools.try_ import rounds
from dlpack_bindgen.tools.try_.build import read_inputs, ways_of
from dlpack_bindgen.tools.try_.report import schema
from try_.builds import shared_library

HEADER = """
#pragma once
#include <stddef.h>
typedef struct box { double *values; int n; } box;
box *box_new(int n);
void box_free(box *b);
double box_sum(const box *b);
double box_at(const box *b, int index);
int box_stop(int code);
int box_abort(int code);
int box_spin(int turns);
int box_product(int a);
"""
SOURCE = """
#include "box.h"
#include <stdlib.h>
box *box_new(int n)
{
    if (n < 1) return NULL;
    box *b = malloc(sizeof *b);
    b->n = n;
    b->values = calloc((size_t)n, sizeof(double));
    return b;
}
void box_free(box *b) { free(b->values); free(b); }
double box_sum(const box *b)
{
    double sum = 0;
    for (int i = 0; i < b->n; i++) sum += b->values[i];
    return sum;
}
double box_at(const box *b, int index) { return b->values[index]; }
int box_stop(int code) { exit(code + 3); }
int box_abort(int code) { if (code < 100) abort(); return code; }
int box_spin(int turns) { volatile int on = turns < 100; while (on) { } return turns; }
int box_product(int a) { return a * 2000000000; }
"""
SPEC = """
dlpack-bindgen: 1
module: box
include: [box.h]
tensors:
  Box:
    type: box
    data: self->values
    dtype: float64
    shape: [self->n]
    release: box_free(self)
    new: {c: "box *box_new(int n)"}
    methods:
      sum: {c: "double box_sum(const box *b)"}
"""
AT = '      at: {c: "double box_at(const box *b, int index)"}\n'


def function(name: str, parameter: str) -> str:
    return f'functions:\n  {name}: {{c: "int box_{name}(int {parameter})"}}\n'


@pytest.fixture(autouse=True)
def box(try_folder: Path) -> None:
    """Writes the files of the library to the working directory."""
    (try_folder / "box.h").write_text(HEADER)
    (try_folder / "box.c").write_text(SOURCE)
    (try_folder / "box.yaml").write_text(SPEC)


def run(*arguments: str, words: tuple[str, ...] = ("box.c", "-I."), calls: int = 60) -> tuple[int, dict[str, Any]]:
    """Runs the command. Returns its exit code and its report."""
    path = Path("report.json")
    code = main(["try", "box.yaml", "--calls", str(calls), "--json", str(path), *arguments, "--", *words])
    return code, json.loads(path.read_text()) if path.exists() else {}


def claims(report: dict[str, Any], state: str) -> list[dict[str, Any]]:
    return [each for each in report["claims"] if each["state"] == state]


# ---- Findings and exit codes ----


def test_a_right_spec_ends_with_0_and_has_confirmed_claims() -> None:
    code, report = run()
    assert code == 0
    assert claims(report, "refuted") == []
    assert {each["kind"] for each in claims(report, "confirmed")} >= {"export", "owner", "released", "values"}


def test_a_refuted_claim_ends_with_1_at_its_line_with_the_call(capfd: pytest.CaptureFixture[str]) -> None:
    Path("box.yaml").write_text(SPEC + AT)
    code, report = run(calls=150)
    assert code == 1
    (found,) = claims(report, "refuted")
    assert (found["subject"], found["argument"], found["key"]) == ("Box.at", "index", "require")
    assert found["place"] == {"file": "box.yaml", "line": 15, "column": 15}
    assert "at(" in found["seen"][-1]
    text = capfd.readouterr().out
    assert "refuted       Box.at, argument `index`" in text
    assert "box.yaml:15:15" in text


def test_two_runs_give_the_same_json_which_the_schema_describes() -> None:
    Path("box.yaml").write_text(SPEC + AT)
    _, first = run(calls=80)
    _, second = run(calls=80)
    assert first == second
    jsonschema_rs.validator_for(schema()).validate(first)


def test_a_library_that_is_only_linked_is_run_with_forbidden_pages() -> None:
    Path("box.yaml").write_text(SPEC + AT)
    shared_library(Path(), "box", "box.c")
    code, report = run(words=("-L.", "-lbox", "-I."), calls=150)
    assert code == 1
    (found,) = claims(report, "refuted")
    assert (found["subject"], found["argument"]) == ("Box.at", "index")


def test_a_function_that_aborts_is_refuted() -> None:
    Path("box.yaml").write_text(SPEC + function("abort", "code"))
    code, report = run()
    assert code == 1
    (found,) = claims(report, "refuted")
    assert (found["subject"], found["argument"]) == ("abort", "code")
    assert "SIGABRT" in found["text"]


def test_a_function_that_exits_is_not_exercised() -> None:
    Path("box.yaml").write_text(SPEC + function("stop", "code"))
    code, report = run()
    assert code == 0
    (target,) = (each for each in report["targets"] if each["name"] == "stop")
    assert target["returned"] == 0
    assert re.fullmatch(
        r"stop\(-?\d\): it ended the process with exit code \d+ \(--seed 1 --only stop\)", target["reason"]
    )


def test_a_function_that_hangs_is_not_exercised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "SECONDS_OF_STEP", 3)
    Path("box.yaml").write_text(SPEC + function("spin", "turns"))
    code, report = run()
    assert code == 0
    (target,) = (each for each in report["targets"] if each["name"] == "spin")
    assert re.fullmatch(r"spin\(-?\d\): it did not return within 3 s \(--seed 1 --only spin\)", target["reason"])


def test_a_function_that_hangs_after_calls_that_returned_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "SECONDS_OF_STEP", 3)
    Path("box.c").write_text(
        SOURCE.replace("turns < 100;", "++spins == 3;").replace("int box_spin", "static int spins;\nint box_spin")
    )
    Path("box.yaml").write_text(SPEC + function("spin", "turns"))
    _, report = run()
    (target,) = (each for each in report["targets"] if each["name"] == "spin")
    assert target["returned"] == 2
    assert re.match(r"spin\(-?\d\): it did not return within 3 s", target["reason"])


@pytest.mark.parametrize("option", ["--only", "--skip"])
def test_an_unknown_name_is_a_failure_with_the_nearest_one(option: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["try", "box.yaml", option, "Bxo.close", "--", "box.c", "-I."]) == 2
    assert f"{option} Bxo.close: the specs have no function and no class of this name; did you mean" in (
        capfd.readouterr().err
    )


def test_a_missing_dlpack_h_is_a_failure_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DLPACK_INCLUDE", "nowhere")
    assert main(["try", "box.yaml", "--", "box.c", "-I."]) == 2
    assert "DLPACK_INCLUDE is nowhere" in capfd.readouterr().err


def test_an_overflow_in_the_library_refutes_nothing() -> None:
    Path("box.yaml").write_text(SPEC + function("product", "a"))
    code, report = run()
    assert code == 0
    assert any("signed integer overflow" in line and line.startswith("box.c:") for line in report["library"])


# ---- What cannot run: exit code 2 ----


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["box.yaml", "--python", "/nowhere/python", "--", "box.c"],
            "--python /nowhere/python does not run as a Python",
        ),
        (["box.yaml", "--", "other.c"], "there is no file other.c"),
        (["box.yaml", "--with", "other.py", "--", "box.c", "-I."], "--with: there is no file other.py"),
        (["other.yaml", "--", "box.c"], "cannot read other.yaml"),
    ],
)
def test_a_missing_file_is_a_failure(arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["try", *arguments]) == 2
    assert sentence in capfd.readouterr().err


def test_a_missing_compiler_is_a_failure_with_its_package(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert main(["try", "box.yaml", "--", "box.c", "-I."]) == 2
    assert "apt install gcc" in capfd.readouterr().err


def test_a_spec_with_mistakes_is_not_run(capfd: pytest.CaptureFixture[str]) -> None:
    Path("box.yaml").write_text(SPEC.replace("shape:", "shapes:"))
    assert main(["try", "box.yaml", "--", "box.c", "-I."]) == 2
    assert "box.yaml:10:5: error:" in capfd.readouterr().err


def test_an_error_of_the_compiler_stands_at_its_key(capfd: pytest.CaptureFixture[str]) -> None:
    Path("box.yaml").write_text(SPEC.replace("self->values", "self->valeus"))
    assert main(["try", "box.yaml", "--", "box.c", "-I."]) == 2
    assert "box.yaml:8:17: error:" in capfd.readouterr().err


def test_an_error_in_the_library_is_that_of_the_compiler(capfd: pytest.CaptureFixture[str]) -> None:
    Path("box.c").write_text(SOURCE.replace("malloc(sizeof *b)", "malloc(sizeof *c)"))
    assert main(["try", "box.yaml", "--", "box.c", "-I."]) == 2
    assert "the C compiler refused box.c" in capfd.readouterr().err


def test_a_library_that_is_left_out_is_a_failure_in_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["try", "box.yaml", "--", "-I."]) == 2
    printed = capfd.readouterr().err
    assert "the module cannot be imported: " in printed
    assert "undefined symbol: box_" in printed
    assert "Traceback" not in printed


def test_a_fault_of_the_command_is_not_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("seeded")

    monkeypatch.setattr(rounds, "_read", fail)
    assert main(["try", "box.yaml", "--", "box.c", "-I."]) == 2
    assert "please report it" in capfd.readouterr().err


# ---- The user's test ----


def test_a_script_runs_as_main_in_an_empty_folder() -> None:
    Path("use.py").write_text(
        "import os, sys\n"
        "import box\n"
        "assert __name__ == '__main__'\n"
        "assert sys.argv[1:] == ['one', 'two words']\n"
        "assert os.listdir('.') == [] and os.getcwd() == os.environ['HOME']\n"
        "assert sys.stdin.read() == ''\n"
        "assert 'LD_PRELOAD' not in os.environ\n"
        "assert box.Box(3).sum() == 0\n"
    )
    code, report = run("--with", "use.py one 'two words'", calls=0)
    assert code == 0
    assert claims(report, "confirmed")


def test_a_test_of_pytest_finds_a_wrong_spec() -> None:
    Path("box.yaml").write_text(SPEC + AT)
    Path("test_box.py").write_text("import box\n\ndef test_at():\n    box.Box(3).at(3)\n")
    code, report = run("--with", "pytest -q test_box.py::test_at", calls=0)
    assert code == 1
    (found,) = claims(report, "refuted")
    assert found["subject"] == "Box.at"
    assert found["again"] == "--with 'pytest -q test_box.py::test_at'"


def test_a_test_imports_a_module_inside_its_package() -> None:
    """The spec names the module alone. A module of Python code of the same name is another one."""
    for package, name, text in (
        ("shop", "__init__", "from shop.box import Box"),
        ("other", "__init__", ""),
        ("other", "box", "NAME = 'other'"),
    ):
        Path(package).mkdir(exist_ok=True)
        Path(package, f"{name}.py").write_text(text)
    Path("use.py").write_text(
        "import box, other.box, shop\n"
        "from shop import box as inner\n"
        "assert shop.Box(3).sum() == 0 and inner is box and other.box.NAME == 'other'\n"
        "assert box.__spec__.name == 'box'\n"
        "try:\n"
        "    import shop.boxes\n"
        "except ImportError:\n"
        "    pass\n"
    )
    code, report = run("--with", "use.py", calls=0)
    assert code == 0
    assert claims(report, "confirmed")


def test_a_test_finds_the_folders_of_pythonpath(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "shop.py").write_text("from box import Box")
    (tmp_path / "use.py").write_text("import shop\nassert shop.Box(3).sum() == 0\n")
    monkeypatch.setenv("PYTHONPATH", "lib")
    code, _ = run("--with", "use.py", calls=0)
    assert code == 0


def test_a_test_that_fails_without_a_refutation_is_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    Path("use.py").write_text("import box\nprint('before')\nassert box.Box(3).sum() == 7, 'the sum is wrong'\n")
    code, _ = run("--with", "use.py", calls=0)
    assert code == 2
    errors = capfd.readouterr().err
    assert "before" in errors
    assert "the sum is wrong" in errors


def test_a_test_that_aborts_by_itself_is_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    Path("use.py").write_text("import os\nimport box\nbox.Box(3).sum()\nos.abort()\n")
    code, _ = run("--with", "use.py", calls=0)
    assert code == 2
    assert "the test use.py failed, and nothing was refuted" in capfd.readouterr().err


# ---- Known limits ----


def test_a_known_limit_is_listed_and_does_not_fail(capfd: pytest.CaptureFixture[str]) -> None:
    Path("box.yaml").write_text(SPEC + AT)
    Path("box.limits.yaml").write_text("expect:\n  - {subject: Box.at, reason: the index is trusted}\n")
    code, report = run(calls=150)
    assert code == 0
    (known,) = report["known"]
    assert (known["subject"], known["reason"]) == ("Box.at", "the index is trusted")
    text = capfd.readouterr().out
    assert "the index is trusted" in text
    assert "Box.at:" not in text.partition("not exercised Box")[2]
    processes = re.search(r"(\d+) processes", text)
    assert processes is not None
    assert int(processes[1]) > 3  # calls that avoid the limit go on
    assert ("Box.at", "values") not in {(each["subject"], each["kind"]) for each in report["claims"]}


def test_a_limit_that_is_no_longer_seen_is_reported() -> None:
    Path("box.limits.yaml").write_text("expect:\n  - {subject: Box.sum, check: beyond, reason: it was slow}\n")
    code, report = run()
    assert code == 0
    (unseen,) = report["unseen"]
    assert unseen["subject"] == "Box.sum"
    assert unseen["place"]["line"] == 2


def test_a_mistake_in_the_limits_is_reported_at_its_place(capfd: pytest.CaptureFixture[str]) -> None:
    Path("box.limits.yaml").write_text("expect:\n  - {subject: Box.at, cause: none}\n")
    assert main(["try", "box.yaml", "--", "box.c", "-I."]) == 2
    assert "box.limits.yaml:2:23: error: unknown key 'cause'" in capfd.readouterr().err


# ---- Interrupts ----


def test_ctrl_c_prints_the_report_so_far() -> None:
    command = [sys.executable, "-m", "dlpack_bindgen", "try", "box.yaml", "--calls", "1000000", "--keep", "kept"]

    def allow_interrupts() -> None:  # a shell starts jobs in the background with SIGINT ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    with subprocess.Popen(
        [*command, "--", "box.c", "-I."], stdout=subprocess.PIPE, text=True, preexec_fn=allow_interrupts
    ) as process:
        try:
            deadline = time.monotonic() + 120
            while time.monotonic() < deadline and not any(Path().glob("kept/asan/run-*/log")):
                time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "interrupted" in output


# ---- The words after `--` ----


def test_words_are_sources_flags_or_libraries() -> None:
    for name in ("a.c", "b.cc", "c.o", "d.a"):
        Path(name).touch()
    words = "a.c b.cc c.o d.a -Iinclude -I more -DX=1 -std=c99 -O2 -pthread -L lib -lz -Wl,-rpath,lib -Werror".split()
    found = read_inputs(words)
    assert found.sources == ("a.c", "b.cc")
    assert found.flags == ("-Iinclude", "-Imore", "-DX=1", "-std=c99", "-O2", "-pthread")
    assert found.linked == ("c.o", "d.a", "-Llib", "-lz", "-Wl,-rpath,lib")
    assert found.has_cpp
    assert found.folders == [os.path.abspath("lib")]


@pytest.mark.parametrize(
    ("words", "ways"),
    [
        (["a.c", "-lm"], ["asan"]),
        (["-lz"], ["pages"]),
        (["a.c", "-lz"], ["asan", "pages"]),
    ],
)
def test_sources_are_sanitized_and_libraries_get_forbidden_pages(words: list[str], ways: list[str]) -> None:
    Path("a.c").touch()
    assert [each.value for each in ways_of(read_inputs(words), memcheck=False)] == ways
