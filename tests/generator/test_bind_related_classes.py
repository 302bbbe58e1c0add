"""Classes of one C type: their methods for each other, the arguments of these, and their number."""

from __future__ import annotations

import pytest

from dlpack_bindgen.emit.module import Module
from dlpack_bindgen.emit.render import render
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.types import plain_type
from dlpack_bindgen.text.yaml import load

TENSOR = "{{type: sim, params: [{}], data: self->q, dtype: float64, shape: [2]}}"


def made(tensors: dict[str, str], handles: dict[str, str] | None = None, functions: str = "") -> Spec:
    """Makes classes of one C type with these params."""
    lines = ["module: sims", "include: sims.h", "tensors:"]
    lines += [f"  {name}: {TENSOR.format(params)}" for name, params in tensors.items()]
    lines += ["handles:"] if handles else []
    lines += [f"  {name}: {{type: sim, params: [{params}]}}" for name, params in (handles or {}).items()]
    specs, problems = validate([load("sims.yaml", "\n".join([*lines, functions]).encode())])
    assert not problems, problems
    return specs[0]


def methods(bound: Module) -> dict[str, dict[str, str]]:
    return {each.item.name: {view.method: view.stub for view in each.views} for each in bound.classes}


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("const model *", "const model *"),
        ("model const*", "const model *"),
        ("model *const", "model *"),
        ("const struct model *const *", "const struct model *const *"),
        ("unsigned", "unsigned int"),
        ("long unsigned int", "unsigned long"),
        ("const int", "int"),
    ],
)
def test_types_that_are_the_same_are_spelt_so(written: str, plain: str) -> None:
    assert plain_type(written) == plain


def test_params_of_both_classes_are_not_arguments() -> None:
    bound = Module(made({"Q": "model const *m, int n"}, {"Data": "const model *m", "Other": "model *m, int n = 3"}))
    assert methods(bound) == {"Data": {"q": ", n: int"}, "Other": {}, "Q": {}}, "a model * is another type"
    data, other, q = bound.classes
    assert data.params and data.params.entries == ('DLB_SHARED_PARAM(struct sims_data_state, m, 1, "const model *")',)
    assert other.params and other.params.entries[0] == "DLB_PARAM(struct sims_other_state, m, 1)"
    assert q.params and q.params.entries[1] == 'DLB_SHARED_PARAM(struct sims_q_state, n, 1, "int")'
    assert data.views[0].doc.endswith('This object, seen as Q, with the same `m`."')
    assert "If the class of `whole` has `m` and `n` too" in " ".join(q.part_comment)


@pytest.mark.parametrize("param", ["model *m", "struct model m", "void *const *m"])
def test_a_class_with_a_param_that_python_cannot_give_needs_its_default_for_a_method(param: str) -> None:
    assert methods(Module(made({"Q": param, "P": ""})))["P"] == {}
    assert methods(Module(made({"Q": f"{param} = standard()", "P": ""})))["P"].keys() == {"q"}


RETURNS = """
functions:
  find: {c: 'sim *find(int *n)', args: {n: {out: true}}, returns: {of: Q, borrow: static}}
  same: {c: 'sim *same(int n)', returns: {of: P, borrow: static}}
"""


def test_a_param_that_a_function_sets_for_its_results_is_not_an_argument() -> None:
    found = methods(Module(made({"Q": "int n", "P": "int n = 3", "R": "int n", "S": ""}, {"Data": "int n"}, RETURNS)))
    assert found["S"] == {"r": ", n: int"}
    assert found["Q"] == {"r": "", "s": ""}, "the length of one array is not that of the other"
    assert found["Data"] == {"q": "", "p": "", "r": "", "s": ""}


PARTS = "  Whole: {type: sim, params: [int i, long n], parts: {name: qs, of: Q, count: 3}}"


def test_the_index_of_a_part_is_its_own() -> None:
    functions = (
        RETURNS.replace("functions:", f"{PARTS}\nfunctions:")
        .replace("(int *n)", "(int i, long *n)")
        .replace("same(int n)", "same(int i)")
    )
    found = Module(made({"Q": "int i, long n", "P": "int i"}, {"Data": "int i"}, functions))
    assert methods(found)["Whole"] == {"q": ", i: int", "p": ""}
    assert methods(found)["P"] == {}, "which lacks n"
    (whole,) = (each for each in found.classes if each.item.name == "Whole")
    assert whole.params and whole.params.entries[0] == 'DLB_SHARED_PARAM(struct sims_whole_state, i, 1, "int")'
    (q,) = (each for each in found.classes if each.item.name == "Q")
    assert q.params and q.params.entries[0] == "DLB_PARAM(struct sims_q_state, i, 1)"


def lines(count: int, params: str, handle: str) -> int:
    spec = made({f"Q{i}": params for i in range(count)}, {"Data": handle})
    return sum(len(file.text.splitlines()) for file in render([spec], 1))


@pytest.mark.parametrize(("params", "handle"), [("const model *m", "const model *m"), ("int index", ""), ("", "")])
def test_the_output_grows_with_the_classes(params: str, handle: str) -> None:
    assert lines(80, params, handle) < 2.1 * lines(40, params, handle)


def test_few_classes_with_params_are_methods_of_many_classes() -> None:
    found = methods(Module(made({**{f"Q{i}": "" for i in range(30)}, "Plane": "int plane"}, {"Data": ""})))
    assert found["Q3"] == {"plane": ", plane: int"} and found["Plane"] == {} and len(found["Data"]) == 31
