/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>
typedef enum {{ TONE_U8, TONE_F32 = 200 }} tone;
enum shade {{ SHADE_NONE = -1, SHADE_U8 = 5, SHADE_F32 }};
typedef enum {{ WIDE_U8 = 1000, WIDE_F32 }} wide;
#define FOUR_U8 0x20203859u
#define FOUR_F32 0x20203846u
#define LONG_U8 UINT64_C(0x100000000)
#define LONG_F32 UINT64_C(0x200000000)
extern const int global_u8, global_f32;
typedef struct {{ {member}; }} plan;
typedef struct {{ plan plan; void *at; long n; }} block;
static inline const plan *block_plan(const block *b) {{ return &b->plan; }}
static inline {of} block_kind(const block *b) {{ return b->plan.kind; }}
block *block_over(void *at, long n, {wanted} kind);
int block_fill(block *b, void *at, long n, {wanted} kind);
void block_free(block *b);
int block_takes({wanted} kind);
