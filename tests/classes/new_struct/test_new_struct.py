# SPDX-License-Identifier: MIT
"""Structs that Python makes: their constructors, and tuples and mappings in the place of an object."""

from __future__ import annotations

import gc
import inspect
import threading
from collections import UserDict, UserList, namedtuple
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module
from support.stubs import check_stubs

SPEC = """
dlpack-bindgen: 1
module: options
include: options.h
constants:
  Mood: {enum: {CALM: MOOD_CALM, ANGRY: MOOD_ANGRY}}
handles:
  Pen:
    type: pen
    release: (void)self
    new: {c: "pen pen_of(const colour *ink)", returns: {of: Pen, keeps: ink}}
    properties: {red: pen_red(self)}
    methods:
      dip: {c: "void pen_dip(pen *self, const colour *ink)", args: {self: {keeps: ink}}}
  Options:
    type: blur_options
    release: (void)self
    new: {doc: The options of a blur.}
    methods:
      sum: {c: double blur_sum(blur_options self)}
    properties:
      passes: {get: self->passes, set: true}
      sharp: {get: self->sharp, type: bool, set: true}
      limit: {get: self->limit, type: float, set: true}
      phase: {get: self->phase, type: complex, set: true}
      letter: {get: self->letter, type: char, set: true}
      mood: {get: self->mood, type: Mood, set: true}
      bits: {get: self->bits, set: true}
      x: {get: self->at.x, set: true}
      heavy: {get: "self->weights[1]", set: true}
      doubled: {get: self->doubled, set: {c: "void blur_options_double(blur_options *self, int value)"}}
      name:
        get: self->name
        type: str
        set: {c: "int blur_options_set_name(blur_options *self, const char *name)", ok: == 0, raises: ValueError}
      length: strlen(self->name)
      absent: {get: self->absent, set: true, if: defined(OPTIONS_ABSENT)}
  Colour:
    type: colour
    release: (void)self
    new: {}
    methods:
      mixed: {c: "colour colour_mixed(const colour *self, const colour *other)"}
      difference: {c: "int colour_difference(colour self, colour other)"}
    properties:
      r: {get: self->r, set: true}
      g: {get: self->g, set: true}
      b: {get: self->b, set: true}
      a: {get: self->a, set: true}
  Shade:
    type: shade
    pass: value
    release: (void)self
    params: [int kind = 3]
    new: {init: self.g = 7}
    properties:
      r: {get: self.r, set: true}
      g: {get: self.g, set: true}
      kind: kind
  Codec:
    type: codec
    release: codec_end(self)
    params: [int rate = 8]
    new: {init: codec_init(self), ok: == 0, error: '"no more codecs"'}
    properties: {level: {get: self->level, set: true}, size: {get: self->size, set: true}, rate: rate}
tensors:
  Span:
    type: span
    data: self->at
    dtype: float32
    shape: [self->n]
    release: (void)self
    import: {set: {at: data, n: "shape[0]"}}
    new: {}
    properties: {gain: {get: self->gain, type: float, set: true}}
  Vec:
    type: vec
    data: self->at
    dtype: float32
    shape: [3]
    release: (void)self
    new: {}
    properties:
      first: {get: "self->at[0]", type: float, set: {c: "void vec_set_first(vec *self, float value)"}}
functions:
  blur_sum: {c: double blur_sum(blur_options o)}
  blur_name: {c: const char *blur_name(const blur_options *o), args: {o: {optional: true}}}
  sum_of_passes:
    c: int blur_sum_of_passes(const blur_options *const *all, int count)
    args: {count: {count_of: all}}
    release_gil: true
  each_pass:
    c: int blur_sum_of_passes(const blur_options *const *all, int count)
    args: {count: {count_of: all}}
    name: either_passes
  no_pass: {c: int blur_no_passes(int number), name: either_passes}
  next_pass: {c: int blur_next_pass(blur_options *o)}
  passes: {c: int blur_passes(blur_options *o), args: {o: {writes: false}}}
  luma: {c: int colour_luma(colour c)}
  shade_sum: {c: int shade_sum(shade s)}
  difference: {c: "int colour_difference(colour a, colour b)"}
  of_colour: {c: int colour_luma(colour c), name: brightness}
  of_shade: {c: int shade_sum(shade c), name: brightness}
  codecs: {c: int codec_count(void)}
  fill_up: {c: void codec_fill_up(int count)}
  level: {c: int codec_level(const codec *self)}
  level_seen: {c: int codec_level_seen(codec_view seen), args: {seen: Codec}}
  level_moved: {c: int codec_level_moved(codec_pointer moved), args: {moved: Codec}}
  span_sum: {c: float span_sum(const span *s)}
  span_pick: {c: float span_sum(const span *s), name: pick}
  span_number: {c: float span_number(int number), name: pick}
  vec_sum: {c: float vec_sum(vec v)}
"""
SETTERS = """
typedef struct { float *at; long n; float gain; } span;
static inline float span_sum(const span *s)
{
    float sum = s->gain;

    for (long i = 0; i < s->n; i++) {
        sum += s->at[i];
    }
    return sum;
}
static inline int blur_no_passes(int number) { return -number; }
static inline float span_number(int number) { return 100 + (float)number; }
static inline void vec_set_first(vec *self, float value) { self->at[0] = value; }
"""
COUNTER = '#include "options.h"\nint codecs = 0;\n'
HEADER = Path(__file__).with_name("options.h")
Members = namedtuple("Members", "r g b a")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[ModuleType, Path]:
    directory = tmp_path_factory.mktemp("options")
    module = build_module("options", SPEC, directory, HEADER.read_text() + SETTERS, COUNTER)
    return module, Path(str(module.__file__))


