# SPDX-License-Identifier: MIT-0
# Generated from avframe.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again.
"""Pictures of FFmpeg's libavutil, shared through DLPack plane by plane."""

import typing

import typing_extensions

@typing.type_check_only
class _SupportsDLPack(typing.Protocol):
    def __dlpack__(self, *args: typing.Any, **kwargs: typing.Any) -> typing.Any: ...

@typing.final
class Frame:
    """A picture, which moves in."""

    def plane(self, /, plane: int = 0) -> Plane: ...
    @property
    def planes(self) -> tuple[Plane, ...]: ...

@typing.final
class Plane:
    """One plane of a picture, through a reference of its own."""

    @classmethod
    def from_dlpack(cls, x: _SupportsDLPack | typing_extensions.CapsuleType, /) -> Plane: ...
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
