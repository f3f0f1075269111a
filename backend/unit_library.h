// The units of a network as a library of their own, loaded into this process: the same machine code and the same
// runtime as in its artifact, and every unit can be called by itself.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "backend/compiler.h"
#include "backend/unit_builder.h"
#include "frontend/lower/network.h"

namespace emulsion {

class UnitLibrary {
public:
    // Builds the units of `network`, which is for a CPU. Throws Error, where units fail of all that do.
    UnitLibrary(const PlannedNetwork &network, const CompileOptions &options);
    ~UnitLibrary();
    UnitLibrary(const UnitLibrary &) = delete;
    UnitLibrary &operator=(const UnitLibrary &) = delete;

    const BuiltUnits &built() const;
    // Calls the unit of launch `launch` with `buffers` (halide_buffer_t *): its inputs, then its output. Throws Error
    // (failed) when it fails.
    void call(size_t launch, std::span<void *const> buffers) const;
    // Copies in pieces on the threads that units run on: as much as a unit does, the copy is in their caches afterwards.
    void copy(std::span<std::byte> to, std::span<const std::byte> from) const;
    // Arithmetic in registers on all threads that units run on, for some tens of microseconds.
    void compute() const;

private:
    struct Loaded;
    std::unique_ptr<Loaded> loaded_;
};

}  // namespace emulsion
