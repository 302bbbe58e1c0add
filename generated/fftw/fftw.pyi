# SPDX-License-Identifier: MIT-0
# Generated from fftw.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again.
"""Fourier transforms of the arrays of others, by FFTW."""

import collections.abc
import enum
import os
import types as _types
import typing

import typing_extensions

_T = typing.TypeVar('_T')

_Shape: typing.TypeAlias = typing.SupportsIndex | collections.abc.Sequence[typing.SupportsIndex]

_Path: typing.TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]

@typing.type_check_only
class _SupportsDLPack(typing.Protocol):
    def __dlpack__(self, *args: typing.Any, **kwargs: typing.Any) -> typing.Any: ...

@typing.type_check_only
class _SupportsArrayInterface(typing.Protocol):
    @property
    def __array_interface__(self) -> typing.Any: ...

@typing.type_check_only
class _SupportsCudaArrayInterface(typing.Protocol):
    @property
    def __cuda_array_interface__(self) -> typing.Any: ...

_Array: typing.TypeAlias = (
    _SupportsDLPack
    | typing_extensions.Buffer
    | typing_extensions.CapsuleType
    | _SupportsArrayInterface
    | _SupportsCudaArrayInterface
)
_Given = typing.TypeVar('_Given', bound=_Array)

VERSION: str
NO_TIMELIMIT: float

class Direction(enum.IntEnum):
    FORWARD = ...
    BACKWARD = ...

class Flags(enum.IntFlag):
    ESTIMATE = ...
    MEASURE = ...
    PATIENT = ...
    EXHAUSTIVE = ...
    WISDOM_ONLY = ...
    DESTROY_INPUT = ...
    PRESERVE_INPUT = ...
    UNALIGNED = ...

@typing.final
class InPlace:
    """A transform of one array in place. Everything but ESTIMATE overwrites the array when it is made."""

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, sign: int = ..., flags: int = ..., device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> InPlace: ...
    def close(self, /) -> None: ...
    def __enter__(self, /) -> InPlace: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> InPlace: ...
    def execute(self, /) -> None:
        """Transforms the array, without a factor.

        Other threads run meanwhile.
        """
    def flops(self, /) -> tuple[float, float, float]:
        """The additions, multiplications and fused ones of one transform.

        Returns (add, mul, fma).
        """
    def sprint(self, /) -> str | None:
        """The plan as text."""
    @property
    def cost(self) -> float:
        """What the planner thinks that one transform costs."""

@typing.final
class Transform:
    """A transform of one array into another, both of which it keeps. Everything but ESTIMATE overwrites them when it is
    made."""

    def close(self, /) -> None: ...
    def __enter__(self, /) -> Transform: ...
    def __exit__(self, *unused: object) -> None: ...
    @typing.overload
    @classmethod
    def rows(
        cls,
        /,
        src: _Array,
        dst: None = None,
        sign: Direction | str | int = Direction.FORWARD,
        flags: Flags | str | int = Flags.ESTIMATE,
    ) -> tuple[Transform, Array]:
        """The plan for each row of `src`.

        `src` is written: an array of complex128, of 2 axes, compact.
        `dst` is written: an array of complex128, of shape (src.shape[0], src.shape[1]), compact; a new one like `src`
        where none is given.
        Returns (the result, dst).
        The result keeps `src` and `dst` alive.
        Raises ValueError if the library reports a failure.
        """
    @typing.overload
    @classmethod
    def rows(
        cls,
        /,
        src: _Array,
        dst: _Given,
        sign: Direction | str | int = Direction.FORWARD,
        flags: Flags | str | int = Flags.ESTIMATE,
    ) -> tuple[Transform, _Given]: ...
    def execute(self, /) -> None:
        """Transforms the one array into the other, without a factor.

        Other threads run meanwhile.
        """
    def __new__(
        cls,
        src: _Array,
        dst: _Array,
        sign: Direction | str | int = Direction.FORWARD,
        flags: Flags | str | int = Flags.ESTIMATE,
    ) -> Transform:
        """`src` is written: an array of complex128, compact.
        `dst` is written: an array of complex128, of src.size elements, compact.
        The result keeps `src` and `dst` alive.
        Raises ValueError if the library reports a failure.
        """

@typing.final
class Plan:
    """Transforms of complex arrays into others. What neither FFTW nor this module can check: Plan(n, src, dst) needs as
    many elements in `src` and in `dst` as the product of `n`; execute() needs as many as the plan was made for, in
    one array if `src` and `dst` were one, else in two that do not overlap."""

    def close(self, /) -> None: ...
    def __enter__(self, /) -> Plan: ...
    def __exit__(self, *unused: object) -> None: ...
    @classmethod
    def dft_1d(
        cls,
        /,
        src: _Array,
        dst: _Array,
        sign: Direction | str | int = Direction.FORWARD,
        flags: Flags | str | int = Flags.ESTIMATE,
    ) -> Plan:
        """The plan for all elements of `src`.

        `src` is written: an array of complex128, compact.
        `dst` is written: an array of complex128, of src.size elements, compact.
        Raises ValueError if the library reports a failure.
        """
    @classmethod
    def dft_2d(
        cls,
        /,
        src: _Array,
        dst: _Array,
        sign: Direction | str | int = Direction.FORWARD,
        flags: Flags | str | int = Flags.ESTIMATE,
    ) -> Plan:
        """The plan for the rows and columns of `src`.

        `src` is written: an array of complex128, of 2 axes, compact.
        `dst` is written: an array of complex128, of shape (src.shape[0], src.shape[1]), compact.
        Raises ValueError if the library reports a failure.
        """
    def execute(self, /, src: _Array | collections.abc.Sequence[complex], dst: _Array) -> None:
        """Transforms `src` into `dst`, without a factor.

        `src` is read: an array of complex128, compact, aligned to 16 bytes, or a sequence of numbers; arrays in another
        layout or alignment are copied.
        `dst` is written: an array of complex128, compact, aligned to 16 bytes; arrays in another layout or alignment are
        copied, and copied back.
        Other threads run meanwhile.
        """
    def sprint(self, /) -> str | None:
        """The plan as text."""
    def __new__(
        cls,
        n: _Array | collections.abc.Sequence[int],
        src: _Array,
        dst: _Array,
        sign: Direction | str | int = Direction.FORWARD,
        flags: Flags | str | int = Flags.ESTIMATE,
    ) -> Plan:
        """`n` is read: an array of C's `int`, compact, or a sequence of numbers.
        `src` is written: an array of complex128, compact.
        `dst` is written: an array of complex128, compact.
        Raises ValueError if the library reports a failure.
        """

