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

/* A count before its arrays, and an array parameter. */
typedef struct {
    int kind;
    int n_operations;
    int (*turns)[3][3];
    double (*shifts)[3];
} arr_group;
int arr_group_check(const arr_group groups[], int n);

/* No function takes this struct: other structs have it. */
typedef struct {
    int n_values;
    double *values_of_x;
    short *values;
} arr_part;

/* The words `in` and `out` lead to the lengths. A type is not a count. */
typedef struct {
    const float *data_in;
    float *data_out;
    long input_frames, output_frames;
    long input_frames_used;
    int nPathType, nStops;
    int *starts;
} arr_call;
int arr_call_check(const arr_call *call);

/* Pointers to rows, whose columns have the name of the array. */
typedef struct {
    unsigned num_data, num_input;
    double **input;
} arr_set;
int arr_set_check(const arr_set *set);
