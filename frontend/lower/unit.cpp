#include "frontend/lower/unit.h"

#include <nlohmann/json.hpp>

#include "frontend/lower/graph_json.h"
#include "fusion/hash_hex.h"

namespace emulsion {

using nlohmann::json;

namespace {

// Part of every key: units of another version or another Halide are other units. (The cache itself
// keeps builds of one version apart.)
constexpr const char *kCompilerVersion = EMULSION_VERSION "/halide-" EMULSION_HALIDE_VERSION;

// The layout of a tensor in the form plans have it.
json layout_json(const Layout &layout) {
    Plan carrier;
    carrier.values.push_back({"", layout, -1});
    return json::parse(to_json(carrier)).at("values").at(0).at("layout");
}

Layout layout_of(const json &j) {
    const json carrier = {
        {"policy", ""}, {"values", {{{"name", ""}, {"layout", j}}}}, {"groups", json::array()}};
    return plan_from_json(carrier.dump()).values.at(0).layout;
}

json argument_json(const UnitArgument &argument) {
    return {{"tensor", argument.tensor}, {"layout", layout_json(argument.layout)}};
}

UnitArgument argument_of(const json &j, const Graph &graph) {
    UnitArgument argument{j.at("tensor").get<TensorId>(), layout_of(j.at("layout"))};
    if (argument.tensor < 0 || static_cast<size_t>(argument.tensor) >= graph.tensors.size() ||
        argument.layout.order.size() != graph.tensor(argument.tensor).shape.size()) {
        throw Error("an argument of the unit does not fit its tensors");
    }
    return argument;
}

// Arguments are the graph's inputs and its one output, in order, and there is a plan for it.
void check_arguments(const Unit &unit) {
    std::vector<TensorId> inputs;
    for (const UnitArgument &input : unit.inputs) {
        inputs.push_back(input.tensor);
    }
    if (inputs != unit.graph.inputs ||
        unit.graph.outputs != std::vector<TensorId>{unit.output.tensor}) {
        throw Error("the arguments of the unit are not those of its graph");
    }
    if (unit.plan.groups.size() != 1) {
        throw Error("the plan of the unit has not exactly one group");
    }
}

}  // namespace

std::string to_json(const Unit &unit) {
    json j = {{"graph", graph_to_json(unit.graph)},
              {"inputs", json::array()},
              {"output", argument_json(unit.output)},
              {"plan", json::parse(to_json(unit.plan))},
              {"target", unit.target},
              {"chips", unit.chips},
              {"checked", unit.checked}};
    for (const UnitArgument &input : unit.inputs) {
        j["inputs"].push_back(argument_json(input));
    }
    return j.dump();
}

Unit unit_from_json(const std::string &text) {
    try {
        const json j = json::parse(text);
        Unit unit;
        unit.graph = graph_from_json(j.at("graph"));
        for (const json &input : j.at("inputs")) {
            unit.inputs.push_back(argument_of(input, unit.graph));
        }
        unit.output = argument_of(j.at("output"), unit.graph);
        unit.plan = plan_from_json(j.at("plan").dump());
        unit.target = j.at("target").get<std::string>();
        unit.chips = j.at("chips").get<std::vector<std::string>>();
        unit.checked = j.at("checked").get<bool>();
        check_arguments(unit);
        return unit;
    } catch (const json::exception &e) {
        throw Error(std::string("the compilation unit is not valid: ") + e.what());
    }
}

std::string unit_key(const Unit &unit) {
    return "u" + hash_hex(to_json(unit) + "\n" + kCompilerVersion);
}

}  // namespace emulsion
