# SPDX-License-Identifier: MIT
"""The results of the gates: which files they speak of, when they are older than these, and what a release refuses."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import pytest

from support.build import TOP

sys.path.append(str(TOP / "gates"))

import ledger
import source_digests

C = "#define twice(x) ((x) + (x))\nint add(int a, int b)\n{\n    return a + b;\n}\n"
PYTHON = '''\
"""Adds."""

import os


def add(a: int, b: int) -> str:
    """Returns the sum, as text."""
    return f"{os.sep}{a + b}"
'''
SPEC = "module: demo\n"


def digest(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return source_digests.digest(folder / name)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return a", "return /* the sum */ a"),
        ("a + b;", "a + b; // the sum"),
        ("a + b", "a+b"),
        ("a + b", "a +\n        b"),
        ("{\n    return a + b;\n}", "{ return a + b; }"),
        ("(x) + (x)", "(x) \\\n    + (x)"),
        ("#define twice", "#  define /* once\nmore */ twice"),
    ],
)
def test_comments_and_layout_of_c_leave_the_digest(tmp_path: Path, old: str, new: str) -> None:
    assert old in C
    assert digest(tmp_path, "a.c", C.replace(old, new)) == digest(tmp_path, "b.c", C)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a + b", "a - b"),
        ("a + b", "a ++b"),
        ("twice(x)", "twice (x)"),
        ("(x) + (x))\n", "(x) + (x)) "),
        ("return a", 'return "/* the sum */"[a]'),
        ("return", "re\\\nturned"),
    ],
)
def test_another_token_of_c_changes_the_digest(tmp_path: Path, old: str, new: str) -> None:
    assert digest(tmp_path, "a.c", C.replace(old, new)) != digest(tmp_path, "b.c", C)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import os", "# to add\nimport os  # of paths"),
        ('    """Returns the sum, as text."""\n', ""),
        ("a: int, b: int", "\n    a: int,\n    b: int,\n"),
        ('f"{os.sep}{a + b}"', "f'{os.sep}' f'{a+b}'"),
        ("    return", "  return"),
    ],
)
def test_comments_and_layout_of_python_leave_the_digest(tmp_path: Path, old: str, new: str) -> None:
    text = PYTHON.replace('    """Returns the sum, as text."""\n', "") if new.startswith("  ") else PYTHON
    assert old in text
    assert digest(tmp_path, "a.py", text.replace(old, new)) == digest(tmp_path, "b.py", PYTHON)


@pytest.mark.parametrize(
    ("old", "new"), [("a + b", "a - b"), ("os.sep", "os.pathsep"), ("sep}{", "sep} {"), ("-> str", "-> int")]
)
def test_another_expression_of_python_changes_the_digest(tmp_path: Path, old: str, new: str) -> None:
    assert digest(tmp_path, "a.py", PYTHON.replace(old, new)) != digest(tmp_path, "b.py", PYTHON)


def test_constants_that_are_false_have_different_digests(tmp_path: Path) -> None:
    values = ("None", "0", "False", "''", "()")
    assert len({digest(tmp_path, "a.py", f"x = {value}") for value in values}) == len(values)


def test_the_digest_of_a_spec_is_that_of_its_text(tmp_path: Path) -> None:
    assert digest(tmp_path, "a.yaml", SPEC) != digest(tmp_path, "b.yaml", SPEC.replace("demo", "demo2"))


@pytest.mark.parametrize("gate", ledger.GATE_NAMES)
def test_each_gate_depends_on_the_runtime_and_on_its_own_files(gate: str) -> None:
    sources = source_digests.source_digests(gate)
    others = {"race": "race/race.py", "try-specs": "try_/specs.py", "try-seeded": "try_/seeded.py"}
    assert {"runtime/core/import.c", f"gates/{others.get(gate, f'{gate}/run.py')}"} < sources.keys()
    assert not [name for name in sources if "__pycache__" in name or name.endswith((".md", "LICENSE"))]
    checked = any(name.startswith("runtime/checked/") for name in sources)
    assert checked == (gate in ("mutants", "try-specs", "try-seeded"))  # no other gate compiles or changes these files
    folders = source_digests.SCOPES[gate].folders
    assert [folder for folder in folders if not any(name.startswith(f"{folder}/") for name in sources)] == []


def test_only_the_mutants_speak_of_tests_and_only_of_those_that_they_run() -> None:
    folders = {
        gate: {name.rpartition("/")[0] for name in source_digests.source_digests(gate)} for gate in ledger.GATE_NAMES
    }
    assert {gate for gate, found in folders.items() if "tests/generator" in found} == {"mutants"}
    assert not any(name.startswith(("tests/gates", "tests/builds", "tests/packaging")) for name in folders["mutants"])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project with a result of `make starve`, as the gate records it."""
    for name, text in {
        "runtime/core/add.c": C,
        "generator/add.py": PYTHON,
        "gates/starve/run.py": PYTHON,
        "gates/introduction.md": "# Reliability\n",
        "gates/not_shown.md": "## Limits\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "gates" / "results").mkdir()
    places = {
        "TOP": tmp_path,
        "GATES": tmp_path / "gates",
        "RUNS": tmp_path / "build" / "gates",
        "STARTED": tmp_path / "build" / "gates" / "started",
        "RESULTS": tmp_path / "gates" / "results",
        "PAGE": tmp_path / "docs" / "reliability.md",
        "GATE_NAMES": ("starve",),
    }
    for name, value in places.items():
        monkeypatch.setattr(ledger, name, value)
    monkeypatch.setattr(sys, "argv", ["ledger.py"])
    ledger.start("starve")
    record()
    ledger.main()
    return tmp_path


def record() -> None:
    ledger.record("starve", claim="It works.", command="make starve", figures={"failures": "0"}, seeded_bug="None.")


def change(project: Path, name: str = "runtime/core/add.c") -> None:
    path = project / name
    path.write_text(path.read_text().replace("a + b", "b + a"), encoding="utf-8")


def test_a_fresh_result_is_accepted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(project, "generator/add.py")
    (project / "runtime" / "core" / "add.c").write_text(f"/* Adds. */\n{C}", encoding="utf-8")
    ledger.main()
    assert capsys.readouterr().out.splitlines()[-1] == "starve: none of its 2 files has changed"
    assert "Older" not in ledger.PAGE.read_text()
    ledger.check_page()
    ledger.refuse_older()


def test_an_older_result_names_the_files_that_were_changed_added_and_removed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(project)
    (project / "runtime" / "core" / "new.h").write_text("int new;\n")
    (project / "gates" / "starve" / "run.py").unlink()
    ledger.main()
    named = "`gates/starve/run.py`, `runtime/core/add.c`, `runtime/core/new.h`."
    assert capsys.readouterr().out.splitlines()[-1] == f"starve: Older than 3 of its files: {named}"
    section = ledger.PAGE.read_text().partition("## starve\n")[2]
    assert section.startswith(f"\nIt works.\n\n**Older than 3 of its files:** {named}\n\n| figure")


def test_the_page_names_the_first_of_many_files() -> None:
    assert ledger.name_some([f"{number}.c" for number in range(12)]).endswith("`9.c` and 2 more")


def test_a_result_without_digests_is_older(project: Path) -> None:
    path = ledger.RUNS / "starve.json"
    result = json.loads(path.read_text())
    del result["sources"]
    path.write_text(json.dumps(result))
    ledger.main()
    text = "**Older than its files:** the result has no digests of them. Repeat `make starve`.\n"
    assert text in ledger.PAGE.read_text()
    with pytest.raises(SystemExit):
        ledger.refuse_older()


@pytest.mark.parametrize("removed", [False, True])
def test_a_release_refuses_a_result_that_is_older_or_missing(project: Path, removed: bool) -> None:
    if removed:
        shutil.rmtree(ledger.RESULTS)
    else:
        change(project)
    with pytest.raises(SystemExit) as refused:
        ledger.refuse_older()
    assert refused.value.code == (
        "the results of starve are missing or older than the sources: run `make starve` and `make reliability`, and "
        "commit gates/results and docs/reliability.md"
    )


def test_make_release_asks_for_the_results_before_it_makes_a_file(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = importlib.util.spec_from_file_location("release", TOP / "release" / "release.py")
    assert place is not None and place.loader is not None
    release = importlib.util.module_from_spec(place)
    place.loader.exec_module(release)
    monkeypatch.setattr(release, "notes_of", lambda *_: "")
    monkeypatch.setattr(release, "check_tree", lambda *_: None)
    monkeypatch.setattr(release, "DIST", project / "dist")
    change(project)
    with pytest.raises(SystemExit, match="the results of starve are missing or older than the sources"):
        release.main()
    assert not (project / "dist").exists()


def test_the_page_has_to_say_that_a_result_is_older(project: Path) -> None:
    change(project)
    with pytest.raises(SystemExit, match="differs from gates/results and the sources: run `make reliability`"):
        ledger.check_page()
    ledger.main()
    ledger.check_page()
    (project / "runtime" / "core" / "new.h").write_text("int new;\n")
    ledger.check_page()


def test_a_run_whose_sources_change_meanwhile_has_no_result(project: Path) -> None:
    (ledger.RUNS / "starve.json").unlink()
    ledger.start("starve")
    change(project)
    with pytest.raises(SystemExit, match=r"no result is recorded, because .* since the start: `runtime/core/add.c`"):
        record()
    assert not (ledger.RUNS / "starve.json").exists()


def test_a_run_that_was_never_started_has_no_result(project: Path) -> None:
    shutil.rmtree(ledger.STARTED)
    with pytest.raises(SystemExit, match="there was no full run of `make starve` yet"):
        record()


def test_the_page_of_the_repository_has_the_committed_results() -> None:
    ledger.check_page()
