#include "bench/classics/image_task.h"

#include "autoscheduler/image_analysis.h"
#include "autoscheduler/network_share.h"
#include "autoscheduler/problem_of_images.h"
#include "bench/classics/pipeline_samples.h"
#include "bench/classics/schedulers.h"
#include "bench/host.h"
#include "fusion/image/decisions_at.h"
#include "fusion/image/suggested_points.h"

namespace emulsion::classics {

std::optional<ImageTask> image_task(const std::string &pipeline, int threads) {
    const Halide::Target target = Halide::get_host_target();
    const CpuMachine machine = image_machine(target, threads, "");
    const Scheduled made = built(pipeline, target);
    const std::vector<Halide::Func> outputs = made.pipeline.outputs();
    ImageGraph graph = analyze_images(outputs);
    if (is_network(outputs, graph, machine)) {
        return std::nullopt;
    }
    TuningTask task;
    task.problem = problem_of_images(outputs, graph, machine, target);
    task.scope = {target.to_string(), threads, machine_fingerprint(host_info())};
    task.label = pipeline;
    const Nest open{"images", {}};
    task.planned = with_tiles(open, graph, decisions_at(graph, machine, open));
    return ImageTask{pipeline, std::move(graph), machine, std::move(task)};
}

TuningTask task_around(const ImageTask &task, const Nest &best, size_t suggestions) {
    TuningTask around = task.task;
    around.space = space_around(task.graph, task.machine, best);
    around.suggested = suggested_points(task.graph, task.machine, best, suggestions);
    return around;
}

}  // namespace emulsion::classics
