#include "frontend/lower/unit.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "frontend/lower/network.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

using nlohmann::json;

PlannedNetwork planned_units(const Graph &graph, const std::string &target = "x86-64-linux",
                             bool checked = false) {
    PlanOptions options;
    options.policy = "tvm";  // whose groups do not depend on prices
    options.target = target;
    options.checked = checked;
    options.exact = true;  // every convolution is one operator
    return plan_network(graph, options);
}

// Two equal layers, another one, and a pool between.
Graph some_network(uint64_t seed, bool with_head) {
    NetworkMaker m(seed);
    TensorId x = m.input({1, 16, 12, 12});
    if (with_head) {
        x = m.conv(m.unary("Relu", x), {.channels = 16, .kernel = 1});
    }
    for (int i = 0; i < 2; i++) {
        x = m.unary("Relu", m.conv(x, {.channels = 16, .kernel = 3, .padding = 1}));
    }
    x = m.pool("MaxPool", x, 3, 1, 1);
    m.clip(m.conv(x, {.channels = 5, .kernel = 3}), 0.0, 6.0);
    return m.finish_all();
}

Unit unit_of(const PlannedNetwork &network, const std::string &label) {
    for (const PlannedLaunch &launch : network.launches) {
        if (launch.label == label) {
            return launch.unit;
        }
    }
    ADD_FAILURE() << "no launch " << label;
    return {};
}

json some_unit() {
    return json::parse(to_json(unit_of(planned_units(some_network(1, false)), "Conv_0+Relu_1")));
}

// Whether `j` is a unit; throws whatever is no Error.
bool is_unit(const json &j) {
    try {
        unit_from_json(j.dump());
        return true;
    } catch (const Error &) {
        return false;
    }
}

void expect_refused(const json &j, const std::string &why) { EXPECT_FALSE(is_unit(j)) << why; }

void collect(const json &j, const json::json_pointer &at, std::vector<json::json_pointer> &paths) {
    paths.push_back(at);
    if (j.is_object()) {
        for (const auto &[key, value] : j.items()) {
            collect(value, at / key, paths);
        }
    } else if (j.is_array()) {
        for (size_t i = 0; i < j.size(); i++) {
            collect(j[i], at / i, paths);
        }
    }
}

}  // namespace

TEST(Units, TextGivesTheUnitBack) {
    for (const PlannedLaunch &launch : planned_units(some_network(1, true)).launches) {
        const std::string text = to_json(launch.unit);
        const Unit back = unit_from_json(text);
        EXPECT_EQ(text, to_json(back)) << launch.label;
        EXPECT_EQ(unit_key(launch.unit), unit_key(back));
        EXPECT_EQ(launch.unit.plan, back.plan);
        EXPECT_EQ(launch.unit.output.layout, back.output.layout);
    }
}

// Other weights, other names, another place in another network.
TEST(Units, EqualGroupsOfTwoNetworksHaveEqualKeys) {
    const PlannedNetwork one = planned_units(some_network(1, false));
    const PlannedNetwork other = planned_units(some_network(2, true));
    EXPECT_EQ(unit_key(unit_of(one, "Conv_2+Relu_3")), unit_key(unit_of(other, "Conv_4+Relu_5")));
    EXPECT_EQ(unit_key(unit_of(one, "MaxPool_4")), unit_key(unit_of(other, "MaxPool_6")));
}

TEST(Units, WhatCodeDependsOnIsInTheKey) {
    const Unit unit = unit_of(planned_units(some_network(1, false)), "Conv_0+Relu_1");
    const std::string key = unit_key(unit);
    EXPECT_EQ(33U, key.size());
    EXPECT_EQ('u', key[0]);
    const auto differs = [&](auto change) {
        Unit changed = unit;
        change(changed);
        EXPECT_NE(key, unit_key(changed));
    };
    differs([](Unit &u) { u.checked = true; });
    differs([](Unit &u) { u.target = "x86-64-linux-avx2"; });
    differs([](Unit &u) { u.output.layout.order = {0, 1, 2, 3}; });
    differs([](Unit &u) { u.inputs[0].layout.halo[2].before++; });
    differs([](Unit &u) { u.plan.groups[0].members[0].nest.parameters["width"]++; });
    differs([](Unit &u) { u.graph.nodes[0].attributes["group"] = int64_t{2}; });
    EXPECT_NE(key, unit_key(unit_of(planned_units(some_network(1, false), "x86-64-linux", true),
                                    "Conv_0+Relu_1")));
}

TEST(Units, CarryNoWeights) {
    for (const PlannedLaunch &launch : planned_units(some_network(1, true)).launches) {
        EXPECT_LT(to_json(launch.unit).size(), 8000U) << launch.label;
    }
}

TEST(Units, TextThatIsNoUnitIsRefused) {
    for (const char *text : {"", "null", "{}", "[1]", "{\"graph\": 3}"}) {
        EXPECT_THROW(unit_from_json(text), Error) << text;
    }
}

TEST(Units, ArgumentsHaveToFitTheGraph) {
    const json good = some_unit();
    ASSERT_TRUE(is_unit(good));
    json j = good;
    j["inputs"].erase(0);
    expect_refused(j, "an argument is missing");
    j = good;
    j["inputs"].push_back(j["inputs"][0]);
    expect_refused(j, "an argument too many");
    j = good;
    std::swap(j["inputs"][0], j["inputs"][1]);
    expect_refused(j, "arguments in another order than the graph's");
    j = good;
    j["output"] = j["inputs"][0];
    expect_refused(j, "an output that is none");
    for (int bad : {-1, 1000}) {
        j = good;
        j["inputs"][0]["tensor"] = bad;
        expect_refused(j, "a tensor that is not there");
    }
    j = good;
    j["inputs"][0]["layout"] = {{"order", {0, 1}}};
    expect_refused(j, "a layout of another rank");
    j = good;
    j["plan"]["groups"] = json::array();
    expect_refused(j, "no group");
}

TEST(Units, GraphsHaveToBeConsistent) {
    const json good = some_unit();
    json j = good;
    j["graph"]["nodes"][0]["inputs"][0] = 1000;
    expect_refused(j, "an operand that is not there");
    j = good;
    std::swap(j["graph"]["nodes"][0], j["graph"]["nodes"][1]);
    expect_refused(j, "not in topological order");
    j = good;
    j["graph"]["tensors"][0]["type"] = "f7";
    expect_refused(j, "an unknown type");
    j = good;
    j["graph"]["tensors"][0]["constant"] = "0g";
    expect_refused(j, "a constant that is not hexadecimal");
    j = good;
    j["graph"]["tensors"][0]["constant"] = "00";
    expect_refused(j, "a constant of another size");
    j = good;
    j["graph"]["nodes"][0]["attributes"]["group"] = {17, 1};
    expect_refused(j, "an attribute of an unknown kind");
}

// Whatever one value of the text is replaced by, or if it is missing: an Error or a unit, no crash.
TEST(Units, EveryFieldSurvivesEveryWrongType) {
    const json good = some_unit();
    std::vector<json::json_pointer> paths;
    collect(good, json::json_pointer(), paths);
    const json wrong[] = {nullptr,       true,          -7, 3000000000, 0.5, "text",
                          json::array(), json::object()};
    for (const auto &path : paths) {
        for (const json &value : wrong) {
            json j = good;
            j[path] = value;
            is_unit(j);
        }
        if (!path.empty() && good[path.parent_pointer()].is_object()) {
            json j = good;
            j[path.parent_pointer()].erase(path.back());
            is_unit(j);
        }
    }
}

}  // namespace emulsion::test
