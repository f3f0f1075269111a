// Units with smaller loop nests than planned, where the planned ones can't be compiled.
#pragma once

#include <Halide.h>

#include <optional>
#include <string>

#include "frontend/lower/unit.h"

namespace emulsion {

// The unit with smaller loop nests, all of them: a message or a kernel doesn't say which of them it is about.
// Nothing where there are none.
std::optional<Unit> smaller_unit(const Unit &unit);

// Whether Halide refuses to unroll a loop because it doesn't see how often that runs.
bool is_about_unrolling(const Halide::CompileError &error);

// What `work(unit)` returns. Where Halide can't unroll a tile in it, the same of the unit with smaller loop nests;
// which bounds Halide sees through is known to its simplifier alone.
template<typename Work>
auto with_tiles_that_unroll(const Unit &unit, const Work &work) {
    for (Unit current = unit;;) {
        try {
            return work(current);
        } catch (const Halide::CompileError &error) {
            const auto smaller =
                is_about_unrolling(error) ? smaller_unit(current) : std::optional<Unit>();
            if (!smaller) {
                throw;
            }
            current = *smaller;
        }
    }
}

}  // namespace emulsion
