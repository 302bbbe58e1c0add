/* What the tests of frames would need the offsets of members for. */
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>

AVFrame *frames_new(const char *format, int width, int height);
AVFrame *frames_uncounted(uint8_t *data, int width, int height);
AVFrame *frames_sound(void);
uint8_t *frames_data(const AVFrame *frame, int plane);
int frames_linesize(const AVFrame *frame, int plane);
const char *frames_format(const AVFrame *frame);
int frames_references(const AVFrame *frame);
int frames_crop(AVFrame *frame, size_t left, size_t top);
void frames_free(AVFrame *frame);

AVFrame *frames_new(const char *format, int width, int height)
{
    AVFrame *frame = av_frame_alloc();

    frame->format = av_get_pix_fmt(format);
    frame->width = width;
    frame->height = height;
    if (av_frame_get_buffer(frame, 0) != 0) {
        av_frame_free(&frame);
    }
    return frame;
}

AVFrame *frames_uncounted(uint8_t *data, int width, int height)
{
    AVFrame *frame = av_frame_alloc();

    frame->format = AV_PIX_FMT_GRAY8;
    frame->width = width;
    frame->height = height;
    frame->data[0] = data;
    frame->linesize[0] = width;
    return frame;
}

AVFrame *frames_sound(void)
{
    AVFrame *frame = av_frame_alloc();

    frame->format = AV_SAMPLE_FMT_U8; /* the number of AV_PIX_FMT_YUV420P */
    frame->nb_samples = 100;
    av_channel_layout_default(&frame->ch_layout, 1);
    if (av_frame_get_buffer(frame, 0) != 0) {
        av_frame_free(&frame);
    }
    return frame;
}

uint8_t *frames_data(const AVFrame *frame, int plane)
{
    return frame->data[plane];
}

int frames_linesize(const AVFrame *frame, int plane)
{
    return frame->linesize[plane];
}

const char *frames_format(const AVFrame *frame)
{
    return av_get_pix_fmt_name(frame->format);
}

int frames_references(const AVFrame *frame)
{
    return av_buffer_get_ref_count(frame->buf[0]);
}

int frames_crop(AVFrame *frame, size_t left, size_t top)
{
    frame->crop_left = left;
    frame->crop_top = top;
    return av_frame_apply_cropping(frame, AV_FRAME_CROP_UNALIGNED);
}

void frames_free(AVFrame *frame)
{
    av_frame_free(&frame);
}
