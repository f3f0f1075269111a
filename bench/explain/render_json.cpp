#include "bench/explain/render.h"

#include <cmath>

namespace emulsion {

namespace {

Json to_json(const std::vector<Margin> &margins) {
    Json json = Json::array();
    for (const Margin &margin : margins) {
        json.push_back({margin.before, margin.after});
    }
    return json;
}

Json to_json(const Layout &layout) {
    Json json = {{"order", layout.order}};
    if (layout.has_halo()) {
        json["halo"] = to_json(layout.halo);
        json["fill"] = std::isfinite(layout.fill) ? Json(layout.fill) : Json("lowest");
    }
    if (layout.has_surroundings()) {
        json["around"] = to_json(layout.around);
    }
    if (layout.block_axis >= 0) {
        json["block_axis"] = layout.block_axis;
        json["block"] = layout.block;
    }
    return json;
}

Json to_json(const Nest &nest) {
    return {{"template", nest.template_name}, {"parameters", nest.parameters}};
}

Json to_json(const ExplainedTensor &tensor) {
    Json json = {{"name", tensor.name},
                 {"type", tensor.type},
                 {"shape", tensor.shape},
                 {"layout", to_json(tensor.layout)},
                 {"storage", tensor.storage},
                 {"bytes", tensor.bytes},
                 {"allocated_bytes", tensor.allocated}};
    if (!tensor.view_of.empty()) {
        json["view_of"] = tensor.view_of;
    }
    return json;
}

Json to_json(const ExplainedGroup &group, const std::vector<ExplainedOperator> &operators) {
    const auto name = [&](int op) { return operators[static_cast<size_t>(op)].name; };
    Json members = Json::array(), placement = Json::array(), inputs = Json::array();
    for (const int member : group.members) {
        members.push_back(name(member));
    }
    for (const ExplainedPlacement &place : group.placement) {
        placement.push_back(
            {{"operator", name(place.op)}, {"part", place.part}, {"placement", place.placement}});
    }
    for (const ExplainedTensor &input : group.inputs) {
        inputs.push_back(to_json(input));
    }
    Json json = {{"kind", group.kind},
                 {"members", members},
                 {"placement", placement},
                 {"predicted_ms", group.predicted_ms},
                 {"label", group.label},
                 {"inputs", inputs},
                 {"output", to_json(group.output)}};
    Json nests = Json::array();
    for (const ExplainedNest &nest : group.nests) {
        if (!nest.nest.empty()) {
            nests.push_back(to_json(nest.nest));
            nests.back()["members"] = Json::array();
            for (const int member : nest.members) {
                nests.back()["members"].push_back(name(member));
            }
        }
    }
    if (!nests.empty()) {
        json["nest"] = to_json(group.nests.back().nest);
        json["nests"] = nests;
    }
    if (group.measured_ms > 0.0) {
        json["measured_ms"] = group.measured_ms;
    }
    if (group.launched()) {
        json["launch"] = group.launch;
        json["unit"] = group.unit;
        json["bytes_read"] = group.work.bytes_read;
        json["bytes_written"] = group.work.bytes_written;
        json["multiply_adds"] = group.work.multiply_adds;
    }
    return json;
}

// Of an edge between two groups.
Json to_json(const ExplainedEdge &edge, const std::vector<ExplainedOperator> &operators) {
    const auto name = [&](int op) { return operators[static_cast<size_t>(op)].name; };
    Json json = {{"producer", name(edge.producer)},
                 {"consumer", name(edge.consumer)},
                 {"producer_group", edge.from},
                 {"consumer_group", edge.to},
                 {"tensor", edge.tensor},
                 {"type", edge.type},
                 {"shape", edge.shape},
                 {"bytes", edge.bytes},
                 {"reason", edge.reason}};
    if (edge.conversion >= 0) {
        json["converted_by"] = edge.conversion;
    }
    return json;
}

Json to_json(const KernelReport &kernel) {
    const InstructionMix &loop = kernel.code.hottest;
    return {{"group", kernel.launch},
            {"chip", kernel.chip},
            {"kernel", kernel.code.kernel},
            {"threads", kernel.threads},
            {"vgprs", kernel.vector_registers},
            {"sgprs", kernel.scalar_registers},
            {"lds_bytes", kernel.lds_bytes},
            {"waves_per_simd", kernel.waves},
            {"most_waves_per_simd", kernel.most_waves},
            {"in_loop", kernel.code.hottest_is_loop},
            {"multiply_adds", loop.multiply_adds()},
            {"fma_share", loop.fma_share()},
            {"fma_share_of_kernel", kernel.code.whole.fma_share()},
            {"instructions", loop.instructions},
            {"global_loads", loop.global_loads},
            {"lds_loads", loop.lds_loads},
            {"scalar_loads", loop.scalar_loads}};
}

Json to_json(const ExplainedOperator &op) {
    return {{"name", op.name},
            {"type", op.type},
            {"mapping", op.mapping},
            {"implementation", op.implementation},
            {"multiply_adds", op.multiply_adds},
            {"group", op.group()},
            {"groups", op.groups}};
}

Json to_json(const ExplainedChoice &choice) {
    return {{"operator", choice.name},
            {"type", choice.type},
            {"implementation", choice.implementation},
            {"alone_ms", choice.alone_ms}};
}

Json to_json(const ExplainedDuplication &duplication,
             const std::vector<ExplainedOperator> &operators) {
    Json members = Json::array();
    for (const int member : duplication.members) {
        members.push_back(operators[static_cast<size_t>(member)].name);
    }
    return {{"operators", members}, {"predicted_won_ms", duplication.predicted_won_ms}};
}

template<typename Items, typename... Others>
Json list_of(const Items &items, const Others &...others) {
    Json list = Json::array();
    for (const auto &item : items) {
        list.push_back(to_json(item, others...));
    }
    return list;
}

}  // namespace

Json to_json(const Explanation &explanation) {
    const Json kernels = list_of(explanation.kernels);
    const Json operators = list_of(explanation.operators);
    const Json choices = list_of(explanation.choices);
    const Json groups = list_of(explanation.groups, explanation.operators);
    const Json duplications = list_of(explanation.duplications, explanation.operators);
    Json edges = Json::array();
    for (const ExplainedEdge &edge : explanation.edges) {
        if (edge.between_groups()) {
            edges.push_back(to_json(edge, explanation.operators));
        }
    }
    Json refusals = Json::array();
    for (const Refusal &refusal : explanation.refusals) {
        refusals.push_back({{"producer", refusal.producer},
                            {"consumer", refusal.consumer},
                            {"reason", refusal.reason}});
    }
    Json json = {{"model", explanation.model},
                 {"target", explanation.target},
                 {"policy", explanation.policy},
                 {"threads", explanation.threads},
                 {"operator_count", explanation.operator_count},
                 {"launched_groups", explanation.launched},
                 {"fusion_ratio", explanation.fusion_ratio()},
                 {"units", explanation.units},
                 {"bytes_moved", explanation.bytes_moved},
                 {"multiply_adds", explanation.multiply_adds},
                 {"arena_bytes", explanation.arena_bytes},
                 {"live_bytes", explanation.live_bytes},
                 {"weights_bytes", explanation.weights_bytes},
                 {"proven_optimal", explanation.search.proven_optimal},
                 {"search_states", explanation.search.states},
                 {"search_groups", explanation.search.groups},
                 {"duplication_tries", explanation.search.duplication_tries},
                 {"layouts", explanation.search.layouts},
                 {"predicted_ms", explanation.predicted_ms},
                 {"operators", operators},
                 {"choices", choices},
                 {"groups", groups},
                 {"edges", edges},
                 {"duplications", duplications},
                 {"kernels", kernels},
                 {"refusals", refusals}};
    if (explanation.is_measured()) {
        json["measured_ms"] = explanation.measured_ms;
        json["profile"] = explanation.profile;
    }
    return json;
}

}  // namespace emulsion
