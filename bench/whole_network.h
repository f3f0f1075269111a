// Runs of a whole network beside those of its units: how long every launch takes there.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "bench/loaded_network.h"
#include "bench/trace.h"

namespace emulsion {

struct CompileOptions;
struct PlannedModel;

class WholeNetwork {
public:
    // Compiles it; it is run on random inputs. Throws Error.
    WholeNetwork(const PlannedModel &planned, const CompileOptions &options);

    // Other memory for weights and values.
    void take_other_memory();
    // One run that fills the caches, and one that counts.
    void run();
    // Milliseconds of a launch without filling the halo of its result, of all runs that count.
    std::vector<double> launch_ms(size_t launch) const;
    // Median milliseconds that the launch spends on filling halos.
    double fill_ms(size_t launch) const;

private:
    LoadedNetwork network_;
    std::vector<Array> inputs_, outputs_;
    std::vector<RecordedRun> runs_;
    std::mt19937 random_;
};

}  // namespace emulsion
