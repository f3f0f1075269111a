#include "backend/unit_builder.h"

#include <algorithm>
#include <optional>
#include <thread>

#include <Halide.h>
#include <fmt/format.h>

#include "backend/amdgpu/clang.h"
#include "backend/cache.h"
#include "backend/files.h"
#include "backend/gpu_runtime.h"
#include "backend/unit_entry.h"
#include "backend/workers.h"
#include "frontend/lower/target.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

// Halide's runtime calls none of the target's vector instructions, so one serves every CPU. What it has for
// GPUs is not used but for CUDA.
std::string runtime_target(const PlannedNetwork &network) {
    const Halide::Target full(target_choice(network.target).halide);
    const auto gpu = gpu_runtime(network.target);
    return Halide::Target(full.os, full.arch, full.bits).to_string() +
           (gpu ? gpu->halide_features : "");
}

// Of so many errors each has its words in the sentence about all.
constexpr size_t kMostErrors = 20;

class UnitBuilder {
public:
    UnitBuilder(const PlannedNetwork &network, const CompileOptions &options, fs::path scratch,
                fs::path emit)
        : graph_(network.graph), network_(network), options_(options), scratch_(std::move(scratch)),
          emit_(std::move(emit)),
          program_(options.worker_program.empty() ? program_path()
                                                  : fs::path(options.worker_program)),
          cache_(cache_folder(options), compiler_build(program_)) {}

    BuiltUnits run() {
        check_cache();
        add_runtime();
        for (const PlannedLaunch &launch : network_.launches) {
            add_unit(launch);
        }
        report_progress("");
        const WorkerOptions workers{.program = program_.string(), .jobs = jobs()};
        run_workers(tasks_, workers,
                    [&](size_t i, const WorkerOutcome &outcome) { finish(i, outcome); });
        for (const auto &[task, error] : errors_) {
            result_.errors.push_back(error);
        }
        if (!tasks_.empty()) {
            cache_.trim();
        }
        return std::move(result_);
    }

private:
    struct Keys {
        std::string unit;  // its function's name
        std::string cache;
    };

    static fs::path cache_folder(const CompileOptions &options) {
        if (!options.use_cache) {
            return {};
        }
        return options.cache_folder.empty() ? default_cache_folder()
                                            : fs::path(options.cache_folder);
    }

    // Of the default folder nothing is said: nobody has asked for it.
    void check_cache() const {
        if (!options_.use_cache || options_.cache_folder.empty() || !options_.warning) {
            return;
        }
        if (const std::string problem = cache_.problem(); !problem.empty()) {
            options_.warning(fmt::format(
                "cache folder '{}' cannot be used ({}): every unit is compiled, and none is kept",
                options_.cache_folder, problem));
        }
    }

    int jobs() const {
        const int cores = static_cast<int>(std::thread::hardware_concurrency());
        return options_.jobs > 0 ? options_.jobs : std::max(cores, 1);
    }

    void report_progress(const std::string &label) const {
        if (options_.progress) {
            options_.progress(done_, done_ + static_cast<int>(tasks_.size()) - finished_, label);
        }
    }

    // What is compiled for chips is also made by the device compiler.
    std::string cache_key(const Unit &unit) {
        std::string identities;
        for (const std::string &chip : unit.chips) {
            if (!device_compiler_) {
                device_compiler_.emplace();
            }
            identities += device_compiler_->identity(chip);
        }
        return unit_key(unit) + (identities.empty() ? "" : "-" + hash_hex(identities));
    }

    // From the cache, unless something else than the object is wanted of it.
    bool from_cache(const Keys &keys, UnitOutcome &outcome, bool bypass) {
        std::optional<std::string> bytes = bypass ? std::nullopt : cache_.find(keys.cache);
        std::optional<UnitEntry> entry = bytes ? unit_entry(std::move(*bytes)) : std::nullopt;
        if (!entry) {
            return false;
        }
        write_file(outcome.object, entry->object);
        outcome.hash = hash_hex(entry->object);
        outcome.shrunk = std::move(entry->shrunk);
        outcome.cached = true;
        return true;
    }

    void add_runtime() {
        const std::string target = runtime_target(network_);
        const Keys keys{"runtime-" + target, "runtime-" + target};
        result_.halide_runtime = scratch_ / "halide_runtime.o";
        runtime_.object = result_.halide_runtime;
        if (!from_cache(keys, runtime_, false)) {
            tasks_.push_back({.target = target,
                              .outputs = {.object = result_.halide_runtime.string()},
                              .label = "Halide's runtime"});
            keys_.push_back(keys);
        }
    }

