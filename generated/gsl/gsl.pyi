# SPDX-License-Identifier: MIT-0
# Generated from gsl.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again.
"""Matrices, vectors and functions of the GNU Scientific Library, which work on the arrays of others through DLPack."""

import collections.abc
import enum
import types as _types
import typing

import typing_extensions

_T = typing.TypeVar('_T')

_Shape: typing.TypeAlias = typing.SupportsIndex | collections.abc.Sequence[typing.SupportsIndex]

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

class Transpose(enum.IntEnum):
    NO = ...
    YES = ...
    CONJUGATE = ...

class Triangle(enum.IntEnum):
    UPPER = ...
    LOWER = ...

class Diagonal(enum.IntEnum):
    GIVEN = ...
    ONES = ...

class Order(enum.IntEnum):
    ASCENDING = ...
    DESCENDING = ...

@typing.final
class EigenSymmWorkspace:
    """Room for eigen_symm() to work in."""

    def close(self, /) -> None: ...
    def __enter__(self, /) -> EigenSymmWorkspace: ...
    def __exit__(self, *unused: object) -> None: ...
    @property
    def size(self) -> int:
        """The rows of the matrices."""
    def __new__(cls, n: int) -> EigenSymmWorkspace:
        """Of matrices with `n` rows.

        Raises ValueError if the library reports a failure.
        """

@typing.final
class Rng:
    """A generator of random numbers."""

    def close(self, /) -> None: ...
    def __enter__(self, /) -> Rng: ...
    def __exit__(self, *unused: object) -> None: ...
    @classmethod
    def taus(cls, /) -> Rng:
        """Tausworthe's generator.

        Raises MemoryError if the library reports a failure.
        """
    @classmethod
    def ranlux(cls, /) -> Rng:
        """Lüscher's generator.

        Raises MemoryError if the library reports a failure.
        """
    def clone(self, /) -> Rng:
        """A generator in the same state.

        Raises MemoryError if the library reports a failure.
        """
    def copy_from(self, /, source: Rng) -> None:
        """Takes the state of another one of the same kind.

        Raises ValueError if the library reports a failure.
        """
    def seed(self, /, seed: int) -> None:
        """Begins anew."""
    def get(self, /) -> int:
        """An integer from `min` to `max`."""
    def uniform(self, /) -> float:
        """A number from 0 to 1, without 1."""
    def gaussian(self, /, sigma: float = 1.0) -> float:
        """A number of a normal distribution around 0."""
    def shuffle(self, /, base: _Array) -> None:
        """Puts the elements into a random order.

        `base` is written: an array of float64, compact.
        """
    def choose(self, /, dest: _Array, src: _Array | collections.abc.Sequence[float]) -> None:
        """Fills `dest` with elements of `src`, each once at most, in their order.

        `dest` is written: an array of float64, compact.
        `src` is read: an array of float64, compact, or a sequence of numbers.
        Raises ValueError if the library reports a failure.
        """
    def sample(self, /, dest: _Array, src: _Array | collections.abc.Sequence[float]) -> None:
        """Fills `dest` with elements of `src`, which may be there more than once.

        `dest` is written: an array of float64, compact.
        `src` is read: an array of float64, compact, or a sequence of numbers.
        """
    @property
    def name(self) -> str | None:
        """What GSL calls it."""
    @property
    def min(self) -> int:
        """The smallest number of get()."""
    @property
    def max(self) -> int:
        """The greatest number of get()."""
    def __new__(cls) -> Rng:
        """Raises MemoryError if the library reports a failure."""