@typing.final
class RealPlan:
    """Transforms of real arrays into half of their complex spectrum. What neither FFTW nor this module can check:
    RealPlan(n, src, dst) needs as many elements in `src` as the product of `n`, and in `dst` as that with n[-1] // 2
    + 1 for the last extent; execute() needs as many as the plan was made for, in two arrays that do not overlap."""

    def close(self, /) -> None: ...
    def __enter__(self, /) -> RealPlan: ...
    def __exit__(self, *unused: object) -> None: ...
    def execute(self, /, src: _Array | collections.abc.Sequence[float], dst: _Array) -> None:
        """Transforms `src` into `dst`, without a factor.

        `src` is read: an array of float64, compact, aligned to 16 bytes, or a sequence of numbers; arrays in another
        layout or alignment are copied.
        `dst` is written: an array of complex128, compact, aligned to 16 bytes; arrays in another layout or alignment are
        copied, and copied back.
        Other threads run meanwhile.
        """
    def __new__(
        cls,
        n: _Array | collections.abc.Sequence[int],
        src: _Array,
        dst: _Array,
        flags: Flags | str | int = Flags.ESTIMATE,
    ) -> RealPlan:
        """`n` is read: an array of C's `int`, compact, or a sequence of numbers.
        `src` is written: an array of float64, compact.
        `dst` is written: an array of complex128, compact.
        Raises ValueError if the library reports a failure.
        """

@typing.final
class InversePlan:
    """The way back from half of a spectrum. What neither FFTW nor this module can check: InversePlan(n, src, dst) needs
    as many elements in `dst` as the product of `n`, and in `src` as that with n[-1] // 2 + 1 for the last extent;
    execute() needs as many as the plan was made for, in two arrays that do not overlap."""

    def close(self, /) -> None: ...
    def __enter__(self, /) -> InversePlan: ...
    def __exit__(self, *unused: object) -> None: ...
    def execute(self, /, src: _Array, dst: _Array) -> None:
        """Transforms `src`, which is destroyed, into `dst`, without a factor.

        `src` is written: an array of complex128, compact, aligned to 16 bytes.
        `dst` is written: an array of float64, compact, aligned to 16 bytes; arrays in another layout or alignment are
        copied, and copied back.
        Other threads run meanwhile.
        """
    def __new__(
        cls,
        n: _Array | collections.abc.Sequence[int],
        src: _Array,
        dst: _Array,
        flags: Flags | str | int = Flags.ESTIMATE,
    ) -> InversePlan:
        """`n` is read: an array of C's `int`, compact, or a sequence of numbers.
        `src` is written: an array of complex128, compact.
        `dst` is written: an array of float64, compact.
        Raises ValueError if the library reports a failure.
        """

@typing.final
class Array:
    """An array that a function has made."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> Array: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any) -> Array: ...
    def __dlpack__(
        self,
        /,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> typing_extensions.CapsuleType: ...
    def __dlpack_device__(self, /) -> tuple[int, int]: ...
    def __array__(self, /, dtype: typing.Any = None, copy: bool | None = None) -> typing.Any: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    @typing.overload
    def to(self, target: _types.ModuleType, /) -> typing.Any: ...
    @typing.overload
    def to(self, target: type[_T], /) -> _T: ...
    @typing.overload
    def to(self, target: typing.Any, /) -> typing.Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    @property
    def device(self) -> tuple[int, int]: ...
    @property
    def readonly(self) -> bool: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def ndim(self) -> int: ...
    def close(self, /) -> None: ...
    def __enter__(self, /) -> Array: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> Array: ...

def export_wisdom() -> str | None:
    """What the planner has learnt, as text."""
def import_wisdom(wisdom: str) -> None:
    """Adds what export_wisdom() returned.

    Raises ValueError if the library reports a failure.
    """
def save_wisdom(path: _Path) -> None:
    """Writes what the planner has learnt to a file.

    Raises OSError if the library reports a failure.
    """
def load_wisdom(path: _Path) -> None:
    """Adds what save_wisdom() wrote.

    Raises OSError if the library reports a failure.
    """
def forget_wisdom() -> None:
    """Forgets what the planner has learnt."""
def set_timelimit(seconds: float) -> None:
    """How long a plan may take to make, about; NO_TIMELIMIT is as long as it takes."""
def alignment_of(x: _Array | collections.abc.Sequence[float]) -> int:
    """0 where the memory is aligned as SIMD instructions want it.

    `x` is read: an array of float64, compact, or a sequence of numbers.
    """