    void add_unit(const PlannedLaunch &launch) {
        const std::string key = unit_key(launch.unit);
        const auto [known, first] = result_.units.try_emplace(key);
        if (!first) {
            return;
        }
        UnitOutcome &outcome = known->second;
        outcome.object = scratch_ / (key + ".o");
        const Keys keys{key, options_.use_cache ? cache_key(launch.unit) : key};
        if (from_cache(keys, outcome, !options_.emit.empty())) {
            done_++;
            return;
        }
        const auto emitted = [&](const char *kind, const char *suffix) {
            return options_.emit.count(kind) != 0 ? (emit_ / (key + suffix)).string() : "";
        };
        tasks_.push_back({.unit = &launch.unit,
                          .outputs = {.object = outcome.object.string(),
                                      .statement = emitted("stmt", ".stmt"),
                                      .assembly = emitted("assembly", ".s"),
                                      .schedule = emitted("schedule", ".schedule.h"),
                                      .kernels = options_.emit.count("kernels") != 0
                                                     ? (emit_ / "kernels" / key).string()
                                                     : ""},
                          .options = {.code_cache = cache_folder(options_).string(),
                                      .tensor_names = tensor_names(launch),
                                      .scratch = scratch_.string()},
                          .label = launch.label});
        keys_.push_back(keys);
    }

    // Of the model, by their names in the unit.
    std::map<std::string, std::string> tensor_names(const PlannedLaunch &launch) const {
        std::map<std::string, std::string> names;
        const auto add = [&](const UnitArgument &argument, int value) {
            const TensorId id = network_.value_tensor.at(static_cast<size_t>(value));
            names[launch.unit.graph.tensor(argument.tensor).name] = graph_.tensor(id).name;
        };
        for (size_t i = 0; i < launch.inputs.size(); i++) {
            add(launch.unit.inputs.at(i), launch.inputs[i]);
        }
        add(launch.unit.output, launch.output);
        // Halide calls an output by the Func that writes it.
        for (const Node &node : launch.unit.graph.nodes) {
            if (node.result() == launch.unit.output.tensor) {
                names[node.name] = names[launch.unit.graph.tensor(node.result()).name];
            }
        }
        return names;
    }

    void finish(size_t index, const WorkerOutcome &made) {
        const auto unit = result_.units.find(keys_[index].unit);
        UnitOutcome &outcome = unit == result_.units.end() ? runtime_ : unit->second;
        if (made.error) {
            outcome.error = made.error;
            errors_.emplace(index, *made.error);
        } else {
            UnitEntry entry{read_file(tasks_[index].outputs.object), {}};
            if (made.compiled.shrinks > 0) {
                entry.shrunk = made.compiled.plan;
            }
            cache_.store(keys_[index].cache, to_bytes(entry));
            outcome.hash = hash_hex(entry.object);
            outcome.shrunk = std::move(entry.shrunk);
        }
        done_++;
        finished_++;
        report_progress(tasks_[index].label);
    }

    const Graph &graph_;
    const PlannedNetwork &network_;
    const CompileOptions &options_;
    fs::path scratch_, emit_;
    fs::path program_;
    UnitCache cache_;
    std::vector<WorkerTask> tasks_;
    std::vector<Keys> keys_;       // of the tasks
    int done_ = 0, finished_ = 0;  // units and tasks
    std::optional<DeviceCompiler> device_compiler_;
    std::map<size_t, Error> errors_;  // by task
    UnitOutcome runtime_;
    BuiltUnits result_;
};

}  // namespace

int BuiltUnits::cached() const {
    return static_cast<int>(std::count_if(units.begin(), units.end(),
                                          [](const auto &unit) { return unit.second.cached; }));
}

int BuiltUnits::shrunk() const {
    return static_cast<int>(std::count_if(units.begin(), units.end(), [](const auto &unit) {
        return unit.second.shrunk.has_value();
    }));
}

BuiltUnits build_units(const PlannedNetwork &network, const CompileOptions &options,
                       const fs::path &scratch, const fs::path &emit) {
    return UnitBuilder(network, options, scratch, emit).run();
}

void refuse_errors(const std::vector<Error> &errors) {
    if (errors.empty()) {
        return;
    }
    if (errors.size() == 1) {
        throw Error(errors.front());
    }
    std::string sentence = fmt::format("{} units can't be compiled", errors.size());
    for (size_t i = 0; i < std::min(errors.size(), kMostErrors); i++) {
        sentence += (i == 0 ? ": " : "; ") + errors[i].message();
    }
    if (errors.size() > kMostErrors) {
        sentence += fmt::format("; and {} more", errors.size() - kMostErrors);
    }
    const bool refused = std::all_of(errors.begin(), errors.end(), [](const Error &error) {
        return error.kind() == ErrorKind::Refused;
    });
    throw Error(sentence, {}, refused ? ErrorKind::Refused : ErrorKind::Failed);
}

}  // namespace emulsion