@pytest.fixture
def options(built: tuple[ModuleType, Path]) -> Iterator[ModuleType]:
    yield built[0]
    gc.collect()
    assert built[0].codecs() == 0


def refusal(call: Callable[[], object]) -> tuple[type[BaseException], str]:
    with pytest.raises(Exception) as caught:
        call()
    return caught.type, str(caught.value)


# ---- The constructor ----


def test_a_new_struct_is_zero(options: ModuleType) -> None:
    new = options.Options()
    assert (new.passes, new.sharp, new.limit, new.phase, new.letter, new.mood, new.bits) == (0, False, 0, 0, "\0", 0, 0)
    assert (new.x, new.heavy, new.doubled, new.name) == (0, 0, 0, "")


def test_keywords_set_all_kinds_of_members(options: ModuleType) -> None:
    new = options.Options(
        3, True, limit=0.5, phase=1 + 2j, letter="c", mood="ANGRY", bits=7, x=-4, heavy=200, doubled=6, name="soft"
    )
    assert (new.passes, new.sharp, new.limit, new.phase, new.letter, new.mood) == (3, True, 0.5, 1 + 2j, "c", 7)
    assert (new.bits, new.x, new.heavy, new.doubled, new.name, new.length) == (7, -4, 200, 12, "soft", 4)
    assert new.mood is options.Mood.ANGRY
    assert new.sum() == 3 + 10 + 0.5 + 200


def test_members_without_a_keyword_are_zero(options: ModuleType) -> None:
    new = options.Options(limit=2)
    assert (new.passes, new.limit) == (0, 2)
    new.passes = 4
    assert options.blur_sum(new) == 6


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ({"passes": "x"}, (TypeError, "Options() argument 'passes' must be int, not str")),
        ({"passes": 1 << 40}, (OverflowError, "Options() argument 'passes' cannot hold 1099511627776")),
        ({"passes": 1 << 70}, (OverflowError, f"Options() argument 'passes' cannot hold {1 << 70}")),
        ({"bits": 8}, (OverflowError, "Options() argument 'bits' cannot hold 8")),
        ({"mood": "GLAD"}, (ValueError, "Options() argument 'mood': 'GLAD' is not a member of Mood")),
        ({"doubled": 1 << 40}, (OverflowError, "Options() argument 'doubled': signed 32-bit integer is g")),
        ({"name": "much too long"}, (ValueError, "name(): blur_options_set_name() failed")),
        ({"length": 3}, (TypeError, "Options() got an unexpected keyword argument 'length'")),
        ({"absent": 3}, (TypeError, "Options() got an unexpected keyword argument 'absent'")),
    ],
)
def test_wrong_keywords_and_values_are_refused(
    options: ModuleType, arguments: dict[str, Any], expected: tuple[type, str]
) -> None:
    kind, message = refusal(lambda: options.Options(**arguments))
    assert (kind, message[: len(expected[1])]) == expected


