# SPDX-License-Identifier: MIT-0
# Generated from imaging.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again.
"""Pictures of the imaging library, shared through DLPack."""

import collections.abc
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

@typing.final
class Image:
    """An 8-bit picture with padded rows, top row first."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> Image: ...
    @classmethod
    def empty(cls, /, shape: _Shape, *, dtype: typing.Any = 'uint8') -> Image: ...
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
    def __enter__(self, /) -> Image: ...
    def __exit__(self, *unused: object) -> None: ...
    def flip(self, /) -> None:
        """Turn the picture upside down.

        Other threads run meanwhile.
        """
    def copy(self, /) -> Image:
        """Return a picture with memory of its own.

        Raises MemoryError if the library reports a failure.
        Other threads run meanwhile.
        """
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def channels(self) -> int: ...
    @property
    def address(self) -> int:
        """The address of the pixels as C sees it."""
    def __new__(cls, width: int, height: int, channels: int = 3) -> Image:
        """A black picture.

        Raises ValueError if the library reports a failure.
        """

def load(path: _Path) -> Image:
    """Return the picture in a BMP file.

    Raises OSError, MemoryError or ValueError if the library reports a failure.
    Other threads run meanwhile.
    """
def save(image: Image | _Array, path: _Path) -> None:
    """Write a picture as a BMP file.

    `image` is read: Image, or an array that Image.from_dlpack() takes.
    Raises OSError, MemoryError or ValueError if the library reports a failure.
    Other threads run meanwhile.
    """
@typing.overload
def blur(src: Image | _Array, dst: None = None, radius: int = 1) -> Image:
    """Blur `src` into `dst`, which can be `src` itself. Each sample becomes the mean of the square around it.

    `src` is read: Image, or an array that Image.from_dlpack() takes.
    `dst` is written: Image, or an array that Image.from_dlpack() takes; a new one like `src` where none is given.
    Raises MemoryError or ValueError if the library reports a failure.
    Other threads run meanwhile.
    """
@typing.overload
def blur(src: Image | _Array, dst: _Given, radius: int = 1) -> _Given: ...
def adjust(image: Image | _Array, brightness: float = 0, contrast: float = 1) -> None:
    """Change every sample v but alpha, in place: (v - 128) * contrast + 128 + brightness.

    `image` is written: Image, or an array that Image.from_dlpack() takes.
    Raises ValueError if the library reports a failure.
    Other threads run meanwhile.
    """
