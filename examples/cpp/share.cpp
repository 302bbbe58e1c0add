/* SPDX-License-Identifier: MIT */
/* A C++17 program that uses the generated C header. It keeps owners and managed tensors in std::unique_ptr, and turns
 * errors into exceptions.
 *
 * From the top of the checkout, after `make demo` (a C compiler compiles the generated file and the runtime):
 *
 *   PATH=.venv/bin:$PATH
 *   cc -r -o build/imaging.o examples/imaging/image.c generated/imaging/imaging_dlpack.c \
 *      -Iexamples/imaging -Igenerated/imaging $(dlpack-bindgen config --cflags) $(dlpack-bindgen config --c-sources)
 *   c++ -std=c++17 -o build/share examples/cpp/share.cpp build/imaging.o \
 *      -Iexamples/imaging -Igenerated/imaging $(dlpack-bindgen config --cflags)
 *   build/share
 */
#include "imaging_dlpack.h"

#include <iostream>
#include <memory>
#include <stdexcept>
#include <utility>

namespace {

struct Drop {
    void operator()(image_t *image) const { image_unref(image); }
    void operator()(dlb_owner *owner) const { dlb_owner_drop(owner); }
    void operator()(DLManagedTensorVersioned *tensor) const
    {
        if (tensor->deleter != nullptr) {
            tensor->deleter(tensor);
        }
    }
};

using Image = std::unique_ptr<image_t, Drop>;
using Owner = std::unique_ptr<dlb_owner, Drop>;
using Tensor = std::unique_ptr<DLManagedTensorVersioned, Drop>;

void check(int result, const dlb_error &error)
{
    if (result != 0) {
        throw std::runtime_error(error.message);
    }
}

// Returns an owner that has its own reference to the picture.
Owner own(const Image &picture)
{
    dlb_owner *made = nullptr;
    dlb_error error;

    check(imaging_image_own(picture.get(), &made, &error), error);
    return Owner(made);
}

Tensor to_dlpack(const Owner &owner)
{
    DLManagedTensorVersioned *made = nullptr;
    dlb_error error;

    check(dlb_export(owner.get(), &made, &error), error);
    return Tensor(made);
}

// Returns an owner of a new image_t and of the tensor. On failure it throws, and the caller keeps the tensor.
Owner from_dlpack(Tensor &&tensor)
{
    dlb_owner *made = nullptr;
    dlb_error error;

    check(imaging_image_from_dlpack(tensor.get(), &made, &error), error);
    tensor.release();
    return Owner(made);
}

} // namespace

int main()
{
    Image picture(image_create(5, 4, 3));

    if (picture == nullptr) {
        return 1;
    }
    Tensor shared = to_dlpack(own(picture)); // outlives the owner that exported it
    std::cout << shared->dl_tensor.shape[0] << " by " << shared->dl_tensor.shape[1] << '\n';

    Owner again = from_dlpack(std::move(shared)); // another image_t for the same memory
    const auto *seen = static_cast<const image_t *>(dlb_owner_object(again.get()));
    std::cout << (seen->pixels == picture->pixels ? "the same" : "other") << " memory\n";

    Tensor wrong = to_dlpack(again);
    wrong->dl_tensor.ndim = 2;
    try {
        from_dlpack(std::move(wrong));
    } catch (const std::runtime_error &error) {
        std::cout << "refused: " << error.what() << '\n';
    }
    return 0;
}