def test_a_constructor_has_a_signature(options: ModuleType) -> None:
    assert options.Colour.__text_signature__ == "(r=0, g=0, b=0, a=0)"
    assert [*inspect.signature(options.Codec).parameters] == ["level", "size"]
    assert options.Options.__doc__.endswith("The options of a blur.")
    assert refusal(lambda: options.Colour(1, 2, 3, 4, 5))[1] == "Colour() takes at most 4 arguments (5 given)"
    assert refusal(lambda: options.Colour(1, r=2))[0] is TypeError
    assert options.Colour.__new__(options.Colour, 1, g=2).g == 2


def test_init_gives_other_initial_values(options: ModuleType) -> None:
    assert (options.Codec().level, options.Codec(size=3).level, options.Codec(9).level) == (5, 5, 9)
    shade = options.Shade(r=1)
    assert (shade.r, shade.g, shade.kind, options.Shade(g=2).g) == (1, 7, 3, 2)


def test_a_failed_init_makes_nothing(options: ModuleType) -> None:
    options.fill_up(100)
    try:
        failed = (RuntimeError, "options.Codec: codec_init(self) failed: no more codecs")
        assert refusal(options.Codec) == failed
        assert refusal(lambda: options.level((1, 2))) == failed
    finally:
        options.fill_up(0)


def test_a_refused_member_releases_the_struct(options: ModuleType) -> None:
    assert refusal(lambda: options.Codec(size="x")) == (TypeError, "Codec() argument 'size' must be int, not str")
    codec = options.Codec()
    assert options.codecs() == 1
    codec.close()
    assert options.codecs() == 0
    assert refusal(lambda: codec.level)[0] is ValueError


def test_an_array_or_members_make_a_struct_with_an_array(options: ModuleType) -> None:
    """An array has a length and items, as a mapping has, and is none."""
    x = np.array([1, 2], np.float32)
    for call in (options.span_sum, options.pick):
        assert (call(x), call({"gain": 4}), call(UserDict(gain=5)), call((6,))) == (3, 4, 5, 6)
        assert call(options.Span(gain=7)) == 7
    assert (options.pick(1), options.Codec(level=1).rate) == (101, 8)


def test_a_list_of_members_is_chosen(options: ModuleType) -> None:
    objects = [options.Options(passes=3), {"passes": 4}]
    assert (options.either_passes(objects), options.either_passes(objects[1:]), options.either_passes(5)) == (7, 4, -5)
    assert options.either_passes(UserList(objects)) == 7
    for wrong in ([3], [{"pass": 1}], ["x"], Enum("Passes", "FEW MANY")):
        assert refusal(lambda wrong=wrong: options.either_passes(wrong))[0] is TypeError


def test_a_class_has_no_members(options: ModuleType) -> None:
    """The class of an enumeration has items, as a mapping has."""
    assert refusal(lambda: options.pick(Enum("Passes", "FEW MANY")))[0] is TypeError
    assert refusal(lambda: options.span_sum(Enum("Passes", "FEW MANY")))[0] is TypeError


def test_the_interruption_of_a_lookup_of_members_ends_the_call(options: ModuleType) -> None:
    class Interrupted:
        def __init__(self, name: str) -> None:
            self.name = name

        def __getitem__(self, key: Any) -> Any:
            raise AssertionError

        def __getattr__(self, name: str) -> Any:
            raise KeyboardInterrupt if name == self.name else AttributeError(name)

    for call in (options.span_sum, options.pick):
        for name in ("keys", "__dlpack__"):
            with pytest.raises(KeyboardInterrupt):
                call(Interrupted(name))


