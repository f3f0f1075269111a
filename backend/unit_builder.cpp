#include "backend/unit_builder.h"

#include <algorithm>
#include <optional>
#include <thread>

#include <Halide.h>
#include <fmt/format.h>

#include "backend/cache.h"
#include "backend/files.h"
#include "backend/workers.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

// Halide's runtime calls none of the target's vector instructions, so one serves every CPU.
std::string runtime_target(const std::string &target) {
    const Halide::Target full(target);
    return Halide::Target(full.os, full.arch, full.bits).to_string();
}

class UnitBuilder {
public:
    UnitBuilder(const PlannedNetwork &network, const CompileOptions &options, fs::path scratch,
                fs::path emit)
        : network_(network), options_(options), scratch_(std::move(scratch)),
          emit_(std::move(emit)),
          program_(options.worker_program.empty() ? program_path()
                                                  : fs::path(options.worker_program)),
          cache_(cache_folder(options), compiler_build(program_)) {}

    BuiltUnits run() {
        add_runtime();
        for (const PlannedLaunch &launch : network_.launches) {
            add_unit(launch);
        }
        report_progress("");
        const WorkerOptions workers{.program = program_.string(), .jobs = jobs()};
        run_workers(tasks_, workers,
                    [&](size_t i) { finish(i, read_file(tasks_[i].outputs.object)); });
        if (!tasks_.empty()) {
            cache_.trim();
        }
        return std::move(result_);
    }

private:
    static fs::path cache_folder(const CompileOptions &options) {
        if (!options.use_cache) {
            return {};
        }
        return options.cache_folder.empty() ? default_cache_folder()
                                            : fs::path(options.cache_folder);
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

    // From the cache, unless something else than the object is wanted of it.
    bool from_cache(const std::string &key, const fs::path &object, bool bypass) {
        const std::optional<std::string> bytes = bypass ? std::nullopt : cache_.find(key);
        if (!bytes) {
            return false;
        }
        write_file(object, *bytes);
        result_.hashes[key] = hash_hex(*bytes);
        return true;
    }

    void add_runtime() {
        const std::string target = runtime_target(network_.target);
        const std::string key = "runtime-" + target;
        result_.halide_runtime = scratch_ / "halide_runtime.o";
        if (!from_cache(key, result_.halide_runtime, false)) {
            tasks_.push_back({.target = target,
                              .outputs = {.object = result_.halide_runtime.string()},
                              .label = "Halide's runtime"});
            keys_.push_back(key);
        }
    }

    void add_unit(const PlannedLaunch &launch) {
        const std::string key = unit_key(launch.unit);
        const fs::path object = scratch_ / (key + ".o");
        if (!result_.objects.emplace(key, object).second) {
            return;
        }
        if (from_cache(key, object, !options_.emit.empty())) {
            result_.cached++;
            done_++;
            return;
        }
        const auto emitted = [&](const char *kind, const char *suffix) {
            return options_.emit.count(kind) != 0 ? (emit_ / (key + suffix)).string() : "";
        };
        tasks_.push_back({.unit = &launch.unit,
                          .outputs = {.object = object.string(),
                                      .statement = emitted("stmt", ".stmt"),
                                      .assembly = emitted("assembly", ".s"),
                                      .schedule = emitted("schedule", ".schedule.h")},
                          .label = launch.label});
        keys_.push_back(key);
    }

    void finish(size_t index, const std::string &bytes) {
        cache_.store(keys_[index], bytes);
        result_.hashes[keys_[index]] = hash_hex(bytes);
        done_++;
        finished_++;
        report_progress(tasks_[index].label);
    }

    const PlannedNetwork &network_;
    const CompileOptions &options_;
    fs::path scratch_, emit_;
    fs::path program_;
    UnitCache cache_;
    std::vector<WorkerTask> tasks_;
    std::vector<std::string> keys_;  // of the tasks
    int done_ = 0, finished_ = 0;    // units and tasks
    BuiltUnits result_;
};

}  // namespace

BuiltUnits build_units(const PlannedNetwork &network, const CompileOptions &options,
                       const fs::path &scratch, const fs::path &emit) {
    return UnitBuilder(network, options, scratch, emit).run();
}

}  // namespace emulsion
