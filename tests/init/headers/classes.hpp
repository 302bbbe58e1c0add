namespace lib {
class Image {
    float *data;
};
}
