#include "fft.h"

#include <stdlib.h>
#include <string.h>

static int live;

fft *fft_new(int n0, int n1)
{
    const size_t count = (size_t)n0 * (size_t)n1;
    fft *f = calloc(1, sizeof *f);

    f->n0 = n0;
    f->n1 = n1;
    f->in = fft_buffer(count);
    f->out = fft_buffer(count);
    f->plan = fftw_plan_dft_2d(n0, n1, f->in, f->out, FFTW_FORWARD, FFTW_ESTIMATE);
    live++;
    return f;
}

void fft_free(fft *f)
{
    fftw_destroy_plan(f->plan);
    fftw_free(f->in);
    fftw_free(f->out);
    free(f);
    live--;
}

int fft_live(void)
{
    return live;
}

fftw_complex *fft_buffer(size_t count)
{
    return memset(fftw_alloc_complex(count), 0, count * sizeof(fftw_complex));
}

fftwf_complex *fft_bufferf(size_t count)
{
    return memset(fftwf_alloc_complex(count), 0, count * sizeof(fftwf_complex));
}

double *fft_reals(size_t count)
{
    return memset(fftw_alloc_real(count), 0, count * sizeof(double));
}
