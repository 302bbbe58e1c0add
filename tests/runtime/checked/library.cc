// SPDX-License-Identifier: MIT
// A library under test in C++.
#include <cstddef>
#include <new>
#include <string>
#include <vector>

extern "C" {
int cpp_read_vector(int size, int at);
char *cpp_new_array(std::size_t size);
void cpp_delete_array(char *array);
int cpp_catches_bad_alloc(std::size_t size);
int cpp_uses_all_operators();
}

int cpp_read_vector(int size, int at)
{
    const std::vector<char> numbers(static_cast<std::size_t>(size), 'x');

    return *static_cast<const volatile char *>(numbers.data() + at);
}

char *cpp_new_array(std::size_t size)
{
    return new char[size];
}

void cpp_delete_array(char *array)
{
    delete[] array;
}

int cpp_catches_bad_alloc(std::size_t size)
{
    try {
        delete[] new char[size];
    } catch (const std::bad_alloc &) {
        return 1;
    }
    return 0;
}

struct alignas(128) wide {
    char bytes[130];
};

int cpp_uses_all_operators()
{
    std::string text(100, 'a'); // allocated by code that libstdc++ has
    int *const number = new (std::nothrow) int(5);
    wide *const aligned = new wide[3];
    wide *const one = new (std::nothrow) wide;
    const bool fine = *number == 5 && reinterpret_cast<std::size_t>(aligned) % 128 == 0 && text.size() == 100;

    text += text;
    delete number;
    delete[] aligned;
    delete one;
    return fine ? 1 : 0;
}
