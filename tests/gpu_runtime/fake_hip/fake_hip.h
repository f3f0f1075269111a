/* A libamdhip64.so without a GPU, for tests: device memory is the host's, filled with 0xCD when it is
 * allocated; every address is checked; everything put on a stream happens only when that stream is waited
 * for, so that a program which forgets to wait sees old data. Everything is on device 0: calls of a thread
 * whose current device is another fail. Every call but hipGetDevice is recorded as a line of JSON, also in
 * the file that EMULSION_FAKE_HIP_LOG names:
 *
 *   {"call":"hipMalloc","bytes":256,"memory":140737488355328,"result":0}
 *   {"call":"hipModuleLaunchKernel","kernel":"k","grid":[1,1,1],"block":[8,1,1],"shared":0,"stream":0,
 *    "arguments":"00f0..","result":0}
 *
 * Environment variables, read at every call: EMULSION_FAKE_HIP_CHIP (default gfx906:sramecc+:xnack-),
 * EMULSION_FAKE_HIP_DEVICES (their number, default 1), EMULSION_FAKE_HIP_MEMORY (bytes, default 1 GiB),
 * EMULSION_FAKE_HIP_FAIL ("hipMalloc=2,hipFree#3=1": all calls of hipMalloc, and the third of hipFree since
 * the last clearing, return these codes). */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lines recorded since the last clearing, all or those of one call; a line lives until then. */
size_t fake_hip_count(const char *call);
const char *fake_hip_line(const char *call, size_t i);
void fake_hip_clear(void);

/* Bytes of device memory in use. */
size_t fake_hip_live_bytes(void);
/* Modules loaded and not unloaded. */
size_t fake_hip_live_modules(void);

/* The calling thread's current device. */
int fake_hip_device(void);
void fake_hip_set_device(int device);

/* Called for launches of that kernel when they happen, with a copy of the arguments' bytes. */
typedef void (*FakeHipKernel)(const void *arguments, size_t bytes, void *closure);
void fake_hip_set_kernel(const char *name, FakeHipKernel kernel, void *closure);

#ifdef __cplusplus
}
#endif
