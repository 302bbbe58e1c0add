/* Opaque types: a picture behind functions, a pointer typedef, and a session that only has functions. */
#include <stddef.h>

typedef struct opq_surface opq_surface;
typedef struct opq_plan_impl *opq_plan;
typedef struct opq_session opq_session;

opq_surface *opq_surface_create(int width, int height);
opq_surface *opq_surface_ref(opq_surface *surface);
void opq_surface_unref(opq_surface *surface);
unsigned char *opq_surface_get_data(opq_surface *surface);
int opq_surface_get_width(opq_surface *surface);
int opq_surface_get_height(opq_surface *surface);
int opq_surface_get_stride(opq_surface *surface);

opq_plan opq_plan_create(int n, double *in, double *out);
void opq_plan_execute(const opq_plan plan);
void opq_plan_destroy(opq_plan plan);

int opq_session_open(opq_session **session, const char *path);
void opq_session_close(opq_session **session);
opq_surface *opq_session_current(opq_session *session);
void opq_session_on_change(opq_session *session, void (*changed)(void *user), void *user);
int opq_session_printf(opq_session *session, const char *format, ...);
