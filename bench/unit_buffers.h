// Memory for a unit that is called by itself: the network's weights, and random values for the rest, in the layouts
// that it reads, halos filled. (With random weights, sums grow until functions such as Sigmoid return denormal numbers,
// which some processors take a hundred times longer for.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <HalideBuffer.h>

#include "bench/buffer_memory.h"
#include "bench/npy.h"
#include "frontend/lower/unit.h"

namespace emulsion {

// Where an input of a unit comes from in its network.
struct InputSource {
    // Another unit makes it; else it is a weight, or the caller's, whom the unit reads as seldom as weights.
    bool made_by_unit = false;
    const Tensor *weight = nullptr;  // with its data; null: it is none
};

// Bytes of the tensors of a unit, as memories take them.
struct UnitBytes {
    int64_t values = 0;     // all that units make: its result, and what it reads of others
    int64_t originals = 0;  // of these, what it reads
    int64_t cold = 0;       // the rest: weights and what the caller gives
};
UnitBytes bytes_of(const Unit &unit, const std::vector<InputSource> &sources);

class UnitBuffers {
public:
    // What units make lies in `values`, which units may have in common, as they have a network's arena: it has to be
    // copied there from its originals before a call. Takes bytes_of(unit, sources) of the three memories, which have to
    // outlive this, as has the unit.
    UnitBuffers(const Unit &unit, const std::vector<InputSource> &sources, uint64_t seed,
                BufferMemory &values, BufferMemory &originals, BufferMemory &cold);
    UnitBuffers(const UnitBuffers &) = delete;
    UnitBuffers &operator=(const UnitBuffers &) = delete;

    // The inputs, then the output.
    std::vector<void *> arguments();
    // Where inputs are that units make, and what is to be there.
    struct Copy {
        std::span<std::byte> to;
        std::span<const std::byte> from;
    };
    const std::vector<Copy> &copies() const { return copies_; }
    // All memory of the output, halos included.
    std::span<std::byte> output_memory() const { return output_memory_; }
    // The output's elements, one row after the other.
    Array output() const;

private:
    struct Argument {
        std::vector<halide_dimension_t> dimensions;
        halide_buffer_t buffer = {};
    };
    // An argument for `tensor`, which lies in `layout` at `start`.
    void add(const Tensor &tensor, const Layout &layout, bool is_output, std::byte *start);

    const Unit &unit_;
    std::vector<Argument> arguments_;
    std::vector<Copy> copies_;
    std::span<std::byte> output_memory_;
};

}  // namespace emulsion
