#include "autoscheduler/tuned_pipelines.h"

#include "autoscheduler/problem_of_images.h"
#include "fusion/error.h"
#include "fusion/image/decide.h"
#include "fusion/image/decisions_at.h"

namespace emulsion {

ImageDecisions TunedPipelines::decide(const std::vector<Halide::Func> &outputs,
                                      const ImageGraph &graph, const CpuMachine &machine) {
    if (found_) {
        const auto tuned =
            found_->pipelines.find(problem_of_images(outputs, graph, machine, target_));
        if (tuned != found_->pipelines.end()) {
            is_used_ = true;
            return naming_file(file_,
                               [&] { return decisions_at(graph, machine, tuned->second.point); });
        }
    }
    return decide_images(graph, machine);
}

std::string TunedPipelines::warning() const {
    if (!found_ || is_used_) {
        return "";
    }
    std::string known;
    for (const auto &[problem, tuned] : found_->pipelines) {
        known.append(known.empty() ? "" : ", ").append(tuned.label);
    }
    return std::string(file_)
        .append(
            " has nothing for this pipeline, its sizes, its target and as many threads, so it is "
            "scheduled untuned; it was measured for ")
        .append(known.empty() ? "no pipeline" : known)
        .append(" on target '")
        .append(found_->target)
        .append("' with ")
        .append(std::to_string(found_->threads))
        .append(" threads");
}

}  // namespace emulsion
