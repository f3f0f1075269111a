// Reads a bundle (bundle.h), which may be truncated or anything else.
#pragma once

#include <cstddef>

#include "runtime/gpu/bundle.h"
#include "runtime/gpu/message.h"

namespace emulsion::runtime::gpu {

// Checks the bundle and finds the code for `chip`. Without any the sentence names both sides.
bool choose_code(const char *bundle, size_t bytes, const char *chip, EmulsionBundleCode *code,
                 Message *why);

// Of a bundle that was checked.
bool find_bundle_kernel(const char *bundle, const char *name, EmulsionBundleKernel *kernel);

}  // namespace emulsion::runtime::gpu
