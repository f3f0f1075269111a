// A compilation unit through Halide's JIT: built, scheduled by the plugin from its plan and compiled for
// its target, as a worker process does it, but into this process.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "frontend/lower/group_funcs.h"
#include "frontend/lower/unit.h"

namespace emulsion::test {

class JitUnit {
public:
    // Throws Error and Halide::Error.
    explicit JitUnit(const Unit &unit);

    // One buffer per input of the unit, in order, and its output. Returns what the code complained
    // of, or "". Throws Halide::Error.
    std::string run(const std::vector<Halide::Buffer<>> &inputs, Halide::Buffer<> output);

    // The unit's plan, with the loop nests that it was compiled with once it has run: smaller ones where Halide could
    // not compile those that were asked for.
    const Plan &plan() const { return unit_.plan; }

    // What the lowered unit has memory for between its loops, in elements, by Func; -1 where no bound is
    // known. Func names are those of the unit's plan.
    std::map<std::string, int64_t> allocations();

    // What it is lowered to, before kernels are taken out of it.
    Halide::Internal::Stmt lowered();

private:
    void schedule(const Unit &unit);
    template<typename Work>
    auto compiled(const Work &work);
    Halide::Module module();

    Unit unit_;
    GroupFuncs group_;
    Halide::Target target_;
    Halide::Pipeline pipeline_;
};

}  // namespace emulsion::test
