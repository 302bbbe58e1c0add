#ifndef SCAN_H
#define SCAN_H

#include <stddef.h>
#include <stdint.h>

typedef struct scan scan;
struct scan_info {
    int samples, height;
};
enum { SCAN_WIDTH, SCAN_BYTE, SCAN_WORD, SCAN_REAL };

scan *scan_new(void);
void scan_close(scan *s);
int scan_status(const scan *s);
const char *scan_message(int status);
int scan_select(scan *s);
void scan_deselect(scan *s);
int scan_get(scan *s, int what, int *value);
struct scan_info *scan_info(scan *s);
void scan_info_free(struct scan_info *info);
void **scan_rows(scan *s);
int scan_set_samples(scan *s, int samples);
int scan_plan(const int *extents, struct scan_info *info);
void scan_plan_end(struct scan_info *info);
void scan_forget(scan *s);
scan *scan_fill(scan *s, const struct scan_info *info, void *data);
int scan_on_close(scan *s, void (*callback)(void *user), void *user);

typedef struct scan_view {
    uint8_t *data;
    int64_t size;
    void *user;
} scan_view;
int scan_view_init(scan_view *view, void *data, int64_t size, void (*done)(scan_view *view), void *user);
void scan_view_end(scan_view *view);

typedef struct scan_strip {
    uint8_t *data;
    size_t size;
    void *user;
} scan_strip;
scan_strip *scan_strip_new(void *data, size_t size);
void scan_strip_free(scan_strip *strip);
void scan_strip_on_free(scan_strip *strip, void *user, void (*callback)(scan_strip *strip));

#endif
