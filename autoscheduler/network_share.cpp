#include "autoscheduler/network_share.h"

#include <algorithm>
#include <set>
#include <string>

#include "autoscheduler/pipeline_analysis.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

bool is_special(const std::string &loop_nest) {
    return loop_nest != "generic" && loop_nest != "elementwise";
}

// Evaluations of all definitions, and whether one of them reads where data say.
struct Work {
    double evaluations = 0.0;
    bool data_dependent = false;
};

Work share_of_work(const ImageStage &stage) {
    Work work;
    for (const Definition &definition : stage.definitions) {
        double count = 1.0;
        for (size_t axis = 0; axis < stage.extents.size(); axis++) {
            count *= definition.free[axis] ? static_cast<double>(stage.extents[axis]) : 1.0;
        }
        for (const int64_t extent : definition.reduced) {
            count *= static_cast<double>(extent);
        }
        work.evaluations += count;
        for (const ImageRead &read : definition.reads) {
            work.data_dependent = work.data_dependent || read.data_dependent;
        }
    }
    return work;
}

// Funcs that a special loop nest fits; none where the pipeline is beyond the analysis of networks.
std::set<std::string> special_funcs(const std::vector<Halide::Func> &outputs,
                                    const Machine &machine) {
    std::set<std::string> names;
    try {
        for (const PlannerOperator &op : analyze_pipeline(outputs, machine).operators) {
            if (is_special(op.implementation.nest.template_name)) {
                names.insert(op.name);
            }
        }
    } catch (const Error &) {
        return {};
    }
    return names;
}

// Whether an output lies in memory as Halide lays it out when told nothing.
bool is_innermost_first(const Halide::Func &output) {
    const auto &buffers = output.function().output_buffers();
    if (buffers.empty() || output.dimensions() < 2) {
        return true;
    }
    const Halide::Expr stride = buffers.front().stride_constraint(0);
    return stride.defined() && Halide::Internal::is_const_one(stride);
}

}  // namespace

bool is_network(const std::vector<Halide::Func> &outputs, const ImageGraph &images,
                const Machine &machine) {
    // Neither what the user computes or schedules nor a tuple that is read in part is an operator of a network.
    if (std::any_of(images.stages.begin(), images.stages.end(), [](const ImageStage &stage) {
            return stage.is_opaque || stage.has_unread_value;
        })) {
        return false;
    }
    if (!std::all_of(outputs.begin(), outputs.end(), is_innermost_first)) {
        return true;
    }
    const std::set<std::string> special = special_funcs(outputs, machine);
    double all = 0.0, inside = 0.0;
    for (const ImageStage &stage : images.stages) {
        const Work work = share_of_work(stage);
        all += work.evaluations;
        inside += special.count(stage.name) != 0 && !work.data_dependent ? work.evaluations : 0.0;
    }
    return 2.0 * inside > all;
}

}  // namespace emulsion
