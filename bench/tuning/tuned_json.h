// A tuned network as JSON: the content of emulsion-tune (docs/json.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench/json_file.h"
#include "bench/tuning/tune_network.h"

namespace emulsion {

// What a model looks at (Model::importances).
Json importances_json(const std::vector<std::pair<std::string, double>> &importances);

// `model` as it was given; planned for so many threads; searched as `session` says.
Json tuned_json(const TunedNetwork &tuned, const std::string &model, int threads,
                const SessionOptions &session);

}  // namespace emulsion
