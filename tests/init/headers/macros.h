/* Macros: constants, dtypes without an enum, functions behind names, and code. */
#define MAC_API extern __attribute__((visibility("default")))
#define MAC_VERSION "1.2"
#define MAC_LIMIT (4 * 1024)
#define MAC_SCALE 2.5f
#define MAC_MINUS (-1)
#define MAC_TYPE_UINT8 1
#define MAC_TYPE_INT16 2
#define MAC_TYPE_FLOAT 3
#define MAC_MAX(a, b) ((a) > (b) ? (a) : (b))
#define MAC_FIELDS(T) T *data; int n
#define mac_sum mac_sum_v2

typedef struct {
    void *data;
    int type, length;
} mac_array;

typedef struct {
    MAC_FIELDS(short);
} mac_shorts;

MAC_API mac_array *mac_array_new(int type, int length);
MAC_API void mac_array_delete(mac_array *array);
MAC_API double mac_sum(const mac_array *array);
MAC_API void mac_shorts_reverse(mac_shorts *shorts);
