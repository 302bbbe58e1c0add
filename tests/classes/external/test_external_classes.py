"""Functions of one module take and return objects of a class that another module has (`from`)."""

from __future__ import annotations

import array
import collections
import gc
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dlpack_bindgen.tools import config
from python.leaks import assert_no_growth, warm_up
from python.scripts import AT_THE_END, ENDING, run
from support.build import SUFFIX, build_extension, build_module, compile_c, generate, runtime_sources

HEADER = Path(__file__).with_name("engines.h").read_text()
FIRST = """
dlpack-bindgen: 1
module: first
include: first.h
tensors:
  Picture:
    type: picture
    data: self->data
    dtype: uint8
    shape: [self->width]
    readonly: self->width > 9
    retain: picture_retain(self)
    release: picture_release(self)
    new: {c: picture *picture_new(int width)}
    properties: {holders: self->holders}
  Strip:
    type: strip
    data: self->at
    dtype: uint8
    shape: [length]
    hold: [{long length: self->n, ok: ">= 0", error: '"the strip is broken"'}]
    release: (void)self
    import: {set: {at: data, n: "shape[0]"}}
handles:
  Meter:
    type: meter
    params: [int scale = 2]
    release: meter_free(self)
    properties: {scaled: self->level * scale}
  Engine:
    type: engine
    release: engine_free(self)
    new: {c: engine *engine_new(int level)}
    methods: {inner: {c: const engine *engine_inner(engine *e), returns: {of: Engine, borrow: e}}}
    properties: {level: self->level}
  Ticket:
    type: ticket
    pass: value
    release: ticket_free(self)
    new: {c: ticket ticket_new(int number)}
    properties: {number: self->number}
functions:
  ended: {c: int count_ended(void)}
"""
SECOND = """
dlpack-bindgen: 1
module: second
include: second.h
tensors:
  Trace:
    type: trace
    data: self->samples
    dtype: float32
    shape: [self->n]
    import:
      params: [engine *motor]
      require: [{ndim: 1}, {dtype: float32}]
      set: {samples: data, n: "shape[0]", motor: motor}
    properties: {level: self->motor->level}
handles:
  Picture: {type: picture, from: first}
  Strip: {type: strip, from: first}
  Meter: {type: meter, from: first}
  Engine: {type: engine, from: first, doc: An engine.}
  Pass: {type: ticket, pass: value, from: "first:Ticket"}
  Car:
    type: car
    release: free(self)
    new: {c: car *car_new(engine *e), returns: {of: Car, keeps: e}}
    methods:
      level: {c: int car_level(const car *c)}
      engine: {c: engine *car_engine(car *c), returns: {of: Engine, borrow: c}}
      spare: {c: engine *car_spare(car *c), returns: {of: Engine, keeps: c}}
      set_level: {c: "engine *car_set_level(car *c, int level)", returns: {of: Engine, borrow: c}}
    properties:
      motor:
        get: self->e
        type: Engine
        set: {c: "void car_set_engine(car *c, engine *e)", args: {c: {keeps: e}}}
functions:
  higher: {c: int engine_raise(engine *e)}
  level: {c: int engine_level(const engine *e), args: {e: {optional: true}}}
  twin: {c: engine *engine_twin(const engine *e)}
  twin_or_none: {c: engine *engine_twin(const engine *e), returns: {of: Engine, optional: true}}
  same: {c: engine *engine_same(engine *e), returns: [e]}
  inner: {c: const engine *engine_inner(engine *e), returns: {of: Engine, borrow: e}}
  make: {c: void engine_make(engine **out), args: {out: {out: true}}}
  scrap: {c: int engine_scrap(engine *e), args: {e: {takes: true}}}
  total: {c: "int engine_sum(engine *const *all, int n)", args: {n: {count_of: all}}}
  row: {c: "engine **engine_row(engine *const *all, int n, int *m)", args: {n: {count_of: all}, m: {out: true}},
        returns: {of: Engine, count: m}, finally: free(result)}
  fill_engines: {c: "int engine_fill(engine *all[2], int want)", args: {all: {out: true, of: Engine, count: result}},
                 returns: [all]}
  best: {c: "engine *engine_best(engine *all[2])", returns: [all, result],
         args: {all: {out: true, of: Engine, count: 2}}}
  what_engine: {c: int engine_level(const engine *e), name: what}
  what_ticket: {c: int ticket_number(ticket t), name: what}
  several_engines: {c: "int engine_sum(engine *const *all, int n)", args: {n: {count_of: all}}, name: several}
  several_levels: {c: int engine_level(const engine *all), name: several}
  meter: {c: meter *meter_new(int level)}
  sum_of_strip: {c: long strip_sum(const strip *s)}
  fill_strip: {c: "void strip_fill(strip *s, int value)"}
  some_strip: {c: strip *strip_some(long n), returns: {of: Strip, borrow: static}}
  take_strip: {c: void strip_take(strip *s), args: {s: {takes: true}}}
  pick: {c: engine *engine_same(engine *e), name: choose}
  pick_by_level: {c: engine *engine_new(int level), name: choose}
  car_without_engine: {c: car *car_bare(void)}
  ended: {c: int count_ended(void)}
  number: {c: int ticket_number(ticket t), args: {t: {optional: true}}}
  after: {c: ticket ticket_next(ticket t)}
  fill: {c: "void picture_fill(picture *p, int value)"}
  holders: {c: int picture_holders(const picture *p)}
  picture: {c: picture *picture_itself(picture *p), returns: {of: Picture, borrow: p}}
"""


