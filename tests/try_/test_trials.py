"""The trials: `try` refutes the claim that is wrong in the wrong spec, and nothing in the right spec."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load
from support.build import TOP
from try_.changed_spec import described, refusals, remedies_in
from try_.trial import NAMES, REFUTED, TRIALS, WAYS, WRONG, expectation, found, missing, run

FILES = {"README.md", "lib.c", "lib.h", "right.yaml", "use.py"}
KEYS_OF_EXPECTATIONS = {"subject", "argument", "key", "check", "remedy", "needs"}
SAMPLE = 2


def _chosen() -> list[str]:
    """Returns the trials that the variable TRIALS names (`all`: all of them), or a few that the commit chooses."""
    names = os.environ.get("TRIALS", "").split()
    if names:
        return NAMES if names == ["all"] else names
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=TOP, capture_output=True, text=True, check=False).stdout
    choice = random.Random(commit)
    return sorted([*choice.sample(WRONG, SAMPLE - 1), choice.choice([name for name in NAMES if name not in WRONG])])


CHOSEN = _chosen()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [name for name in CHOSEN if name in WRONG])
def test_the_wrong_spec_is_refuted(name: str, way: str, tmp_path: Path) -> None:
    code, report = run(name, "wrong", way, tmp_path)
    assert missing(report, expectation(name)) == ""
    assert code == REFUTED
    text = (TRIALS / name / "wrong.yaml").read_text()
    spec = described(text)
    for claim in found(report):
        assert refusals(spec, text, claim["subject"], remedies_in(spec, claim["subject"], claim["remedies"])) == []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CHOSEN)
def test_the_right_spec_is_not_refuted(name: str, way: str, tmp_path: Path) -> None:
    code, report = run(name, "right", way, tmp_path)
    assert [claim for claim in found(report) if claim["state"] == "refuted"] == []
    assert code == 0


# ---- The trials themselves ----


def _differences(one: Any, other: Any) -> int:
    """Counts the keys in which two specs differ. A key in the place of another key counts once."""
    if isinstance(one, dict) and isinstance(other, dict):
        common = one.keys() & other.keys()
        exchanged = max(len(one) - len(common), len(other) - len(common))
        return exchanged + sum(_differences(one[key], other[key]) for key in common)
    return int(one != other)


@pytest.mark.parametrize("name", NAMES)
def test_a_trial_has_all_files(name: str) -> None:
    expected = FILES | ({"wrong.yaml", "expect.json"} if name in WRONG else set())
    assert {path.name for path in (TRIALS / name).iterdir()} == expected
    assert (TRIALS / name / "README.md").read_text().startswith(f"# {name}\n")


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_spec_differs_from_the_right_one_in_one_key(name: str) -> None:
    wrong, right = (yaml.safe_load((TRIALS / name / f"{each}.yaml").read_text()) for each in ("wrong", "right"))
    assert _differences(wrong, right) == 1


@pytest.mark.parametrize("name", WRONG)
def test_an_expectation_has_known_keys(name: str) -> None:
    assert {"subject", "key"} <= set(expectation(name)) <= KEYS_OF_EXPECTATIONS


def test_the_generator_accepts_all_specs() -> None:
    for path in sorted(TRIALS.glob("*/*.yaml")):
        loaded = load(str(path), path.read_bytes())
        _, problems = validate([loaded])
        assert [*loaded.diagnostics, *problems] == [], path


def test_the_page_lists_all_trials() -> None:
    rows = [line.split("`")[1] for line in (TRIALS / "README.md").read_text().splitlines() if line.startswith("| `")]
    assert sorted(row for row in rows if row in NAMES) == NAMES
