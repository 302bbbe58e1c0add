# SPDX-License-Identifier: MIT
"""`Name.from_dlpack(x, device=..., copy=...)`, and imports that ask a producer for a copy on the CPU."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from python.tensors import IS_COPIED, inside
from support.build import build_module

HEADER = """
#include <stddef.h>
typedef struct { float *at; long n; int place, card; } line;
static inline long card_length(const line *x) { return x->n; }
"""
SPEC = """
dlpack-bindgen: 1
module: wishes
include: wishes.h
tensors:
"""
CLASSES = {
    "Never": "import: {set: {at: data, n: 'shape[0]'}}",
    "Allowed": "import: {copy: allowed, set: {at: data, n: 'shape[0]'}}",
    "Always": "import: {copy: always, set: {at: data, n: 'shape[0]'}}",
    "Tagged": "import: {params: [int tag = 0], set: {at: data, n: 'shape[0]'}}",
    "Own": "import: {params: [int copy = 0, int device = 0], set: {at: data, n: 'shape[0]', card: device + copy}}",
}
CARD = """
  CardAlways:
    type: line
    data: self->at
    dtype: float32
    shape: [self->n]
    device: {of: self->place, map: {2: cuda, 3: cuda_host}, id: self->card}
    import:
      copy: always
      set: {at: data, n: 'shape[0]', place: device_code, card: device_id}
  Anywhere:
    type: line
    data: self->at
    dtype: float32
    shape: [self->n]
    device: {of: self->place, map: {1: cpu, 2: cuda}, id: self->card}
    import:
      set: {at: data, n: 'shape[0]', place: device_code, card: device_id}
  Card:
    type: line
    data: self->at
    dtype: float32
    shape: [self->n]
    device: {of: self->place, map: {2: cuda, 3: cuda_host}, id: self->card}
    import:
      set: {at: data, n: 'shape[0]', place: device_code, card: device_id}
functions:
  card_length: {c: long card_length(const line *x), args: {x: {of: CardAlways}}}
"""


def spec() -> str:
    slots = "type: line, data: self->at, dtype: float32, shape: [self->n]"
    return SPEC + "".join(f"  {name}: {{{slots}, {rest}}}\n" for name, rest in CLASSES.items()) + CARD


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("wishes", spec(), tmp_path_factory.mktemp("wishes"), HEADER)


Answer = Callable[[Any, Any], Any]


class Elsewhere:
    """Answers by a function of dl_device and copy, and remembers them."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[tuple[Any, Any]] = []

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None
    ) -> Any:
        assert stream is None
        assert max_version == (1, 3)
        self.asked.append((dl_device, copy))
        return self.answer(dl_device, copy)


def ones(*_: Any) -> Any:
    return np.ones(4, np.float32).__dlpack__(max_version=(1, 3))


def refuse(*_: Any) -> Any:
    raise BufferError("the data is on a device that this test has not")


@pytest.mark.parametrize("error", [RecursionError, MemoryError, KeyboardInterrupt])
def test_a_producer_whose_exception_is_final_is_called_once(lib: ModuleType, error: type[BaseException]) -> None:
    """If each level of a recursion asked twice, the number of calls would double with each level."""

    def fail(*_: Any) -> Any:
        raise error

    source = Elsewhere(fail)
    with pytest.raises(error):
        lib.Never.from_dlpack(source, device=(1, 0))
    assert source.asked == [((1, 0), None)]


ON_CPU = [(1, 0), (1, 0)]


