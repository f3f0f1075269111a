// The parameters of multi_level.h: which values they may have, and which an operator is offered.
#include <algorithm>
#include <limits>

#include "autoscheduler/templates/support/multi_level.h"
#include "autoscheduler/templates/support/multi_level_model.h"
#include "autoscheduler/templates/support/parameters.h"
#include "fusion/ceil_div.h"
#include "fusion/layout.h"

namespace emulsion {

namespace {

using Rule = NestConstraint::Rule;

constexpr int64_t kLongestVector = 64, kMostVectorsBeside = 16, kMostStepsUnrolled = 16;
// Unrolled, all together: beyond it, code grows and no register is left.
constexpr int64_t kMostUnrolledVectors = 64;
constexpr int64_t kLongestTile = std::numeric_limits<int>::max() / 2, kMostTileTasks = 1 << 20;
// Work below this many elements is done before another thread has woken up.
constexpr int64_t kFewSteps = 32768;
constexpr int64_t kTasksOfCore = 4;
// Of a local tile: a first-level cache, less what is read and written beside it.
constexpr int64_t kSmallTile = 32 << 10;
// Rows that are turned at a time.
constexpr int64_t kTurnedLanes = 8;

NestSpace multi_level_domains(int rank) {
    NestSpace space;
    space.parameters = {optional_axis_parameter("vector_axis", rank),
                        count_parameter("vector", "elements", 1, kLongestVector),
                        count_parameter("vectors", "vectors", 1, kMostVectorsBeside),
                        count_parameter("unroll", "iterations", 1, kMostStepsUnrolled),
                        count_parameter("tasks", "tasks", 0, kMostTileTasks)};
    space.find("vector")->domain.powers_of_two = true;
    for (int axis = 0; axis < rank; axis++) {
        space.parameters.push_back(count_parameter(tile_name(axis), "elements", 0, kLongestTile));
    }
    space.constraints.push_back(
        {Rule::ProductAtMost,
         {"vectors", "unroll"},
         kMostUnrolledVectors,
         "unrolls more than " + std::to_string(kMostUnrolledVectors) + " vectors"});
    return space;
}

const FuncFacts &reduction_of(const NestSubject &subject) {
    return *std::find_if(subject.parts.begin(), subject.parts.end(),
                         [](const FuncFacts &part) { return part.is_reduction(); });
}

class SpaceOfSubject {
public:
    SpaceOfSubject(const NestSubject &subject, const UpdateRoles &roles, NestSpace &space)
        : subject_(subject), roles_(roles), reduction_(reduction_of(subject)), space_(space),
          lanes_(subject.machine.lanes(reduction_.type.bytes())), cores_(subject.machine.cores()) {
        for (const ReductionLoop &loop : reduction_.reduction) {
            steps_ *= loop.extent;
        }
        for (const int axis : subject.natural_order) {  // the innermost of them
            const bool free =
                std::find(roles.free.begin(), roles.free.end(), axis) != roles.free.end();
            if (free && (vector_axis_ < 0 || extent(axis) > 1)) {
                vector_axis_ = axis;
            }
        }
    }

    void narrow_all() {
        switch (roles_.kind) {
        case UpdateKind::Total: narrow_total(); break;
        case UpdateKind::Scan: narrow_scan(); break;
        case UpdateKind::Scatter: narrow_scatter(); break;
        }
        if (roles_.kind != UpdateKind::Total) {
            narrow_axes();
        }
        space_.panels.serial = {{"tasks", 0}};
    }

private:
    int64_t extent(int axis) const { return subject_.extents[static_cast<size_t>(axis)]; }
    bool is_innermost(int axis) const { return axis == subject_.natural_order.back(); }
    bool is_large(int64_t work) const { return work >= kFewSteps && cores_ > 1; }

    void narrow_axes() {
        const int rank = static_cast<int>(subject_.extents.size());
        narrow(space_, "vector_axis", vector_axis_, 0, rank - 1);
        for (int axis = 0; axis < rank; axis++) {
            if (std::find(roles_.free.begin(), roles_.free.end(), axis) != roles_.free.end()) {
                narrow(space_, tile_name(axis), space_.find(tile_name(axis))->preferred, 0,
                       extent(axis));
                continue;
            }
            fix(space_, tile_name(axis), 0);
            space_.constraints.push_back({Rule::ProductAtMost,
                                          {},
                                          0,
                                          "has vectors along axis " + std::to_string(axis) +
                                              ", along which steps of the update may meet",
                                          std::pair{"vector_axis", axis}});
        }
    }

    void narrow_total() {
        const int64_t tasks = is_large(steps_) ? kTasksOfCore * cores_ : 0;
        fix(space_, "vector_axis", -1);
        for (size_t axis = 0; axis < subject_.extents.size(); axis++) {
            fix(space_, tile_name(static_cast<int>(axis)), 0);
        }
        narrow(space_, "vector", std::min(lanes_, floor_power_of_two(steps_)), 1, 2 * lanes_);
        narrow(space_, "vectors", std::clamp<int64_t>(steps_ / (4 * lanes_), 1, 4), 1,
               kMostVectorsBeside);
        narrow(space_, "tasks", tasks, 0, std::max<int64_t>(16 * cores_, tasks));
    }

