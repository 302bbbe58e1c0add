"""The `ok` of a spec, and the calls that it cannot test: `ok: none` and the assertion of the compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from structs.libraries import COMPILERS, STRICT
from support.build import build_module, compiler_environment, generate, header_flags

HEADER = Path(__file__).with_name("belts.h").read_text()
FOUND = [compiler for compiler in COMPILERS if shutil.which(compiler)]
SLOTS = "type: belt, data: self->teeth, dtype: float64, shape: [self->count]"

# ---- `ok: none` ----

SPEC = f"""
dlpack-bindgen: 1
module: belts
include: belts.h
ok: == DONE
init: {{do: motor_test(), ok: none}}
tensors:
  Over: {{{SLOTS}, import: {{init: "belt_over(self, data, shape[0])", ok: none, destroy: none}}}}
  Filled: {{{SLOTS}, import: {{init: "belt_fill(self, data, shape[0])", ok: none, destroy: none}}}}
  Said: {{{SLOTS}, import: {{init: "belt_over(self, data, shape[0])", ok: "!= NULL", destroy: none}}}}
  Loop:
    {SLOTS.replace(", ", chr(10) + "    ")}
    release: belt_free(self)
    clone: {{do: belt_copy(self), ok: none}}
    hold: [{{const belt *whole: belt_same(self), ok: none}}]
    acquire: {{do: belt_same(self), ok: none}}
    restore: belt_touch(self)
    close: {{do: belt_close(self), ok: none}}
    let:
      - {{do: belt_touch(self), ok: none}}
      - {{const belt *again: belt_same(whole), ok: none}}
      - {{do: BELT_CHECK(again)}}
    allocate: {{construct: "belt_new(shape[0])", ok: none, require: [{{ndim: 1}}]}}
    import:
      construct: belt_around(data, shape[0])
      ok: none
      attach: {{do: "belt_on_end(self, deleter, user)", ok: none, order: [user]}}
  Zeroed:
    {SLOTS.replace(", ", chr(10) + "    ")}
    release: free(self->teeth)
    allocate:
      let: [{{double *teeth: "calloc((size_t)shape[0] + 1, sizeof(double))", ok: none}}]
      init: belt_fill(self, teeth, shape[0])
      ok: none
      require: [{{ndim: 1}}]
functions:
  spin: {{c: motor *motor_new(int speed), ok: none}}
handles:
  Motor:
    type: motor
    release: motor_free(self)
    new: {{c: motor *motor_new(int speed), ok: none}}
    methods:
      speed: {{c: int motor_speed(const motor *m), ok: none}}
      stop: {{c: void *motor_stop(motor *m), ok: none, returns: None}}
    properties:
      rate: {{get: self->speed, type: int, set: {{c: "int motor_set(motor *m, int speed)", ok: none}}}}
