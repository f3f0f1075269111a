#include "backend/unit_builder.h"

#include <algorithm>
#include <limits>
#include <numeric>
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

// The same error of a unit that another network calls `label`.
Error under_label(const Error &error, const std::string &known_as, const std::string &label) {
    return Error(label + error.message().substr(known_as.size()), error.place(), error.kind())
        .with_remedy(error.remedy());
}

fs::path worker_program(const CompileOptions &options) {
    return options.worker_program.empty() ? program_path() : fs::path(options.worker_program);
}

class UnitBuilder {
public:
    UnitBuilder(const CompileOptions &options, fs::path scratch, fs::path emit)
        : options_(options), scratch_(std::move(scratch)), emit_(std::move(emit)),
          program_(worker_program(options)),
          cache_(cache_folder(options), compiler_build(program_)) {}

    std::vector<BuiltUnits> run(std::span<const PlannedNetwork *const> networks) {
        check_cache();
        std::vector<std::vector<std::string>> keys(networks.size());  // of the launches
        for (size_t n = 0; n < networks.size(); n++) {
            add_runtime(runtime_target(*networks[n]));
            for (const PlannedLaunch &launch : networks[n]->launches) {
                keys[n].push_back(unit_key(launch.unit));
                add_unit(keys[n].back(), launch, *networks[n]);
            }
        }
        report_progress("");
        start_long_ones_first();
        run_workers(tasks_, worker_options(options_),
                    [&](size_t i, const WorkerOutcome &outcome) { finish(i, outcome); });
        if (!tasks_.empty()) {
            cache_.trim();
        }
        std::vector<BuiltUnits> built;
        for (size_t n = 0; n < networks.size(); n++) {
            built.push_back(units_of(*networks[n], keys[n]));
        }
        return built;
    }

private:
    // A unit, or Halide's runtime.
    struct Object {
        std::string cache_key;
        std::string label;  // by the first network that needs it
        UnitOutcome outcome;
    };

    static fs::path cache_folder(const CompileOptions &options) {
        if (!options.use_cache) {
            return {};
        }
        return options.cache_folder.empty() ? default_cache_folder()
                                            : fs::path(options.cache_folder);
    }

    static std::string runtime_key(const std::string &target) { return "runtime-" + target; }

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

    void report_progress(const std::string &label) const {
        if (options_.progress) {
            options_.progress(cached_ + finished_, cached_ + static_cast<int>(tasks_.size()),
                              label);
        }
    }

    // What is compiled for chips is also made by the device compiler.
    std::string cache_key(const std::string &key, const Unit &unit) {
        std::string identities;
        for (const std::string &chip : unit.chips) {
            if (!device_compiler_) {
                device_compiler_.emplace();
            }
            identities += device_compiler_->identity(chip);
        }
        return key + (identities.empty() ? "" : "-" + hash_hex(identities));
    }

    bool from_cache(Object &object) {
        std::optional<std::string> bytes = cache_.find(object.cache_key);
        std::optional<UnitEntry> entry = bytes ? unit_entry(std::move(*bytes)) : std::nullopt;
        if (!entry) {
            return false;
        }
        UnitOutcome &outcome = object.outcome;
        write_file(outcome.object, entry->object);
        outcome.hash = hash_hex(entry->object);
        outcome.shrunk = std::move(entry->shrunk);
        outcome.cached = true;
        return true;
    }

    // The object of this key, where nobody has asked for it before; else null.
    Object *new_object(const std::string &key, const std::string &label) {
        const auto [known, first] = objects_.try_emplace(key);
        if (!first) {
            return nullptr;
        }
        known->second.label = label;
        known->second.outcome.object = scratch_ / (key + ".o");
        return &known->second;
    }

    void add_task(Object &object, WorkerTask task) {
        task.outputs.object = object.outcome.object.string();
        task.label = object.label;
        tasks_.push_back(std::move(task));
        made_by_.push_back(&object);
    }

    void add_runtime(const std::string &target) {
        const std::string key = runtime_key(target);
        Object *object = new_object(key, "Halide's runtime");
        if (object == nullptr) {
            return;
        }
        object->cache_key = key;
        if (!from_cache(*object)) {
            add_task(*object, {.target = target});
        }
    }

