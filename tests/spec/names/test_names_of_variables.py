"""Types and variables of a spec with the names of variables of emitted functions: the latter give way.

Words of the language, such as `data`, are variables where the language has them, and free elsewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from compile.test_emitted import SPECS, emitted
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.tensor.lifetime_hooks import SCOPE_NAMES, WORDS_OF_HOOKS
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.names import NAMES_BESIDE_TEXT, OWN_NAMES, WORDS_OF_CLASSES
from dlpack_bindgen.text.yaml import load
from structs.libraries import COMPILERS, STRICT
from support.build import build_module, compiler_environment, generate, header_flags

INCLUDES = "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n"
TYPES = sorted((OWN_NAMES | SCOPE_NAMES) - {"index"})
"""A function of <strings.h>, which Python includes, is called `index`."""


def compiles(text: str, header: str, folder: Path, module: str) -> None:
    """Compiles without a warning of either compiler, -Wshadow included."""
    (folder / f"{module}.h").write_text(INCLUDES + header)
    generate(text, folder)
    for compiler in filter(shutil.which, COMPILERS):
        for part in ("dlpack", "module"):
            source = str(folder / f"{module}_{part}.c")
            command = [compiler, *STRICT, f"-I{folder}", *header_flags(), "-fsyntax-only", source]
            result = subprocess.run(command, env=compiler_environment(), capture_output=True, text=True, check=False)
            assert result.returncode == 0, result.stderr


# ---- Types ----


def header_of(name: str) -> str:
    return f"""
typedef struct {{ double *at; long n, step; void (*end)(void *); void *of; int flag, mark; }} {name};
static inline {name} *{name}_around(double *at, long count)
{{
    {name} *made = calloc(1, sizeof *made);
    made->at = at;
    made->n = count;
    made->step = 1;
    return made;
}}
static inline {name} *{name}_on_end({name} *it, void (*end)(void *), void *of)
{{
    it->end = end;
    it->of = of;
    return it;
}}
static inline void {name}_free({name} *it)
{{
    if (it->end != NULL) {{ it->end(it->of); }}
    free(it);
}}
static inline void {name}_free_all({name} *it)
{{
    free(it->at);
    free(it);
}}
static inline long {name}_count(const {name} *it) {{ return it->n; }}
static inline int {name}_touch({name} *it) {{ return it->n < 0; }}
static inline void {name}_copy({name} *from, void *to, size_t size) {{ memcpy(to, from->at, size); }}
"""


def class_of(name: str) -> str:
    return "".join(word.capitalize() for word in ("of", *name.split("_")))


def tensors_of(name: str) -> str:
    python, parameter = class_of(name), "it" if name in ("result", "x") else name
    return f"""
  {python}:
    type: {name}
    data: self->at
    dtype: float64
    shape: [self->n]
    strides: {{each: "self->step + 0 * (({name} *)self)->step", unit: elements}}
    let: [{{const {name} *const it: self, ok: "!= NULL"}}, {{do: {name}_touch(self), ok: == 0}}]
    require: ["(({name} *)self)->n >= 0"]
    release: {name}_free(self)
    close: {{do: {name}_touch(self), ok: == 0}}
    import:
      params: [int extra = 0]
      let: [{{"long extents[]": shape}}, {{do: "{name}_touch(&({name}){{0}})", ok: "!%", error: '"bad"'}}]
      set: {{at: "(double *)(({name} *)(void *)data)", n: "extents[0]", step: "strides[0]"}}
    methods:
      count: {{c: long {name}_count(const {name} *{parameter})}}
    properties:
      mark: {{get: self->mark, set: true}}
      twice: {{get: "2 * (int)(({name} *)self)->n"}}
  {python}Held:
    type: {name}
    params: [int mode = 3]
    hold: [{{{name} *kept: "({name} *)self"}}]
    acquire: {{do: "{name}_touch(kept)", ok: == 0}}
    data: kept->at
    dtype: float64
    shape: {{ndim: "1", each: "kept->n + axis"}}
    release: {name}_free(self)
    import:
      construct: {name}_around(data, (long)shape[0])
      attach: {{do: "{name}_on_end(self, deleter, user)", ok: "!= NULL", order: [user]}}
  {python}Cuda:
    type: {name}
    device: {{of: self->flag, map: {{0: cpu, 1: cuda}}}}
    data: self->at
    dtype: float64
    shape: [self->n]
    release: {name}_free_all(self)
    sync: "(void)stream; (void)(({name} *)self)"
    to_cpu: "{name}_copy(({name} *)self, dst, (size_t)nbytes)"
    allocate: {{construct: "{name}_around(calloc((size_t)shape[0] + 1, 8), (long)shape[0])", require: [{{ndim: 1}}]}}
