/* SPDX-License-Identifier: MIT */
#include <spglib.h>
#include <stddef.h>

SpglibDataset *new_dataset(void)
{
    static int rotations[2][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
    static double translations[2][3] = {{0, 0, 0}, {0.25, 0.5, 0.75}};
    static int equivalent[] = {0, 0, 2, 2};
    static SpglibDataset d = {
        .n_operations = 2,
        .rotations = rotations,
        .translations = translations,
        .n_atoms = 4,
        .equivalent_atoms = equivalent,
        .std_lattice = {{11, 12, 13}, {21, 22, 23}, {31, 32, 33}},
    };
    return &d;
}

const void *first_rotations(SpglibDataset *d) { return d->rotations; }
double at_rotations(SpglibDataset *d, const size_t *at) { return d->rotations[at[0]][at[1]][at[2]]; }
const void *first_translations(SpglibDataset *d) { return d->translations; }
double at_translations(SpglibDataset *d, const size_t *at) { return d->translations[at[0]][at[1]]; }
const void *first_equivalent(SpglibDataset *d) { return d->equivalent_atoms; }
double at_equivalent(SpglibDataset *d, const size_t *at) { return d->equivalent_atoms[at[0]]; }
const void *first_lattice(SpglibDataset *d) { return d->std_lattice; }
double at_lattice(SpglibDataset *d, const size_t *at) { return d->std_lattice[at[0]][at[1]]; }
