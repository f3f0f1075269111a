#include "tuner/grid_points.h"

#include <algorithm>
#include <array>

namespace emulsion {

namespace {

size_t position_of(const std::vector<NestParameter> &parameters, const std::string &name) {
    return static_cast<size_t>(
        std::find_if(parameters.begin(), parameters.end(),
                     [&](const NestParameter &p) { return p.name == name; }) -
        parameters.begin());
}

}  // namespace

GridPoints::GridPoints(const TuningTask &task) : grid_(task) {
    const std::vector<NestParameter> &known = task.space.parameters;
    for (const NestConstraint &rule : task.space.constraints) {
        Constraint constraint{&rule, {}, {}};
        for (const std::string &name : rule.parameters) {
            constraint.parameters.push_back(position_of(known, name));
        }
        if (rule.where) {
            constraint.where = position_of(known, rule.where->first);
        }
        // What names a parameter that no nest of the space has holds always.
        const auto is_unknown = [&](size_t p) { return p >= known.size(); };
        if (std::none_of(constraint.parameters.begin(), constraint.parameters.end(), is_unknown) &&
            (!constraint.where || !is_unknown(*constraint.where))) {
            constraints_.push_back(std::move(constraint));
        }
    }
}

bool GridPoints::holds(const Constraint &constraint, const GridPoint &point) const {
    if (constraint.where && value(point, *constraint.where) != constraint.rule->where->second) {
        return true;
    }
    constexpr size_t kMost = 32;
    std::array<int64_t, kMost> values{};
    std::vector<int64_t> many;
    const size_t count = constraint.parameters.size();
    if (count > kMost) {
        many.resize(count);
    }
    const std::span<int64_t> all = count > kMost ? std::span(many) : std::span(values).first(count);
    for (size_t i = 0; i < count; i++) {
        all[i] = value(point, constraint.parameters[i]);
        if (all[i] == Grid::kAbsent) {
            return true;
        }
    }
    return constraint.rule->holds(all);
}

bool GridPoints::is_valid(const GridPoint &point) const {
    return std::all_of(constraints_.begin(), constraints_.end(),
                       [&](const Constraint &c) { return holds(c, point); });
}

Nest GridPoints::nest(const GridPoint &point) const {
    Nest nest{task().space.template_name, {}};
    for (size_t i = 0; i < point.size(); i++) {
        set_value(nest, task().space.parameters[i], value(point, i));
    }
    return nest;
}

std::optional<GridPoint> GridPoints::point(const Nest &nest) const {
    if (!grid_.has(nest)) {
        return std::nullopt;
    }
    GridPoint point;
    for (size_t i = 0; i < parameters(); i++) {
        const std::vector<int64_t> &values = grid_.values()[i];
        point.push_back(
            static_cast<uint16_t>(std::lower_bound(values.begin(), values.end(),
                                                   value_of(nest, task().space.parameters[i])) -
                                  values.begin()));
    }
    return point;
}

}  // namespace emulsion
