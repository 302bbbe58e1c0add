/* SPDX-License-Identifier: MIT-0 */
/* The names of dtypes and of devices. */

#include "tensor.h"

#include <stdio.h>
#include <string.h>

typedef struct named_dtype {
    const char *name;
    uint8_t code;
    uint8_t bits;
} named_dtype;

static const named_dtype dtypes[] = {
    {"bool", kDLBool, 8},
    {"int1", kDLInt, 1},
    {"int2", kDLInt, 2},
    {"int4", kDLInt, 4},
    {"int8", kDLInt, 8},
    {"int16", kDLInt, 16},
    {"int32", kDLInt, 32},
    {"int64", kDLInt, 64},
    {"uint1", kDLUInt, 1},
    {"uint2", kDLUInt, 2},
    {"uint4", kDLUInt, 4},
    {"uint8", kDLUInt, 8},
    {"uint16", kDLUInt, 16},
    {"uint32", kDLUInt, 32},
    {"uint64", kDLUInt, 64},
    {"float16", kDLFloat, 16},
    {"float32", kDLFloat, 32},
    {"float64", kDLFloat, 64},
    {"bfloat16", kDLBfloat, 16},
    {"complex32", kDLComplex, 32},
    {"complex64", kDLComplex, 64},
    {"complex128", kDLComplex, 128},
    {"float8_e3m4", kDLFloat8_e3m4, 8},
    {"float8_e4m3", kDLFloat8_e4m3, 8},
    {"float8_e4m3b11fnuz", kDLFloat8_e4m3b11fnuz, 8},
    {"float8_e4m3fn", kDLFloat8_e4m3fn, 8},
    {"float8_e4m3fnuz", kDLFloat8_e4m3fnuz, 8},
    {"float8_e5m2", kDLFloat8_e5m2, 8},
    {"float8_e5m2fnuz", kDLFloat8_e5m2fnuz, 8},
    {"float8_e8m0fnu", kDLFloat8_e8m0fnu, 8},
    {"float6_e2m3fn", kDLFloat6_e2m3fn, 6},
    {"float6_e3m2fn", kDLFloat6_e3m2fn, 6},
    {"float4_e2m1fn", kDLFloat4_e2m1fn, 4},
};

typedef struct named_device {
    const char *name;
    DLDeviceType type;
} named_device;

static const named_device devices[] = {
    {"cpu", kDLCPU},
    {"cuda", kDLCUDA},
    {"cuda_host", kDLCUDAHost},
    {"opencl", kDLOpenCL},
    {"vulkan", kDLVulkan},
    {"metal", kDLMetal},
    {"vpi", kDLVPI},
    {"rocm", kDLROCM},
    {"rocm_host", kDLROCMHost},
    {"ext_dev", kDLExtDev},
    {"cuda_managed", kDLCUDAManaged},
    {"oneapi", kDLOneAPI},
    {"webgpu", kDLWebGPU},
    {"hexagon", kDLHexagon},
    {"maia", kDLMAIA},
    {"trn", kDLTrn},
};

const char *dlb_dtype_name(DLDataType dtype, char buffer[DLB_NAME_SIZE])
{
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        if (dtypes[i].code == dtype.code && dtypes[i].bits == dtype.bits && dtype.lanes == 1) {
            return dtypes[i].name;
        }
    }
    if (dtype.code == kDLOpaqueHandle && dtype.bits == 8 && dtype.lanes > 1) { /* of arrays of records, in the runtime */
        (void)snprintf(buffer, DLB_NAME_SIZE, "record(%d bytes)", dtype.lanes);
    } else {
        (void)snprintf(buffer, DLB_NAME_SIZE, "dtype(%d, %d, %d)", dtype.code, dtype.bits, dtype.lanes);
    }
    return buffer;
}

int dlb_dtype_from_name(const char *name, DLDataType *dtype)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        if (dtypes[i].name[0] == name[0] && strcmp(dtypes[i].name, name) == 0) {
            *dtype = (DLDataType){dtypes[i].code, dtypes[i].bits, 1};
            return 0;
        }
    }
    return -1;
}

const char *dlb_device_name(DLDeviceType type, char buffer[DLB_NAME_SIZE])
{
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (devices[i].type == type) {
            return devices[i].name;
        }
    }
    (void)snprintf(buffer, DLB_NAME_SIZE, "device %d", (int)type);
    return buffer;
}
