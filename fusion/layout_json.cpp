#include "fusion/layout_json.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/strict_json.h"

namespace emulsion {

using nlohmann::json;

namespace {

json margins_to_json(const std::vector<Margin> &margins) {
    json j = json::array();
    for (const Margin &m : margins) {
        j.push_back({m.before, m.after});
    }
    return j;
}

std::vector<Margin> margins_from_json(const json &j, size_t rank) {
    require_list(j);
    std::vector<Margin> margins;
    for (const json &m : j) {
        if (!m.is_array() || m.size() != 2) {
            throw Error("the plan has a margin that is no pair");
        }
        margins.push_back({whole<int64_t>(m[0]), whole<int64_t>(m[1])});
        if (margins.back().before < 0 || margins.back().after < 0) {
            throw Error("the plan has a negative margin");
        }
    }
    if (margins.size() != rank) {
        throw Error("the plan has a halo that does not fit its axes");
    }
    return margins;
}

double fill_from_json(const json &j) {
    if (j == "lowest") {
        return -std::numeric_limits<double>::infinity();
    }
    if (!j.is_number()) {
        throw Error("the plan has the fill " + j.dump() + "; accepted are numbers and \"lowest\"");
    }
    return j.get<double>();
}

}  // namespace

json layout_to_json(const Layout &layout) {
    json j = {{"order", layout.order}};
    if (layout.has_halo()) {
        j["halo"] = margins_to_json(layout.halo);
        // JSON has no infinities; the lowest value is what max pooling pads with.
        j["fill"] = layout.fill < -1e300 ? json("lowest") : json(layout.fill);
    }
    if (layout.has_surroundings()) {
        j["around"] = margins_to_json(layout.around);
    }
    if (layout.block_axis >= 0) {
        j["block"] = {{"axis", layout.block_axis}, {"size", layout.block}};
    }
    return j;
}

std::vector<int> order_from_json(const json &j) {
    const std::vector<int> order = indices(j);
    std::vector<int> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < sorted.size(); i++) {
        if (sorted[i] != static_cast<int>(i)) {
            throw Error("the plan has a layout whose order is no permutation of its axes");
        }
    }
    return order;
}

Layout layout_from_json(const json &j) {
    Layout layout;
    layout.order = order_from_json(j.at("order"));
    if (j.contains("halo")) {
        layout.halo = margins_from_json(j.at("halo"), layout.order.size());
        layout.fill = fill_from_json(j.at("fill"));
    }
    if (j.contains("around")) {
        layout.around = margins_from_json(j.at("around"), layout.order.size());
    }
    if (j.contains("block")) {
        layout.block_axis = whole<int>(j.at("block").at("axis"));
        layout.block = whole<int64_t>(j.at("block").at("size"));
        if (layout.block < 1 || layout.block_axis < 0 ||
            layout.block_axis >= static_cast<int>(layout.order.size()) ||
            layout.margin(layout.block_axis) != Margin{}) {
            throw Error("the plan has a layout with an impossible block");
        }
    }
    return layout;
}

}  // namespace emulsion
