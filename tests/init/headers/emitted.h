/* Functions whose names the generator would emit for the class itself. */
typedef struct emitted_vector emitted_vector;

double *emitted_vector_get_data(emitted_vector *vector);
int emitted_vector_get_size(const emitted_vector *vector);
int emitted_vector_type(const emitted_vector *vector, int kind);
emitted_vector *emitted_vector_wrap(emitted_vector *other);
void emitted_vector_delete(emitted_vector *vector);
