#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include "subject.h"

namespace nb = nanobind;

using Pixels = nb::ndarray<uint8_t, nb::ndim<3>, nb::device::cpu>;
using Exported = nb::ndarray<nb::array_api, uint8_t, nb::ndim<3>>;

static picture_t view(const Pixels &array)
{
    return {array.data(), static_cast<int>(array.shape(0)), static_cast<int>(array.shape(1)),
            static_cast<int>(array.shape(2)), static_cast<ptrdiff_t>(array.stride(0)), 1};
}

static Exported exported(const picture_t &picture, nb::handle owner)
{
    return Exported(picture.pixels,
                    {static_cast<size_t>(picture.height), static_cast<size_t>(picture.width),
                     static_cast<size_t>(picture.channels)},
                    owner, {static_cast<int64_t>(picture.pitch), static_cast<int64_t>(picture.channels), 1});
}

${classes}
NB_MODULE(classes, m)
{
${calls}
}
