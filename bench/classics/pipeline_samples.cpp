#include "bench/classics/pipeline_samples.h"

#include <filesystem>

#include <fmt/format.h>

#include "autoscheduler/image_analysis.h"
#include "autoscheduler/machine.h"
#include "autoscheduler/network_share.h"
#include "backend/interrupt.h"
#include "bench/classics/schedulers.h"
#include "bench/progress.h"
#include "bench/statistics.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "fusion/image/decisions_json.h"
#include "fusion/image/group_price.h"
#include "fusion/in_parallel.h"
#include "fusion/machine_constants.h"

namespace emulsion::classics {

namespace {

// A schedule on its way to a time.
struct Candidate {
    ImagePoint point;
    std::string library, failure;
    bool is_wrong = false;
};

class Measuring {
public:
    Measuring(SampledPipeline &pipeline, const Sampling &sampling, Progress &progress)
        : pipeline_(pipeline), sampling_(sampling), progress_(progress),
          reference_(path("results")) {}

    void run() {
        std::vector<ImagePoint> points =
            image_points(pipeline_.graph, pipeline_.machine, sampling_.drawing);
        for (ImagePoint &point : points) {
            const std::string library = path(fmt::format("{}.so", candidates_.size()));
            candidates_.push_back({std::move(point), library, ""});
        }
        make_reference();
        build_all();
        measure();
    }

private:
    std::string path(const std::string &name) const {
        return sampling_.folder + "/" + pipeline_.pipeline + "." + name;
    }
    std::string step(const std::string &file, const std::vector<std::string> &arguments,
                     Json &answer) const {
        return run_step(sampling_.limits, file, arguments, answer);
    }
    std::string threads() const { return std::to_string(pipeline_.machine.threads); }

    void make_reference() {
        if (sampling_.reuse && std::filesystem::exists(reference_)) {
            return;
        }
        const std::string library = path(std::string(kStored) + ".so");
        Json answer;
        std::string failure =
            step(library, {"build", pipeline_.pipeline, kStored, library, threads()}, answer);
        if (failure.empty()) {
            failure = step(reference_, {"results", library, reference_}, answer);
        }
        if (!failure.empty()) {
            throw emulsion::failure("pipeline '" + pipeline_.pipeline +
                                    "' can't be computed Func by Func: " + failure);
        }
    }

    // Builds and checks, unless that was done before.
    void build(Candidate &candidate) const {
        const Json decisions = decisions_to_json(candidate.point.decisions);
        const std::string done = candidate.library + ".done.json";
        if (sampling_.reuse && std::filesystem::exists(done)) {
            const Json before = read_json(done, "emulsion-classics-step");
            if (before.at("decisions") == decisions) {
                candidate.failure = before.at("failure").get<std::string>();
                candidate.is_wrong = before.at("is_wrong").get<bool>();
                return;
            }
        }
        build(candidate, decisions);
        write_json(done, "emulsion-classics-step",
                   {{"decisions", decisions},
                    {"failure", candidate.failure},
                    {"is_wrong", candidate.is_wrong}});
    }

    void build(Candidate &candidate, const Json &decisions) const {
        const std::string file = candidate.library + ".decisions.json";
        write_json(file, "emulsion-classics-step", decisions);
        std::vector<std::string> arguments{
            "build",   pipeline_.pipeline, "Gao2025", candidate.library,
            threads(), "--decisions",      file};
        if (!sampling_.machine.empty()) {
            arguments.insert(arguments.end(), {"--machine", sampling_.machine});
        }
        Json answer;
        candidate.failure = step(candidate.library, arguments, answer);
        if (candidate.failure.empty()) {
            candidate.failure =
                step(candidate.library, {"check", candidate.library, reference_}, answer);
        }
        if (candidate.failure.empty()) {
            candidate.failure = answer.at("wrong").get<std::string>();
            candidate.is_wrong = !candidate.failure.empty();
        }
    }

    void build_all() {
        progress_.show(
            0, 0,
            fmt::format("compiling {} schedules of {}", candidates_.size(), pipeline_.pipeline));
        in_parallel(candidates_.size(), sampling_.jobs, [&](size_t i) {
            if (interrupted()) {
                return;
            }
            try {
                build(candidates_[i]);
            } catch (const std::exception &e) {
                candidates_[i].failure = e.what();
            }
        });
        check_interrupted();
    }

