/* SPDX-License-Identifier: MIT-0 */
/* Names of dtypes and devices, as the spec language, NumPy and ml_dtypes write them. */
#include "dlb_tensor.h"

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

const char *dlb_dtype_name(DLDataType dtype, char text[DLB_NAME_SIZE])
{
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        if (dtypes[i].code == dtype.code && dtypes[i].bits == dtype.bits && dtype.lanes == 1) {
            return dtypes[i].name;
        }
    }
    (void)snprintf(text, DLB_NAME_SIZE, "dtype(%d, %d, %d)", dtype.code, dtype.bits, dtype.lanes);
    return text;
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

/* The valid bit widths of a dtype code, and the message for other widths. */
typedef struct widths {
    uint8_t bits[8]; /* ends with 0 */
    const char *reason;
} widths;

/* Newer than DLPack 1.3, whose header may lack it. A struct with a greater code is refused: the value is more likely garbage
 * than a code that a consumer knows. */
enum { BCOMPLEX = 18 };

#define FLOAT8 {8, 0}, "a kDLFloat8 has 8 bits"
static const widths widths_of[] = {
    [kDLInt] = {{1, 2, 4, 8, 16, 32, 64, 0}, "a kDLInt has 1, 2, 4, 8, 16, 32 or 64 bits"},
    [kDLUInt] = {{1, 2, 4, 8, 16, 32, 64, 0}, "a kDLUInt has 1, 2, 4, 8, 16, 32 or 64 bits"},
    [kDLFloat] = {{16, 32, 64, 80, 96, 128, 0}, "a kDLFloat has 16, 32, 64, 80, 96 or 128 bits"},
    [kDLOpaqueHandle] = {{8, 16, 32, 64, 128, 0}, "a kDLOpaqueHandle has 8, 16, 32, 64 or 128 bits"},
    [kDLBfloat] = {{16, 0}, "a kDLBfloat has 16 bits"},
    [kDLComplex] = {{32, 64, 128, 0}, "a kDLComplex has 32, 64 or 128 bits"},
    [kDLBool] = {{8, 0}, "a kDLBool has 8 bits"},
    [kDLFloat8_e3m4] = {FLOAT8},
    [kDLFloat8_e4m3] = {FLOAT8},
    [kDLFloat8_e4m3b11fnuz] = {FLOAT8},
    [kDLFloat8_e4m3fn] = {FLOAT8},
    [kDLFloat8_e4m3fnuz] = {FLOAT8},
    [kDLFloat8_e5m2] = {FLOAT8},
    [kDLFloat8_e5m2fnuz] = {FLOAT8},
    [kDLFloat8_e8m0fnu] = {FLOAT8},
    [kDLFloat6_e2m3fn] = {{6, 0}, "a kDLFloat6 has 6 bits"},
    [kDLFloat6_e3m2fn] = {{6, 0}, "a kDLFloat6 has 6 bits"},
    [kDLFloat4_e2m1fn] = {{4, 0}, "a kDLFloat4 has 4 bits"},
    [BCOMPLEX] = {{32, 0}, "a kDLBcomplex has 32 bits"},
};
#undef FLOAT8

/* Returns whether `bits` is a valid width of the dtype code. */
static bool has_width(const widths *known, dlb_integer bits)
{
    for (size_t i = 0; i < sizeof known->bits && known->bits[i] != 0; i++) {
        if (known->bits[i] == bits.value) {
            return true;
        }
    }
    return false;
}

void dlb_dtype(dlb_view *view, dlb_integer code, dlb_integer bits, dlb_integer lanes)
{
    view->tensor->dtype = (DLDataType){kDLUInt, 8, 1}; /* a valid dtype for computations before the fault is reported */
    if (!code.fits || code.value < 0 || code.value >= (int64_t)(sizeof widths_of / sizeof widths_of[0])) {
        dlb_view_set_error(view, "dtype code", -1, code, "the codes of DLPack are kDLInt (0) to kDLBcomplex (18)");
    } else if (!has_width(&widths_of[code.value], bits)) {
        dlb_view_set_error(view, "dtype bits", -1, bits, widths_of[code.value].reason);
    } else if (!lanes.fits || lanes.value < 1 || lanes.value > UINT16_MAX) {
        dlb_view_set_error(view, "dtype lanes", -1, lanes, "there are 1 to 65535 lanes");
    } else {
        view->tensor->dtype = (DLDataType){(uint8_t)code.value, (uint8_t)bits.value, (uint16_t)lanes.value};
    }
}

const char *dlb_device_name(DLDeviceType type, char text[DLB_NAME_SIZE])
{
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (devices[i].type == type) {
            return devices[i].name;
        }
    }
    (void)snprintf(text, DLB_NAME_SIZE, "device %d", (int)type);
    return text;
}
