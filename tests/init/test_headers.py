"""Unusual headers, each with the spec that `init` writes for it, and the name of the module."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import pytest

from dlpack_bindgen.tools.init.header import read
from dlpack_bindgen.tools.init.proposal import proposal
from init.conftest import HEADERS, described, initialised

STRUCT = """
typedef struct {{ int n; float *values; }} v{0};
v{0} *v{0}_new(int n);
void v{0}_free(v{0} *v);
float v{0}_sum(const v{0} *v);
"""


@pytest.mark.parametrize(
    ("output", "module"),
    [("thermal.yaml", "thermal"), ("_heat.yaml", "_heat"), ("my-heat.yaml", "rows"), ("for.yaml", "rows")],
)
def test_the_module_has_the_name_of_the_spec_or_the_header(tmp_path: Path, output: str, module: str) -> None:
    """The name of the header counts if the name of the spec cannot be one in Python."""
    assert f"\nmodule: {module}\n" in initialised(tmp_path / output, str(HEADERS / "rows.h"))


def test_a_name_that_no_module_can_have_is_changed(tmp_path: Path) -> None:
    for name, module in (("int.h", "int_"), ("dlb.h", "py_dlb"), ("3d.h", "m3d")):
        (tmp_path / name).write_text("int thing(int);\n")
        spec = initialised(tmp_path / "my-spec.yaml", str(tmp_path / name), "--force")
        assert f"\nmodule: {module}\n" in spec


def test_a_struct_of_a_type_that_libclang_of_python_lacks_is_a_handle(tmp_path: Path) -> None:
    text = (
        "typedef struct half { _Float16 *data; int n; } half;\nvoid half_free(half *h);\n_Float16 half_mean(half *h);\n"
    )
    assert "handles:\n  Half:\n    type: half\n" in described(tmp_path, "half.h", text)


def test_a_number_type_that_is_not_supported_is_a_question(tmp_path: Path) -> None:
    spec = described(tmp_path, "large.h", "int large_one(int x);\nint large_sum(__int128 x);\n")
    assert "# open: `x` has the type __int128, which is not supported\n" in spec


def test_a_function_without_declared_parameters_is_a_guess(tmp_path: Path) -> None:
    """C accepts any arguments, and only the documentation tells which ones are right."""
    spec = described(tmp_path, "old.h", "double old_mean();\ndouble old_sum(void);\n", "--accept")
    assert "    c: double old_mean(void)  # guess: `()` means no arguments\n" in spec
    assert "    c: double old_sum(void)\n" in spec


def test_an_array_of_a_typedef_is_written_as_an_array(tmp_path: Path) -> None:
    text = "typedef float vec3[3];\nvoid vec_cross(const vec3 a, const vec3 b, vec3 out);\n"
    spec = described(tmp_path, "vec.h", text)
    assert "\n    c: void vec_cross(const float a[3], const float b[3], float out[3])\n" in spec


def test_a_header_that_lacks_stdbool_gets_it_in_the_spec(tmp_path: Path) -> None:
    spec = described(tmp_path, "ready.h", "bool ready(int n);\n")
    assert "include: [<stdbool.h>, ready.h]\n" in spec


def test_calls_grow_with_the_header_and_not_with_its_square(tmp_path: Path) -> None:
    """Twice as many structs need about twice as many calls of functions of Python."""

    def calls(count: int) -> int:
        path = tmp_path / f"many{count}.h"
        path.write_text("".join(STRUCT.format(number) for number in range(count)))
        header = read(str(path), [])
        made = 0

        def count_call(_frame: FrameType, event: str, _value: object) -> None:
            nonlocal made
            made += event == "call"

        sys.setprofile(count_call)
        try:
            proposal(header, None, [])
        finally:
            sys.setprofile(None)
        return made

    start, few, many = calls(1), calls(40), calls(80)
    assert many - start < 2.2 * (few - start)