class TestCopy:
    @pytest.mark.parametrize("kind", ["Never", "Allowed", "Always"])
    @pytest.mark.parametrize(
        "source", [np.zeros(3, np.float32), memoryview(np.zeros(3, np.float32))], ids=["array", "buffer"]
    )
    def test_a_copy_is_independent_memory(self, lib: ModuleType, kind: str, source: Any) -> None:
        made = getattr(lib, kind).from_dlpack(source, copy=True)
        np.asarray(source)[:] = 1
        assert np.asarray(made).tolist() == [0, 0, 0]
        np.asarray(source)[:] = 0
        assert not made.readonly

    def test_a_copy_does_not_keep_the_source(self, lib: ModuleType) -> None:
        source = np.zeros(3, np.float32)
        alive = weakref.ref(source)
        made = lib.Never.from_dlpack(source, copy=True)
        del source
        gc.collect()
        assert alive() is None
        again = lib.Never.from_dlpack(made, copy=True)
        np.asarray(made)[:] = 2
        assert np.asarray(again).tolist() == [0, 0, 0]

    @pytest.mark.parametrize("kind", ["Never", "Allowed"])
    @pytest.mark.parametrize("copy", [None, False, np.False_])
    def test_without_a_copy_the_memory_is_shared(self, lib: ModuleType, kind: str, copy: Any) -> None:
        source = np.zeros(3, np.float32)
        cls = getattr(lib, kind)
        for made in (
            cls.from_dlpack(source, copy=copy),
            cls.from_dlpack(cls.from_dlpack(source), device=None, copy=copy),
        ):
            source[1] += 5
            assert np.asarray(made).tolist() == source.tolist()

    def test_a_copy_that_is_needed_and_forbidden_is_an_error(self, lib: ModuleType) -> None:
        source = np.zeros(6, np.float32)[::2]
        assert lib.Allowed.from_dlpack(source).shape == (3,)
        with pytest.raises(BufferError, match=r"^wishes\.Allowed: .*strides \(2\)"):
            lib.Allowed.from_dlpack(source, copy=False)
        with pytest.raises(BufferError, match=r"^wishes\.Always: arrays are always copied, and copy is False$"):
            lib.Always.from_dlpack(np.zeros(3, np.float32), copy=False)

    def test_the_producer_gets_copy_false(self, lib: ModuleType) -> None:
        thing = Elsewhere(ones)
        assert lib.Allowed.from_dlpack(thing, copy=False).shape == (4,)
        assert lib.Allowed.from_dlpack(thing, copy=True).shape == (4,)
        assert thing.asked == [(None, False), (None, None)]
        thing = Elsewhere(lambda *_: np.ones(4, np.float32).__dlpack__(max_version=(1, 3), copy=True))
        with pytest.raises(BufferError, match=r"^wishes\.Never: the producer has copied the array, and copy is False$"):
            lib.Never.from_dlpack(thing, copy=False)

    def test_a_producer_without_the_keyword_copy_is_imported_all_the_same(
        self, lib: ModuleType, managed: Callable[..., Any]
    ) -> None:
        class Older:
            def __dlpack__(self, *, max_version: Any = None) -> Any:
                return ones()

        class Oldest:
            flags = 0

            def __dlpack__(self) -> Any:
                tensor = managed(dtype=(2, 32, 1), axes=((6,), None), flags=self.flags)
                return tensor.capsule()

        for older in (Older(), Oldest()):
            lib.Never.from_dlpack(older, copy=False)
            lib.Never.from_dlpack(older, device="cpu")
        Oldest.flags = IS_COPIED
        with pytest.raises(BufferError, match="the producer has copied the array"):
            lib.Never.from_dlpack(Oldest(), copy=False)

    @pytest.mark.parametrize("copy", [1, 0, "no", (1, 0)])
    def test_copy_must_be_a_bool(self, lib: ModuleType, copy: Any) -> None:
        with pytest.raises(TypeError, match=r"^from_dlpack\(\) argument 'copy' must be None or a bool, not "):
            lib.Never.from_dlpack(np.zeros(3, np.float32), copy=copy)


