"""The top-level `failures` describe once how all functions with a parameter, or a type of result, report failures."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: lib
include: lib.h
failures:
  - parameter: GError **error
    ok: error == NULL
    error: error->message
    raises: LookupError
    finally: g_clear_error(&error)
  - parameter: int *status
    ok: status == 0
    error: status_text(status)
    raises: {33: ArithmeticError}
    undo: lib_undo()
  - {result: lib_status, ok: == 0, raises: OSError, errno: result}
handles:
  Shop:
    type: shop
    release: free(self)
    new: {c: "shop *shop_new(int stock, GError **error)"}
    methods:
      sell: {c: "int shop_sell(shop *s, int n, GError **error)"}
      name:
        c: char *shop_name(const shop *s, GError **error)
        returns: str
        finally: finished = living; free(result)
      look: {c: "int shop_look(const shop *s, GError **error)", args: {error: {value: NULL}}}
      sell_all:
        c: int shop_sell(shop *s, int n, GError **error)
        ok: "% == 0"
        error: '"some are left"'
        raises: RuntimeError
    properties:
      stock: {get: self->stock, set: {c: "void shop_set_stock(shop *s, int stock, GError **error)"}}
functions:
  living: {c: int count_living(void)}
  undone: {c: int count_undone(void)}
  finished: {c: int count_finished(void)}
  root: {c: "double root(double x, int *status)"}
  warn: {c: "void warn(int level, int *status)", ok: status < 3, returns: [status], undo: lib_undo()}
  run: {c: lib_status lib_run(int x)}
  count: {c: lib_status lib_count(int x), ok: ">= 0", raises: ValueError}
  any: {c: lib_status lib_count(int x), ok: none}
"""
HEADER = Path(__file__).with_name("lib.h").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("lib", SPEC, tmp_path_factory.mktemp("rules"), HEADER)


def test_an_error_object_is_neither_passed_nor_returned(lib: ModuleType) -> None:
    shop = lib.Shop(3)
    assert (shop.sell(1), shop.stock, shop.name()) == (2, 2, "shop")
    with pytest.raises(TypeError, match=r"^sell\(\) takes "):
        shop.sell(1, None)


def test_each_failure_raises_the_message_and_frees_the_error(lib: ModuleType) -> None:
    shop = lib.Shop(0)
    with pytest.raises(LookupError, match=r"^sell\(\): sold out \(n=1\)$"):
        shop.sell(1)
    with pytest.raises(LookupError, match=r"^Shop\(\): less than nothing \(stock=-1\)$"):
        lib.Shop(-1)
    with pytest.raises(LookupError, match=r"less than nothing \(stock=-1\)$"):
        shop.stock = -1
    assert lib.living() == 0


def test_statements_of_the_function_come_first(lib: ModuleType) -> None:
    with pytest.raises(LookupError, match=r"^name\(\): no name$"):
        lib.Shop(0).name()
    assert (lib.finished(), lib.living()) == (1, 0)  # the rule frees the error after the `finally` of the function


def test_a_function_that_describes_the_parameter_has_no_rule(lib: ModuleType) -> None:
    assert lib.Shop(3).look() == 103


def test_keys_of_the_function_replace_those_of_the_rule(lib: ModuleType) -> None:
    shop = lib.Shop(3)
    with pytest.raises(RuntimeError, match=r"^sell_all\(\): some are left \(n=1\)$"):
        shop.sell_all(1)
    assert shop.sell_all(2) is None
    with pytest.raises(RuntimeError, match="some are left"):
        shop.sell_all(9)
    assert lib.living() == 0


def test_the_last_argument_can_be_the_status(lib: ModuleType) -> None:
    assert lib.root(3) == 1.5
    undone = lib.undone()
    with pytest.raises(ArithmeticError, match=r"^root\(\): domain \(x=-1\)$"):
        lib.root(-1)
    assert lib.undone() == undone + 1
    assert lib.warn(2) == 2
    with pytest.raises(RuntimeError, match=r"^warn\(\): other \(level=4\)$"):
        lib.warn(4)
    assert lib.undone() == undone + 3


def test_the_result_can_be_the_status(lib: ModuleType) -> None:
    assert lib.run(0) is None
    with pytest.raises(FileNotFoundError) as caught:
        lib.run(2)
    assert caught.value.errno == 2
    assert lib.count(4) == 4
    with pytest.raises(ValueError, match=r"count\(\)"):
        lib.count(-1)
    assert lib.any(-1) == -1


def test_variants_have_the_rules(tmp_path: Path) -> None:
    spec = """
dlpack-bindgen: 1
module: other
include: other.h
failures: {parameter: GError **error, ok: error == NULL, error: error->message, finally: g_clear_error(&error)}
tensors:
  ${NAME}:
    type: ${TYPE}
    data: self->data
    dtype: float32
    shape: ["3"]
    methods: {check: {c: "int ${TYPE}_check(${TYPE} *self_, GError **error)"}}
    release: free(self)
    new: {c: "${TYPE} *${TYPE}_new(void)"}
    variants: [{NAME: A, TYPE: a}, {NAME: B, TYPE: b}]
"""
    code = "typedef struct N { float data[3]; } N; static inline N *N_new(void) { return calloc(1, sizeof(N)); }\n"
    code += 'static inline int N_check(N *n, GError **error) { if (n) { fail(error, 1, "N fails"); } return 0; }\n'
    other = build_module("other", spec, tmp_path, HEADER + code.replace("N", "a") + code.replace("N", "b"))
    for each in (other.A(), other.B()):
        with pytest.raises(RuntimeError, match=r"^check\(\): [ab] fails$"):
            each.check()
