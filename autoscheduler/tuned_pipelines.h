// What measuring has found for the pipelines that are scheduled (`autoscheduler.tuned`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Halide.h>

#include "fusion/image/decisions.h"
#include "fusion/image/tuned_images.h"
#include "fusion/machine.h"

namespace emulsion {

class TunedPipelines {
public:
    // Has nothing.
    TunedPipelines() = default;
    // `file` is what messages call it.
    TunedPipelines(TunedImages found, Halide::Target target, std::string file)
        : found_(std::move(found)), target_(std::move(target)), file_(std::move(file)) {}

    // As it was tuned, or else by prices. Throws Error, naming the file, for a point that the pipeline hasn't got.
    ImageDecisions decide(const std::vector<Halide::Func> &outputs, const ImageGraph &graph,
                          const CpuMachine &machine);
    // That there is a file, and that it had nothing for any pipeline so far; or nothing.
    std::string warning() const;

private:
    std::optional<TunedImages> found_;
    Halide::Target target_;
    std::string file_;
    bool is_used_ = false;
};

}  // namespace emulsion
