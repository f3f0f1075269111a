#include "bench/classics/steps.h"

#include <malloc.h>

#include <chrono>
#include <fstream>

#include "autoscheduler/image_analysis.h"
#include "backend/process.h"
#include "bench/classics/agreement.h"
#include "bench/classics/library.h"
#include "bench/classics/parameters.h"
#include "bench/classics/pipeline_samples.h"
#include "bench/classics/schedulers.h"
#include "bench/memory.h"
#include "bench/units.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "fusion/image/decisions_json.h"
#include "fusion/image/plan_images.h"
#include "fusion/plan.h"

namespace emulsion::classics {

namespace {

constexpr int kWarmup = 1, kLeastRuns = 5;

class Stopwatch {
public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

double run_ms(const Library &library, Arguments &arguments) {
    const Stopwatch watch;
    library.run(arguments);
    return watch.seconds() * 1e3;
}

void link(const std::string &object, const std::string &library) {
    const ToolResult result = run_tool(
        {"cc", "-shared", "-Wl,-Bsymbolic", "-o", library, object, "-lpthread", "-ldl", "-lm"},
        "gcc");
    if (result.status != 0) {
        throw failure("the object can't be linked: " + result.output, {.file = object});
    }
}

// Under a plan of the decisions that the request names.
Scheduled schedule_decided(const BuildRequest &request, const Halide::Target &target) {
    Scheduled scheduled = built(request.pipeline, target, parameters_from(request.parameters));
    const ImageGraph graph = analyze_images(scheduled.pipeline.outputs());
    const CpuMachine machine = image_machine(target, request.threads, request.machine);
    const Json decisions = read_json(request.decisions, "emulsion-classics-step");
    const Plan plan = plan_images(machine, decisions_from_json(decisions, graph));
    autoschedule(scheduled, "Gao2025", target,
                 {{"parallelism", std::to_string(request.threads)}, {"plan", plan_document(plan)}});
    return scheduled;
}

Scheduled scheduled_for(const BuildRequest &request, const Halide::Target &target) {
    if (!request.decisions.empty()) {
        return schedule_decided(request, target);
    }
    if (request.tuned.empty()) {
        return schedule(request.pipeline, request.scheduler, target, request.threads,
                        parameters_from(request.parameters));
    }
    Scheduled scheduled = built(request.pipeline, target, parameters_from(request.parameters));
    autoschedule(scheduled, request.scheduler, target,
                 {{"parallelism", std::to_string(request.threads)}, {"tuned", request.tuned}});
    return scheduled;
}

}  // namespace

void keep_freed_memory() {
    constexpr int kLongestKept = 32 << 20;
    mallopt(M_MMAP_THRESHOLD, kLongestKept);
    mallopt(M_TRIM_THRESHOLD, 2 * kLongestKept);
}

Json build(const BuildRequest &request) {
    Halide::Target target = Halide::get_host_target();
    if (request.scheduler == kStored) {
        target.set_feature(Halide::Target::LargeBuffers);
    }
    Scheduled scheduled = scheduled_for(request, target);
    Json json;
    json["schedule_s"] = scheduled.seconds;
    json["peak_mb"] = megabytes(peak_rss_bytes());
    write_whole_file(request.library + ".schedule", {scheduled.source});
    const Stopwatch watch;
    const std::string object = request.library + ".o";
    scheduled.pipeline.compile_to_object(object, scheduled.pipeline.infer_arguments(),
                                         kFunctionName, target);
    link(object, request.library);
    json["compile_s"] = watch.seconds();
    return json;
}

Json write_results(const std::string &library, const std::string &file) {
    const Library loaded(library);
    Arguments arguments(loaded.metadata());
    const double time = run_ms(loaded, arguments);
    std::ofstream out(file, std::ios::binary);
    for (const size_t output : arguments.outputs) {
        const auto &buffer = arguments.buffers[output];
        out.write(static_cast<const char *>(buffer.data()),
                  static_cast<std::streamsize>(buffer.size_in_bytes()));
    }
    if (!out.flush()) {
        throw failure("the results can't be written", {.file = file});
    }
    return {{"run_ms", time}};
}

Json check(const std::string &library, const std::string &file) {
    const Library loaded(library);
    Arguments arguments(loaded.metadata());
    const double time = run_ms(loaded, arguments);
    std::ifstream in(file, std::ios::binary);
    std::string wrong;
    for (const size_t output : arguments.outputs) {
        const auto &buffer = arguments.buffers[output];
        auto reference = buffer.copy();
        in.read(static_cast<char *>(reference.data()),
                static_cast<std::streamsize>(reference.size_in_bytes()));
        if (!in) {
            throw failure("the results of the reference can't be read", {.file = file});
        }
        if (wrong.empty()) {
            wrong = disagreement(buffer, reference);
        }
    }
    return {{"run_ms", time}, {"wrong", wrong}};
}

Json measure(const std::vector<std::string> &libraries, double seconds) {
    keep_freed_memory();
    std::vector<Library> loaded;
    for (const std::string &library : libraries) {
        loaded.emplace_back(library);
    }
    // One set of buffers for all: outputs are equal.
    Arguments arguments(loaded.front().metadata());
    std::vector<std::vector<double>> times(loaded.size());
    const Stopwatch watch;
    for (int round = 0; round < kWarmup + kLeastRuns || watch.seconds() < seconds; round++) {
        for (size_t i = 0; i < loaded.size(); i++) {
            const double time = run_ms(loaded[i], arguments);
            if (round >= kWarmup) {
                times[i].push_back(time);
            }
        }
    }
    return {{"times_ms", times}};
}

}  // namespace emulsion::classics
