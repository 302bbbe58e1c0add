struct thing {
    float *data;
    lib_int n;
};