class TestDevice:
    @pytest.mark.parametrize("device", ["cpu", (1, 0), (np.int64(1), False), None])
    def test_the_device_can_be_the_cpu(self, lib: ModuleType, device: Any) -> None:
        source = np.zeros(3, np.float32)
        made = lib.Never.from_dlpack(source, device=device)
        source[0] = 1
        assert np.asarray(made).tolist() == [1, 0, 0]
        assert lib.Never.from_dlpack(made, device=device, copy=False).shape == (3,)

    def test_the_producer_gets_the_device(self, lib: ModuleType) -> None:
        thing = Elsewhere(ones)
        lib.Never.from_dlpack(thing, device="cpu")
        lib.Never.from_dlpack(thing, device=(1, 0), copy=False)
        assert thing.asked == [((1, 0), None), ((1, 0), False)]
        refused = Elsewhere(refuse)
        with pytest.raises(BufferError, match="this test has not"):
            lib.Never.from_dlpack(refused, device=(1, 0))
        assert refused.asked == [((1, 0), None), (None, None)]

    REFUSALS: ClassVar[list[type[Exception]]] = [
        BufferError,
        ValueError,
        NotImplementedError,
        RuntimeError,
        TypeError,
        AttributeError,
        AssertionError,
    ]

    @pytest.mark.parametrize("error", REFUSALS)
    def test_a_producer_that_refuses_the_device_can_be_on_it(
        self, lib: ModuleType, managed: Callable[..., Any], error: type[Exception]
    ) -> None:
        """The library may know the keyword, and raise its own exception for any value."""

        def on(device: int, number: int = 0) -> Answer:
            def answer(dl_device: Any, _: Any) -> Any:
                if dl_device is not None:
                    raise error("this library exports nothing for a dl_device")
                made = managed(dtype=(2, 32, 1), axes=((6,), None), device_type=device, device_id=number)
                return made.capsule()

            return answer

        for device in (1, 3, 11, 13):  # memory that the CPU can read
            for keywords in ({}, {"copy": True}, {"copy": False}):
                thing = Elsewhere(on(device))
                assert lib.Never.from_dlpack(thing, device="cpu", **keywords).shape == (6,)
                copy = False if keywords.get("copy") is False else None
                assert thing.asked == [((1, 0), copy), (None, copy)]
        assert lib.Card.from_dlpack(Elsewhere(on(2, 3)), device=(2, 3)).device == (2, 3)

    @pytest.mark.parametrize("error", REFUSALS)
    def test_the_exception_of_the_producer_is_kept(
        self, lib: ModuleType, managed: Callable[..., Any], error: type[Exception]
    ) -> None:
        def answer(device: int, number: int, dl_device: Any) -> Any:
            if dl_device is not None:
                raise error("this library exports nothing for a dl_device")
            return managed(dtype=(2, 32, 1), axes=((6,), None), device_type=device, device_id=number).capsule()

        for cls, device, is_on in ((lib.Never, "cpu", (2, 0)), (lib.Card, (2, 2), (2, 3)), (lib.Card, (3, 0), (2, 0))):
            with pytest.raises(error, match="exports nothing for a dl_device"):
                cls.from_dlpack(Elsewhere(lambda dl_device, _, is_on=is_on: answer(*is_on, dl_device)), device=device)

        def refuse_twice(dl_device: Any, _: Any) -> Any:
            raise error("first") if dl_device is not None else LookupError("second")

        with pytest.raises(error, match="first"):
            lib.Never.from_dlpack(Elsewhere(refuse_twice), device="cpu")

    @pytest.mark.parametrize(
        ("second", "raised"),
        [
            (TypeError("__dlpack__() got an unexpected keyword argument 'copy'"), "'dl_device'"),
            (LookupError("no memory card"), "no memory card"),
            (KeyboardInterrupt("stop"), "stop"),
        ],
    )
    def test_the_second_exception_of_an_older_producer_counts(
        self, lib: ModuleType, second: BaseException, raised: str
    ) -> None:
        """Unless it is about a keyword as well."""

        def answer(dl_device: Any, _: Any) -> Any:
            if dl_device is not None:
                raise TypeError("__dlpack__() got an unexpected keyword argument 'dl_device'")
            raise second

        with pytest.raises(type(second), match=raised):
            lib.Never.from_dlpack(Elsewhere(answer), device="cpu", copy=False)

    @pytest.mark.parametrize("first", [True, False])
    @pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit])
    def test_an_interrupt_reaches_the_caller(self, lib: ModuleType, error: type[BaseException], first: bool) -> None:
        def answer(device: Any, _: Any) -> Any:
            raise error if (device is not None) == first else ValueError("no device")

        with pytest.raises(error):
            lib.Never.from_dlpack(Elsewhere(answer), device="cpu")

    def test_the_answer_must_be_on_the_device(self, lib: ModuleType, managed: Callable[..., Any]) -> None:
        def card(number: int) -> Any:
            return managed(dtype=(2, 32, 1), axes=((6,), None), device_type=2, device_id=number)

        assert lib.Card.from_dlpack(card(3).capsule(), device=(2, 3)).device == (2, 3)
        with pytest.raises(BufferError, match=r"^wishes\.Card: the data is on cuda:3, not cuda:2$"):
            lib.Card.from_dlpack(card(3).capsule(), device=(2, 2))
        with pytest.raises(BufferError, match=r"^wishes\.Card: the data is on cuda, not cuda_host$"):
            lib.Card.from_dlpack(card(3).capsule(), device=(3, 0))

    @pytest.mark.parametrize(
        "device", ["cuda", (1,), (0, 0), (-1, 0), (1, -1), (2**32 + 1, 0), (1, 2**64), [1, 0], (1.0, 0), 1]
    )
    def test_a_value_that_is_no_device_is_refused(self, lib: ModuleType, device: Any) -> None:
        with pytest.raises(
            ValueError, match=r"^from_dlpack\(\) argument 'device' must be None, 'cpu' or a tuple of two ints"
        ):
            lib.Never.from_dlpack(np.zeros(3, np.float32), device=device)

    @pytest.mark.parametrize("error", [LookupError, KeyboardInterrupt])
    def test_an_error_of_a_number_of_the_device(self, lib: ModuleType, error: type[BaseException]) -> None:
        class Number:
            def __index__(self) -> int:
                raise error

        with pytest.raises(ValueError if error is LookupError else error) as caught:
            lib.Never.from_dlpack(np.zeros(3, np.float32), device=(1, Number()))
        if error is LookupError:
            assert str(caught.value).startswith("from_dlpack() argument 'device' must be None, 'cpu' or a tuple of two")

    def test_a_class_of_the_cpu_can_be_in_memory_of_a_device_that_the_cpu_reads(
        self, lib: ModuleType, managed: Callable[..., Any]
    ) -> None:
        thing = Elsewhere(lambda *_: managed(dtype=(2, 32, 1), axes=((6,), None), device_type=3).capsule())
        assert lib.Never.from_dlpack(thing, device=(3, 0)).shape == (6,)
        assert thing.asked == [((3, 0), None)]

    def test_a_device_that_the_class_does_not_have_is_refused(self, lib: ModuleType) -> None:
        with pytest.raises(ValueError, match=r"^wishes\.Never: .* 'device' is \(2, 0\), but its objects are on cpu$"):
            lib.Never.from_dlpack(np.zeros(3, np.float32), device=(2, 0))
        with pytest.raises(ValueError, match=r"^wishes\.Card: .* 'device' is 'cpu', but its objects are on cuda$"):
            lib.Card.from_dlpack(np.zeros(3, np.float32), device="cpu")


