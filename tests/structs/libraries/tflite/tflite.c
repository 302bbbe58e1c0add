#include "tflite.h"

#include <stdlib.h>
#include <string.h>

static int live;

TfLiteIntArray *TfLiteIntArrayCreate(int size)
{
    TfLiteIntArray *array;

    if (size > 6) {
        return NULL;
    }
    array = calloc(1, sizeof *array + (size_t)size * sizeof(int));
    array->size = size;
    live++;
    return array;
}

void TfLiteIntArrayFree(TfLiteIntArray *array)
{
    live -= array != NULL;
    free(array);
}

void TfLiteTensorReset(TfLiteType type, const char *name, TfLiteIntArray *dims, TfLiteQuantizationParams quantization, char *buffer,
                       size_t size, TfLiteAllocationType allocation_type, const void *allocation, bool is_variable,
                       TfLiteTensor *tensor)
{
    TfLiteTensorFree(tensor);
    tensor->type = type;
    tensor->name = name;
    tensor->dims = dims;
    tensor->params = quantization;
    tensor->data.data = buffer;
    tensor->bytes = size;
    tensor->allocation_type = allocation_type;
    tensor->allocation = allocation;
    tensor->is_variable = is_variable;
}

void TfLiteTensorFree(TfLiteTensor *tensor)
{
    if (tensor->allocation_type == kTfLiteDynamic) {
        free(tensor->data.data);
    }
    TfLiteIntArrayFree(tensor->dims);
    tensor->dims = NULL;
    tensor->data.data = NULL;
}

void TfLiteTensorEnsureData(TfLiteTensor *tensor)
{
    if (tensor->data_is_stale) {
        memset(tensor->data.data, 7, tensor->bytes);
        tensor->data_is_stale = false;
    }
}

TfLiteTensor *tflite_arena(int type, int allocation_type, int rank, const int *dims, void *memory, size_t bytes)
{
    TfLiteTensor *tensor = calloc(1, sizeof *tensor);

    tensor->type = (TfLiteType)type;
    tensor->allocation_type = (TfLiteAllocationType)allocation_type;
    tensor->data.data = memory;
    tensor->bytes = bytes;
    tensor->dims = TfLiteIntArrayCreate(rank);
    for (int i = 0; i < rank; i++) {
        tensor->dims->data[i] = dims[i];
    }
    return tensor;
}

void tflite_forget(TfLiteTensor *tensor)
{
    TfLiteIntArrayFree(tensor->dims);
    free(tensor);
}

void tflite_stale(TfLiteTensor *tensor)
{
    tensor->data_is_stale = true;
}

char *tflite_label(const char *text)
{
    char *copy = malloc(strlen(text) + 1);

    live++;
    return strcpy(copy, text);
}

void tflite_unlabel(const char *text)
{
    free((void *)(uintptr_t)text);
    live--;
}

int tflite_live(void)
{
    return live;
}
