/* Nothing but a struct: what matters here is the text of the spec. */
#ifndef TEXT_H
#define TEXT_H

typedef struct {
    float *values;
    int count;
} text_t;

#endif
