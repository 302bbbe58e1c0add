/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
typedef enum { LOAD_FAST, LOAD_SAFE } load_mode;
typedef enum { LOAD_READ = 1, LOAD_WRITE = 2, LOAD_MAP = 4 } load_access;
typedef struct { int frames; } movie;
static inline movie *movie_open(const char *path, int frames)
{
    movie *const opened = path[0] == 'x' ? malloc(sizeof *opened) : NULL;

    if (opened != NULL) {
        opened->frames = frames;
    }
    return opened;
}
static inline int movie_seek(movie *m, int frame) { return frame < m->frames ? 0 : 7; }
static inline int movie_rename(movie *m, const char *name) { (void)m; (void)name; return 3; }
static inline int image_read(const char *path) { (void)path; return 4; }
static inline int image_read_from(FILE *file) { (void)file; return 4; }
static inline int image_read_bytes(const char *at, size_t n) { (void)at; (void)n; return 4; }
static inline int image_scan(const char *path, int level, double scale, load_mode mode, load_access access)
{
    (void)path; (void)level; (void)scale; (void)mode; (void)access;
    return 4;
}
static inline int image_phase(double _Complex z, char letter, _Bool wrap) { (void)z; (void)letter; (void)wrap; return 4; }
static inline int image_blur(double *at, size_t n, double sigma) { (void)at; (void)n; (void)sigma; return 5; }
static inline int image_many(int a, int b, int c, int d, int e) { (void)a; (void)b; (void)c; (void)d; (void)e; return 6; }
static inline int image_real(double x) { (void)x; return 6; }
static inline int image_wide(unsigned long long n) { (void)n; return 6; }
static inline int image_none(void) { return 6; }
static inline int image_lost(const char *path) { (void)path; errno = ENOENT; return -1; }
