// Memory for a unit that is called by itself: random inputs and weights in the layouts that it reads, halos filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <HalideBuffer.h>

#include "frontend/lower/unit.h"

namespace emulsion {

class UnitBuffers {
public:
    // `is_constant`: by input, whether the network has it as a weight.
    UnitBuffers(const Unit &unit, const std::vector<bool> &is_constant, uint64_t seed);
    UnitBuffers(const UnitBuffers &) = delete;
    UnitBuffers &operator=(const UnitBuffers &) = delete;

    // The inputs, then the output.
    std::vector<void *> arguments();
    // Reads all inputs that are no weights, and the output, as their producer would have left them in the caches.
    void warm_inputs() const;
    int64_t weights_bytes() const;

private:
    struct Memory {
        std::vector<std::byte> bytes;
        std::byte *start = nullptr;  // aligned
        size_t size = 0;
        bool constant = false;
        std::vector<halide_dimension_t> dimensions;
        halide_buffer_t buffer = {};
    };
    void add(const Tensor &tensor, const Layout &layout, bool is_output);

    std::vector<Memory> memory_;
};

}  // namespace emulsion
