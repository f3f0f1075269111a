#include "backend/manifest.h"

#include <Halide.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backend/files.h"
#include "backend/launch_work.h"
#include "frontend/graph/value_bounds.h"
#include "frontend/lower/nest_predictor.h"
#include "frontend/lower/tuned_nests.h"
#include "fusion/json_document.h"

namespace emulsion {

using nlohmann::json;

namespace {

json tensors(const Graph &graph, const std::vector<TensorId> &ids) {
    json list = json::array();
    for (TensorId id : ids) {
        const Tensor &tensor = graph.tensor(id);
        list.push_back(
            {{"name", tensor.name}, {"type", to_string(tensor.type)}, {"shape", tensor.extents()}});
    }
    return list;
}

// With the integers that the uses of each allow, where there are bounds.
json input_tensors(const Graph &graph, const std::vector<TensorId> &ids) {
    json list = tensors(graph, ids);
    const std::vector<ValueBounds> all = value_bounds(graph);
    for (size_t i = 0; i < ids.size(); i++) {
        const ValueBounds &bounds = all[static_cast<size_t>(ids[i])];
        if (!bounds.empty() && (bounds.has_low() || bounds.has_high())) {
            list[i]["values"] = {{"low", bounds.has_low() ? json(bounds.low) : json()},
                                 {"high", bounds.has_high() ? json(bounds.high) : json()}};
        }
    }
    return list;
}

json launches(const Program &program, const std::vector<LaunchWork> &work) {
    json list = json::array();
    for (size_t i = 0; i < program.launches.size(); i++) {
        list.push_back({{"label", program.launches[i].label},
                        {"unit", program.launches[i].unit},
                        {"bytes_read", work[i].bytes_read},
                        {"bytes_written", work[i].bytes_written},
                        {"multiply_adds", work[i].multiply_adds}});
    }
    return list;
}

// What networks of one artifact differ in.
json describe(const ManifestNetwork &network) {
    return {{"target", network.planned.target},
            {"launches", launches(network.program, launch_work(network.planned))},
            {"arena_bytes", network.program.arena_bytes},
            {"live_bytes", network.program.live_bytes},
            {"operators", network.planned.operator_count},
            {"plan", json::parse(to_json(network.planned.plan))},
            {"plan_hash", plan_hash(network.planned.plan)}};
}

}  // namespace

std::string plan_hash(const Plan &plan) { return hash_hex(to_json(plan)); }

std::string halide_version() {
    return fmt::format("{}.{}.{}", HALIDE_VERSION_MAJOR, HALIDE_VERSION_MINOR,
                       HALIDE_VERSION_PATCH);
}

std::string manifest(const Graph &graph, std::span<const ManifestNetwork> networks,
                     const CompileOptions &options, const ManifestInputs &inputs) {
    const Program &program = networks[0].program;
    json root = {
        {"emulsion", {{"version", EMULSION_VERSION}}},
        {"halide", halide_version()},
        {"llvm", Halide::Internal::get_llvm_version()},
        {"name", inputs.name},
        {"machine", nullptr},    // constants from a calibration file, when one is given
        {"tuned", nullptr},      // loop nests that were found by measuring, when some are given
        {"predicted", nullptr},  // loop nests that a predictor has picked, where it was asked
        {"inputs", input_tensors(graph, program.inputs)},
        {"outputs", tensors(graph, program.outputs)},
        {"units", inputs.unit_hashes},
        {"weights", {{"bytes", program.weights_bytes}, {"hash", hash_hex(inputs.weights)}}},
        {"library_hash", inputs.library_hash},
        {"archive_hash", inputs.archive_hash},
        {"options",
         {{"policy", options.plan.policy},
          {"threads", options.plan.threads},
          {"exact", options.plan.exact},
          {"checked", options.plan.checked},
          {"disabled_passes", options.disabled_passes}}},
    };
    if (options.plan.tuned) {
        root["tuned"] = {{"hash", hash_hex(to_json(*options.plan.tuned))},
                         {"groups", networks[0].planned.tuned_groups}};
    }
    if (options.plan.predictor) {
        root["predicted"] = {{"hash", options.plan.predictor->hash()},
                             {"groups", networks[0].planned.predicted_groups}};
    }
    root.update(describe(networks[0]));
    if (networks.size() > 1) {
        root["fallback"] = describe(networks[1]);
    }
    return json_document("emulsion-manifest", root);
}

}  // namespace emulsion
