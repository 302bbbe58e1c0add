"""Generated calls are the same for the same seed, reach each target, and can be replayed."""

from __future__ import annotations

import ast
import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dlpack_bindgen.tools.try_ import calls
from dlpack_bindgen.tools.try_.calls.arrays import _living_exports, made_array, read_export, with_layout
from dlpack_bindgen.tools.try_.calls.choices import ALL_LAYOUTS
from dlpack_bindgen.tools.try_.calls.dtypes import DTYPES, dtypes_of_c
from dlpack_bindgen.tools.try_.calls.steps import Runner, replay
from dlpack_bindgen.tools.try_.calls.text import describe, describe_all, described
from dlpack_bindgen.tools.try_.calls.values import Unknown, evaluated
from dlpack_bindgen.tools.try_.plan import dtype_table
from support.build import build_module
from try_.builds import HEADER, SOURCE, SPEC, Log, few_objects, plan, run

PLAN = plan(SPEC)
PROGRAM = Path(calls.__file__).parent


@pytest.fixture(scope="module")
def long(sampler: ModuleType) -> Log:
    """Returns the log of a long run."""
    return run([PLAN], steps=4000)


# ---- The script ----


@pytest.mark.parametrize("path", sorted(PROGRAM.glob("*.py")), ids=lambda path: path.stem)
def test_the_program_needs_python_3_8_and_its_library_only(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))
    imported = [each for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names]
    named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 0]
    assert {*(each.name for each in imported), *named} <= {
        *sys.stdlib_module_names,
        "collections.abc",
        "importlib.util",
    }


