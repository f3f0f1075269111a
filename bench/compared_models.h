// Models under several policies, to be compared with each other: the units of all of them are compiled together,
// equal ones once, by one pool of worker processes that stays busy until the last unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/built_model.h"
#include "backend/compiler.h"
#include "bench/loaded_network.h"
#include "bench/shared_units.h"

namespace emulsion {

class Progress;

class ComparedModels {
public:
    // Models are in memory together until their weights take as much.
    static constexpr int64_t kWeightsTogether = int64_t{1} << 30;

    // Nothing is done yet. `options` say what all have in common, and how units are compiled.
    ComparedModels(std::vector<std::string> files, std::vector<std::string> policies,
                   const CompileOptions &options, Progress &progress,
                   int64_t weights_together = kWeightsTogether);
    ~ComparedModels();
    ComparedModels(const ComparedModels &) = delete;
    ComparedModels &operator=(const ComparedModels &) = delete;

    const std::vector<std::string> &files() const { return files_; }
    const std::vector<std::string> &policies() const { return policies_; }
    // How many of the files were compiled until now.
    size_t compiled() const { return compiled_; }

    // Network `policy` of model `file`, linked and loaded; what was made goes to `report`, where there is one. Once
    // for each, in order: what it was made from is not kept. Where the model is not compiled yet, it is now, and with
    // it those after it until their weights take too much. Throws Error; of units that fail, where they are the
    // network's own.
    LoadedNetwork open(size_t file, size_t policy, CompileReport *report = nullptr);

private:
    // A model under one policy.
    struct Candidate {
        PlannedModel planned;
        ModelUnits units;
    };

    CompileOptions options_of(size_t policy) const;
    void compile_from(size_t file);

    std::vector<std::string> files_, policies_;
    CompileOptions options_;
    SharedUnits shared_;  // by what is not compiled together
    Progress &progress_;
    int64_t weights_together_;
    std::unique_ptr<TemporaryFolder> objects_;
    std::vector<std::vector<Candidate>> candidates_;  // by file and policy; empty before and after
    size_t compiled_ = 0;
};

}  // namespace emulsion
