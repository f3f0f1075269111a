// Candidates that run in their network: a group of a GPU can't be called by itself.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/planned_model.h"
#include "bench/loaded_network.h"
#include "bench/tuning/candidate_trial.h"
#include "bench/tuning/same_output.h"

namespace emulsion {

// The whole network runs at every call; what counts is the launch of the group that is tuned.
class NetworkCalls : public CandidateCalls {
public:
    // Of the launches of `problem` in `planned`, candidate `i` with `nests[i]`; of the first launch, output and time. Takes
    // the units from the cache of `options`, where they have to be. Throws Error where there is no GPU.
    NetworkCalls(const PlannedModel &planned, const CompileOptions &options,
                 const std::string &problem, const std::vector<Nest> &nests,
                 const std::vector<size_t> &alive);

    double run(size_t candidate) override;
    std::string check(size_t candidate) override;

private:
    std::map<size_t, LoadedNetwork> networks_;
    std::vector<Array> inputs_, outputs_;
    SameOutput same_;
    int launch_ = 0;
};

}  // namespace emulsion
