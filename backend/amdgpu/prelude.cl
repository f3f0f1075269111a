// What comes before Halide's OpenCL C text when it is compiled for an AMD GPU: functions of OpenCL for
// which the compiler's own operations give better code than the device library's, and those that
// Emulsion adds.

#define get_local_id(d)                                  \
    ((int)((d) == 0   ? __builtin_amdgcn_workitem_id_x() \
           : (d) == 1 ? __builtin_amdgcn_workitem_id_y() \
                      : __builtin_amdgcn_workitem_id_z()))
#define get_group_id(d)                                   \
    ((int)((d) == 0   ? __builtin_amdgcn_workgroup_id_x() \
           : (d) == 1 ? __builtin_amdgcn_workgroup_id_y() \
                      : __builtin_amdgcn_workgroup_id_z()))

// A thread's index along axis `d`, of which the workgroup has `before` threads along the axes before it. Where these
// are whole waves, all lanes of a wave share the index, which the compiler doesn't find out by itself: what is
// computed of it goes to scalar registers, and what is read there is read once.
#define emulsion_thread_id(d, before)                                                   \
    ((before) % __AMDGCN_WAVEFRONT_SIZE == 0 ? __builtin_amdgcn_readfirstlane(get_local_id(d)) \
                                             : get_local_id(d))

// Scalars and vectors of any type: one instruction instead of a comparison and a choice.
#define min(a, b) __builtin_elementwise_min((a), (b))
#define max(a, b) __builtin_elementwise_max((a), (b))

// Local memory is what most barriers are for. A fence of it alone doesn't wait for loads from global
// memory that are still under way.
static inline __attribute__((always_inline)) void emulsion_barrier(uint flags) {
    if (flags & CLK_GLOBAL_MEM_FENCE) {
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    } else {
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
    }
}
#define barrier(flags) emulsion_barrier(flags)

// LDS whose size the launch gives lies behind the kernel's own, of which Halide's kernels have none.
static inline __attribute__((always_inline)) __local uchar *emulsion_dynamic_lds(void) {
    return (__local uchar *)__builtin_amdgcn_groupstaticsize();
}

// c + a[0] * b[0] + ... + a[3] * b[3] of signed bytes, four in each lane of a and b, in 32 bits that wrap
// around. For generators, as a pure extern call of Halide's; lanes are what the vectors of their schedule
// are made of.
static inline __attribute__((always_inline, overloadable)) int emulsion_dot4(char4 a, char4 b, int c) {
#if __has_builtin(__builtin_amdgcn_sudot4) && defined(__gfx1100__)
    return __builtin_amdgcn_sudot4(true, as_int(a), true, as_int(b), c, false);
#elif defined(__gfx906__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx1030__)
    return __builtin_amdgcn_sdot4(as_int(a), as_int(b), c, false);
#else
    return c + a.s0 * b.s0 + a.s1 * b.s1 + a.s2 * b.s2 + a.s3 * b.s3;
#endif
}
static inline __attribute__((always_inline, overloadable)) int emulsion_dot4(int a, int b, int c) {
    return emulsion_dot4(as_char4(a), as_char4(b), c);
}

// c + a[0] * b[0] + a[1] * b[1] of 16-bit floats, two in each lane of a and b; products and sum are those
// of 32-bit floats.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
static inline __attribute__((always_inline, overloadable)) float emulsion_dot2(int a, int b, float c) {
    return __builtin_amdgcn_fdot2(as_half2(a), as_half2(b), c, false);
}

// The same of vectors, half by half.
#define EMULSION_HALVES(function, whole, argument, result)                                     \
    static inline __attribute__((always_inline, overloadable)) result##whole function(         \
        argument##whole a, argument##whole b, result##whole c) {                               \
        return (result##whole)(function(a.lo, b.lo, c.lo), function(a.hi, b.hi, c.hi));        \
    }
#define EMULSION_VECTORS(function, argument, result)   \
    EMULSION_HALVES(function, 2, argument, result)     \
    EMULSION_HALVES(function, 4, argument, result)     \
    EMULSION_HALVES(function, 8, argument, result)     \
    EMULSION_HALVES(function, 16, argument, result)
EMULSION_VECTORS(emulsion_dot4, int, int)
EMULSION_VECTORS(emulsion_dot2, int, float)

// Matrix instructions, which the lanes of a wave carry out together (docs/matrix-instructions.md).
#if defined(__gfx90a__) || defined(__gfx942__)
// Of a and b, which every lane has one element of, the first counts.
static inline __attribute__((always_inline)) float16 emulsion_mfma_32x32x2(float16 a, float16 b, float16 c) {
    return __builtin_amdgcn_mfma_f32_32x32x2f32(a.s0, b.s0, c, 0, 0, 0);
}
// The element: 4 halves.
static inline __attribute__((always_inline)) float16 emulsion_mfma_32x32x8(long16 a, long16 b, float16 c) {
    return __builtin_amdgcn_mfma_f32_32x32x8f16(as_half4(a.s0), as_half4(b.s0), c, 0, 0, 0);
}
#elif defined(__gfx1100__)
// a and b: 16 halves.
static inline __attribute__((always_inline)) float8 emulsion_wmma_16x16x16(int8 a, int8 b, float8 c) {
    return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(as_half16(a), as_half16(b), c);
}
#endif
