"""Bytes that C writes to a buffer whose capacity is known only during the call."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("packs.h").read_text()
SPEC = """
module: packs
include: [packs.h]
handles:
  Tape:
    type: tape
    release: (void)self
    params: [int width = 3]
    new: {c: "void tape_make(tape *t, long long at, int width)", args: {t: {out: true}, width: {default: 3}}}
    methods:
      read: {c: "int tape_read(tape *t, byte to[n], size_t n)", args: {to: {out: true, of: bytes}}, returns: [to]}
      line:
        c: int tape_read(tape *t, byte to[width], size_t n)
        args: {to: {out: true, of: bytes, size: result}, n: {value: (size_t)width}}
      claim: {c: "long long tape_claim(const tape *t, byte to[4])", args: {to: {out: true, of: bytes, size: result}}}
      boast:
        c: unsigned long long tape_boast(const tape *t, byte to[4])
        args: {to: {out: true, of: bytes, size: result}}
      claim_more:
        c: long long tape_claim(const tape *t, byte to[t->at / 2 + 1])
        args: {to: {out: true, of: bytes, size: result}}
      large: {c: "void tape_large(const tape *t, byte to[100000])", args: {to: {out: true, of: bytes}}}
      fail:
        c: int tape_fail(const tape *t, char why[pack_bound(8)])
        args: {why: {out: true, of: bytes}}
        ok: == 0
        error: why
functions:
  fill: {c: "void fill(void to[n], size_t n)", args: {to: {out: true, of: bytes}}}
  fill_four: {c: "void fill(void to[4], size_t n)", args: {to: {out: true, of: bytes}, n: {value: "4"}}}
  pack:
    c: int pack(const byte *src, byte to[room], size_t n, size_t room)
    args: {src: bytes, to: {out: true, of: bytes, size: result}, n: {size_of: src}, room: {value: pack_bound(n)}}
    ok: ">= 0"
    release_gil: true
  unpack:
    c: int unpack(byte to[size], size_t *size, const byte *src, size_t n)
    args: {src: bytes, to: {out: true, of: bytes, size: size}, size: {of: int, value: 64 + n}, n: {size_of: src}}
    ok: == 0
  unpack_at_most:
    c: int unpack(byte to[size], size_t *size, const byte *src, size_t n)
    args: {src: bytes, to: {out: true, of: bytes, size: size}, size: int, n: {size_of: src}}
    returns: [to, size]
    ok: == 0
  split:
    c: void split(const byte *src, size_t n, byte even[(n + 1) / 2], byte odd[n / 2])
    args: {src: bytes, n: {size_of: src}, even: {out: true, of: bytes}, odd: {out: true, of: bytes}}
"""


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("packs", SPEC, tmp_path_factory.mktemp("packs"), HEADER)


@pytest.mark.parametrize(
    ("data", "packed"),
    [(b"", b""), (b"a", b"\1a"), (b"aaab", b"\3a\1b"), (bytes(300), b"\xff\0\x2d\0"), (b"ab" * 9, b"\1a\1b" * 9)],
)
def test_filled_bytes_have_the_length_that_c_reports(packs: ModuleType, data: bytes, packed: bytes) -> None:
    assert packs.pack(data) == packed
    assert packs.unpack_at_most(400, packed) == (data, len(data))
    if len(data) <= 64:
        assert packs.unpack(packed) == data


def test_a_failure_frees_the_buffer(packs: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"^unpack_at_most\(\): unpack\(\) failed with -5 \(size=3\)$"):
        packs.unpack_at_most(3, b"\4a")
    with pytest.raises(RuntimeError, match=r"^fail\(\): torn$"):
        packs.Tape(0).fail()


def test_an_argument_can_give_the_capacity(packs: ModuleType) -> None:
    tape = packs.Tape(1)
    assert [tape.read(2), tape.read(0), tape.read(n=1)] == [b"\1\2", b"", b"\3"]
    with pytest.raises(
        ValueError, match=r"^read\(\): no buffer has as many bytes as 'to' must have \(n = 9223372036854775808\)$"
    ):
        tape.read(1 << 63)
    with pytest.raises((MemoryError, OverflowError)):
        tape.read((1 << 63) - 1)
    assert tape.read(1) == b"\4"


def test_the_object_can_give_the_capacity(packs: ModuleType) -> None:
    assert packs.Tape(5).line() == b"\5"
    assert packs.Tape(5, width=8).line() == b"\5\6\7\10"


def test_a_large_capacity_is_not_taken_from_the_stack(packs: ModuleType) -> None:
    assert packs.Tape(7).large() == bytes(99999) + b"\7"


def test_filled_memory_can_have_the_type_void(packs: ModuleType) -> None:
    assert packs.fill(3) == b"xxx" and packs.fill_four() == b"xxxx"


def test_a_function_can_fill_several_bytes(packs: ModuleType) -> None:
    assert packs.split(b"abcde") == (b"ace", b"bd")
    assert packs.split(b"") == (b"", b"")


def test_counts_within_the_capacity(packs: ModuleType) -> None:
    assert [packs.Tape(at).claim() for at in (0, 1, 4)] == [b"", b"\1", b"\1\0\0\0"]
    assert [packs.Tape(at).claim_more() for at in (0, 1, 2)] == [b"", b"\1", b"\1\0"]


@pytest.mark.parametrize("at", [0, 2])
def test_a_size_beyond_all_integers_of_64_bits_with_a_sign_is_an_error(packs: ModuleType, at: int) -> None:
    with pytest.raises(ValueError, match=r"^the size of the bytes \(result\) is "):
        packs.Tape(at).boast()


@pytest.mark.parametrize(
    ("at", "method", "problem"),
    [
        (5, "claim", r"the size of the bytes \(result\) is 5, and the capacity is 4"),
        (-1, "claim", r"the size of the bytes \(result\) is -1"),
        (3, "claim_more", r"the size of the bytes \(result\) is 3, and the capacity is 2"),
        (-1, "claim_more", r"the size of the bytes \(result\) is -1, and the capacity is 1"),
        (-4, "claim_more", r"claim_more\(\): 'to' cannot have -1 bytes \(t->at = -4\)"),
    ],
)
def test_negative_sizes_and_lengths_beyond_the_capacity_are_errors(
    packs: ModuleType, at: int, method: str, problem: str
) -> None:
    call: Any = getattr(packs.Tape(at), method)
    with pytest.raises(ValueError, match=f"^{problem}"):
        call()