class TestCopiesOnDevices:
    """The CPU cannot copy memory that it cannot read, so its producer is asked for the copy."""

    Make = Callable[..., Any]

    @pytest.fixture
    def card(self, managed: Callable[..., Any]) -> Make:
        def make(flags: int = 0, device: int = 2, **fields: Any) -> Any:
            return managed(dtype=(2, 32, 1), axes=((6,), None), device_type=device, device_id=3, flags=flags, **fields)

        return make

    @pytest.mark.parametrize("flags", [IS_COPIED, 0], ids=["with the flag", "without the flag"])
    @pytest.mark.parametrize("kind", ["Card", "CardAlways", "Anywhere"])
    def test_the_producer_is_asked_for_the_copy(
        self, lib: ModuleType, producer: ModuleType, card: Make, kind: str, flags: int
    ) -> None:
        """PyTorch does not set the flag: memory at another address is a copy, too."""
        made: list[Any] = []

        def answer(_: Any, copy: Any) -> Any:
            made.append(card(flags if copy else 0))
            return made[-1].capsule()

        thing = Elsewhere(answer)
        keywords = {} if kind == "CardAlways" else {"copy": True}
        got = getattr(lib, kind).from_dlpack(thing, **keywords)
        assert got.device == (2, 3)
        assert thing.asked == [(None, None), (None, True)]
        assert inside(got.__dlpack__(max_version=(1, 0))).tensor.data == made[1].data
        assert producer.record() == (1, 0, 0)
        del got
        assert producer.record() == (1, 0, 0)

    @pytest.mark.parametrize(
        ("first", "second", "is_copy"),
        [
            ({"versioned": False}, {}, True),
            ({}, {"versioned": False}, False),
            ({}, {"major": 2}, False),
            ({"data": 4096}, {"data": 4096}, False),
            ({"data": 4096}, {"data": 4096, "byte_offset": 24}, True),
            ({"data": 4096, "axes": ((0,), None)}, {"data": 4096, "axes": ((0,), None)}, True),
        ],
        ids=["older array", "older copy", "later copy", "same memory", "other offset", "no elements"],
    )
    def test_memory_at_another_address_is_a_copy(
        self, lib: ModuleType, managed: Callable[..., Any], first: dict[str, Any], second: dict[str, Any], is_copy: bool
    ) -> None:
        """The flag that a tensor is a copy came with DLPack 1.0: a copy without a version is not taken."""

        def answer(_: Any, copy: Any) -> Any:
            common = {"dtype": (2, 32, 1), "axes": ((6,), None), "device_type": 2, "device_id": 3}
            fields = {**common, **(second if copy else first)}
            return managed(fields.pop("versioned", True), **fields).capsule()

        if is_copy:
            assert lib.Card.from_dlpack(Elsewhere(answer), copy=True).device == (2, 3)
            return
        with pytest.raises(BufferError) as caught:
            lib.Card.from_dlpack(Elsewhere(answer), copy=True)
        assert str(caught.value) == ("wishes.Card: the producer has not copied the data on cuda, and the CPU cannot")

    def test_the_keyword_device_is_passed_on(self, lib: ModuleType, card: Make) -> None:
        thing = Elsewhere(lambda _, copy: card(IS_COPIED if copy else 0).capsule())
        assert lib.Card.from_dlpack(thing, device=(2, 3), copy=True).device == (2, 3)
        assert thing.asked == [((2, 3), None), ((2, 3), True)]

    def test_a_producer_whose_answer_is_a_copy_is_asked_once(self, lib: ModuleType, card: Make) -> None:
        for keywords in ({}, {"device": (2, 3)}):
            thing = Elsewhere(lambda *_: card(IS_COPIED).capsule())
            lib.Card.from_dlpack(thing, copy=True, **keywords)
            assert len(thing.asked) == 1

    def test_memory_that_the_cpu_reads_is_copied_by_the_cpu(self, lib: ModuleType, card: Make) -> None:
        thing = Elsewhere(lambda *_: card(device=3).capsule())
        with pytest.raises(BufferError, match=r"^wishes\.Card: the data is on cpu, not cuda"):
            lib.Card.from_dlpack(thing, copy=True)
        assert thing.asked == [(None, None)]
        thing = Elsewhere(lambda device, _: ones() if device else card().capsule())
        assert np.asarray(lib.Never.from_dlpack(thing, copy=True)).tolist() == [1] * 4
        assert thing.asked == [(None, None), ((1, 0), None)]

    def test_a_producer_that_ignores_copy_is_a_buffer_error(
        self, lib: ModuleType, producer: ModuleType, card: Make
    ) -> None:
        same = card()

        def answer(*_: Any) -> Any:
            return card(data=same.data).capsule()

        for keywords in ({}, {"device": (2, 3)}):
            with pytest.raises(
                BufferError,
                match=r"^wishes\.Card: the producer has not copied the data on cuda, and the CPU cannot$",
            ):
                lib.Card.from_dlpack(Elsewhere(answer), copy=True, **keywords)
            assert producer.record() == (2, 0, 0)
        same.capsule()

    def test_a_producer_without_the_keyword_copy_is_a_buffer_error(
        self, lib: ModuleType, producer: ModuleType, card: Make
    ) -> None:
        class Older:
            def __dlpack__(self, *, max_version: Any = None) -> Any:
                return card().capsule()

        for keywords in ({}, {"device": (2, 3)}):
            with pytest.raises(BufferError, match=r"^wishes\.Card: data on cuda cannot be copied by the CPU$"):
                lib.Card.from_dlpack(Older(), copy=True, **keywords)
            assert producer.record() == (1, 0, 0)

    @pytest.mark.parametrize(
        "error", [BufferError, ValueError, NotImplementedError, RuntimeError, MemoryError, KeyboardInterrupt]
    )
    def test_the_exception_of_the_producer_reaches_the_caller(
        self, lib: ModuleType, producer: ModuleType, card: Make, error: type[BaseException]
    ) -> None:
        def answer(_: Any, copy: Any) -> Any:
            if copy:
                raise error("no memory on this card")
            return card().capsule()

        for keywords in ({}, {"device": (2, 3)}):
            with pytest.raises(error, match="no memory on this card"):
                lib.Card.from_dlpack(Elsewhere(answer), copy=True, **keywords)
            assert producer.record() == (1, 0, 0)

    def test_a_function_asks_for_the_copy_that_the_class_of_its_argument_needs(
        self, lib: ModuleType, card: Make
    ) -> None:
        thing = Elsewhere(lambda _, copy: card(IS_COPIED if copy else 0).capsule())
        assert lib.card_length(thing) == 6
        assert thing.asked == [(None, None), (None, True)]