    void measure() {
        std::vector<std::string> arguments{"measure", std::to_string(sampling_.seconds)};
        for (const Candidate &candidate : candidates_) {
            if (candidate.failure.empty()) {
                arguments.push_back(candidate.library);
            }
        }
        progress_.show(0, 0, "measuring schedules of " + pipeline_.pipeline);
        Json answer;
        const std::string failure = step(path("times"), arguments, answer);
        size_t next = 0;
        for (Candidate &candidate : candidates_) {
            candidate.failure = candidate.failure.empty() ? failure : candidate.failure;
            if (!candidate.failure.empty()) {
                pipeline_.failures.push_back(candidate.point.label + ": " + candidate.failure);
                pipeline_.is_wrong = pipeline_.is_wrong || candidate.is_wrong;
                continue;
            }
            pipeline_.samples.push_back({candidate.point.label,
                                         std::move(candidate.point.decisions),
                                         summarise(answer.at("times_ms").at(next++)).median});
        }
    }

    SampledPipeline &pipeline_;
    const Sampling &sampling_;
    Progress &progress_;
    const std::string reference_;
    std::vector<Candidate> candidates_;
};

}  // namespace

CpuMachine image_machine(const Halide::Target &target, int threads, const std::string &constants) {
    Machine machine = machine_of(target, threads);
    if (!constants.empty()) {
        set_constants(machine, constants_from_json(read_user_file(constants), constants));
    }
    return machine.cpu();
}

std::optional<SampledPipeline> analysed(const std::string &pipeline, const CpuMachine &machine) {
    const Scheduled made = built(pipeline, Halide::get_host_target());
    const std::vector<Halide::Func> outputs = made.pipeline.outputs();
    ImageGraph graph = analyze_images(outputs);
    if (is_network(outputs, graph, machine)) {
        return std::nullopt;
    }
    return SampledPipeline{pipeline, std::move(graph), machine, {}, {}, false};
}

void measure_points(SampledPipeline &pipeline, const Sampling &sampling, Progress &progress) {
    Measuring(pipeline, sampling, progress).run();
}

std::vector<TimedPrediction> timed_predictions(const SampledPipeline &pipeline,
                                               const CpuMachine &machine) {
    std::vector<TimedPrediction> timed;
    for (const PipelineSample &sample : pipeline.samples) {
        const double cycles = decided_cycles(machine, sample.decisions);
        timed.push_back({pipeline.pipeline, sample.ms, Machine(machine).milliseconds(cycles)});
    }
    return timed;
}

std::vector<DecisionPair> decision_pairs(const SampledPipeline &pipeline,
                                         const std::vector<TimedPrediction> &predictions) {
    std::vector<DecisionPair> pairs;
    for (size_t i = 0; i < predictions.size(); i++) {
        for (size_t j = 0; j < i; j++) {
            pairs.push_back({pipeline.pipeline,
                             pipeline.samples[j].label + " / " + pipeline.samples[i].label,
                             predictions[j].measured_ms, predictions[i].measured_ms,
                             predictions[j].predicted_ms, predictions[i].predicted_ms});
        }
    }
    return pairs;
}

Json samples_json(const SampledPipeline &pipeline,
                  const std::vector<TimedPrediction> &predictions) {
    Json json = Json::array();
    for (size_t i = 0; i < predictions.size(); i++) {
        json.push_back({{"pipeline", pipeline.pipeline},
                        {"label", pipeline.samples[i].label},
                        {"measured_ms", predictions[i].measured_ms},
                        {"predicted_ms", predictions[i].predicted_ms},
                        {"decisions", decisions_to_json(pipeline.samples[i].decisions)}});
    }
    return json;
}

std::vector<SampledPipeline> samples_from(const Json &examination, const std::string &machine) {
    const CpuMachine on =
        image_machine(Halide::get_host_target(), examination.at("threads").get<int>(), machine);
    std::vector<SampledPipeline> all;
    for (const Json &sample : examination.at("samples")) {
        const auto name = sample.at("pipeline").get<std::string>();
        if (all.empty() || all.back().pipeline != name) {
            std::optional<SampledPipeline> pipeline = analysed(name, on);
            if (!pipeline) {
                throw Error("pipeline '" + name + "' is planned as a network now: measure again");
            }
            all.push_back(std::move(*pipeline));
        }
        all.back().samples.push_back({sample.at("label").get<std::string>(),
                                      decisions_from_json(sample.at("decisions"), all.back().graph),
                                      sample.at("measured_ms").get<double>()});
    }
    return all;
}

}  // namespace emulsion::classics
