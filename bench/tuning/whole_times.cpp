#include "bench/tuning/whole_times.h"

#include <fmt/format.h>

#include "bench/compare.h"
#include "bench/network_inputs.h"
#include "bench/statistics.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

void require_same(const std::vector<Array> &outputs, const std::vector<Array> &expected,
                  const std::string &file) {
    for (size_t i = 0; i < outputs.size(); i++) {
        const Difference difference = compare(outputs[i], expected[i]);
        if (!difference.passes()) {
            throw failure(fmt::format("tuned, output {} is wrong by {} times the bound; nothing "
                                      "was written",
                                      i, difference.worst_ratio),
                          {.file = file});
        }
    }
}

}  // namespace

std::vector<Array> same_inputs(std::vector<LoadedNetwork> &networks, const std::string &file) {
    std::vector<Array> inputs = NetworkInputs(networks.front().artifact(), {}, 1).make(0);
    const std::vector<Array> expected = networks.front().run(inputs);
    for (size_t i = 1; i < networks.size(); i++) {
        require_same(networks[i].run(inputs), expected, file);
    }
    return inputs;
}

std::vector<double> medians_in_turns(std::vector<LoadedNetwork> &networks, const Effort &effort,
                                     const std::string &file, Progress &progress) {
    const std::vector<Array> inputs = same_inputs(networks, file);
    std::vector<double> medians;
    for (const std::vector<double> &times : measure(networks, inputs, effort, progress).times) {
        medians.push_back(summarise(times).median);
    }
    return medians;
}

}  // namespace emulsion
