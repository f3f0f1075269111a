// Runs pipelines of images under plans of ours and without.
#pragma once

#include <Halide.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fusion/machine.h"
#include "fusion/plan.h"

namespace emulsion {

// Of every output's axes, as estimated.
inline const std::vector<int> kEstimatedSize{120, 96, 3};

// With 2 threads and vectors of 32 bytes.
CpuMachine image_machine();

struct ImagePipeline {
    std::vector<Halide::Func> outputs;
    std::vector<Halide::Func> unbounded;  // that Halide can't store
};
// Makes the same pipeline anew each time.
using MakeImages = std::function<ImagePipeline()>;

// The pipeline with its outputs' sizes estimated, and the plan for it.
void estimate_outputs(const ImagePipeline &made);
Plan plan_of(const ImagePipeline &made);

// What the outputs, dense and of that size, hold of a pipeline that is planned, where `change` may change the plan; and
// of one with every Func stored by serial loops. Throw Error and Halide::Error.
using ChangePlan = std::function<void(const ImagePipeline &, Plan &)>;
std::vector<Halide::Buffer<>>
run_planned(const MakeImages &make, const ChangePlan &change,
            const std::vector<int> &size = kEstimatedSize,
            const std::map<std::string, Halide::JITExtern> &externs = {});
std::vector<Halide::Buffer<>>
run_stored(const MakeImages &make, const std::vector<int> &size = kEstimatedSize,
           const std::map<std::string, Halide::JITExtern> &externs = {});

// The first member whose Func's name begins so (Halide may add a count), or null.
const PlannedMember *member_beginning(const Plan &plan, const std::string &name);

// Sets these parameters of the nests of those members that `is_meant` accepts.
ChangePlan change_nests(const std::function<bool(const PlannedMember &)> &is_meant,
                        const std::map<std::string, int64_t> &parameters);

void expect_equal_images(std::vector<Halide::Buffer<>> expected,
                         std::vector<Halide::Buffer<>> actual);

// Planned and applied, the pipeline computes bit for bit what it computes with every Func stored by
// serial loops, for outputs of that size.
void expect_same_images(const MakeImages &make, const std::vector<int> &size = kEstimatedSize,
                        const std::map<std::string, Halide::JITExtern> &externs = {});

// Numbers from 0 to 250 without a pattern, as large as estimated.
Halide::Buffer<int> image_of_numbers();

}  // namespace emulsion
