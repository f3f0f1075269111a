#include "bench/compared_models.h"

#include <cassert>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "backend/temporary_folder.h"
#include "bench/progress.h"
#include "bench/user_files.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

int64_t weights_bytes(const Graph &graph) {
    int64_t bytes = 0;
    for (const Tensor &tensor : graph.tensors) {
        bytes += tensor.constant ? static_cast<int64_t>(tensor.constant->size) : 0;
    }
    return bytes;
}

}  // namespace

ComparedModels::ComparedModels(std::vector<std::string> files, std::vector<std::string> policies,
                               const CompileOptions &options, Progress &progress,
                               int64_t weights_together)
    : files_(std::move(files)), policies_(std::move(policies)), options_(options),
      shared_(options_), progress_(progress), weights_together_(weights_together),
      candidates_(files_.size()) {
    for (const std::string &file : files_) {
        if (std::filesystem::is_directory(file)) {
            throw Error("is a folder, whose plan is fixed; give the MODEL.onnx instead",
                        {.file = file});
        }
    }
}

ComparedModels::~ComparedModels() = default;

CompileOptions ComparedModels::options_of(size_t policy) const {
    CompileOptions options = options_;
    options.plan.policy = policies_[policy];
    return options;
}

void ComparedModels::compile_from(size_t file) {
    objects_ = nullptr;  // those of what was opened before
    objects_ = make_scratch_folder();
    std::vector<const PlannedModel *> together;
    int64_t bytes = 0;
    for (compiled_ = file; compiled_ < files_.size() && bytes < weights_together_; compiled_++) {
        const std::string &name = files_[compiled_];
        progress_.show(0, 0, "planning " + name);
        const LoadedModel loaded = loaded_model(name, options_);
        bytes += weights_bytes(loaded.graph);
        std::vector<Candidate> &candidates = candidates_[compiled_];
        candidates.reserve(policies_.size());  // pointers to them stay good
        for (size_t p = 0; p < policies_.size(); p++) {
            progress_.show(0, 0, fmt::format("planning {} under {}", name, policies_[p]));
            candidates.push_back({planned_model(loaded, options_of(p)), {}});
            together.push_back(&candidates.back().planned);
        }
    }
    std::vector<ModelUnits> units = units_of_models(together, options_, objects_->path(), {});
    auto next = units.begin();
    for (size_t f = file; f < compiled_; f++) {
        for (Candidate &candidate : candidates_[f]) {
            candidate.units = std::move(*next++);
        }
    }
}

LoadedNetwork ComparedModels::open(size_t file, size_t policy, CompileReport *report) {
    if (file >= compiled_) {
        compile_from(file);
    }
    const Candidate candidate = std::exchange(candidates_[file][policy], {});
    assert(!candidate.planned.networks.empty());
    return LoadedNetwork::link(candidate.planned, candidate.units, options_of(policy), report);
}

}  // namespace emulsion
