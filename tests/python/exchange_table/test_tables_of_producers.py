# SPDX-License-Identifier: MIT
"""`Name.from_dlpack` uses foreign exchange tables: which table is used, when, and who deletes the tensor."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from python.exchange import ATTRIBUTE, Calls, Source, with_table

DELETED_ONCE = (1, 0, 0)
REFUSED: list[dict[str, Any]] = [{"ndim": -1}, {"data": None}, {"major": 2}, {"major": 0}]
COMPLEX64, UINT8 = (5, 64, 1), (1, 8, 1)
CUDA, CUDA_HOST = 2, 3
DOUBTFUL: list[dict[str, Any]] = [
    {"dtype": COMPLEX64},
    {"dtype": UINT8, "device_type": CUDA},
    {"device_type": CUDA_HOST},
]


class TestWhichWay:
    @pytest.mark.parametrize("base", [Source, Calls])
    def test_the_table_has_precedence_over_dlpack(self, lab, managed, producer, table, base: type) -> None:
        source = with_table(base, table())(managed)
        made = lab.Moved.from_dlpack(source)
        assert (made.shape, source.asked) == ((2, 3), ["table"])
        made.close()
        assert producer.record() == DELETED_ONCE

    @pytest.mark.parametrize(
        ("majors", "way"), [((1,), "table"), ((2, 1), "table"), ((3, 2, 1), "table"), ((2,), "call"), ((0,), "call")]
    )
    def test_older_tables_are_searched_for_our_major_version(
        self, lab, managed, table, majors: tuple[int, ...], way: str
    ) -> None:
        source = with_table(Calls, table(*majors))(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == [way]

    def test_a_chain_of_tables_without_an_end_is_not_followed_forever(self, lab, managed, scripted) -> None:
        source = with_table(Calls, scripted.loop())(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call"]

    def test_a_table_without_the_function_of_exports_is_not_used(self, lab, managed, table) -> None:
        source = with_table(Calls, table(without="from"))(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call"]

    def test_a_producer_without_a_table_of_our_major_version_and_without_dlpack_is_refused(
        self, lab, managed, table
    ) -> None:
        with pytest.raises(TypeError, match="takes an object with __dlpack__"):
            lab.Moved.from_dlpack(with_table(Source, table(2))(managed))

    @pytest.mark.parametrize("wrong", [None, 1, "capsule", object(), property(lambda self: 1)])
    def test_an_attribute_that_is_no_capsule_is_no_table(self, lab, managed, wrong: Any) -> None:
        source = with_table(Calls, wrong)(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call"]

    @pytest.mark.parametrize("name", ["dltensor", "dltensor_versioned", "something_else", None])
    def test_a_capsule_of_another_name_is_no_table(self, lab, managed, producer, name: str | None) -> None:
        other = managed(name != "dltensor")
        capsule = other.capsule(name)
        source = with_table(Calls, capsule)(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call"]
        del source, capsule
        gc.collect()  # a type is a cycle, and this one has the capsule
        if name is None:
            producer.delete(other.address, True, "here")

    def test_the_capsule_of_a_table_is_no_array(self, lab, table) -> None:
        with pytest.raises(TypeError, match="a capsule named 'dlpack_exchange_api' is not a DLPack capsule"):
            lab.Moved.from_dlpack(table())

    def test_a_table_is_an_attribute_of_the_type_and_not_of_the_object(self, lab, managed, table) -> None:
        source = Calls(managed)
        setattr(source, ATTRIBUTE, table())
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call"]

    def test_the_table_has_precedence_over_the_buffer(self, lab, managed, producer, table) -> None:
        class Bytes(bytearray):
            def give(self) -> int:
                return managed().address

        setattr(Bytes, ATTRIBUTE, table())
        assert lab.Moved.from_dlpack(Bytes(b"abc")).shape == (2, 3)

    def test_an_import_of_our_own_object_outlives_the_closed_object(self, lab, subject) -> None:
        made = subject((4,), kind="Counted")
        again = lab.Moved.from_dlpack(made.object)
        made.object.close()
        assert (again.shape, np.from_dlpack(again).shape) == ((4,), (4,))


class TestSubclasses:
    def test_a_subclass_inherits_the_table(self, lab, managed, table) -> None:
        class Derived(with_table(Calls, table())):
            pass

        source = Derived(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["table"]

    def test_a_subclass_that_overrides_dlpack_gets_a_call(self, lab, managed, table) -> None:
        class Derived(with_table(Calls, table())):
            def __dlpack__(self, **keywords: Any) -> Any:
                self.asked.append("own")
                return self.managed(**self.fields).capsule()

        class Further(Derived):
            pass

        for cls in (Derived, Further):
            source = cls(managed)
            lab.Moved.from_dlpack(source)
            assert source.asked == ["own"]

    def test_the_table_is_used_if_a_subclass_has_its_own_table_and_dlpack(self, lab, managed, table) -> None:
        class Derived(with_table(Calls, table(2))):
            __dlpack_c_exchange_api__ = table()

            def __dlpack__(self, **keywords: Any) -> Any:
                raise AssertionError

        source = Derived(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["table"]

    def test_the_first_of_two_bases_decides(self, lab, managed, table) -> None:
        tabled = with_table(Source, table())
        for bases, way in (((tabled, Calls), "table"), ((Calls, tabled), "call")):
            source = type("Both", bases, {})(managed)
            lab.Moved.from_dlpack(source)
            assert source.asked == [way]

    def test_a_subclass_can_hide_the_table(self, lab, managed, table) -> None:
        class Derived(with_table(Calls, table())):
            __dlpack_c_exchange_api__ = None

        source = Derived(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call"]


class TestWhatTheTableGives:
    def test_an_exception_of_the_table_reaches_the_caller(self, lab, managed, producer, table) -> None:
        error = LookupError("not today")

        class Failing(Calls):
            __dlpack_c_exchange_api__ = table()

            def give(self) -> Any:
                raise error

        source = Failing(managed)
        with pytest.raises(LookupError) as caught:
            lab.Moved.from_dlpack(source)
        assert caught.value is error
        assert source.asked == []

    @pytest.mark.parametrize("answer", [None, NotImplemented], ids=["NULL", "failure without an exception"])
    def test_a_failure_without_an_exception_is_a_runtime_error(self, lab, managed, table, answer: Any) -> None:
        class Empty(Calls):
            __dlpack_c_exchange_api__ = table()

            def give(self) -> Any:
                return answer

        with pytest.raises(RuntimeError, match=r"exchange table of .*Empty.* failed without an exception"):
            lab.Moved.from_dlpack(Empty(managed))

    def test_the_exception_of_dlpack_replaces_a_runtime_error_of_the_table(self, lab, managed, table) -> None:
        """PyTorch's table fails with a RuntimeError that has a trace of C++, its call with a BufferError."""

        class Sparse(Calls):
            __dlpack_c_exchange_api__ = table()

            def give(self) -> Any:
                raise RuntimeError("at c10/core.cpp:17") if self.asked == [] else BufferError("a sparse tensor")

            def __dlpack__(self, **_: Any) -> object:
                raise BufferError("a sparse tensor")

        with pytest.raises(BufferError, match=r"^a sparse tensor$"):
            lab.Moved.from_dlpack(Sparse(managed))

    @pytest.mark.parametrize("fields", REFUSED, ids=str)
    def test_a_refused_tensor_is_deleted_once(self, lab, managed, producer, table, fields: Any) -> None:
        source = with_table(Calls, table())(managed, **fields)
        with pytest.raises(BufferError):
            lab.Moved.from_dlpack(source)
        assert producer.record() == DELETED_ONCE
        assert source.asked == ["table"]

    @pytest.mark.parametrize("mood", [1, 2])
    def test_a_tensor_that_the_library_refuses_is_deleted_once(self, lab, managed, producer, table, mood: int) -> None:
        lab.set_mood(mood)
        try:
            with pytest.raises((RuntimeError, BufferError)):
                lab.Moved.from_dlpack(with_table(Calls, table())(managed))
        finally:
            lab.set_mood(0)
        assert producer.record() == DELETED_ONCE

    def test_a_tensor_of_another_major_version_is_not_read(self, lab, managed, producer, table) -> None:
        """Its dtype would lead to a call of `__dlpack__`."""
        source = with_table(Calls, table())(managed, major=9, dtype=COMPLEX64, ndim=10**6)
        with pytest.raises(BufferError, match=r"version 9\.3"):
            lab.Moved.from_dlpack(source)
        assert source.asked == ["table"]
        assert producer.record() == DELETED_ONCE

    @pytest.mark.parametrize(("base", "asked"), [(Calls, ["table", "call"]), (Source, ["table"])])
    @pytest.mark.parametrize("fields", DOUBTFUL, ids=str)
    def test_dlpack_is_called_where_the_table_does_not_report_conjugation_or_pending_work(
        self, lab, stocked, managed, producer, table, fields: Any, base: type, asked: list[str]
    ) -> None:
        """Without `__dlpack__`, the tensor is taken as it is."""
        source = with_table(base, table())(managed, **fields)
        made = (stocked.Remote if fields.get("device_type") == CUDA else lab.Moved).from_dlpack(source)
        assert source.asked == asked
        assert producer.record()[0] == len(asked) - 1
        made.close()
        assert producer.record() == DELETED_ONCE

    def test_an_exception_of_dlpack_called_after_the_table_reaches_the_caller(
        self, lab, managed, producer, table
    ) -> None:
        class Conjugated(Source):
            __dlpack_c_exchange_api__ = table()

            def __dlpack__(self, **keywords: Any) -> Any:
                raise BufferError("resolve the conjugate bit first")

        with pytest.raises(BufferError, match="conjugate"):
            lab.Moved.from_dlpack(Conjugated(managed, dtype=COMPLEX64))
        assert producer.record() == DELETED_ONCE

    def test_read_only_data_of_a_table_is_read_only(self, lab, managed, table) -> None:
        assert lab.Moved.from_dlpack(with_table(Source, table())(managed, flags=1)).readonly


