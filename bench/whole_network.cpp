#include "bench/whole_network.h"

#include <utility>

#include "bench/network_inputs.h"
#include "bench/statistics.h"

namespace emulsion {

WholeNetwork::WholeNetwork(const PlannedModel &planned, const CompileOptions &options)
    : network_(LoadedNetwork::compile(planned, options)),
      inputs_(NetworkInputs(network_.artifact(), {}, 1).make(0)),
      outputs_(empty_outputs(network_.artifact())) {}

void WholeNetwork::take_other_memory() { emulsion::take_other_memory({&network_, 1}, random_); }

void WholeNetwork::run() {
    const std::vector<const void *> from = addresses(std::as_const(inputs_));
    network_.artifact().run(from, addresses(outputs_));
    runs_.push_back(record_run(network_.artifact(), from, addresses(outputs_)));
}

std::vector<double> WholeNetwork::launch_ms(size_t launch) const {
    std::vector<double> times;
    for (const RecordedRun &run : runs_) {
        times.push_back(1e3 * (run.launch_seconds[launch] - run.fill_seconds[launch]));
    }
    return times;
}

double WholeNetwork::fill_ms(size_t launch) const {
    std::vector<double> times;
    for (const RecordedRun &run : runs_) {
        times.push_back(1e3 * run.fill_seconds[launch]);
    }
    return summarise(std::move(times)).median;
}

}  // namespace emulsion
