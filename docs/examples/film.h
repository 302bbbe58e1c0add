#ifndef FILM_H
#define FILM_H

typedef struct film film;

film *film_open(const char *path);
void film_close(film *f);
int film_frames(const film *f);
void film_rewind(film *f);
void film_trim(film *f, int frames);
int film_grade(film *f, const double *levels, int count);

#endif