class TestReentrancy:
    @pytest.fixture
    def closing(self, table) -> Iterator[Callable[[Any], Any]]:
        """Makes a producer that calls something on its way."""

        def make(managed: Any, act: Callable[[], object], base: type = Source) -> Any:
            class Acting(base):
                def give(self) -> Any:
                    act()
                    return super().give()

                def __dlpack__(self, **keywords: Any) -> Any:
                    act()
                    return self.managed(**self.fields).capsule()

            if base is not Source:
                return Acting(managed)
            setattr(Acting, ATTRIBUTE, table())
            return Acting(managed)

        yield make

    def test_a_producer_can_import_itself_in_its_table(self, lab, managed, producer, closing) -> None:
        made = []

        def again() -> None:
            if len(made) < 5:
                made.append(None)
                made[-1] = lab.Moved.from_dlpack(source)

        source = closing(managed, again)
        last = lab.Moved.from_dlpack(source)
        assert len(source.asked) == 6
        last.close()
        made.clear()
        assert producer.record() == (6, 0, 0)

    @pytest.mark.type_versions
    def test_a_producer_can_lose_its_table_while_it_is_used(self, lab, managed, closing) -> None:
        source = closing(managed, lambda: delattr(type(source), ATTRIBUTE) if ATTRIBUTE in vars(type(source)) else None)
        assert lab.Moved.from_dlpack(source).shape == (2, 3)
        assert lab.Moved.from_dlpack(source).shape == (2, 3)
        assert source.asked == ["table"]

    @pytest.mark.parametrize("base", [Source, Calls])
    def test_a_producer_can_close_our_object_that_it_exports(self, lab, subject, producer, closing, base) -> None:
        """The import then holds an object that is closed."""
        made = subject((8,))
        inner = producer.consume(made.object.__dlpack__(max_version=(1, 0)))[0]

        class Given:
            address = inner

            @staticmethod
            def capsule() -> object:
                return producer.capsule(inner, "dltensor_versioned")

        given = []

        def close() -> None:
            given.append(inner)
            made.object.close()

        source = closing(Given, close, base)
        try:
            result = lab.Moved.from_dlpack(source)
        except MemoryError:
            if not given:
                producer.delete(inner, True, "here")
            raise
        assert (result.shape, np.from_dlpack(result).shape) == ((8,), (8,))
        with pytest.raises(ValueError, match="closed"):
            np.from_dlpack(made.object)
