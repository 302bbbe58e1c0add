struct Picture${N} {
    picture_t *picture;
    picture_t box;
    Pixels from;

    explicit Picture${N}(const Pixels &array) : picture(&box), box(view(array)), from(array) {}
    Picture${N}(const Picture${N} &) = delete;
    Picture${N} &operator=(const Picture${N} &) = delete;
    ~Picture${N}()
    {
        if (picture != &box) {
            picture_unref(picture);
        }
    }
};

static void add${N}(nb::module_ &m)
{
    nb::class_<Picture${N}>(m, "Picture${N}")
        .def("__dlpack__",
             [](nb::pointer_and_handle<Picture${N}> self, nb::kwargs kwargs) {
                 nb::object array = nb::cast(exported(*self.p->picture, self.h));
                 nb::object max_version = kwargs.get("max_version", nb::none());
                 return array.attr("__dlpack__")(nb::arg("max_version") = max_version);
             })
        .def("__dlpack_device__", [](nb::handle) { return std::make_pair(nb::device::cpu::value, 0); })
        .def_static("from_dlpack", [](const Pixels &array) { return new Picture${N}(array); });
}
