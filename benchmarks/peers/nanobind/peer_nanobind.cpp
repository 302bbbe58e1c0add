/* The subject with nanobind: a class by the recipe of its documentation, and the nb_ndarray that is kept (kept()). */
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include "subject.h"

namespace nb = nanobind;

using Pixels = nb::ndarray<uint8_t, nb::ndim<3>, nb::device::cpu>;
using ConstPixels = nb::ndarray<const uint8_t, nb::ndim<3>, nb::device::cpu>;
using Exported = nb::ndarray<nb::array_api, uint8_t, nb::ndim<3>>;

struct Picture {
    picture_t *picture;
    picture_t box;
    Pixels from; /* an import: whose memory it is */

    Picture(int height, int width, int channels) : picture(picture_new(height, width, channels)), box() {}
    explicit Picture(const Pixels &array);
    Picture(const Picture &) = delete;
    Picture &operator=(const Picture &) = delete;
    ~Picture()
    {
        if (picture != &box) {
            picture_unref(picture);
        }
    }
};

template <class Array> static picture_t view(const Array &array)
{
    const int64_t width = static_cast<int64_t>(array.shape(1));
    const int64_t channels = static_cast<int64_t>(array.shape(2));

    if (array.stride(2) != 1 || array.stride(1) != channels || array.stride(0) < width * channels) {
        throw nb::buffer_error("rows must be compact");
    }
    return {const_cast<uint8_t *>(array.data()), static_cast<int>(array.shape(0)), static_cast<int>(width),
            static_cast<int>(channels), static_cast<ptrdiff_t>(array.stride(0)), 1};
}

Picture::Picture(const Pixels &array) : picture(&box), box(view(array)), from(array) {}

static Exported exported(const Picture &self, nb::handle owner)
{
    const picture_t &picture = *self.picture;

    return Exported(picture.pixels,
                    {static_cast<size_t>(picture.height), static_cast<size_t>(picture.width),
                     static_cast<size_t>(picture.channels)},
                    owner, {static_cast<int64_t>(picture.pitch), static_cast<int64_t>(picture.channels), 1});
}

static int f(const ConstPixels &picture)
{
    const picture_t shown = view(picture);

    return picture_f(&shown);
}

static int f3(const ConstPixels &a, const ConstPixels &b, const ConstPixels &c)
{
    const picture_t shown[] = {view(a), view(b), view(c)};

    return picture_f3(&shown[0], &shown[1], &shown[2]);
}

NB_MODULE(peer_nanobind, m)
{
    nb::class_<Picture>(m, "Picture")
        .def(nb::init<int, int, int>())
        .def("__dlpack__",
             [](nb::pointer_and_handle<Picture> self, nb::kwargs kwargs) {
                 nb::object array = nb::cast(exported(*self.p, self.h));
                 nb::object max_version = kwargs.get("max_version", nb::none());
                 return array.attr("__dlpack__")(nb::arg("max_version") = max_version);
             })
        .def("__dlpack_device__", [](nb::handle) { return std::make_pair(nb::device::cpu::value, 0); })
        .def("kept", [](nb::pointer_and_handle<Picture> self) { return exported(*self.p, self.h); })
        .def_static("from_dlpack", [](const Pixels &array) { return new Picture(array); });
    m.def("f", &f);
    m.def("f3", &f3);
}
