/* The functions of the subject for tvm-ffi, which has a tensor of its own in the place of a class. */
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include "subject.h"

namespace ffi = tvm::ffi;

static picture_t view(const ffi::TensorView &tensor)
{
    const DLDataType dtype = tensor.dtype();

    if (tensor.ndim() != 3 || dtype.code != kDLUInt || dtype.bits != 8 || dtype.lanes != 1 ||
        tensor.device().device_type != kDLCPU) {
        TVM_FFI_THROW(TypeError) << "uint8 of three axes on the CPU is needed";
    }
    const int64_t width = tensor.size(1);
    const int64_t channels = tensor.size(2);
    if (tensor.stride(2) != 1 || tensor.stride(1) != channels || tensor.stride(0) < width * channels) {
        TVM_FFI_THROW(ValueError) << "rows must be compact";
    }
    return {static_cast<uint8_t *>(tensor.data_ptr()), static_cast<int>(tensor.size(0)), static_cast<int>(width),
            static_cast<int>(channels), static_cast<ptrdiff_t>(tensor.stride(0)), 1};
}

static int f(ffi::TensorView picture)
{
    const picture_t shown = view(picture);

    return picture_f(&shown);
}

static int f3(ffi::TensorView a, ffi::TensorView b, ffi::TensorView c)
{
    const picture_t shown[] = {view(a), view(b), view(c)};

    return picture_f3(&shown[0], &shown[1], &shown[2]);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(f, f);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(f3, f3);
