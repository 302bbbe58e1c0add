/* Planes that functions return for a selector: of pictures, of sound, and with extents of the whole object. */
#include <stddef.h>
#include <stdint.h>

/* Pixels of several samples, which the number of bits tells. */
enum pla_channel { PLA_Y, PLA_CB, PLA_CR, PLA_INTERLEAVED = 10 };
typedef struct pla_picture pla_picture;
pla_picture *pla_picture_new(int width, int height);
void pla_picture_free(pla_picture *picture);
int pla_picture_has_channel(const pla_picture *picture, enum pla_channel channel);
int pla_picture_get_width(const pla_picture *picture, enum pla_channel channel);
int pla_picture_get_height(const pla_picture *picture, enum pla_channel channel);
int pla_picture_get_bits_per_pixel(const pla_picture *picture, enum pla_channel channel);
const uint8_t *pla_picture_get_plane_readonly(const pla_picture *, enum pla_channel channel, int *out_stride);
uint8_t *pla_picture_get_plane(pla_picture *picture, enum pla_channel channel, int *out_stride);

/* Sound: each channel has the same number of samples. */
typedef struct pla_sound pla_sound;
void pla_sound_free(pla_sound *sound);
int pla_sound_get_num_channels(const pla_sound *sound);
size_t pla_sound_get_channel_length(const pla_sound *sound, int channel);
const float *pla_sound_get_channel_data(const pla_sound *sound, int channel);
float *pla_sound_get_row(pla_sound *sound, int row);

/* The function fills the extents. The library does not say whether it checks the number. */
typedef struct pla_scan pla_scan;
void pla_scan_free(pla_scan *scan);
const uint16_t *pla_scan_band(const pla_scan *scan, unsigned band, unsigned *width, unsigned *height, size_t *pitch);

/* Extents of the whole object: planes of colors can be smaller. */
typedef struct pla_frame pla_frame;
void pla_frame_free(pla_frame *frame);
int pla_frame_get_width(const pla_frame *frame);
int pla_frame_get_height(const pla_frame *frame);
const uint8_t *pla_frame_get_plane(const pla_frame *frame, int plane);

/* Nothing tells the size of a pixel. */
typedef struct pla_photo pla_photo;
void pla_photo_free(pla_photo *photo);
int pla_photo_width(const pla_photo *photo, enum pla_channel channel);
int pla_photo_height(const pla_photo *photo, enum pla_channel channel);
const uint8_t *pla_photo_plane(const pla_photo *photo, enum pla_channel channel);