def test_the_command_writes_steps_to_the_log(sampler: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps({"plans": [PLAN]}), encoding="utf-8")
    folder = str(Path(sampler.__file__ or "").parent)
    environment = {**os.environ, "DLB_CHECKED_LOG": str(tmp_path / "log"), "PYTHONHASHSEED": "7"}
    command = [sys.executable, PROGRAM, "plan.json", "--path", folder, "--steps", "60"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    events = [json.loads(line) for line in (tmp_path / "log").read_text(encoding="utf-8").splitlines()]
    assert [event["event"] for event in events[-2:]] == ["end", "targets"]
    log = Log()
    log.events = events
    assert log.steps() == run([PLAN], steps=60).steps()
    assert {path.name for path in tmp_path.iterdir()} == {"plan.json", "log"}


# ---- The same steps ----


def test_two_runs_have_equal_steps(sampler: ModuleType) -> None:
    assert run([PLAN], steps=600).steps() == run([PLAN], steps=600).steps()


def test_another_seed_has_other_steps(sampler: ModuleType) -> None:
    assert run([PLAN], steps=100).steps() != run([PLAN], steps=100, seed=2).steps()


@pytest.mark.parametrize("name", ["weighted", "Sheet.add", "Meter.watch"])
def test_a_target_alone_has_the_steps_of_a_whole_run(sampler: ModuleType, long: Log, name: str) -> None:
    alone, whole = run([PLAN], steps=150, only=[name]).steps(), long.steps(name)
    assert {step["episode"].split("#")[0] for step in alone} == {name}
    count = min(len(alone), len(whole))
    assert count > 60
    assert alone[:count] == whole[:count]


def test_other_targets_keep_their_steps_if_one_is_left_out(sampler: ModuleType) -> None:
    whole, others = run([PLAN], steps=900), run([PLAN], steps=900, skip=["Meter.over"])
    assert "Meter.over" in {step.get("target") for step in whole.steps()}
    assert "Meter.over" not in {step.get("target") for step in others.steps()}
    for name in ("Sheet.add", "sheet_sum", "total", "Sheet.copy"):
        one, two = whole.steps(name), others.steps(name)
        count = min(len(one), len(two))
        assert count > 10
        assert one[:count] == two[:count]


def test_a_run_can_begin_at_a_later_episode(sampler: ModuleType) -> None:
    whole = run([PLAN], steps=200).steps()
    later = run([PLAN], steps=20, at=5).steps()
    first = next(index for index, step in enumerate(whole) if step["at"] >= 5)
    assert later[:10] == whole[first : first + 10]


def test_the_name_of_a_class_selects_its_members(sampler: ModuleType) -> None:
    episodes = {step["episode"].split("#")[0] for step in run([PLAN], steps=300, only=["Meter"]).steps()}
    assert {"Meter", "Meter.watch", "Meter.steps="} <= episodes
    assert all(name.startswith("Meter") for name in episodes)


def test_a_constructor_can_be_left_out_without_its_class(sampler: ModuleType) -> None:
    called = {step.get("target") for step in run([PLAN], steps=300, skip=["Sheet"]).steps()}
    assert "Sheet" not in called
    assert {"Sheet.empty", "Sheet.copy"} <= called


# ---- Targets ----


def test_each_target_returns_often(long: Log) -> None:
    rare = {name for name, each in long.targets.items() if each["returned"] < 20 and not each.get("reason")}
    assert {name.rpartition(".")[2] for name in rare} <= {"close", "with", "pickle", "to"}


def test_paths_and_strings_are_not_called(sampler: ModuleType, long: Log) -> None:
    assert long.targets["Sheet.save"]["reason"] == "'path' is a path or a file"
    assert long.targets["Sheet.rename"]["reason"] == "'name' is a string (--strings)"
    assert (sampler.saved(), sampler.named()) == (0, 0)


def test_strings_are_called_on_demand(sampler: ModuleType) -> None:
    before = sampler.named()
    targets = run([PLAN], steps=100, only=["Sheet.rename"], strings=True).targets
    assert targets["Sheet.rename"]["returned"] == sampler.named() - before > 10
    assert sampler.saved() == 0


def test_all_objects_and_arrays_are_freed(sampler: ModuleType, long: Log) -> None:
    gc.collect()
    assert sampler.living() == 0
    assert _living_exports == {}


def arrays_of(log: Log, target: str, name: str) -> list[dict[str, Any]]:
    """Returns the generated arrays of an argument."""
    values = [step["args"].get(name) for step in log.steps() if step.get("target") == target and step["do"] == "call"]
    return [each["array"] for each in values if isinstance(each, dict) and "array" in each]


def test_edges_and_layouts_are_tried(sampler: ModuleType) -> None:
    arrays = arrays_of(run([PLAN], steps=400, only=["total"]), "total", "x")
    shapes = {tuple(each["shape"]) for each in arrays}
    assert {(0,), (1,), (2,), (3,), (8,)} <= shapes
    assert {each["way"] for each in arrays} == {"buffer", "interface", "dlpack"}
    assert any(each["strides"] == [16] for each in arrays)
    assert any(each["readonly"] for each in arrays)


def share(found: list[bool]) -> float:
    return sum(found) / len(found)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_many_arrays_have_clearly_distinct_extents(sampler: ModuleType, seed: int) -> None:
    """A wrong extent, such as `shape[0]` instead of `shape[1]`, often shows only if the two differ by more than 1."""
    steps = run([PLAN], steps=1000, only=["Sheet.empty"], seed=seed).steps()
    shapes = [step["args"]["shape"]["tuple"] for step in steps if step.get("target") == "Sheet.empty"]
    assert len(shapes) > 200
    assert share([rows == columns for rows, columns in shapes]) > 0.2
    assert share([min(shape) > 1 and abs(shape[0] - shape[1]) > 1 for shape in shapes]) > 0.22


def test_lengths_of_independent_arrays_are_distinct_and_equal(sampler: ModuleType) -> None:
    steps = [
        step["args"]
        for step in run([PLAN], steps=1500, only=["only_if_equal"]).steps()
        if step.get("target") == "only_if_equal" and step["do"] == "call"
    ]
    pairs = [(each["a"], each["b"]) for each in steps if all("array" in each[name] for name in "ab")]
    assert len(pairs) > 200
    assert 0.1 < share([a["array"]["shape"] != b["array"]["shape"] for a, b in pairs]) < 0.75


def test_a_call_that_needs_equal_lengths_returns_often(sampler: ModuleType) -> None:
    found = run([PLAN], steps=1500, only=["only_if_equal"]).targets["only_if_equal"]
    assert found["returned"] > found["raised"]


@pytest.mark.parametrize("names", [["Meter.watch", "Meter.over"], ["Meter"]])
def test_a_run_ends_at_once_if_no_object_can_be_made(sampler: ModuleType, names: list[str]) -> None:
    """An episode without a call has no step either, so that the run does not go on until it has enough steps."""
    log = run([PLAN], steps=4000, only=names, skip=["Meter"])
    assert log.steps() == []
    assert log.targets["Meter.over"]["last"] == "no value: Meter() is left out, and nothing else makes a Meter"


def test_a_part_of_an_object_is_exported_while_its_methods_are_called(sampler: ModuleType) -> None:
    """`Sheet.copy` stands for a method that returns a part of an object."""
    found = 0
    steps = run([PLAN], steps=800, only=["Sheet.add"]).steps()
    copies: set[str] = set()
    for step in steps:
        if step.get("target") == "Sheet.copy":
            copies.add(step["result"])
        found += step["do"] == "export" and step["of"] in copies
    assert found > 5


def test_objects_are_pickled_and_converted(long: Log) -> None:
    assert long.targets["Array.pickle"]["returned"] > 3
    assert long.targets["Array.to"]["returned"] > 3


def test_numbers_are_small(long: Log) -> None:
    numbers = {step["args"]["steps"] for step in long.steps() if step.get("target") == "Meter"}
    assert {-1, 0, 1, 8} <= numbers
    assert all(-1 <= each <= 9 for each in numbers)


def test_a_closed_object_is_used_again(long: Log) -> None:
    assert any("is closed" in event.get("raised", "") for event in long.events if event["event"] == "done")


def test_objects_are_used_after_the_arguments_of_their_calls_are_gone(long: Log) -> None:
    """The object of `watch` is used again after everything else is collected."""
    names = [step.get("target") or step["do"] for step in long.steps("Meter.watch")]
    places = [index for index, name in enumerate(names) if name == "collect"]
    assert any("Meter.over" in names[place : place + 8] for place in places)


def test_exports_live_while_a_function_is_called(long: Log) -> None:
    living = 0
    for step in long.steps("Sheet.add"):
        living += step["do"] == "export"
        if step["do"] == "call" and step["target"] == "Sheet.add" and living:
            return
    pytest.fail("no call of Sheet.add has a living export")


def test_an_unneeded_drop_or_variable_is_never_missing(long: Log) -> None:
    assert not [event for event in long.events if event.get("raised", "").startswith("Missing")]


# ---- Several modules ----

READER = """
dlpack-bindgen: 1
module: reader
include: reader.h
handles:
  Page: {type: sheet, from: "sampler:Sheet"}
functions:
  rows: {c: size_t reader_rows(const sheet *s)}
  copy: {c: sheet *sheet_copy(const sheet *s)}
  all_rows: {c: "size_t reader_all(sheet *const *all, int n)", args: {n: {count_of: all}}}
"""
READER_HEADER = """
#include "sampler.h"
static inline size_t reader_rows(const sheet *s) { return s->rows; }
static inline size_t reader_all(sheet *const *all, int n) { return n ? all[0]->rows : 0; }
"""


def test_objects_of_one_module_are_arguments_of_another(sampler: ModuleType, tmp_path: Path) -> None:
    for name, text in (("sampler.h", HEADER), ("sampler.c", SOURCE)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    build_module("reader", READER, tmp_path, READER_HEADER, flags=[f"-I{tmp_path}", str(tmp_path / "sampler.c")])
    log = run([PLAN, plan(READER)], steps=400, only=["reader.rows", "reader.copy", "reader.all_rows"])
    returned = {name: log.targets[f"reader.{name}"]["returned"] for name in ("rows", "copy", "all_rows")}
    assert min(returned.values()) > 20
    makers = {step["target"] for step in log.steps("rows") if step.get("module") == "sampler"}
    assert {"Sheet", "Sheet.empty"} <= makers


# ---- Replays ----


def test_a_replay_raises_the_same_exceptions(sampler: ModuleType, long: Log) -> None:
    steps = [event for event in long.events if event["event"] == "step"][:400]
    log = Log()
    runner = Runner([PLAN], log)  # type: ignore[arg-type]
    with few_objects():
        replay(runner, steps)
    assert log.events == long.events[: len(log.events)]
    assert len(log.events) == 800


def test_a_replay_leaves_out_steps_without_their_variables(sampler: ModuleType) -> None:
    steps = run([PLAN], steps=40, only=["Sheet.copy"]).events
    calls_of_copy = [event for event in steps if event.get("target") == "Sheet.copy"]
    log = Log()
    runner = Runner([PLAN], log)  # type: ignore[arg-type]
    replay(runner, calls_of_copy)
    assert log.events == []


# ---- Arrays ----


def array_of(dtype: str, shape: list[int], layout: str = "compact", order: str = "C", **options: Any) -> dict[str, Any]:
    itemsize = DTYPES[dtype].size
    strides, offset, size = with_layout(layout, shape, itemsize, order)
    own = {"dtype": dtype, "itemsize": itemsize, "shape": shape, "strides": strides, "offset": offset, "size": size}
    return {**own, "readonly": False, "way": "interface", "fill": "range", **options}


NUMPY = [name for name in DTYPES if name.startswith(("int", "uint", "float", "complex", "bool")) and "_" not in name]
NUMPY = [name for name in NUMPY if name != "complex32"]


@pytest.mark.parametrize("dtype", NUMPY)
@pytest.mark.parametrize("way", ["buffer", "interface", "dlpack"])
def test_numpy_sees_the_values_of_an_array(dtype: str, way: str) -> None:
    made: Any = made_array(array_of(dtype, [2, 3], way=way))
    seen = np.from_dlpack(made) if way == "dlpack" else np.asarray(made)
    count = np.arange(6).reshape(2, 3)
    expected = count + count / 2 * 1j if dtype.startswith("complex") else count % 2 if dtype == "bool" else count
    np.testing.assert_array_equal(seen, expected.astype(dtype))
    assert seen.dtype == dtype


@pytest.mark.parametrize("layout", ["compact", *ALL_LAYOUTS, "inner"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [[], [0], [5], [2, 3], [3, 1, 2], [0, 4]])
def test_numpy_sees_the_layout_of_an_array(layout: str, order: str, shape: list[int]) -> None:
    own = array_of("int32", shape, layout, order)
    seen = np.asarray(made_array(own))
    assert (list(seen.shape), list(seen.strides)) == (shape, own["strides"])
    expected = np.arange(seen.size, dtype=np.int32).reshape(shape)
    if layout != "zero":
        np.testing.assert_array_equal(seen, expected)
    first, last = np.lib.array_utils.byte_bounds(seen) if seen.size else (0, 0)
    assert last - first <= own["size"]


def test_a_read_only_array_is_read_only() -> None:
    for way in ("buffer", "interface"):
        assert not np.asarray(made_array(array_of("int32", [3], readonly=True, way=way))).flags.writeable
    assert not np.from_dlpack(made_array(array_of("int32", [3], readonly=True, way="dlpack"))).flags.writeable


def test_a_capsule_frees_its_array_whether_or_not_it_is_consumed() -> None:
    made: Any = made_array(array_of("bfloat16", [3]))
    capsule = made.__dlpack__(max_version=(1, 0))
    assert len(_living_exports) == 1
    del capsule
    assert _living_exports == {}
    seen = np.from_dlpack(made_array(array_of("float64", [3], way="dlpack")))
    assert len(_living_exports) == 1
    del seen
    assert _living_exports == {}


def test_exports_are_read_to_their_last_element() -> None:
    strided: Any = made_array(array_of("float64", [3, 2], "every", way="dlpack"))
    assert read_export(strided.__dlpack__(max_version=(1, 0))) == 48
    assert read_export(memoryview(bytes(7))) == 7
    assert read_export(np.arange(6.0).reshape(2, 3).T.__dlpack__()) == 48


def test_a_c_type_has_the_dtypes_of_the_platform() -> None:
    assert dtypes_of_c("long", None) == [f"int{8 * np.dtype('l').itemsize}"]
    assert dtypes_of_c("size_t", None) == [f"uint{8 * np.dtype('N').itemsize}"]
    assert set(dtypes_of_c("lib_real", "float")) == {"float32", "float64"}


def test_records_have_the_layout_of_the_compiler(tmp_path: Path) -> None:
    header = """
struct inner { double w; char k; };
typedef struct point { short tag; struct inner in[2]; float x[3]; } point;
static inline float second(const point *p, int n) { return n > 1 ? p[1].x[2] : 0; }
"""
    spec = """
dlpack-bindgen: 1
module: points
include: points.h
records:
  struct inner: [w, k]
  point: [tag, {in: struct inner}, x]
functions: {second: {c: "float second(const point *p, int n)", args: {n: {count_of: p}}}}
"""
    built = build_module("points", spec, tmp_path, header, flags=["-DDLB_EXPORT"])
    log = run([plan(spec)], steps=60)
    assert log.targets["second"]["returned"] > 30
    made: Any = made_array(array_of("point", [3]))
    seen = np.asarray(made)
    inner = np.dtype([("w", "f8"), ("k", "i1")], align=True)
    compiled = np.dtype([("tag", "i2"), ("in", inner, 2), ("x", "f4", 3)], align=True)
    assert seen.dtype.itemsize == compiled.itemsize
    for name in ("tag", "in", "x"):
        assert seen.dtype.fields[name][1] == compiled.fields[name][1]
    np.testing.assert_array_equal(seen["in"]["w"], [[0, 0], [1, 1], [2, 2]])
    assert built.second(made) == 1
    assert "point[3]" in described({"array": array_of("point", [3])})


OPAQUE_HEADER = """
#include <stdint.h>
#include <stddef.h>
typedef int16_t lib_sample;
typedef struct mixer { int width; } mixer;
static inline int lib_mix(const lib_sample *a, const lib_sample *b, lib_sample *out, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = (lib_sample)(a[i] / 2 + b[i] / 2);
    return 1;
}
mixer *mixer_new(int width);
void mixer_free(mixer *m);
static inline void mixer_run(mixer *m, lib_sample *out) { out[m->width - 1] = 1; }
typedef struct vec { double *items; size_t count; } vec;
vec *vec_new(size_t count);
void vec_free(vec *v);
static inline void vec_swap(vec *a, vec *b) { vec c = *a; *a = *b; *b = c; }
typedef struct bag { int items[9]; int count; } bag;
bag *bag_new(void);
void bag_free(bag *b);
static inline void bag_add(bag *b, int item) { if (b->count < 9) b->items[b->count++] = item; }
static inline int bag_item(const bag *b, size_t index) { return b->items[index]; }
static inline void lib_watch(const double *x, size_t n) { (void)x; (void)n; }
"""
OPAQUE_SOURCE = """
#include <stdlib.h>
mixer *mixer_new(int width)
{
    mixer *m = width > 0 ? malloc(sizeof *m) : NULL;
    if (m) m->width = width;
    return m;
}
void mixer_free(mixer *m) { free(m); }
vec *vec_new(size_t count)
{
    vec *v = count < 99 ? malloc(sizeof *v) : NULL;
    if (v) *v = (vec){calloc(count + 1, sizeof(double)), count};
    return v;
}
void vec_free(vec *v) { free(v->items); free(v); }
bag *bag_new(void) { return calloc(1, sizeof(bag)); }
void bag_free(bag *b) { free(b); }
"""
OPAQUE_SPEC = """
dlpack-bindgen: 1
module: opaque
include: opaque.h
numbers: {lib_sample: int}
functions:
  mix:
    c: int lib_mix(const lib_sample *a, const lib_sample *b, lib_sample *out, size_t n)
    args: {n: {count_of: a}, b: {require: [{shape: [n]}]}, out: {require: [{shape: [n]}]}}
  swap: {c: "void vec_swap(vec *a, vec *b)", args: {a: {invalidates: true}}}
  watch: {c: "void lib_watch(const double *x, size_t n)", args: {n: {count_of: x}, x: {takes: true}}}
tensors:
  Vec:
    type: vec
    data: self->items
    dtype: float64
    shape: [self->count]
    release: vec_free(self)
    new: {c: vec *vec_new(size_t count)}
handles:
  Mixer:
    type: mixer
    params: [int width]
    release: mixer_free(self)
    new: {c: mixer *mixer_new(int width)}
    methods:
      run: {c: "void mixer_run(mixer *m, lib_sample *out)", args: {out: {require: [{shape: [width]}]}}}
  Bag:
    type: bag
    release: bag_free(self)
    new: {c: bag *bag_new(void)}
    methods:
      add: {c: "void bag_add(bag *b, int item)"}
      __getitem__:
        c: int bag_item(const bag *b, size_t index)
        require: [{expr: index < (size_t)b->count, message: there is no such item}]
"""


@pytest.fixture(scope="module")
def opaque(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Returns the log of calls of a library whose numbers have a type of its own."""
    folder = tmp_path_factory.mktemp("opaque")
    own = plan(OPAQUE_SPEC)
    source = f'#include "opaque.h"\n{OPAQUE_SOURCE}{dtype_table(own)}'
    (folder / "table.c").write_text(source, encoding="utf-8")
    build_module("opaque", OPAQUE_SPEC, folder, OPAQUE_HEADER, flags=[str(folder / "table.c")])
    return run([own], steps=1500)


def test_arrays_have_the_dtypes_that_the_module_has_compiled(opaque: Log) -> None:
    """Three arrays of a guessed dtype are seldom all right, so the function would never return."""
    assert opaque.targets["mix"]["returned"] > opaque.targets["mix"]["raised"]
    assert dtypes_of_c("lib_sample", "int") == ["int16"]


def test_a_container_gets_items_before_they_are_used(opaque: Log) -> None:
    assert opaque.targets["Bag.__getitem__"]["returned"] > 20
    assert opaque.targets["Bag()"]["returned"] > 10


def test_an_argument_has_an_export_although_another_one_is_invalidated(opaque: Log) -> None:
    """A living export of `a` makes a call raise an exception, so that C never gets `b`."""
    living: dict[str, str] = {}
    found = 0
    for step in (event for event in opaque.events if event["event"] == "step"):
        if step["do"] == "export":
            living[step["result"]] = step["of"]
        elif step["do"] == "drop":
            living = {name: of for name, of in living.items() if name not in step["names"]}
        elif step.get("target") == "swap":
            first, second = (step["args"][name]["var"] for name in "ab")
            found += second in living.values() and first not in living.values()
    assert found > 10


def test_c_may_use_an_argument_that_it_takes_in_a_later_call(opaque: Log) -> None:
    assert opaque.targets["watch"]["returned"] > 20
    assert not [event for event in opaque.events if event.get("check") == "end-unused"]


def test_a_length_can_be_the_number_with_which_an_object_was_made(opaque: Log) -> None:
    assert opaque.targets["Mixer.run"]["returned"] > opaque.targets["Mixer.run"]["raised"]


# ---- Expressions of the spec ----


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 * n", 6),
        ("n / 2 + 1", 2),
        ("m->rows * 8", 32),
        ("(size_t)n % 2", 1),
        ("n * sizeof(double)", 24),
        ("sizeof(int32_t)", 4),
    ],
)
def test_expressions_have_the_value_of_c(expression: str, value: int) -> None:
    assert evaluated(expression, {"n": 3, "m->rows": 4}) == value


@pytest.mark.parametrize("expression", ["k + 1", "lib_size(n)", "n[0]", "n > 0 ? n : 1", "n / 0"])
def test_other_expressions_are_unknown(expression: str) -> None:
    with pytest.raises(Unknown):
        evaluated(expression, {"n": 3})


# ---- The text of steps ----


def step(**values: Any) -> dict[str, Any]:
    common = {"do": "call", "module": "m", "python": "watch", "args": {}, "by_name": []}
    return {**common, **values}


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"kind": "method", "self": "m3", "args": {"x": {"array": array_of("float64", [3])}}}, "m3.watch(float64[3])"),
        ({"kind": "new", "class": "Stack", "result": "s1"}, "s1 = Stack()"),
        ({"kind": "function", "args": {"n": 2, "k": None}, "by_name": ["k"]}, "watch(2, k=None)"),
        ({"kind": "import", "class": "A", "python": "from_dlpack", "args": {"x": {"var": "s1"}}}, "A.from_dlpack(s1)"),
        ({"kind": "getter", "self": "m3", "python": "size"}, "m3.size"),
        ({"kind": "setter", "self": "m3", "python": "size", "args": {"size": 4}}, "m3.size = 4"),
        ({"kind": "special", "self": "m3", "python": "__getitem__", "args": {"i": -1}}, "m3[-1]"),
        ({"kind": "special", "self": "m3", "python": "__len__"}, "len(m3)"),
        ({"kind": "special", "self": "m3", "python": "__setitem__", "args": {"i": 0, "v": 1.5}}, "m3[0] = 1.5"),
        ({"kind": "iteration", "self": "m3", "python": ""}, "list(m3)"),
        ({"kind": "with", "self": "m3"}, "with m3: pass"),
        ({"kind": "pickle", "self": "m3", "result": "m4"}, "m4 = pickle.loads(pickle.dumps(m3))"),
        ({"kind": "to", "self": "m3", "class": "Meter"}, "m3.to(Meter)"),
        ({"kind": "close", "self": "m3", "python": "close"}, "m3.close()"),
        ({"kind": "function", "args": {"c": {"enum": "Color", "names": ["RED"]}}}, "watch(Color.RED)"),
        ({"kind": "function", "args": {"s": {"tuple": [1]}, "t": {"list": [{"var": "a1"}]}}}, "watch((1,), [a1])"),
        ({"do": "drop", "names": ["m3", "e4"]}, "del m3, e4"),
        ({"do": "collect"}, "gc.collect()"),
        ({"do": "export", "of": "s1", "way": "dlpack", "result": "e2"}, "e2 = numpy.from_dlpack(s1)"),
        ({"do": "export", "of": "s1", "way": "buffer", "result": "e2"}, "e2 = memoryview(s1)"),
    ],
)
def test_a_step_is_described_as_python(values: dict[str, Any], text: str) -> None:
    assert describe(step(**values)) == text


def test_an_array_is_described_with_what_is_unusual() -> None:
    shown = described({"array": array_of("int16", [2, 3], "every", readonly=True)})
    assert shown == "read-only int16[2, 3] with strides (12, 4)"


def test_variables_get_short_names() -> None:
    steps = [
        step(kind="new", **{"class": "Meter"}, result="m7"),
        step(kind="new", **{"class": "Meter"}, result="m12"),
        step(kind="method", self="m12", args={"other": {"var": "m7"}}, result="r13"),
    ]
    assert describe_all(steps) == ["m = Meter()", "m2 = Meter()", "m2.watch(m)"]
