/* SPDX-License-Identifier: MIT-0 */
/* The names of functions that the dynamic linker does not know: static ones, and those of a library with hidden functions. They are in the
 * symbol table of the file, unless the library is stripped. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* dladdr1 */
#endif
#include "memory_pages.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is mapped for reading. */
typedef struct mapped_file {
    const char *start;
    size_t size;
} mapped_file;

static mapped_file map_file(const char *path)
{
    mapped_file file = {NULL, 0};
    const int before = errno;
    const int number = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;

    if (number >= 0 && fstat(number, &status) == 0 && status.st_size > 0) {
        void *const start = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, number, 0);

        if (start != MAP_FAILED) {
            file = (mapped_file){start, (size_t)status.st_size};
        }
    }
    if (number >= 0) {
        (void)close(number);
    }
    errno = before;
    return file;
}

/* Returns the part of a file, or NULL if the file is shorter. */
static const void *part_of(const mapped_file *file, size_t offset, size_t size)
{
    return offset <= file->size && size <= file->size - offset ? file->start + offset : NULL;
}

/* Returns the function with the address, which counts from the begin of the library; NULL: the table has none. */
static const char *find_symbol(const mapped_file *file, const ElfW(Shdr) *table, const ElfW(Shdr) *strings, uintptr_t address)
{
    const size_t count = table->sh_size / sizeof(ElfW(Sym));
    const ElfW(Sym) *const symbols = part_of(file, table->sh_offset, table->sh_size);
    const char *const names = part_of(file, strings->sh_offset, strings->sh_size);

    if (symbols == NULL || names == NULL || strings->sh_size == 0 || names[strings->sh_size - 1] != '\0') {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const ElfW(Sym) *const symbol = &symbols[i];

        if ((symbol->st_info & 0xf) == STT_FUNC && address >= symbol->st_value && address - symbol->st_value < symbol->st_size &&
            symbol->st_name < strings->sh_size) {
            return names + symbol->st_name;
        }
    }
    return NULL;
}

/* Copies the name of the function with the address from the symbol table of the file. gcc appends ".part.0" and the like to parts of a
 * function: they are left out. */
static void read_name(const mapped_file *file, uintptr_t address, char *name, size_t size)
{
    const ElfW(Ehdr) *const header = part_of(file, 0, sizeof *header);
    const ElfW(Shdr) *sections;

    if (header == NULL || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof *sections) {
        return;
    }
    sections = part_of(file, header->e_shoff, (size_t)header->e_shnum * sizeof *sections);
    for (size_t i = 0; sections != NULL && i < header->e_shnum; i++) {
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header->e_shnum) {
            const char *const found = find_symbol(file, &sections[i], &sections[sections[i].sh_link], address);

            if (found != NULL) {
                (void)snprintf(name, size, "%.*s", (int)strcspn(found, "."), found);
            }
        }
    }
}

/* Returns whether the function belongs to the runtime or to the generated code of a module, and not to a library. */
static bool is_of_module(const char *name)
{
    static const char *const prefixes[] = {"dlb_", "PyInit_", "py_", "dl_"};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns whether both addresses lie in the same loaded file. */
static bool share_file(const void *one, const Dl_info *other)
{
    Dl_info info;

    return dladdr(one, &info) != 0 && info.dli_fbase == other->dli_fbase;
}

bool dlb_pages_library_function(uintptr_t code, const char *wrapper, char *name, size_t size)
{
    Dl_info info;
    struct link_map *loaded = NULL;
    const char *base;

    name[0] = '\0';
    if (!dlb_is_of_library(code) || dladdr1((void *)code, &info, (void **)&loaded, RTLD_DL_LINKMAP) == 0) {
        return false;
    }
    if (info.dli_sname != NULL) {
        (void)snprintf(name, size, "%s", info.dli_sname);
    } else {
        const mapped_file file = map_file(info.dli_fname);

        if (file.start != NULL) {
            read_name(&file, code - loaded->l_addr, name, size);
            (void)munmap((void *)(uintptr_t)file.start, file.size);
        }
    }
    if (share_file(wrapper, &info)) { /* the module has the runtime, too: only a function with a name can be one of the library */
        return name[0] != '\0' && !is_of_module(name);
    }
    if (name[0] == '\0') {
        base = strrchr(info.dli_fname, '/');
        (void)snprintf(name, size, "%s+0x%zx", base != NULL ? base + 1 : info.dli_fname, (size_t)(code - loaded->l_addr));
    }
    return true;
}
