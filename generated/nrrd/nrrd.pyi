# SPDX-License-Identifier: MIT-0
# Generated from nrrd.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again.
"""Arrays of Teem's library for nearly raw raster data, shared through DLPack."""

import types as _types
import typing

import typing_extensions

_T = typing.TypeVar('_T')

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

@typing.final
class Nrrd:
    """An array whose axes NumPy counts the other way round."""

    __dlpack_c_exchange_api__: typing.ClassVar[typing_extensions.CapsuleType]

    @classmethod
    def from_dlpack(
        cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None = None
    ) -> Nrrd: ...
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
    def __enter__(self, /) -> Nrrd: ...
    def __exit__(self, *unused: object) -> None: ...
    def __new__(cls, not_by_a_call: typing_extensions.Never, /) -> Nrrd: ...
