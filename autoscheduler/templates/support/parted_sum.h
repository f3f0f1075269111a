// Sums whose reduction loops are cut into parts: into lanes of vectors along the loop that walks memory, and into shares
// that tasks add up in parallel, also of histograms. A Func of their own holds the parts, and the sum adds these.
#pragma once

#include <string>
#include <vector>

#include "autoscheduler/templates/support/definition_loops.h"
#include "autoscheduler/templates/template.h"

namespace emulsion {

// Parameters of a nest, all optional.
struct SumParts {
    int loop = 0;     // the reduction loop that lanes run along
    int lanes = 1;    // elements of a vector of partial sums; 1: none
    int vectors = 1;  // of these, side by side
    int share = 0;    // iterations of the outermost loop that a task adds up; 0: all

    explicit SumParts(const Nest &nest);
    bool has_lanes() const { return lanes > 1; }
    bool exists() const { return has_lanes() || share > 0; }
};

// The parameters, as bounds have them, and the rules among them.
void add_sum_parts(const NestFuncs &funcs, NestSpace &space);

// Makes the Func that holds the parts of the only update of `sum`, before anything else is scheduled of it.
class PartedSum {
public:
    // `vector`: columns that are added at once where there are no lanes.
    PartedSum(Halide::Func sum, const SumParts &parts, int vector);

    // Computes the parts of an element in registers, in the loop `at` of the sum's update; or all of them in parallel
    // where there are shares.
    void place(const Halide::VarOrRVar &at);

private:
    void fold_lanes();
    void make_loops(Halide::Func parts, int definition, int lanes);

    const SumParts parts_;
    const int vector_;
    Halide::Func sum_, partial_,
        folded_;  // folded: few lanes, in which those of the parts are added up
    Halide::Var lane_{"part"}, share_{"share"}, few_{"folded"};
};

}  // namespace emulsion
