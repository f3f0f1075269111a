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

// Of all evaluations, what a network has at most that is not of its kind (table look-ups).
constexpr double kMostOfImages = 0.05;

// Evaluations of all definitions, and whether one of them reads where data say, weighs all elements alike, or does what
// layers of networks don't: scans, and updates of single places.
struct Work {
    double evaluations = 0.0;
    bool data_dependent = false, slides_kernel = false, updates_places = false;
};

bool depends_on_free(const TapIndex &index, const Definition &definition) {
    for (size_t axis = 0; axis < definition.free.size(); axis++) {
        if (index.depends_on(static_cast<int>(axis))) {
            return true;
        }
    }
    return false;
}

// Whether what is read is the same for all elements.
bool is_common(const ImageRead &read, const Definition &definition) {
    return std::all_of(read.taps.begin(), read.taps.end(), [&](const Tap &tap) {
        return std::none_of(tap.begin(), tap.end(), [&](const TapIndex &index) {
            return depends_on_free(index, definition);
        });
    });
}

// Whether the loops of a reduction walk over a window around the element.
bool is_window(const ImageRead &read) {
    for (size_t axis = 0; axis < read.all.size(); axis++) {
        const std::vector<double> &stride = read.all[axis].stride;
        const bool moves =
            std::any_of(stride.begin(), stride.end(), [](double s) { return s > 0; });
        if (moves && read.all[axis].window > read.step[axis].window) {
            return true;
        }
    }
    return false;
}

// Whether a window is weighed alike for all elements: a filter of images, without channels that share what is
// read.
bool slides_kernel(const Definition &definition) {
    const std::vector<ImageRead> &reads = definition.reads;
    return std::any_of(reads.begin(), reads.end(), is_window) &&
           std::any_of(reads.begin(), reads.end(),
                       [&](const ImageRead &read) { return is_common(read, definition); });
}

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
        work.slides_kernel = work.slides_kernel || slides_kernel(definition);
        work.updates_places = work.updates_places || definition.scans ||
                              std::count(definition.free.begin(), definition.free.end(), false) > 0;
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
    double all = 0.0, inside = 0.0, of_images = 0.0;
    for (const ImageStage &stage : images.stages) {
        const Work work = share_of_work(stage);
        all += work.evaluations;
        of_images += work.data_dependent || work.updates_places ? work.evaluations : 0.0;
        const bool counts =
            special.count(stage.name) != 0 && !work.data_dependent && !work.slides_kernel;
        inside += counts ? work.evaluations : 0.0;
    }
    return 2.0 * inside > all && of_images <= kMostOfImages * all;
}

}  // namespace emulsion
