// Units with smaller loop nests than planned, where the planned ones can't be compiled.
#pragma once

#include <Halide.h>

#include <exception>
#include <optional>

#include "frontend/lower/unit.h"

namespace emulsion {

// The unit with smaller loop nests, all of them: a message or a kernel doesn't say which of them it is about.
// Nothing where there are none.
std::optional<Unit> smaller_unit(const Unit &unit);

// What `work(unit)` returns. Where Halide fails in it, the same of the unit with smaller loop nests: what Halide can
// unroll and vectorise is known to its simplifier and its code generators alone. Throws the first of its errors
// where no nest is left. A nest that we refuse is not Halide's failure: that Error is thrown at once.
template<typename Work>
auto with_nests_that_compile(const Unit &unit, const Work &work) {
    std::exception_ptr first;
    for (std::optional<Unit> current = unit; current;) {
        try {
            return work(*current);
        } catch (const Halide::CompileError &) {
            first = first ? first : std::current_exception();
        } catch (const Halide::InternalError &) {
            first = first ? first : std::current_exception();
        }
        current = smaller_unit(*current);
    }
    std::rethrow_exception(first);
}

}  // namespace emulsion