@typing.final
class Matrix:
    """A gsl_matrix, stored by rows."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> Matrix: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'float64') -> Matrix: ...
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
    def __enter__(self, /) -> Matrix: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> Matrix: ...
    def transpose(self, /) -> None:
        """Transposes the square matrix in place.

        Raises ValueError if the library reports a failure.
        """
    def swap_rows(self, /, i: int, j: int) -> None:
        """Swaps two rows.

        Raises IndexError if the library reports a failure.
        """
    def set_identity(self, /) -> None:
        """Ones on the diagonal, zeroes elsewhere."""
    def set_all(self, /, x: float) -> None:
        """Sets all elements."""
    def add(self, /, other: Matrix | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: Matrix, or an array that Matrix.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class MatrixF32:
    """A gsl_matrix_float, stored by rows."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> MatrixF32: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'float32') -> MatrixF32: ...
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
    def __enter__(self, /) -> MatrixF32: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> MatrixF32: ...
    def transpose(self, /) -> None:
        """Transposes the square matrix in place.

        Raises ValueError if the library reports a failure.
        """
    def swap_rows(self, /, i: int, j: int) -> None:
        """Swaps two rows.

        Raises IndexError if the library reports a failure.
        """
    def set_identity(self, /) -> None:
        """Ones on the diagonal, zeroes elsewhere."""
    def set_all(self, /, x: float) -> None:
        """Sets all elements."""
    def add(self, /, other: MatrixF32 | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: MatrixF32, or an array that MatrixF32.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class MatrixI32:
    """A gsl_matrix_int, stored by rows."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> MatrixI32: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'int32') -> MatrixI32: ...
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
    def __enter__(self, /) -> MatrixI32: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> MatrixI32: ...
    def transpose(self, /) -> None:
        """Transposes the square matrix in place.

        Raises ValueError if the library reports a failure.
        """
    def swap_rows(self, /, i: int, j: int) -> None:
        """Swaps two rows.

        Raises IndexError if the library reports a failure.
        """
    def set_identity(self, /) -> None:
        """Ones on the diagonal, zeroes elsewhere."""
    def set_all(self, /, x: int) -> None:
        """Sets all elements."""
    def add(self, /, other: MatrixI32 | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: MatrixI32, or an array that MatrixI32.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class MatrixU16:
    """A gsl_matrix_ushort, stored by rows."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> MatrixU16: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'uint16') -> MatrixU16: ...
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
    def __enter__(self, /) -> MatrixU16: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> MatrixU16: ...
    def transpose(self, /) -> None:
        """Transposes the square matrix in place.

        Raises ValueError if the library reports a failure.
        """
    def swap_rows(self, /, i: int, j: int) -> None:
        """Swaps two rows.

        Raises IndexError if the library reports a failure.
        """
    def set_identity(self, /) -> None:
        """Ones on the diagonal, zeroes elsewhere."""
    def set_all(self, /, x: int) -> None:
        """Sets all elements."""
    def add(self, /, other: MatrixU16 | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: MatrixU16, or an array that MatrixU16.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class MatrixU8:
    """A gsl_matrix_uchar, stored by rows."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> MatrixU8: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'uint8') -> MatrixU8: ...
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
    def __enter__(self, /) -> MatrixU8: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> MatrixU8: ...
    def transpose(self, /) -> None:
        """Transposes the square matrix in place.

        Raises ValueError if the library reports a failure.
        """
    def swap_rows(self, /, i: int, j: int) -> None:
        """Swaps two rows.

        Raises IndexError if the library reports a failure.
        """
    def set_identity(self, /) -> None:
        """Ones on the diagonal, zeroes elsewhere."""
    def set_all(self, /, x: int) -> None:
        """Sets all elements."""
    def add(self, /, other: MatrixU8 | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: MatrixU8, or an array that MatrixU8.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class MatrixLong:
    """A gsl_matrix_long, stored by rows."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> MatrixLong: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = ...) -> MatrixLong: ...
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
    def __enter__(self, /) -> MatrixLong: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> MatrixLong: ...
    def transpose(self, /) -> None:
        """Transposes the square matrix in place.

        Raises ValueError if the library reports a failure.
        """
    def swap_rows(self, /, i: int, j: int) -> None:
        """Swaps two rows.

        Raises IndexError if the library reports a failure.
        """
    def set_identity(self, /) -> None:
        """Ones on the diagonal, zeroes elsewhere."""
    def set_all(self, /, x: int) -> None:
        """Sets all elements."""
    def add(self, /, other: MatrixLong | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: MatrixLong, or an array that MatrixLong.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class MatrixC128:
    """A gsl_matrix_complex, stored by rows."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> MatrixC128: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'complex128') -> MatrixC128: ...
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
    def __enter__(self, /) -> MatrixC128: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> MatrixC128: ...
    def transpose(self, /) -> None:
        """Transposes the square matrix in place.

        Raises ValueError if the library reports a failure.
        """
    def swap_rows(self, /, i: int, j: int) -> None:
        """Swaps two rows.

        Raises IndexError if the library reports a failure.
        """
    def set_identity(self, /) -> None:
        """Ones on the diagonal, zeroes elsewhere."""
    def set_all(self, /, x: float) -> None:
        """Sets all elements."""
    def add(self, /, other: MatrixC128 | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: MatrixC128, or an array that MatrixC128.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class Vector:
    """A gsl_vector, whose elements may lie apart."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> Vector: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'float64') -> Vector: ...
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
    def __enter__(self, /) -> Vector: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> Vector: ...
    def reverse(self, /) -> None:
        """Reverses the order of the elements.

        Raises RuntimeError if the library reports a failure.
        """
    def scale(self, /, x: float) -> None:
        """Multiplies all elements by `x`.

        Raises RuntimeError if the library reports a failure.
        """
    def add(self, /, other: Vector | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: Vector, or an array that Vector.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class VectorF32:
    """A gsl_vector_float, whose elements may lie apart."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> VectorF32: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'float32') -> VectorF32: ...
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
    def __enter__(self, /) -> VectorF32: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> VectorF32: ...
    def reverse(self, /) -> None:
        """Reverses the order of the elements.

        Raises RuntimeError if the library reports a failure.
        """
    def scale(self, /, x: float) -> None:
        """Multiplies all elements by `x`.

        Raises RuntimeError if the library reports a failure.
        """
    def add(self, /, other: VectorF32 | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: VectorF32, or an array that VectorF32.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class VectorI32:
    """A gsl_vector_int, whose elements may lie apart."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> VectorI32: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'int32') -> VectorI32: ...
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
    def __enter__(self, /) -> VectorI32: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> VectorI32: ...
    def reverse(self, /) -> None:
        """Reverses the order of the elements.

        Raises RuntimeError if the library reports a failure.
        """
    def scale(self, /, x: int) -> None:
        """Multiplies all elements by `x`.

        Raises RuntimeError if the library reports a failure.
        """
    def add(self, /, other: VectorI32 | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: VectorI32, or an array that VectorI32.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class VectorU16:
    """A gsl_vector_ushort, whose elements may lie apart."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> VectorU16: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'uint16') -> VectorU16: ...
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
    def __enter__(self, /) -> VectorU16: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> VectorU16: ...
    def reverse(self, /) -> None:
        """Reverses the order of the elements.

        Raises RuntimeError if the library reports a failure.
        """
    def scale(self, /, x: int) -> None:
        """Multiplies all elements by `x`.

        Raises RuntimeError if the library reports a failure.
        """
    def add(self, /, other: VectorU16 | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: VectorU16, or an array that VectorU16.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class VectorU8:
    """A gsl_vector_uchar, whose elements may lie apart."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> VectorU8: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'uint8') -> VectorU8: ...
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
    def __enter__(self, /) -> VectorU8: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> VectorU8: ...
    def reverse(self, /) -> None:
        """Reverses the order of the elements.

        Raises RuntimeError if the library reports a failure.
        """
    def scale(self, /, x: int) -> None:
        """Multiplies all elements by `x`.

        Raises RuntimeError if the library reports a failure.
        """
    def add(self, /, other: VectorU8 | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: VectorU8, or an array that VectorU8.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class VectorLong:
    """A gsl_vector_long, whose elements may lie apart."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> VectorLong: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = ...) -> VectorLong: ...
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
    def __enter__(self, /) -> VectorLong: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> VectorLong: ...
    def reverse(self, /) -> None:
        """Reverses the order of the elements.

        Raises RuntimeError if the library reports a failure.
        """
    def scale(self, /, x: int) -> None:
        """Multiplies all elements by `x`.

        Raises RuntimeError if the library reports a failure.
        """
    def add(self, /, other: VectorLong | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: VectorLong, or an array that VectorLong.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class VectorC128:
    """A gsl_vector_complex, whose elements may lie apart."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> VectorC128: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'complex128') -> VectorC128: ...
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
    def __enter__(self, /) -> VectorC128: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> VectorC128: ...
    def reverse(self, /) -> None:
        """Reverses the order of the elements.

        Raises RuntimeError if the library reports a failure.
        """
    def scale(self, /, x: float) -> None:
        """Multiplies all elements by `x`.

        Raises RuntimeError if the library reports a failure.
        """
    def add(self, /, other: VectorC128 | _Array) -> None:
        """Adds the elements of another one.

        `other` is read: VectorC128, or an array that VectorC128.from_dlpack() takes.
        Raises ValueError if the library reports a failure.
        """
    def isnull(self, /) -> bool:
        """Whether all elements are zero."""

@typing.final
class Permutation:
    """A gsl_permutation, the index of each element."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> Permutation: ...
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
    def __enter__(self, /) -> Permutation: ...
    def __exit__(self, *unused: object) -> None: ...
    def valid(self, /) -> None:
        """Fails unless each index is there once.

        Raises ValueError if the library reports a failure.
        """
    def next(self, /) -> int:
        """Goes on to the next one in lexicographic order; -1 at the last."""
    def reverse(self, /) -> None:
        """Reverses the order of the indices."""
    def __new__(cls, n: int) -> Permutation:
        """That which leaves `n` elements where they are.

        Raises MemoryError if the library reports a failure.
        """

def mean(data: _Array | collections.abc.Sequence[float]) -> float:
    """The arithmetic mean.

    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    """
def variance(data: _Array | collections.abc.Sequence[float]) -> float:
    """The variance of a sample, with the divisor n - 1.

    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    """
def sd(data: _Array | collections.abc.Sequence[float]) -> float:
    """The standard deviation of a sample, with the divisor n - 1.

    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    """
def absdev(data: _Array | collections.abc.Sequence[float]) -> float:
    """The mean distance from the mean.

    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    """
def skew(data: _Array | collections.abc.Sequence[float]) -> float:
    """How far the data lean to one side.

    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    """
def kurtosis(data: _Array | collections.abc.Sequence[float]) -> float:
    """How sharply the data peak, 0 for a normal distribution.

    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    """
def mean_of_floats(data: _Array | collections.abc.Sequence[float]) -> float:
    """The arithmetic mean of single precision numbers.

    `data` is read: an array of float32, of 1 axis, without negative strides, or a sequence of numbers.
    """
def median(data: _Array) -> float:
    """The median; reorders the data.

    `data` is written: an array of float64, of 1 axis, without negative strides.
    """
def median_from_sorted_data(data: _Array | collections.abc.Sequence[float]) -> float:
    """The median of sorted data.

    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    """
def quantile_from_sorted_data(data: _Array | collections.abc.Sequence[float], f: float) -> float:
    """The value below which the fraction `f` of sorted data lies, interpolated.

    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    """
def minmax(data: _Array | collections.abc.Sequence[float]) -> tuple[float, float]:
    """The least and the greatest element.

    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    Returns (min, max).
    """
def minmax_index(data: _Array | collections.abc.Sequence[float]) -> tuple[int, int]:
    """Where the least and the greatest element are.

    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    Returns (min, max).
    """
def covariance(
    data1: _Array | collections.abc.Sequence[float],
    data2: _Array | collections.abc.Sequence[float],
) -> float:
    """The covariance of a sample of pairs, with the divisor n - 1.

    `data1` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    `data2` is read: an array of float64, of 1 axis, of data1.size elements, without negative strides, or a sequence
    of numbers.
    """
def correlation(
    data1: _Array | collections.abc.Sequence[float],
    data2: _Array | collections.abc.Sequence[float],
) -> float:
    """Pearson's correlation of pairs.

    `data1` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    `data2` is read: an array of float64, of 1 axis, of data1.size elements, without negative strides, or a sequence
    of numbers.
    """
def spearman(
    data1: _Array | collections.abc.Sequence[float],
    data2: _Array | collections.abc.Sequence[float],
    work: _Array,
) -> float:
    """Spearman's correlation of the ranks of pairs; `work` is room for twice as many numbers.

    `data1` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    `data2` is read: an array of float64, of 1 axis, of data1.size elements, without negative strides, or a sequence
    of numbers.
    `work` is written: an array of float64, of 2 * data1.size elements, compact.
    """
def wmean(w: _Array | collections.abc.Sequence[float], data: _Array | collections.abc.Sequence[float]) -> float:
    """The mean of data with weights.

    `w` is read: an array of float64, of 1 axis, of data.size elements, without negative strides, or a sequence of
    numbers.
    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    """
def fit_linear(
    x: _Array | collections.abc.Sequence[float],
    y: _Array | collections.abc.Sequence[float],
) -> tuple[float, float, float, float, float, float]:
    """The line c0 + c1 x that fits best, the covariances of both, the sum of the squares of what is left.

    `x` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    `y` is read: an array of float64, of 1 axis, of x.size elements, without negative strides, or a sequence of
    numbers.
    Returns (c0, c1, cov00, cov01, cov11, sumsq).
    Raises RuntimeError if the library reports a failure.
    """
def sort(data: _Array) -> None:
    """Sorts the data in place.

    `data` is written: an array of float64, of 1 axis, without negative strides.
    Other threads run meanwhile.
    """
def sort2(data1: _Array, data2: _Array) -> None:
    """Sorts `data1` in place, and `data2` with it.

    `data1` is written: an array of float64, of 1 axis, without negative strides.
    `data2` is written: an array of float64, of 1 axis, of data1.size elements, without negative strides.
    """
def sort_index(p: _Array, data: _Array | collections.abc.Sequence[float]) -> None:
    """Writes to `p` where the elements are, the least one first.

    `p` is written: an array of C's `size_t`, of data.size elements, compact.
    `data` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    """
def sort_smallest(dest: _Array, src: _Array | collections.abc.Sequence[float]) -> None:
    """Writes the least elements of `src` to `dest`, as many as it has room for.

    `dest` is written: an array of float64, compact.
    `src` is read: an array of float64, of 1 axis, without negative strides, or a sequence of numbers.
    Raises ValueError if the library reports a failure.
    """
def poly_eval(c: _Array | collections.abc.Sequence[float], x: float) -> float:
    """c[0] + c[1] x + c[2] x**2 + ...

    `c` is read: an array of float64, compact, or a sequence of numbers.
    """
def solve_quadratic(a: float, b: float, c: float) -> tuple[int, float, float]:
    """How many real roots a x**2 + b x + c has, and the roots.

    Returns (the result, x0, x1).
    """
def fft_radix2_forward(data: _Array) -> None:
    """The Fourier transform in place, of as many elements as a power of two says.

    `data` is written: an array of complex128, of 1 axis, without negative strides.
    Raises ValueError if the library reports a failure.
    """
def fft_radix2_inverse(data: _Array) -> None:
    """The inverse of `fft_radix2_forward`.

    `data` is written: an array of complex128, of 1 axis, without negative strides.
    Raises ValueError if the library reports a failure.
    """
def dgemm(
    trans_a: Transpose | str | int,
    trans_b: Transpose | str | int,
    alpha: float,
    a: Matrix | _Array,
    b: Matrix | _Array,
    beta: float,
    c: Matrix | _Array,
) -> None:
    """c = alpha op(a) op(b) + beta c

    `a` is read: Matrix, or an array that Matrix.from_dlpack() takes.
    `b` is read: Matrix, or an array that Matrix.from_dlpack() takes.
    `c` is written: Matrix, or an array that Matrix.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    Other threads run meanwhile.
    """
def dgemv(
    trans: Transpose | str | int,
    alpha: float,
    a: Matrix | _Array,
    x: Vector | _Array,
    beta: float,
    y: Vector | _Array,
) -> None:
    """y = alpha op(a) x + beta y

    `a` is read: Matrix, or an array that Matrix.from_dlpack() takes.
    `x` is read: Vector, or an array that Vector.from_dlpack() takes.
    `y` is written: Vector, or an array that Vector.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    Other threads run meanwhile.
    """
def dtrsv(
    triangle: Triangle | str | int,
    trans: Transpose | str | int,
    diagonal: Diagonal | str | int,
    a: Matrix | _Array,
    x: Vector | _Array,
) -> None:
    """Solves op(a) x = x in place, where `a` is triangular.

    `a` is read: Matrix, or an array that Matrix.from_dlpack() takes.
    `x` is written: Vector, or an array that Vector.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    """
def ddot(x: Vector | _Array, y: Vector | _Array) -> float:
    """The scalar product.

    `x` is read: Vector, or an array that Vector.from_dlpack() takes.
    `y` is read: Vector, or an array that Vector.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    """
def sdot(x: VectorF32 | _Array, y: VectorF32 | _Array) -> float:
    """The scalar product in single precision.

    `x` is read: VectorF32, or an array that VectorF32.from_dlpack() takes.
    `y` is read: VectorF32, or an array that VectorF32.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    """
def dnrm2(x: Vector | _Array) -> float:
    """The Euclidean norm.

    `x` is read: Vector, or an array that Vector.from_dlpack() takes.
    """
def dznrm2(x: VectorC128 | _Array) -> float:
    """The Euclidean norm of complex numbers.

    `x` is read: VectorC128, or an array that VectorC128.from_dlpack() takes.
    """
def daxpy(alpha: float, x: Vector | _Array, y: Vector | _Array) -> None:
    """y = alpha x + y

    `x` is read: Vector, or an array that Vector.from_dlpack() takes.
    `y` is written: Vector, or an array that Vector.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    """
def LU_decomp(a: Matrix | _Array, p: Permutation | _Array) -> int:
    """Decomposes the matrix in place; returns the sign of the permutation.

    `a` is written: Matrix, or an array that Matrix.from_dlpack() takes.
    `p` is written: Permutation, or an array that Permutation.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    Other threads run meanwhile.
    """
@typing.overload
def LU_solve(lu: Matrix | _Array, p: Permutation | _Array, b: Vector | _Array, x: None = None) -> Vector:
    """Solves A x = b from the decomposition of A.

    `lu` is read: Matrix, or an array that Matrix.from_dlpack() takes.
    `p` is read: Permutation, or an array that Permutation.from_dlpack() takes, of 1 axis.
    `b` is read: Vector, or an array that Vector.from_dlpack() takes.
    `x` is written: Vector, or an array that Vector.from_dlpack() takes; a new one like `b` where none is given.
    Raises ValueError if the library reports a failure.
    """
@typing.overload
def LU_solve(lu: Matrix | _Array, p: Permutation | _Array, b: Vector | _Array, x: _Given) -> _Given: ...
@typing.overload
def LU_invert(lu: Matrix | _Array, p: Permutation | _Array, inverse: None = None) -> Matrix:
    """The inverse of A from its decomposition.

    `lu` is read: Matrix, or an array that Matrix.from_dlpack() takes.
    `p` is read: Permutation, or an array that Permutation.from_dlpack() takes, of 1 axis.
    `inverse` is written: Matrix, or an array that Matrix.from_dlpack() takes, of shape (lu->size1, lu->size2); a new
    one like `lu` where none is given.
    Raises ValueError if the library reports a failure.
    """
@typing.overload
def LU_invert(lu: Matrix | _Array, p: Permutation | _Array, inverse: _Given) -> _Given: ...
def LU_invx(lu: Matrix | _Array, p: Permutation | _Array) -> None:
    """Puts the inverse of A in the place of its decomposition.

    `lu` is written: Matrix, or an array that Matrix.from_dlpack() takes.
    `p` is read: Permutation, or an array that Permutation.from_dlpack() takes, of 1 axis.
    Raises ValueError if the library reports a failure.
    """
def LU_det(lu: Matrix | _Array, signum: int) -> float:
    """The determinant of A from its decomposition.

    `lu` is read: Matrix, or an array that Matrix.from_dlpack() takes, of shape (lu->size1, lu->size1).
    """
def complex_LU_decomp(a: MatrixC128 | _Array, p: Permutation | _Array) -> int:
    """As `LU_decomp`, of complex numbers.

    `a` is written: MatrixC128, or an array that MatrixC128.from_dlpack() takes.
    `p` is written: Permutation, or an array that Permutation.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    """
@typing.overload
def complex_LU_solve(
    lu: MatrixC128 | _Array,
    p: Permutation | _Array,
    b: VectorC128 | _Array,
    x: None = None,
) -> VectorC128:
    """As `LU_solve`, of complex numbers.

    `lu` is read: MatrixC128, or an array that MatrixC128.from_dlpack() takes.
    `p` is read: Permutation, or an array that Permutation.from_dlpack() takes, of 1 axis.
    `b` is read: VectorC128, or an array that VectorC128.from_dlpack() takes.
    `x` is written: VectorC128, or an array that VectorC128.from_dlpack() takes; a new one like `b` where none is
    given.
    Raises ValueError if the library reports a failure.
    """
@typing.overload
def complex_LU_solve(
    lu: MatrixC128 | _Array,
    p: Permutation | _Array,
    b: VectorC128 | _Array,
    x: _Given,
) -> _Given: ...
def cholesky_decomp(a: Matrix | _Array) -> None:
    """Puts L in the lower triangle, where A = L L^T.

    `a` is written: Matrix, or an array that Matrix.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    """
@typing.overload
def cholesky_solve(cholesky: Matrix | _Array, b: Vector | _Array, x: None = None) -> Vector:
    """Solves A x = b from the decomposition of A.

    `cholesky` is read: Matrix, or an array that Matrix.from_dlpack() takes.
    `b` is read: Vector, or an array that Vector.from_dlpack() takes.
    `x` is written: Vector, or an array that Vector.from_dlpack() takes; a new one like `b` where none is given.
    Raises ValueError if the library reports a failure.
    """
@typing.overload
def cholesky_solve(cholesky: Matrix | _Array, b: Vector | _Array, x: _Given) -> _Given: ...
def QR_decomp(a: Matrix | _Array, tau: Vector | _Array) -> None:
    """Decomposes the matrix in place; `tau` is as long as its shorter side.

    `a` is written: Matrix, or an array that Matrix.from_dlpack() takes.
    `tau` is written: Vector, or an array that Vector.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    """
@typing.overload
def QR_solve(qr: Matrix | _Array, tau: Vector | _Array, b: Vector | _Array, x: None = None) -> Vector:
    """Solves A x = b from the decomposition of A.

    `qr` is read: Matrix, or an array that Matrix.from_dlpack() takes.
    `tau` is read: Vector, or an array that Vector.from_dlpack() takes, of shape (qr->size2,).
    `b` is read: Vector, or an array that Vector.from_dlpack() takes.
    `x` is written: Vector, or an array that Vector.from_dlpack() takes; a new one like `b` where none is given.
    Raises ValueError if the library reports a failure.
    """
@typing.overload
def QR_solve(qr: Matrix | _Array, tau: Vector | _Array, b: Vector | _Array, x: _Given) -> _Given: ...
def SV_decomp(a: Matrix | _Array, v: Matrix | _Array, s: Vector | _Array, work: Vector | _Array) -> None:
    """A = U S V^T, with U in the place of A.

    `a` is written: Matrix, or an array that Matrix.from_dlpack() takes.
    `v` is written: Matrix, or an array that Matrix.from_dlpack() takes.
    `s` is written: Vector, or an array that Vector.from_dlpack() takes.
    `work` is written: Vector, or an array that Vector.from_dlpack() takes.
    Raises MemoryError, ArithmeticError or ValueError if the library reports a failure.
    Other threads run meanwhile.
    """
def eigen_symm(a: Matrix | _Array, eval: Vector | _Array, w: EigenSymmWorkspace) -> None:
    """The eigenvalues of the symmetric matrix, which is destroyed, in no order.

    `a` is written: Matrix, or an array that Matrix.from_dlpack() takes.
    `eval` is written: Vector, or an array that Vector.from_dlpack() takes.
    Raises ArithmeticError or ValueError if the library reports a failure.
    Other threads run meanwhile.
    """
def eigen_symmv_sort(
    eval: Vector | _Array,
    evec: Matrix | _Array,
    order: Order | str | int = Order.ASCENDING,
) -> None:
    """Sorts eigenvalues together with the columns of `evec`.

    `eval` is written: Vector, or an array that Vector.from_dlpack() takes.
    `evec` is written: Matrix, or an array that Matrix.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    """