class Modules:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.second = build(folder, "second", SECOND)  # needs the other module only when it is used
        self.first = build(folder, "first", FIRST)


def build(folder: Path, name: str, spec: str) -> ModuleType:
    (folder / name).mkdir()
    return build_module(name, spec, folder / name, HEADER)


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Modules:
    return Modules(tmp_path_factory.mktemp("external"))


@pytest.fixture
def both(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(sys.modules, "first", modules.first)
    return modules


class TestArguments:
    def test_c_gets_the_object(self, both: Modules) -> None:
        engine = both.first.Engine(3)
        assert (both.second.higher(engine), engine.level) == (4, 4)
        assert both.second.level(e=engine) == 4
        assert both.second.level(None) == both.second.level() == -1
        assert not hasattr(both.second, "Engine")

    def test_a_param_of_an_import_can_be_of_an_external_class(self, both: Modules) -> None:
        x, ended = np.ones(3, np.float32), both.first.ended()
        trace = both.second.Trace.from_dlpack(x, motor=both.first.Engine(7))
        gc.collect()
        assert (trace.level, both.first.ended()) == (7, ended)
        del trace
        assert both.first.ended() == ended + 1
        closed = both.first.Engine(1)
        closed.close()
        for motor, exception, message in (
            (closed, ValueError, "is closed"),
            (1, TypeError, "must be Engine, not int"),
            (None, TypeError, "must be Engine, not None"),
        ):
            with pytest.raises(exception, match=rf"^from_dlpack\(\) argument 'motor' {message}"):
                both.second.Trace.from_dlpack(x, motor=motor)

    def test_a_list_can_have_objects_of_an_external_class(self, both: Modules) -> None:
        assert both.second.total([both.first.Engine(3), both.first.Engine(4)]) == 7
        with pytest.raises(TypeError, match=r"^total\(\) argument 'all' must be Engine, not int$"):
            both.second.total([both.first.Engine(3), 1])

    @pytest.mark.parametrize("value", [1, "x", b"x", object(), np.zeros(3), int, None])
    def test_other_values_are_refused(self, both: Modules, value: object) -> None:
        name = "None" if value is None else type(value).__name__
        with pytest.raises(TypeError, match=rf"^higher\(\) argument 'e' must be Engine, not (numpy\.)?{name}$"):
            both.second.higher(value)

    def test_objects_of_other_classes_are_refused(self, both: Modules) -> None:
        for other in (both.first.Ticket(1), both.second.Car(both.first.Engine(1)), both.first.Engine):
            with pytest.raises(TypeError, match=r"^higher\(\) argument 'e' must be Engine, not "):
                both.second.higher(other)

    @pytest.mark.parametrize(
        ("use", "message"),
        [
            ("second.higher(x)", "higher() argument 'e' must be first.Engine, not {}"),
            ("second.total([first.Engine(1), x])", "total() argument 'all' must be first.Engine, not {}"),
            ("second.Car(x)", "Car() argument 'e' must be first.Engine, not {}"),
            ("setattr(car, 'motor', x)", "attribute 'motor' must be first.Engine, not {}"),
            (
                "second.what(x)",
                "what() argument 'e': the type is {}; accepted: first.Engine\n"
                "Other signatures:\n  what(t): 't' must be Ticket, not Engine",
            ),
            (
                "second.Trace.from_dlpack(array('f', [1]), motor=x)",
                "from_dlpack() argument 'motor' must be first.Engine, not {}",
            ),
        ],
    )
    def test_equal_names_of_classes_have_their_modules(self, both: Modules, use: str, message: str) -> None:
        class Engine:
            pass

        scope = {"first": both.first, "second": both.second, "x": Engine(), "array": array.array}
        scope["car"] = both.second.Car(both.first.Engine(1))
        with pytest.raises(TypeError) as caught:
            exec(use, scope)
        assert str(caught.value) == message.format(f"{Engine.__module__}.{Engine.__qualname__}")

    def test_a_closed_object_is_refused(self, both: Modules) -> None:
        engine = both.first.Engine(3)
        engine.close()
        with pytest.raises(ValueError, match=r"^higher\(\) argument 'e' is closed$"):
            both.second.higher(engine)

    def test_a_const_object_is_refused_by_functions_that_write(self, both: Modules) -> None:
        inner = both.first.Engine(3).inner()
        assert both.second.level(inner) == 103
        with pytest.raises(BufferError, match=r"^higher\(\) argument 'e': the object is read-only, and must be "):
            both.second.higher(inner)
        with pytest.raises(BufferError, match=r"^total\(\) argument 'all': the object is read-only, and must be "):
            both.second.total([inner])

        class Exported(collections.UserList):
            """A sequence that is an array as well."""

            def __dlpack__(self, **keywords: Any) -> Any:
                raise AssertionError

        assert both.second.total(Exported([both.first.Engine(3)])) == 3
        with pytest.raises(BufferError, match=r"^total\(\) argument 'all': the object is read-only, and must be "):
            both.second.total(Exported([inner]))

    def test_the_class_chooses_between_functions_with_one_name(self, both: Modules) -> None:
        assert (both.second.what(both.first.Engine(3)), both.second.what(both.first.Ticket(7))) == (3, 7)
        with pytest.raises(TypeError, match=r"^what\(\)"):
            both.second.what(1)

    def test_an_argument_can_be_an_external_object_by_value(self, both: Modules) -> None:
        assert both.second.number(both.first.Ticket(7)) == 7
        assert both.second.number(None) == -1

    def test_an_argument_can_be_an_external_tensor(self, both: Modules) -> None:
        picture = both.first.Picture(3)
        both.second.fill(picture, 9)
        assert np.from_dlpack(picture).tolist() == [9, 9, 9]
        assert both.second.holders(picture) == 1
        with pytest.raises(BufferError, match=r"^fill\(\) argument 'p': the object is read-only"):
            both.second.fill(both.first.Picture(10), 9)
        with pytest.raises(TypeError, match=r"^fill\(\) argument 'p' must be Picture, not "):
            both.second.fill(np.zeros(3, np.uint8), 9)

    def test_a_list_of_external_objects_chooses_by_its_first_item(self, both: Modules) -> None:
        engines = [both.first.Engine(3), both.first.Engine(4)]
        assert both.second.several(engines[0]) == 3
        for sequence in (list, tuple, collections.deque):
            assert both.second.several(sequence(engines)) == 7
            assert both.second.several(sequence()) == 0
        with pytest.raises(TypeError) as caught:
            both.second.several([1, engines[0]])
        expected = "several() argument 'all': the type is list; accepted: a sequence of Engine, Engine"
        assert str(caught.value) == expected

    def test_an_object_that_shows_read_only_memory_is_read_only(self, both: Modules) -> None:
        memory = np.array([1, 2], np.uint8)
        both.second.fill_strip(both.first.Strip.from_dlpack(memory), 7)
        assert memory.tolist() == [7, 7]
        memory.flags.writeable = False
        strip = both.first.Strip.from_dlpack(memory)
        assert both.second.sum_of_strip(strip) == 14
        with pytest.raises(BufferError) as caught:
            both.second.fill_strip(strip, 1)
        assert str(caught.value) == "fill_strip() argument 's': the object is read-only, and must be writable"

    def test_an_object_that_cannot_be_described_is_passed(self, both: Modules) -> None:
        """Only its own module knows how to describe it. C may give it a valid shape."""
        picture = both.first.Picture(-1)
        with pytest.raises(BufferError, match=r"shape\[0\] \(self->width\) is -1"):
            picture.shape  # noqa: B018
        assert both.second.holders(picture) == 1
        both.second.fill(picture, 3)

    def test_calls_with_external_objects_leak_nothing(self, both: Modules) -> None:
        engine = both.first.Engine(3)

        def read(engine: Any = engine) -> None:
            both.second.higher(engine)
            both.second.total([engine, engine])

        warm_up(read)
        assert_no_growth(read)
        del read
        ended = both.first.ended()
        del engine
        assert both.first.ended() == ended + 1


class TestLifetimes:
    def test_an_object_keeps_one_of_another_module(self, both: Modules) -> None:
        ended, engine = both.first.ended(), both.first.Engine(3)
        car = both.second.Car(engine)
        engine.close()
        assert (car.level(), both.first.ended()) == (3, ended)
        del car
        assert both.first.ended() == ended + 1

    def test_close_is_not_deferred_by_a_call(self, both: Modules) -> None:
        engine = both.first.Engine(3)
        both.second.higher(engine)
        ended = both.first.ended()
        engine.close()
        assert both.first.ended() == ended + 1

    def test_many_threads_can_use_one_object(self, both: Modules) -> None:
        engine = both.first.Engine(0)
        cars: list[Any] = []

        def work(shared: Any) -> None:
            for _ in range(200):
                both.second.level(shared)
                cars.append(both.second.Car(shared))

        threads = [threading.Thread(target=work, args=(engine,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ended = both.first.ended()
        del engine
        cars.clear()
        assert both.first.ended() == ended + 1


class TestOwnership:
    def test_the_library_can_take_an_object_over(self, both: Modules) -> None:
        ended, engine = both.first.ended(), both.first.Engine(3)
        assert both.second.scrap(engine) == 1
        with pytest.raises(ValueError, match="closed"):
            engine.level  # noqa: B018
        with pytest.raises(ValueError, match=r"^scrap\(\) argument 'e' is closed$"):
            both.second.scrap(engine)
        del engine
        assert both.first.ended() == ended + 1

    def test_an_object_in_use_is_not_taken_over(self, both: Modules) -> None:
        engine = both.first.Engine(3)
        car = both.second.Car(engine)
        with pytest.raises(BufferError, match=r"^scrap\(\) argument 'e': its memory is in use: 0 exports, 1 objects"):
            both.second.scrap(engine)
        inner = engine.inner()
        with pytest.raises(BufferError, match=r"^scrap\(\) argument 'e': it belongs to another object"):
            both.second.scrap(inner)
        del car, inner
        assert both.second.scrap(engine) == 1

    def test_an_imported_object_is_not_taken_over(self, both: Modules) -> None:
        strip = both.first.Strip.from_dlpack(np.zeros(2, np.uint8))
        with pytest.raises(BufferError) as caught:
            both.second.take_strip(strip)
        assert str(caught.value) == "take_strip() argument 's': its memory belongs to the array that it was made from"
        assert strip.shape == (2,)


class TestResults:
    def test_a_new_object_belongs_to_the_other_class(self, both: Modules) -> None:
        ended, twin = both.second.ended(), both.second.twin(both.first.Engine(3))
        assert (type(twin), twin.level) == (both.first.Engine, 3)
        assert both.second.level(twin) == 3
        del twin
        assert both.second.ended() == ended + 1

    def test_a_new_object_has_the_defaults_of_its_params(self, both: Modules) -> None:
        ended, meter = both.second.ended(), both.second.meter(5)
        assert (type(meter), meter.scaled) == (both.first.Meter, 10)
        del meter
        assert both.second.ended() == ended + 1

    def test_the_class_may_refuse_a_new_object(self, both: Modules) -> None:
        assert both.second.some_strip(0).shape == (0,)
        with pytest.raises(RuntimeError, match=r"^first\.Strip: self->n failed: the strip is broken$"):
            both.second.some_strip(-1)

    def test_an_output_can_be_of_an_external_class(self, both: Modules) -> None:
        assert both.second.make().level == 5

    def test_null_is_none_or_an_error(self, both: Modules) -> None:
        assert both.second.twin_or_none(both.first.Engine(-1)) is None
        with pytest.raises(RuntimeError, match=r"^twin\(\): engine_twin\(\) failed$"):
            both.second.twin(both.first.Engine(-1))

    def test_the_argument_can_be_returned_itself(self, both: Modules) -> None:
        engine = both.first.Engine(3)
        assert both.second.same(engine) is engine

    @pytest.mark.parametrize("count", [2, 30])
    def test_a_list_has_the_given_objects_and_one_object_for_each_new_one(self, both: Modules, count: int) -> None:
        gc.collect()  # objects of other tests
        ended = both.first.ended(), both.second.ended()
        engines = [both.first.Engine(level) for level in range(count)]
        row = both.second.row(engines)
        assert [id(each) for each in row[:count]] == [id(each) for each in engines]
        assert row[count] is row[count + 1]
        assert type(row[count]) is both.first.Engine
        del row
        assert [each.level for each in engines] == list(range(count))
        del engines
        gc.collect()
        assert (both.first.ended(), both.second.ended()) == (ended[0] + count, ended[1] + 1)

    def test_objects_beyond_the_storage_are_released(self, both: Modules) -> None:
        ended = both.second.ended()
        assert len(both.second.fill_engines(2)) == 2
        with pytest.raises(ValueError, match="C had space for 2"):
            both.second.fill_engines(3)
        assert both.second.ended() == ended + 4

    def test_a_single_object_may_stand_in_a_list_of_the_call(self, both: Modules) -> None:
        ended = both.second.ended()
        every, best = both.second.best()
        assert best is every[1]
        del every, best
        assert both.second.ended() == ended + 2

    def test_a_borrowed_object_keeps_its_owner(self, both: Modules) -> None:
        ended, engine = both.first.ended(), both.first.Engine(3)
        inner = both.second.inner(engine)
        assert (type(inner), inner.level) == (both.first.Engine, 103)
        with pytest.raises(BufferError, match="read-only"):
            both.second.higher(inner)
        engine.close()
        assert (inner.level, both.first.ended()) == (103, ended)
        del inner
        assert both.first.ended() == ended + 1

    def test_a_borrowed_object_keeps_an_object_of_this_module(self, both: Modules) -> None:
        ended = both.first.ended()
        found = both.second.Car(both.first.Engine(3)).engine()
        gc.collect()
        assert (type(found), found.level, both.first.ended()) == (both.first.Engine, 3, ended)
        del found
        assert both.first.ended() == ended + 1

    def test_a_new_object_keeps_an_object_of_this_module(self, both: Modules) -> None:
        car = both.second.Car(both.first.Engine(3))
        spare, gone = car.spare(), both.first.ended()
        del car
        assert both.first.ended() == gone
        del spare
        assert both.first.ended() == gone + 1

    def test_a_result_can_be_an_external_object_by_value(self, both: Modules) -> None:
        after = both.second.after(both.first.Ticket(7))
        assert (type(after), after.number) == (both.first.Ticket, 8)

    def test_a_reference_is_counted(self, both: Modules) -> None:
        picture = both.first.Picture(3)
        other = both.second.picture(picture)
        assert other is not picture
        assert other.holders == 2

    def test_objects_of_an_external_class_support_weak_references(self, both: Modules) -> None:
        twin = both.second.twin(both.first.Engine(3))
        reference = weakref.ref(twin)
        del twin
        assert reference() is None


def alone(code: str, *folders: Path) -> str:
    """Runs code in a new process. Returns its output."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {[str(each) for each in folders]!r}\n{code}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


NOT_GENERATED = "first.Engine is not a class of a module that dlpack-bindgen has generated"


class TestImports:
    def test_the_other_module_is_imported_at_the_first_use(self, modules: Modules) -> None:
        code = "import second; print('first' in sys.modules, second.make().level, 'first' in sys.modules)"
        assert alone(code, modules.folder / "first", modules.folder / "second") == "False 5 True"

    def test_a_missing_module_is_an_import_error(self, modules: Modules) -> None:
        code = """
import second
try: second.make()
except ImportError as e: print(type(e).__name__, e, end='; ')
try: second.higher(1)
except TypeError as e: print(e)
"""
        expected = "ModuleNotFoundError No module named 'first'; higher() argument 'e' must be Engine, not int"
        assert alone(code, modules.folder / "second") == expected

    def test_a_module_that_is_imported_again_has_new_classes(self, modules: Modules) -> None:
        code = """
import first, second
old = first.Engine(1)
second.level(old)
del sys.modules['first']
import first
print(first.Engine is type(old), second.level(first.Engine(2)), type(second.make()) is first.Engine)
try: second.level(old)
except TypeError as e: print(e)
"""
        found = alone(code, modules.folder / "first", modules.folder / "second").splitlines()
        assert found[0] == "False 2 True"
        assert found[1] == "level() argument 'e' must be first.Engine or None, not another class first.Engine"

    @pytest.mark.parametrize(
        "use",
        [
            "second.higher(x)",
            "second.level(e=x)",
            "second.total([first_engine, x])",
            "second.total((x,))",
            "second.what(x)",
            "second.scrap(x)",
            "second.Car(x)",
            "second.Trace.from_dlpack(array.array('f', [1]), motor=x)",
            "setattr(second.Car(first_engine), 'motor', x)",
        ],
    )
    @pytest.mark.parametrize("is_used_before", [False, True])
    @pytest.mark.parametrize(
        "replaced", ["first.Engine = Fake", "sys.modules['first'] = types.SimpleNamespace(Engine=Fake)"]
    )
    def test_a_class_with_the_capsule_of_another_class_is_refused(
        self, modules: Modules, use: str, is_used_before: bool, replaced: str
    ) -> None:
        code = f"""
import array, first, second, types
class Fake:
    __slots__ = tuple('abcdefgh')
    _C_API = first.Engine._C_API
x = Fake()
for name in Fake.__slots__: setattr(x, name, 0x4141)
first_engine = first.Engine(1)
if {is_used_before}: second.level(first_engine)
{replaced}
try: {use}
except TypeError as e: print('TypeError')
except ImportError as e: print('ImportError', e)
"""
        found = alone(code, modules.folder / "first", modules.folder / "second")
        assert found == "TypeError" or (found.startswith("ImportError") and found.endswith(NOT_GENERATED))

    def test_results_are_not_of_a_class_with_the_capsule_of_another_class(self, modules: Modules) -> None:
        code = """
import first, second
class Fake: _C_API = first.Engine._C_API
first.Engine = Fake
for make in (second.make, lambda: second.row([]), lambda: second.fill_engines(1), second.best):
    try: make()
    except ImportError as e: print(e)
"""
        found = alone(code, modules.folder / "first", modules.folder / "second").splitlines()
        assert found == [NOT_GENERATED] * 4

    @pytest.mark.parametrize(
        ("replaced", "message"),
        [
            ("make(address, b'dlpack-bindgen class', 1)", "first.Engine is of another version of dlpack-bindgen: "
             "generate and compile both modules again"),
            ("make(address, b'dlpack-bindgen class', None)", NOT_GENERATED),
            ("make(address, b'another class', 1)", NOT_GENERATED),
        ],
    )  # fmt: skip
    def test_a_class_with_another_capsule_is_refused(self, modules: Modules, replaced: str, message: str) -> None:
        """The table in the capsule begins with its version. Tables of other versions have other functions."""
        code = f"""
import ctypes, first, second
def make(address, name, context):
    capsule = new(address, name, None)
    set_context(capsule, context)
    return capsule
new, set_context = ctypes.pythonapi.PyCapsule_New, ctypes.pythonapi.PyCapsule_SetContext
new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
set_context.argtypes = [ctypes.py_object, ctypes.c_void_p]
table = (ctypes.c_uint32 * 16)(1)
address = ctypes.addressof(table)
class Fake: _C_API = {replaced}
first.Engine = Fake
try: second.make()
except ImportError as e: print(e)
"""
        assert alone(code, modules.folder / "first", modules.folder / "second") == message

    def test_the_error_of_an_import_ends_the_choice(self, modules: Modules) -> None:
        """A value of a generated class may be of the class that cannot be imported."""
        code = """
import first, second, sys
engine, sys.modules['first'] = first.Engine(1), None
for value in (engine, [engine]):
    try: (second.what if value is engine else second.several)(value)
    except ImportError as e: print(e)
"""
        found = alone(code, modules.folder / "first", modules.folder / "second").splitlines()
        assert found == ["import of first halted; None in sys.modules"] * 2

    @pytest.mark.parametrize(
        "call",
        [
            "second.twin()",
            "second.twin(1, 2)",
            "second.twin(e=1, f=2)",
            "second.row([], 2)",
            "second.fill_engines('x')",
            "second.choose()",
            "second.choose('x')",
            "second.make(1)",
            "second.Car.set_level(1)",
            "car.set_level('x')",
            "car.set_level(level=1, other=2)",
            "setattr(car, 'motor', 1)",
            "second.after(x=1)",
        ],
    )
    @pytest.mark.parametrize("imported", ["second", "first, second"])
    def test_wrong_arguments_are_reported_before_the_first_use_of_the_other_module(
        self, modules: Modules, call: str, imported: str
    ) -> None:
        code = f"""
import {imported}
car = second.car_without_engine()
try: {call}
except TypeError as e: print('TypeError', e.__context__, e.__cause__)
"""
        assert alone(code, modules.folder / "first", modules.folder / "second") == "TypeError None None"

    def test_a_module_that_was_not_executed_finds_no_class(self, modules: Modules) -> None:
        code = """
from importlib.util import find_spec, module_from_spec
import first
bare = module_from_spec(find_spec("second"))
for call in (bare.make, lambda: bare.level(first.Engine(1))):
    try: call()
    except RuntimeError as e: print("is not in this interpreter" in str(e))
"""
        assert alone(code, modules.folder / "first", modules.folder / "second") == "True\nTrue"

    def test_no_class_is_found_after_the_interpreter_has_released_its_states(self, modules: Modules) -> None:
        code = """
import first, second
engine, car = first.Engine(1), second.Car(first.Engine(2))
calls = (
    lambda: second.level(engine), lambda: second.higher(engine), lambda: second.twin(engine), second.make,
    lambda: second.total([engine]), lambda: second.what(engine), lambda: second.scrap(engine), car.engine,
    lambda: second.Car(engine), lambda: second.row([]), lambda: second.level(1), lambda: car.level(),
)
call_at_the_end(calls)
"""
        prelude = f"{AT_THE_END}\nimport sys\nsys.path.append({str(modules.folder / 'second')!r})\n"
        found = run(modules.folder / "first", code, prelude=prelude, leaks=True)  # nobody releases what is made then
        assert found == [*[ENDING] * 11, "2"]

    @pytest.mark.subinterpreters
    def test_each_subinterpreter_uses_its_own_classes(self, modules: Modules) -> None:
        code = f"""
import _testcapi, first, second
second.level(first.Engine(1))
inner = '''import sys; sys.path[:0] = {[str(modules.folder / each) for each in ("first", "second")]!r}
import first, second
print(second.level(first.Engine(2)), second.twin(first.Engine(3)).level, flush=True)
print(second.Car(first.Engine(4)).level(), flush=True)'''
_testcapi.run_in_subinterp(inner)
print(second.twin(first.Engine(5)).level)
"""
        pytest.importorskip("_testcapi")
        assert alone(code, modules.folder / "first", modules.folder / "second").split() == ["2", "3", "4", "5"]

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("class Engine: pass", "first.Engine is not a class of a module that dlpack-bindgen has generated"),
            ("Engine = 3", "first.Engine is not a class of a module that dlpack-bindgen has generated"),
            ("", "module 'first' has no attribute 'Engine'"),
            ("raise ValueError('no')", "no"),
        ],
    )
    def test_an_object_that_is_not_a_generated_class_is_refused(
        self, modules: Modules, tmp_path: Path, content: str, message: str
    ) -> None:
        (tmp_path / "first.py").write_text(content)
        code = "import second\ntry: second.make()\nexcept Exception as e: print(e)"
        assert alone(code, tmp_path, modules.folder / "second") == message

    def test_a_class_of_another_c_type_is_refused(self, both: Modules, tmp_path: Path) -> None:
        spec = """
dlpack-bindgen: 1
module: third
include: third.h
handles:
  Engine: {type: car, from: first}
  Ring: {type: ticket, pass: value, from: "first:Engine"}
  Motor: {type: engine, from: "first:Ticket"}
functions:
  level: {c: int car_level(const car *c)}
  motor_level: {c: int engine_level(const engine *e)}
  number: {c: int ticket_number(ticket t)}
"""
        third = build(tmp_path, "third", spec)
        expected = r"^level\(\) argument 'c': first\.Engine is a class of the C type 'engine', not 'car'$"
        with pytest.raises(ImportError, match=expected):
            third.level(both.first.Engine(1))
        expected = r"first\.Engine is a class of the C type 'engine', not 'ticket', passed by value$"
        with pytest.raises(ImportError, match=expected):
            third.number(both.first.Engine(1))
        expected = r"first\.Ticket is a class of the C type 'ticket', passed by value, not 'engine'$"
        with pytest.raises(ImportError, match=expected):
            third.motor_level(both.first.Ticket(1))

    @pytest.mark.limited_api
    @pytest.mark.parametrize("limited", ["first", "second"])
    def test_a_module_of_the_limited_api_shares_classes(self, tmp_path: Path, limited: str) -> None:
        for name, spec in (("first", FIRST), ("second", SECOND)):
            (tmp_path / f"{name}.h").write_text(HEADER)
            sources = [path for path in generate(spec, tmp_path, f"{name}.yaml") if path.suffix == ".c"]
            flags = config.abi3_cflags() if name == limited else []
            compile_c(
                ["-shared", *flags, f"-I{tmp_path}", *sources, *runtime_sources("call")], tmp_path / f"{name}{SUFFIX}"
            )
        code = """
import first, second
car = second.Car(first.Engine(3))
print(second.higher(car.spare()), car.level(), second.after(first.Ticket(1)).number)
print(second.inner(first.Engine(1)).level)
"""
        assert alone(code, tmp_path) == "4 3 2\n101"

    @pytest.mark.limited_api
    def test_the_name_of_a_class_is_released_without_memory_for_its_bytes(self, tmp_path: Path) -> None:
        """The linker replaces the function of CPython that makes the bytes of a name."""
        spec = """
dlpack-bindgen: 1
module: third
include: third.h
tensors:
  Trace:
    {type: trace, data: self->samples, dtype: float32, shape: [self->n],
     import: {params: [engine *motor], set: {samples: data, n: "shape[0]", motor: motor}}}
handles:
  Engine: {type: engine, release: engine_free(self), new: {c: engine *engine_new(int level)}}
"""
        (tmp_path / "third.h").write_text(HEADER)
        (tmp_path / "scarce.c").write_text("""
#include <Python.h>
#include <string.h>
const char *__real_PyUnicode_AsUTF8AndSize(PyObject *, Py_ssize_t *);
const char *__wrap_PyUnicode_AsUTF8AndSize(PyObject *string, Py_ssize_t *size)
{
    const char *const bytes = __real_PyUnicode_AsUTF8AndSize(string, size);

    return bytes != NULL && strcmp(bytes, "Scarce") == 0 ? (const char *)PyErr_NoMemory() : bytes;
}
""")
        sources = [path for path in generate(spec, tmp_path, "third.yaml") if path.suffix == ".c"]
        flags = [*config.abi3_cflags(), f"-I{tmp_path}", "-Wl,--wrap=PyUnicode_AsUTF8AndSize"]
        sources += [tmp_path / "scarce.c", *runtime_sources("call")]
        compile_c(["-shared", *flags, *sources], tmp_path / f"third{SUFFIX}")
        code = """
import array, sys, third
name = "".join(["Sca", "rce"])
value = type(name, (), {})()
before = sys.getrefcount(name)
for _ in range(5):
    try: third.Trace.from_dlpack(array.array("f", [1]), motor=value)
    except MemoryError: pass
print(sys.getrefcount(name) - before)
"""
        assert alone(code, tmp_path) == "0"

    def test_two_modules_can_use_each_other(self, tmp_path: Path) -> None:
        spec = """
dlpack-bindgen: 1
module: {own}
include: {own}.h
handles:
  {local}
  {far}
functions:
  level: {{c: int engine_level(const engine *e)}}
  number: {{c: int ticket_number(ticket t)}}
"""
        engine = "Engine: {type: engine, release: engine_free(self), new: {c: engine *engine_new(int level)}}"
        ticket = "Ticket: {type: ticket, pass: value, release: ticket_free(self), new: {c: ticket ticket_new(int n)}}"
        left = spec.format(own="left", local=engine, far="Ticket: {type: ticket, pass: value, from: right}")
        right = spec.format(own="right", local=ticket, far="Engine: {type: engine, from: left}")
        build(tmp_path, "left", left)
        build(tmp_path, "right", right)
        code = """
import left, right
print(left.level(left.Engine(1)), left.number(right.Ticket(2)))
print(right.level(left.Engine(3)), right.number(right.Ticket(4)))
"""
        assert alone(code, tmp_path / "left", tmp_path / "right") == "1 2\n3 4"

    def test_a_module_can_be_relative_to_the_package(self, tmp_path: Path) -> None:
        package = tmp_path / "lab"
        package.mkdir()
        (package / "__init__.py").write_text("")
        spec = "dlpack-bindgen: 1\nmodule: near\ninclude: near.h\nhandles: {Engine: {type: engine, from: .first}}\n"
        spec += "functions: {level: {c: int engine_level(const engine *e)}}\n"
        for name, text in (("first", FIRST), ("near", spec)):
            build_extension(name, text, tmp_path, files={f"{name}.h": HEADER}).rename(package / f"{name}{SUFFIX}")
        code = "import lab.near, lab.first\nprint(lab.near.level(lab.first.Engine(6)))"
        assert alone(code, tmp_path) == "6"
        (package / f"near{SUFFIX}").rename(tmp_path / f"near{SUFFIX}")
        code = "try: import near\nexcept ImportError as e: print(e)"
        assert alone(code, tmp_path) == "near: the module .first is relative to a package, and there is none"


class TestClassesThatCannotMakeObjects:
    def test_an_object_that_its_module_does_not_free_cannot_be_made(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = "dlpack-bindgen: 1\nmodule: other\ninclude: other.h\nhandles: {Engine: {type: engine}}\n"
        user = "dlpack-bindgen: 1\nmodule: user\ninclude: user.h\nhandles: {Engine: {type: engine, from: other}}\n"
        user += "functions: {make: {c: engine *engine_new(int level)}}\n"
        monkeypatch.setitem(sys.modules, "other", build(tmp_path, "other", other))
        made = build(tmp_path, "user", user)
        message = r"^other\.Engine: only its own module can make objects of this class: it does not free them$"
        with pytest.raises(TypeError, match=message):
            made.make(1)

    def test_an_object_with_required_params_cannot_be_made(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        spec = "dlpack-bindgen: 1\nmodule: {}\ninclude: {}.h\n"
        other = spec.format("other", "other") + "handles: {Meter: {type: meter, params: [int scale]}}\n"
        user = spec.format("user", "user") + "handles: {Meter: {type: meter, from: other}}\n"
        user += "functions: {make: {c: meter *meter_new(int level)}}\n"
        monkeypatch.setitem(sys.modules, "other", build(tmp_path, "other", other))
        made = build(tmp_path, "user", user)
        message = r"^other\.Meter: only its own module can make objects of this class: they have parameters$"
        with pytest.raises(TypeError, match=message):
            made.make(1)


def test_the_stub_imports_the_class(modules: Modules) -> None:
    stub = next((modules.folder / "second").rglob("second.pyi")).read_text()
    assert "\nfrom first import Engine\nfrom first import Ticket as Pass\n" in stub
    assert "class Engine" not in stub
    assert "def twin(e: Engine) -> Engine:" in stub
