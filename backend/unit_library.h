// The units of a network as a library of their own, loaded into this process: the same machine code and the same
// runtime as in its artifact, and every unit can be called by itself.
#pragma once

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

private:
    struct Loaded;
    std::unique_ptr<Loaded> loaded_;
};

}  // namespace emulsion