"""


@pytest.fixture(scope="module")
def belts(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("belts", SPEC, tmp_path_factory.mktemp("belts"), HEADER)


@pytest.mark.parametrize("name", ["Over", "Filled", "Said"])
def test_an_init_may_have_any_result_with_an_ok_of_its_own(belts: ModuleType, name: str) -> None:
    teeth = np.arange(5.0)
    made = getattr(belts, name).from_dlpack(teeth)
    assert np.shares_memory(np.from_dlpack(made), teeth)


def test_ok_none_holds_for_every_call_of_a_tensor(belts: ModuleType) -> None:
    made = belts.Loop.empty((3,), dtype="float64")
    assert np.asarray(made).tolist() == [0, 0, 0]
    copy = belts.Loop.from_dlpack(np.arange(3.0))
    assert np.asarray(copy).tolist() == [0, 1, 2]
    made.close()
    assert np.asarray(belts.Zeroed.empty((2,), dtype="float64")).tolist() == [0, 0]


def test_ok_none_holds_for_functions_methods_and_setters(belts: ModuleType) -> None:
    motor = belts.Motor(7)
    assert motor.speed() == 7
    motor.rate = 9
    assert motor.rate == 9
    assert motor.stop() is None
    assert motor.speed() == 0
    assert belts.spin(3).speed() == 3


@pytest.mark.parametrize("make", ["Motor", "spin"])
def test_null_is_not_an_object_although_ok_is_none(belts: ModuleType, make: str) -> None:
    with pytest.raises(RuntimeError, match=r"motor_new\(\)"):
        getattr(belts, make)(-1)


# ---- The `ok` of the spec ----


def spec(ok: str, call: str, where: str = "let") -> str:
    keys = {
        "let": f'let: [{{do: "{call}"}}], release: belt_free(self)',
        "acquire": f'acquire: {{do: "{call}"}}, release: belt_free(self)',
        "close": f'close: {{do: "{call}"}}, release: belt_free(self)',
        "import.init": f'import: {{init: "{call}", destroy: none}}',
        "allocate.init": f'allocate: {{init: "{call}", require: [{{ndim: 1}}]}}, release: belt_free(self)',
        "import.attach": "release: belt_free(self), import: {construct: 'belt_around(data, shape[0])', "
        f'attach: {{do: "{call}", order: [user]}}}}',
        "init": "release: belt_free(self)",
    }
    module = f'init: {{do: "{call}"}}\n' if where == "init" else ""
    head = f"module: belts\ninclude: belts.h\nok: {ok!r}\n{module}"
    return f"{head}tensors:\n  Belt: {{{SLOTS}, {keys[where]}}}\n"


def emitted(text: str, folder: Path) -> Path:
    """Writes the files of the spec, beside the header, to a folder."""
    (folder / "belts.h").write_text(HEADER)
    generate(text, folder)
    return folder


def compiled(compiler: str, folder: Path, *flags: str, part: str = "dlpack") -> tuple[bool, str]:
    command = [compiler, f"-I{folder}", *header_flags(), *flags, "-fsyntax-only", str(folder / f"belts_{part}.c")]
    result = subprocess.run(command, env=compiler_environment(), capture_output=True, text=True, check=False)
    return result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "ok, call",
    [
        ("== DONE", "belt_check(self)"),
        ("== DONE", "belt_broken(self)"),
        ("== 0", "belt_flags(self)"),
        ("<= 0", "belt_error(self)"),
        ("== DONE", "BELT_CHECK(self)"),
        ("!%", "belt_broken(self)"),
        ("(% == DONE || % == 3)", "belt_check(self)"),
        ("== NULL", "belt_failure(self)"),
        ("== NO_FAILURE", "belt_failure(self)"),
        ("!= NULL", "belt_same(self)"),
        ("%.number == 0", "belt_report(self)"),
        ("== DONE", "BELT_CHECK((&(belt){NULL, 1, NULL, NULL}))"),
    ],
)
def test_a_status_of_any_type_is_tested(ok: str, call: str, tmp_path: Path) -> None:
    folder = emitted(spec(ok, call), tmp_path)
    for compiler in FOUND:
        fine, output = compiled(compiler, folder, *STRICT)
        assert fine, output


@pytest.mark.parametrize(
    "ok, call",
    [
        ("== DONE", "belt_name(self)"),
        ("== 0", "belt_name(self)"),
        ("!%", "belt_name(self)"),
        ("0 == %", "belt_same(self)"),
        (">= 0", "belt_name(self)"),
        ("(% == DONE || % == 3)", "belt_name(self)"),
        ("== DONE", "BELT_SAME(self)"),
        ("== DONE", "belt_touch(self)"),
        ("== DONE", "BELT_TOUCH(self)"),
        ("%", "belt_touch(self)"),
        ("== DONE", "belt_report(self)"),
        ("== NULL", "belt_check(self)"),
        ("== NO_FAILURE", "belt_check(self)"),
        ("== NULL", "belt_same(self)"),
        ("== NO_FAILURE", "belt_over(self, NULL, 0)"),
        ("!= NULL", "belt_touch(self)"),
    ],
)
def test_other_results_do_not_compile(ok: str, call: str, tmp_path: Path) -> None:
    folder = emitted(spec(ok, call), tmp_path)
    for compiler in FOUND:
        for standard in ("c11", "c99"):
            fine, output = compiled(compiler, folder, f"-std={standard}", "-Wall")
            assert not fine
            first = next(line for line in output.splitlines() if "error:" in line)
            shown = output[output.index(first) :]
            assert f"Belt.let: `ok: {ok}` of the spec does not fit the result of this call" in shown
            assert "write `ok: none` or `ok: != NULL` beside it" in shown
            assert "warning" not in output[: output.index(first)]


@pytest.mark.parametrize(
    "where, call",
    [
        ("import.init", "belt_over(self, data, shape[0])"),
        ("import.init", "belt_fill(self, data, shape[0])"),
        ("allocate.init", "belt_over(self, NULL, shape[0])"),
        ("import.attach", "belt_on_end(self, deleter, user)"),
        ("acquire", "belt_same(self)"),
        ("close", "belt_touch(self)"),
        ("init", "motor_test()"),
    ],
)
def test_the_message_names_every_place_of_a_call(where: str, call: str, tmp_path: Path) -> None:
    folder = emitted(spec("== DONE", call, where), tmp_path)
    fine, output = compiled("cc", folder, "-std=c11", part="module" if where == "init" else "dlpack")
    assert not fine
    place = where if where == "init" else f"Belt.{where}"
    assert f"{place}: `ok: == DONE` of the spec does not fit the result of this call" in output


def test_a_boolean_of_an_init_is_a_status(tmp_path: Path) -> None:
    text = spec("== DONE", "belt_filled(self, data, shape[0])", "import.init")
    module = build_module("belts", text, tmp_path, HEADER)
    assert np.asarray(module.Belt.from_dlpack(np.arange(2.0))).tolist() == [0, 1]
