# SPDX-License-Identifier: MIT
"""The cache of the types of producers: types that change, are freed, or have strange metaclasses."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

import pytest

from python.exchange import ATTRIBUTE, Calls, with_table
from support.build import ABI3, SANITIZED

KEPT = ABI3 or sys.version_info < (3, 11)
"""Whether nothing else tells a type from another at its address."""


class TestTypesThatChange:
    @pytest.mark.type_versions
    def test_added_and_removed_tables_are_noticed(self, lab, managed, table) -> None:
        class Changing(Calls):
            pass

        source = Changing(managed)
        for _ in range(3):
            lab.Moved.from_dlpack(source)
            setattr(Changing, ATTRIBUTE, table())
            lab.Moved.from_dlpack(source)
            setattr(Changing, ATTRIBUTE, table(2))
            lab.Moved.from_dlpack(source)
            delattr(Changing, ATTRIBUTE)
        assert source.asked == ["call", "table", "call"] * 3

    @pytest.mark.type_versions
    def test_a_change_of_a_base_takes_effect(self, lab, managed, table) -> None:
        class Base(Calls):
            pass

        class Derived(Base):
            pass

        source = Derived(managed)
        lab.Moved.from_dlpack(source)
        setattr(Base, ATTRIBUTE, table())
        lab.Moved.from_dlpack(source)
        Derived.__bases__ = (Calls,)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call", "table", "call"]

    @pytest.mark.type_versions
    def test_a_later_override_takes_effect(self, lab, managed, table) -> None:
        class Derived(with_table(Calls, table())):
            pass

        source = Derived(managed)
        lab.Moved.from_dlpack(source)
        Derived.__dlpack__ = Calls.__dlpack__
        lab.Moved.from_dlpack(source)
        del Derived.__dlpack__
        lab.Moved.from_dlpack(source)
        assert source.asked == ["table", "call", "table"]

    def test_an_object_can_change_its_class(self, lab, managed, table) -> None:
        source = Calls(managed)
        lab.Moved.from_dlpack(source)
        source.__class__ = with_table(Calls, table())
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call", "table"]

    def test_types_at_the_addresses_of_freed_types_are_not_mistaken(self, lab, managed, table) -> None:
        addresses = []
        for number in range(40):
            cls = with_table(Calls, table()) if number % 2 else type("Plain", (Calls,), {})
            source = cls(managed)
            lab.Moved.from_dlpack(source)
            assert source.asked == ["table" if number % 2 else "call"]
            addresses.append(id(cls))
            del cls, source
            gc.collect()
        assert KEPT or SANITIZED or len(set(addresses)) < len(addresses), "no address was used again"

    def test_the_cache_of_types_can_overflow(self, lab, managed, table) -> None:
        sources = [(with_table(Calls, table()) if n % 3 else type("Plain", (Calls,), {}))(managed) for n in range(99)]
        for _ in range(2):
            for source in sources:
                lab.Moved.from_dlpack(source)
        assert [source.asked for source in sources] == [["table" if n % 3 else "call"] * 2 for n in range(99)]

    def test_the_cache_keeps_a_type_alive_only_if_nothing_else_identifies_it(self, lab, managed, table) -> None:
        ended = []
        cls: Any = with_table(Calls, table())
        lab.Moved.from_dlpack(cls(managed))
        watched = weakref.ref(cls, ended.append)
        del cls
        gc.collect()
        assert (watched() is None) == (ended != []) == (not KEPT)


class TestMetaclasses:
    def test_an_exception_of_a_metaclass_reaches_the_caller(self, lab, managed, table) -> None:
        class Meta(type):
            def __getattribute__(cls, name: str) -> Any:
                if name == ATTRIBUTE:
                    raise KeyboardInterrupt
                return super().__getattribute__(name)

        source = Meta("Guarded", (Calls,), {ATTRIBUTE: table()})(managed)
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                lab.Moved.from_dlpack(source)
        assert source.asked == []

    def test_a_type_whose_mro_is_no_tuple_is_a_type_error(self, lab) -> None:
        class Meta(type):
            __mro__ = "none"

        with pytest.raises(TypeError, match=r"^the __mro__ of a type must be a tuple$"):
            lab.Moved.from_dlpack(Meta("Strange", (), {})())

    def test_a_table_of_the_metaclass_does_not_apply_to_the_objects(self, lab, managed, table) -> None:
        meta = type("Meta", (type,), {ATTRIBUTE: table()})
        source = meta("Plain", (Calls,), {})(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call"]

    def test_a_metaclass_with_every_attribute_has_no_table(self, lab, managed) -> None:
        class Meta(type):
            def __getattr__(cls, name: str) -> Any:
                return name

        source = Meta("Eager", (Calls,), {})(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call"]

    def test_dlpack_of_a_metaclass_does_not_apply_to_the_objects(self, lab) -> None:
        meta = type("Meta", (type,), {"__dlpack__": lambda cls: None})
        made = lab.Moved.from_dlpack(meta("Bytes", (bytearray,), {})(b"abc"))
        assert (made.shape, made.dtype) == ((3,), "uint8")
