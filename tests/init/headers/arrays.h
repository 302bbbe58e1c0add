/* A struct with several arrays: of fixed size, of points, with a length by name or by a comment, and without one. */
typedef struct {
    float x, y, z;
} arr_point;

typedef struct {
    int n_points;
    arr_point *points;
    int colorCount;
    unsigned char *colors;
    double pose[3][4];
    int m, k;
    double *weights;        /* weights, size k */
    double (*rotations)[3]; /* one row for each axis */
    long *unknown;
} arr_mesh;

arr_mesh *arr_mesh_new(int n);
void arr_mesh_free(arr_mesh *mesh);
int arr_mesh_check(const arr_mesh *mesh);
