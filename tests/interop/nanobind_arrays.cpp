// SPDX-License-Identifier: MIT
// What a nanobind extension does with arrays: take them writable or read-only, return them, let go of them on any thread.
#include <atomic>
#include <thread>
#include <utility>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace nb = nanobind;

namespace {

std::atomic<int> freed;

using Array = nb::ndarray<nb::array_api>;
using ReadOnly = nb::ndarray<nb::array_api, nb::ro>;

// float32[2, 3], 0 to 5
nb::ndarray<nb::array_api, float> make()
{
    float *const numbers = new float[6];
    for (int i = 0; i < 6; i++) {
        numbers[i] = static_cast<float>(i);
    }
    nb::capsule owner(numbers, [](void *memory) noexcept {
        delete[] static_cast<float *>(memory);
        freed++;
    });
    return {numbers, {2, 3}, owner};
}

// The last reference to the array, and so its memory, ends on a thread that Python has never seen.
void drop(nb::ndarray<> array)
{
    const nb::gil_scoped_release released;
    std::thread([held = std::move(array)]() mutable { held = {}; }).join();
}

} // namespace

NB_MODULE(nanobind_arrays, module)
{
    module.def("take", [](Array array) { return array; });
    module.def("take_read_only", [](ReadOnly array) { return array; });
    module.def("fill", [](const nb::ndarray<float, nb::shape<-1, -1>> &array, float value) {
        auto view = array.view();
        for (size_t row = 0; row < view.shape(0); row++) {
            for (size_t column = 0; column < view.shape(1); column++) {
                view(row, column) = value;
            }
        }
    });
    module.def("sum", [](const nb::ndarray<const float, nb::c_contig> &array) {
        float sum = 0;
        for (size_t i = 0; i < array.size(); i++) {
            sum += array.data()[i];
        }
        return sum;
    });
    module.def("make", make);
    module.def("drop", drop);
    module.def("freed", [] { return freed.load(); });
}