class TestOtherDevices:
    """`copy: allowed` takes a copy on the CPU from a producer on another device."""

    @pytest.fixture
    def card(self, managed: Callable[..., Any]) -> Callable[..., Any]:
        return lambda: managed(dtype=(2, 32, 1), axes=((6,), None), device_type=2).capsule()

    @pytest.mark.parametrize("kind", ["Allowed", "Always"])
    @pytest.mark.parametrize("refuses", [False, True])
    def test_the_producer_is_asked_for_the_cpu(self, lib: ModuleType, kind: str, refuses: bool, card: Any) -> None:
        thing = Elsewhere(lambda device, _: ones() if device == (1, 0) else refuse() if refuses else card())
        assert np.asarray(getattr(lib, kind).from_dlpack(thing)).tolist() == [1] * 4
        assert thing.asked == [(None, None), ((1, 0), None)]

    def test_the_producer_is_not_asked_for_the_cpu_where_copies_are_forbidden(self, lib: ModuleType, card: Any) -> None:
        for answer, message in ((refuse, "this test has not"), (lambda *_: card(), "the data is on cuda, not cpu")):
            for take in (lib.Never.from_dlpack, lambda thing: lib.Allowed.from_dlpack(thing, copy=False)):
                thing = Elsewhere(answer)
                with pytest.raises(BufferError, match=message):
                    take(thing)
                assert len(thing.asked) == 1

    def test_a_producer_that_can_not_copy_gives_the_first_message(self, lib: ModuleType, card: Any) -> None:
        def answer(device: Any, _: Any) -> Any:
            if device is not None:
                raise TypeError("an integer is required")
            return card()

        thing = Elsewhere(answer)
        with pytest.raises(BufferError, match=r"^wishes\.Allowed: the data is on cuda, not cpu$"):
            lib.Allowed.from_dlpack(thing)
        assert thing.asked == [(None, None), ((1, 0), None)]
        with pytest.raises(BufferError, match="this test has not"):
            lib.Allowed.from_dlpack(Elsewhere(refuse))

    def test_an_interrupt_reaches_the_caller(self, lib: ModuleType, card: Any) -> None:
        def answer(device: Any, _: Any) -> Any:
            if device is not None:
                raise KeyboardInterrupt
            return card()

        with pytest.raises(KeyboardInterrupt):
            lib.Allowed.from_dlpack(Elsewhere(answer))

    @pytest.mark.parametrize("error", [ValueError, TypeError, MemoryError])
    def test_an_error_that_is_not_about_the_device_is_raised_at_once(
        self, lib: ModuleType, error: type[Exception]
    ) -> None:
        def answer(*_: Any) -> Any:
            raise error("an error")

        thing = Elsewhere(answer)
        with pytest.raises(error, match="an error"):
            lib.Allowed.from_dlpack(thing)
        assert len(thing.asked) == 1


def test_params_called_copy_and_device_hide_the_keywords(lib: ModuleType) -> None:
    assert lib.Own.from_dlpack(np.zeros(3, np.float32), copy=3, device=4).shape == (3,)
    with pytest.raises(TypeError, match="argument 'copy' must be"):
        lib.Own.from_dlpack(np.zeros(3, np.float32), copy="no")


def test_unknown_keywords_are_refused_and_params_are_accepted_beside_copy(lib: ModuleType) -> None:
    source = np.zeros(3, np.float32)
    assert lib.Tagged.from_dlpack(source, tag=3, copy=True).shape == (3,)
    assert lib.Tagged.from_dlpack(source, device="cpu").shape == (3,)
    with pytest.raises(TypeError, match=r"from_dlpack\(\) got an unexpected keyword argument 'divice'"):
        lib.Never.from_dlpack(source, copy=True, divice=None)
    with pytest.raises(TypeError, match=r"from_dlpack\(\) takes exactly 1 positional argument \(0 given\)"):
        lib.Never.from_dlpack(copy=True)
