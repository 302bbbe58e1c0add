#ifndef VIDEO_H
#define VIDEO_H

#include <stdint.h>

#define VIDEO_HAS_CAPTURE 1
#define VIDEO_HAS_FLOAT 1

enum format { FORMAT_GRAY, FORMAT_RGB, FORMAT_BGR, FORMAT_YUV, FORMAT_FLOAT, FORMAT_RAW };

typedef struct frame {
    enum format format;
    int height, width;
    uint8_t *data[4];
    int pitch[4];
    int16_t *samples;
    int channels, count;
} frame;

frame *frame_ref(frame *f);
frame *frame_clone(frame *f);
void frame_unref(frame *f);
frame *frame_around(enum format format, int height, int width, void *data, int pitch, int keyframe,
                    void (*release)(void *user, uint8_t *data), void *user);
int frame_planes(const frame *f);
int frame_is_writable(const frame *f);
const char *frame_error(void);

typedef struct capture_session *capture;
capture capture_dup(capture session);
void capture_close(capture session);
const unsigned char *capture_preview(capture session);

#endif
