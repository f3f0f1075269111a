/* Device code for several chips, in one piece: what halide_hip_initialize_kernels() gets as its source.
 * The compiler's backend writes it, runtime/hip reads it. Plain C99, little-endian.
 *
 *   EmulsionBundleHeader
 *   EmulsionBundleCode    x code_count     one for each chip
 *   EmulsionBundleKernel  x kernel_count   the same kernels are in the code for every chip
 *   names, each ending with a 0
 *   code objects (ELF), each at a multiple of EMULSION_BUNDLE_ALIGNMENT
 *
 * Offsets count from the header's first byte. Bytes between the parts are 0. The bundle may lie at any
 * address, and more bytes may follow it. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EMULSION_BUNDLE_MAGIC "EMULSNGB" /* 8 characters, without a 0 */
#define EMULSION_BUNDLE_VERSION 1
#define EMULSION_BUNDLE_ALIGNMENT 64
#define EMULSION_BUNDLE_CHIP_CHARS 24

typedef struct EmulsionBundleHeader {
    char magic[8];
    uint32_t version;
    uint32_t code_count;
    uint32_t kernel_count;
    uint32_t reserved; /* 0 */
    uint64_t bytes;    /* of the whole bundle */
} EmulsionBundleHeader;

typedef struct EmulsionBundleCode {
    char chip[EMULSION_BUNDLE_CHIP_CHARS]; /* "gfx906", filled up with 0; at least one */
    uint64_t offset;
    uint64_t bytes;
} EmulsionBundleCode;

enum EmulsionBundleFlag {
    /* The kernel has an external LDS array, whose size the launch tells. Without it the launch's size is
     * ignored: the array's is part of the code. */
    EMULSION_KERNEL_DYNAMIC_LDS = 1
};

typedef struct EmulsionBundleKernel {
    uint64_t name_offset;
    uint32_t flags;
    uint32_t threads[3];       /* of a block, as the code was compiled for; 0: any number */
    uint32_t static_lds_bytes; /* for messages and tools */
    uint32_t reserved;         /* 0 */
} EmulsionBundleKernel;

#ifdef __cplusplus
}
#endif
