#ifndef MIXER_H
#define MIXER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <dlpack/dlpack.h>

typedef struct track {
    float *samples;
    int frames, channels;
    int muted : 1;
} track;
typedef struct mixer mixer;
typedef struct studio_clock studio_clock; /* of another library, which has a module of its own */
typedef struct mixer_error { char message[80]; } mixer_error;
typedef int mixer_status;
typedef struct level { float left, right; } level;
typedef enum { MIX_ADD, MIX_DUCK } mix_mode;
enum { MIX_S16 = 16, MIX_F32 = 32 };
enum { MIX_LIMIT = 1, MIX_DITHER = 2 };
enum { MIXER_OK, MIXER_NO_FILE, MIXER_NO_MEMORY };
#define MIXER_CHANNELS 8
#define MIXER_RATE 44100.0

int mixer_start(void);
const char *mixer_message(int status);

track *track_new(int frames, int channels);
void track_free(track *t);
int track_resize(track *t, int frames);
float track_gain(const track *t);
int track_set_gain(track *t, float gain);
int track_peak(const track *t, float *peak, size_t *frame);
int track_spectrum(const track *t, float **bins, int *count);        /* the caller frees *bins */
int track_save(const track *t, unsigned char **bytes, size_t *size); /* the content of a file; the caller frees *bytes */
size_t track_bound(const track *t, int quality);                     /* the most bytes that track_encode() writes */
int track_encode(const track *t, int quality, unsigned char *bytes, size_t *size); /* *size: capacity, then size */
const void *track_tag(const track *t); /* the header of the file, owned by the track */
size_t track_tag_size(const track *t);
char *track_describe(const track *t);

int mixer_open(const char *path, int rate, mixer **made);
mixer *mixer_new(int rate);
int mixer_rate(const mixer *m);
mixer *mixer_over(void *data, size_t frames);
int mixer_flush(mixer *m); /* on failure returns a negated errno */
int mixer_report(const mixer *m, FILE *to);
int mixer_close(mixer *m);
void mixer_free(mixer *m);
const track *mixer_master(const mixer *m);
const track *mixer_snapshot(const mixer *m); /* the caller frees the track, but must not write to it */
int mixer_mix(mixer *m, const track *const *tracks, size_t count, track *mixed, mix_mode mode, double gain);
int mixer_solo(mixer *m, track **solo);
track *mixer_record(mixer *m, int frames); /* the caller frees the track; it needs the mixer */
int mixer_feed(mixer *m, const void *samples, size_t count, int format);
void mixer_set_taps(mixer *m, const float *taps, size_t count); /* stores the address of the taps */
const float *mixer_curve(const mixer *m, size_t *length);
const level *mixer_levels(const mixer *m, int *count);
int mixer_peaks(const mixer *m, level peaks[MIXER_CHANNELS]); /* returns the number of channels in use */
void mixer_polish(mixer *m, unsigned how);
const char *const *mixer_inputs(const mixer *m);
int mixer_effects(const mixer *m, char ***names, size_t *count);
void mixer_free_names(char **names, size_t count);
int mixer_render(mixer *m, const track **rendered); /* the caller frees *rendered, but must not write to it */
int mixer_bounce(mixer *m, track **bounced);
int mixer_take(mixer *m, track *t, void (*done)(void *), void *user);
mixer_status mixer_route(mixer *m, int input, int output);
int mixer_load(mixer *m, int preset, mixer_error **error); /* on failure stores a new error */
void mixer_sync(mixer *m, int *problem); /* *problem is 0 or a number of errno */
void mixer_error_free(mixer_error *error);
int mixer_rename(mixer *m, char *name); /* on success, the mixer owns the name, and frees it */
int mixer_set_window(mixer *m, float *window, size_t count); /* the same for the numbers */

int fade(const track *source, track *target, const float *curve, size_t length);
double loudness(const double *samples, size_t count, ptrdiff_t stride, size_t bytes, size_t channels);
double likeness(const float *a, const float *b, size_t frames, size_t channels, const float *weights);
int pan(float **sides, int count, size_t frames, double where);
void envelope(const float *samples, size_t count, size_t blocks, float *peaks);
int resample(const DLTensor *source, uint64_t flags, DLTensor *target);
double studio_clock_beat(const studio_clock *clock);
uint32_t checksum(const void *data, size_t size);
int longest_slice(const int *marks, const int *slices);
void quick_fade(track *t);
void slow_fade(track *t);

#endif
