#include "bench/explain/annotated_model.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "bench/user_files.h"
#include "frontend/onnx/write_model.h"

namespace emulsion {

namespace {

// The loop nest that the group computes operator `op` in.
std::string loop_nest(const ExplainedGroup &group, int op) {
    for (const ExplainedNest &nest : group.nests) {
        if (std::find(nest.members.begin(), nest.members.end(), op) != nest.members.end() &&
            !nest.nest.empty()) {
            return describe(nest.nest);
        }
    }
    return "none";
}

// By node of `graph`: the operators that compute it, several where its implementation is several: these are called
// NODE/IMPLEMENTATION/PART.
std::vector<std::vector<int>> operators_of(const Graph &graph, const Explanation &explanation) {
    std::map<std::string, size_t> node_named;
    for (size_t i = 0; i < graph.nodes.size(); i++) {
        node_named.emplace(graph.nodes[i].name, i);
    }
    std::vector<std::vector<int>> operators(graph.nodes.size());
    for (size_t op = 0; op < explanation.operators.size(); op++) {
        std::string name = explanation.operators[op].name;
        for (int parts = 0; parts < 2 && node_named.count(name) == 0; parts++) {
            name.resize(std::min(name.size(), name.rfind('/')));
        }
        operators.at(node_named.at(name)).push_back(static_cast<int>(op));
    }
    return operators;
}

// Of a node that these operators compute: groups of all, and the rest of the last one.
Metadata metadata_of(const Explanation &explanation, const std::vector<int> &operators) {
    if (operators.empty()) {
        return {};
    }
    const int op = operators.back();
    const int index = explanation.operators[static_cast<size_t>(op)].group();
    const ExplainedGroup &group = explanation.groups[static_cast<size_t>(index)];
    const std::string placement = describe_placement(group, op);
    std::string numbers;
    for (const int each : operators) {
        for (const int other : explanation.operators[static_cast<size_t>(each)].groups) {
            numbers += (numbers.empty() ? "" : ", ") +
                       explanation.groups[static_cast<size_t>(other)].number();
        }
    }
    return {{"emulsion.group", numbers},
            {"emulsion.group_label", group.label},
            {"emulsion.placement", placement.empty() ? "none" : placement},
            {"emulsion.loop_nest", loop_nest(group, op)}};
}

Metadata metadata_of(const Explanation &explanation) {
    return {{"emulsion.policy", explanation.policy},
            {"emulsion.target", explanation.target},
            {"emulsion.operators", fmt::format("{}", explanation.operator_count)},
            {"emulsion.groups", fmt::format("{}", explanation.launched)}};
}

}  // namespace

void write_annotated_model(const Graph &graph, const Explanation &explanation,
                           const std::string &path) {
    std::vector<Metadata> nodes;
    for (const std::vector<int> &operators : operators_of(graph, explanation)) {
        nodes.push_back(metadata_of(explanation, operators));
    }
    const std::string data_path = path + ".data";
    const SerializedModel model =
        serialize_model(graph, nodes, metadata_of(explanation),
                        std::filesystem::path(data_path).filename().string());
    if (!model.data.empty()) {
        write_whole_file(data_path, model.data);
    }
    try {
        write_whole_file(path, model.model);
    } catch (const Error &) {
        std::error_code code;
        if (!model.data.empty()) {
            std::filesystem::remove(data_path, code);
        }
        throw;
    }
}

}  // namespace emulsion
