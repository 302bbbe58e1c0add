/* SPDX-License-Identifier: MIT-0 */
/* Dtypes as formats of the struct module and as type strings of NumPy. */

#include "object.h"

enum { FIRST_LETTER = '?', LAST_LETTER = 'q' };

/* A format letter of the struct module: its dtype code, and its native and standard size in bytes. The item size decides between the
 * sizes, since ctypes writes '<l' for a long of eight bytes as well. */
typedef struct letter {
    uint8_t code;
    uint8_t native;
    uint8_t standard;
} letter;

static const letter letters[LAST_LETTER - FIRST_LETTER + 1] = {
    ['B' - FIRST_LETTER] = {kDLUInt, 1, 1},
    ['b' - FIRST_LETTER] = {kDLInt, 1, 1},
    ['H' - FIRST_LETTER] = {kDLUInt, 2, 2},
    ['h' - FIRST_LETTER] = {kDLInt, 2, 2},
    ['I' - FIRST_LETTER] = {kDLUInt, sizeof(int), 4},
    ['i' - FIRST_LETTER] = {kDLInt, sizeof(int), 4},
    ['L' - FIRST_LETTER] = {kDLUInt, sizeof(long), 4},
    ['l' - FIRST_LETTER] = {kDLInt, sizeof(long), 4},
    ['Q' - FIRST_LETTER] = {kDLUInt, 8, 8},
    ['q' - FIRST_LETTER] = {kDLInt, 8, 8},
    ['N' - FIRST_LETTER] = {kDLUInt, sizeof(size_t), sizeof(size_t)},
    ['n' - FIRST_LETTER] = {kDLInt, sizeof(size_t), sizeof(size_t)},
    ['c' - FIRST_LETTER] = {kDLUInt, 1, 1},
    ['?' - FIRST_LETTER] = {kDLBool, 1, 1},
    ['e' - FIRST_LETTER] = {kDLFloat, 2, 2},
    ['f' - FIRST_LETTER] = {kDLFloat, 4, 4},
    ['d' - FIRST_LETTER] = {kDLFloat, 8, 8},
    ['F' - FIRST_LETTER] = {kDLComplex, 8, 8}, /* from ctypes in Python 3.14 */
    ['D' - FIRST_LETTER] = {kDLComplex, 16, 16},
};

/* Returns whether the items do not have the byte order of this machine. Moves `*format` past the letter for the byte order. */
static bool swapped_order(const char **format, Py_ssize_t itemsize)
{
    const char order = **format;

    if (order == '@' || order == '=' || order == '<' || order == '>' || order == '!') {
        ++*format;
    }
    return itemsize > 1 && (order == '<' ? dlb_is_big_endian() : (order == '>' || order == '!') && !dlb_is_big_endian());
}

size_t dlb_py_size_of_letter(char character, bool native)
{
    const letter none = {0, 0, 0};
    const letter known = character >= FIRST_LETTER && character <= LAST_LETTER ? letters[character - FIRST_LETTER] : none;

    return native ? known.native : known.standard;
}

bool dlb_py_read_format(const char *format, Py_ssize_t itemsize, DLDataType *dtype, bool *swapped)
{
    Py_ssize_t part = itemsize;
    letter known;
    bool complex;

    *swapped = swapped_order(&format, itemsize);
    if ((itemsize & (itemsize - 1)) != 0 || itemsize < 1 || itemsize > 16) {
        return false;
    }
    complex = *format == 'Z';
    format += complex;
    if (*format < FIRST_LETTER || *format > LAST_LETTER || format[1] != '\0') {
        return false;
    }
    known = letters[*format - FIRST_LETTER];
    if (complex) {
        if (known.code != kDLFloat) {
            return false;
        }
        part /= 2;
        known.code = kDLComplex;
    }
    *dtype = (DLDataType){known.code, (uint8_t)(8 * itemsize), 1};
    return part > 0 && (part == known.native || part == known.standard); /* unknown letters have the size 0 */
}

bool dlb_py_read_typestr(const char *string, DLDataType *dtype, bool *swapped)
{
    static const struct {
        char kind;
        uint8_t code;
        uint8_t smallest;
        uint8_t largest;
    } kinds[] = {{'b', kDLBool, 1, 1}, {'i', kDLInt, 1, 8}, {'u', kDLUInt, 1, 8}, {'f', kDLFloat, 2, 8}, {'c', kDLComplex, 8, 16}};
    const char order = string[0];
    unsigned size = 0;

    if (order == '\0' || strchr("<>|=", order) == NULL || string[1] == '\0') {
        return false;
    }
    for (const char *digit = string + 2; *digit >= '0' && *digit <= '9' && size <= 16; digit++) {
        size = 10 * size + (unsigned)(*digit - '0');
        if (digit[1] != '\0') {
            continue;
        }
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            if (kinds[i].kind == string[1] && size >= kinds[i].smallest && size <= kinds[i].largest && (size & (size - 1)) == 0) {
                *dtype = (DLDataType){kinds[i].code, (uint8_t)(8 * size), 1};
                *swapped = size > 1 && order != '|' && order != '=' && (order == '>') != dlb_is_big_endian();
                return true;
            }
        }
    }
    return false;
}

enum { SIZES = 5 }; /* from 1 to 16 bytes */

char *dlb_py_buffer_format(DLDataType dtype)
{
    static char formats[kDLBool + 1][SIZES][3] = {
        [kDLBool] = {"?"},
        [kDLInt] = {"b", "h", "i", "q"},
        [kDLUInt] = {"B", "H", "I", "Q"},
        [kDLFloat] = {"", "e", "f", "d"},
        [kDLComplex] = {"", "", "", "Zf", "Zd"},
    };
    const int size = dtype.bits != 0 ? dlb_halvings(dtype.bits) - 3 : -1;
    char *format;

    if (dtype.lanes != 1 || dtype.code > kDLBool || size < 0 || size >= SIZES || dtype.bits != 8 << size) {
        return NULL;
    }
    format = formats[dtype.code][size];
    return format[0] != '\0' ? format : NULL;
}
