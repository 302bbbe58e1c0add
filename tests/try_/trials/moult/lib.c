#include "lib.h"
#include <stdlib.h>
struct worm {
    moth later;
};
worm *worm_hatch(int age)
{
    if (age < 0 || age > 100) return NULL;
    worm *w = calloc(1, sizeof *w);
    w->later.age = age;
    return w;
}
int worm_age(const worm *w) { return w->later.age; }
void worm_free(worm *w) { free(w); }
moth *moth_of(worm *w)
{
    if (w->later.age < 3) return NULL;
    for (int i = 0; i < 4; i++) w->later.wings[i] = 0.5f;
    return &w->later;
}
void moth_free(moth *m) { free(m); }
