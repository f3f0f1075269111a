// The parameters of gpu_tile.h: which values they may have, and which an operator is offered.
#include <algorithm>

#include "autoscheduler/templates/support/gpu_tile.h"
#include "autoscheduler/templates/support/parameters.h"
#include "fusion/gpu.h"

namespace emulsion {

namespace {

using Rule = NestConstraint::Rule;

// Elements of a tile, all unrolled, and iterations of a loop; and both together.
constexpr int64_t kMostTile = 128;
constexpr int64_t kMostUnrolled = 64;
constexpr int64_t kMostOperations = 512;
// The same with a window that is unrolled as well: Halide needs a minute for nine taps of fifty elements.
constexpr int64_t kMostOfWindow = 144;
// Of a workgroup's threads. The columns are always one of the axes.
constexpr int64_t kMostOtherThreadAxes = 2;

std::vector<std::string> numbered_all(const char *name, int rank) {
    std::vector<std::string> names;
    for (int axis = 0; axis < rank; axis++) {
        names.push_back(numbered(name, static_cast<size_t>(axis)));
    }
    return names;
}

// Where the window is unrolled, the product of `unrolled` and its taps is limited, but to no less than what is offered.
void limit_windows(const std::vector<std::string> &unrolled, const std::vector<GpuTile> &tiles,
                   int64_t taps, NestSpace &space) {
    taps = std::max<int64_t>(taps, 1);  // that aren't known
    int64_t most = kMostOfWindow / taps;
    for (const GpuTile &tile : tiles) {
        int64_t operations = tile.unroll;
        for (const int64_t elements : tile.tile) {
            operations *= elements;
        }
        most = tile.unroll_window ? std::max(most, operations) : most;
    }
    space.constraints.push_back({Rule::ProductAtMost, unrolled, most,
                                 "unrolls " + std::to_string(taps) + " taps of more than " +
                                     std::to_string(most) + " operations",
                                 std::pair{"unroll_window", 1}});
}

}  // namespace

GpuTile::GpuTile(const Nest &nest, int rank) : GpuTile(rank) {
    column_axis = parameter(nest, "column_axis");
    for (size_t axis = 0; axis < threads.size(); axis++) {
        threads[axis] = parameter(nest, numbered("threads", axis));
        tile[axis] = parameter(nest, numbered("tile", axis));
    }
    unroll = parameter(nest, "unroll");
    unroll_window = parameter(nest, "unroll_window") != 0;
    split = parameter(nest, "split");
    panel_rows = parameter(nest, "panel_rows");
    whole_rows = parameter(nest, "whole_rows") != 0;
}

NestSpace gpu_tile_bounds(const NestFuncs &funcs) {
    return gpu_tile_domains(std::max(funcs.root.dimensions(), 1));
}

NestSpace gpu_tile_domains(int rank) {
    NestSpace space;
    space.parameters = {axis_parameter("column_axis", rank),
                        count_parameter("unroll", "iterations", 1, kMostUnrolled),
                        flag_parameter("unroll_window"),
                        count_parameter("split", "threads", 1, kMostWorkgroupThreads),
                        count_parameter("panel_rows", "rows", 1, kMostPanelRows),
                        flag_parameter("whole_rows")};
    for (const std::string &name : numbered_all("threads", rank)) {
        space.parameters.push_back(count_parameter(name, "threads", 1, kMostWorkgroupThreads));
    }
    for (const std::string &name : numbered_all("tile", rank)) {
        space.parameters.push_back(count_parameter(name, "elements", 1, kMostTile));
    }
    std::vector<std::string> threads = numbered_all("threads", rank);
    threads.emplace_back("split");
    space.constraints = {
        {Rule::ProductAtMost, threads, kMostWorkgroupThreads,
         "has workgroups of more than " + std::to_string(kMostWorkgroupThreads) + " threads"},
        {Rule::ProductAtMost, numbered_all("tile", rank), kMostTile,
         "has tiles of more than " + std::to_string(kMostTile) + " elements"}};
    for (int axis = 0; axis < rank; axis++) {
        std::vector<std::string> others = threads;
        others.erase(others.begin() + axis);
        space.constraints.push_back({Rule::FewAboveOne, others, kMostOtherThreadAxes,
                                     "has threads along more than three axes",
                                     std::pair{"column_axis", axis}});
    }
    return space;
}

std::map<std::string, int64_t> GpuTile::parameters() const {
    std::map<std::string, int64_t> all{{"column_axis", column_axis},
                                       {"unroll", unroll},
                                       {"unroll_window", unroll_window ? 1 : 0},
                                       {"split", split},
                                       {"panel_rows", panel_rows},
                                       {"whole_rows", whole_rows ? 1 : 0}};
    for (size_t axis = 0; axis < threads.size(); axis++) {
        all[numbered("threads", axis)] = threads[axis];
        all[numbered("tile", axis)] = tile[axis];
    }
    return all;
}

Workgroup workgroup_of(const GpuTile &tile, const std::vector<int64_t> &extents, int registers) {
    Workgroup way;
    for (size_t axis = 0; axis < extents.size(); axis++) {
        const bool all = tile.whole_rows && static_cast<int>(axis) == tile.column_axis;
        way.block.push_back(all ? extents[axis] : tile.block(static_cast<int>(axis)));
    }
    way.tile = tile.tile;
    way.threads = tile.thread_counts();
    way.column_axis = tile.column_axis;
    way.registers = registers;
    return way;
}

NestSpace gpu_tile_space(const std::string &template_name, const std::vector<GpuTile> &tiles,
                         std::shared_ptr<const NestModel> model,
                         const std::vector<int64_t> &extents, const Machine &machine,
                         int64_t taps) {
    const GpuTile &first = tiles.front();
    NestSpace space = gpu_tile_domains(static_cast<int>(std::max<size_t>(extents.size(), 1)));
    space.template_name = template_name;
    for (const auto &[name, value] : first.parameters()) {
        prefer(space, name, value);
    }
    int64_t most_split = 1;
    for (const GpuTile &tile : tiles) {
        most_split = std::max(most_split, tile.split);
    }
    fix(space, "column_axis", first.column_axis);
    fix(space, "whole_rows", first.whole_rows ? 1 : 0);
    narrow(space, "split", first.split, 1, most_split);
    std::vector<std::string> unrolled = numbered_all("tile", static_cast<int>(extents.size()));
    for (size_t axis = 0; axis < extents.size(); axis++) {
        narrow(space, numbered("tile", axis), first.tile[axis], 1, extents[axis]);
        narrow(space, numbered("threads", axis), first.threads[axis], 1, extents[axis]);
    }
    unrolled.emplace_back("unroll");
    space.constraints.push_back({Rule::ProductAtMost, unrolled, kMostOperations,
                                 "unrolls more than " + std::to_string(kMostOperations) +
                                     " operations of its innermost loop"});
    limit_windows(unrolled, tiles, taps, space);
    for (const GpuTile &tile : tiles) {
        space.points.push_back({{template_name, tile.parameters()}});
    }
    space.single_rows = {space.points.front().nest};
    space.panels.is_panel = true;
    space.panels.column_axis = first.column_axis;
    space.model = std::move(model);
    space.estimate_for(machine);
    return space;
}

std::optional<Nest> smaller_gpu_tile(const Nest &nest) {
    Nest smaller = nest;
    int64_t &unroll = smaller.parameters["unroll"];
    int64_t &window = smaller.parameters["unroll_window"];
    if (unroll > 1 || window != 0) {
        unroll = std::max<int64_t>(unroll / 2, 1);
        window = 0;
        return smaller;
    }
    int64_t &rows = smaller.parameters["panel_rows"];
    const bool fewer_rows = rows > 1;
    rows = std::max<int64_t>(rows / 2, 1);
    const auto halve_largest = [&](const std::string &prefix) {
        int64_t *largest = nullptr;
        for (auto &[name, value] : smaller.parameters) {
            if (name.starts_with(prefix) && value > 1 && (largest == nullptr || value > *largest)) {
                largest = &value;
            }
        }
        if (largest != nullptr) {
            *largest = *largest % 2 == 0 ? *largest / 2 : 1;
        }
        return largest != nullptr;
    };
    if (halve_largest("tile") || halve_largest("threads") || fewer_rows) {
        return smaller;
    }
    return std::nullopt;
}

}  // namespace emulsion
