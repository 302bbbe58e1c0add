/* The tensors of TensorFlow Lite: the type with a pointer for each, an array of extents behind it, memory of many kinds. */
#ifndef TFLITE_H
#define TFLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    kTfLiteNoType = 0,
    kTfLiteFloat32 = 1,
    kTfLiteInt32 = 2,
    kTfLiteUInt8 = 3,
    kTfLiteInt64 = 4,
    kTfLiteString = 5,
    kTfLiteBool = 6,
    kTfLiteInt16 = 7,
    kTfLiteComplex64 = 8,
    kTfLiteInt8 = 9,
    kTfLiteFloat16 = 10,
    kTfLiteFloat64 = 11
} TfLiteType;

typedef enum {
    kTfLiteMemNone = 0,
    kTfLiteMmapRo,
    kTfLiteArenaRw,
    kTfLiteArenaRwPersistent,
    kTfLiteDynamic,
    kTfLitePersistentRo,
    kTfLiteCustom
} TfLiteAllocationType;

typedef struct TfLiteIntArray {
    int size;
    int data[];
} TfLiteIntArray;

typedef struct {
    float scale;
    int32_t zero_point;
} TfLiteQuantizationParams;

typedef union {
    int32_t *i32;
    int64_t *i64;
    float *f;
    uint8_t *uint8;
    bool *b;
    void *data;
} TfLitePtrUnion;

typedef struct TfLiteTensor {
    TfLiteType type;
    TfLitePtrUnion data;
    TfLiteIntArray *dims;
    TfLiteQuantizationParams params;
    TfLiteAllocationType allocation_type;
    size_t bytes;
    const void *allocation;
    const char *name;
    int buffer_handle;
    bool data_is_stale; /* a delegate has newer data */
    bool is_variable;
} TfLiteTensor;

TfLiteIntArray *TfLiteIntArrayCreate(int size); /* fails for more than 6 */
void TfLiteIntArrayFree(TfLiteIntArray *array);
void TfLiteTensorReset(TfLiteType type, const char *name, TfLiteIntArray *dims, TfLiteQuantizationParams quantization, char *buffer,
                       size_t size, TfLiteAllocationType allocation_type, const void *allocation, bool is_variable,
                       TfLiteTensor *tensor);
void TfLiteTensorFree(TfLiteTensor *tensor);
void TfLiteTensorEnsureData(TfLiteTensor *tensor);

TfLiteTensor *tflite_arena(int type, int allocation_type, int rank, const int *dims, void *memory, size_t bytes);
void tflite_forget(TfLiteTensor *tensor);
void tflite_stale(TfLiteTensor *tensor);
char *tflite_label(const char *text);
void tflite_unlabel(const char *text);
int tflite_live(void); /* arrays and labels */

#endif
