"""Files for other services: each is valid for its program, and names the versions of this project."""

from __future__ import annotations

import importlib.resources
import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from builds.conftest import need, run
from builds.library import TEMPLATE
from builds.test_packages import Package, environment, imported
from dlpack_bindgen import __version__
from dlpack_bindgen.emit.clang_format import VERSION as CLANG_FORMAT
from support.build import TOP

__all__ = ["environment"]
PYPROJECT = (TOP / "pyproject.toml").read_text(encoding="utf-8")


def check_schema(schema: str, *files: Path) -> None:
    need("check_jsonschema")
    options = ["--schemafile", schema] if Path(schema).is_file() else ["--builtin-schema", schema]
    run([sys.executable, "-m", "check_jsonschema", *options, *map(str, files)], TOP, os.environ["PATH"])


def test_workflows_are_valid() -> None:
    files = [*TOP.glob(".github/workflows/*.yml"), *TEMPLATE.glob(".github/workflows/*.yml")]
    assert len(files) == 2
    check_schema("vendor.github-workflows", *files)


def test_issue_forms_have_the_required_keys() -> None:
    for path in TOP.glob(".github/ISSUE_TEMPLATE/*.yml"):
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert path.name == "config.yml" or {"name", "description", "body"} <= form.keys()


def test_the_manifest_of_pre_commit_is_valid() -> None:
    need("pre_commit")
    run([sys.executable, "-m", "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml"], TOP, os.environ["PATH"])


def test_the_pre_commit_hooks_run(tmp_path: Path) -> None:
    """Runs the entry with the arguments of the project, as pre-commit does."""
    shutil.copytree(TEMPLATE, tmp_path / "project")
    hooks = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    arguments = {"dlpack-bindgen-check": ["sound.yaml", "-o", "glue"], "dlpack-bindgen-vendor-check": ["glue"]}
    for hook in hooks:
        program, command, check = hook["entry"].split()
        assert (program, check) == ("dlpack-bindgen", "--check")
        bindgen = [sys.executable, "-m", "dlpack_bindgen", command]
        given = arguments.pop(hook["id"])
        with pytest.raises(AssertionError, match="missing or out of date"):
            run([*bindgen, check, *given], tmp_path / "project", os.environ["PATH"])
        run([*bindgen, *given], tmp_path / "project", os.environ["PATH"])
        assert run([*bindgen, check, *given], tmp_path / "project", os.environ["PATH"]) == ""
    assert arguments == {}


def test_the_conda_recipe_lists_the_dependencies_of_the_package() -> None:
    recipe = yaml.safe_load((TOP / "release" / "recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == __version__
    [listed] = re.findall(r"^dependencies = \[(.*?)^\]", PYPROJECT, re.MULTILINE | re.DOTALL)
    needed = {each.lower().replace(">=", " >=").replace("==", " ==") for each in re.findall(r'"(.*?)"', listed)}
    assert {each for each in recipe["requirements"]["run"] if not each.startswith("python ")} == needed
    assert f"clang-format =={CLANG_FORMAT}" in recipe["requirements"]["run"]
    [licence] = re.findall(r'^license = "(.*)"', PYPROJECT, re.MULTILINE)
    assert recipe["about"]["license"] == licence
    assert all((TOP / path).is_file() for path in recipe["about"]["license_file"])


def test_the_configuration_of_cibuildwheel_is_valid(tmp_path: Path) -> None:
    tomllib = pytest.importorskip("tomllib")
    need("cibuildwheel")
    [tool] = [tomllib.loads((TEMPLATE / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]]
    (tmp_path / "tool.json").write_text(json.dumps({"tool": {"cibuildwheel": tool}}))
    schema = importlib.resources.files("cibuildwheel") / "resources" / "cibuildwheel.schema.json"
    inner = json.loads(schema.read_text(encoding="utf-8"))
    (tmp_path / "schema.json").write_text(
        json.dumps({"properties": {"tool": {"properties": {"cibuildwheel": inner}}}, "$defs": inner.get("$defs", {})})
    )
    check_schema(str(tmp_path / "schema.json"), tmp_path / "tool.json")


def test_the_template_builds_and_passes_its_tests(environment: Path, tmp_path: Path) -> None:
    if sys.version_info < (3, 11):
        pytest.skip("the template is for Python 3.11 and newer")
    package = Package("CMake", tmp_path / "other", environment)
    package.folder = tmp_path / "project"
    shutil.copytree(TEMPLATE, package.folder)
    package.pip("wheel", ".", "-w", str(tmp_path))
    [wheel] = tmp_path.glob("*.whl")
    assert "-cp311-abi3-" in wheel.name
    package.pip("install", str(wheel), "--target", str(tmp_path / "installed"))
    assert imported(package, tmp_path / "installed").name == "sound.abi3.so"
    tests = [package.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "tests"]
    run(tests, package.folder, package.path, PYTHONPATH=str(tmp_path / "installed"))
