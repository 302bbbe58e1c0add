/* A codec with options, of which it has defaults, and with colours that it gets by value. */
#include <stdbool.h>

typedef struct codec_options {
    int level;
    bool lossless;
    double gamma;
} codec_options;

int codec_options_default(codec_options *options);
double codec_cost(const codec_options *options);

typedef struct colour {
    unsigned char r, g, b, a;
} colour;

int colour_luma(colour c);