def test_a_tensor_can_be_made(options: ModuleType) -> None:
    vec = options.Vec(first=2)
    assert np.from_dlpack(vec).tolist() == [2, 0, 0]
    assert options.vec_sum(vec) == 2
    assert options.vec_sum((4,)) == 4
    assert refusal(lambda: options.vec_sum("x"))[1] == (
        "vec_sum() argument 'v' must be Vec, a tuple or a mapping of its members, not str"
    )


# ---- Arguments ----


@pytest.mark.parametrize(
    "given",
    [
        (9, 6, 3, 255),
        [9, 6, 3, 255],
        Members(9, 6, 3, 255),
        {"r": 9, "g": 6, "b": 3},
        MappingProxyType({"b": 3, "g": 6, "r": 9, "a": 1}),
        UserDict({"r": 9, "g": 9}),
        (np.uint8(9), np.int64(9), 0, 0),
    ],
)
def test_a_tuple_or_a_mapping_stands_for_a_struct(options: ModuleType, given: object) -> None:
    assert options.luma(given) == options.luma(c=given) == 6
    assert options.shade_sum((9, 9)) == 18
    assert options.shade_sum({"r": 11}) == 18


@pytest.mark.parametrize(
    "given, expected",
    [
        ((9, 6, 3), (ValueError, "luma() argument 'c' must have 4 items (r, g, b, a), not 3")),
        ([], (ValueError, "luma() argument 'c' must have 4 items (r, g, b, a), not 0")),
        ((9, 6, 3, 256), (OverflowError, "luma() argument 'c': member 'a' cannot hold 256")),
        ((-1, 6, 3, 0), (OverflowError, "luma() argument 'c': member 'r' cannot hold -1")),
        ((9, "x", 3, 4), (TypeError, "luma() argument 'c': member 'g' must be int, not str")),
        ((9, None, 3, 4), (TypeError, "luma() argument 'c': member 'g' must be int, not None")),
        ({"r": 1, "h": 2}, (TypeError, "luma() argument 'c': Colour has no member 'h': it has r, g, b, a")),
        ({1: 2}, (TypeError, "luma() argument 'c': Colour has no member 1: it has r, g, b, a")),
        (3, (TypeError, "luma() argument 'c' must be Colour, a tuple or a mapping of its members, not int")),
        ("rgba", (TypeError, "luma() argument 'c' must be Colour, a tuple or a mapping of its members, not str")),
        (dict, (TypeError, "luma() argument 'c' must be Colour, a tuple or a mapping of its members, not type")),
        (None, (TypeError, "luma() argument 'c' must be Colour, a tuple or a mapping of its members, not None")),
    ],
)
def test_wrong_tuples_and_mappings_are_refused(options: ModuleType, given: object, expected: tuple[type, str]) -> None:
    assert refusal(lambda: options.luma(given)) == expected


def test_setters_of_the_library_name_the_member(options: ModuleType) -> None:
    kind, message = refusal(lambda: options.blur_sum({"doubled": "x"}))
    assert (kind, message) == (TypeError, "blur_sum() argument 'o': member 'doubled' must be int, not str")
    kind, message = refusal(lambda: options.blur_sum({"name": "much too long"}))
    assert kind is ValueError
    assert message.startswith("blur_sum() argument 'o': name(): blur_options_set_name() failed")


def test_several_arguments_can_be_tuples_or_mappings(options: ModuleType) -> None:
    colour = options.Colour(8)
    assert options.difference((9, 0, 0, 0), {"r": 2}) == 7
    assert options.difference(colour, (1, 0, 0, 0)) == options.difference((15, 0, 0, 0), colour) == 7
    assert colour.mixed((4, 0, 0, 0)).r == 6
    assert colour.difference({"r": 3}) == 5
    assert refusal(lambda: options.Colour.mixed((1, 2, 3, 4), colour))[0] is TypeError


def test_a_pointer_to_const_takes_tuples_and_mappings(options: ModuleType) -> None:
    assert (options.blur_name(None), options.blur_name({"name": "dull"}), options.blur_name(options.Options())) == (
        "none",
        "dull",
        "",
    )
    assert (options.level((3, 0)), options.level({}), options.level_seen([4, 0])) == (3, 5, 4)
    assert options.passes({"passes": 3}) == 3