"""


def spec_of(module: str, names: list[str]) -> str:
    return f"module: {module}\ninclude: {module}.h\ntensors:{''.join(map(tensors_of, names))}"


@pytest.mark.parametrize("part", range(3))
def test_types_with_names_of_emitted_variables_compile(part: int, tmp_path: Path) -> None:
    names = TYPES[part::3]
    compiles(spec_of("types", names), "".join(map(header_of, names)), tmp_path, "types")


NAMES = ["box", "shape", "state", "self", "data", "error", "arrays"]


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    header = INCLUDES + "".join(map(header_of, NAMES))
    return build_module("clashes", spec_of("clashes", NAMES), tmp_path_factory.mktemp("clashes"), header)


@pytest.mark.parametrize("name", NAMES)
def test_types_with_names_of_emitted_variables_work(types: ModuleType, name: str) -> None:
    array = np.arange(6.0)
    one = getattr(types, class_of(name))
    made = one.from_dlpack(array[::2], extra=1)
    assert np.asarray(made).tolist() == [0, 2, 4]
    assert (made.count(), made.twice) == (3, 6)
    made.mark = 7
    assert made.mark == 7
    held = getattr(types, f"{class_of(name)}Held").from_dlpack(array)
    assert np.shares_memory(np.asarray(held), array)
    assert np.asarray(getattr(types, f"{class_of(name)}Cuda").empty((4,), dtype="float64")).shape == (4,)


def handle_of(name: str) -> tuple[str, str]:
    """Returns a typedef of a pointer and one of a pointer to const: the declarations, and the class."""
    header = f"""
typedef struct {name}_impl *{name};
typedef const struct {name}_impl *{name}_view;
struct {name}_impl {{ int size; }};
static inline int {name}_open({name} *it, int size)
{{
    *it = malloc(sizeof **it);
    (*it)->size = size;
    return 0;
}}
static inline void {name}_end({name} it) {{ free(it); }}
static inline int {name}_size({name}_view it) {{ return it->size; }}
static inline void {name}_set({name} it, int size) {{ it->size = size; }}
static inline int {name}_check({name} it) {{ return it->size < 0; }}
"""
    python = class_of(name)
    return (
        header,
        f"""
  {python}:
    type: {name}
    pass: value
    release: {name}_end(self)
    close: {{do: {name}_check(self), ok: == 0, error: '"bad"'}}
    new: {{c: "int {name}_open({name} *w, int size)", args: {{w: {{out: true}}}}, ok: == 0}}
    methods: {{size: {{c: int {name}_size({name}_view w), args: {{w: {python}}}}}}}
    properties: {{half: {{get: "{name}_size(self) / 2", set: {{c: "void {name}_set({name} w, int size)"}}}}}}
""",
    )


def test_handles_with_names_of_emitted_variables_compile(tmp_path: Path) -> None:
    handles = [handle_of(name) for name in TYPES]
    text = f"module: handles\ninclude: handles.h\nhandles:{''.join(each for _, each in handles)}"
    compiles(text, "".join(header for header, _ in handles), tmp_path, "handles")


# ---- Constants and functions ----

CONSTANTS = """
module: constants
include: constants.h
tensors:
  Grid:
    type: grid
    params: [int box = view]
    data: (void *)self->at
    dtype: {of: self->kind, map: {state: float64, error: float32}}
    shape: ["source(self)", object]
    require: ["owner(self) != outcome"]
    release: (void)self
    properties: {box: {get: box + out, type: int}}
    import: {require: [{ndim: 2}], init: "params(self, data, shape[0], code)", ok: none, destroy: none}
"""
CONSTANTS_HEADER = Path(__file__).with_name("constants.h").read_text()


def test_constants_and_functions_may_have_names_of_emitted_variables(tmp_path: Path) -> None:
    compiles(CONSTANTS, CONSTANTS_HEADER, tmp_path, "constants")
    module = build_module("constants", CONSTANTS, tmp_path, INCLUDES + CONSTANTS_HEADER)
    grid = module.Grid.from_dlpack(np.ones((3, 2), np.float32))
    assert (np.asarray(grid).tolist(), np.asarray(grid).dtype, grid.box) == ([[1, 1]] * 3, np.float32, 35)
    with pytest.raises(BufferError, match=r"owner\(self\) != outcome does not hold"):
        module.Grid.from_dlpack(np.ones((9, 2)))


# ---- Variables of the spec ----

ROWS = """
typedef struct { double *at; long n; int kind; } row;
static inline long row_count(row *r) { return r->n; }
static inline row *row_around(double *at, long n)
{
    row *r = calloc(1, sizeof *r);
    r->at = at;
    r->n = n;
    return r;
}
static inline void row_free(row *r) { free(r); }
"""


def variables_of(name: str) -> Iterator[str]:
    python = class_of(name)
    yield f"""
  Let{python}:
    type: row
    let:
      - {{"double *{name}": self->at, ok: "!= NULL", error: '"none"', finally: "(void){name}"}}
      - {{out: long more, do: "more = row_count(self)", ok: ">= 0"}}
    data: {name}
    dtype: float64
    shape: ["{name} == NULL ? 0 : more"]
    release: row_free(self)
