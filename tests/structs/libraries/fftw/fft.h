/* FFTW itself: a plan with its two arrays, and how often memory was taken from it. */
#ifndef FFT_H
#define FFT_H

#include <fftw3.h>

typedef struct fft {
    int n0, n1;
    fftw_complex *in, *out;
    fftw_plan plan;
} fft;

fft *fft_new(int n0, int n1);
void fft_free(fft *f);
int fft_live(void);

fftw_complex *fft_buffer(size_t count);
fftwf_complex *fft_bufferf(size_t count);
double *fft_reals(size_t count);

#endif