def test_members_choose_an_alternative(options: ModuleType) -> None:
    assert (options.brightness((9, 6, 3, 255)), options.brightness([9, 6]), options.brightness({"b": 3})) == (6, 15, 1)
    assert (options.brightness(options.Colour(3)), options.brightness(options.Shade(3))) == (1, 10)
    for given in ((1, 2, 3), {"x": 1}, 3):
        assert refusal(lambda given=given: options.brightness(given))[0] is TypeError  # type: ignore[misc]


def test_an_error_of_a_list_reaches_the_caller(options: ModuleType) -> None:
    class Odd(list[int]):
        def __len__(self) -> int:  # CPython 3.14 does not ask for it
            raise ZeroDivisionError

        def __iter__(self) -> Iterator[int]:
            raise ZeroDivisionError

    assert refusal(lambda: options.brightness(Odd([9, 0, 0, 255])))[0] is ZeroDivisionError


def test_a_struct_that_c_changes_must_be_an_object(options: ModuleType) -> None:
    new = options.Options(1)
    assert (options.next_pass(new), new.passes) == (2, 2)
    for call in (lambda: options.next_pass({}), lambda: options.level_moved((1, 2))):
        kind, message = refusal(call)
        assert kind is TypeError
        assert "members" not in message


def test_lists_of_structs(options: ModuleType) -> None:
    assert options.sum_of_passes([{"passes": 3}, options.Options(4), {}]) == 7
    assert options.sum_of_passes([]) == 0
    kind, message = refusal(lambda: options.sum_of_passes([{}, {"passes": "x"}]))
    assert (kind, message) == (TypeError, "sum_of_passes() argument 'all': member 'passes' must be int, not str")


def test_a_result_keeps_the_struct(options: ModuleType) -> None:
    pen = options.Pen((7, 0, 0, 0))
    gc.collect()
    assert pen.red == 7
    pen.dip({"r": 8})
    gc.collect()
    assert pen.red == 8


# ---- Foreign code ----


class Wanted(Exception):
    pass


def test_code_of_a_value_may_change_the_tuple_or_mapping(options: ModuleType) -> None:
    class Clears:
        def __init__(self, values: Any) -> None:
            self.values = values

        def __index__(self) -> int:
            self.values.clear()
            return 3

    values: list[Any] = []
    values += [Clears(values), 3, 3, 3]
    assert options.luma(values) == 3
    entries: dict[str, Any] = {}
    entries |= {"r": Clears(entries), "g": 3, "b": 3}
    assert options.luma(entries) == 3


def test_an_exception_of_a_value_reaches_the_caller(options: ModuleType) -> None:
    class Fails:
        def __index__(self) -> int:
            raise Wanted

        def keys(self) -> list[str]:
            raise Wanted

        def __getitem__(self, key: str) -> object:
            raise Wanted

    class FailsEarly(Fails):
        @property
        def keys(self) -> object:  # type: ignore[override]
            raise Wanted

    for given in ((1, Fails(), 3, 4), {"r": Fails()}, Fails(), FailsEarly()):
        assert refusal(lambda given=given: options.luma(given))[0] is Wanted  # type: ignore[misc]
    assert refusal(lambda: options.Codec(size=Fails()))[0] is Wanted


def test_several_threads_can_make_structs(options: ModuleType) -> None:
    sums: list[int] = []

    def work(number: int) -> None:
        for _ in range(300):
            sums.append(options.sum_of_passes([{"passes": number}, options.Options(number)]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(sums)) == [0, 2, 4, 6]


def test_the_stub_shows_members_tuples_and_mappings(built: tuple[ModuleType, Path], tmp_path: Path) -> None:
    stub = built[1].with_name("options.pyi").read_text()
    assert "def __new__(cls, r: int = ..., g: int = ..., b: int = ..., a: int = ...) -> Colour: ..." in stub
    members = "tuple[typing.Any, ...] | list[typing.Any] | collections.abc.Mapping[str, typing.Any]"
    assert f"def luma(c: Colour | {members}) -> int:" in " ".join(stub.split()).replace("( ", "(").replace(", )", ")")
    check_stubs({"options": built[1]}, tmp_path, [r"options\.Options\.absent"])