    void add_unit(const std::string &key, const PlannedLaunch &launch,
                  const PlannedNetwork &network) {
        Object *object = new_object(key, launch.label);
        if (object == nullptr) {
            return;
        }
        object->cache_key = options_.use_cache ? cache_key(key, launch.unit) : key;
        // Where something else than the object is wanted of it, it is compiled.
        if (options_.emit.empty() && from_cache(*object)) {
            cached_++;
            return;
        }
        const auto emitted = [&](const char *kind, const char *suffix) {
            return options_.emit.count(kind) != 0 ? (emit_ / (key + suffix)).string() : "";
        };
        add_task(*object, {.unit = &launch.unit,
                           .outputs = {.statement = emitted("stmt", ".stmt"),
                                       .assembly = emitted("assembly", ".s"),
                                       .schedule = emitted("schedule", ".schedule.h"),
                                       .kernels = options_.emit.count("kernels") != 0
                                                      ? (emit_ / "kernels" / key).string()
                                                      : ""},
                           .options = {.code_cache = cache_folder(options_).string(),
                                       .tensor_names = tensor_names(launch, network),
                                       .scratch = scratch_.string()}});
    }

    // Of the model, by their names in the unit.
    static std::map<std::string, std::string> tensor_names(const PlannedLaunch &launch,
                                                           const PlannedNetwork &network) {
        std::map<std::string, std::string> names;
        const auto add = [&](const UnitArgument &argument, int value) {
            const TensorId id = network.value_tensor.at(static_cast<size_t>(value));
            names[launch.unit.graph.tensor(argument.tensor).name] = network.graph.tensor(id).name;
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

    // Whatever takes longest and starts last is waited for alone: Halide's runtime, units of many operators.
    void start_long_ones_first() {
        const auto operators = [&](size_t task) {
            const Unit *unit = tasks_[task].unit;
            return unit == nullptr ? std::numeric_limits<size_t>::max() : unit->graph.nodes.size();
        };
        std::vector<size_t> order(tasks_.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](size_t a, size_t b) { return operators(a) > operators(b); });
        std::vector<WorkerTask> tasks;
        std::vector<Object *> made_by;
        for (const size_t task : order) {
            tasks.push_back(std::move(tasks_[task]));
            made_by.push_back(made_by_[task]);
        }
        tasks_ = std::move(tasks);
        made_by_ = std::move(made_by);
    }

    void finish(size_t index, const WorkerOutcome &made) {
        Object &object = *made_by_[index];
        UnitOutcome &outcome = object.outcome;
        if (made.error) {
            outcome.error = made.error;
        } else {
            UnitEntry entry{read_file(outcome.object), {}};
            if (made.compiled.shrinks > 0) {
                entry.shrunk = made.compiled.plan;
            }
            cache_.store(object.cache_key, to_bytes(entry));
            outcome.hash = hash_hex(entry.object);
            outcome.shrunk = std::move(entry.shrunk);
        }
        finished_++;
        report_progress(object.label);
    }

    // What became of the units of one network, in its own words.
    BuiltUnits units_of(const PlannedNetwork &network, const std::vector<std::string> &keys) const {
        BuiltUnits built;
        const UnitOutcome &runtime = objects_.at(runtime_key(runtime_target(network))).outcome;
        built.halide_runtime = runtime.object;
        if (runtime.error) {
            built.errors.push_back(*runtime.error);
        }
        for (size_t i = 0; i < keys.size(); i++) {
            const Object &object = objects_.at(keys[i]);
            const auto [known, first] = built.units.try_emplace(keys[i], object.outcome);
            if (first && object.outcome.error) {
                known->second.error =
                    under_label(*object.outcome.error, object.label, network.launches[i].label);
                built.errors.push_back(*known->second.error);
            }
        }
        return built;
    }

    const CompileOptions &options_;
    fs::path scratch_, emit_;
    fs::path program_;
    UnitCache cache_;
    std::map<std::string, Object> objects_;  // by key
    std::vector<WorkerTask> tasks_;
    std::vector<Object *> made_by_;  // the tasks
    int cached_ = 0, finished_ = 0;  // units and tasks
    std::optional<DeviceCompiler> device_compiler_;
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

std::vector<BuiltUnits> build_units(std::span<const PlannedNetwork *const> networks,
                                    const CompileOptions &options, const fs::path &scratch,
                                    const fs::path &emit) {
    return UnitBuilder(options, scratch, emit).run(networks);
}

BuiltUnits build_units(const PlannedNetwork &network, const CompileOptions &options,
                       const fs::path &scratch, const fs::path &emit) {
    const PlannedNetwork *const one = &network;
    return build_units(std::span(&one, 1), options, scratch, emit).front();
}

WorkerOptions worker_options(const CompileOptions &options) {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    return {.program = worker_program(options).string(),
            .jobs = options.jobs > 0 ? options.jobs : std::max(cores, 1)};
}

std::string build_with(const CompileOptions &options) {
    return compiler_build(worker_program(options));
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