"""
    if name not in set().union(*WORDS_OF_HOOKS.values()):
        yield f"""
  Hold{python}:
    type: row
    hold: [{{long {name}: row_count(self), ok: ">= 0"}}]
    acquire: {{do: "{name} = row_count(self)", ok: ">= 0"}}
    before_read: "(void){name}"
    data: self->at
    dtype: float64
    shape: ["{name}"]
    release: "(void){name}; row_free(self)"
"""
    if name not in NAMES_BESIDE_TEXT:
        return
    yield f"""
  Param{python}:
    type: row
    params: [long {name}]
    data: self->at
    dtype: float64
    shape: ["{name}"]
    release: row_free(self)
    import:
      params: [long {name}]
      let: [{{"long many[]": shape}}]
      construct: "row_around(data, {name} + 0 * many[0])"
    properties: {{p: {{get: "{name}", type: int}}, kind: {{get: self->kind, set: true}}}}
  Made{python}:
    type: row
    data: self->at
    dtype: float64
    shape: [self->n]
    import:
      let: [{{"long many[]": shape}}, {{long {name}: "many[0]", undo: "(void){name}"}}]
      set: {{at: data, n: {name}}}
"""


VARIABLES = sorted((NAMES_BESIDE_TEXT | SCOPE_NAMES) - WORDS_OF_CLASSES)


def rows(module: str, names: list[str]) -> str:
    classes = "".join(text for name in names for text in variables_of(name))
    return f"module: {module}\ninclude: {module}.h\ntensors:{classes}"


@pytest.mark.parametrize("part", range(2))
def test_variables_with_names_of_emitted_variables_compile(part: int, tmp_path: Path) -> None:
    compiles(rows("rows", VARIABLES[part::2]), ROWS, tmp_path, "rows")


def test_variables_with_names_of_emitted_variables_work(tmp_path: Path) -> None:
    names = ["data", "state", "error", "shape", "view", "out"]
    module = build_module("named_rows", rows("named_rows", names), tmp_path, INCLUDES + ROWS)
    array = np.arange(3.0)
    for name in ("state", "error", "view", "out"):
        counted = getattr(module, f"Param{class_of(name)}").from_dlpack(array, **{name: 3})
        assert (np.asarray(counted).tolist(), counted.p) == ([0, 1, 2], 3)
        made = getattr(module, f"Made{class_of(name)}").from_dlpack(array)
        assert np.asarray(made).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "keys",
    [
        "let: [{int axis: 0}]",
        "let: [{out: int result, do: row_count(self)}]",
        "hold: [{int stream: 0}]",
        "params: [int data = 0]",
        "import: {let: [{double *data: NULL}], set: {at: data}}",
        "import: {let: [{long shape: 0}], set: {at: data}}",
        "allocate: {let: [{long nbytes: 0}], init: row_init(self), ok: none}",
    ],
)
def test_words_of_the_language_are_not_variables_where_they_have_a_meaning(keys: str) -> None:
    text = f"module: m\ntensors: {{T: {{type: row, data: self->at, dtype: int8, shape: [self->n], {keys}}}}}"
    name = re.findall(r"\b(axis|result|stream|data|shape|nbytes)\b(?=:|,| =)", keys)[0]
    problems: list[Diagnostic] = validate([load("m.yaml", text.encode())])[1]
    told = [problem.message for problem in problems if problem.code == "reserved-name"]
    assert told == [f"`{name}` has a meaning in the C text that follows: call the variable something else"]


# ---- Variables of the emitted functions ----

_FUNCTION = re.compile(
    r"^(?!DLB_(?:PY_)?DEFINE_)[A-Za-z_][^\n;={]*\((?P<head>[^{;]*?)\)\n\{\n(?P<body>.*?)^\}", re.M | re.S
)
_DECLARED = re.compile(
    r"^\s+(?:const |struct |static |unsigned )*[A-Za-z_]\w*(?: long)*[ *]+(?:const )?[*]*(\w+)(?:\[[^\]]*\])*(?: =|;)"
    r"|for \((?:int|size_t) (\w+)",
    re.M,
)
_DERIVED = re.compile(
    r"end_\w+|(?:made|items_of|item_of|place_of|shape_of|ndim_of)_\w+|\w+_(?:bytes|kept|array)|\w+_|NULL|void|\d+"
)
"""Labels, and names that are made of those of parameters."""


@pytest.mark.parametrize("name", SPECS)
def test_all_variables_are_known(name: str) -> None:
    own = set(re.findall(r"\w+", SPECS[name].read_text(encoding="utf-8")))
    found = set()
    for output, text in emitted(name).items():
        for function in _FUNCTION.finditer(text) if output.endswith(".c") else ():
            found.update(re.findall(r"(\w+)(?:\[\w*\])?\s*(?:,|$)", function["head"]))
            found.update(each for pair in _DECLARED.findall(function["body"]) for each in pair if each)
    unknown = found - own - OWN_NAMES - SCOPE_NAMES
    assert {each for each in unknown if not _DERIVED.fullmatch(each)} == set()
