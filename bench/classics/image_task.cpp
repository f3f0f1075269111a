#include "bench/classics/image_task.h"

#include <algorithm>
#include <set>

#include <Halide.h>
#include <fmt/format.h>

#include "autoscheduler/image_analysis.h"
#include "autoscheduler/network_share.h"
#include "autoscheduler/problem_of_images.h"
#include "bench/classics/pipeline_samples.h"
#include "bench/classics/schedulers.h"
#include "bench/host.h"
#include "fusion/error.h"
#include "fusion/image/decisions_at.h"
#include "fusion/image/image_facts.h"
#include "fusion/image/suggested_points.h"

namespace emulsion::classics {

namespace {

// As far as estimates say.
bool has_no_elements(const Halide::Func &output) {
    return std::ranges::any_of(
        output.function().schedule().estimates(), [](const Halide::Internal::Bound &axis) {
            const auto extent =
                Halide::Internal::as_const_int(Halide::Internal::simplify(axis.extent));
            return extent && *extent < 1;
        });
}

}  // namespace

std::optional<ImageTask> image_task(const std::string &pipeline, const Parameters &parameters,
                                    int threads) {
    const Halide::Target target = Halide::get_host_target();
    const CpuMachine machine = image_machine(target, threads, "");
    const Scheduled made = built(pipeline, target, parameters);
    const std::vector<Halide::Func> outputs = made.pipeline.outputs();
    if (std::ranges::any_of(outputs, has_no_elements)) {
        throw Error(fmt::format("the pipeline '{}' has no elements with {}", pipeline,
                                text_of(parameters)));
    }
    ImageGraph graph = analyze_images(outputs);
    if (is_network(outputs, graph, machine)) {
        return std::nullopt;
    }
    TuningTask task;
    task.problem = problem_of_images(outputs, graph, machine, target);
    task.scope = {target.to_string(), threads, machine_fingerprint(host_info())};
    task.label = parameters.empty() ? pipeline : pipeline + " " + text_of(parameters);
    task.facts = image_facts(graph);
    const Nest open{"images", {}};
    task.planned = with_tiles(open, graph, decisions_at(graph, machine, open));
    return ImageTask{pipeline, parameters, std::move(graph), machine, std::move(task)};
}

std::vector<TuningTask> tasks_around(const std::vector<FastestPoint> &points, size_t suggestions) {
    std::set<std::string> free;
    for (const auto &[task, best] : points) {
        for (const NestParameter &parameter :
             space_around(task.graph, task.machine, best).parameters) {
            free.insert(parameter.name);
        }
    }
    std::vector<TuningTask> all;
    for (const auto &[task, best] : points) {
        all.push_back(task.task);
        all.back().space = space_around(task.graph, task.machine, best, free);
        all.back().suggested = suggested_points(task.graph, task.machine, best, suggestions);
    }
    return all;
}

}  // namespace emulsion::classics