    // Rows of vectors as long as the private cache allows and tasks are enough; where the scan runs along memory, few
    // rows, which are turned.
    void narrow_scan() {
        const int64_t bytes = reduction_.type.bytes(), scanned = extent(roles_.scanned);
        const bool turns = !is_innermost(vector_axis_);
        const int64_t cache = turns ? kSmallTile : subject_.machine.cpu().l2_bytes / 2;
        const int64_t fits = std::max<int64_t>(cache / (bytes * scanned), 1);
        int64_t others = 1;
        for (const int axis : roles_.free) {
            others *= axis == vector_axis_ ? 1 : extent(axis);
            prefer(space_, tile_name(axis), 1);
        }
        const int64_t wanted =
            is_large(element_count(subject_.extents)) ? ceil_div(kTasksOfCore * cores_, others) : 1;
        const int64_t even = std::max<int64_t>(extent(vector_axis_) / wanted, 1);
        const int64_t widest = std::min(turns ? std::min(lanes_, kTurnedLanes) : lanes_,
                                        floor_power_of_two(extent(vector_axis_)));
        const int64_t vector = turns ? std::min(widest, floor_power_of_two(fits)) : widest;
        const int64_t tile = std::max(std::min(fits, even) / vector * vector, vector);
        prefer(space_, tile_name(vector_axis_), tile >= extent(vector_axis_) ? 0 : tile);
        narrow(space_, "vector", vector, 1, 2 * lanes_);
        narrow(space_, "vectors", std::clamp<int64_t>(tile / vector, 1, 4), 1, kMostVectorsBeside);
        const int64_t tiles = others * ceil_div(extent(vector_axis_), tile);
        narrow_tasks(element_count(subject_.extents), tiles);
    }

    // Whole cache lines of rows for each task, or rows, which are walked side by side where each of them goes to places
    // of its own.
    void narrow_scatter() {
        const int64_t all = extent(vector_axis_);
        const bool alone = has_places_of_its_own(reduction_, roles_, vector_axis_);
        const int64_t vector =
            alone || !is_innermost(vector_axis_) ? 1 : std::min(lanes_, floor_power_of_two(all));
        const int64_t per_task = ceil_div(all, is_innermost(vector_axis_) ? cores_ : 4 * cores_);
        const int64_t tile = ceil_div(per_task, 2 * lanes_) * 2 * lanes_;
        prefer(space_, tile_name(vector_axis_), tile >= all ? 0 : tile);
        narrow(space_, "vector", vector, 1, 2 * lanes_);
        narrow(space_, "vectors", alone ? std::min<int64_t>(4, all) : 1, 1, kMostVectorsBeside);
        narrow_tasks(std::max(steps_, element_count(subject_.extents)), ceil_div(all, tile));
    }

    void narrow_tasks(int64_t work, int64_t tiles) {
        const int64_t tasks = is_large(work) ? std::min<int64_t>(2 * kTasksOfCore * cores_,
                                                                 std::max<int64_t>(tiles, 1))
                                             : 0;
        narrow(space_, "tasks", tasks, 0, std::max(tasks, element_count(subject_.extents)));
    }

    const NestSubject &subject_;
    const UpdateRoles &roles_;
    const FuncFacts &reduction_;
    NestSpace &space_;
    const int64_t lanes_, cores_;
    int64_t steps_ = 1;
    int vector_axis_ = -1;
};

}  // namespace

std::string tile_name(int axis) { return "tile" + std::to_string(axis); }

MultiLevelTile::MultiLevelTile(const Nest &nest)
    : vector_axis(parameter(nest, "vector_axis")), vector(parameter(nest, "vector")),
      vectors(parameter(nest, "vectors")), unroll(parameter(nest, "unroll")),
      tasks(parameter(nest, "tasks")) {
    while (nest.parameters.count(tile_name(static_cast<int>(tile.size()))) != 0) {
        tile.push_back(parameter(nest, tile_name(static_cast<int>(tile.size()))));
    }
}

NestSpace multi_level_bounds(const NestFuncs &funcs) {
    return multi_level_domains(funcs.root.dimensions());
}

NestSpace multi_level_space(const std::string &template_name, const NestSubject &subject,
                            const UpdateRoles &roles) {
    NestSpace space = multi_level_domains(static_cast<int>(subject.extents.size()));
    space.template_name = template_name;
    SpaceOfSubject(subject, roles, space).narrow_all();
    return space;
}

std::optional<Nest> smaller_multi_level(const Nest &nest) {
    Nest smaller = nest;
    for (const char *name : {"vectors", "unroll"}) {
        smaller.parameters[name] = 1;
    }
    if (smaller.parameters == nest.parameters) {
        smaller.parameters["vector"] = 1;
    }
    return smaller.parameters == nest.parameters ? std::nullopt : std::make_optional(smaller);
}

}  // namespace emulsion
