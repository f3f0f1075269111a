// Candidates that are pipelines in libraries: outputs of the first are what all are to compute.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/classics/library.h"
#include "bench/tuning/candidate_trial.h"

namespace emulsion::classics {

class LibraryCalls : public CandidateCalls {
public:
    // Files, which are loaded when they are called first.
    explicit LibraryCalls(const std::vector<std::string> &libraries);

    double run(size_t candidate) override;
    std::string check(size_t candidate) override;
    void take_other_memory() override;

private:
    Library &loaded(size_t candidate);

    const std::vector<std::string> libraries_;
    std::map<size_t, Library> loaded_;
    std::unique_ptr<Arguments> arguments_;  // one set of buffers for all
    std::vector<Halide::Runtime::Buffer<>> expected_;
};

// How pipelines are tried: their runs take long, and there are many of them.
TrialOptions library_trial();

}  // namespace emulsion::classics
