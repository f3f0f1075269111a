#include "autoscheduler/templates/support/multi_level_model.h"

#include <algorithm>
#include <cmath>

#include "autoscheduler/templates/support/parameters.h"
#include "fusion/ceil_div.h"
#include "fusion/layout.h"

namespace emulsion {

namespace {

// Cycles from one sum to the next that needs it, in those that another sum may be begun in.
constexpr double kSumLatency = 4.0;
// Of elements that are turned from one axis to another, those of a scalar loop, and of places that every lane has for
// itself, in operations on vectors.
constexpr double kTurnSlowdown = 2.0, kPlaceSlowdown = 4.0;
// Of a local tile that is walked from the shared cache.
constexpr double kLargeTileSlowdown = 1.5;
// Of tiles of other sizes there are to be tasks enough.
constexpr int64_t kMostSuggestedTasks = 16;

// Operations of a reduction on single elements, reads among them: of what it begins with and of all of its steps. A scan
// takes one for every element.
double operations_of(const FuncFacts &part, UpdateKind kind, double elements) {
    constexpr double kReadOperations = 0.5;
    double steps = kind == UpdateKind::Scan ? elements : 1.0;
    for (const ReductionLoop &loop : part.reduction) {
        steps *= kind == UpdateKind::Scan ? 1.0 : static_cast<double>(loop.extent);
    }
    double count = elements * part.operations + steps * (1.0 + part.update_operations);
    for (const TensorAccess &access : part.accesses) {
        count += kReadOperations * (access.in_update ? steps : elements);
    }
    return count;
}

}  // namespace

bool has_places_of_its_own(const FuncFacts &scatter, const UpdateRoles &roles, int axis) {
    const std::string &loop = roles.loops[static_cast<size_t>(axis)];
    for (size_t other = 0; other < scatter.written.size(); other++) {
        if (static_cast<int>(other) != axis &&
            Halide::Internal::expr_uses_var(scatter.written[other], loop)) {
            return true;
        }
    }
    return false;
}

MultiLevelModel::MultiLevelModel(const NestSubject &subject, const UpdateRoles &roles)
    : extents_(subject.extents), roles_(roles), element_bytes_(subject.result().type.bytes()),
      column_axis_(subject.natural_order.empty() ? -1 : subject.natural_order.back()) {
    for (const FuncFacts &part : subject.parts) {
        if (part.is_reduction()) {
            operations_ += operations_of(part, roles.kind,
                                         static_cast<double>(element_count(subject.extents)));
        }
    }
    if (roles.kind == UpdateKind::Scatter) {
        const FuncFacts &scatter = *subject.single_reduction();
        reads_data_ = std::all_of(roles.free.begin(), roles.free.end(), [&](int axis) {
            return has_places_of_its_own(scatter, roles, axis);
        });
    }
}

int64_t MultiLevelModel::size(const MultiLevelTile &t, int axis) const {
    const int64_t all = extents_[static_cast<size_t>(axis)];
    const int64_t tile = t.tile[static_cast<size_t>(axis)];
    return tile == 0 ? all : std::min(all, tile);
}

// Of operations, over those on whole vectors that don't wait for each other.
double MultiLevelModel::slowdown(const MultiLevelTile &t, const Machine &machine) const {
    const double lanes = machine.lanes(element_bytes_);
    const int64_t along = t.vector_axis < 0 ? t.block() : size(t, t.vector_axis);
    const double vector = static_cast<double>(std::min<int64_t>(t.vector, along));
    const double side = std::min<double>(t.vectors, std::ceil(static_cast<double>(along) / vector));
    double found = std::max(1.0, lanes / vector);
    if (roles_.kind == UpdateKind::Scatter) {
        const bool crossing = t.vector_axis != column_axis_;
        return reads_data_ || crossing ? std::max(found, kPlaceSlowdown) : found;
    }
    found *= std::max(1.0, kSumLatency / (side + 1.0));
    if (roles_.kind == UpdateKind::Scan) {
        double bytes = element_bytes_;
        for (size_t axis = 0; axis < extents_.size(); axis++) {
            bytes *= static_cast<double>(size(t, static_cast<int>(axis)));
        }
        found *= t.vector_axis == column_axis_ ? 1.0 : kTurnSlowdown;
        found *= machine.cpu().stays_private(bytes) ? 1.0 : kLargeTileSlowdown;
    }
    return found;
}

NestEstimate MultiLevelModel::estimate(const Nest &nest, const Machine &machine) const {
    const MultiLevelTile t(nest);
    NestEstimate found;
    const double lanes = machine.lanes(element_bytes_);
    found.cycles = operations_ / lanes / machine.cpu().operations_per_cycle * slowdown(t, machine);
    found.operation_slowdown = std::max(1.0, lanes / t.vector);
    int64_t tasks = t.tasks;
    if (roles_.kind != UpdateKind::Total && tasks > 0) {
        int64_t tiles = 1;
        for (const int axis : roles_.free) {
            tiles *=
                ceil_div(extents_[static_cast<size_t>(axis)], std::max<int64_t>(size(t, axis), 1));
        }
        tasks = std::min(tasks, tiles);
    }
    const int64_t cores = machine.cores();
    found.tasks = static_cast<double>(std::max<int64_t>(tasks, 1));
    found.imbalance = tasks <= 1 ? static_cast<double>(cores)
                                 : static_cast<double>(ceil_div(tasks, cores) * cores) /
                                       static_cast<double>(tasks);
    return found;
}

std::vector<Nest> MultiLevelModel::suggest(const Nest &nest, const Machine &machine) const {
    const MultiLevelTile t(nest);
    std::vector<Nest> suggested;
    const auto add = [&](const std::map<std::string, int64_t> &changes) {
        Nest other = nest;
        for (const auto &[name, value] : changes) {
            other.parameters[name] = value;
        }
        if (other != nest) {
            suggested.push_back(other);
        }
    };
    const int64_t cores = machine.cores(), lanes = machine.lanes(element_bytes_);
    if (t.vector_axis >= 0) {
        const std::string name = tile_name(t.vector_axis);
        const int64_t tile = size(t, t.vector_axis);
        for (const int64_t other : {tile * 2, tile / 2, tile * 4, tile / 4, int64_t{0}}) {
            add({{name, other},
                 {"tasks", std::max<int64_t>(t.tasks, kMostSuggestedTasks * cores)}});
        }
    }
    for (const int64_t vectors : {1, 2, 4, 8}) {
        add({{"vectors", vectors}});
    }
    for (const int64_t vector : {lanes, lanes / 2, 2 * lanes, int64_t{1}}) {
        add({{"vector", vector}});
        add({{"vector", vector}, {"vectors", 1}});
    }
    for (const int64_t tasks : {4 * cores, cores, 2 * cores, 8 * cores, 16 * cores, int64_t{0}}) {
        add({{"tasks", tasks}});
    }
    for (const int64_t unroll : {2, 4}) {
        add({{"unroll", unroll}});
    }
    for (const int axis : roles_.free) {
        if (axis != t.vector_axis) {
            const int64_t tile = size(t, axis);
            add({{tile_name(axis), 2 * tile}});
            add({{tile_name(axis), 4 * tile}});
            add({{"vector_axis", axis}, {tile_name(axis), lanes}});
        }
    }
    return suggested;
}

}  // namespace emulsion
