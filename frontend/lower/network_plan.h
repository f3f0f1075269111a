// The plan of a network as a document: which model it is of, for which machine, and the plan (schema
// emulsion-network-plan; docs/json.md).
#pragma once

#include <string>

#include "frontend/lower/network.h"

namespace emulsion {

// That a plan may be for: as many as the runtime starts (runtime/thread_pool.cpp).
constexpr int kMostThreads = 256;

// `graph` is what `network` was planned from, with `options`.
std::string network_plan_document(const Graph &graph, const PlannedNetwork &network,
                                  const PlanOptions &options);

// The options with which plan_network makes the plan again, of a graph of the same structure. `file` is what messages
// call the text. Throws Error for anything that network_plan_document would not have written.
PlanOptions options_from_plan(const std::string &text, const std::string &file);

}  // namespace emulsion
